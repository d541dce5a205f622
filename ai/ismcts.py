"""The `ismcts` agent: single-tree information set Monte Carlo tree search."""

from __future__ import annotations

import math
import time
from typing import Any

from sfida.ai.agent import NamedAgent
from sfida.ai.analysis import Analysis, MoveStats, Progress
from sfida.ai.search_options import IsmctsOptions, resolve
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.search import Search
from sfida.cython_ext.state import View
from sfida.engines.game import Game

_KEYS = ("cutoff", "informed", "blend", "tau", "c", "priors", "c_prior", "fpu", "widen", "widen_factor",
         "expand_at", "chance_depth")
_CONFIDENCE = 1.7                        # standard errors of the lower bound
_WELL_VISITED = 0.15                     # of the most visits, to be chosen for its bound


def search_for(view: View, options: IsmctsOptions, seed: int, *, profiling: bool = False) -> Search:
    """Build the search of one decision with the game's defaults filled in."""
    p = resolve(options, view, _KEYS)
    return Search(view, seed, c=p["c"], c_prior=p["c_prior"], fpu=p["fpu"], blend=p["blend"], tau=p["tau"],
                  priors=p["priors"], widen_base=p["widen"], widen_factor=p["widen_factor"],
                  expand_at=p["expand_at"], chance_depth=p["chance_depth"], cutoff=p["cutoff"],
                  informed=p["informed"], memory=options.memory, profiling=profiling)


def lower_bound(row: dict[str, Any]) -> float:
    """Lower confidence bound of a root move's mean reward."""
    n = row["visits"]
    if n == 0:
        return -math.inf
    return float(row["reward"] - _CONFIDENCE * math.sqrt((row["deviation"] ** 2 + 1.0 / n) / n))


def final_order(rows: list[dict[str, Any]], final: str) -> list[dict[str, Any]]:
    """Order root moves, the one to play first: most visits, or a better lower bound among the well visited."""
    rows = sorted(rows, key=lambda row: (-row["visits"], -row["reward"], row["move"]))
    if final == "lcb" and rows[0]["visits"]:
        enough = _WELL_VISITED * rows[0]["visits"]
        best = max((row for row in rows if row["visits"] >= enough), key=lower_bound)
        rows.remove(best)
        rows.insert(0, best)
    return rows


class IsmctsAgent(NamedAgent):
    """Searches one tree from its own view; plain UCT where nothing is hidden."""

    name = "ismcts"
    doc = "information set Monte Carlo tree search, one tree"
    options_class = IsmctsOptions
    reusable = True                     # the tree's memory costs more to get anew than to clear

    def __init__(self, options: IsmctsOptions | None = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._search: Search | None = None
        self._played: int | None = None

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks what the parameters ask for; raises InvalidOption."""
        resolve(self.options, game.initial_state().view(0), _KEYS)

    def choose(self, view: View) -> int:
        legal = view.legal_moves()
        if not legal:
            raise IllegalMove(f"seat {view.seat} is not to move")
        if len(legal) == 1:
            self.last_analysis = self._forced(view, legal[0])
            self._played = None
            return int(legal[0])
        self.last_analysis = self._run(view, self.options.reuse, self.options.early_stop, lines=1)
        self._played = self.last_analysis.best.code
        return int(self._played)

    def analyze(self, view: View) -> Analysis:
        """Spend the whole budget and return all candidates; the same for the same view, seed and iterations."""
        if not view.legal_moves():
            raise IllegalMove(f"seat {view.seat} is not to move")
        self._played = None
        return self._run(view, reuse=False, early_stop=False, lines=len(view.legal_moves()))

    def new_game(self) -> None:
        """Forget the game before; the tree's memory is kept."""
        super().new_game()
        self._played = None

    def cancel(self) -> None:
        """End the running search with what it has found; may be called from a signal handler or a thread."""
        if self._search is not None:
            self._search.cancel()

    def _run(self, view: View, reuse: bool, early_stop: bool, lines: int) -> Analysis:
        iterations, seconds = self.options.budget
        started = time.perf_counter()
        followed = (reuse and self._search is not None and self._played is not None
                    and self._search.advance(self._played, view))
        if followed:
            if seconds is not None:
                seconds = max(0.001, seconds * self.options.follow)
        elif self._search is not None and self._search.fits(view):
            self._search.restart(view, self.seed)
        else:
            self._search = search_for(view, self.options, self.seed)
        search = self._search
        assert search is not None
        callback = None
        if self.on_progress is not None:
            report = self.on_progress

            def callback(running: Search) -> None:
                row = running.root_edges()[0]
                report(Progress(running.visits, time.perf_counter() - started, view.format(row["move"]),
                                row["value"][view.seat]))

        stopped = search.run(iterations=iterations, seconds=seconds, callback=callback,
                             early_stop=early_stop)
        return self._read(search, view, time.perf_counter() - started, stopped, lines)

    def _read(self, search: Search, view: View, seconds: float, stopped: str, lines: int) -> Analysis:
        rows = final_order(search.root_edges(), self.options.final)
        total = max(1, sum(row["visits"] for row in rows))
        value = tuple(sum(row["visits"] * row["value"][seat] for row in rows) / total
                      for seat in range(view.players))
        moves = tuple(
            MoveStats(view.format(row["move"]), row["move"], row["visits"], row["visits"] / total,
                      row["value"][view.seat], max(0.0, lower_bound(row)), row["prior"],
                      tuple(state.format(code) for state, code in search.line(row["move"]))
                      if row["visits"] and number < lines else (view.format(row["move"]),))
            for number, row in enumerate(rows))
        return Analysis(view.seat, search.visits, value, moves, seconds, stopped, search.arena_full)

    def _forced(self, view: View, move: int) -> Analysis | None:
        value = tuple(1.0 / view.players for _ in range(view.players))
        if self.last_analysis is not None and self.last_analysis.seat == view.seat:
            value = self.last_analysis.value
        stats = MoveStats(view.format(move), move, 0, 1.0, value[view.seat], 0.0, 1.0, (view.format(move),))
        return Analysis(view.seat, 0, value, (stats,), 0.0, "forced")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None, "_played": None}
