"""`level:auto`: the person's record, and how it finds the person's strength."""

import json

import numpy as np
import pytest

from sfida import agent, make
from sfida.ai.levels.person_rating import (
    START, PersonGame, Result, fitting_level, person_level, record_file, remember, remembered
)
from sfida.ai.levels.scale import scale_of

SCALE = scale_of(make("tic_tac_toe").game)


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def season(level, games, seed, players=2):
    """Return a person's shares in games against the following level; the person is as strong as `level`."""
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(games):
        met = fitting_level(results, SCALE)
        lead = SCALE.rating(met) - SCALE.rating(level)
        results.append(Result(met, players, float(rng.random() < 1 / (1 + (players - 1) * 10 ** (lead / 400)))))
    return [result.share for result in results]


@pytest.mark.parametrize("level", [1, 2, 4.5, 7, 9, 10])
def test_people_of_any_level_score_half_from_the_fifteenth_game_on(level):
    shares = np.array([season(level, 34, seed) for seed in range(60)])[:, 14:]
    # 1,200 games: the mean has a standard error of 1.5 %
    assert 0.43 <= shares.mean() <= 0.57


def test_of_four_players_each_comes_to_a_quarter():
    shares = np.array([season(6, 34, seed, 4) for seed in range(60)])[:, 14:]
    assert 0.18 <= shares.mean() <= 0.32


def test_wins_raise_and_losses_lower_the_level():
    assert fitting_level([], SCALE) == START
    won = [Result(START, 2, 1.0)]
    assert START < fitting_level(won, SCALE) < fitting_level([*won, Result(5, 2, 1.0)], SCALE)
    assert fitting_level([Result(START, 2, 0.0)], SCALE) < START
    assert fitting_level([Result(10, 2, 1.0)] * 40, SCALE) == 10.0
    assert fitting_level([Result(1, 2, 0.0)] * 40, SCALE) == 1.0


def test_a_win_against_many_counts_more():
    assert fitting_level([Result(4, 4, 1.0)], SCALE) > fitting_level([Result(4, 2, 1.0)], SCALE)


def test_a_game_is_one_line():
    game = make("tic_tac_toe").game
    remember(game, 4.5, 1.0)
    remember(game, 5, 0.5)
    lines = record_file().read_text().splitlines()
    assert len(lines) == 2
    assert {key: json.loads(lines[0])[key] for key in ("game", "players", "level", "share")} == {
        "game": "tic_tac_toe", "players": 2, "level": 4.5, "share": 1.0}
    games, damaged = remembered()
    assert [each.share for each in games] == [1.0, 0.5]
    assert damaged == []
    assert isinstance(games[0], PersonGame)


@pytest.mark.parametrize("line", [
    "", "not json", "[]", "{}", '{"date": "2026-01-01"}', b"\xff",
    '{"date": "x", "game": "tic_tac_toe", "players": 2, "level": 4, "share": 1}',
    '{"date": "2026-01-01", "game": 4, "players": 2, "level": 4, "share": 1}',
    '{"date": "2026-01-01", "game": "tic_tac_toe", "players": 2, "level": 99, "share": 1}',
    '{"date": "2026-01-01", "game": "tic_tac_toe", "players": 2, "level": 4, "share": NaN}'])
def test_a_damaged_line_costs_only_itself(line):
    game = make("tic_tac_toe").game
    remember(game, 4, 1.0)
    with record_file().open("ab") as file:
        file.write(line if isinstance(line, bytes) else line.encode())      # a crash: no line end
    remember(game, 5, 0.0)
    games, damaged = remembered()
    assert [each.level for each in games] == [4, 5]
    assert damaged == ([2] if line else [])


def test_who_is_new_to_a_game_starts_where_other_games_suggest():
    game, other = make("tic_tac_toe").game, make("kuhn_poker").game
    assert person_level(game) == START
    for _ in range(12):
        remember(other, 8, 0.5)
    assert 6.5 < person_level(game) < 8.5
    remember(game, person_level(game), 0.0)
    assert person_level(game) < 8.0


def test_auto_settles_on_a_level_when_it_knows_the_game():
    game = make("tic_tac_toe").game
    remember(game, 9, 1.0)
    follower = agent("level:auto")
    assert follower.level is None
    follower.check_game(game)
    assert follower.level == person_level(game)
    assert follower.spec == f"level:{follower.level:g}"
    assert agent("level:auto").choose(make("tic_tac_toe").view(0)) in make("tic_tac_toe").legal_moves()
