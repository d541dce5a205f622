"""The agents that search: ISMCTS in one tree or one tree per seat, PIMC, and flat Monte Carlo."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar

from sfida.ai.agent import NamedAgent
from sfida.ai.analysis import Analysis, MoveStats, Progress
from sfida.ai.beliefs import BeliefOptions, Beliefs, Marginal, marginals
from sfida.ai.search import (
    Crew, Endgame, FlatOptions, IsmctsOptions, MoIsmctsOptions, PimcOptions, TreeOptions, analysis_of, calibrated,
    certain_win, disagree, final_order, judged, resolve, run_search, search_for, solution_of
)
from sfida.ai.seat import LEAST, Clock, Observation, read_clock
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.measure import awake
from sfida.cython_ext.players import Player
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.searching import SearchPlayer
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game

# ---- `ismcts` and `mo-ismcts`: search in one tree, or in one tree per seat

P = TypeVar("P", bound=Player)
_EXACT_SHARE = 0.7                      # share of a decision's seconds for solving the rest of the game
_SECOND = 3_000_000                     # positions of an endgame that count as one second, if there is a pace
_EXTENSIONS = 2                         # equal parts of the extra time for a disagreement
_MARGINAL_WORLDS = 1000                 # worlds sampled for a table of beliefs
_BELIEFS, _SHOWN = 0xBE11EF, 0x5110     # streams of a decision's seed


def _positions(values: Mapping[str, Any], iterations: int | None, seconds: float | None) -> int:
    """Return the most positions of an endgame that a decision with this budget solves."""
    limits: list[int] = [values["endgame"]]
    if values["endgame_pace"]:
        if iterations is not None:
            limits.append(max(1, values["endgame_pace"] * iterations))
        if seconds is not None:
            limits.append(max(1, int(_SECOND * seconds)))
    return min(limits)


def line_of(search: Search, move: int) -> tuple[str, ...]:
    """Return the line that a search expects from a root move on, in notation."""
    return tuple(state.format(code) for state, code in search.line(move))


class TreeAgent(NamedAgent):
    """The common part of agents that search a tree: budgets, clocks, threads, progress, analysis.

    Attributes
    ----------
    latest : Search or None
        The search of the latest decision.
    clock : Clock or None
        The clock of this game, if there is one.
    """

    reusable = True                     # clearing the tree's memory is cheaper than allocating it again

    def __init__(self, options: TreeOptions | None = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.latest: Search | None = None
        self._crew = Crew(self.options.threads)
        self._endgame: Endgame | None = None
        self._cancelled = False
        self._hurried = False           # cancelled while solving an endgame: return any move at once
        self._spent = 0.0               # seconds of a failed attempt to solve an endgame
        self.clock: Clock | None = None

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks the knowledge that the parameters require; raises InvalidOption."""
        resolve(self.options, judged(game.initial_state().view(0), self.options))

    def new_game(self) -> None:
        """Forget the previous game and reset the clock; the tree's memory is kept."""
        super().new_game()
        self.clock = None

    def rest(self) -> None:
        """Release the memory of the tree, which the next turn does not continue."""
        self.latest = None

    def cancel(self) -> None:
        """End the running search with its present result; may be called from a signal handler or a thread."""
        self._cancelled = True
        if self.latest is not None:
            self.latest.cancel()
        if self._endgame is not None:
            self._endgame.cancel()

    def choose(self, view: View) -> int:
        """Return the move to play; raises IllegalMove if the seat is not to move."""
        started = awake()
        self._cancelled = False
        view = judged(view, self.options)
        legal = view.legal_moves()
        if not legal:
            raise IllegalMove(f"seat {view.seat} is not to move")
        if len(legal) == 1:
            self.last_analysis = self.forced(view, legal[0])
        else:
            self.last_analysis = self.solved(view, choosing=True) or self.search(
                view, choosing=True, lines=1, only=self.overlooked_win(view))
        if self.clock is not None:
            self.clock.spend(awake() - started)
        return int(self.last_analysis.best.code)

    def analyze(self, view: View) -> Analysis:
        """Spend the whole budget and return all candidates; view, seed and iterations determine the result."""
        self._cancelled = False
        view = judged(view, self.options)
        legal = view.legal_moves()
        if not legal:
            raise IllegalMove(f"seat {view.seat} is not to move")
        return self.solved(view, choosing=False) or self.search(view, choosing=False, lines=len(legal))

    def solved(self, view: View, *, choosing: bool) -> Analysis | None:
        """Return the exact solution if the rest of the game is small enough, otherwise None.

        Parameters
        ----------
        view : View
            The view, with the evaluation that the options name (`judged`).
        choosing : bool
            Whether only the best move needs to be exact.

        Notes
        -----
        The attempt is part of the decision: if it fails, its time is missing from the seconds of the search that
        follows. Its limit of `endgame_pace` positions for each iteration, or three million for each second, ends
        hopeless attempts early; with seconds it ends after 70 % of them at the latest.
        """
        self._hurried, self._spent = False, 0.0
        values = resolve(self.options, view)
        if not values["endgame"] or view.hidden:
            return None
        started = awake()
        iterations, seconds = self.allotted(view, choosing)
        self._endgame = Endgame(view, _positions(values, iterations, seconds),
                                0.0 if seconds is None else _EXACT_SHARE * seconds,
                                blend=values["blend"], tau=values["tau"], every=not choosing, seed=self.seed)
        solution = self._endgame.run()
        self._hurried = solution is None and self._cancelled
        self._spent = awake() - started
        return None if solution is None else solution_of(view, solution, self._spent)

    def overlooked_win(self, view: View) -> int | None:
        """Return a certain win, if there is one and the game's searches do not look for it (`decisive`)."""
        if self.options.decisive is not None or resolve(self.options, view)["decisive"]:
            return None
        return certain_win(view)

    def search(self, view: View, *, choosing: bool, lines: int,
               only: int | Mapping[int, float] | None = None) -> Analysis:
        """Search from a view.

        Parameters
        ----------
        view : View
            The view, with the evaluation that the options name (`judged`).
        choosing : bool
            Whether a move is to be played: the clock runs, and the search may stop early or be extended.
        lines : int
            Number of moves for which to return the expected line.
        only : int or mapping of int to float, optional
            The only move of the searching seat; or several, each with the error in log odds with which the seat
            misjudges it.
        """
        raise NotImplementedError

    def budget(self, view: View, choosing: bool) -> tuple[int | None, float | None]:
        """Return the iterations and seconds left for the coming decision; a clock gives seconds only to choosing."""
        if self._hurried:
            return 1, None
        iterations, seconds = self.allotted(view, choosing)
        return iterations, None if seconds is None else max(LEAST, seconds - self._spent)

    def allotted(self, view: View, choosing: bool) -> tuple[int | None, float | None]:
        """Return the iterations and seconds of the whole coming decision."""
        iterations, seconds = self.options.budget
        if self.options.clock is None or not choosing:
            return iterations, seconds
        if self.clock is None:
            self.clock = Clock(*read_clock(self.options.clock))
        world = view.sample(Random(self.seed))          # public information is the same in every world
        allotted = self.clock.allot(view.game.decisions_left(world, view.seat),
                                    view.game.decision_weight(world, view.seat))
        return self.options.iterations, allotted if self.options.seconds is None else min(
            allotted, self.options.seconds)

    def callback(self, view: View, started: float, calibration: float,
                 before: int = 0) -> Callable[[Search], None] | None:
        """Return the progress callback of a search; None without a listener; `before`: iterations already done."""
        if self.on_progress is None:
            return None
        report = self.on_progress

        def callback(running: Search) -> None:
            rows = running.root_edges()
            if not rows or not rows[0]["visits"]:
                return                  # the first playout is still running
            row = rows[0]
            report(Progress(before + running.visits, awake() - started, view.format(row["move"]),
                            calibrated(row["value"], calibration)[view.seat]))

        return callback

    def shown(self, view: View, worlds: list[GameState] | None = None) -> tuple[Marginal, ...]:
        """Return the probable values of each hidden item."""
        if not view.hidden:
            return ()
        if worlds is None:
            rng = Random(derive(self.seed, _SHOWN))
            worlds = [view.sample(rng) for _ in range(_MARGINAL_WORLDS)]
        return marginals(worlds, view.seat)

    def forced(self, view: View, move: int) -> Analysis:
        """Return the analysis of the only legal move."""
        value = tuple(1.0 / view.players for _ in range(view.players))
        if self.last_analysis is not None and self.last_analysis.seat == view.seat:
            value = self.last_analysis.value
        stats = MoveStats(view.format(move), move, 0, 1.0, value[view.seat], 0.0, 1.0, (view.format(move),), value)
        return Analysis(view.seat, 0, value, (stats,), 0.0, "forced")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "latest": None, "_endgame": None, "_crew": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._crew = Crew(self.options.threads)


