"""Thousands of games at once, as arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from sfida.ai.agent import RandomAgent, seating_of
from sfida.ai.chance import check_seed, fresh_seed
from sfida.ai.greedy import TURN_STEPS, GreedyAgent, GreedyOptions
from sfida.ai.registry import agent
from sfida.ai.table import MoveEvent, game_for, play, take_seats
from sfida.cython_ext.batch import Batch
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.players import Seating
from sfida.cython_ext.rng import derive
from sfida.engines.game import Game
from sfida.engines.spec import whole

MOST_GAMES, MOST_THREADS = 100_000_000, 64
_AT_ONCE = 64           # games of policies between two checks for Ctrl-C
_SEARCHED = 2           # games of other agents that a thread plays before it takes more


@dataclass(frozen=True)
class GameBatch:
    """Games that were played, concatenated in arrays.

    Attributes
    ----------
    game : str
        Spec of the game.
    agents : tuple of str
        Spec of the agent at each seat.
    seed : int
    starts : int64 array
        Shape ``(games + 1,)``: the plies of game `i` are `starts[i]` to `starts[i + 1] - 1`.
    moves : uint64 array
        Shape ``(plies,)``: moves and chance outcomes, as `GameState.apply` takes them.
    seats : int8 array
        Shape ``(plies,)``: the seat that moved; -1 for chance.
    choices : int32 array
        Shape ``(plies,)``: the number of legal moves; 0 for chance.
    shares : float64 array
        Shape ``(games, players)``: win shares, summing to 1.
    scores : float64 array
        Shape ``(games, players)``: points at the end.
    decisions : int64 array
        Shape ``(decisions,)``: the plies at which a seat had two moves or more.
    features : float64 array
        Shape ``(decisions, players, features)``: the input of learned evaluations for each seat, as far as the deciding
        seat knows it (`GameState.feature_names`); empty unless requested, or if the game lists none.
    observations : uint8 array
        Shape ``(decisions, bytes)``: the bytes of the deciding seat's view, as `View.key` gives them: all that it knows
        and nothing else; empty unless requested, and in games written in Python.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    starts: NDArray[np.int64]
    moves: NDArray[np.uint64]
    seats: NDArray[np.int8]
    choices: NDArray[np.int32]
    shares: NDArray[np.float64]
    scores: NDArray[np.float64]
    decisions: NDArray[np.int64]
    features: NDArray[np.float64]
    observations: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1


def batch(game: str | Game, agents: Sequence[str], n: int, *, seed: int | None = None, threads: int = 1,
          features: bool = False, observations: bool = False, **options: object) -> GameBatch:
    """Play many games and return them as arrays.

    Games of agents that need no Python are played without the interpreter's lock: `random`, `greedy`, and searches by
    `ismcts`, `mo-ismcts` and `level` with a budget of iterations. With other agents, and in games written in Python,
    each game has a table. The same game, agents, number and seed give the same arrays for any number of
    threads, provided that budgets are iterations. The games differ from those of `play` with this seed.

    Parameters
    ----------
    game : str or Game
        Game spec.
    agents : sequence of str
        Agent specs in seat order, one per seat; without options the number of players follows from them.
    n : int
        Number of games, 1 to 10**8. A move takes 13 bytes, without features and observations.
    seed : int, optional
        0 to 2**128 - 1; a fresh one by default.
    threads : int
        1 to 64.
    features, observations : bool
        Whether to keep the features, or observations, of every decision.
    **options
        More game options.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """
    if isinstance(agents, str) or not all(isinstance(spec, str) for spec in agents):
        raise InvalidOption("agents must be a list of specs, one per seat, such as ['greedy', 'random']")
    for name, value, most in (("n", n, MOST_GAMES), ("threads", threads, MOST_THREADS)):
        if not 1 <= (whole(value) or 0) <= most:
            raise InvalidOption(f"{name} must be a whole number from 1 to {most}, not {value!r}")
    n, threads = operator.index(n), operator.index(threads)
    engine = game_for(game, agents, options)
    seed = fresh_seed() if seed is None else check_seed(seed)
    for seat in take_seats(engine, agents):
        seat.close()
    policies = [_policy(engine, spec) for spec in agents]
    players = _Players(engine, tuple(agents), seed, policies, features, observations)
    size = _SEARCHED if None in policies else _AT_ONCE
    parts = [range(first, min(first + size, n)) for first in range(0, n, size)]
    try:
        if threads == 1 or len(parts) == 1:
            columns = [players(part) for part in parts]
        else:
            columns = joblib.Parallel(n_jobs=threads, backend="threading", batch_size=1)(
                joblib.delayed(players)(part) for part in parts)
    finally:
        players.end()
    return _gathered(engine, players, columns)


