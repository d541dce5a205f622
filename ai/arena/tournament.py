"""A tournament: workers play the schedule into a store, from which the table is computed."""

from __future__ import annotations

import contextlib
import math
import os
import tempfile
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sfida.ai.agent import PERSON, Agent
from sfida.ai.arena.backends import LOCAL, portable, work_on, workers
from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.evaluate import evaluate
from sfida.ai.arena.outcome import Audience, GameOutcome
from sfida.ai.arena.player import Lineup
from sfida.ai.arena.playing import BlockTask, dismiss, play_block
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions, Stopping, counted_blocks, most_games
from sfida.ai.arena.standings import Standings
from sfida.ai.arena.store import Store, is_vacant
from sfida.ai.chance import check_seed, fresh_seed
from sfida.ai.luck.value import GameLuck, Value, luck_of
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import MOST_SECONDS, Seat, usual_limit
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.measure import awake
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.engines.spec import contents_of, quoted, whole

# ---- The progress of a tournament, kept up to date at the cost of a few sums per block

_Z = 1.96


@dataclass(frozen=True)
class TournamentProgress:
    """The progress of a tournament at one moment.

    Attributes
    ----------
    games, of : int
        Games finished and all games, including those of an earlier run.
    seconds : float
        Time since this run began.
    rate : float
        Games per second in this run.
    left : float or None
        Seconds left at this rate; None before the first game.
    leader : str
        Label of the agent with the best win share so far; "" before the first block.
    share, half_width : float
        Its win share and half of its approximate 95 % interval.
    forfeits : int
    sprt : float or None
        Progress of the sequential test, 0 to 1; None without one.
    """

    games: int
    of: int
    seconds: float
    rate: float
    left: float | None
    leader: str
    share: float
    half_width: float
    forfeits: int
    sprt: float | None


class Meter:
    """Keeps the sums behind `TournamentProgress`.

    Parameters
    ----------
    setup : Setup
    of : int
        Games of the whole tournament.
    held : int
        Games finished before this run.
    """

    def __init__(self, setup: Setup, of: int, held: int) -> None:
        self._setup = setup
        self._of = of
        self._before = held
        self._started = awake()
        self._sums = np.zeros((3, len(setup.agents)))       # blocks, shares, squared shares
        self._forfeits = 0
        self.sprt: float | None = None

    def add(self, block: Sequence[GameOutcome]) -> None:
        """Count a whole block."""
        self._forfeits += sum(outcome.forfeit is not None for outcome in block)
        agents = np.concatenate([outcome.agents for outcome in block])
        shares = np.concatenate([outcome.utilities for outcome in block])
        seats = np.bincount(agents, minlength=self._sums.shape[1])
        present = seats > 0
        mean = np.bincount(agents, shares, minlength=self._sums.shape[1])[present] / seats[present]
        self._sums[:, present] += (np.ones(len(mean)), mean, mean * mean)

    def read(self, games: int) -> TournamentProgress:
        """Return the progress after `games` games."""
        seconds = awake() - self._started
        played = games - self._before
        rate = played / seconds if seconds > 0 else 0.0
        blocks, shares, squares = self._sums
        leader, share, half_width = "", 0.0, 0.0
        if blocks.any():
            means = np.divide(shares, blocks, out=np.full(len(blocks), -1.0), where=blocks > 0)
            best = int(means.argmax())
            n, share = float(blocks[best]), float(means[best])
            variance = max(0.0, (squares[best] - n * share * share) / max(n - 1, 1))
            half_width = _Z * math.sqrt(variance / n) if n > 1 else 1.0
            leader = self._setup.labels[best]
        return TournamentProgress(games, self._of, seconds, rate,
                                  (self._of - games) / rate if played and rate else None, leader, share, half_width,
                                  self._forfeits, self.sprt)


# ---- Measuring the luck of games in a store, in parallel

_BATCH = 8              # games of one task


Place = tuple[int, int]         # block and rotation of a game


