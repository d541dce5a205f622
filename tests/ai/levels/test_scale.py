"""The levels of a game: the ladder, the fit to matches on it, and the data file."""

import datetime
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from sfida import make
from sfida.ai.levels import scale as scales
from sfida.ai.levels.fitting import Duel, fit
from sfida.ai.levels.scale import (
    LEVELS, InvalidLevels, Scale, ScaleFit, Strength, at, between, ladder, place_of, scale_of, table_text, usual_cutoff,
    written
)

RUNGS = ladder(50_000, 4)


def test_a_ladder_rises_in_everything():
    for low, high in pairwise(RUNGS):
        assert low.iterations < high.iterations
        assert low.misjudge > high.misjudge or high.is_whole
        assert high.sight is None or low.sight < high.sight
        assert high.depth is None or low.depth <= high.depth
    assert RUNGS[-1] == Strength(iterations=50_000)
    assert not RUNGS[0].is_whole


def test_places_between_rungs_are_between():
    assert at(RUNGS, 3.0) == RUNGS[3]
    middle = at(RUNGS, 3.5)
    assert RUNGS[3].iterations < middle.iterations < RUNGS[4].iterations
    assert RUNGS[3].misjudge > middle.misjudge > RUNGS[4].misjudge
    assert at(RUNGS, len(RUNGS) - 1) == RUNGS[-1]
    assert between(Strength(sight=32), Strength(), 0.5).sight == 45        # between 32 and all moves


@pytest.mark.parametrize("cutoff", [None, 12])
def test_a_strength_of_the_ladder_is_found_again(cutoff):
    rungs = ladder(100_000, cutoff)
    for place in np.linspace(0.0, len(rungs) - 1, 60):
        assert place_of(rungs, at(rungs, place)) == pytest.approx(place, abs=0.02)


def made_duels(rises, error, upto, seed=1):
    rng = np.random.default_rng(seed)
    return [Duel(float(i), i + 1.0, 100, rises[i] + rng.normal(0, error), error) for i in range(upto)]


def test_the_fit_finds_the_ratings_behind_the_matches():
    rises = np.linspace(40, 160, 12)
    curve = fit(made_duels(rises, 10.0, 12), 13)
    assert np.abs(curve.rises - rises).max() < 35
    places = curve.levels()
    assert len(places) == LEVELS
    assert places[-1] == 12.0
    for low, high in pairwise(places):
        step = curve.step(low, high)
        assert step.elo == pytest.approx(100, abs=0.01)
        assert step.low < 100 < step.high
        true = np.interp(high, range(13), [0, *np.cumsum(rises)]) - np.interp(low, range(13), [0, *np.cumsum(rises)])
        assert step.low - 10 < true < step.high + 10
        assert not step.extrapolated


def test_more_matches_narrow_the_intervals():
    duels = made_duels(np.full(12, 100.0), 30.0, 12)
    wide, narrow = fit(duels, 13), fit([*duels, Duel(2.5, 4.5, 400, 200.0, 10.0)], 13)
    assert narrow.step(2.5, 4.5).high - narrow.step(2.5, 4.5).low < wide.step(2.5, 4.5).high - wide.step(2.5, 4.5).low


def test_a_rating_never_falls_although_matches_say_so():
    curve = fit([Duel(0, 1, 50, -80.0, 20.0), Duel(1, 2, 50, 120.0, 20.0)], 3)
    assert curve.rises[0] == pytest.approx(1.0)
    assert curve.place(curve.rating(1.5)) == pytest.approx(1.5)


def test_what_was_too_dear_is_extrapolated_and_marked():
    much, little = (fit(made_duels(np.full(12, worth), 5.0, 9), 13) for worth in (90.0, 20.0))
    for curve in (much, little):
        assert curve.measured == 9
        assert all(high < low for low, high in pairwise(curve.rises[9:]))       # less and less
        assert curve.step(8, 9).extrapolated is False
        beyond = curve.step(9, 10)
        assert beyond.extrapolated
        assert beyond.high - beyond.low > 2 * (curve.step(8, 9).high - curve.step(8, 9).low)
    assert much.rises[9] > 55 > 30 > little.rises[9]            # but as much as in the played part


