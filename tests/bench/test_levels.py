"""`bench levels`: one command fits, checks and shows the levels of a game."""

import datetime
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from bench import levels, main
from sfida import make
from sfida.ai.levels.fitting import match
from sfida.ai.levels.scale import LevelStep, Scale, ScaleFit, Strength, at, ladder, place_of, table_text, written

TINY = ("leduc_poker", "--top", "64", "--games", "4", "--least", "2", "--dearest", "20", "--dry")


@pytest.fixture
def run(capsys):
    def call(*words):
        assert main(["levels", *map(str, words)]) == 0
        return capsys.readouterr().out

    return call


def test_one_command_fits_and_prints_a_table_that_reads(run, tmp_path):
    told = run(*TINY, "--store", tmp_path)
    matches, _, text = told.partition("[[table]]")
    assert "level:iterations=64 " not in matches            # too expensive to be played
    table, = tomllib.loads("[[table]]" + text)["table"]
    scale = Scale.of(table)
    assert scale.strengths[-1].iterations == 64
    assert scale.fit.steps[-1].extrapolated
    assert scale.fit.games == 4 * matches.count(" games ")


def test_a_match_goes_on_where_it_ended(tmp_path):
    game = make("leduc_poker").game
    few = match(game, "random", "level:1", 4, 1, tmp_path)
    file, = tmp_path.iterdir()
    assert match(game, "random", "level:1", 4, 1, tmp_path) == few
    assert match(game, "random", "level:1", 6, 1, tmp_path)[2] == 6
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_not_fitted_cannot_be_checked(capsys):
    assert main(["levels", "leduc_poker", "--check"]) == 2
    assert "fit them first" in capsys.readouterr().err


def test_a_check_replaces_the_steps_by_what_levels_do_to_each_other(run, monkeypatch):
    steps = tuple(LevelStep(0, 100.0, 80.0, 120.0, True) for _ in range(9))
    strengths = (*(Strength(iterations=2 * level, sight=level) for level in range(1, 10)), Strength(500))
    made = Scale(strengths, tuple(100.0 * level for level in range(10)),
                 ScaleFit(datetime.date(2026, 1, 2), "1.2.3", 4000, 900.0, steps))
    monkeypatch.setattr(levels, "scale_of", lambda _: made)
    told = run(*TINY, "--check")
    assert "level 10 :  9  too dear: 500 iterations" in told
    table, = tomllib.loads(told[told.index("[[table]]"):])["table"]
    assert [row["games"] for row in table["levels"][1:]] == [4] * 8 + [0]
    assert table["levels"][-1]["step"] == 100
    assert Scale.of(table).strengths == strengths


def test_a_fit_can_go_by_the_steps_that_a_check_has_played(run, tmp_path):
    rungs = ladder(64)
    strengths = tuple(at(rungs, place) for place in np.linspace(0, len(rungs) - 1, 10))
    steps = (LevelStep(400, 150.0, 140.0, 160.0), *(LevelStep(0, 100.0, 80.0, 120.0) for _ in range(8)))
    made = Scale(strengths, tuple(100.0 * level for level in range(10)),
                 ScaleFit(datetime.date(2026, 1, 2), "1.2.3", 4000, 900.0, steps))
    file = tmp_path / "levels.toml"
    file.write_text(written([table_text("leduc_poker", 2, made), table_text("leduc_poker", 3, made)], {}))
    spans = []
    for words in ((), ("--steps", file)):
        told = run(*TINY, *words)
        table, = tomllib.loads(told[told.index("[[table]]"):])["table"]
        spans.append((table["games"], place_of(rungs, Scale.of(table).strengths[1])))
    (few, before), (many, after) = spans
    assert many == few + 400                    # the games of three players do not count
    assert after < before                       # 150 Elo were known to lie there


@pytest.mark.parametrize("text", [None, "no = toml =", "[[table]]\ngame = 'leduc_poker'\n", "table = 3\n"])
def test_a_wrong_file_of_steps_is_one_line_that_names_it(tmp_path, capsys, text):
    file = tmp_path / "levels.toml"
    if text is not None:
        file.write_text(text)
    assert main(["levels", *TINY, "--steps", str(file)]) == 1
    line, = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {file}: ")


def test_losses_of_a_weak_level_are_spread_and_not_two_spikes():
    found = np.array(levels.losses_of(make("carcassonne").game, "iterations=30,sight=10,misjudge=0.7", 200, 60, 3))
    counts = [((found > low) & (found <= high)).sum() for low, high in pairwise((0, .01, .03, .08, .2, 1))]
    assert sum(count > 2 for count in counts) >= 3
    assert max(counts) < 0.7 * len(found)
