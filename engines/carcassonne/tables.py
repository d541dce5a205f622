"""The tiles of Carcassonne, read and checked, and the tables, weights and rules object of the core.

Names, shapes and meanings of the tables are defined in cython_ext/carcassonne/parameters.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from sfida.cython_ext.carcassonne.core import CarcassonneRules
from sfida.cython_ext.carcassonne.parameters import VALUES
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.data_files import packaged
from sfida.engines.language import named
from sfida.engines.learned import changed

# ---- The tiles of Carcassonne, read from the game's data file and checked

EDGE_NAMES = ("N", "E", "S", "W")
HALF_EDGE_NAMES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
TERRAINS = ("city", "road", "field", "river")
SEGMENT_KINDS = ("monastery", "city", "road", "field", "river")
ROAD_ENDS = ("none", "crossing", "city", "monastery")


class TileDataError(ValueError):
    """The data file is inconsistent; the message names the tile and the fault."""


@dataclass(frozen=True)
class Segment:
    """A connected piece of one feature on one tile, at rotation 0.

    Attributes
    ----------
    id : str
        Name in the notation, unique on the tile: "m", "c0", "r1", "f2" or "w".
    kind : str
        "monastery", "city", "road", "field" or "river".
    edges : tuple of int
        Tile edges (N, E, S, W = 0..3) of a city, road or river segment.
    half_edges : tuple of int
        Half edges (NL, NR, EL, ... = 0..7) of a field segment.
    cities : tuple of int
        Segment numbers of the city parts of the same tile that a field segment touches.
    shields : int
        Shields of a city segment.
    ends_in : str or None
        The end of a road or river with one edge on this tile; "none" if it runs through.
    xy : tuple of float
        Place of a follower in the unit square, with (0, 0) as the north-west corner.
    """

    id: str
    kind: str
    edges: tuple[int, ...]
    half_edges: tuple[int, ...]
    cities: tuple[int, ...]
    shields: int
    ends_in: str | None
    xy: tuple[float, float]


@dataclass(frozen=True)
class TileType:
    """A kind of tile. `edges` are the terrains N, E, S, W; `set` is "base" or "river"."""

    code: str
    id: str
    name_en: str
    name_it: str
    set: str
    count: int
    edges: tuple[str, str, str, str]
    rotations: int
    shields: int
    monastery: bool
    segments: tuple[Segment, ...]

    @property
    def name(self) -> str:
        """The usual name, in the current language."""
        return named(vars(self))


def load_data() -> dict[str, Any]:
    """Return the parsed data file of the game (shared: do not change it)."""
    return packaged("sfida.engines.carcassonne")


@cache
def load_tiles() -> tuple[TileType, ...]:
    """Return every tile type in the order of the data file, checked (CAR-1.2, CAR-1.3, CAR-1.7)."""
    data = load_data()
    tiles = read_tiles(data["tile"])
    check_totals(tiles, data["checksums"])
    return tiles


def read_tiles(entries: Iterable[dict[str, Any]]) -> tuple[TileType, ...]:
    """Build the tile types from `[[tile]]` entries and check each of them.

    Raises
    ------
    TileDataError
        If an entry is malformed; the message names the tile and the fault.
    """
    tiles = tuple(read_tile(entry) for entry in entries)
    twice = [code for code, n in Counter(tile.code for tile in tiles).items() if n > 1]
    if twice:
        raise TileDataError(f"tile code {twice[0]} is used by more than one tile")
    return tiles


def read_tile(entry: dict[str, Any]) -> TileType:
    """Build one tile type and check it."""
    code = entry.get("code", "?")
    try:
        names = [segment["id"] for segment in entry["segments"]]
        tile = TileType(
            code=entry["code"], id=entry["id"], name_en=entry["name_en"], name_it=entry["name_it"],
            set=entry["set"], count=entry["count"], edges=tuple(entry["edges"]), rotations=entry["rotations"],
            shields=entry["shields"], monastery=entry["monastery"],
            segments=tuple(_read_segment(segment, names) for segment in entry["segments"]))
    except KeyError as missing:
        raise TileDataError(f"tile {code}: the entry {missing} is missing") from None
    except ValueError as wrong:
        raise TileDataError(f"tile {code}: {wrong}") from None
    check_tile(tile)
    return tile


def _number(name: str, names: tuple[str, ...] | list[str], what: str) -> int:
    if name not in names:
        raise ValueError(f"{what} '{name}' does not exist; known are {', '.join(names)}")
    return names.index(name)


def _read_segment(entry: dict[str, Any], names: list[str]) -> Segment:
    x, y = entry["xy"]
    return Segment(
        id=entry["id"], kind=entry["kind"],
        edges=tuple(_number(edge, EDGE_NAMES, "edge") for edge in entry.get("edges", ())),
        half_edges=tuple(_number(half, HALF_EDGE_NAMES, "half edge") for half in entry.get("half_edges", ())),
        cities=tuple(_number(city, names, "segment") for city in entry.get("cities", ())),
        shields=entry.get("shields", 0), ends_in=entry.get("ends_in"), xy=(float(x), float(y)))


def check_tile(tile: TileType) -> None:
    """Check that the segments of a tile cover its edges exactly (rules, chapter 21)."""
    def require(condition: bool, message: str) -> None:
        if not condition:
            raise TileDataError(f"tile {tile.code}: {message}")

    require(len(tile.edges) == 4 and set(tile.edges) <= set(TERRAINS),
            f"edges must be four of {', '.join(TERRAINS)}, not {list(tile.edges)}")
    require(tile.set in ("base", "river"), f"set must be base or river, not '{tile.set}'")
    require(tile.count >= 1, f"count must be at least 1, not {tile.count}")
    ids = [segment.id for segment in tile.segments]
    require(len(set(ids)) == len(ids), "two segments have the same id")
    for segment in tile.segments:
        require(segment.kind in SEGMENT_KINDS, f"segment {segment.id} has the unknown kind '{segment.kind}'")
        require((segment.kind == "field") == bool(segment.half_edges) and not
                (segment.kind in ("field", "monastery") and segment.edges),
                f"segment {segment.id} needs {'half_edges' if segment.kind == 'field' else 'edges'} only")
        require(segment.kind not in ("city", "road", "river") or bool(segment.edges),
                f"segment {segment.id} touches no edge")
        require(segment.kind == "field" or not segment.cities, f"segment {segment.id} is no field: no cities")
        for city in segment.cities:
            require(tile.segments[city].kind == "city",
                    f"cities of {segment.id} names {ids[city]}, which is no city")
        require(segment.kind != "road" or segment.ends_in in ROAD_ENDS,
                f"road {segment.id} must end in one of {', '.join(ROAD_ENDS)}, not {segment.ends_in!r}")
        require(segment.kind != "road" or (segment.ends_in == "none") == (len(segment.edges) == 2),
                f"road {segment.id} must either run through two edges or end in something")
        require(segment.kind == "city" or not segment.shields, f"segment {segment.id} is no city: no shields")
        require(all(0.0 <= c <= 1.0 for c in segment.xy), f"xy of {segment.id} lies outside the tile")
    for edge, terrain in enumerate(tile.edges):
        owners = [s.id for s in tile.segments if edge in s.edges and s.kind == terrain]
        others = [s.id for s in tile.segments if edge in s.edges and s.kind != terrain]
        require(not others,
                f"edge {EDGE_NAMES[edge]} is {terrain}, but segment {''.join(others[:1])} claims it")
        require(len(owners) == (terrain != "field"),
                f"edge {EDGE_NAMES[edge]} ({terrain}) belongs to {len(owners)} segments")
        for half in (2 * edge, 2 * edge + 1):
            fields = sum(half in s.half_edges for s in tile.segments)
            require(fields == (terrain != "city"),
                    f"half edge {HALF_EDGE_NAMES[half]} ({terrain}) belongs to {fields} field segments")
    require(sum(s.shields for s in tile.segments) == tile.shields,
            "shields differ from those of its segments")
    require(tile.monastery == any(s.kind == "monastery" for s in tile.segments),
            "monastery differs from its segments")
    require(tile.rotations == distinct_rotations(tile),
            f"rotations is {tile.rotations}, but {distinct_rotations(tile)} can be told apart")


def distinct_rotations(tile: TileType) -> int:
    """Return the number of distinct rotations of a tile, its inner partition included."""
    def shape(k: int) -> tuple[object, ...]:
        def turned(segment: Segment) -> tuple[object, ...]:
            return (segment.kind, frozenset((e + k) % 4 for e in segment.edges),
                    frozenset((h + 2 * k) % 8 for h in segment.half_edges), segment.shields,
                    frozenset(frozenset((e + k) % 4 for e in tile.segments[c].edges) for c in segment.cities))
        return tuple(tile.edges[(e - k) % 4] for e in range(4)), frozenset(map(turned, tile.segments))
    return len({shape(k) for k in range(4)})


def check_totals(tiles: tuple[TileType, ...], sums: dict[str, Any]) -> None:
    """Compare the tiles with the `[checksums]` of the data file."""
    def compare(name: str, found: object) -> None:
        if found != sums[name]:
            raise TileDataError(f"checksum {name} is {sums[name]}, but the tiles give {found}")

    base = tuple(tile for tile in tiles if tile.set == "base")
    river = tuple(tile for tile in tiles if tile.set == "river")
    for name, group in (("base", base), ("river", river)):
        edges = Counter(terrain for tile in group for terrain in tile.edges for _ in range(tile.count))
        kinds = Counter(s.kind for tile in group for s in tile.segments for _ in range(tile.count))
        compare(f"{name}_types", len(group))
        compare(f"{name}_tiles", sum(tile.count for tile in group))
        compare(f"{name}_edges", {terrain: edges[terrain] for terrain in sums[f"{name}_edges"]})
        compare(f"{name}_segments", {kind: kinds[kind] for kind in sums[f"{name}_segments"]})
        compare(f"{name}_shields", sum(tile.shields * tile.count for tile in group))
        compare(f"{name}_monasteries", sum(tile.monastery * tile.count for tile in group))
        compare(f"{name}_field_city_contacts",
                sum(len(s.cities) * tile.count for tile in group for s in tile.segments))
    sizes = Counter(len(s.edges) for tile in base for s in tile.segments for _ in range(tile.count)
                    if s.kind == "city")
    compare("base_city_segments_by_edges",
            {"one": sizes[1], "two": sizes[2], "three": sizes[3], "four": sizes[4]})
    for k in (1, 2):
        compare(f"distinct_rotations_{k}", [tile.code for tile in tiles if tile.rotations == k])
    streams = [(tile, [e for s in tile.segments if s.kind == "river" for e in s.edges]) for tile in river]
    compare("river_straights", sum(t.count for t, e in streams if len(e) == 2 and (e[0] - e[1]) % 2 == 0))
    compare("river_bends", sum(t.count for t, e in streams if len(e) == 2 and (e[0] - e[1]) % 2 == 1))


@cache
def _by_code() -> dict[str, TileType]:
    return {tile.code: tile for tile in load_tiles()}


def tile_type(code: str) -> TileType:
    """Return the tile type of a code."""
    return _by_code()[code]


def type_number(code: str) -> int:
    """Return the number of a tile type: its place in the data file."""
    return next(number for number, tile in enumerate(load_tiles()) if tile.code == code)


# ---- The weights of the knowledge of Carcassonne

WEIGHTS: dict[str, float] = VALUES


# ---- Tiles, points and options of Carcassonne as the tables for the rules core

# Codes of cython_ext/carcassonne/board.pxd, by the words of the data file or as positions in a list of words.
TERRAIN = {"field": 1, "road": 2, "city": 3, "river": 4, "monastery": 5}
NONE = 0xFF
FARM_RULES = ("rulebook", "per_farm", "first_edition")
UTURNS = ("immediate", "monotone", "none")
RIVER_STARTS = ("removed", "shuffled", "after_lake")
LAND_STACK, RIVER_STACK, LAKE_STACK = range(3)


def build_tables(data: dict[str, Any], tiles: Sequence[TileType], options: CarcassonneOptions) -> dict[str, Any]:
    """Return the tables for the data file, the tiles and the options, by name, and the codes of the tile types."""
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
    """Return the four faces of a tile type, each a quarter turn clockwise from the previous one."""
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


# ---- The rules object of the compiled core, built from the data file and the options


@lru_cache(maxsize=64)
def build_rules(options: CarcassonneOptions,
                weights: tuple[tuple[str, float], ...] = ()) -> CarcassonneRules:
    """Return the immutable rules object for the options, shared by all states.

    `weights` changes some of `WEIGHTS`, as (name, value) pairs.
    """
    return rules_from(load_data(), load_tiles(), options, dict(weights))


def rules_from(data: dict[str, Any], tiles: Sequence[TileType], options: CarcassonneOptions,
               weights: Mapping[str, float] | None = None) -> CarcassonneRules:
    """Return the rules object for given data and tiles; raises ValueError if they do not fit the tables."""
    return CarcassonneRules(build_tables(data, tiles, options), changed(WEIGHTS, weights or {}))
