"""The positions and decisions that networks and priors learn from, replayed from the records of a tournament.

It takes one position per turn, at the first decision: there playouts are cut off and evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.backends import LOCAL, work_on
from sfida.ai.arena.outcome import ForfeitedGames, forfeits_of, joined, told
from sfida.ai.arena.player import SHARES, VALUES
from sfida.ai.arena.store import Store
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import EVERYBODY, GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord
from sfida.engines.untrusted import FieldReader

# ---- The games that a training learns from, read by workers

T = TypeVar("T")
_BATCH = 16             # games per task


def read_games(read: Callable[[Game, GameRecord], T], game: Game, paths: Sequence[Path], jobs: int = 1,
               backend: str = LOCAL[0], on_progress: Callable[[int, int], object] | None = None) -> list[T]:
    """Return the results of a module's function for every finished game of some stores, in their order.

    Parameters
    ----------
    read : callable
        Takes the game and a record.
    game : Game
    paths : sequence of Path
        Stores of tournaments of this game.
    jobs : int
    backend : str
        A backend that runs on this machine.
    on_progress : callable, optional
        Called with the number of games read so far and of all.

    Raises
    ------
    InvalidRecord
        If a store is damaged or holds no finished game.
    """
    numbered = list(enumerate(_finished(paths)))
    found: dict[int, T] = {}
    for parts in work_on(partial(_read, read), game, numbered, _BATCH, jobs, backend, on_progress):
        found.update(parts)
    return [found[number] for number, _ in numbered]


def _read(read: Callable[[Game, GameRecord], T], game: Game,
          numbered: Sequence[tuple[int, GameRecord]]) -> list[tuple[int, T]]:
    return [(number, read(game, record)) for number, record in numbered]


def _finished(paths: Sequence[Path]) -> list[GameRecord]:
    records: list[GameRecord] = []
    forfeits: list[tuple[ForfeitedGames, ...]] = []
    for path in paths:
        with Store.read(path, trust_agents=True) as store:
            outcomes, labels = list(store.outcomes()), store.setup.labels
        records += [outcome.record for outcome in outcomes if outcome.forfeit is None]
        forfeits.append(forfeits_of(
            (number, labels[outcome.agents[outcome.forfeit.seat]], outcome.forfeit)
            for number, outcome in enumerate(outcomes, start=1) if outcome.forfeit is not None))
    if not records:
        raise InvalidRecord(f"no game was finished, so there is nothing to learn from{told(joined(forfeits))}")
    return records


# ---- Decisions for priors: moves with their features and their visit shares

Floats = NDArray[np.float32]

_MOST = 48              # most decisions per game, evenly spread: more of one game add little information


@dataclass(frozen=True)
class Decisions:
    """Decisions of finished games, in the order of play; the moves of all of them one after the other.

    Attributes
    ----------
    features : float array of shape (moves, features of a move)
        Result of `GameState.move_features`; the first is the logarithm of the hand-written prior.
    share : float array of shape (moves,)
        Visit shares; their sum is 1 for each decision.
    first : int array of shape (n + 1,)
        Index of the first move of each decision; the last entry is the number of moves.
    game : int array of shape (n,)
        Number of the game of each decision, ascending.
    games : int
        Number of games, those without decisions included.
    """

    features: Floats
    share: Floats
    first: NDArray[np.int64]
    game: NDArray[np.int64]
    games: int

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: NDArray[np.bool_]) -> Decisions:
        """Return some of the decisions, with their games' numbers unchanged."""
        counts = np.diff(self.first)
        rows = np.repeat(chosen, counts)
        first = np.concatenate([[0], np.cumsum(counts[chosen])])
        return Decisions(self.features[rows], self.share[rows], first, self.game[chosen], self.games)

    @classmethod
    def joined(cls, parts: Sequence[Decisions]) -> Decisions:
        """Return the decisions of several lists of games, with the games numbered consecutively."""
        firsts, numbers, moves, games = [], [], 0, 0
        for part in parts:
            firsts.append(part.first[:-1] + moves)
            numbers.append(part.game + games)
            moves += len(part.share)
            games += part.games
        return cls(np.concatenate([part.features for part in parts]), np.concatenate([part.share for part in parts]),
                   np.concatenate([*firsts, [moves]]).astype(np.int64), np.concatenate(numbers), games)


