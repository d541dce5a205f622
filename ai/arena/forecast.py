"""Forecast of a tournament before its first game: games per agent, precision, and time on this machine."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfida.ai.agent import Agent, RandomAgent
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.chance import forecast_seed
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import runs_program
from sfida.ai.search import DEFAULT_ITERATIONS, BudgetOptions
from sfida.ai.seat import Seat, read_clock
from sfida.ai.table import Table, decide
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec

# ---- The time of a game and of a decision on this machine

_GAMES = 8                      # most random games
_GAMES_SECONDS = 1.0            # seconds after which no further random game is started
_ENDLESS = 5.0                  # seconds after which an unfinished random game is stopped
_AGENT_SECONDS = 3.0            # seconds after which no further decision of an agent is measured
_DECISION_SECONDS = 0.5         # approximate seconds beyond which only a part of a search is measured
_PROBE = 100                    # iterations used to estimate the time of a search
_PLACES = (1 / 2, 1 / 6, 5 / 6, 1 / 3, 2 / 3)       # positions along a game: the middle first, if time allows only one


@dataclass(frozen=True)
class RandomGames:
    """Statistics of a few games of uniformly random moves.

    Attributes
    ----------
    decisions : float
        Mean number of decisions in a game, those without a choice included.
    openings : float
        Share of the decisions that have a choice and begin a turn, 0 to 1.
    sequels : float
        Share of the decisions that have a choice and follow another decision of the same turn, 0 to 1.
    overhead : float
        Seconds per game besides its decisions: chance events, rules and notation.
    turns : tuple of GameState
        The states at the beginning of every turn of one game.
    """

    decisions: float
    openings: float
    sequels: float
    overhead: float
    turns: tuple[GameState, ...]


def play_random_games(game: Game, seed: int) -> RandomGames | None:
    """Play a few random games; return None if the first one does not end within 5 seconds."""
    started = time.perf_counter()
    played: list[_Counts] = []
    turns: list[GameState] = []
    for each in np.random.default_rng(seed).integers(2**63, size=_GAMES):
        if played and time.perf_counter() - started > _GAMES_SECONDS:
            break
        counts = _play_one(Table(game, [Seat(RandomAgent())] * game.players, int(each)), None if played else turns)
        if counts is None:
            break
        played.append(counts)
    decisions = sum(counts.decisions for counts in played)
    if not decisions:
        return None
    return RandomGames(decisions / len(played), sum(counts.openings for counts in played) / decisions,
                       sum(counts.sequels for counts in played) / decisions,
                       sum(counts.overhead for counts in played) / len(played), tuple(turns))


@dataclass
class _Counts:
    """One random game, as in `RandomGames`, but with counts instead of shares."""

    decisions: int = 0
    openings: int = 0
    sequels: int = 0
    overhead: float = 0.0


def _play_one(table: Table, turns: list[GameState] | None) -> _Counts | None:
    """Play a game to its end and count, adding the states at turn starts to a list; return None if it does not end."""
    counts, thinking, mover = _Counts(), 0.0, -1
    started = time.perf_counter()
    while not table.is_over:
        asked = time.perf_counter()
        if asked - started > _ENDLESS:
            return None
        seat = table.state.to_move
        if table.state.is_chance:
            table.play(table.next_move())
        else:
            counts.decisions += 1
            if len(table.state.legal_moves()) > 1:
                counts.openings += seat != mover
                counts.sequels += seat == mover
            if turns is not None and seat != mover:
                turns.append(table.state.clone())
            move = table.next_move()
            thinking += time.perf_counter() - asked
            table.play(move)
        mover = seat
    counts.overhead = time.perf_counter() - started - thinking
    return counts


def seconds_per_decision(spec: str, games: RandomGames, seed: int) -> float | None:
    """Return the mean seconds that an agent needs for a decision, those without a choice included.

    Parameters
    ----------
    spec : str
        Agent spec. A budget of seconds only is taken as given and not run; a program (`exec`, `socket`) is not asked.
    games : RandomGames
    seed : int

    Returns
    -------
    float or None
        Mean seconds; None for an agent whose time cannot be known without a program.
    """
    if runs_program(spec):
        return None
    agent = make_agent(spec)
    try:
        options = getattr(agent, "options", None)
        if not isinstance(options, BudgetOptions):
            return _measured(agent, games, seed)
        full = _spent_in_full(options, games)
        if options.iterations is None and full < math.inf:
            return full
        return min(full, _search(spec, options.iterations or DEFAULT_ITERATIONS, options.seconds, games, seed))
    finally:
        Seat(agent).close()


def _spent_in_full(options: BudgetOptions, games: RandomGames) -> float:
    """Return the mean seconds of a decision if all time is spent; infinity if no time limits it."""
    found = [math.inf]
    if options.seconds is not None:
        follow = getattr(options, "follow", 1.0) if getattr(options, "reuse", False) else 1.0
        found.append(options.seconds * (games.openings + follow * games.sequels))
    clock = getattr(options, "clock", None)
    if clock is not None:
        start, increment = read_clock(clock)
        found.append(start / max(1.0, games.decisions / games.turns[0].players) + increment)
    return min(found)


def _search(spec: str, iterations: int, seconds: float | None, games: RandomGames, seed: int) -> float:
    """Return the mean seconds of a search of some iterations; a long one is measured with fewer and scaled up.

    It is measured with fewer iterations, not with a time limit, because an early stop depends on the budget.
    """
    name, given = parse_spec(spec)
    options: dict[str, Any] = {key: value for key, value in given.items()
                               if key not in ("iterations", "seconds", "clock")}
    affordable = iterations
    choices = [state for state in games.turns if len(state.legal_moves()) > 1]
    if choices and iterations > _PROBE:
        started = time.perf_counter()
        decide(Seat(make_agent(name, iterations=_PROBE, **options)), choices[len(choices) // 2], seed, 0)
        affordable = int(_PROBE * _DECISION_SECONDS / (time.perf_counter() - started))
    run = min(iterations, max(_PROBE, affordable))
    return _measured(make_agent(name, iterations=run, **options), games, seed, iterations / run,
                     math.inf if seconds is None else seconds)


def _measured(agent: Agent, games: RandomGames, seed: int, scale: float = 1.0, limit: float = math.inf) -> float:
    """Return the mean seconds of an agent's decisions in whole turns along a random game.

    Each decision counts as `scale` times its seconds, and as at most `limit`.
    """
    started = time.perf_counter()
    total, decisions = 0.0, 0
    for place in _PLACES:
        state = games.turns[int(place * len(games.turns))].clone()
        seat = state.to_move
        while state.to_move == seat and (not decisions or time.perf_counter() - started < _AGENT_SECONDS):
            asked = time.perf_counter()
            move = decide(Seat(agent), state, seed, decisions)
            total += min(limit, scale * (time.perf_counter() - asked))
            decisions += 1
            state.apply(move)
    return total / decisions


# ---- Forecast of a tournament before its first game: games per agent, precision and time

_Z = 1.959963984540054          # 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Forecast:
    """The forecast of a tournament; tuples have one entry per agent.

    The half widths are those of an agent of equal strength p = 1 / seats, as if its n games were independent:
    1.96 * sqrt(p * (1 - p) / n). That is conservative: playing each deal from every seat usually narrows the
    interval, because luck and seat cancel within a block.

    Times are measured within a few seconds and differ from run to run; they are not compared. They are based on
    random games: real ones may be longer or shorter, and their positions easier or harder. A budget of seconds is
    assumed to be spent in full.

    Attributes
    ----------
    setup : Setup
    digest : str
        Hash of the schedule.
    games, blocks : int
        Numbers of whole blocks, and of their games.
    rounds : float
        Number of rounds; the last one may be incomplete.
    lineups : tuple of tuple of str
        Labels of the agents of every line-up of a round, in the order of play.
    games_per_agent : tuple of int
        Number of seats that each agent takes in all games.
    half_width : tuple of float or None
        Half width of the 95 % interval of the win share; None for an agent that plays no game.
    half_width_elo : tuple of float or None
        The same in Elo, by ``400 * log10(p * (seats - 1) / (1 - p))`` of the ends of the interval; None if it
        reaches 0 or 1.
    jobs : int
        Number of blocks played at the same time.
    decisions_per_game : float or None
        Decisions of all seats together; None if random games do not end.
    ms_per_decision : tuple of float or None
        Wall-clock time; None for agents that are programs, which are not started, and if random games do not end.
    expected_seconds : float or None
        Wall-clock time of the whole run if each job has its own core; None if any of the above is unknown.
    """

    setup: Setup
    digest: str
    games: int
    blocks: int
    rounds: float
    lineups: tuple[tuple[str, ...], ...]
    games_per_agent: tuple[int, ...]
    half_width: tuple[float | None, ...]
    half_width_elo: tuple[float | None, ...]
    jobs: int = field(compare=False)
    decisions_per_game: float | None = field(compare=False)
    ms_per_decision: tuple[float | None, ...] = field(compare=False)
    expected_seconds: float | None = field(compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida tournament --dry-run --json``; agents in the order given."""
        setup = self.setup
        agents = [
            {"agent": agent, "label": label, "games": games, "half_width": width, "half_width_elo": elo,
             "ms_per_decision": ms}
            for agent, label, games, width, elo, ms in zip(
                setup.agents, setup.labels, self.games_per_agent, self.half_width, self.half_width_elo,
                self.ms_per_decision, strict=True)]
        return {"schema": 1, "type": "dry-run", "game": setup.game, "players": setup.players, "mode": setup.mode,
                "mirror": setup.mirror, "seed": setup.seed, "games": self.games, "blocks": self.blocks,
                "rounds": self.rounds, "schedule": self.digest, "lineups": [list(lineup) for lineup in self.lineups],
                "agents": agents, "jobs": self.jobs, "decisions_per_game": self.decisions_per_game,
                "expected_seconds": self.expected_seconds}


