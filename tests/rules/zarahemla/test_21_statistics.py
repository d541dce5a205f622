"""Bounds and statistics of uniformly random play: chapter 21, and the speeds of chapter 24."""

from __future__ import annotations

import statistics
from time import process_time

import pytest

from sfida.cython_ext.measure import count_moves
from sfida.cython_ext.rng import Random, derive
from sfida.engines.zarahemla.tables import load_data
from support.playing import step
from support.zarahemla import lengths, position, start

BOUNDS = load_data()["bounds"]


def ends(spec: str, players: int, games: int, seed: int = 3):
    """Return the final snapshots of random games."""
    state, rng = start(spec, players=players), Random(derive(seed, players))
    for _ in range(games):
        work = state.clone()
        work.random_playout(rng)
        yield work.snapshot()  # type: ignore[attr-defined]


# Means of the reference over 1000 games (300 with trade), the same numbers as ours; the tolerance is about
# four standard errors of the difference.
@pytest.mark.rule("ZAR-21.4")
@pytest.mark.parametrize(("players", "turns", "moves", "chance"), [
    (2, 267, 787, 301), (3, 414, 1272, 472), (4, 446, 1549, 525)])
def test_random_games_without_trade(players: int, turns: int, moves: int, chance: int) -> None:
    found = list(ends("zarahemla:trade_mode=none", players, 1500))
    assert statistics.mean(row["turns"] for row in found) == pytest.approx(turns, rel=0.075)
    assert sum(row["winner"] is None for row in found) <= 45
    decisions, events, largest = count_moves(start("zarahemla:trade_mode=none", players=players), Random(5), 1500)
    assert decisions / 1500 == pytest.approx(moves, rel=0.075)
    assert events / 1500 == pytest.approx(chance, rel=0.075)
    assert largest == 54


@pytest.mark.rule("ZAR-21.4", "ZAR-21.8")
@pytest.mark.parametrize(("players", "turns", "moves"), [(2, 265, 2460), (3, 376, 4667), (4, 404, 6369)])
def test_random_games_with_trade(players: int, turns: int, moves: int) -> None:
    found = list(ends("zarahemla", players, 400))
    assert statistics.mean(row["turns"] for row in found) == pytest.approx(turns, rel=0.13)
    decisions, _, _ = count_moves(start("zarahemla", players=players), Random(6), 400)
    assert decisions / 400 == pytest.approx(moves, rel=0.13)


@pytest.mark.rule("ZAR-21.5", "ZAR-24.8")
@pytest.mark.parametrize(("players", "turns", "moves"), [(2, 351, 935), (3, 315, 940), (4, 330, 1099)])
def test_random_games_of_the_parent_game(players: int, turns: int, moves: int) -> None:
    spec = "zarahemla:preset=catan,trade_mode=none,bank_shortage=nobody"
    found = list(ends(spec, players, 1500))
    assert statistics.mean(row["turns"] for row in found) == pytest.approx(turns, rel=0.075)
    decisions, _, _ = count_moves(start(spec, players=players), Random(7), 1500)
    assert decisions / 1500 == pytest.approx(moves, rel=0.075)


@pytest.mark.rule("ZAR-21.6", "ZAR-21.7")
@pytest.mark.parametrize(("players", "share"), [(2, 0.49), (3, 0.32), (4, 0.26)])
def test_seat_order_hardly_matters(players: int, share: float) -> None:
    found = [row["winner"] == row["first_seat"] for row in ends("zarahemla:trade_mode=none", players, 2000)]
    assert statistics.mean(found) == pytest.approx(share, abs=0.06)


@pytest.mark.rule("ZAR-21.1", "ZAR-21.2", "ZAR-21.3")
def test_bounds() -> None:
    """Lists, roads, hands and points of random games stay far below the sizes of the tables."""
    most: dict[str, int] = {}
    for number, spec in enumerate(("zarahemla:players=2", "zarahemla:players=4,trade_mode=none",
                                   "zarahemla:players=4,preset=catan,trade_mode=none")):
        state, rng = start(spec), Random(derive(8, number))
        for _ in range(4000):
            if state.is_over:
                break
            if not state.is_chance:
                n = len(state.legal_moves())
                phase = position(state).phase
                most[phase] = max(most.get(phase, 0), n)
                assert n <= 80
            step(state, rng)
            most["road"] = max(most.get("road", 0), *lengths(state))
            most["hand"] = max(most.get("hand", 0), *(row["hand_size"] for row in state.snapshot()["seats"]))
    assert most["init_settlement"] == 54
    assert most["main"] <= 75 < BOUNDS["max_legal_moves"] == 80
    assert most["pre_roll"] <= BOUNDS["max_legal_pre_roll"] == 21
    assert most["robber"] <= 18
    assert most.get("steal", 1) <= 3
    assert most.get("trade_compose", 1) <= 9
    assert most.get("trade_respond", 1) <= 3
    assert most["road"] <= BOUNDS["max_longest_road"]
    assert most["hand"] <= BOUNDS["max_hand_cards"]
    assert state.state_bytes <= 2304


@pytest.mark.rule("ZAR-24.9")
@pytest.mark.parametrize(("players", "slow"), [(2, 90), (3, 53), (4, 37)])
def test_far_faster_than_plain_python(players: int, slow: int) -> None:
    """Twenty times as fast even on a busy machine or in the debug build, several hundred times otherwise."""
    state, rng = start("zarahemla:trade_mode=none", players=players), Random(9)
    begin = process_time()
    for _ in range(60):
        state.clone().random_playout(rng)
    assert 60 / (process_time() - begin) > 20 * slow
