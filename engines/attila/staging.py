"""Staging of Attila on pictures: what a choice would put there as ghosts, and events in motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.attila.board_svg import on_chart, on_province
from sfida.engines.attila.pieces_svg import head, head_symbols, marker, tile, tile_symbols, tribe_card
from sfida.engines.attila.pointing import parts_of
from sfida.engines.attila.position import TILES, Move, Position, decode, position_of
from sfida.engines.attila.style import card_key, column_key, peaceful_limit, province_key
from sfida.engines.drawing.svg import add, ghost, little
from sfida.engines.language import language
from sfida.engines.narration import Cue, seat_place

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState

# ---- Ghosts of the mover's choices

_PLACING, _OF_CHART = ("at", "second"), ("influence", "inf_a", "inf_b")


def ghosts(state: AttilaState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's tokens, also of those that the cards in hand allow, and of its influence."""
    root = ET.Element("g")
    for code in state.legal_moves():
        move = decode(code)
        if move.kind in _PLACING:
            _draw_token(root, position, position.card, move.what, ())
        elif move.kind == "card":
            after = _after(state, code)
            for what in (decode(other).what for other in after.legal_moves() if decode(other).kind in _PLACING):
                _draw_token(root, position, move.what, what, (card_key(move.what),))
        elif move.kind in _OF_CHART:
            seat, grown = position.seat_to_move, position_of(_after(state, code))
            for part in parts_of(state, code):
                _draw_influence(root, position, grown, seat, part.key)
    return root


def _after(state: AttilaState, code: int) -> AttilaState:
    after = state.clone()
    after.apply(code)
    return after


def _draw_token(root: ET.Element, position: Position, tribe: int, province: int, first: tuple[str, ...]) -> None:
    """Draw a token on the next free place of a province."""
    land = position.land
    place, at = on_province(ghost(root, *first, province_key(land, province)), land, province)
    count = min(sum(position.tokens[province]), peaceful_limit())
    head(place, tribe, *at.order.places[count][count])


def _draw_influence(root: ET.Element, before: Position, after: Position, seat: int, key: str) -> None:
    """Draw the marker of a seat on the chart where it comes to stand."""
    was, becomes = before.seats[seat].influence, after.seats[seat].influence
    for tribe, (old, new) in enumerate(zip(was, becomes, strict=True)):
        if new != old:
            x, y, radius = on_chart(before.land, tribe, new)
            marker(ghost(root, key), seat, x, y, radius)


# ---- Cues: cards, tokens, influence, conflicts

_HEAD, _CARD, _MARKER, _PEACE = 30.0, 52.0, 22.0, 30.0     # widths on the board
_OF_HAND = ("card", "dump", "give")
_GAINING = ("influence", "inf_a", "inf_b")
_STILL = frozenset({"first", "skip", "give_done", "fight", "go_on", "end_turn"})


def cues(before: AttilaState, code: int, after: AttilaState, *, known: bool) -> tuple[Cue, ...]:
    """Return the cues of an event; a card that is not known lies face down."""
    move = decode(code)
    if move.kind in _STILL:
        return ()
    if move.kind == "draw":
        drawer = before.drawer()
        home = "" if drawer is None else seat_place(drawer)
        return (Cue("card", ("", home), _card(move.what, 1, language()) if known else "", size=_CARD),)
    old = position_of(before)
    home = seat_place(old.seat_to_move)
    if move.kind in _OF_HAND:
        return (Cue("card", (home, ""), _card(move.what, 1, language()) if known else "", size=_CARD),)
    if move.kind == "commit":
        picture = _card(move.what, 1, language()) if known else ""
        return (Cue("card", (home, province_key(old.land, old.queue[0])), picture, size=_CARD),)
    if move.kind in TILES:
        return (Cue("card", (home, ""), _tile(TILES[move.kind], language()), size=_CARD),)
    new = position_of(after)
    placed = ((Cue("lay", (home, province_key(old.land, move.what)), _head(old.card), size=_HEAD),)
              if move.kind in ("at", "second") else ())
    return (*placed, *_influence(old, new), *_conflict(old, move, new), *_crowded(old, new))


def _influence(before: Position, after: Position) -> Iterator[Cue]:
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        for tribe, (last, space) in enumerate(zip(old.influence, new.influence, strict=True)):
            if space != last:
                yield Cue("change", (seat_place(seat), column_key(tribe)), _marker(seat, language()),
                          (f"{space - last:+d}",), size=_MARKER)


def _crowded(before: Position, after: Position) -> Iterator[Cue]:
    """Yield the cues of provinces that have just become too crowded (ATT-6.1)."""
    for place in after.queue:
        if place not in before.queue:
            yield Cue("change", (province_key(after.land, place),), _symbol("att-swords"), size=_HEAD)


def _conflict(before: Position, move: Move, after: Position) -> Iterator[Cue]:
    """Yield the cues at the end of a conflict: the cards laid, the tribes that leave, and peace (ATT-6.5 to 7.1)."""
    battle = after.battle
    if battle is None or move.kind != "done" or len(after.queue) >= len(before.queue):
        return
    place = province_key(after.land, battle.province)
    for seat, laid in enumerate(battle.laid):
        for tribe, count in enumerate(laid):
            if count:
                yield Cue("card", (seat_place(seat), place), _card(tribe, count, language()), size=_CARD)
    yield Cue("clash", (place,), _symbol("att-swords"), (f"−{sum(battle.removed)}",), size=_HEAD)
    for tribe, count in enumerate(battle.removed):
        if count:
            yield Cue("change", (place, ""), _head(tribe), size=_HEAD)
    if sum(after.peace) < sum(before.peace):
        yield Cue("lay", ("", place), _symbol("att-peace"), size=_PEACE)


# ---- pictures ---------------------------------------------------------------------------------------


@lru_cache(maxsize=6)
def _head(tribe: int) -> str:
    return little((-14.0, -16.0, 28.0, 31.0), partial(head, tribe=tribe, x=0.0, y=0.0), head_symbols)


@lru_cache(maxsize=128)
def _card(tribe: int, count: int, _language: str) -> str:
    return little((-2.0, -12.0, 82.0, 111.0), partial(tribe_card, tribe=tribe, x=0.0, y=0.0, count=count), head_symbols)


@lru_cache(maxsize=16)
def _marker(seat: int, _language: str) -> str:
    return little((-11.0, -11.0, 22.0, 23.0), partial(marker, seat=seat, x=0.0, y=0.0, radius=10.0))


@lru_cache(maxsize=8)
def _tile(name: str, _language: str) -> str:
    return little((-12.0, -12.0, 24.0, 24.0), partial(tile, name=name, x=0.0, y=0.0, used=False), tile_symbols)


@lru_cache(maxsize=2)
def _symbol(name: str) -> str:
    return little((-17.0, -17.0, 34.0, 35.0), lambda root: add(root, "use", href=f"#{name}"), tile_symbols)