def _policy(game: Game, spec: str) -> str | None:
    """Return the policy that plays like an agent without Python; None if there is none."""
    one = agent(spec)
    if type(one) is RandomAgent:
        return "uniform"
    if type(one) is GreedyAgent and one.options == GreedyOptions():
        return "priors" if game.greedy_by_priors else "evaluation"
    return None


@dataclass(frozen=True)
class _Players:
    """Plays some of the games, in several threads if need be.

    Attributes
    ----------
    game, agents, seed, features, observations
        As for `batch`.
    policies : sequence of str or None
        The policy of each seat if no other agents play.
    """

    game: Game
    agents: tuple[str, ...]
    seed: int
    policies: Sequence[str | None]
    features: bool
    observations: bool
    _idle: SimpleQueue[tuple[Batch, Seating | None]] = field(default_factory=SimpleQueue)
    _seatings: list[Seating] = field(default_factory=list)

    def _new(self) -> tuple[Batch, Seating | None]:
        """Return an empty batch with the players of a thread; None: none are needed, or games have a table."""
        start = self.game.initial_state()
        start.set_knowledge(None)                 # `greedy` uses the hand-written evaluation
        known = [policy or "uniform" for policy in self.policies]
        seating = seating_of(self.game, map(agent, self.agents)) if None in self.policies else None
        if seating is not None:
            self._seatings.append(seating)
        return Batch(start, known, self.features, self.observations, TURN_STEPS, GreedyOptions().worlds,
                     seating), seating

    def __call__(self, numbers: range) -> dict[str, bytes]:
        try:
            played, seating = self._idle.get_nowait()
        except Empty:
            played, seating = self._new()
        if seating is not None or None not in self.policies:
            played.play(np.array([derive(self.seed, number) for number in numbers], np.uint64))
        else:
            for moves in self._by_agents(numbers):
                played.replay(moves)
        columns = played.columns_taken()
        self._idle.put((played, seating))
        return columns

    def end(self) -> None:
        """End the games that other threads are still playing."""
        for seating in self._seatings:
            seating.end()

    def _by_agents(self, numbers: range) -> Iterator[NDArray[np.uint64]]:
        """Play games at a table, and return their moves."""
        for number in numbers:
            codes: list[int] = []
            play(self.game, self.agents, derive(self.seed, number), on_event=partial(_keep, codes))
            yield np.array(codes, np.uint64)


def _keep(codes: list[int], event: MoveEvent) -> None:
    codes.append(event.code)


def _gathered(game: Game, players: _Players, parts: Sequence[dict[str, bytes]]) -> GameBatch:
    """Join the columns of all parts."""
    def column(name: str, dtype: type, *shape: int) -> NDArray[Any]:
        joined: NDArray[Any] = np.frombuffer(b"".join(part[name] for part in parts), dtype)
        return joined.reshape(-1, *shape) if 0 not in shape else np.zeros((0, *shape), dtype)

    start = game.initial_state()
    choices = column("choices", np.int32)
    known = start.feature_names if players.features else ()
    return GameBatch(
        game.spec(), players.agents, players.seed,
        np.concatenate([[0], np.cumsum(column("plies", np.int64))]).astype(np.int64),
        column("moves", np.uint64), column("seats", np.int8), choices, column("shares", np.float64, game.players),
        column("scores", np.float64, game.players), np.flatnonzero(choices > 1),
        column("features", np.float64, game.players, len(known)),
        column("views", np.uint8, start.state_bytes if players.observations else 0))
