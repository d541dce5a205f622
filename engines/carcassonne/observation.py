"""A position as plain data for programs."""

from __future__ import annotations

from typing import Any

from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.tiles import load_tiles


def observation(position: Position) -> dict[str, Any]:
    """Return what every seat may see, JSON-able."""
    tiles = load_tiles()
    by_code = {tile.code: tile for tile in tiles}
    return {
        "phase": position.phase,
        "seat_on_turn": position.seat_on_turn,
        "tile_in_hand": position.tile_in_hand,
        "scores": list(position.scores),
        "supply": list(position.supply),
        "tiles": [{"code": t.code, "x": t.x, "y": t.y, "rotation": t.rotation} for t in position.tiles],
        "followers": [
            {"x": position.tiles[f.tile].x, "y": position.tiles[f.tile].y, "seat": f.seat,
             "segment": by_code[position.tiles[f.tile].code].segments[f.segment].id}
            for f in position.followers],
        "remaining": dict(position.remaining),
        "river_remaining": dict(position.river_remaining),
        "discarded": list(position.discarded),
    }
