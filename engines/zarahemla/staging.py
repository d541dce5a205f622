"""Staging of Zarahemla on pictures: what a choice would put there as ghosts, and events in motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import add, ghost, little, moved
from sfida.engines.language import language
from sfida.engines.narration import Cue, seat_place
from sfida.engines.zarahemla.board_svg import at_corner, at_edge, at_robber
from sfida.engines.zarahemla.map import UNIT, board, slope
from sfida.engines.zarahemla.narration import DEALING
from sfida.engines.zarahemla.pieces_svg import (
    card_back, city, resource_card, road, robber, say, settlement, small_piece
)
from sfida.engines.zarahemla.position import Position, decode, position_of
from sfida.engines.zarahemla.style import DECK, DICE, RESOURCES, TEMPLE, bank_key, card_names, dice_pair, place_key
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

# ---- Ghosts of the mover's choices


def ghosts(state: ZarahemlaState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's buildings and roads, and of the robber."""
    root = ET.Element("g")
    seat = position.seat_to_move
    for move in map(decode, state.legal_moves()):
        if move.kind in ("settle", "city", "choose_start"):
            piece = at_corner(ghost(root, place_key("corner", move.arg)), move.arg)
            (city if move.kind == "city" else settlement)(piece, seat)
        elif move.kind == "road":
            piece, turned = at_edge(ghost(root, place_key("edge", move.arg)), move.arg)
            road(piece, 62.0, seat, -turned)
        elif move.kind == "move_robber":
            robber(at_robber(ghost(root, place_key("hex", move.arg)), move.arg, position.terrain[move.arg]))
    return root


# ---- Cues: buildings, the robber, dice, resources and cards

_CARD = 26.0            # width of a card on the board
_PLAYED = {"play_warrior": "stripling_warrior", "play_harvest": "bountiful_harvest", "play_liahona": "liahona",
           "play_road_building": "road_building", "play_temple_building": "temple_building",
           "play_prosperity": "prosperity"}


def cues(before: ZarahemlaState, code: int, after: ZarahemlaState, *, known: bool) -> tuple[Cue, ...]:
    """Return the cues of an event; a drawn or stolen card that is not known lies face down."""
    move = decode(code)
    return (*_moved(before, move.kind, move.arg, known),
            *(_dealt(before, move.arg + 2 if move.kind in ("dice", "play_liahona") else 0, after)
              if move.kind in DEALING else ()))


def _moved(state: ZarahemlaState, kind: str, arg: int, known: bool) -> Iterator[Cue]:
    seat = state.seat_on_turn
    home = seat_place(seat)
    if kind in ("settle", "city"):
        yield Cue("lay", (home, place_key("corner", arg)), _building(kind, seat, language()), size=50 * UNIT * 1.06)
    elif kind == "road":
        yield Cue("lay", (home, place_key("edge", arg)), _road(arg, seat, language()), size=78 * UNIT)
    elif kind == "move_robber":
        was = position_of(state).robber
        yield Cue("lay", (place_key("hex", was) if was >= 0 else "", place_key("hex", arg)), _robber(), size=60 * UNIT)
    elif kind == "temple_stone":
        yield Cue("lay", (home, TEMPLE), _stone(seat, language()), size=28.0)
    elif kind == "dice":
        yield Cue("dice", (DICE,), faces=(dice_pair(arg + 2),))
    elif kind in _PLAYED:
        yield Cue("card", (home, ""), _development(_PLAYED[kind], language()), size=3 * _CARD)
    elif kind == "draw_dev":
        picture = _development(CARD_IDS[arg], language()) if known else ""
        yield Cue("card", (DECK, home), picture, size=2 * _CARD)
    elif kind == "stolen_card":
        yield Cue("card", (seat_place(state.victim), home), _resource(arg, 1) if known else "", size=_CARD)


def _dealt(before: ZarahemlaState, total: int, after: ZarahemlaState) -> Iterator[Cue]:
    """Yield the cues of resource cards that change hands; all seats see them (`narration.DEALING`)."""
    changes = [[new - old for old, new in zip(before.hand(seat), after.hand(seat), strict=True)]
               for seat in range(before.players)]
    for resource in range(len(RESOURCES)):
        gave = [seat for seat, change in enumerate(changes) if change[resource] < 0]
        for seat, change in enumerate(changes):
            count = change[resource]
            if count > 0:
                source = seat_place(gave[0]) if gave else _source(before, total, resource, seat)
                yield Cue("card", (source, seat_place(seat)), _resource(resource, count), size=_CARD)
            elif count < 0 and all(other[resource] <= 0 for other in changes):
                yield Cue("card", (seat_place(seat), bank_key(resource)), _resource(resource, -count), size=_CARD)


def _source(state: ZarahemlaState, total: int, resource: int, seat: int) -> str:
    """Return the hex of a seat that yields a resource at a total, else the bank."""
    position = position_of(state)
    corners = {corner for corner, owner, _kind in position.buildings if owner == seat}
    for number, one in enumerate(board().hexes):
        if (position.numbers[number] == total and position.terrain[number] == RESOURCES[resource]
                and number != position.robber and corners.intersection(one.corners)):
            return place_key("hex", number)
    return bank_key(resource)


# ---- pictures ---------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _building(kind: str, seat: int, _language: str) -> str:
    return little((-25.0, -28.0, 50.0, 50.0), partial(city if kind == "city" else settlement, seat=seat))


@lru_cache(maxsize=512)
def _road(edge: int, seat: int, _language: str) -> str:
    turned = slope(board().edges[edge])

    def draw(root: ET.Element) -> None:
        road(add(root, "g", transform=f"rotate({turned:.4g})"), 62.0, seat, -turned)

    return little((-39.0, -39.0, 78.0, 78.0), draw)


@lru_cache(maxsize=1)
def _robber() -> str:
    return little((-30.0, -58.0, 60.0, 68.0), robber)


@lru_cache(maxsize=8)
def _stone(seat: int, _language: str) -> str:
    return little((-14.0, -14.0, 28.0, 28.0), partial(small_piece, kind="stone", seat=seat))


@lru_cache(maxsize=64)
def _resource(resource: int, count: int) -> str:
    return little((-1.0, -4.0, 36.0, 46.0), partial(resource_card, kind=RESOURCES[resource], count=count))


@lru_cache(maxsize=32)
def _development(name: str, _language: str) -> str:
    """Draw a development card face up: its back in light colours, with its name."""
    def draw(root: ET.Element) -> None:
        add(root, "rect", width=72.0, height=102.0, rx=8.0, fill="#efe6f6", stroke="#5d3f78", stroke_width=4)
        card_back(moved(root, 24, 10), "development", 0)
        words = card_names()[name].split()
        for row, word in enumerate(words):
            say(root, 36, 64 + 13 * row, word, min(12.0, 96 / max(6, len(word))), anchor="middle", bold=True)

    return little((-2.0, -2.0, 76.0, 106.0), draw)
