"""The front end of the search: options, knowledge, memory, threads, exact endgames, and the choice of the move."""

from __future__ import annotations

import errno
import os
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from sfida.ai.analysis import Analysis, MoveStats
from sfida.ai.beliefs import Marginal
from sfida.ai.seat import Clock, read_clock
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.measure import awake
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.choosing import index_of_choice
from sfida.cython_ext.search.choosing import lower_bound as bound
from sfida.cython_ext.search.parameters import (
    MemoryParameters, PlayoutParameters, SearchParameters, SeatTreeParameters, TreeParameters, game_option, generic,
    option
)
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.search.solve import Solution, SolvedMove, Solver
from sfida.cython_ext.state import GameState, View
from sfida.engines.files import expanded
from sfida.engines.game import Game
from sfida.engines.learned import read_learned
from sfida.engines.spec import shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# ---- The evaluation that an agent uses: the option `knowledge`

HAND, LEARNED = "hand", "learned"
_DIGITS = 16            # hex digits; the digest covers the content of a file, not how it was made


def knowledge_option(unset: str) -> Any:
    """Declare the option `knowledge`; `unset` describes its value when it is left out."""
    return option(None, "what evaluates positions: the game's hand-written evaluation (hand), the one it has "
                  "learned (learned), or one in a file", unset=unset,
                  contents=lambda value: {} if value in (HAND, LEARNED) else {value: _in_file(value).digest[:_DIGITS]})


@dataclass(frozen=True)
class KnowledgeOptions:
    """The option for the evaluation of positions."""

    knowledge: str | None = knowledge_option("game's")


def judged(view: View, options: KnowledgeOptions) -> View:
    """Return a view with the same content and the evaluation that the options name.

    Raises
    ------
    InvalidOption
        If the game has learned nothing, or a file cannot be read or is for another game.
    """
    if options.knowledge is None:
        return view
    chosen = _chosen(view.game, options.knowledge)
    if chosen == view.knowledge:
        return view
    view = view.clone()
    view.set_knowledge(chosen)
    return view


def _chosen(game: Game, knowledge: str) -> Learned | None:
    if knowledge == HAND:
        return None
    if knowledge == LEARNED:
        if game.knowledge is None:
            raise InvalidOption(f"{game.title} has no learned evaluation: leave 'knowledge' out, or name a file")
        return game.knowledge
    try:
        return _in_file(knowledge)
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise InvalidOption(f"option 'knowledge' must be {HAND}, {LEARNED} or a file; there is no file "
                                f"{shown(knowledge)}") from None
        raise InvalidOption(f"{shown(knowledge)} cannot be read: {error.strerror}") from None


def _in_file(knowledge: str) -> Learned:
    path = expanded(knowledge)
    found = path.stat()
    return _read(path, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=16)
def _read(path: Path, _inode: int, _changed: int, _size: int) -> Learned:
    """Return the content of a file; a changed file is read again."""
    return read_learned(path)


