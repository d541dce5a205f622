"""The players' own objectives, from a file (RIS-11.8, 13.8), and the round limit of the base game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import sfida
from sfida.cli.main import main
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from sfida.engines.risiko.objectives import load_objectives
from sfida.engines.risiko.tables import load_data
from support.risiko import TOURNAMENT, position, setup, start, step

PAGE = Path(__file__).resolve().parents[3] / "docs" / "play" / "risiko.md"
EXAMPLE = next(block for block in re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with the example of the documentation."""
    path = tmp_path / "my.toml"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def custom(file: Path, more: str = "") -> str:
    return f"objective_deck=custom,objectives={file}" + (f",{more}" if more else "")


@pytest.mark.rule("RIS-11.8", "RIS-10.4")
def test_the_example_of_the_documentation_is_read(file: Path) -> None:
    found = {one.id: one for one in load_objectives(str(file))}
    assert list(found) == ["red_sea", "half", "old_world", "south", "no_red"]
    assert found["red_sea"].territories == ("egitto", "africa_orientale", "medio_oriente")
    assert found["red_sea"].copies == 2
    assert (found["half"].count, found["half"].min_armies) == (21, 1)
    assert found["old_world"].continents == ("europa", "africa")
    assert (found["south"].continents, found["south"].extra) == (("america_del_sud", "oceania"), 2)
    assert (found["no_red"].color, found["no_red"].fallback) == ("rosso", "half")
    state = start("risiko:" + custom(file))
    state.apply(state.legal_moves()[0])
    assert [weight for _, weight in state.chance_outcomes()] == [2, 1, 1, 1, 1]
    assert make_game(state.game.spec()) == state.game


@pytest.mark.rule("RIS-11.8", "RIS-10.4", "RIS-10.5")
@pytest.mark.parametrize(("objective", "board", "progress", "won"), [
    ("red_sea", "b EGI AFO MOR CIN | g EU | n *", "3 of 3 territories", True),
    ("red_sea", "b EGI AFO CIN | g EU | n *", "2 of 3 territories", False),
    ("half", "b NA SA EU CIN | g AF | n *", "21 of 21 territories", True),
    ("old_world", "b EU AF | g SA | n *", "13 of 13 territories", True),
    ("south", "b SA OC AF | g EU | n *", "8 of 8 territories, 1 of 2 other continents", False),
    ("south", "b SA OC AF NA | g EU | n *", "8 of 8 territories, 2 of 2 other continents", True),
    ("no_red", "b NA SA EU CIN | g AF | n *", "21 of 21 territories instead", True),         # nobody plays red
    ("no_red", "b NA SA EU | g AF | n *", "20 of 21 territories instead", False),
])
def test_an_objective_of_each_type_is_won(file: Path, objective: str, board: str, progress: str, won: bool) -> None:
    others = [one for one in ("half", "south", "old_world") if one != objective][:2]
    state = setup(board, options=custom(file), objectives=[objective, *others], phase="turn_start")
    assert (position(state, 0).seats[0].progress, state.is_over) == (progress, won)
    assert position(state).winners == ((0,) if won else ())


@pytest.mark.rule("RIS-11.8", "RIS-16.4")
def test_a_victory_test_excludes_own_objectives(file: Path) -> None:
    state = setup("b EGI AFO MOR CIN | g EU | n *", options=custom(file), objectives=["half", "south", "old_world"],
                  phase="turn_start")
    seen = state.view(1).observation()
    assert seen["seats"][0]["objective"] is None
    assert "red_sea" not in seen["seats"][0]["possible_objectives"]
    worlds = [state.view(1).sample(Random(seed)) for seed in range(60)]
    held = {state.game.private_type(world, 0) for world in worlds}
    assert held == {"half", "old_world", "no_red"}          # the viewer has the only card of "south"


@pytest.mark.rule("RIS-11.8")
def test_what_a_table_shows_of_them(file: Path) -> None:
    state = setup("b EGI AFO CIN | g EU | n *", options=custom(file), objectives=["red_sea", "south", "old_world"])
    own, other = (state.game.status_text(state, seat=seat) for seat in (0, 1))
    assert "Own the lands round the Red Sea (EGI AFO MOR)" in " ".join(own.split())
    assert "Red Sea" not in other
    assert "points" not in own                              # the base rules count none
    hunter = setup("b CIN | g EU | n AF | r *", players=4, options=custom(file),
                   objectives=["no_red", "south", "old_world", "half"])
    assert '"wanted"' in hunter.game.board_svg(hunter, seat=0)