def measure_games(game: Game, records: Sequence[tuple[Place, GameRecord]]) -> dict[Place, GameLuck]:
    """Return the luck of some games, each with its place."""
    value = Value(game)
    return {place: luck_of(record, value) for place, record in records}


def measure(store: Store, value: Value, jobs: int = 1, backend: str = "loky",
            on_progress: Callable[[int, int], object] | None = None) -> int:
    """Measure and add the luck of all games of a store that lack it; return their number.

    Parameters
    ----------
    store : Store
        Open for writing; the key of the value function must be noted in it.
    value : Value
    jobs : int
    backend : str
        A backend that runs on this machine.
    on_progress : callable, optional
        Called with the number of games measured so far, and of all that lacked it.
    """
    measured = store.luck()
    missing = [((outcome.block, outcome.rotation), outcome.record) for outcome in store.outcomes()
               if (outcome.block, outcome.rotation) not in measured]
    for found in work_on(measure_games, value.game, missing, _BATCH, jobs, backend, on_progress):
        store.add_luck(found)
    return len(missing)


# ---- A tournament: workers play the schedule into a store, from which the table is computed

GAMES = 200                     # default number of games: fewer mean little
_TICK = 0.5                     # seconds between two progress reports


class Tournament:
    """A tournament that can be played.

    Parameters
    ----------
    game : str or Game
    agents : sequence of str or Agent
        At least two. A gauntlet and a sequential test compare the first one with the others.
    games : int, optional
        Rounded up to whole blocks; by default 200, or with a sequential test four times its expected length.
    seed : int, optional
        0 to 2**128 - 1. By default a fresh seed is drawn and kept in the setup; only such a seed cannot be guessed
        (docs/measure/statistics.md).
    mode : str
        "round-robin" or "gauntlet".
    mirror : bool
    luck : str
    sprt : SprtOptions, optional
        Test that ends the tournament as soon as it decides.
    limit : float, optional
        Seconds that a decision may take before the game is forfeited; by default 60, or five times the longest
        decision that the agents' own budgets of time allow.
    adjusted : bool, optional
        Whether to measure the luck of every game and test the luck-adjusted results; by default luck is measured if
        the game says how its positions are valued (`Game.luck_defaults`), and the test uses the unadjusted results.
    values : bool
        Whether the records include what the agents' searches expected at every decision (`player.VALUES`).
    **options
        More game options.

    Attributes
    ----------
    setup : Setup
    schedule : Schedule
    sprt : SprtOptions or None
    value : Value or None
        Value function that measures luck; None: luck is not measured.
    limit : float

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """

    def __init__(self, game: str | Game, agents: Sequence[str | Agent], games: int | None = None,
                 seed: int | None = None, *, mode: str = "round-robin", mirror: bool = False, luck: str = "common",
                 sprt: SprtOptions | None = None, limit: float | None = None, adjusted: bool | None = None,
                 values: bool = False, **options: object) -> None:
        if isinstance(agents, str):
            raise InvalidOption(f"a tournament needs a list of agents, not {quoted(agents)}")
        engine = make_game(game, **options)
        made = [make_agent(agent) if isinstance(agent, str) else agent for agent in agents]
        for agent in made:
            _check_agent(agent, engine)
        setup = Setup(engine.spec(), engine.rules_version, engine.players, tuple(agent.spec for agent in made),
                      GAMES if games is None else games, fresh_seed() if seed is None else check_seed(seed),
                      mode, mirror, luck, tuple(sorted(contents_of(engine.options, *(
                          Seat(agent).options for agent in made)).items())))
        if sprt is not None and not isinstance(sprt, SprtOptions):
            raise InvalidOption(f"a sequential test is given by SprtOptions or by text, not {quoted(sprt)}")
        if sprt is not None and adjusted:
            sprt = replace(sprt, adjusted=True)
        if sprt is not None and sprt.adjusted and adjusted is False:
            raise InvalidOption("a test of luck-adjusted results needs the luck of the games: leave adjusted=False out")
        if adjusted and not engine.chance_sources:
            raise InvalidOption(f"there is no luck in {engine.title} to take off the results")
        if sprt is not None and games is None:
            setup = replace(setup, games=most_games(setup, sprt))
        Stopping(setup, sprt)               # raises an error for a setup that the test cannot compare
        self.game = engine
        self.setup = setup
        self.schedule: Schedule = Schedule(setup)
        self.sprt = sprt
        wanted = (bool(engine.luck_defaults) if adjusted is None else adjusted) or (sprt is not None and sprt.adjusted)
        self.value: Value | None = Value(engine) if wanted and engine.chance_sources else None
        seats = [Seat(agent) for agent in made]
        self._timed = list(dict.fromkeys(seat.spec for seat in seats if seat.longest is not None))
        self.limit: float = _limit(limit, seats)
        self._lineup = Lineup(portable(engine), tuple(spec if isinstance(given, str) else portable(given)
                                                      for given, spec in zip(agents, setup.agents, strict=True)),
                              setup.agents, self.limit, analyses=False, values=values, contents=setup.contents)

    def cautions(self, jobs: int, backend: str = "loky") -> list[str]:
        """Return the warnings that a user should see before the first game, one line each."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if self._timed and backend in LOCAL and jobs > cores:
            timed = ", ".join(self._timed)
            return [f"{jobs} jobs share {cores} cores: agents with a time budget ({timed}) search less "
                    f"than they would alone; use at most -j {cores}, or budgets of iterations"]
        return []

    def run(self, store: Path, *, jobs: int = 1, backend: str = "loky", cluster: str | None = None,
            resume: bool = False, strict: bool = False, observers: Sequence[Any] = (),
            on_progress: Callable[[TournamentProgress], object] | None = None) -> Standings:
        """Play the games that the store lacks and return the table.

        Parameters
        ----------
        store : Path
            File that receives every game as soon as it is over.
        jobs : int
            Number of processes; it does not change the result if budgets are iterations and not seconds.
        backend : str
            A joblib backend: "loky", "threading", "dask" or "ray".
        cluster : str, optional
            Address of a running cluster.
        resume : bool
            Whether to continue the tournament in the store, which is created if missing.
        strict : bool
            Whether to stop at the first forfeit.
        observers : sequence of object
            See `sfida.ai.arena.outcome`.
        on_progress : callable
            Called with a `TournamentProgress` about twice a second, in another thread, and once at the end.

        Raises
        ------
        InvalidOption, InvalidRecord
            If an argument is wrong, or the store already exists or holds another tournament.
        Stopped
            At a forfeit in a strict tournament.
        SfidaError
            If the game cannot be played.
        KeyboardInterrupt
            At Ctrl-C; the games in the store are kept.
        """
        if (whole(jobs) or 0) < 1:
            raise InvalidOption(f"the number of jobs must be a whole number of at least 1, not {quoted(jobs)}")
        audience = Audience(self.game, observers)
        with self._open(store, resume) as opened, contextlib.ExitStack() as end:
            end.callback(opened.settle)
            opened.note("sprt", None if self.sprt is None else str(self.sprt))
            opened.note("limit", self.limit)
            if self.value is not None:
                opened.note("value", self.value.key)
                measure(opened, self.value, jobs, backend if backend in LOCAL else LOCAL[0])
            run = _Run(self, opened, audience)
            with run.reporting(on_progress):
                missing = run.missing_blocks()
                first = next(missing, None)
                if first is not None:
                    tasks = self._tasks(_chain(first, missing), store, backend, strict, audience)
                    with workers(backend, min(jobs, self.schedule.blocks), cluster) as play:
                        run.follow(play(play_block, tasks), stored=backend in LOCAL)
            return table_of(opened)

    def _open(self, path: Path, resume: bool) -> Store:
        if not resume or is_vacant(path):
            return Store.create(path, self.setup)
        store = Store.open(path, trust_agents=True)
        try:
            store.verify()
            store.check(self.setup)         # its game is the one that the caller named
        except BaseException:
            store.close()
            raise
        return store

    def _tasks(self, missing: Iterator[tuple[int, list[int]]], store: Path, backend: str, strict: bool,
               audience: Audience) -> Iterator[BlockTask]:
        name = uuid.uuid4().hex
        lineup = replace(self._lineup, analyses=audience.wants_moves)
        for index, rotations in missing:
            games = tuple((rotation, self.schedule.game_seed(index, rotation), self.schedule.luck_seed(index, rotation))
                          for rotation in rotations)
            yield BlockTask(name, lineup, self.schedule.block(index), games,
                            store.absolute() if backend in LOCAL else None, strict, self.value is not None)


class _Run:
    """One run of a tournament: its finished and missing games, and whether it is decided."""

    def __init__(self, tournament: Tournament, store: Store, audience: Audience) -> None:
        self._tournament = tournament
        self._store = store
        self._audience = audience
        self._players = tournament.setup.players
        self._held = store.held()
        self._meter = Meter(tournament.setup, tournament.schedule.games, len(self._held))
        self._stopping = Stopping(tournament.setup, tournament.sprt)
        self._waiting: dict[int, list[GameOutcome]] = {}        # whole blocks that came before their turn
        self._begun: dict[int, list[GameOutcome]] = {}
        for outcome in store.outcomes():
            self._take(outcome)

    def missing_blocks(self) -> Iterator[tuple[int, list[int]]]:
        """Yield (block, rotations to play) while the tournament is undecided."""
        for index in range(self._tournament.schedule.blocks):
            if self._stopping.decided:
                return
            rotations = [rotation for rotation in range(self._players) if (index, rotation) not in self._held]
            if rotations:
                yield index, rotations

    def follow(self, blocks: Iterator[list[GameOutcome]], stored: bool) -> None:
        """Process blocks as they finish, until the test decides; `stored`: by the workers, as each game ended."""
        try:
            for outcomes in blocks:
                for outcome in outcomes:
                    if not stored:
                        self._store.add(outcome)
                    self._take(outcome)
                if self._stopping.decided:
                    break
        finally:
            blocks.close()              # type: ignore[attr-defined]
            dismiss()

    def _take(self, outcome: GameOutcome) -> None:
        games = self._begun.setdefault(outcome.block, [])
        games.append(outcome)
        if len(games) < self._players:
            return
        self._waiting[outcome.block] = sorted(self._begun.pop(outcome.block), key=lambda game: game.rotation)
        self._meter.add(games)
        while self._stopping.blocks in self._waiting and not self._stopping.decided:
            block = self._waiting.pop(self._stopping.blocks)
            for game in block:
                self._audience.tell(game)
            self._stopping.add(block)
            self._meter.sprt = self._stopping.fraction

    @contextlib.contextmanager
    def reporting(self, on_progress: Callable[[TournamentProgress], object] | None) -> Iterator[None]:
        """Report progress while the block runs."""
        if on_progress is None:
            yield
            return
        done = threading.Event()

        def report() -> None:
            with Store.open(self._store.path) as store:
                while not done.wait(_TICK):
                    on_progress(self._meter.read(len(store)))

        reporter = threading.Thread(target=report, daemon=True)
        try:
            reporter.start()
        except RuntimeError:            # the system starts no more threads: play without reports
            reporter = threading.current_thread()
        try:
            yield
        finally:
            done.set()
            if reporter is not threading.current_thread():
                reporter.join()
            on_progress(self._meter.read(len(self._store)))


def table_of(store: Store) -> Standings:
    """Return the table of the games in a store, up to the decision of a sequential test."""
    return evaluate(Tally.of(counted(store), store.setup.players), store.setup, sprt=store.sprt,
                    trust_agents=store.trusted_game is not None, value=store.value)


def counted(store: Store) -> Iterator[GameOutcome]:
    """Yield the games of a store that count, in schedule order."""
    return store.outcomes(counted_blocks(store.outcomes(), store.setup, store.sprt))


def _check_agent(agent: Agent, game: Game) -> None:
    """Refuse an agent that cannot play in a tournament; raises InvalidOption."""
    Seat(agent).check(game)
    if agent.spec.partition(":")[0] == PERSON:
        raise InvalidOption("'human' cannot sit in a tournament: nobody would be asked; use 'sfida play'")


def _limit(limit: float | None, seats: Sequence[Seat]) -> float:
    """Return the time limit of a decision; raises InvalidOption if an agent may need more by its own budget."""
    if limit is None:
        return usual_limit(seat.longest for seat in seats)
    limit = float(limit)
    if not 0 < limit <= MOST_SECONDS:
        raise InvalidOption(f"the limit must be more than 0 seconds and at most {MOST_SECONDS:.0f}, not {limit:g}")
    slowest = max(seats, key=lambda seat: seat.longest or 0.0)
    longest, budget = slowest.longest, slowest.budget
    if longest is not None and budget is not None and limit <= longest:
        more = f", and of the {longest:g} s that it may extend a decision to" if longest > budget else ""
        raise InvalidOption(f"the limit of {limit:g} s a decision must be more than the budget of {budget:g} s of "
                            f"agent {quoted(slowest.spec)}{more}")
    return limit


def _chain(first: tuple[int, list[int]], rest: Iterator[tuple[int, list[int]]]) -> Iterator[tuple[int, list[int]]]:
    yield first
    yield from rest


# ---- A tournament in one call


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament.

    Attributes
    ----------
    setup : Setup
    standings : Standings
    outcomes : tuple of GameOutcome
        Every game that counts, in the order of the schedule.
    """

    setup: Setup
    standings: Standings
    outcomes: tuple[GameOutcome, ...] = field(repr=False)