# ---- Parameters of the agents that search; the table of the compiled core defines those of the search itself

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True)
class BudgetOptions:
    """Budget of a decision; the limit that is reached first ends it. Without any it has 1000 iterations."""

    iterations: int | None = option(None, "iterations per decision", unset="no limit", low=1, high=1_000_000_000)
    seconds: float | None = option(None, "seconds per decision", unset="no limit", unit="s", low=0.001,
                                 high=86400.0)

    @property
    def budget(self) -> tuple[int | None, float | None]:
        """Return iterations and seconds of a decision without a clock; at least one is set."""
        if self.iterations is None and self.seconds is None:
            return DEFAULT_ITERATIONS, None
        return self.iterations, self.seconds

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take, None if no clock ends it."""
        return self.seconds


@dataclass(frozen=True)
class FlatOptions(KnowledgeOptions, PlayoutParameters, BudgetOptions):
    """Parameters of `flat`."""

    c: float = option(0.7, "exploration constant of UCB1 (time budgets)", low=0.0, high=100.0)


@dataclass(frozen=True)
class ThreadOptions:
    """The threads that work on a decision, and the clock that limits it."""

    clock: str | None = option(None, "seconds for a whole game plus seconds added by each decision, such as 300+5",
                             unset="no clock")
    threads: int = option(1, "threads that share the tree; with an iteration budget they do not change the result",
                        low=1, high=64)

    def __post_init__(self) -> None:
        if self.clock is not None:
            read_clock(self.clock)


@dataclass(frozen=True)
class FinalOptions:
    """Options of the final choice of the move."""

    endgame: int | None = game_option(0, "most positions of an endgame that is solved exactly (if nothing is hidden); "
                                    "0: never", low=0, high=100_000_000)
    endgame_pace: int | None = game_option(0, "most of them for each iteration of the budget, or 3,000,000 for each "
                                         "second of it; 0: no such limit", low=0, high=100_000_000)
    calibration: float | None = game_option(1.0, "power to which expected win shares are raised before they are "
                                          "told, which makes them less sure if below 1; moves stay the same",
                                          low=0.1, high=10.0)
    final: str = option("lcb", "the move to play: best lower bound among the well visited (lcb), most visits, or drawn "
                      "by visits (sample)", values=("lcb", "visits", "sample"))
    temperature: float = option(1.0, "for final=sample: draw by visit shares ** (1 / temperature), without those below "
                              "5 % of the best", low=0.01, high=100.0)


@dataclass(frozen=True)
class TreeOptions(MemoryParameters, KnowledgeOptions, FinalOptions, TreeParameters, ThreadOptions, PlayoutParameters,
                  BudgetOptions):
    """The common parameters of agents that search a tree."""

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take by its own seconds and by the clock, None if neither ends it."""
        found = [] if self.seconds is None else [self._extended(self.seconds)]
        if self.clock is not None:
            found.append(Clock(*read_clock(self.clock)).longest)
        return min(found, default=None)

    def _extended(self, seconds: float) -> float:
        """Return the seconds of a decision with the longest extension."""
        return seconds


@dataclass(frozen=True)
class HiddenOptions(TreeOptions):
    """Further parameters of searches over information sets."""

    beliefs: int = option(0, "number of worlds, weighted by what the other seats' moves reveal; "
                        "0: the game's own determinizer", low=0, high=1_000_000)
    belief_explore: float = option(0.5, "share of random moves in the model of the other seats", low=0.0, high=1.0)
    belief_tau: float = option(0.7, "weight of each observed move", low=0.0, high=1.0)
    early_stop: bool = option(True, "when choosing a move, stop as soon as no other can catch up", values=(True, False))
    extend: float = option(0.5, "extra share of the seconds while the most visited move does not have the best mean",
                         low=0.0, high=10.0)
    reuse: bool = option(True, "keep the tree between the steps of a turn", values=(True, False))
    follow: float = option(0.3, "share of the seconds that a later step of the same turn gets", low=0.0, high=1.0)

    def _extended(self, seconds: float) -> float:
        return seconds * (1.0 + self.extend)


@dataclass(frozen=True)
class IsmctsOptions(HiddenOptions):
    """Parameters of `ismcts`."""


@dataclass(frozen=True)
class MoIsmctsOptions(SeatTreeParameters, HiddenOptions):
    """Parameters of `mo-ismcts`."""


@dataclass(frozen=True)
class PimcOptions(TreeOptions):
    """Parameters of `pimc`."""

    worlds: int = option(20, "sampled worlds that share the budget, each searched as if all seats saw it", low=1,
                      high=10_000)


def generic_values(cls: type[DataclassInstance]) -> dict[str, Any]:
    """Return the values of those parameters of a class that neither the user nor the game sets."""
    return {field.name: generic(field) for field in fields(cls) if "generic" in field.metadata}


def resolve(options: PlayoutParameters, view: View) -> dict[str, Any]:
    """Return the parameters that a game may set; the game's values, or generic ones, replace those that are not given.

    Raises
    ------
    InvalidOption
        If a parameter requires knowledge that the game does not have.
    """
    settings = view.game.search_settings(view.knowledge)
    values = {name: settings.get(name, value) if getattr(options, name) is None else getattr(options, name)
              for name, value in generic_values(type(options)).items()}
    if values["cutoff"] >= 0 and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation, so playouts cannot be cut off: "
                            "leave 'cutoff' out or set it to -1")
    if values.get("priors") and not view.has_priors:
        raise InvalidOption(f"the game '{view.game.name}' has no priors: leave 'priors' out or set it to false")
    return values


# ---- How much memory the tree of a decision may take