def forecast(setup: Setup, jobs: int = 1, *, game: Game | None = None) -> Forecast:
    """Forecast a tournament without playing it, within a few seconds per agent.

    Parameters
    ----------
    setup : Setup
    jobs : int
        Number of blocks played at the same time, each on its own core.
    game : Game, optional
        The game of the setup, if its spec does not name a registered one.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """
    schedule = Schedule(setup)
    counts = _seats_taken(schedule)
    even = 1.0 / setup.players
    widths = tuple(_Z * math.sqrt(even * (1.0 - even) / count) if count else None for count in counts)
    decisions, pace, seconds = _times(schedule, game or make_game(setup.game), counts, jobs)
    labels = setup.labels
    return Forecast(
        setup=setup, digest=schedule.digest, games=schedule.games, blocks=schedule.blocks, rounds=schedule.rounds,
        lineups=tuple(tuple(labels[agent] for agent in lineup) for lineup in schedule.lineups),
        games_per_agent=counts, half_width=widths,
        half_width_elo=tuple(_elo_width(width, setup.players) for width in widths), jobs=jobs,
        decisions_per_game=decisions, ms_per_decision=pace, expected_seconds=seconds)


def _seats_taken(schedule: Schedule) -> tuple[int, ...]:
    """Return how many seats each agent takes in all games."""
    lineups, players = schedule.lineups, schedule.setup.players
    rounds, rest = divmod(schedule.blocks, len(lineups))
    counts = [0] * len(schedule.setup.agents)
    for place, lineup in enumerate(lineups):
        for agent in lineup:
            counts[agent] += players * (rounds + (place < rest))
    return tuple(counts)


