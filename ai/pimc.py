"""The agent `pimc`: perfect information Monte Carlo, an ensemble of searches in sampled worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sfida.ai.analysis import Analysis
from sfida.ai.choosing import analysis_of, final_order
from sfida.ai.ismcts import TreeAgent, line_of
from sfida.ai.search_options import PimcOptions, resolve
from sfida.ai.threads import run_search
from sfida.ai.tree_search import search_for
from sfida.cython_ext.measure import awake
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import View

_WORLDS, _SEARCH = 1, 2                 # streams of a decision's seed


class PimcAgent(TreeAgent):
    """Searches several sampled worlds, each as if all seats saw all of it, and adds up the visits.

    Worlds are sampled from what the seat may see, never from the true state. The search assumes that all seats
    will know the world later (strategy fusion), so it undervalues hiding and gaining information.

    References
    ----------
    J. Long, N. Sturtevant, M. Buro, T. Furtak, "Understanding the success of perfect information Monte Carlo
    sampling in game tree search", AAAI 2010.
    """

    name = "pimc"
    doc = "perfect information Monte Carlo: sampled worlds, one by one"
    options_class: ClassVar[type[Any]] = PimcOptions

    def search(self, view: View, *, choosing: bool, lines: int,
               only: int | Mapping[int, float] | None = None) -> Analysis:
        iterations, seconds = self.budget(view, choosing)
        worlds = self.options.worlds if view.hidden else 1
        if iterations is not None:
            worlds = min(worlds, iterations)
        started, power = awake(), resolve(self.options, view)["calibration"]
        rng = Random(derive(self.seed, _WORLDS))
        sums: dict[int, _Sum] = {}
        stopped, done, full = "", 0, False
        for number in range(worlds):
            world, seed = view.sample(rng), derive(self.seed, _SEARCH, number)
            if self._search is None or not self._search.fits(view):
                self._search = search_for(view, self.options, seed, world=world)
            search = self._search
            search.restart(view, seed, world=world, only=only)
            left = None if seconds is None else started + seconds - awake()
            if left is not None and left <= 0.0 and number:
                break                   # the seconds bound the number of worlds; one is searched in any case
            stopped = run_search(
                search, self._crew,
                iterations=None if iterations is None else (iterations * (number + 1)) // worlds - done,
                seconds=None if left is None else max(0.001, left / (worlds - number)),
                callback=self.callback(view, started, power, done))
            done += search.visits
            full = full or search.arena_full
            for row in search.root_edges():
                total = sums.setdefault(row["move"], _Sum(row["move"], row["prior"], [0.0] * view.players))
                total.add(row)
                if row["visits"] > total.longest:
                    total.longest, total.line = row["visits"], line_of(search, row["move"])
            if stopped == "cancelled" or self._cancelled:
                stopped = "cancelled"
                break
        rows = final_order([total.edge() for total in sums.values()], self.options.final, self.options.temperature,
                           self.seed)
        return analysis_of(view, rows, {total.move: total.line for total in sums.values()}, iterations=done,
                           seconds=awake() - started, stopped=stopped, full=full,
                           beliefs=() if choosing else self.shown(view), calibration=power)


@dataclass
class _Sum:
    """The statistics of a root move, summed over worlds."""

    move: int
    prior: float
    value: list[float]
    visits: int = 0
    availability: int = 0
    reward: float = 0.0
    square: float = 0.0
    longest: int = 0                    # most visits in any one world
    line: tuple[str, ...] = ()          # expected line in that world
    untried: Sequence[float] = ()       # the core's values of a move without visits

    def add(self, row: dict[str, Any]) -> None:
        """Add the edge of one world."""
        n = row["visits"]
        self.visits += n
        self.availability += row["availability"]
        self.reward += n * row["reward"]
        self.square += n * (row["deviation"] ** 2 + row["reward"] ** 2)
        self.value = [total + n * value for total, value in zip(self.value, row["value"], strict=True)]
        self.untried = row["value"]

    def edge(self) -> dict[str, Any]:
        """Return the sum in the form of `Search.root_edges`."""
        n = max(1, self.visits)
        mean = self.reward / n
        return {"move": self.move, "visits": self.visits, "availability": self.availability, "reward": mean,
                "deviation": max(0.0, self.square / n - mean * mean) ** 0.5 if self.visits > 1 else 0.5,
                "value": [value / n for value in self.value] if self.visits else list(self.untried),
                "prior": self.prior, "strategy": None}
