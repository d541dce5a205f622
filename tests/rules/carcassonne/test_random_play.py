"""Statistics of uniformly random play against the reference table, and random play against the recount.

The reference values are means over 2,000 games each (chapter 16.2 of the rules). A mean over n games here
may differ by 4.5 standard errors of the difference: s * sqrt(1/n + 1/2000), s being the deviation seen here.
With about 300 comparisons a correct program fails for one choice of seeds in 500; the seeds are fixed.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterable
from random import Random as PyRandom
from typing import Any

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.position import Deploy, Follower, Place, decode
from sfida.engines.carcassonne.tables import load_data, load_tiles
from support.carcassonne import Table, figures
from support.recounts.carcassonne import check_position, check_step

ROWS = load_data()["random_play"]
# Ten thousand games move by move, each move recounted, would take the debug build an hour.
release = pytest.mark.release_only("statistics")
PLAYOUTS = 1500
STEPPED = 100
PAIRED = 25
MONASTERIES = [tile.code for tile in load_tiles() if tile.monastery]
KINDS = {"city": "deployed_knights", "road": "deployed_thieves", "monastery": "deployed_monks",
         "field": "deployed_farmers"}


def row_id(row: dict[str, Any]) -> str:
    return f"{row['players']}{'-river' if row['river'] else ''}"


def compare(row: dict[str, Any], name: str, values: Iterable[float]) -> None:
    seen = list(values)
    error = statistics.stdev(seen) * (1 / len(seen) + 1 / row["games"]) ** 0.5
    assert abs(statistics.fmean(seen) - row[name]) <= 4.5 * error, \
        f"{name}: {statistics.fmean(seen):.3f}, reference {row[name]}, standard error {error:.3f}"


@pytest.mark.rule("CAR-5.1", "CAR-6.6", "CAR-7.2", "CAR-7.7", "CAR-7.9", "CAR-10.4", "CAR-10.5", "CAR-10.14")
@release
@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_final_positions(row: dict[str, Any]) -> None:
    players = row["players"]
    first = Table(players=players, river=row["river"])
    games: list[dict[str, Any]] = []
    for number in range(PLAYOUTS):
        state = first.state.clone()
        _, scores = state.random_playout(Random(derive(7, players, row["river"], number)))
        result = state.final_scores_now()
        found = figures(state)
        cities = [f for f in found if f[0] == "city"]
        roads = [f for f in found if f[0] == "road"]
        snapshot = state.snapshot()
        xs = [tile[1] for tile in snapshot["tiles"]]
        cells = {(x, y) for _, x, y, _ in snapshot["tiles"]}
        monks = sum(all((x + i, y + j) in cells for i in (-1, 0, 1) for j in (-1, 0, 1))
                    for code, x, y, _ in snapshot["tiles"] if code in MONASTERIES)
        games.append({
            "scores": scores, "during": result["scores"], "incomplete": result["incomplete"],
            "farms": result["farms"], "turns": len(snapshot["tiles"]) - 1,
            "gone": len(snapshot["discarded"]), "extent": max(xs) - min(xs) + 1,
            "cities": [f[1] for f in cities if f[2] == 0], "roads": [f[1] for f in roads if f[2] == 0],
            "open_cities": sum(f[2] > 0 for f in cities), "open_roads": sum(f[2] > 0 for f in roads),
            "monasteries": monks, "fields": sum(f[0] == "field" for f in found)})
        assert sum(state.utilities()) == pytest.approx(1)

    def per_player(key: str) -> list[float]:
        return [statistics.fmean(game[key]) for game in games]

    compare(row, "mean_score", per_player("scores"))
    compare(row, "mean_during_game", per_player("during"))
    compare(row, "mean_incomplete", per_player("incomplete"))
    compare(row, "mean_farms", per_player("farms"))
    compare(row, "mean_winner", [max(game["scores"]) for game in games])
    compare(row, "share_tied_for_first", [game["scores"].count(max(game["scores"])) > 1 for game in games])
    for seat in range(players):
        seen = [game["scores"][seat] for game in games]
        error = statistics.stdev(seen) * (1 / len(seen) + 1 / row["games"]) ** 0.5
        assert abs(statistics.fmean(seen) - row["mean_by_seat"][seat]) <= 4.5 * error
    spread = statistics.pstdev(score for game in games for score in game["scores"])
    assert spread == pytest.approx(row["sd_score"], rel=0.08)
    assert max(score for game in games for score in game["scores"]) < 1.5 * row["max_score"]
    compare(row, "turns", [game["turns"] for game in games])
    compare(row, "discards_per_game", [game["gone"] for game in games])
    compare(row, "games_with_discard", [game["gone"] > 0 for game in games])
    compare(row, "extent_x_mean", [game["extent"] for game in games])
    compare(row, "cities_completed", [len(game["cities"]) for game in games])
    compare(row, "cities_completed_two_tiles", [game["cities"].count(2) for game in games])
    compare(row, "city_tiles_completed", [sum(game["cities"]) for game in games])
    compare(row, "roads_completed", [len(game["roads"]) for game in games])
    compare(row, "road_tiles_completed", [sum(game["roads"]) for game in games])
    compare(row, "cities_open_at_end", [game["open_cities"] for game in games])
    compare(row, "roads_open_at_end", [game["open_roads"] for game in games])
    compare(row, "monasteries_completed", [game["monasteries"] for game in games])
    compare(row, "farms_at_end", [game["fields"] for game in games])


@pytest.mark.rule("CAR-5.3", "CAR-6.1", "CAR-6.5", "CAR-6.8")
@release
@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_decisions(row: dict[str, Any]) -> None:
    segments = [tile.segments for tile in load_tiles()]
    seen: dict[str, list[float]] = {name: [] for name in (
        "decisions", "placements_mean", "deploy_options_mean", "turns_left_without_follower",
        *KINDS.values())}
    for number in range(STEPPED):
        rng = PyRandom(1000 * row["players"] + number)
        state = Table(players=row["players"], river=row["river"]).state
        game: dict[str, list[float]] = {"places": [], "choices": [], "bare": []}
        deployed = dict.fromkeys(KINDS, 0)
        laid = decisions = 0
        while not state.is_over:
            if state.is_chance:
                outcomes = state.chance_outcomes()
                state.apply(rng.choices([code for code, _ in outcomes], [n for _, n in outcomes])[0])
                continue
            moves = state.legal_moves()
            move = rng.choice(moves)
            decisions += 1
            mover = state.to_move
            step = decode(move)
            if isinstance(step, Place):
                game["places"].append(len(moves))
                laid = step.tile
            elif isinstance(step, Deploy):
                game["choices"].append(len(moves))
                if step.segment is not None:
                    deployed[segments[laid][step.segment].kind] += 1
            state.apply(move)
            if state.to_move != mover:
                if len(game["choices"]) < len(game["places"]):
                    game["choices"].append(1)       # no seat was asked: "none" was the only choice
                game["bare"].append(state.snapshot()["supply"][mover] == 0)
        seen["decisions"].append(decisions)
        seen["placements_mean"].append(statistics.fmean(game["places"]))
        seen["deploy_options_mean"].append(statistics.fmean(game["choices"]))
        seen["turns_left_without_follower"].append(statistics.fmean(game["bare"]))
        for kind, name in KINDS.items():
            seen[name].append(deployed[kind])
        assert max(game["places"]) <= load_data()["bounds"]["max_distinct_placements"]
        assert max(game["choices"]) <= load_data()["bounds"]["max_deploy_moves"]
    for name, values in seen.items():
        compare(row, name, values)


OPTIONS: list[dict[str, Any]] = [
    {}, {"players": 5}, {"players": 3, "river": True}, {"players": 4, "river": True, "river_uturn": "none"},
    {"players": 2, "river": True, "river_uturn": "monotone", "river_start_tile": "after_lake"},
    {"players": 3, "river": True, "river_start_tile": "shuffled", "farm_scoring": "per_farm"},
    {"players": 4, "farm_scoring": "first_edition", "city2_scoring": "full", "first_player": "random"},
    {"players": 2, "farmers": False, "river": True},
]


@pytest.mark.rule("CAR-5.3", "CAR-6.6")
@release
@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_placements_with_deployments(row: dict[str, Any]) -> None:
    """The number of pairs of a placement and a deployment, including `none`."""
    means = []
    for number in range(PAIRED):
        rng = PyRandom(500 * row["players"] + number)
        state = Table(players=row["players"], river=row["river"]).state
        pairs = []
        while not state.is_over:
            if state.is_chance:
                outcomes = state.chance_outcomes()
                state.apply(rng.choices([code for code, _ in outcomes], [n for _, n in outcomes])[0])
                continue
            moves = state.legal_moves()
            if isinstance(decode(moves[0]), Place):
                mover = state.to_move
                pairs.append(0)
                for move in moves:
                    twin = state.clone()
                    twin.apply(move)
                    pairs[-1] += len(twin.legal_moves()) if twin.to_move == mover else 1
            state.apply(rng.choice(moves))
        means.append(statistics.fmean(pairs))
    compare(row, "joint_mean", means)


@pytest.mark.rule("CAR-4.5", "CAR-5.8", "CAR-7.1", "CAR-7.15", "CAR-8.1", "CAR-9.3", "CAR-12.3", "CAR-12.6")
@pytest.mark.debug_only("the same games in either build, and there with every index checked")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: ",".join(map(str, o.values())) or "base")
def test_every_step_recounted(options: dict[str, Any], seed: int) -> None:
    """After every move the core's scores, followers, places and choices equal those of the flood fill."""
    table = Table(**options)
    rng = PyRandom(seed)
    before = table.position
    check_position(before, table.options)
    while not table.state.is_over:
        if table.state.is_chance:
            outcomes = table.state.chance_outcomes()
            move = rng.choices([code for code, _ in outcomes], [n for _, n in outcomes])[0]
        else:
            move = rng.choice(table.state.legal_moves())
        table.state.apply(move)
        after = table.position
        check_step(before, move, after, table.options)
        check_position(after, table.options)
        before = after
    assert table.if_over()["final"] == table.state.scores()


