"""Tiles, points and options of Carcassonne as the tables that the rules core takes.

Their names, shapes and meanings are those of cython_ext/carcassonne/parameters.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tiles import TileType

# Codes of cython_ext/carcassonne/board.pxd, by the words of the data file or as positions in a list of words.
TERRAIN = {"field": 1, "road": 2, "city": 3, "river": 4, "monastery": 5}
NONE = 0xFF
FARM_RULES = ("rulebook", "per_farm", "first_edition")
UTURNS = ("immediate", "monotone", "none")
RIVER_STARTS = ("removed", "shuffled", "after_lake")
LAND_STACK, RIVER_STACK, LAKE_STACK = range(3)


def build_tables(data: dict[str, Any], tiles: Sequence[TileType], options: CarcassonneOptions) -> dict[str, Any]:
    """Return the tables of the data file, of tiles and options by name, and the codes of the tile types."""
    setup, points = data["setup"], data["scoring"]
    codes = tuple(tile.code for tile in tiles)
    source, lake = codes.index(setup["river_source_tile"]), codes.index(setup["river_lake_tile"])
    stack = [LAND_STACK if tile.set == "base" else RIVER_STACK for tile in tiles]
    stack[source], stack[lake] = NONE, LAKE_STACK
    return {
        "codes": codes,
        "n_types": len(tiles),
        "face": [face for tile in tiles for face in faces_of(tile)],
        "copies": [tile.count for tile in tiles],
        "n_rotations": [tile.rotations for tile in tiles],
        "stack": stack,
        "players": options.players,
        "start_type": codes.index(setup["start_tile"]),
        "start_rotation": setup["start_rotation"],
        "source_type": source,
        "source_rotation": setup["river_source_rotation"],
        "lake_type": lake,
        "supply": data["players"]["followers_usable_per_player"],
        "river": options.river,
        "farm_scoring": FARM_RULES.index(options.farm_scoring),
        "city2_half": options.city2_scoring == "half",
        "uturn": UTURNS.index(options.river_uturn),
        "river_start": RIVER_STARTS.index(options.river_start_tile),
        "farmers": options.farmers,
        "first_player": -1 if options.first_player == "random" else int(options.first_player.removeprefix("seat")),
        "road_tile": points["road_per_tile_completed"],
        "city_tile": points["city_per_tile_completed"],
        "city_shield": points["city_per_shield_completed"],
        "city2_tile": points["city2_per_tile_completed"],
        "city2_shield": points["city2_per_shield_completed"],
        "city2_size": points["city2_size"],
        "monastery_full": points["monastery_completed"],
        "farm_city": points["farm_per_completed_city"],
        "first_edition_city": data["variants"]["farm_scoring"]["first_edition_points_per_city"],
        "road_tile_open": points["road_per_tile_incomplete"],
        "city_tile_open": points["city_per_tile_incomplete"],
        "city_shield_open": points["city_per_shield_incomplete"],
        "monastery_own_open": points["monastery_tile_incomplete"],
        "monastery_next_open": points["monastery_per_neighbour_incomplete"],
    }


def faces_of(tile: TileType) -> list[dict[str, Any]]:
    """Return the four faces of a tile type, each a quarter turn clockwise from the one before."""
    contacts = [(i, city) for i, segment in enumerate(tile.segments) for city in segment.cities]
    faces = []
    for turned in range(4):
        side, edge_seg, half_seg = [0] * 4, [NONE] * 4, [NONE] * 8
        for i, name in enumerate(tile.edges):
            side[(i + turned) % 4] = TERRAIN[name]
        for i, segment in enumerate(tile.segments):
            for half in segment.half_edges if segment.kind == "field" else ():
                half_seg[(half + 2 * turned) % 8] = i
            for edge in segment.edges if segment.kind in ("city", "road") else ():
                edge_seg[(edge + turned) % 4] = i
        faces.append({
            "side": side,
            "edge_seg": edge_seg,
            "half_seg": half_seg,
            "n_segs": len(tile.segments),
            "kind": [TERRAIN[segment.kind] for segment in tile.segments],
            "n_edges": [len(segment.edges) for segment in tile.segments],
            "shields": [segment.shields for segment in tile.segments],
            "n_contacts": len(contacts),
            "contact_field": [field for field, _ in contacts],
            "contact_city": [city for _, city in contacts],
        })
    return faces