def decisions_of(game: Game, record: GameRecord) -> Decisions:
    """Return the decisions of a finished game; raises InvalidRecord if it does not fit the rules."""
    reader = FieldReader(record.where)
    shares = reader.take_list(dict(record.extra), SHARES, object, (None,) * len(record.moves))
    searched = [i for i, share in enumerate(shares) if share is not None]
    wanted = set(searched[::max(1, -(-len(searched) // _MOST))])
    state = game.initial_state()
    width = len(state.move_feature_names)
    features: list[list[float]] = []
    share: list[float] = []
    first = [0]
    for i, text in enumerate(record.moves):
        if i in wanted:
            rows = [row for _, row in sorted(state.move_features())]
            if not _fits(shares[i], len(rows)):
                reader.fail(f"the shares of visits of move {i + 1} do not fit the moves worth searching")
            features += rows
            share += [visits / sum(shares[i]) for visits in shares[i]]
            first.append(len(share))
        state.apply(state.parse(text))
    return Decisions(np.array(features, np.float32).reshape(len(share), width), np.array(share, np.float32),
                     np.array(first, np.int64), np.zeros(len(first) - 1, np.int64), 1)


def _fits(share: object, moves: int) -> bool:
    """Return whether the content of a record field is a list of shares for this number of moves."""
    return (isinstance(share, list) and len(share) == moves
            and all(type(part) is int and part >= 0 for part in share) and sum(share) > 0)


def all_decisions(game: Game, paths: Sequence[Path], jobs: int = 1, backend: str = LOCAL[0],
                  on_progress: Callable[[int, int], object] | None = None) -> Decisions:
    """Return the decisions of all finished games of some stores, in their order and that of their schedules.

    Parameters
    ----------
    game : Game
        A game that lists features of moves.
    paths, jobs, backend, on_progress
        As for `games.read_games`.

    Raises
    ------
    InvalidRecord
        If a store is damaged, holds no finished game, or its games hold no visit shares.
    """
    decisions = Decisions.joined(read_games(decisions_of, game, paths, jobs, backend, on_progress))
    if not len(decisions):
        raise InvalidRecord("the games hold no shares of visits, from which priors are learned: they were played by an "
                            "agent that does not search, or by an earlier version. Leave priors out (--no-priors), or "
                            "play new games in another folder")
    return decisions


# ---- Positions for networks, one per turn, replayed from the records of a tournament


@dataclass(frozen=True)
class PositionSet:
    """Positions of finished games, in the order of play.

    Attributes
    ----------
    features : float array of shape (n, players, features)
        Result of `GameState.features` for every seat, with all secrets known.
    value : float array of shape (n, players)
        Win shares that the next search expected; those of the result if no search followed.
    present : float array of shape (n, players)
        Win shares by the game's current evaluation, as the seat to move knows it; NaN if there is none.
    result : float array of shape (n, players)
        Win shares at the end of the game.
    game : int array of shape (n,)
        Number of the game, ascending from 0.
    """

    features: Floats
    value: Floats
    present: Floats
    result: Floats
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.game[-1]) + 1 if len(self) else 0

    def target(self, mix: float) -> Floats:
        """Return the target of the fit: a share `mix` of the result, and the rest of the value."""
        return np.float32(mix) * self.result + np.float32(1.0 - mix) * self.value

    def take(self, rows: NDArray[np.bool_]) -> PositionSet:
        """Return some of the positions, with their games' numbers unchanged."""
        return PositionSet(self.features[rows], self.value[rows], self.present[rows], self.result[rows],
                           self.game[rows])

    @classmethod
    def joined(cls, parts: Sequence[PositionSet]) -> PositionSet:
        """Return the positions of several lists of games, with the games numbered consecutively."""
        numbers, before = [], 0
        for part in parts:
            numbers.append(part.game + before)
            before += part.games
        arrays = {name: np.concatenate([getattr(part, name) for part in parts])
                  for name in ("features", "value", "present", "result")}
        return cls(**arrays, game=np.concatenate(numbers))


def positions_of(game: Game, record: GameRecord) -> PositionSet:
    """Return the positions of a finished game; raises InvalidRecord if it does not fit the rules."""
    reader = FieldReader(record.where)
    if record.result is None:
        reader.fail("an unfinished game has nothing to learn from")
    given = reader.take_list(dict(record.extra), VALUES, object, (None,) * len(record.moves))
    values = _filled(given, record.result.utilities)
    state = game.initial_state()
    names = state.feature_names
    features, value, present, turn = [], [], [], None
    for text, expected in zip(record.moves, values, strict=True):
        now = _turn(state)
        if now is not None and now != turn:
            turn = now
            features.append([list(state.features(seat, EVERYBODY).values()) for seat in range(game.players)])
            value.append(expected)
            known = state.evaluation()
            present.append([np.nan] * game.players if known is None else known[0])
        state.apply(state.parse(text))
    n = len(features)
    return PositionSet(
        np.array(features, np.float32).reshape(n, game.players, len(names)),
        np.array(value, np.float32).reshape(n, game.players), np.array(present, np.float32).reshape(n, game.players),
        np.tile(np.array(record.result.utilities, np.float32), (n, 1)), np.zeros(n, np.int64))


def all_positions(game: Game, paths: Sequence[Path], jobs: int = 1, backend: str = LOCAL[0],
                  on_progress: Callable[[int, int], object] | None = None) -> PositionSet:
    """Return the positions of all finished games of some stores, in their order and that of their schedules.

    The game lists features; the other parameters and the errors are those of `games.read_games`.
    """
    return PositionSet.joined(read_games(positions_of, game, paths, jobs, backend, on_progress))


def _turn(state: GameState) -> tuple[int, int] | None:
    """Return a key that distinguishes the turn of a decision from adjacent turns; None at a chance event."""
    if state.is_chance:
        return None
    return (int(state.turn_number), 0) if state.turn_number >= 0 else (-1, int(state.to_move))


def _filled(values: Sequence[Sequence[float] | None], result: Sequence[float]) -> list[Sequence[float]]:
    """Return the values with every gap filled by the next value: expectations do not change on average.

    After the last value the result fills the gaps.
    """
    found: list[Sequence[float]] = []
    last = result
    for value in reversed(values):
        last = last if value is None else value
        found.append(last)
    return found[::-1]