class IsmctsAgent(TreeAgent):
    """Searches one tree from its own view; plain UCT if nothing is hidden."""

    name = "ismcts"
    doc = "information set Monte Carlo tree search, one tree"
    options_class: ClassVar[type[Any]] = IsmctsOptions

    def __init__(self, options: IsmctsOptions | MoIsmctsOptions | None = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._played: int | None = None
        self._beliefs: Beliefs | None = None
        self.observe: Callable[[Observation], None] | None = None
        if self.options.beliefs:
            self._beliefs = Beliefs(BeliefOptions(particles=self.options.beliefs, tau=self.options.belief_tau,
                                                  explore=self.options.belief_explore))
            self.observe = self._beliefs.observe

    def new_game(self) -> None:
        """Forget the previous game; the tree's memory is kept."""
        super().new_game()
        self._played = None
        if self._beliefs is not None:
            self._beliefs.new_game(derive(self.seed, _BELIEFS))

    def choose(self, view: View) -> int:
        """Return the move to play; raises IllegalMove if the seat is not to move."""
        move = super().choose(view)
        self._played = None if self.last_analysis.stopped in ("forced", "solved") else move
        return move

    def analyze(self, view: View) -> Analysis:
        """Spend the whole budget and return all candidates; view, seed and iterations determine the result."""
        self._played = None
        return super().analyze(view)

    def search(self, view: View, *, choosing: bool, lines: int,
               only: int | Mapping[int, float] | None = None) -> Analysis:
        iterations, seconds = self.budget(view, choosing)
        started = awake()
        worlds = self._worlds(view)
        followed = (choosing and self.options.reuse and worlds is None and only is None and self.latest is not None
                    and self._played is not None and self.latest.advance(self._played, view))
        if followed:
            if seconds is not None:
                seconds = max(LEAST, seconds * self.options.follow)
        else:
            if self.latest is None or not self.latest.fits(view):
                self.latest = search_for(view, self.options, self.seed)
            self.latest.restart(view, self.seed, worlds=worlds, only=only)
        search = self.latest
        assert search is not None
        power = resolve(self.options, view)["calibration"]
        callback, threads = self.callback(view, started, power), self._crew
        stopped = run_search(search, threads, iterations=iterations, seconds=seconds, callback=callback,
                             early_stop=choosing and self.options.early_stop)
        for _ in range(_EXTENSIONS if choosing and seconds is not None and self.options.extend else 0):
            if stopped != "seconds" or not disagree(search.root_edges()):
                break
            assert seconds is not None
            more = seconds * self.options.extend / _EXTENSIONS
            if self.clock is not None:
                more = min(more, self.clock.spare(awake() - started))
            if more <= 0.0:
                break
            stopped = run_search(search, threads, iterations=iterations, seconds=more, callback=callback,
                                 early_stop=self.options.early_stop)
        if self._hurried:
            stopped = "cancelled"
        rows = final_order(search.root_edges(), self.options.final, self.options.temperature, self.seed)
        known = {row["move"]: line_of(search, row["move"]) for row in rows[:lines] if row["visits"]}
        return analysis_of(view, rows, known, iterations=search.visits, seconds=awake() - started,
                           stopped=stopped, full=search.arena_full,
                           beliefs=() if choosing else self.shown(view, worlds), effective=self._effective(view),
                           calibration=power)

    def player(self, game: Game) -> Player | None:
        options = self.options
        iterations, seconds = options.budget
        if (type(self) not in (IsmctsAgent, MoIsmctsAgent) or iterations is None or seconds is not None
                or options.clock is not None or options.threads != 1 or options.beliefs):
            return None
        return self.searching(SearchPlayer, game.initial_state())

    def searching(self, kind: Callable[..., P], start: GameState) -> P:
        """Return a player that searches as this agent does in the game of a position."""
        options = self.options
        view = judged(start.view(0), options)
        start.set_knowledge(view.knowledge)
        values = resolve(options, view)
        return kind(start, partial(search_for, options=options, seed=0), options.budget[0], options.early_stop,
                    options.reuse, options.decisive is None and not values["decisive"], options.final,
                    options.temperature, _positions(values, *options.budget), values["blend"], values["tau"])

    def _worlds(self, view: View) -> list[GameState] | None:
        """Return the worlds to draw from if beliefs are used; None otherwise."""
        if self._beliefs is None or not view.hidden:
            return None
        return self._beliefs.worlds(view, self.options.beliefs, derive(self.seed, _BELIEFS))

    def _effective(self, view: View) -> float | None:
        if self._beliefs is None or not view.hidden:
            return None
        return float(self._beliefs.filter(view.seat, self.seed).ess)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_played": None}


class MoIsmctsAgent(IsmctsAgent):
    """Searches one tree per seat: each seat decides by what it has seen."""

    name = "mo-ismcts"
    doc = "the same with one tree per seat, for games that hide moves"
    options_class: ClassVar[type[Any]] = MoIsmctsOptions


# ---- The agent `pimc`: perfect information Monte Carlo, an ensemble of searches in sampled worlds

_WORLDS, _SEARCH = 1, 2                 # streams of a decision's seed


class PimcAgent(TreeAgent):
    """Searches several sampled worlds, each as if all seats saw everything, and adds up the visits.

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
            if self.latest is None or not self.latest.fits(view):
                self.latest = search_for(view, self.options, seed, world=world)
            search = self.latest
            search.restart(view, seed, world=world, only=only)
            left = None if seconds is None else started + seconds - awake()
            if left is not None and left <= 0.0 and number:
                break                   # the seconds limit the number of worlds, but one is always searched
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
    untried: Sequence[float] = ()       # the core's values for a move without visits

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


# ---- The `flat` agent: flat Monte Carlo, one bandit over the legal moves and no tree


class FlatAgent(NamedAgent):
    """Runs random playouts after every legal move and plays the one with the best mean.

    Iteration budgets are distributed by sequential halving (ceil(log2 k) rounds, the better half survives each), time
    budgets by UCB1. The agent assumes that all seats, its own included, continue with random moves. If a move wins for
    certain, it considers no other.

    Attributes
    ----------
    latest : FlatSearch or None
        The search of the latest decision.
    """

    name = "flat"
    doc = "flat Monte Carlo: playouts after each move, no tree"
    options_class = FlatOptions
    reusable = True

    def __init__(self, options: FlatOptions | None = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.latest: FlatSearch | None = None

    def cancel(self) -> None:
        """End the running search with its present result; may be called from a signal handler or a thread."""
        if self.latest is not None:
            self.latest.cancel()

    def check_game(self, game: Game) -> None:
        """Refuse a game that lacks the knowledge that the parameters require; raises InvalidOption."""
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
        search = self.latest = FlatSearch(view, self.seed, only=certain_win(view), **p)

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
        self.latest = None             # cannot be sent to another process
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
