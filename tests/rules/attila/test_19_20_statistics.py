"""Statistics and bounds: chapters 19 and 20.

Means are compared with those of the data file, which come from 2000 games of an independent simulator. Each may differ
by five standard errors of the difference, about one false alarm in a million.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest

from sfida.cython_ext.measure import count_playout_moves
from sfida.cython_ext.rng import Random, derive
from sfida.engines import attila
from sfida.engines.attila.tables import load_data
from support.attila import start
from support.playing import step

GAMES = 250
ROWS = [row for row in load_data()["reference_statistics"] if row["policy"] == "uniform"]
CASUAL = [row for row in load_data()["reference_statistics"] if row["policy"] == "casual"]
# Share of games of casual play that end by the chart, by its length and the number of players (1000 games each).
CHARTS = {16: {2: 0.89, 3: 0.52, 4: 0.25, 5: 0.11}, 20: {2: 0.50, 3: 0.15}, 26: {2: 0.08}}
TILES, INFLUENCE, DONE = (86, 87, 88), 76, 83
DATA = Path(attila.__file__).with_name("data.toml")
BOUNDS = load_data()["bounds"]


def casual(moves: list[int], rng: Random) -> int:
    """Choose by the row `casual`: tiles 4 % each, influence 85 %, no further cards 60 %, otherwise uniformly."""
    tiles = [move for move in moves if move in TILES]
    for move in tiles:
        if rng.below(100) < 4:
            return move
    rest = [move for move in moves if move not in TILES]
    for usual, percent in ((INFLUENCE, 85), (DONE, 60)):
        if usual in rest and len(rest) > 1:
            if rng.below(100) < percent:
                return usual
            rest.remove(usual)
    return rest[rng.below(len(rest))]


def sample(players: int, games: int = GAMES, policy: str = "uniform", options: str = "") -> list[dict[str, float]]:
    """Play games by random moves; return the figures of each."""
    found = []
    for number in range(games):
        state, rng = start(options, players=players), Random(derive(7, players, number))
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
            move = casual(moves, rng) if policy == "casual" else moves[rng.below(len(moves))]
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


def compare(row: dict[str, Any], found: list[dict[str, float]]) -> None:
    """Compare the means of games with a row."""
    for key in row:
        if key in ("policy", "players", "games"):
            continue
        values = [game[key] for game in found]
        spread = max(statistics.stdev(values), (row[key] * (1 - row[key])) ** 0.5 if key.startswith("end") else 0)
        error = spread * (1 / GAMES + 1 / row["games"]) ** 0.5
        rounding = 0.5 if key == "mean_nodes" else 0.05 if row[key] >= 2 else 0.005
        assert abs(statistics.mean(values) - row[key]) <= 5 * error + rounding, (key, statistics.mean(values))


@pytest.mark.release_only("200,000 moves one by one, each recounted; the playouts below stay")
@pytest.mark.rule("ATT-19.1", "ATT-20.1")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['players']} players")
def test_uniformly_random_games(row: dict[str, Any]) -> None:
    found = sample(row["players"])
    compare(row, found)
    playouts = count_playout_moves(start(players=row["players"]), Random(3), 2000)
    decisions = [game["decisions"] for game in found]
    assert abs(playouts - statistics.mean(decisions)) < 5 * statistics.stdev(decisions) * (1 / GAMES + 1 / 2000) ** 0.5
    assert max(game["decisions"] for game in found) < BOUNDS["safe_decision_nodes"]
    assert max(game["chances"] for game in found) < BOUNDS["safe_chance_nodes"]
    assert max(game["mean_conflicts"] for game in found) <= BOUNDS["max_conflicts_per_game"]
    assert max(game["mean_turns"] for game in found) < BOUNDS["safety_cap_turns"]


@pytest.mark.release_only("as above")
@pytest.mark.rule("ATT-19.1")
@pytest.mark.parametrize("row", CASUAL, ids=lambda row: f"{row['players']} players")
def test_casual_games(row: dict[str, Any]) -> None:
    """Casual play uses tiles seldom, prefers influence to a second token, and lays few cards in conflicts."""
    compare(row, sample(row["players"], policy="casual"))


@pytest.mark.release_only("as above")
@pytest.mark.rule("ATT-19.1")
@pytest.mark.parametrize("spaces", CHARTS)
def test_games_end_by_the_chart_as_often_as_its_length_says(spaces: int, tmp_path: Path) -> None:
    """The length comes from a map file, as an owner of the game would write it."""
    chart = tmp_path / "chart.toml"
    text = DATA.read_text(encoding="utf-8")
    assert text.count("last_space = 22") == 1
    chart.write_text(text.replace("last_space = 22", f"last_space = {spaces}"), encoding="utf-8")
    for players, share in CHARTS[spaces].items():
        ended = statistics.mean(game["end_by_influence"] for game in sample(players, 120, "casual", f"map={chart}"))
        assert abs(ended - share) <= 5 * (share * (1 - share) * (1 / 120 + 1 / 1000)) ** 0.5 + 0.005, players


@pytest.mark.rule("ATT-19.1")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['players']} players")
def test_playouts_score_as_games_do(row: dict[str, Any]) -> None:
    """Playouts without lists of moves are compared with the same row."""
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