LEAST = 64                              # MB
MOST = 1024 if sys.maxsize > 2**32 else LEAST       # a process of 32 bits has too few addresses for more
_AN_ITERATION = 2048                    # bytes; none of the board games was seen to need more than 1,600
_SHARE = 4                              # a tree takes at most 1 / _SHARE of the machine's memory
_LIMIT_OF_GROUP = Path("/sys/fs/cgroup/memory.max")


def memory_of(options: TreeOptions) -> int:
    """Return the memory limit of a tree in MB: the one given, or one that suits the budget.

    With an iteration budget it depends on the iterations alone: the same seed and iterations give the same tree on
    every machine of 64 bits. With 32 bits a tree has at most `MOST`, whatever the options say. With seconds alone it
    is the maximum, but never more than a quarter of the machine's memory.
    """
    if options.memory is not None:
        return min(options.memory, MOST) if MOST == LEAST else options.memory
    iterations, _ = options.budget
    if options.iterations is None and options.clock is not None:
        iterations = None
    if iterations is not None:
        return min(MOST, max(LEAST, -(-iterations * _AN_ITERATION // 2**20)))
    return max(1, min(MOST, machine_memory() // _SHARE // 2**20))


def machine_memory() -> int:
    """Return the bytes of memory that this machine has, or that this process may use if that is less."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _SHARE * LEAST << 20     # unknown memory: the smallest limit
    with suppress(OSError, ValueError):     # no control group, or one without a limit ("max")
        total = min(total, int(_LIMIT_OF_GROUP.read_text()))
    return total


# ---- Threads that share the tree of one search, through joblib


class Crew:
    """Threads that help one search after another; they start with the first search and wait between searches.

    Getting threads from joblib takes milliseconds, as long as a decision, so they are kept for many decisions.

    Parameters
    ----------
    threads : int
        Number of threads that work on a search, 1 to 64, including the one that runs it.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._searches: SimpleQueue[Search | None] = SimpleQueue()
        self._end: Callable[[], object] = _nothing
        self._alone = threads == 1

    @contextmanager
    def helping(self, search: Search) -> Iterator[None]:
        """Let the other threads join the search that runs inside; late ones find it closed and leave."""
        if not self._alone and self._end is _nothing:
            self._start()
        if not self._alone:
            for _ in range(self.threads - 1):
                self._searches.put(search)
        yield

    def close(self) -> None:
        """Release the threads; the next search gets new ones."""
        self._end()
        self._end = _nothing

    def _start(self) -> None:
        import joblib  # it would take a tenth of the start of a program with one thread

        searches, helpers = self._searches, self.threads - 1
        # One job more than needed: joblib would run a single job in this thread.
        try:
            ended = joblib.Parallel(n_jobs=self.threads, backend="threading", pre_dispatch="all",
                                    return_as="generator_unordered")(
                joblib.delayed(_help)(searches) for _ in range(helpers))
        except Exception as error:
            if not no_more_threads(error):
                raise
            self._alone = True          # with an iteration budget the result is the same
            warnings.warn("the system starts no more threads, so searches continue on one", RuntimeWarning,
                          stacklevel=2)
            return
        self._end = weakref.finalize(self, _dismiss, searches, helpers, ended)


def no_more_threads(error: BaseException | None) -> bool:
    """Return whether an error, its cause or its context says that the system starts no more threads."""
    while error is not None:
        if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _nothing() -> None:
    """Do nothing: there are no threads to release."""


def _help(searches: SimpleQueue[Search | None]) -> None:
    """Help searches until None arrives."""
    while True:
        search = searches.get()
        if search is None:
            return
        search.help()
        del search                      # frees its memory during the wait for the next one


def _dismiss(searches: SimpleQueue[Search | None], helpers: int, ended: Iterator[None]) -> None:
    for _ in range(helpers):
        searches.put(None)
    for _ in ended:
        pass


def run_search(search: Search, threads: int | Crew, *, iterations: int | None = None, seconds: float | None = None,
               callback: Callable[[Search], object] | None = None, early_stop: bool = False,
               ordered: bool | None = None) -> str:
    """Run a search on several threads, including the calling one, and return why it stopped.

    With an iteration budget the result is the same on any number of threads: the operations on every node are done in
    the same order. With only seconds and more than one thread, each thread continues as soon as it can.

    Parameters
    ----------
    search : Search
    threads : int or Crew
        1 to 64, or existing threads.
    iterations, seconds, callback, early_stop
        As in `Search.run`.
    ordered : bool, optional
        Whether threads keep the order of the iterations; by default the kind of budget decides.
    """
    crew = threads if isinstance(threads, Crew) else Crew(threads)
    budget: dict[str, Any] = {"iterations": iterations, "seconds": seconds, "callback": callback,
                              "early_stop": early_stop}
    if ordered is None:
        ordered = crew.threads == 1 or iterations is not None
    search.admit_helpers(crew.threads, ordered)
    try:
        with crew.helping(search):
            return search.run(**budget)
    finally:
        if crew is not threads:
            crew.close()


# ---- Building a search of the compiled core from an agent's parameters


def search_for(view: View, options: TreeOptions, seed: int, *, profiling: bool = False,
               world: GameState | None = None, worlds: Sequence[GameState] | None = None) -> Search:
    """Build the search of one decision with the game's defaults filled in.

    Parameters
    ----------
    view : View
    options : TreeOptions
        Those of `mo-ismcts` give a search with one tree per seat, all others one tree.
    seed : int
    profiling : bool
        Whether to measure the time of each step.
    world : GameState, optional
        The world to search, which all seats see.
    worlds : sequence of GameState, optional
        The worlds to draw from.

    Raises
    ------
    InvalidOption
        If the options require knowledge that the game does not have.
    """
    known = {field.name for field in fields(SearchParameters)}
    values = {**vars(options), **resolve(options, view), "memory": memory_of(options)}
    return Search(view, seed, **{name: value for name, value in values.items() if name in known},
                  multiple=isinstance(options, SeatTreeParameters), profiling=profiling, world=world,
                  worlds=list(worlds) if worlds else None)


# ---- Solving the rest of a game exactly within the limits of a decision

_EQUAL = 1e-9                           # largest difference of win shares that is rounding only


class Endgame:
    """One attempt; `cancel` may be called from a signal handler or a thread.

    With two seats the first solution counts the win alone: most results are wins, draws or losses, which cuts off three
    quarters of the positions. Within the rest of the limits a second solution counts win and margin together, so that
    among moves of equal win share it prefers the one with the most points.

    Parameters
    ----------
    view : View
        View of the seat to move in a game that hides nothing.
    positions : int
        Most positions to search.
    seconds : float
        Time limit; 0: none.
    blend, tau : float
        The margin's weight and scale (see `Solver`).
    every : bool
        Find the exact value of every move, not only of the best.
    seed : int
    """

    def __init__(self, view: View, positions: int, seconds: float, *, blend: float, tau: float, every: bool,
                 seed: int) -> None:
        self._view = view
        self._positions = positions
        self._seconds = seconds
        self._blend = blend
        self._tau = tau
        self._every = every
        self._seed = seed
        self._solver: Solver | None = None
        self._cancelled = False

    def run(self) -> Solution | None:
        """Return the solution, or None if it takes more than the limits allow."""
        if self._view.players != 2 or not self._blend:
            return self._solve(self._blend, self._positions, self._seconds)
        started = awake()
        won = self._solve(0.0, self._positions, self._seconds)
        if won is None:
            return None
        positions = self._positions - won.positions
        seconds = self._seconds - (awake() - started) if self._seconds else 0.0
        if positions < 1 or seconds < 0.0 or (self._seconds and not seconds):
            return won
        both = self._solve(self._blend, positions, seconds)
        seat = won.seat
        if both is None or both.best.value[seat] < won.best.value[seat] - _EQUAL:
            return won
        return replace(both, positions=won.positions + both.positions)

    def _solve(self, blend: float, positions: int, seconds: float) -> Solution | None:
        if self._cancelled:
            return None
        self._solver = Solver(self._view, positions, blend=blend, tau=self._tau, every=self._every, seed=self._seed,
                              seconds=seconds)
        if self._cancelled:
            return None
        return self._solver.run()

    def cancel(self) -> None:
        """End the attempt; earlier solutions remain."""
        self._cancelled = True
        if self._solver is not None:
            self._solver.cancel()


# ---- The move to play after a search, and the analysis of its result

Row = dict[str, Any]                    # a root edge, as `Search.root_edges` returns it


def certain_win(view: View, *, own_test: bool = False) -> int | None:
    """Return a move that wins for certain as far as the seat knows, or None.

    Parameters
    ----------
    view : View
        View of the seat to move.
    own_test : bool
        Whether to use only the game's own test, without looking at the states after each move.
    """
    world = view.sample(Random(0))      # the same in every world
    return world.winning_move() if world.has_sure_win or not own_test else None


def lower_bound(row: Row) -> float:
    """Return the lower confidence bound of a root move's mean reward; -inf without visits."""
    return bound(row["visits"], row["reward"], row["deviation"])


def final_order(rows: list[Row], final: str, temperature: float = 1.0, seed: int = 0) -> list[Row]:
    """Order root moves; the first is the one to play.

    Parameters
    ----------
    rows : list of dict
        Root edges. If the move is a hidden choice they hold a `strategy`, the average one: the move is drawn
        from this mixed strategy whatever `final` says.
    final : str
        "visits": the most visited; "lcb": the best lower bound among the well visited; "sample": drawn
        from visits ** (1 / temperature), without shares below 5 % of the best.
    temperature : float
    seed : int
        Seed of the draw.
    """
    rows = sorted(rows, key=lambda row: (-row["visits"], -row["reward"], row["move"]))
    if not rows or not rows[0]["visits"]:
        return rows
    if rows[0].get("strategy") is not None:
        rows.sort(key=lambda row: (-row["strategy"], row["move"]))
    rows.insert(0, rows.pop(index_of_choice(rows, final, temperature, seed)))
    return rows


def calibrated(shares: Sequence[float], power: float) -> tuple[float, ...]:
    """Return win shares, each raised to a power and divided by their sum; their order does not change."""
    if power == 1.0:
        return tuple(shares)
    raised = [share ** power for share in shares]
    total = sum(raised)
    return tuple(share / total for share in raised) if total else tuple(shares)


def analysis_of(view: View, rows: list[Row], lines: Mapping[int, tuple[str, ...]], *, iterations: int,
                seconds: float, stopped: str, full: bool, beliefs: tuple[Marginal, ...] = (),
                effective: float | None = None, calibration: float = 1.0) -> Analysis:
    """Return the result of a search as plain data.

    Parameters
    ----------
    view : View
    rows : list of dict
        Root edges in their final order.
    lines : mapping
        The expected line after each root move where it is known.
    iterations, seconds, stopped, full, beliefs, effective
        As in `Analysis`.
    calibration : float
        Power that makes the win shares that searches expect agree with the results of the game.
    """
    total = max(1, sum(row["visits"] for row in rows))
    mean = [sum(row["visits"] * row["value"][seat] for row in rows) / total for seat in range(view.players)]
    values = [calibrated(row["value"], calibration) if row["visits"] else () for row in rows]
    moves = tuple(
        MoveStats(move=view.format(row["move"]), code=row["move"], visits=row["visits"], share=row["visits"] / total,
                  value=told[view.seat] if told else None, lcb=max(0.0, lower_bound(row)) if told else None,
                  prior=row["prior"],
                  pv=lines.get(row["move"]) or (view.format(row["move"]),), values=told, strategy=row["strategy"])
        for row, told in zip(rows, values, strict=True))
    value = calibrated(mean, calibration)
    return Analysis(view.seat, iterations, value, moves, seconds, stopped, full, beliefs, effective)


def solution_of(view: View, solution: Solution, seconds: float) -> Analysis:
    """Return an exact solution as plain data; the other moves may be known only to be no better than the best."""
    best = solution.best
    rows = sorted(solution.moves, key=lambda row: (row is not best, -row.reward, row.code))
    moves = tuple(
        MoveStats(move=view.format(row.code), code=row.code, visits=0, share=float(row is best),
                  value=row.value[view.seat] if row.exact else None, lcb=row.reward if row.exact else None,
                  prior=0.0, pv=_notation(view, row), values=tuple(row.value))
        for row in rows)
    return Analysis(view.seat, solution.positions, tuple(best.value), moves, seconds, "solved")


def _notation(view: View, row: SolvedMove) -> tuple[str, ...]:
    if not row.line:
        return (view.format(row.code),)
    state, line = view.sample(Random(0)), []            # the game hides nothing: there is one world
    for code in row.line:
        line.append(state.format(code))
        state.apply(code)
    return tuple(line)


def disagree(rows: list[Row]) -> bool:
    """Return whether, of the two most visited moves, the less visited one has the better mean."""
    rows = sorted(rows, key=lambda row: -row["visits"])
    return len(rows) > 1 and rows[1]["visits"] > 0 and rows[1]["reward"] > rows[0]["reward"]

