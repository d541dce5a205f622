"""The time of a game and of a decision on this machine: a few random games, and each agent on positions from one."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfida.ai.agent import Agent
from sfida.ai.clock import read_clock
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import runs_program
from sfida.ai.search_options import DEFAULT_ITERATIONS, BudgetOptions
from sfida.ai.seat import Seat
from sfida.ai.simple import RandomAgent
from sfida.ai.table import Table, decide
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.spec import parse_spec

_GAMES = 8                      # most random games
_GAMES_SECONDS = 1.0            # seconds after which no further random game is started
_ENDLESS = 5.0                  # seconds after which an unfinished random game is abandoned
_AGENT_SECONDS = 3.0            # seconds after which no further decision of an agent is measured
_DECISION_SECONDS = 0.5         # approximate seconds beyond which a search is measured in part
_PROBE = 100                    # iterations used to estimate the time of a search
_PLACES = (1 / 2, 1 / 6, 5 / 6, 1 / 3, 2 / 3)       # along a game: the middle first, in case there is time for only one


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
    """Play a game to its end and count, adding the beginnings of turns to a list; return None if it does not end."""
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
        Agent spec. A budget of only seconds is taken as it is and not run; a program (`exec`, `socket`) is not asked.
    games : RandomGames
    seed : int

    Returns
    -------
    float or None
        None for an agent whose time cannot be known without a program.
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
    """Return the mean seconds of a decision if all time is spent, infinity if no time limits it."""
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
    """Return the mean seconds of a search by iterations; a long one is measured with fewer iterations and scaled up.

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
