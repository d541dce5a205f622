"""Statistics and bounds: chapters 19 and 20.

Means are compared with those of the data file, which come from 2000 games of an independent simulator. Each may differ
by five standard errors of the difference, about one false alarm in a million.
"""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from sfida.cython_ext.measure import count_playout_moves
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import DEBUG
from sfida.engines.attila.data import load_data
from support.attila import start, step

GAMES = 250
ROWS = [row for row in load_data()["reference_statistics"] if row["policy"] == "uniform"]
BOUNDS = load_data()["bounds"]


def sample(players: int, games: int = GAMES) -> list[dict[str, float]]:
    """Play games by uniformly random moves; return the figures of each."""
    found = []
    for number in range(games):
        state, rng = start(players=players), Random(derive(7, players, number))
        nodes = listed = cards = fights = decisions = chances = 0
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                chances += 1
                continue
            moves = state.legal_moves()
            assert len(moves) <= BOUNDS["max_legal_moves"]
            decisions += 1
            if len(moves) > 1:
                nodes += 1
                listed += len(moves)
            queue = state.phase == "commit"
            move = moves[rng.below(len(moves))]
            cards += move < 6
            state.apply(move)
            fights += queue and move == 83 and state.label(0) != 84
        raw = state.snapshot()
        found.append({
            "mean_turns": raw["turn"], "mean_card_plays": cards, "mean_nodes": nodes, "mean_branching": listed / nodes,
            "mean_conflicts": fights, "end_by_peace": "peace" in raw["ending"],
            "end_by_influence": "influence" in raw["ending"], "end_by_tribe": "tribe" in raw["ending"],
            "mean_score": statistics.mean(state.scores()), "mean_winning_score": max(state.scores()),
            "mean_reshuffles": raw["reshuffles"], "decisions": decisions, "chances": chances,
            "most": max(state.scores())})
    return found


@pytest.mark.skipif(DEBUG, reason="200,000 moves one by one, each recounted; the playouts below stay")
@pytest.mark.rule("ATT-19.1", "ATT-20.1")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['players']} players")
def test_uniformly_random_games(row: dict[str, Any]) -> None:
    found = sample(row["players"])
    for key in row:
        if key in ("policy", "players", "games"):
            continue
        values = [game[key] for game in found]
        spread = max(statistics.stdev(values), (row[key] * (1 - row[key])) ** 0.5 if key.startswith("end") else 0)
        error = spread * (1 / GAMES + 1 / row["games"]) ** 0.5
        rounding = 0.5 if key == "mean_nodes" else 0.05 if row[key] >= 2 else 0.005
        assert abs(statistics.mean(values) - row[key]) <= 5 * error + rounding, key
    playouts = count_playout_moves(start(players=row["players"]), Random(3), 2000)
    decisions = [game["decisions"] for game in found]
    assert abs(playouts - statistics.mean(decisions)) < 5 * statistics.stdev(decisions) * (1 / GAMES + 1 / 2000) ** 0.5
    assert max(game["decisions"] for game in found) < BOUNDS["safe_decision_nodes"]
    assert max(game["chances"] for game in found) < BOUNDS["safe_chance_nodes"]
    assert max(game["mean_conflicts"] for game in found) <= BOUNDS["max_conflicts_per_game"]
    assert max(game["mean_turns"] for game in found) < BOUNDS["safety_cap_turns"]


@pytest.mark.rule("ATT-19.1")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['players']} players")
def test_playouts_score_as_games_do(row: dict[str, Any]) -> None:
    """Playouts without lists, against the same row."""
    state, means, best = start(players=row["players"]), [], []
    for number in range(1500):
        _, scores = state.clone().random_playout(Random(derive(8, row["players"], number)))
        means.append(statistics.mean(scores))
        best.append(max(scores))
    for values, key in ((means, "mean_score"), (best, "mean_winning_score")):
        error = statistics.stdev(values) * (1 / 1500 + 1 / row["games"]) ** 0.5
        assert abs(statistics.mean(values) - row[key]) <= 5 * error + 0.05, key


@pytest.mark.rule("ATT-20.1")
def test_a_state_is_small() -> None:
    assert start(players=5).state_bytes <= 1024
    state, rng, most = start(players=5), Random(3), 0
    for _ in range(400):
        if state.is_over:
            break
        most = max(most, len(state.history()))
        step(state, rng)
    assert most < 220