def test_the_recount_notices_a_wrong_score() -> None:
    """Positive control: a check that cannot fail proves nothing."""
    table = Table()
    table.draw("E")
    table.state.apply(table.state.parse("E@0,-1/2"))
    before = table.position
    move = table.state.parse("+c0")
    table.state.apply(move)
    after = table.position
    check_step(before, move, after, table.options)
    left = (Follower(1, 0, 0),)
    for wrong in (dataclasses.replace(after, scores=(4, 0)), dataclasses.replace(after, followers=left),
                  dataclasses.replace(after, seat_on_turn=0)):
        with pytest.raises(AssertionError, match="the core has"):
            check_step(before, move, wrong, table.options)
    with pytest.raises(AssertionError, match="supply"):
        check_position(dataclasses.replace(after, supply=(6, 7)), table.options)
    with pytest.raises(AssertionError, match="open places"):
        check_position(dataclasses.replace(after, open_places=after.open_places[1:]), table.options)


@pytest.mark.debug_only("only the debug build recounts inside apply")
def test_the_debug_build_recounts_after_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    seen: list[int] = []
    real = Carcassonne.verify_step

    def verify_step(game: Carcassonne, before: Any, move: int, after: Any) -> None:
        seen.append(move)
        real(game, before, move, after)

    monkeypatch.setattr(Carcassonne, "verify_step", verify_step)
    played = [table.state.parse("E")]
    table.state.apply(played[0])
    played.append(table.state.parse("E@0,-1/2"))
    table.state.apply(played[1])
    assert seen == played