def test_a_short_ladder_is_spaced_evenly():
    curve = fit(made_duels(np.full(12, 30.0), 1.0, 12), 13)
    places = curve.levels()
    steps = [curve.step(low, high).elo for low, high in pairwise(places)]
    assert steps == pytest.approx([curve.rises.sum() / 9] * 9)
    assert places[0] == pytest.approx(0.0, abs=1e-6)


def test_an_unfitted_game_gets_a_formula():
    scale = scale_of(make("tic_tac_toe").game)
    assert scale.fit is None
    assert len(scale.strengths) == LEVELS
    assert list(scale.ratings) == [100.0 * level for level in range(LEVELS)]
    assert all(low.iterations < high.iterations for low, high in pairwise(scale.strengths))


def test_levels_between_levels_and_back():
    scale = scale_of(make("tic_tac_toe").game)
    for level in (1, 1.3, 4.5, 9.9, 10):
        assert scale.level(scale.rating(level)) == pytest.approx(level)
    assert scale.strength(4) == scale.strengths[3]
    assert scale.strengths[3].iterations < scale.strength(4.5).iterations < scale.strengths[4].iterations
    assert scale.level(-500) == 1.0
    assert scale.level(5000) == 10.0


def test_a_written_table_reads_as_it_was(tmp_path):
    curve = fit(made_duels(np.linspace(40, 160, 12), 10.0, 9), 13)
    rungs, places = ladder(32_000, 4), curve.levels()
    steps = tuple(curve.step(low, high) for low, high in pairwise(places))
    ratings = [curve.rating(place) - curve.rating(places[0]) for place in places]
    made = Scale(tuple(at(rungs, place) for place in places), tuple(ratings),
                 ScaleFit(datetime.date(2026, 1, 2), "1.2.3", 4000, 1100.0, steps))
    table, = tomllib.loads(written([table_text("attila", 2, made)], {("attila", 2): 7}))["table"]
    read = Scale.of(table)
    assert read.strengths == made.strengths
    assert read.ratings == pytest.approx(made.ratings, abs=0.1)
    assert [step.extrapolated for step in read.fit.steps] == [step.extrapolated for step in steps]
    assert (read.fit.date, read.fit.version, read.fit.games) == (made.fit.date, "1.2.3", 4000)
    table["levels"][4]["elo"] = 0
    with pytest.raises(ValueError, match="must rise"):
        Scale.of(table)


@pytest.mark.parametrize("tables", [[{"game": "attila"}], [3], [{"game": "attila", "players": 2, "levels": []}]])
def test_a_wrong_file_is_one_line_that_names_it(tables, monkeypatch):
    monkeypatch.setattr(scales, "tables_beside", lambda *_: tables)
    with pytest.raises(InvalidLevels, match=r"levels\.toml") as caught:
        scale_of(make("attila", players=2).game)
    assert "\n" not in str(caught.value)


def test_the_levels_that_come_along_are_in_order():
    for name, counts in (("carcassonne", range(2, 6)), ("attila", range(2, 6)), ("risiko", range(3, 7)),
                         ("zarahemla", range(2, 5)), ("acres", (2,))):
        for players in counts:
            game = make(name, players=players).game if name != "acres" else make(name).game
            scale = scale_of(game)
            assert all(low < high for low, high in pairwise(scale.ratings))
            assert all(low.iterations <= high.iterations for low, high in pairwise(scale.strengths))
            assert scale.strengths[-1].is_whole
            if scale.fit is not None:
                assert all(step.low <= step.elo <= step.high for step in scale.fit.steps)


def test_the_usual_cutoff_is_the_games():
    assert usual_cutoff(make("attila", players=2).game) == 4
    assert usual_cutoff(make("tic_tac_toe").game) is None
