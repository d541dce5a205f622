"""The statistics of a tree's root, recomputed from a log of the iterations."""

import math
import statistics
from typing import ClassVar

import pytest

from sfida.ai.search import run_search
from sfida.cython_ext.search.search import Search
from sfida.engines.examples.tic_tac_toe import TicTacToe, TicTacToePosition


class LoggedPosition(TicTacToePosition):
    """Tic-tac-toe that logs each playout: its moves and the win shares."""

    __slots__ = ("moves",)

    log: ClassVar[list[tuple[tuple[int, ...], tuple[float, ...]]]] = []

    def __init__(self, options):
        super().__init__(options)
        self.moves = ()

    def clone(self):
        twin = super().clone()
        twin.moves = self.moves
        return twin

    def apply(self, move):
        super().apply(move)
        self.moves = (*self.moves, move)

    def utilities(self):
        shares = super().utilities()
        self.log.append((self.moves, tuple(shares)))
        return shares


class Logged(TicTacToe):
    position_class = LoggedPosition


@pytest.fixture
def log():
    LoggedPosition.log.clear()
    return LoggedPosition.log


@pytest.mark.parametrize("blend", [0.0, 0.4])
@pytest.mark.parametrize(("batch", "threads"), [(1, 1), (8, 1), (8, 2)])
def test_visits_and_means_are_those_of_the_iterations(log, batch, threads, blend):
    """Sums are fixed point with 20 bits: the error of a mean of n rewards is at most 2 ** -21, for any n."""
    state = Logged().initial_state()
    for move in (4, 0):
        state.apply(move)
    log.clear()
    search = Search(state.view(0), seed=5, c=0.7, batch=batch, blend=blend, tau=1.0, decisive=False)
    run_search(search, threads, iterations=1500)
    games = list(log)
    assert len(games) == search.visits == search.iterations == 1500
    rows = search.root_edges()
    assert sum(row["visits"] for row in rows) == 1500
    assert {row["move"] for row in rows} == set(state.legal_moves())
    for row in rows:
        shares = [result for moves, result in games if moves[2] == row["move"]]
        # without points the score is the win share: the margin blends in as 1 / (1 + exp(-(2 * share - 1)))
        margins = {0.0: 0.2689414, 0.5: 0.5, 1.0: 0.7310586}
        rewards = [(1 - blend) * share[0] + blend * margins[share[0]] for share in shares]
        assert row["visits"] == len(shares)
        assert row["reward"] == pytest.approx(statistics.mean(rewards), abs=1e-6)
        assert row["deviation"] == pytest.approx(statistics.pstdev(rewards), abs=1e-6)
        assert row["value"] == pytest.approx([statistics.mean(side) for side in zip(*shares, strict=True)])
    search.check_tree()


def test_each_move_is_followed_by_the_bound_it_had(log):
    """For a serial search, plain Python can replay the log: every root move had the highest upper bound."""
    state = Logged().initial_state()
    log.clear()
    c = 0.7
    search = Search(state.view(0), seed=6, c=c, decisive=False)
    run_search(search, 1, iterations=800)
    visits, sums, available = {}, {}, {}
    for moves, result in log:
        first = moves[0]
        for move in visits:
            available[move] += 1
        if len(visits) == 9:
            bounds = {move: sums[move] / n + c * math.sqrt(math.log(available[move]) / n) for move, n in visits.items()}
            assert bounds[first] >= max(bounds.values()) - 1e-5
        else:
            assert first not in visits                  # untried moves come first
            available[first] = 1
        visits[first] = visits.get(first, 0) + 1
        sums[first] = sums.get(first, 0.0) + result[0]
    assert {row["move"]: row["visits"] for row in search.root_edges()} == visits
    assert {row["move"]: row["availability"] for row in search.root_edges()} == available
