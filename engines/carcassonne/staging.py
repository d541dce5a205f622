"""Staging of Carcassonne on pictures: what a choice would put there as ghosts, and events in motion."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.board_svg import frame_of, spot_at, stand, tile_svg
from sfida.engines.carcassonne.pieces_svg import INK, LEGAL, meeple, place_face
from sfida.engines.carcassonne.position import Deploy, Draw, Place, Position, decode, position_of
from sfida.engines.carcassonne.style import cell_key, spot_key
from sfida.engines.carcassonne.tables import TileType, load_tiles, tile_type
from sfida.engines.drawing.svg import add, ghost, hit, little
from sfida.engines.language import language
from sfida.engines.narration import Cue, seat_place

# ---- Ghosts of the mover's choices

_SPOT = 12.0            # radius of a spot on the ghost of a tile, in hundredths of the tile


def ghosts(_state: CarcassonneState, position: Position, size: int) -> ET.Element:
    """Return the ghosts of the mover's moves: the tile in hand in each legal rotation with its followers, or followers.

    Parameters
    ----------
    _state : CarcassonneState
    position : Position
        Its position.
    size : int
        Width of the picture in pixels.
    """
    root = ET.Element("g")
    if position.phase == "place" and position.tile_in_hand is not None:
        tile = tile_type(position.tile_in_hand)
        for rotation in sorted({rotation for _x, _y, rotation in position.placements}):
            _draw_tile(root, tile, rotation, position)
    elif position.phase == "deploy":
        laid, frame = position.tiles[-1], frame_of(position, size)
        for segment in position.deploy_segments:
            stand(ghost(root, spot_key(laid, segment)), tile_type(laid.code), laid.rotation, segment,
                  position.seat_on_turn, frame.corner(laid.x, laid.y), frame.cell)
    return root


def _draw_tile(root: ET.Element, tile: TileType, rotation: int, position: Position) -> None:
    """Draw the tile in a rotation, with the spots where a follower may stand and the followers on them."""
    fitted = ghost(root, f"turn:{rotation}", data_fit=100)
    place_face(fitted, tile, rotation, 0.0, 0.0, 1.0)
    if not position.supply[position.seat_on_turn]:
        return
    for number, segment in enumerate(tile.segments):
        if segment.kind == "river":
            continue
        key = f"spot:@,{segment.id}"
        x, y = spot_at(tile, rotation, number)
        stand(ghost(fitted, key), tile, rotation, number, position.seat_on_turn, (0.0, 0.0), 100.0)
        place = add(fitted, "g", class_="spot")
        add(place, "circle", cx=100 * x, cy=100 * y, r=_SPOT / 2, fill=LEGAL, stroke=INK, stroke_width=1.5)
        hit(place, key, "circle", cx=100 * x, cy=100 * y, r=_SPOT)


# ---- Cues: tiles and followers that come and go


def cues(before: CarcassonneState, code: int, after: CarcassonneState) -> tuple[Cue, ...]:
    """Return the cues of an event; nothing is hidden in this game."""
    match decode(code):
        case Draw(number):
            drawer = position_of(after, features=False).seat_on_turn
            return (Cue("card", ("", seat_place(drawer)), _tile(load_tiles()[number].code, 0, language())),)
        case Place(number, x, y, rotation):
            laid = Cue("lay", (seat_place(before.to_move), cell_key(x, y)),
                       _tile(load_tiles()[number].code, rotation, language()))
            return (laid, *_gone(before, None, after))
        case Deploy(segment):
            if segment is None:
                return _gone(before, None, after)
            tile = position_of(before, features=False).tiles[-1]
            deployed = Cue("lay", (seat_place(before.to_move), spot_key(tile, segment)),
                           _follower(before.to_move, _lies(tile.code, segment), language()))
            return (deployed, *_gone(before, segment, after))
    return ()


def _gone(before: CarcassonneState, segment: int | None, after: CarcassonneState) -> tuple[Cue, ...]:
    """Return the cues of followers that come home; `segment` is that of a follower just deployed."""
    if before.scores() == after.scores() or after.is_over:
        return ()
    old, new = (position_of(state, features=False) for state in (before, after))
    stood = {(one.tile, one.segment, one.seat) for one in old.followers}
    if segment is not None:
        stood.add((len(old.tiles) - 1, segment, before.to_move))
    return tuple(_home(new, *one) for one in sorted(
        stood - {(one.tile, one.segment, one.seat) for one in new.followers}))


def _home(position: Position, tile: int, segment: int, seat: int) -> Cue:
    laid = position.tiles[tile]
    picture = _follower(seat, _lies(laid.code, segment), language())
    return Cue("change", (spot_key(laid, segment), seat_place(seat)), picture)


def _lies(code: str, segment: int) -> bool:
    return tile_type(code).segments[segment].kind == "field"


@lru_cache(maxsize=512)
def _tile(code: str, rotation: int, _language: str) -> str:
    return tile_svg(code, rotation)


@lru_cache(maxsize=16)
def _follower(seat: int, lying: bool, _language: str) -> str:
    return little((-25.0, -25.0, 50.0, 50.0), lambda root: meeple(root, 0.0, 0.0, 1.0, seat, lying))
