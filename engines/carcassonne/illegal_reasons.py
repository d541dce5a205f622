"""Reasons why a tile or a follower may not be placed somewhere, in words."""

from __future__ import annotations

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import PlacedTile, Position, beside, by_cell, mismatches, terrain
from sfida.engines.carcassonne.style import color, compass, role, segment_words, terrain_word
from sfida.engines.carcassonne.tables import tile_type
from sfida.engines.language import _, listed
from sfida.engines.moves import Reason


def why_not_placed(position: Position, code: str, x: int, y: int, turn: int | None,
                   options: CarcassonneOptions) -> str:
    """Return the reason, in one line, why a tile may not be placed somewhere.

    Parameters
    ----------
    position : Position
    code : str
        Code of the tile.
    x, y : int
    turn : int or None
        Requested quarter turns clockwise, 0 to 3; None: no rotation was given, and the tile fits in none.
    options : CarcassonneOptions
    """
    tiles, cell, face = position.tiles, (x, y), tile_type(code)
    for other in tiles:
        if (other.x, other.y) == cell:
            return str(Reason(_("({x},{y}) already holds tile {code}").format(x=x, y=y, code=other.code), "CAR-5.3"))
    river, end = face.set == "river", position.river_end
    if river and cell != end:
        said = (_("{code} at ({x},{y}) would not continue the river, which continues at {end} (CAR-11.8)") if end else
                _("{code} at ({x},{y}) would not continue the river, which continues nowhere (CAR-11.8)"))
        return said.format(code=code, x=x, y=y, end=f"({end[0]},{end[1]})" if end else "")
    if cell not in position.open_places:
        corner = any(max(abs(t.x - x), abs(t.y - y)) == 1 for t in tiles)
        said = (_("{code} at ({x},{y}) touches other tiles only at a corner (CAR-5.4)") if corner else
                _("{code} at ({x},{y}) touches no tile (CAR-5.3)"))
        return said.format(code=code, x=x, y=y)
    table = by_cell(tiles)
    turns = range(face.rotations) if turn is None else (turn % face.rotations,)
    laid = [PlacedTile(code, x, y, k) for k in turns]
    how = _("however it is turned") if turn is None and face.rotations > 1 else _turned(turn or 0)
    if all(mismatches(table, tile) for tile in laid):
        if turn is None:
            around = ((side, table.get(beside(cell, side))) for side in range(4))
            sides = [_("{terrain} in the {side} ({code} at ({x},{y}))").format(
                         terrain=terrain_word(terrain(other, (side + 2) % 4)), side=compass(2 * side), code=other.code,
                         x=other.x, y=other.y) for side, other in around if other is not None]
            return _("{code} does not fit at ({x},{y}), {how}: the place needs {sides} (CAR-5.5)").format(
                code=code, x=x, y=y, how=how, sides=listed(sides))
        wrong = [_("its {side} side is {own} against {terrain} of {code} at ({x},{y})").format(
                     side=compass(2 * side), own=terrain_word(terrain(laid[0], side)), code=other.code, x=other.x,
                     y=other.y, terrain=terrain_word(terrain(other, (side + 2) % 4)))
                 for side, other in mismatches(table, laid[0])]
        return _("{code} does not fit at ({x},{y}) {how}: {reasons} (CAR-5.5)").format(
            code=code, x=x, y=y, how=how, reasons=", ".join(wrong))
    if river:
        rule = "CAR-11.5" if options.river_uturn == "immediate" else "CAR-13.4"
        return _("{code} at ({x},{y}), {how}, would make the river turn back ({rule})").format(
            code=code, x=x, y=y, how=how, rule=rule)
    return _("{code} may not be placed at ({x},{y}), {how}").format(code=code, x=x, y=y, how=how)


def _turned(turn: int) -> str:
    return _("turned {degrees}° (/{turn})").format(degrees=90 * turn, turn=turn) if turn else _("not turned (/0)")


def why_not_deployed(position: Position, segment: int, options: CarcassonneOptions) -> str:
    """Return the reason, in one line, why no follower may go on a segment of the last tile."""
    last = len(position.tiles) - 1
    tile = tile_type(position.tiles[-1].code)
    name = f"{segment_words(tile, segment, position.tiles[-1].rotation)} (+{tile.segments[segment].id})"
    kind = tile.segments[segment].kind
    if kind == "river":
        return _("nobody stands on the river (CAR-11.6)")
    if not position.supply[position.seat_on_turn]:
        return _("{seat} has no follower left (CAR-6.8)").format(seat=color(position.seat_on_turn))
    if kind == "field" and not options.farmers:
        return _("this game is played without farmers (CAR-13.6)")
    for feature in position.features:
        if (last, segment) in feature.segments:
            holders = [_("{seat} at ({x},{y})").format(
                           seat=color(f.seat), x=position.tiles[f.tile].x, y=position.tiles[f.tile].y)
                       for f in position.followers if (f.tile, f.segment) in feature.segments]
            if holders:
                return _("{segment} is connected to a {role} of {holders} (CAR-6.6)").format(
                    segment=name, role=role(kind), holders=", ".join(holders))
    return _("nobody may be deployed on {segment}").format(segment=name)
