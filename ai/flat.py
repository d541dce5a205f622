"""The `flat` agent: flat Monte Carlo, one bandit over the legal moves and no tree."""

from __future__ import annotations

import math
from typing import Any

from sfida.ai.agent import NamedAgent
from sfida.ai.analysis import Analysis, MoveStats, Progress
from sfida.ai.choosing import certain_win
from sfida.ai.judging import judged
from sfida.ai.search_options import FlatOptions, resolve
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.measure import awake
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.state import View
from sfida.engines.game import Game


class FlatAgent(NamedAgent):
    """Runs random playouts after every legal move and plays the one with the best mean.

    Iteration budgets are shared out by sequential halving (ceil(log2 k) rounds, the better half survives each), time
    budgets by UCB1. The agent assumes that all seats, its own included, play on at random. Where a move wins for
    certain, it looks at no other.
    """

    name = "flat"
    doc = "flat Monte Carlo: playouts after each move, no tree"
    options_class = FlatOptions
    reusable = True

    def __init__(self, options: FlatOptions | None = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._search: FlatSearch | None = None

    def cancel(self) -> None:
        """End the running search with what it has found; may be called from a signal handler or a thread."""
        if self._search is not None:
            self._search.cancel()

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks what the parameters require; raises InvalidOption."""
        resolve(self.options, judged(game.initial_state().view(0), self.options))

    def choose(self, view: View) -> int:
        legal = view.legal_moves()
        if not legal:
            raise IllegalMove(f"seat {view.seat} is not to move")
        if len(legal) == 1:
            self.last_analysis = None
            return int(legal[0])
        self.last_analysis = self.analyze(view)
        return int(self.last_analysis.best.code)

    def analyze(self, view: View) -> Analysis:
        """Run the playouts and return all moves, best mean first."""
        if not view.legal_moves():
            raise IllegalMove(f"seat {view.seat} is not to move")
        started = awake()
        view = judged(view, self.options)
        p: dict[str, Any] = resolve(self.options, view)
        if self.options.cutoff is None:
            p["cutoff"] = -1             # by default the baseline plays uniformly to the end
        if self.options.informed is None:
            p["informed"] = 0
        iterations, seconds = self.options.budget
        search = self._search = FlatSearch(view, self.seed, only=certain_win(view), **p)

        def progress(running: FlatSearch) -> None:
            if self.on_progress is not None:
                row = max(running.rows(), key=lambda r: (r["survived"], r["mean"]))
                self.on_progress(Progress(running.iterations, awake() - started,
                                          view.format(row["move"]), row["value"][view.seat]))

        if seconds is None:
            assert iterations is not None
            stopped = search.halve(iterations, progress)
        else:
            stopped = search.bandit(seconds, iterations, self.options.c, progress)
        rows = sorted(search.rows(), key=lambda r: (-r["survived"], -r["mean"], r["move"]))
        self._search = None             # cannot be sent to another process
        total = max(1, search.iterations)
        moves = tuple(
            MoveStats(view.format(r["move"]), r["move"], r["visits"], r["visits"] / total,
                      r["value"][view.seat] if r["visits"] else None,
                      max(0.0, _lower_bound(r["mean"], r["deviation"], r["visits"])) if r["visits"] else None,
                      0.0, (view.format(r["move"]),), tuple(r["value"]) if r["visits"] else ())
            for r in rows)
        value = tuple(float(v) for v in rows[0]["value"])
        return Analysis(view.seat, search.iterations, value, moves, awake() - started, stopped)


def _lower_bound(mean: float, deviation: float, visits: int) -> float:
    return mean - 1.7 * math.sqrt((deviation ** 2 + 1 / visits) / visits)
