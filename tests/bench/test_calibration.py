"""`bench calibration`: forecasts are sorted into tenths, games count once, and files continue where they ended."""

import json
import random
from dataclasses import asdict

import numpy as np
import pytest

from bench import BenchFailure, ResultLines, forecasts, main


def walks(games, said_of, seed=1):
    """Return games of two seats whose true share is a random walk; `said_of` turns the share into a forecast."""
    rng, found = random.Random(seed), []
    for number in range(games):
        at, said = 10, []
        while 0 < at < 20:
            share = said_of(at / 20)
            said.append(forecasts.AskedForecast(0, (share, 1 - share), (share, 1 - share)))
            at += rng.choice((-1, 1))
        found.append(forecasts.ForecastGame(number, (at / 20, 1 - at / 20), tuple(said)))
    return found


def overconfident(share, power=2.0):
    return share ** power / (share ** power + (1 - share) ** power)


def test_a_forecast_that_is_right_is_found_right():
    """Games that stay long in the highest tenth end well, so a mean over games would call it overconfident."""
    found = forecasts.reliability(walks(400, lambda share: share))
    assert [row.low for row in found.tenths] == pytest.approx([i / 10 for i in range(10)])
    assert sum(row.ci95[0] <= row.said <= row.ci95[1] for row in found.tenths) >= 8
    assert found.power_ci95[0] <= 1 <= found.power_ci95[1]
    assert abs(found.power - 1) < 0.25


def test_a_forecast_that_is_too_sure_is_found_so_and_the_power_mends_it():
    found = forecasts.reliability(walks(400, overconfident))
    assert found.power == pytest.approx(0.5, abs=0.12)
    assert found.power_ci95[1] < 1
    assert found.corrected < found.log_loss
    top = found.tenths[-1]
    assert top.ci95[1] < top.said


def test_positions_of_one_game_do_not_narrow_the_interval():
    """Repeating each forecast ten times makes ten times the positions, but no more games."""
    once = walks(40, lambda share: share)
    often = [forecasts.ForecastGame(game.number, game.shares, game.said * 10) for game in once]
    one, ten = forecasts.reliability(once), forecasts.reliability(often)
    assert ten.positions == 10 * one.positions
    assert [(row.games, row.happened, row.ci95) for row in ten.tenths] == [
        (row.games, pytest.approx(row.happened), pytest.approx(row.ci95)) for row in one.tenths]
    assert ten.power_ci95 == one.power_ci95


def test_borders_of_the_tenths():
    said = np.array([0.0, 0.0999, 0.1, 0.3, 0.7, 0.9, 1.0])
    assert forecasts.tenth_of(said).tolist() == [0, 0, 1, 3, 7, 9, 9]


def run(capsys, *words):
    assert main(["calibration", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_games_are_kept_and_gone_on_with(monkeypatch, capsys, tmp_path):
    words = ("leduc_poker", "--agent", "ismcts:iterations=20", "--json", "--store")
    whole = run(capsys, *words, tmp_path / "whole", "--games", 6)
    run(capsys, *words, tmp_path / "parts", "--games", 3)
    file, = (tmp_path / "parts").iterdir()
    with file.open("a") as end:
        end.write('{"number":3,"sha')                   # a crash in the middle of a line
    assert run(capsys, *words, tmp_path / "parts", "--games", 6, "-j", 2) == whole
    found = json.loads(whole)
    assert found["games"] == 6
    assert sum(row["positions"] for row in found["tenths"]) == found["positions"]
    played = []
    monkeypatch.setattr(forecasts, "play", lambda plan, number: played.append(number))
    assert run(capsys, *words, tmp_path / "parts", "--games", 4) == whole
    assert not played
    plan = forecasts.ForecastPlan.of("leduc_poker", "ismcts:iterations=30", forecasts.SEARCH, 1)
    with pytest.raises(BenchFailure, match="other results"):
        ResultLines(file, asdict(plan))


def test_a_game_goes_on_until_every_tenth_has_enough_games(monkeypatch, capsys):
    games = walks(60, lambda share: share)
    monkeypatch.setattr(forecasts, "play", lambda plan, number: games[number])
    found = json.loads(run(capsys, "kuhn_poker", "--json", "--games", 60, "--until", 5))
    needed = found["games"]
    assert min(row["games"] for row in found["tenths"]) >= 5
    before = forecasts.games_in_tenths(games[:needed - 1], "root")
    assert min(before) < 5


def test_the_evaluation_is_asked_after_every_turn(monkeypatch, capsys):
    """In Carcassonne a turn is a tile, evaluated before the next draw; the forecast is for both seats."""
    plan = forecasts.ForecastPlan.of("carcassonne", "random", forecasts.EVALUATION, 3)
    game = forecasts.play(plan, 0)
    assert 60 <= len(game.said) <= 71
    assert all(one.seat == -1 and sum(one.root) == pytest.approx(1, abs=1e-4) for one in game.said)
    text = run(capsys, "carcassonne", "--evaluation", "--agent", "random", "--games", 1)
    assert "its evaluation after every turn, 1 games" in text
