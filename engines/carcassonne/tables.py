"""Tiles, points and options of Carcassonne as the arrays and numbers that the rules core takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tiles import TileType

# Codes of cython_ext/carcassonne/board.pxd, by the words of the data file or as positions in a list of words.
TERRAIN = {"field": 1, "road": 2, "city": 3, "river": 4, "monastery": 5}
NONE = 0xFF
FARM_RULES = ("rulebook", "per_farm", "first_edition")
UTURNS = ("immediate", "monotone", "none")
RIVER_STARTS = ("removed", "shuffled", "after_lake")
LAND_STACK, RIVER_STACK, LAKE_STACK = range(3)

SEGMENTS = 8                            # of a tile, at most
FACE = np.dtype([                       # a tile type in one rotation: `Face` of board.pxd, field by field
    ("side", np.uint8, 4), ("edge_seg", np.uint8, 4), ("half_seg", np.uint8, 8), ("n_segs", np.uint8),
    ("kind", np.uint8, SEGMENTS), ("n_edges", np.uint8, SEGMENTS), ("shields", np.uint8, SEGMENTS),
    ("monastery", np.uint8), ("n_contacts", np.uint8), ("contact_field", np.uint8, SEGMENTS),
    ("contact_city", np.uint8, SEGMENTS), ("code", np.uint8), ("river_sides", np.uint8)])


@dataclass(frozen=True, eq=False)
class Tables:
    """What a game of Carcassonne is played with. Numbers are named as in `Tables` of board.pxd.

    Attributes
    ----------
    codes : tuple of str
        Codes of the n tile types; their positions are the numbers of the types.
    faces : array of FACE, shape (4 n,)
        Row ``type * 4 + rotation``.
    copies, n_rotations, stack : uint8 array, shape (n,)
        Tiles of each type, rotations that differ, and the stack that they are drawn from (NONE: not drawn).
    start_type, source_type, lake_type : int
        Tile types; the rotations of the first two are `start_rotation` and `source_rotation`.
    first_player : int
        A seat, or -1: drawn.
    farm_scoring, uturn, river_start : int
        Positions in FARM_RULES, UTURNS and RIVER_STARTS.
    """

    codes: tuple[str, ...]
    faces: NDArray[np.void]
    copies: NDArray[np.uint8]
    n_rotations: NDArray[np.uint8]
    stack: NDArray[np.uint8]
    players: int
    start_type: int
    start_rotation: int
    source_type: int
    source_rotation: int
    lake_type: int
    supply: int
    river: bool
    farm_scoring: int
    city2_half: bool
    uturn: int
    river_start: int
    farmers: bool
    first_player: int
    road_tile: int
    city_tile: int
    city_shield: int
    city2_tile: int
    city2_shield: int
    city2_size: int
    monastery_full: int
    farm_city: int
    first_edition_city: int
    road_tile_open: int
    city_tile_open: int
    city_shield_open: int
    monastery_own_open: int
    monastery_next_open: int


def build_tables(data: dict[str, Any], tiles: Sequence[TileType], options: CarcassonneOptions) -> Tables:
    """Return the tables of the data file, of tiles and options.

    Raises
    ------
    ValueError
        If a tile has more segments than the tables hold.
    """
    setup, points = data["setup"], data["scoring"]
    codes = tuple(tile.code for tile in tiles)
    source, lake = codes.index(setup["river_source_tile"]), codes.index(setup["river_lake_tile"])
    stack = [LAND_STACK if tile.set == "base" else RIVER_STACK for tile in tiles]
    stack[source], stack[lake] = NONE, LAKE_STACK
    return Tables(
        codes=codes,
        faces=np.concatenate([faces_of(tile) for tile in tiles]),
        copies=np.array([tile.count for tile in tiles], dtype=np.uint8),
        n_rotations=np.array([tile.rotations for tile in tiles], dtype=np.uint8),
        stack=np.array(stack, dtype=np.uint8),
        players=options.players,
        start_type=codes.index(setup["start_tile"]),
        start_rotation=setup["start_rotation"],
        source_type=source,
        source_rotation=setup["river_source_rotation"],
        lake_type=lake,
        supply=data["players"]["followers_usable_per_player"],
        river=options.river,
        farm_scoring=FARM_RULES.index(options.farm_scoring),
        city2_half=options.city2_scoring == "half",
        uturn=UTURNS.index(options.river_uturn),
        river_start=RIVER_STARTS.index(options.river_start_tile),
        farmers=options.farmers,
        first_player=-1 if options.first_player == "random" else int(options.first_player.removeprefix("seat")),
        road_tile=points["road_per_tile_completed"],
        city_tile=points["city_per_tile_completed"],
        city_shield=points["city_per_shield_completed"],
        city2_tile=points["city2_per_tile_completed"],
        city2_shield=points["city2_per_shield_completed"],
        city2_size=points["city2_size"],
        monastery_full=points["monastery_completed"],
        farm_city=points["farm_per_completed_city"],
        first_edition_city=data["variants"]["farm_scoring"]["first_edition_points_per_city"],
        road_tile_open=points["road_per_tile_incomplete"],
        city_tile_open=points["city_per_tile_incomplete"],
        city_shield_open=points["city_per_shield_incomplete"],
        monastery_own_open=points["monastery_tile_incomplete"],
        monastery_next_open=points["monastery_per_neighbour_incomplete"],
    )


def faces_of(tile: TileType) -> NDArray[np.void]:
    """Return the four faces of a tile type, each a quarter turn clockwise from the one before.

    Raises
    ------
    ValueError
        If the tile has more than SEGMENTS segments, or as many contacts of fields and cities.
    """
    contacts = [(i, city) for i, segment in enumerate(tile.segments) for city in segment.cities]
    if max(len(tile.segments), len(contacts)) > SEGMENTS:
        raise ValueError(f"tile {tile.code} has more than {SEGMENTS} segments")
    faces = np.zeros(4, dtype=FACE)
    for name in ("edge_seg", "half_seg", "monastery"):
        faces[name] = NONE
    faces["n_segs"] = len(tile.segments)
    faces["n_contacts"] = len(contacts)
    for k, (i, city) in enumerate(contacts):
        faces["contact_field"][:, k], faces["contact_city"][:, k] = i, city
    for i, segment in enumerate(tile.segments):
        faces["kind"][:, i] = TERRAIN[segment.kind]
        faces["shields"][:, i] = segment.shields
        faces["n_edges"][:, i] = len(segment.edges)
        if segment.kind == "monastery":
            faces["monastery"] = i
    for turned, face in enumerate(faces):
        for side, name in enumerate(tile.edges):
            terrain, here = TERRAIN[name], (side + turned) % 4
            face["side"][here] = terrain
            if name == "river":
                face["river_sides"] |= 1 << here
            else:
                face["code"] |= terrain << (2 * here)
        for i, segment in enumerate(tile.segments):
            for half in segment.half_edges if segment.kind == "field" else ():
                face["half_seg"][(half + 2 * turned) % 8] = i
            for side in segment.edges if segment.kind in ("city", "road") else ():
                face["edge_seg"][(side + turned) % 4] = i
    return faces
