"""The picture of Carcassonne: well-formed, complete and the same every time."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from sfida.engines.carcassonne.board_svg import board_svg, tile_svg
from sfida.engines.carcassonne.board_text import placement_labels, seat_letters
from sfida.engines.carcassonne.faces import footing, ground, turned
from sfida.engines.carcassonne.position import majority
from sfida.engines.carcassonne.tables import TileType, load_data, load_tiles
from support.carcassonne import Table, after
from support.pictures import SVG, one, with_class
from support.recounts.carcassonne import find_features

TILES = load_tiles()
BY_CODE = {tile.code: tile for tile in TILES}
GAMES = ["g1_two_players", "g3_five_players", "g4_river_two_players"]


@pytest.mark.parametrize("name", GAMES)
def test_board_shows_every_tile_and_follower(name: str) -> None:
    for turns in (0, 25, None):
        position = after(name, turns)
        root = ET.fromstring(board_svg(position, tiles=TILES))
        assert root.tag == f"{SVG}svg"
        laid = [(e.get("data-code"), e.get("data-x"), e.get("data-y"), e.get("data-rotation"))
                for e in with_class(one(root, "board"), "tile")]
        assert laid == [(t.code, str(t.x), str(t.y), str(t.rotation)) for t in position.tiles]
        followers = with_class(root, "follower")
        assert len(followers) == len(position.followers)
        roles = {kind: role["name_en"] for kind, role in load_data()["roles"].items()}
        for element, follower in zip(followers, position.followers, strict=True):
            segment = BY_CODE[position.tiles[follower.tile].code].segments[follower.segment]
            assert element.get("class") == f"follower {roles[segment.kind]} seat-{follower.seat}"
            colour = load_data()["players"]["colors"][follower.seat]["rgb"]
            body = [p for p in element.iter(f"{SVG}path") if p.get("fill") == colour]
            assert len(body) == 1
            # Farmers lie on their side, the others stand.
            assert (body[0].get("transform") == "rotate(90)") == (segment.kind == "field")
            # The owner's letter helps people who cannot distinguish the colours.
            assert one(element, "owner").text == seat_letters(position.players)[follower.seat].upper()


@pytest.mark.parametrize("name", GAMES)
def test_last_tile_has_a_border_exactly_around_it(name: str) -> None:
    position = after(name, 25)
    root = ET.fromstring(board_svg(position, tiles=TILES))
    border = one(root, "last-tile")
    last = with_class(one(root, "board"), "tile")[-1]
    assert last.get("transform", "").startswith(f"translate({border.get('x')} {border.get('y')})")


def test_labels_number_the_legal_places_as_the_text_does() -> None:
    position = after("g1_two_players", 24, "B")
    assert not with_class(ET.fromstring(board_svg(position, tiles=TILES)), "label")
    root = ET.fromstring(board_svg(position, tiles=TILES, labels=True))
    texts = [e.text for e in with_class(root, "label")]
    expected = [str(n[0]) if len(n) == 1 else f"{n[0]}–{n[-1]}" for n in placement_labels(position).values()]
    assert sorted(map(str, texts)) == sorted(expected)
    assert len(texts) == len(set(texts)) > 1
    places = [(int(e.attrib["data-x"]), int(e.attrib["data-y"])) for e in with_class(root, "open-place")]
    assert sorted(places) == sorted(position.open_places)


def test_segments_that_may_take_a_follower_are_named() -> None:
    table = Table(players=2)
    table.draw("L")
    table.state.apply(table.state.parse("L@0,-1/2"))
    position = table.position
    root = ET.fromstring(board_svg(position, tiles=TILES, labels=True))
    names = [BY_CODE["L"].segments[number].id for number in position.deploy_segments]
    assert [e.text for e in with_class(root, "label")] == names != []


def test_panel_shows_scores_supplies_and_stacks() -> None:
    position = after("g3_five_players", 30)
    root = ET.fromstring(board_svg(position, tiles=TILES, seat=2))
    panel = one(root, "panel")
    assert [e.text for e in with_class(panel, "score")] == [str(points) for points in position.scores]
    for seat, supply in enumerate(position.supply):
        box = one(panel, f"seat-{seat}")
        assert len(box.findall(f"{SVG}g")) == 1 + supply
    stack = one(panel, "land-stack")
    assert [e.get("data-code") for e in with_class(stack, "tile")] == [
        tile.code for tile in TILES if tile.code in position.remaining]
    texts = [e.text or "" for e in stack.iter(f"{SVG}text")]
    assert f"{sum(position.remaining.values())} land tiles left" in texts
    assert [int(t[1:]) for t in texts if t.startswith("×")] == [
        position.remaining[t.code] for t in TILES if t.code in position.remaining]


@pytest.mark.parametrize("name", GAMES)
def test_scoring_track_holds_a_counter_for_each_seat(name: str) -> None:
    for turns in (0, 25, None):
        position = after(name, turns)
        root = ET.fromstring(board_svg(position, tiles=TILES))
        counters = {int(e.attrib["data-seat"]): int(e.attrib["data-score"]) for e in with_class(root, "counter")}
        assert counters == dict(enumerate(position.scores))
        spaces = [e.text for e in one(root, "track").iter(f"{SVG}text")]
        assert spaces == [str(space) for space in range(50)]
        assert [e.text for e in with_class(root, "laps")] == [
            f"{points - points % 50} + {points % 50}" for points in position.scores if points >= 50]


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_counters_on_one_space_do_not_cover_each_other(level: int) -> None:
    position = replace(after("g3_five_players", 0), scores=tuple(7 * (seat >= level) for seat in range(5)))
    root = ET.fromstring(board_svg(position, tiles=TILES))
    found = [re.fullmatch(r"translate\((.*) (.*)\) scale\((.*)\)", e.attrib["transform"])
             for e in with_class(root, "counter") if e.attrib["data-score"] == "0"]
    places = [tuple(map(float, match.groups())) for match in found if match]
    assert len(places) == level
    for (x, y, scale), (i, j, _) in combinations(places, 2):
        assert abs(x - i) > 43 * scale or abs(y - j) > 40 * scale          # as wide and as high as a follower


@pytest.mark.parametrize("name", GAMES)
def test_tint_tells_who_holds_what(name: str) -> None:
    for turns in (12, 40, None):
        position = after(name, turns)
        held = with_class(ET.fromstring(board_svg(position, tiles=TILES)), "holding")
        expected = [(f"holding {feature.kind}", " ".join(map(str, majority(feature.followers))), len(feature.segments))
                    for feature in find_features(position.tiles, position.followers, position.players)
                    if feature.kind != "monastery" and any(feature.followers)]
        assert [(e.get("class"), e.get("data-seats"), len(e)) for e in held] == expected


@pytest.mark.parametrize("face", TILES, ids=lambda face: face.code)
def test_followers_stand_on_their_own_ground(face: TileType) -> None:
    for rotation in range(4):
        bits = np.rot90(ground(face), -rotation)
        side = len(bits)
        water = [number for number, segment in enumerate(face.segments) if segment.kind == "river"]
        for number, segment in enumerate(face.segments):
            if segment.kind == "river":
                continue
            at = footing(face, rotation, number)
            below = int(bits[int(at.v * side), int(at.u * side)])
            if segment.kind == "monastery":
                assert below not in water
                house = turned(face, rotation).segments[number].xy
                assert at.v >= house[1]
                assert math.dist(at[:2], house) < 0.4
            else:
                assert below == number
            # Most of the area that a knight or a farmer covers within the tile belongs to its own feature.
            if segment.kind in ("city", "field"):
                reach = range(-2, 3)
                covered = [int(bits[y, x]) for y, x in (
                    (int(at.v * side) + 2 * dy, int(at.u * side) + 2 * dx) for dx in reach for dy in reach)
                    if 0 <= x < side and 0 <= y < side]
                assert covered.count(number) >= 0.5 * len(covered)
                assert sum(one in water for one in covered) <= 0.3 * len(covered)


def test_tile_in_hand_and_discarded_tiles_are_shown() -> None:
    position = replace(after("g4_river_two_players", 3, "RH"), discarded=("RK",))
    root = ET.fromstring(board_svg(position, tiles=TILES))
    assert [e.get("data-code") for e in with_class(one(root, "in-hand"), "tile")] == ["RH"]
    assert one(root, "discarded").text == "out of the game: RK"
    assert len(with_class(one(root, "river-stack"), "tile")) == len(position.river_remaining)


@pytest.mark.parametrize("face", TILES, ids=lambda face: face.code)
def test_faces_have_what_the_tile_has(face: TileType) -> None:
    root = ET.fromstring(tile_svg(face.code, 1, 120))
    kinds = [segment.kind for segment in face.segments]
    for kind in ("city", "road"):
        assert len(with_class(root, kind)) == kinds.count(kind)
    assert bool(with_class(root, "river")) == ("river" in kinds)
    uses = [e.get("href") for e in root.iter(f"{SVG}use")]
    assert uses.count("#car-shield") == face.shields
    assert uses.count("#car-monastery") == face.monastery
    assert bool(with_class(root, "gate")) == any(s.ends_in == "city" for s in face.segments)
    assert bool(with_class(root, "bridge")) == (face.code in ("RB", "RH", "RK"))


def test_picture_renders_and_colours_the_board() -> None:
    resvg = pytest.importorskip("resvg_py")
    png = bytes(resvg.svg_to_bytes(svg_string=board_svg(after("g1_two_players", 30), tiles=TILES, size=400)))
    assert png.startswith(b"\x89PNG")
    blank = bytes(resvg.svg_to_bytes(svg_string=board_svg(after("g1_two_players", 0), tiles=TILES, size=400)))
    assert len(png) > 1.3 * len(blank)
