"""The terminal views of Carcassonne, as a person reads them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sfida.engines.carcassonne.board_text import (
    board_text, deploy_text, legend_text, remaining_text, role_letter, seat_letters, seat_names, status_text,
    tile_rotations_text
)
from sfida.engines.carcassonne.faces import FIELD, draw_tile, follower_cell
from sfida.engines.carcassonne.position import Follower, PlacedTile, Position
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import Table, after
from support.pictures import bare

TILES = load_tiles()
BY_CODE = {tile.code: tile for tile in TILES}
GAMES = ["g1_two_players", "g2_three_players", "g3_five_players", "g4_river_two_players"]
SIZES = [(3, 3), (5, 3), (9, 5)]


def block(text: str, position: Position, x: int, y: int, wide: int = 5) -> list[str]:
    """Return the characters of one place of a board that is drawn with `wide` columns per tile."""
    ys = [tile.y for tile in position.tiles]
    xs = [tile.x for tile in position.tiles]
    edge = 0 if position.phase == "over" else 1
    margin = max(len(str(min(ys) - edge)), len(str(max(ys) + edge))) + 1
    left, top = margin + (x - min(xs) + edge) * wide, 1 + (y - min(ys) + edge) * 3
    return [line.ljust(left + wide)[left:left + wide] for line in text.splitlines()[top:top + 3]]


# ---- tiles ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_every_segment_of_every_tile_is_drawn(size: tuple[int, int]) -> None:
    for tile in TILES:
        for rotation in range(4):
            glyphs = draw_tile(tile, rotation, *size)
            drawn = {glyph.segment for line in glyphs for glyph in line}
            missing = [s.id for i, s in enumerate(tile.segments) if i not in drawn]
            assert not missing, (tile.code, rotation)
            assert None not in {g.segment for line in glyphs for g in line if g.kind != "village"}


@pytest.mark.parametrize("size", SIZES)
def test_the_middle_of_each_side_shows_its_terrain(size: tuple[int, int]) -> None:
    columns, rows = size
    middles = ((columns // 2, 0), (columns - 1, rows // 2), (columns // 2, rows - 1), (0, rows // 2))
    for tile in TILES:
        for rotation in range(4):
            glyphs = draw_tile(tile, rotation, columns, rows)
            for side, (x, y) in enumerate(middles):
                expected = {tile.edges[(side - rotation) % 4]}
                if tile.code == "RH":       # its monastery stands where the field would show
                    expected.add("monastery")
                assert glyphs[y][x].kind in expected, (tile.code, rotation, side)


@pytest.mark.parametrize("size", SIZES[1:])
def test_separate_segments_of_a_kind_do_not_touch(size: tuple[int, int]) -> None:
    for tile in TILES:
        for rotation in range(4):
            glyphs = draw_tile(tile, rotation, *size)
            for y, line in enumerate(glyphs):
                for x, glyph in enumerate(line):
                    for other in ([line[x + 1]] if x + 1 < len(line) else []) + (
                            [glyphs[y + 1][x]] if y + 1 < len(glyphs) else []):
                        same = glyph.kind == other.kind != "village"
                        assert not same or glyph.segment == other.segment, (tile.code, rotation)


def test_roads_are_lines_that_turn_where_the_road_turns() -> None:
    def lines(code: str, rotation: int) -> list[str]:
        return ["".join(g.char for g in line) for line in draw_tile(BY_CODE[code], rotation)]

    assert lines("V", 0) == [".....", "══╗..", "..║.."]
    assert lines("V", 1) == ["..║..", "══╝..", "....."]
    assert lines("X", 0) == ["..║..", "══■══", "..║.."]
    assert lines("S", 0) == ["#####", "#####", "#.║.#"]
    assert lines("RK", 0) == ["..~..", "═════", "..~.."]
    assert lines("A", 0) == [".....", "..⌂..", "..║.."]


def test_separate_cities_look_unlike_one_city() -> None:
    looks = {tuple(tuple(g.char for g in line) for line in draw_tile(BY_CODE[code], 1)) for code in "GHNI"}
    assert len(looks) == 4


def test_followers_stand_on_their_own_segment() -> None:
    for tile in TILES:
        for rotation in range(4):
            glyphs = draw_tile(tile, rotation)
            for number, segment in enumerate(tile.segments):
                if segment.kind in ("city", "road", "field"):
                    x, y = follower_cell(tile, rotation, number)
                    assert number in (glyphs[y][x].segment, glyphs[y][x + 1].segment), (tile.code, segment.id)


def test_drawn_tile_is_shown_in_each_distinct_rotation() -> None:
    for tile in TILES:
        lines = tile_rotations_text(tile.code, tiles=TILES, width=80).splitlines()
        assert re.findall(r"/(\d)", lines[0]) == [str(k) for k in range(tile.rotations)]
        pictures = {tuple(line[start:start + 9] for line in lines[1:6])
                    for start in range(0, 12 * tile.rotations, 12)}
        shielded = sum(picture.count("*") for lines in pictures for picture in lines)
        assert len(pictures) == tile.rotations
        assert shielded == tile.shields * tile.rotations


def test_rotations_without_a_place_are_shown_and_said_to_have_none() -> None:
    lines = tile_rotations_text("E", tiles=TILES, fitting={1, 3}).splitlines()
    assert lines[0].split() == ["/0", "unfit", "/1", "90°", "/2", "unfit", "/3", "270°"]
    assert lines[1:] == tile_rotations_text("E", tiles=TILES).splitlines()[1:]


def test_rotations_wrap_on_a_narrow_screen() -> None:
    lines = tile_rotations_text("L", tiles=TILES, width=30).splitlines()
    assert max(map(len, lines)) <= 30
    assert re.findall(r"/(\d)", "\n".join(lines)) == ["0", "1", "2", "3"]


# ---- the board ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_colour_is_only_there_when_asked_for(name: str) -> None:
    position = after(name, 30)
    for show in (board_text, status_text):
        assert "\x1b" not in show(position, tiles=TILES)
        assert "\x1b[" in show(position, tiles=TILES, color=True)


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_every_follower_shows_role_and_owner(name: str, color: bool) -> None:
    for turns in (20, 45, None):
        position = after(name, turns)
        board = bare(board_text(position, tiles=TILES, color=color, width=120))
        letters = seat_letters(position.players)
        for follower in position.followers:
            tile = position.tiles[follower.tile]
            kind = BY_CODE[tile.code].segments[follower.segment].kind
            here = "\n".join(block(board, position, tile.x, tile.y))
            assert role_letter(kind) + letters[follower.seat] in here
        pairs = "|".join(role + letter for role in "KTFM" for letter in letters)
        board_only = "\n".join(board.splitlines()[:-1])
        assert len(re.findall(pairs, board_only)) == len(position.followers) > 0
        for name_of_seat in seat_names(position.players):
            assert name_of_seat in board


def test_owners_can_be_told_apart_without_colour() -> None:
    assert seat_letters(5) == ["r", "b", "y", "g", "k"]
    key = legend_text(5, width=120).splitlines()[-1]
    assert re.findall(r"\b(\w) (Red|Blue|Yellow|Green|Black)\b", key) == [
        ("r", "Red"), ("b", "Blue"), ("y", "Yellow"), ("g", "Green"), ("k", "Black")]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_last_tile_is_marked_and_no_other(width: int) -> None:
    position = after("g2_three_players", 40)
    marked = board_text(position, tiles=TILES, width=width)
    clear = board_text(position, tiles=TILES, width=width, last=False)
    assert not set("┌┐└┘") & set(clear)
    assert sum(marked.count(corner) for corner in "┌┐└┘") >= 2
    changed = [(x, y) for y, (a, b) in enumerate(zip(marked.splitlines(), clear.splitlines(), strict=True))
               for x, (c, d) in enumerate(zip(a.ljust(width), b.ljust(width), strict=True)) if c != d]
    assert max(x for x, _ in changed) - min(x for x, _ in changed) <= 4
    assert max(y for _, y in changed) - min(y for _, y in changed) == 2
    if width == 120:
        last = position.tiles[-1]
        assert "┌" in block(marked, position, last.x, last.y)[0]


def test_coordinates_stand_above_and_left() -> None:
    position = after("g1_two_players", 25)
    lines = board_text(position, tiles=TILES, width=100).splitlines()
    xs = [tile.x for tile in position.tiles]
    ys = [tile.y for tile in position.tiles]
    assert list(map(int, lines[0].split())) == list(range(min(xs) - 1, max(xs) + 2))
    labels = [int(m[1]) for line in lines[1:] if (m := re.match(r" *(-?\d+) ", line))]
    assert labels == list(range(min(ys) - 1, max(ys) + 2))
    for x, y in position.open_places:
        assert block("\n".join(lines), position, x, y)[1].strip() == "·"


@pytest.mark.parametrize(("turns", "draw"), [(0, "F"), (3, "I"), (24, "B"), (30, "S")])
def test_labels_number_every_placement_once(turns: int, draw: str) -> None:
    position = after("g1_two_players", turns, draw)
    text = board_text(position, tiles=TILES, width=100, labels=True)
    listed = {}
    for cell in re.finditer(r"\((-?\d+),(-?\d+)\)((?:\s+\d+↻\d)+)", text):
        for number, rotation in re.findall(r"(\d+)↻(\d)", cell[3]):
            assert int(number) not in listed
            listed[int(number)] = (int(cell[1]), int(cell[2]), int(rotation))
    assert listed == dict(enumerate(position.placements, start=1))
    for x, y in {(x, y) for x, y, _ in position.placements}:
        numbers = [n for n, (a, b, _) in listed.items() if (a, b) == (x, y)]
        shown = "".join(block(text, position, x, y)).replace(" ", "")
        expected = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        assert shown == expected
    assert "↻" not in board_text(position, tiles=TILES, width=100)


@pytest.mark.parametrize("width", [80, 120])
def test_numbers_of_neighbouring_places_do_not_touch(width: int) -> None:
    position = after("g1_two_players", 24, "V")
    assert len(position.placements) > 20
    numbers = {int(number) for line in board_text(position, tiles=TILES, width=width, labels=True).splitlines()
               if "↻" not in line for number in re.findall(r"\d+", line[3:])}
    assert max(numbers) == len(position.placements)


def test_wide_board_shrinks_then_is_cropped_and_says_so() -> None:
    position = after("g2_three_players")
    columns = len({tile.x for tile in position.tiles})
    full = board_text(position, tiles=TILES, width=5 * columns + 3)
    small = board_text(position, tiles=TILES, width=5 * columns + 2)
    cropped = board_text(position, tiles=TILES, width=3 * columns)
    assert len(full.splitlines()[0].split()) == columns
    assert len(small.splitlines()[0]) <= 3 * columns + 3
    assert "not shown" not in full + small
    lines = cropped.splitlines()
    told = " ".join(" ".join(lines).split())
    hidden = re.search(r"not shown: (.*?); (\d+) columns would show all", told)
    assert hidden is not None
    assert "not shown" not in board_text(position, tiles=TILES, width=int(hidden[2]))
    assert {"┌", "┐"} <= set(cropped)


def test_shield_and_monastery_stay_visible_beside_followers() -> None:
    start = PlacedTile("D", 0, 0, 0)
    for tile in TILES:
        for rotation in range(tile.rotations):
            for number, segment in enumerate(tile.segments):
                if segment.kind == "river":
                    continue
                position = Position(players=2, phase="over", seat_on_turn=0, scores=(0, 0), supply=(6, 7),
                                    tiles=(PlacedTile(tile.code, 1, 0, rotation), start),
                                    followers=(Follower(0, number, 0),))
                here = "".join(block(board_text(position, tiles=TILES, last=False), position, 1, 0))
                assert here.count("*") == tile.shields, (tile.code, rotation, segment.id)
                assert role_letter(segment.kind) + "r" in here


def test_board_as_a_whole() -> None:
    table = Table(players=2)
    table.run("E@0,-1/2+f0", "W@-1,0/0+r0")
    table.draw("U")
    assert board_text(table.position, tiles=TILES, width=80, labels=True).splitlines() == [
        "     -2   -1   0    1",
        "",
        "-2             3",
        "",
        "             .....",
        "-1        ·  .Fr..  5",
        "             .###.",
        "        ┌...┐.###.",
        " 0   1  ══■Tb═════  6",
        "        └.║.┘.....",
        "",
        " 1        2    4",
        "",
        "M monk  K knight  T thief  F farmer of r Red  b Blue",
        "(-2,0) 1↻1   (-1,1) 2↻0   (0,-2) 3↻1   (0,1) 4↻1   (1,-1) 5↻0   (1,0) 6↻1",
    ]


# ---- scores and supplies --------------------------------------------------------------------------


def test_status_tells_scores_supply_turn_and_tiles_left() -> None:
    position = after("g1_two_players", 24, "B")
    text = status_text(position, tiles=TILES, seat=1, width=100)
    for name, points, supply in zip(seat_names(2), position.scores, position.supply, strict=True):
        line = next(line for line in text.splitlines() if f" {name} " in line)
        assert f"{points} point" in line
        assert f"{supply} in hand" in line
        assert line.count("●") == supply
    mover = seat_names(2)[position.seat_on_turn]
    assert sum("<- to move" in line for line in text.splitlines()) == 1
    assert re.search(rf"{mover}.*<- to move", text)
    assert re.search(r"Blue.*\(you\)", text)
    assert f"{mover} places B, monastery" in text
    assert f"{sum(position.remaining.values())} land tiles left:" in text
    counts = dict(re.findall(r"\b([A-X])(\d+)\b", text.split("land tiles left:")[1]))
    assert {code: int(n) for code, n in counts.items()} == position.remaining


def test_status_of_the_river_names_its_stack_and_what_left_the_game() -> None:
    position = replace(after("g4_river_two_players", 4), discarded=("RB", "V"))
    text = status_text(position, tiles=TILES)
    assert f"{sum(position.river_remaining.values())} river tiles left:" in text
    assert "out of the game: RB V" in text


def test_status_names_the_winner_or_the_shared_victory() -> None:
    position = after("g1_two_players")
    assert "Blue wins with 136" in status_text(position, tiles=TILES)
    drawn = replace(position, scores=(9, 9))
    assert "Red and Blue share the victory with 9" in status_text(drawn, tiles=TILES)


def test_remaining_tiles_are_drawn_with_their_counts() -> None:
    position = after("g1_two_players", 30)
    text = remaining_text(position, tiles=TILES, width=80)
    assert {code: int(n) for code, n in re.findall(r"\b([A-X]) ×(\d+)", text)} == position.remaining
    assert FIELD in text


def test_segments_to_choose_from_are_named_on_the_tile() -> None:
    table = Table(players=2)
    table.draw("W")
    table.state.apply(table.state.parse("W@1,0/0"))
    text = deploy_text(table.position, tiles=TILES, width=80)
    named = re.findall(r"[crf]\d", "\n".join(text.splitlines()[1:]))
    assert sorted(named) == sorted(BY_CODE["W"].segments[s].id for s in table.position.deploy_segments)


def test_a_table_without_tiles_can_be_shown() -> None:
    position = Position(players=2, phase="first", seat_on_turn=0, tiles=(), followers=(), scores=(0, 0),
                        supply=(7, 7))
    for width in (10, 80):
        assert "0" in board_text(position, tiles=TILES, width=width)
    assert "It is drawn who goes first." in status_text(position, tiles=TILES)
