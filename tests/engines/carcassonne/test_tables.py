"""The data file of Carcassonne: its tiles are checked when they are read."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from sfida.engines.carcassonne.tables import TileDataError, check_totals, load_data, load_tiles, read_tiles

pytestmark = pytest.mark.release_only("nothing compiled")

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "carcassonne.toml"


def entries() -> list[dict[str, Any]]:
    return copy.deepcopy(load_data()["tile"])


def entry(tiles: list[dict[str, Any]], code: str) -> dict[str, Any]:
    return next(tile for tile in tiles if tile["code"] == code)


def test_tiles_come_in_the_order_of_the_data_file() -> None:
    codes = [tile.code for tile in load_tiles()]
    assert codes == [*"ABCDEFGHIJKLMNOPQRSTUVWX", "RA", "RB", "RC", "RD", "RE", "RG", "RH", "RI", "RK", "RL"]
    assert sum(tile.count for tile in load_tiles()) == 84


def test_a_tile_is_read_in_full() -> None:
    tile = load_tiles()[3]
    assert (tile.code, tile.count, tile.rotations) == ("D", 4, 4)
    assert tile.edges == ("city", "road", "field", "road")
    city, road, north, south = tile.segments
    assert (city.kind, city.edges) == ("city", (0,))
    assert (road.kind, road.edges, road.ends_in) == ("road", (1, 3), "none")
    assert (north.half_edges, north.cities) == ((2, 7), (0,))
    assert (south.half_edges, south.cities) == ((3, 4, 5, 6), ())
    assert city.xy == (0.5, 0.12)


@pytest.mark.parametrize(("code", "change", "message"), [
    ("E", {"edges": ["city", "field", "lava", "field"]}, "tile E: edges must be four of"),
    ("E", {"count": 0}, "tile E: count must be at least 1"),
    ("E", {"rotations": 2}, "tile E: rotations is 2, but 4 can be told apart"),
    ("U", {"rotations": 4}, "tile U: rotations is 4, but 2 can be told apart"),
    ("E", {"edges": ["city", "road", "field", "field"]}, r"tile E: edge E \(road\) belongs to 0 segments"),
    ("E", {"shields": 1}, "tile E: shields differ"), ("E", {"monastery": True}, "tile E: monastery differs"),
    ("E", {"set": "moon"}, "tile E: set must be base or river")])
def test_a_wrong_tile_is_refused(code: str, change: dict[str, Any], message: str) -> None:
    tiles = entries()
    entry(tiles, code).update(change)
    with pytest.raises(TileDataError, match=message):
        read_tiles(tiles)


@pytest.mark.parametrize(("segment", "change", "message"), [
    (1, {"half_edges": ["EL", "ER", "SL", "SR", "WL"]}, r"tile E: half edge WR \(field\) belongs to 0"),
    (1, {"half_edges": ["NL", "EL", "ER", "SL", "SR", "WL", "WR"]}, r"half edge NL \(city\) belongs to 1"),
    (1, {"cities": ["c7"]}, "tile E: segment 'c7' does not exist"),
    (0, {"edges": ["Q"]}, "tile E: edge 'Q' does not exist; known are N, E, S, W"),
    (0, {"edges": ["N", "E"]}, "edge E is field, but segment c0 claims it"),
    (0, {"kind": "castle"}, "segment c0 has the unknown kind 'castle'"),
    (0, {"xy": [0.5, 1.2]}, "xy of c0 lies outside the tile"),
    (1, {"id": "c0"}, "two segments have the same id")])
def test_a_wrong_segment_is_refused(segment: int, change: dict[str, Any], message: str) -> None:
    tiles = entries()
    entry(tiles, "E")["segments"][segment].update(change)
    with pytest.raises(TileDataError, match=message):
        read_tiles(tiles)


def test_a_missing_entry_is_named() -> None:
    tiles = entries()
    del entry(tiles, "K")["rotations"]
    with pytest.raises(TileDataError, match="tile K: the entry 'rotations' is missing"):
        read_tiles(tiles)


def test_a_code_may_not_be_used_twice() -> None:
    with pytest.raises(TileDataError, match="tile code A is used by more than one tile"):
        read_tiles([*entries(), entries()[0]])


@pytest.mark.parametrize(("code", "count", "checksum"), [("V", 8, "base_tiles"), ("RD", 3, "river_tiles")])
def test_a_wrong_count_contradicts_the_checksums(code: str, count: int, checksum: str) -> None:
    tiles = entries()
    entry(tiles, code)["count"] = count
    with pytest.raises(TileDataError, match=f"checksum {checksum}"):
        check_totals(read_tiles(tiles), load_data()["checksums"])


@pytest.mark.parametrize("pattern", load_data()["checksums"]["base_missing_edge_patterns"])
def test_no_tile_has_a_missing_pattern(pattern: str) -> None:
    letters = {"city": "C", "road": "R", "field": "F"}
    for tile in load_tiles():
        if tile.set == "base":
            sides = "".join(letters[edge] for edge in tile.edges)
            assert pattern not in sides * 2


@pytest.mark.skipif(not SHARED.exists(), reason="the original of the data file is not here")
def test_the_data_file_is_a_faithful_copy() -> None:
    import tomllib
    assert tomllib.loads(SHARED.read_text(encoding="utf-8")) == load_data()