@pytest.mark.rule("RIS-11.8")
@pytest.mark.parametrize("options", ["players=3,objective_deck=custom", "players=4,preset=tournament"])
def test_games_with_them_keep_the_contract(file: Path, options: str) -> None:
    state, rng = start(f"risiko:{options},objectives={file},round_limit=12", players=int(options[8])), Random(4)
    expected = ("red_sea", "half", "old_world", "south", "no_red")
    assert state.rules.objectives == ((*TOURNAMENT, *expected) if "tournament" in options else expected)
    ply = 0
    while not state.is_over:
        before, move = state.clone(), step(state, rng)
        state.game.verify_step(before, move, state)
        if ply % 50 == 0:
            state.verify()
            twin = state.view(ply // 50 % state.players).sample(rng)
            twin.verify()
            assert "<svg" in state.game.board_svg(state, seat=0)
        ply += 1
    assert ply > 100
    assert all("objective:" in line for line in state.game.explain_scores(state))


def test_agents_play_for_them(file: Path) -> None:
    spec = f"risiko:players=3,{custom(file)},round_limit=30"
    record = sfida.play(spec, ["ismcts:iterations=20,beliefs=8", "greedy", "greedy"], seed=2)
    assert str(file) in record.game
    assert record.result is not None
    assert sum(record.result.utilities) == pytest.approx(1)


WRONG: list[tuple[str, str, str]] = [      # text of the example, its replacement, the error message
    ('"EGI"', '"EGY"', r"number 1 \(red_sea\): 'territories': there is no territory 'EGY'; did you mean 'EGI'"),
    ('"EGI"', '"MOR"', r"'territories' lists 'Middle East' twice"),
    ('["EGI", "Africa Orientale", "Middle East"]', "[]", "must be a list of texts in quotes"),
    ('["EU", "Africa"]', '["EU", "Afrca"]', "there is no continent 'Afrca'; did you mean 'africa'"),
    ('["EU", "Africa"]', '"EU"', "must be a list of texts in quotes"),
    ("count = 21", "count = 43", "'count' must be 1 to 42, not 43"),
    ("count = 21", "", "the field 'count' is missing"),
    ("count = 21", 'count = "21"', "'count' must be a whole number"),
    ("min_armies = 1", "min_armies = 3", "'min_armies' must be 1 to 2, not 3"),
    ("copies = 2", "copies = 0", "'copies' must be 1 to 32, not 0"),
    ("copies = 2", "copy = 2", "there is no field 'copy'; did you mean 'copies'"),
    ("extra = 2", "extra = 5", "'extra' must be 1 to 4, not 5"),
    ("extra = 2", "count = 2", "has no field 'count'"),
    ('color = "rosso"', 'color = "pink"', "'color' must be blu, giallo, nero, rosso, verde or viola, not 'pink'"),
    ('fallback = "half"', 'fallback = "haf"', "names no objective of this file: 'haf'; did you mean 'half'"),
    ('fallback = "half"', 'fallback = "no_red"', "must be an objective of another type"),
    ('type = "destroy"', 'type = "detroy"', "'type' must be .* did you mean"),
    ('type = "destroy"', "", "the field 'type' is missing"),
    ('id = "half"', 'id = "Half!"', "'id' must be small letters"),
    ('id = "old_world"', 'id = "half"', "two objectives with the id 'half'"),
    ("[[objective]]", "[[objectives]]", "there is no table 'objectives' .* did you mean 'objective'"),
    ("copies = 2", "copies = 29", "has 33 cards, copies counted; at most 32 are possible"),
    ("count = 21", "count = 14", "half asks for 14 territories, but each of 3 players is dealt 14 or more"),
    ("[[objective]]", "[[objective]", "not TOML"),
]


@pytest.mark.rule("RIS-13.8")
@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[f"{new[:24]}-{n}" for n, (_, new, _) in enumerate(WRONG)])
def test_mistakes_are_told_in_one_line(file: Path, old: str, new: str, said: str) -> None:
    assert old in EXAMPLE
    file.write_text(EXAMPLE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InvalidOption, match=said) as caught:
        make_game("risiko:players=3," + custom(file))
    assert "\n" not in str(caught.value)
    assert file.name in str(caught.value)


@pytest.mark.rule("RIS-13.8")
def test_decks_that_cannot_be_played_are_refused(file: Path, tmp_path: Path) -> None:
    for options, said in (
            ("objective_deck=custom", "custom has 0 cards: name a file of them with objectives=FILE"),
            (f"objectives={file}", "add objective_deck=custom"),
            (f"objective_deck=custom,objectives={tmp_path}/none.toml", "cannot be read: No such file")):
        with pytest.raises(InvalidOption, match=said):
            make_game("risiko:" + options)
    make_game("risiko:players=3," + custom(file, "army_cap=40"))
    file.write_text(EXAMPLE.replace("count = 21\nmin_armies = 1", "count = 21\nmin_armies = 2"), encoding="utf-8")
    with pytest.raises(InvalidOption, match="half asks for 42 armies, more than army_cap=40"):
        make_game("risiko:players=3," + custom(file, "army_cap=40"))
    file.write_text(EXAMPLE.replace("copies = 2", "copies = 1"), encoding="utf-8")
    with pytest.raises(InvalidOption, match="has 5 cards, fewer than the 6 players"):
        make_game("risiko:players=6," + custom(file))
    file.write_text("", encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"there is no table \[\[objective\]\]"):
        make_game("risiko:" + custom(file))
    many = "".join(f'[[objective]]\nid = "x{n}"\nterritories = ["CIN"]\n' for n in range(33))
    file.write_text(many, encoding="utf-8")
    with pytest.raises(InvalidOption, match="1 to 32 tables"):
        make_game("risiko:" + custom(file))


@pytest.mark.rule("RIS-17.3", "RIS-18.29", "RIS-20.3")
def test_the_base_game_without_a_limit() -> None:
    board = "b CIN 3 | g EU | n *"
    assert setup(board, on_turn=2, round_=100, phase="turn_end").is_over
    for options in ("round_limit=none", "round_limit=0"):
        assert make_game("risiko:" + options).spec() == "risiko:round_limit=0"
        assert not setup(board, on_turn=2, round_=100, phase="turn_end", options=options).is_over
    state, rng = start("risiko:round_limit=none", players=3), Random(1)
    while not state.is_over:
        step(state, rng)
    assert sum(state.utilities()) == pytest.approx(1)


@pytest.mark.rule("RIS-17.3")
def test_the_limit_is_shown_with_its_reason() -> None:
    shown = CliRunner().invoke(main, ["games", "risiko", "--json"]).stdout
    option = next(one for one in json.loads(shown)["options"] if one["key"] == "round_limit")
    row = next(one for one in load_data()["option"] if one["id"] == "round_limit")
    assert f"base: {row['base']}, because the rulebook sets none" in option["doc"]
    assert f"tournament and rtu: {row['tournament']}" in option["doc"]
    assert row["tournament"] == row["rtu"]
