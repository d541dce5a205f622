"""What a page shows of an event of Carcassonne in motion."""

from __future__ import annotations

from functools import lru_cache

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.board_svg import tile_svg
from sfida.engines.carcassonne.pieces_svg import meeple
from sfida.engines.carcassonne.position import Deploy, Draw, Place, Position, decode, position_of
from sfida.engines.carcassonne.style import cell_key, spot_key
from sfida.engines.carcassonne.tables import load_tiles, tile_type
from sfida.engines.drawing.svg import little
from sfida.engines.narration import Cue, seat_place

# ---- Cues: tiles and followers that come and go


def cues(before: CarcassonneState, code: int, after: CarcassonneState) -> tuple[Cue, ...]:
    """Return the cues of an event; nothing is hidden in this game."""
    match decode(code):
        case Draw(number):
            drawer = position_of(after, features=False).seat_on_turn
            return (Cue("card", ("", seat_place(drawer)), _tile(load_tiles()[number].code, 0)),)
        case Place(number, x, y, rotation):
            laid = Cue("lay", (seat_place(before.to_move), cell_key(x, y)),
                       _tile(load_tiles()[number].code, rotation))
            return (laid, *_gone(before, None, after))
        case Deploy(segment):
            if segment is None:
                return _gone(before, None, after)
            tile = position_of(before, features=False).tiles[-1]
            deployed = Cue("lay", (seat_place(before.to_move), spot_key(tile, segment)),
                           _follower(before.to_move, _lies(tile.code, segment)))
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
    return Cue("change", (spot_key(laid, segment), seat_place(seat)), _follower(seat, _lies(laid.code, segment)))


def _lies(code: str, segment: int) -> bool:
    return tile_type(code).segments[segment].kind == "field"


@lru_cache(maxsize=512)
def _tile(code: str, rotation: int) -> str:
    return tile_svg(code, rotation)


@lru_cache(maxsize=16)
def _follower(seat: int, lying: bool) -> str:
    return little((-25.0, -25.0, 50.0, 50.0), lambda root: meeple(root, 0.0, 0.0, 1.0, seat, lying))