def tournament(game: str | Game, agents: Sequence[str | Agent], games: int | None = None, seed: int | None = None,
               jobs: int = 1, *, mode: str = "round-robin", mirror: bool = False, luck: str = "common",
               sprt: SprtOptions | str | None = None, limit: float | None = None, store: str | Path | None = None,
               adjusted: bool | None = None, values: bool = False, resume: bool = False, backend: str = "loky",
               cluster: str | None = None, strict: bool = False,
               observers: Sequence[Any] = (), on_progress: Callable[[TournamentProgress], object] | None = None,
               **options: object) -> TournamentResult:
    """Play a tournament; see `Tournament` and `Tournament.run` for the parameters.

    Parameters
    ----------
    sprt : SprtOptions or str, optional
        Options as text have the form of the command line: ``"elo0=0,elo1=35"``.
    store : str or Path, optional
        Path of the store; by default a temporary file holds the games while the tournament runs.

    Examples
    --------
    >>> table = sfida.tournament("tic_tac_toe", ["ismcts:iterations=50", "random"], games=20, seed=1).standings
    >>> [agent.win_share for agent in table.agents]
    [0.95, 0.05]
    """
    planned = Tournament(game, agents, games, seed, mode=mode, mirror=mirror, luck=luck,
                         sprt=SprtOptions.parse(sprt) if isinstance(sprt, str) else sprt, limit=limit,
                         adjusted=adjusted, values=values, **options)
    for caution in planned.cautions(jobs, backend):
        warnings.warn(caution, stacklevel=2)
    if resume and store is None:
        raise InvalidOption("to resume, say which store: store='FILE'")
    with contextlib.ExitStack() as stack:
        path = Path(store) if store is not None else Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="sfida-")), "games.sfida")
        standings = planned.run(path, jobs=jobs, backend=backend, cluster=cluster, resume=resume, strict=strict,
                                observers=observers, on_progress=on_progress)
        with Store.read(path, trust_agents=True) as opened:
            return TournamentResult(planned.setup, standings, tuple(counted(opened)))