def _elo_width(width: float | None, players: int) -> float | None:
    """Return half the length in Elo of the interval that reaches `width` to both sides of an equal share."""
    if width is None:
        return None
    low, high = 1.0 / players - width, 1.0 / players + width
    if low <= 0.0 or high >= 1.0:
        return None
    return 200.0 * math.log10(high * (1.0 - low) / (low * (1.0 - high)))


def _times(schedule: Schedule, game: Game, counts: tuple[int, ...],
           jobs: int) -> tuple[float | None, tuple[float | None, ...], float | None]:
    """Return decisions per game, milliseconds per decision of each agent, and seconds of the whole run."""
    setup = schedule.setup
    seed = forecast_seed(setup.seed)
    games = play_random_games(game, seed)
    if games is None:
        return None, (None,) * len(setup.agents), None
    known = {spec: seconds_per_decision(spec, games, seed) for spec in dict.fromkeys(setup.agents)}
    pace = [known[spec] for spec in setup.agents]
    ms = tuple(None if each is None else 1000.0 * each for each in pace)
    total = schedule.games * games.overhead
    for count, each in zip(counts, pace, strict=True):
        if each is None:
            return games.decisions, ms, None
        total += count * games.decisions / setup.players * each
    # A job plays whole blocks one after the other: an incomplete last wave takes as long as a whole one.
    waves = -(-schedule.blocks // jobs)
    return games.decisions, ms, total / schedule.blocks * waves
