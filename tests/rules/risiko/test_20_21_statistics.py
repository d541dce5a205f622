"""Bounds and statistics: chapters 20 and 21.

Means are compared with those of the data file, which come from 1000 to 5000 games of an independent simulator. Each may
differ by five standard errors of the difference, and by one per cent for figures that are counted slightly differently.
"""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from sfida.cython_ext.measure import count_playout_moves
from sfida.cython_ext.rng import Random, derive
from sfida.engines.risiko.tables import load_data
from support.playing import deal
from support.risiko import setup, start, step

GAMES = 400
ROWS = load_data()["reference_stats"]


def sample(row: dict[str, Any], games: int = GAMES) -> dict[str, list[float]]:
    """Play games by the policy of a row; return its figures game by game."""
    state = start(f"risiko:preset={row['preset']}", players=row["players"])
    rng = Random(derive(6, ROWS.index(row)))
    found: dict[str, list[float]] = {}
    for _ in range(games):
        work = state.clone()
        tally = work.reference_playout(rng, row["policy"] == "greedy")
        raw = work.snapshot()
        figures = {
            "rounds": raw["round"], "rolls": tally["throws"], "decisions": tally["decisions"],
            "eliminations": sum(one["eliminated_by"] >= 0 for one in raw["seats"]),
            "limit_reached_pct": 100.0 * (raw["winner"] < 0), "lm_mean": tally["listed"], "longest": tally["longest"],
            "conquests": tally["conquests"], "hand": tally["most_cards"], "reshuffles": raw["draw_cycle"],
            "best_score": max(work.scores()), "mean_score": statistics.mean(work.scores()),
            "place": (raw["winner"] - raw["first_seat"]) % row["players"] if raw["winner"] >= 0 else -1,
        }
        for key, value in figures.items():
            found.setdefault(key, []).append(value)
    return found


@pytest.mark.rule("RIS-21.2", "RIS-21.3", "RIS-21.4")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['preset']}-{row['policy']}-{row['players']}")
def test_reference_games(row: dict[str, Any]) -> None:
    found = sample(row)
    keys = ["rounds", "rolls", "decisions", "eliminations", "limit_reached_pct"]
    if row["preset"] == "tournament":
        keys += ["best_score", "mean_score"]
    for key in keys:
        error = statistics.stdev(found[key]) * (1 / GAMES + 1 / row["games"]) ** 0.5
        assert abs(statistics.mean(found[key]) - row[key]) <= 5 * error + 0.01 * row[key], key
    conquests = sum(found["conquests"]) / GAMES / row["turns"]
    assert conquests == pytest.approx(row["conquests_per_turn"], rel=0.09)
    listed = sum(found["lm_mean"]) / sum(found["decisions"])
    assert listed == pytest.approx(row["lm_mean"], rel=0.08)
    assert max(found["hand"]) <= 20
    assert max(found["longest"]) <= 384


@pytest.mark.rule("RIS-21.4")
@pytest.mark.parametrize(("players", "places"), [
    (3, (37.8, 32.7, 29.6)), (4, (26.3, 25.5, 23.9, 24.3)), (6, (18.4, 18.7, 17.6, 17.1, 14.0, 14.2))])
def test_who_wins_by_place(players: int, places: tuple[float, ...]) -> None:
    """Greedy base games agree within five standard errors of 1500 games against 5000."""
    row = next(one for one in ROWS if (one["preset"], one["policy"], one["players"]) == ("base", "greedy", players))
    found = sample(row, 1500)["place"]
    for place, share in enumerate(places):
        error = (share * (100 - share) * (1 / 1500 + 1 / 5000)) ** 0.5
        assert abs(100 * found.count(place) / 1500 - share) < 5 * error


@pytest.mark.rule("RIS-21.3", "RIS-20.1", "RIS-20.2")
def test_playouts_are_random_games() -> None:
    """Playouts without lists have the same number of decisions as random games, minus the defenders' answers."""
    state, games = start(players=4), 1500
    moves = count_playout_moves(state, Random(3), games)
    rng, counted = Random(4), []
    forced = start("risiko:forced_max_defense=true", players=4)
    for _ in range(games):
        work = forced.clone()
        counted.append(work.reference_playout(rng)["decisions"])
    error = statistics.stdev(counted) * (2 / games) ** 0.5
    assert abs(moves - statistics.mean(counted)) < 5 * error


@pytest.mark.rule("RIS-20.2", "RIS-20.3", "RIS-20.4", "RIS-20.5")
def test_bounds() -> None:
    most = {"legal": 0, "candidates": 0, "hand": 0, "left": 0}
    for number in range(6):
        rng = Random(derive(11, number))
        state = deal(start(players=3 + number % 4), rng)
        for ply in range(900):
            if state.is_over:
                break
            if not state.is_chance and ply % 3 == 0:
                most["candidates"] = max(most["candidates"], len(state.candidate_moves()))
                most["legal"] = max(most["legal"], len(state.legal_moves()))
            raw = state.snapshot()
            most["left"] = max(most["left"], raw["left"])
            most["hand"] = max(most["hand"], *(one["card_count"] for one in raw["seats"]))
            step(state, rng)
    assert most["candidates"] <= 329 < state.max_legal == 2048
    assert most["legal"] > most["candidates"]
    assert most["hand"] <= 20
    assert most["left"] <= 14 + 24 + 16 * 4
    assert state.state_bytes <= 1024
    huge = setup("b * 1000 | g AUR | n AUO", phase="fortify", objectives=["kill_giallo"])
    assert len(huge.legal_moves()) == 1 + 999 * sum(
        len([n for n in huge.rules.neighbours(i) if n not in (40, 41)]) for i in range(40))
    assert len(huge.candidate_moves()) <= 329
