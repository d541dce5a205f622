"""Staging of A Few Acres of Snow on pictures: what a choice would put there as ghosts, and events in motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.acres.board_svg import on_map
from sfida.engines.acres.notation import target
from sfida.engines.acres.pieces_svg import (
    CARD_HIGH, CARD_WIDE, coin, draw_card, fort_ring, siege_burst, sign, symbols, town, village, with_cards
)
from sfida.engines.acres.position import NO_CARD, Move, Position, decode, position_of
from sfida.engines.acres.style import seat_rgb, site_key, sites
from sfida.engines.acres.tables import card_of
from sfida.engines.drawing.svg import add, document_text, ghost, little, moved
from sfida.engines.language import language
from sfida.engines.narration import Cue, seat_place

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

# ---- Ghosts of the mover's choices


def ghosts(state: AcresState, position: Position) -> ET.Element:
    """Return the ghosts of what the mover may do at sites."""
    root = ET.Element("g")
    board = on_map(root)
    seat = position.seat_to_move
    for kind, number in sorted({(move.kind, move.place) for move in map(decode, state.legal_moves())
                                if move.kind in ("settle", "develop", "fortify", "besiege", "raid")}):
        site = sites()[number]
        piece = moved(ghost(board, site_key(number), f"do:{kind}"), site.x, site.y)
        if kind == "settle":
            village(piece, seat)
        elif kind == "develop":
            town(piece, seat)
        elif kind == "fortify":
            fort_ring(piece)
        else:
            siege_burst(piece)
    return root if len(board) else ET.Element("g")


# ---- Cues: cards, pieces at sites, raids and ambushes, money

_CARD, _PIECE, _COIN = 84.0, 44.0, 34.0         # widths on the board
_PLAYED = frozenset({"ambush", "convert", "money", "merchant", "trader", "piracy", "transport", "settler", "strength",
                     "also", "block", "place", "discard", "reserve", "govern", "lose", "home"})
_GAINED = frozenset({"draft", "pick", "intendant", "return"})


def cues(before: AcresState, code: int, after: AcresState, *, known: bool) -> tuple[Cue, ...]:
    """Return the cues of an event; a drawn card that is not known lies face down."""
    move, seat, old = decode(code), before.mover, position_of(before)
    if move.kind == "draw":
        picture = _card(move.card, old.by_board, language()) if known else ""
        return (Cue("card", ("", seat_place(seat)), picture, size=_CARD),)
    new = position_of(after)
    return (*_shown(before, move, old), *_fought(old, move, new), *_sites(old, seat, new), *_money(old, new))


def _shown(state: AcresState, move: Move, position: Position) -> Iterator[Cue]:
    """Yield the cue of the card of a move."""
    seat = state.mover
    home, card = seat_place(seat), {"home": "HS", "give": "NAn", "leader": "ML"}.get(move.kind, "")
    number = card_of(seat)[card] if card else move.card
    if number == NO_CARD:
        return
    if move.kind in ("reinforce", "leader"):
        places = home, site_key(target(state, move.place))
    elif move.kind in ("settle", "fortify", "besiege"):
        places = home, site_key(move.place)
    elif move.kind == "give":
        places = home, seat_place(1 - seat)
    elif move.kind in _PLAYED:
        places = home, ""
    elif move.kind in _GAINED:
        places = "", home
    else:
        return
    yield Cue("card", places, _card(number, position.by_board, language()), size=_CARD)


def _fought(before: Position, move: Move, after: Position) -> Iterator[Cue]:
    """Yield the cue of a raid or an ambush as it is decided, and of a siege that is won or lost."""
    if before.phase in ("raid_response", "ambush_response") and move.kind in ("block", "allow"):
        place = site_key(before.site) if before.phase == "raid_response" else seat_place(before.seat_to_move)
        yield Cue("clash", (place,), _sign("ambush", before.seat_on_turn), size=_PIECE)
    for siege in before.sieges:
        if after.siege_at(siege.site) is None:
            yield Cue("clash", (site_key(siege.site),), _sign("cannon", siege.attacker), size=_PIECE)


def _sites(before: Position, seat: int, after: Position) -> Iterator[Cue]:
    """Yield the cues of villages, towns and forts that come or go."""
    if (before.owner, before.town, before.fort) == (after.owner, after.town, after.fort):
        return
    for site, (old, new) in enumerate(zip(before.owner, after.owner, strict=True)):
        place = site_key(site)
        if old >= 0 and new != old:
            yield Cue("change", (place, seat_place(seat)), _piece(before.town[site], old), size=_PIECE)
        if new >= 0 and (new != old or before.town[site] != after.town[site]):
            yield Cue("lay", (seat_place(new), place), _piece(after.town[site], new), size=_PIECE)
        if after.fort[site] and not before.fort[site]:
            yield Cue("lay", ("", place), _sign("fort", new), size=_PIECE)


def _money(before: Position, after: Position) -> Iterator[Cue]:
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if new.money != old.money:
            yield Cue("change", (seat_place(seat),), _coin(), (f"{new.money - old.money:+d}".replace("-", "−"),),
                      size=_COIN)


# ---- pictures ---------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _card(number: int, by_board: bool, _language: str) -> str:
    holder = ET.Element("g")
    draw_card(holder, number, by_board=by_board)
    drawn = ET.fromstring(with_cards(document_text(holder)))
    return little((-2.0, -2.0, CARD_WIDE + 6, CARD_HIGH + 7), lambda root: root.append(drawn), symbols)


@lru_cache(maxsize=4)
def _piece(is_town: bool, seat: int) -> str:
    return little((-22.0, -22.0, 46.0, 46.0), partial(town if is_town else village, seat=seat), symbols)


@lru_cache(maxsize=16)
def _sign(name: str, seat: int) -> str:
    def draw(root: ET.Element) -> None:
        rgb = seat_rgb(seat)
        add(root, "circle", r=19.0, fill="#fbf5e2", stroke=rgb, stroke_width=3)
        sign(add(root, "g", fill=rgb, color=rgb), name, 0, 0, 1.1)

    return little((-22.0, -22.0, 44.0, 44.0), draw, symbols)


@lru_cache(maxsize=1)
def _coin() -> str:
    return little((-14.0, -14.0, 28.0, 28.0), partial(coin, text="", radius=13.0), symbols)
