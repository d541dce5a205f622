"""Maps from files: ATT-13.12."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.attila.map import built_in, load_land, read_land
from sfida.engines.attila.tables import load_data
from sfida.engines.registry import make, make_game
from support.playing import step

SMALL = """
[board]
province_count = 4
start_province_count = 1

[influence_chart]
last_space = 9

[[provinces]]
id = "north"
code = "NOR"
name_en = "The North"
start = true
x = 300
y = 100
row = 0
col = 1

[[provinces]]
id = "west"
code = "WES"
start = false
x = 100
y = 300
row = 1
col = 0

[[provinces]]
id = "east"
code = "EAS"
start = false
x = 500
y = 300
row = 1
col = 2

[[provinces]]
id = "south"
code = "SOU"
start = false
x = 300
y = 500
row = 2
col = 1

[[links]]
a = "north"
b = "west"

[[links]]
a = "NOR"
b = "EAS"
kind = "land"

[[links]]
a = "south"
b = "west"
kind = "water"
"""


def edited(*changes: tuple[str, str]) -> dict[str, Any]:
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return tomllib.loads(text)


@pytest.mark.rule("ATT-13.12")
def test_a_small_map_is_played(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    game = make_game("attila", map=str(path), players=2)
    assert make_game(game.spec()) == game
    land = load_land(str(path))
    assert [one.name for one in land.provinces] == ["The North", "West", "East", "South"]
    assert (land.last_space, land.reconstructed, land.links[2].water) == (9, False, True)
    state, rng = game.initial_state(), Random(5)
    assert state.allowed(0) == [0]
    ply = 0
    while not state.is_over:
        if ply % 40 == 0:
            state.verify()
            world = state.view(ply // 40 % 2).sample(rng)
            world.verify()
            assert "SOU" in state.game.board_text(state)
            assert "<svg" in state.game.board_svg(state, seat=0)
        before = state.clone()
        move = step(state, rng)
        game.verify_step(before, move, state)
        ply += 1
    assert ply > 30


@pytest.mark.rule("ATT-13.12")
def test_the_whole_data_file_is_a_map(tmp_path: Path) -> None:
    text = resources.files("sfida.engines.attila").joinpath("data.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert load_land(str(path)) == built_in()
    path.write_text(text.replace("hand_size = 6", "hand_size = 5"), encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"mine\.toml: the table 'turn' differs"):
        load_land(str(path))


@pytest.mark.rule("ATT-13.12")
def test_most_provinces() -> None:
    rows = [{"id": f"p{i}", "code": f"{chr(65 + i // 26)}{chr(65 + i % 26)}X", "start": i == 0, "x": 30 * i, "y": i,
             "row": i // 7, "col": i % 7} for i in range(33)]
    links = [{"a": f"p{i}", "b": f"p{i + 1}"} for i in range(32)]
    assert len(read_land({"provinces": rows[:32], "links": links[:31]}, "wide").provinces) == 32
    with pytest.raises(InvalidOption, match="2 to 32 tables"):
        read_land({"provinces": rows, "links": links}, "wide")


@pytest.mark.rule("ATT-13.12")
@pytest.mark.parametrize(("changes", "message"), [
    ([('b = "west"', 'b = "wset"')], r"\[\[links\]\] number 1: 'b' names no province: 'wset'; did you mean 'west'"),
    ([('a = "north"', 'a = "west"')], "west cannot border itself"),
    ([('a = "NOR"\nb = "EAS"', 'a = "west"\nb = "north"')], "west and north are joined already, by number 1"),
    ([('kind = "water"', 'kind = "sea"')], "'kind' must be \"land\" .* or \"water\""),
    ([("start = true", "start = false")], "no province has start = true"),
    ([("start_province_count = 1", "start_province_count = 2")], "start_province_count = 2, but there are 1"),
    ([("province_count = 4", "province_count = 5")], "province_count = 5, but there are 4"),
    ([('code = "WES"', 'code = "NOR"')], "north and west have the same code, NOR"),
    ([('code = "WES"', 'code = "west"')], r"number 2 \(west\): 'code' must be three capital letters"),
    ([('code = "WES"\n', "")], r"number 2 \(west\): the field 'code' is missing \(a text in quotes\)"),
    ([("x = 100", 'x = "100"')], "'x' must be a number, not '100'"),
    ([("x = 100", "X = 100")], "there is no field 'X'; did you mean 'x'"),
    ([("start = false", 'start = "no"')], "'start' must be true or false, not 'no'"),
    ([("col = 0", "col = 12")], "'col' must be 0 to 6, not 12"),
    ([("row = 1\ncol = 0", "row = 0\ncol = 1")], r"same cell \(row, col\), \(0, 1\)"),
    ([('a = "south"', 'a = "east"')], "no token can ever reach south"),
    ([("last_space = 9", "last_space = 0")], "'last_space' must be 1 to 100"),
    ([("[board]", "[bord]")], "no table 'bord' in a map; did you mean 'board'"),
    ([('id = "west"', 'id = "West"')], "'id' must be small letters"),
    ([('id = "west"', 'id = "west\\n"')], "'id' must be one line of printable characters"),
    ([("last_space = 9", "last_spaces = 9")], r"\[influence_chart\]: there is no field 'last_spaces'; did you mean"),
    ([("\nprovince_count = 4", "\nprovince_cout = 4")], r"\[board\]: there is no field 'province_cout'; did you mean"),
    ([('kind = "water"', 'knd = "water"')], r"\[\[links\]\] number \d: there is no field 'knd'; did you mean 'kind'"),
    ([("\nprovince_count = 4", "\npicture_width = 0")], "'picture_width' must be 100 to 10000, not 0"),
    ([("\nprovince_count = 4", "\npicture_height = nan")], "'picture_height' must be 100 to 10000, not nan"),
    ([("x = 100", "x = inf")], "'x' must be 0 to 1000, not inf"),
    ([("x = 100", "x = 1" + "0" * 400)], "'x' must be 0 to 1000, not 1000"),
    ([("x = 100", "x = -1")], "'x' must be 0 to 1000, not -1"),
    ([('name_en = "The North"', 'name_en = "The\\u0000North"')], "'name_en' must be one line of printable characters"),
    ([('name_en = "The North"', 'name_en = "wes"')], "north and west could not be told apart: 'wes' and 'WES'"),
    ([('id = "west"', 'id = "nor"')], "north and nor could not be told apart"),
    ([("[board]", "excluded_areas = 3\n[board]")], "'excluded_areas' must be a list of tables"),
    ([("[board]", "excluded_areas = [1]\n[board]")], "'excluded_areas' must be a list of tables"),
    ([("[board]", "[excluded_areas]\nx = 1\n[board]")], "'excluded_areas' must be a list of tables"),
])
def test_mistakes_are_told(changes: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(InvalidOption, match=message) as told:
        read_land(edited(*changes), "my.toml")
    assert str(told.value).startswith("my.toml: ")
    assert len(str(told.value).splitlines()) == 1


@pytest.mark.rule("ATT-13.12")
def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="reconstructed or a map file; nowhere cannot be read"):
        make("attila:map=nowhere")
    path = tmp_path / "broken.toml"
    path.write_text("[board\n", encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"not TOML: .*line 1"):
        load_land(str(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidOption, match="UTF-8"):
        load_land(str(path))
    path.write_text("", encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"there is no table \[\[provinces\]\]"):
        load_land(str(path))
    path.write_text("provinces = 3", encoding="utf-8")
    with pytest.raises(InvalidOption, match="must be a list of tables"):
        load_land(str(path))
    assert load_land("reconstructed").last_space == load_data()["influence_chart"]["last_space"]
