"""Why a tile or a follower may not go where somebody wants it, in words."""

from __future__ import annotations

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import PlacedTile, Position
from sfida.engines.carcassonne.recount import (
    beside,
    by_cell,
    find_features,
    makes_u_turn,
    mismatches,
    open_cells,
    river_end,
    terrain,
    tile_type,
)
from sfida.engines.carcassonne.words import LONG, color, role, segment_words
from sfida.engines.wording import listed

SIDES = LONG[::2]       # N, E, S, W


def why_not_placed(position: Position, code: str, x: int, y: int, turn: int | None,
                   options: CarcassonneOptions) -> str:
    """Return in one line why a tile may not be placed somewhere.

    Parameters
    ----------
    position : Position
    code : str
        The tile.
    x, y : int
    turn : int or None
        Quarter turns clockwise as they were asked for, 0 to 3; None: none were, and it goes there in no rotation.
    options : CarcassonneOptions
    """
    tiles, cell, face = position.tiles, (x, y), tile_type(code)
    for other in tiles:
        if (other.x, other.y) == cell:
            return f"({x},{y}) already holds tile {other.code}"
    river = face.set == "river"
    end = river_end(tiles)
    if river and (end is None or cell != end.cell):
        goes_on = f"at ({end.cell[0]},{end.cell[1]})" if end else "nowhere"
        return f"{code} at ({x},{y}) would not continue the river, which goes on {goes_on} (CAR-11.8)"
    if cell not in open_cells(tiles):
        corner = any(max(abs(t.x - x), abs(t.y - y)) == 1 for t in tiles)
        touching = "touches other tiles only at a corner (CAR-5.4)" if corner else "touches no tile (CAR-5.3)"
        return f"{code} at ({x},{y}) {touching}"
    table = by_cell(tiles)
    turns = range(face.rotations) if turn is None else (turn % face.rotations,)
    laid = [PlacedTile(code, x, y, k) for k in turns]
    how = "however it is turned" if turn is None and face.rotations > 1 else _turned(turn or 0)
    if all(mismatches(table, tile) for tile in laid):
        if turn is None:
            around = ((side, table.get(beside(cell, side))) for side in range(4))
            sides = [f"{terrain(other, (side + 2) % 4)} in the {SIDES[side]} ({other.code} at ({other.x},{other.y}))"
                     for side, other in around if other is not None]
            return f"{code} does not fit at ({x},{y}), {how}: the place needs {listed(sides)} (CAR-5.5)"
        wrong = [f"its {SIDES[side]} side is {terrain(laid[0], side)} against {terrain(other, (side + 2) % 4)} of "
                 f"{other.code} at ({other.x},{other.y})" for side, other in mismatches(table, laid[0])]
        return f"{code} does not fit at ({x},{y}) {how}: {', '.join(wrong)} (CAR-5.5)"
    if river and any(makes_u_turn(tiles, tile, options) for tile in laid):
        rule = "CAR-11.5" if options.river_uturn == "immediate" else "CAR-13.4"
        return f"{code} at ({x},{y}), {how}, would make the river turn back ({rule})"
    return f"{code} may not be placed at ({x},{y}), {how}"


def _turned(turn: int) -> str:
    return f"turned {90 * turn}° (/{turn})" if turn else "not turned (/0)"


def why_not_deployed(position: Position, segment: int, options: CarcassonneOptions) -> str:
    """Return in one line why no follower may go on a segment of the last tile."""
    last = len(position.tiles) - 1
    tile = tile_type(position.tiles[-1].code)
    name = f"{segment_words(tile, segment, position.tiles[-1].rotation)} (+{tile.segments[segment].id})"
    kind = tile.segments[segment].kind
    if kind == "river":
        return "nobody stands on the river (CAR-11.6)"
    if not position.supply[position.seat_on_turn]:
        return f"{color(position.seat_on_turn)} has no follower left (CAR-6.8)"
    if kind == "field" and not options.farmers:
        return "this game is played without farmers (CAR-13.6)"
    for feature in find_features(position.tiles, position.followers, position.players):
        if (last, segment) in feature.segments:
            holders = [f"{color(f.seat)} at ({position.tiles[f.tile].x},{position.tiles[f.tile].y})"
                       for f in position.followers if (f.tile, f.segment) in feature.segments]
            if holders:
                return f"{name} is connected to a {role(kind)} of {', '.join(holders)} (CAR-6.6)"
    return f"nobody may be deployed on {name}"
