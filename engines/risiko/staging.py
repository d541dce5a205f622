"""Staging of RisiKo! on pictures: what a choice would put there as ghosts, and events in motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import add, ghost, little, moved
from sfida.engines.language import language
from sfida.engines.narration import Cue, seat_place
from sfida.engines.risiko.board_svg import ARROW, arrow, on_map
from sfida.engines.risiko.map import outline
from sfida.engines.risiko.pieces_svg import LETTERS, army, new_armies, piece_symbols, spot_of, territory_card
from sfida.engines.risiko.position import HIDDEN, PAIRS, Move, Position, decode, position_of
from sfida.engines.risiko.style import seat_letter, seat_rgb, territories, territory_key

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

# ---- Ghosts of the mover's choices


def ghosts(state: RisikoState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's new armies, and the arrows of its attacks and marches."""
    root = ET.Element("g")
    pieces, arrows = on_map(root), on_map(root, **ARROW)
    rgb = seat_rgb(position, position.seat_to_move)
    moves = [decode(code) for code in state.candidate_moves()]
    for target in sorted({move.target for move in moves if move.kind == "place"}):
        new_armies(moved(ghost(pieces, territory_key(target)), *spot_of(target), 1.1), rgb)
    for kind, origin, target in sorted({("march" if move.kind == "fortify" else "attack", move.origin, move.target)
                                        for move in moves if move.kind in PAIRS}):
        arrow(ghost(arrows, territory_key(origin), territory_key(target)), origin, target, kind)
    return root if len(pieces) or len(arrows) else ET.Element("g")


# ---- Cues: armies that come and fight, dice, cards

_TANK = 46.0            # width of an army on the map
_STILL = frozenset({"start", "color", "objective", "deal", "attack", "assault", "safe_assault", "defend", "end_trade",
                    "end_attack", "end_turn"})


def cues(before: RisikoState, code: int, after: RisikoState, *, known: bool) -> tuple[Cue, ...]:
    """Return the cues of an event; a drawn card that is not known lies face down."""
    move = decode(code)
    if move.kind in _STILL:
        return ()
    old = position_of(before)
    seat = old.seat_on_turn
    match move.kind:
        case "place":
            place = seat_place(old.seat_to_move), territory_key(move.target)
            return (_army("lay", place, old, old.seat_to_move, move.amount, f"+{move.amount}"),)
        case "fortify":
            return (_march(old, move.origin, move.target, move.amount),)
        case "occupy":
            return (_march(old, old.origin, old.target, move.amount),) if move.amount else ()
        case "roll" | "assault_end":
            return tuple(_fight(old, move, position_of(after)))
        case "trade":
            return tuple(Cue("card", (seat_place(seat), ""), _card(card, language()), size=60.0)
                         for card in move.cards)
        case "draw":
            shown = known and move.amount != HIDDEN
            return (Cue("card", ("", seat_place(seat)), _card(move.amount, language()) if shown else "", size=60.0),)
        case "close":
            low = max(1, move.amount - 6)
            return (Cue("dice", ("",), faces=((move.amount - low, low),)),)
    return ()


def _fight(before: Position, move: Move, after: Position) -> Iterator[Cue]:
    """Yield the cues of a throw or a whole assault: the fight with its losses, then the armies that move in.

    Of a throw the game knows only the losses (RIS-7). Its dice are one throw with these losses, the same one for the
    same position. A whole assault is many throws, so no dice are shown for it.
    """
    origin, target = before.origin, before.target
    seats = before.owner[origin], before.owner[target]
    losses = [before.seats[seat].armies - after.seats[seat].armies for seat in seats]
    faces: tuple[tuple[int, ...], ...] = ()
    if move.kind == "roll":
        throws = throws_with(before.attack_dice, before.defence_dice, *losses)
        faces = throws[(7 * before.turns + 31 * sum(before.armies)) % len(throws)]
    yield Cue("clash", (territory_key(origin), territory_key(target)),
              _tank(before.armies[origin], seat_rgb(before, seats[0]), seat_letter(before, seats[0])),
              tuple(f"−{lost}" if lost else "" for lost in losses), faces, _TANK)
    if after.owner[target] != seats[1]:
        yield _march(before, origin, target, after.armies[target])


@lru_cache(maxsize=64)
def throws_with(attack: int, defence: int, attacker: int, defender: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the throws, dice in descending order, that cost both sides these losses (RIS-7.8).

    Parameters
    ----------
    attack, defence : int
        Numbers of dice.
    attacker, defender : int
        Losses, which together are the smaller number of dice.
    """
    found = []
    for one in combinations_with_replacement(range(6, 0, -1), attack):
        for other in combinations_with_replacement(range(6, 0, -1), defence):
            lost = sum(a > b for a, b in zip(one, other, strict=False))
            if lost == defender and min(attack, defence) - lost == attacker:
                found.append((one, other))
    return tuple(found)


def _march(position: Position, origin: int, target: int, count: int) -> Cue:
    places = territory_key(origin), territory_key(target)
    return _army("lay", places, position, position.owner[origin], count, f"+{count}")


def _army(kind: str, places: tuple[str, ...], position: Position, seat: int, count: int, *words: str) -> Cue:
    picture = _tank(count, seat_rgb(position, seat), seat_letter(position, seat))
    return Cue(kind, places, picture, words, size=_TANK)


@lru_cache(maxsize=256)
def _tank(count: int, rgb: str, letter: str) -> str:
    return little((-23.0, -27.0, 46.0, 46.0), lambda root: army(add(root, "g", **LETTERS), count, rgb, letter),
                  piece_symbols)


@lru_cache(maxsize=128)
def _card(card: int, _language: str) -> str:
    def symbols(defs: ET.Element) -> None:
        piece_symbols(defs)
        if card < len(territories()):
            add(defs, "path", id=f"ris-t{card}", d=outline(territories()[card].id))

    return little((-2.0, -2.0, 65.0, 94.0), lambda root: territory_card(root, card, False), symbols)
