"""The decisions that priors learn from: moves with their features, and how a search shared its visits among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.backends import LOCAL
from sfida.ai.arena.player import SHARES
from sfida.ai.training.games import read_games
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import GameRecord

Floats = NDArray[np.float32]

_MOST = 48              # decisions of a game that are taken, evenly: more of one game tell little more


@dataclass(frozen=True)
class Decisions:
    """Decisions of finished games, in the order of play; the moves of all of them one after the other.

    Attributes
    ----------
    features : float array of shape (moves, features of a move)
        What `GameState.move_features` says; the first is the logarithm of the prior by hand.
    share : float array of shape (moves,)
        Shares of the visits; their sum is 1 for each decision.
    first : int array of shape (n + 1,)
        Where the moves of each decision begin; at last the number of moves.
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
        """Return some of the decisions, with their games' numbers as they are."""
        counts = np.diff(self.first)
        rows = np.repeat(chosen, counts)
        first = np.concatenate([[0], np.cumsum(counts[chosen])])
        return Decisions(self.features[rows], self.share[rows], first, self.game[chosen], self.games)

    @classmethod
    def joined(cls, parts: Sequence[Decisions]) -> Decisions:
        """Return the decisions of several lists of games, whose games are numbered on."""
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
    """Return whether what a record holds are shares of so many moves."""
    return (isinstance(share, list) and len(share) == moves
            and all(type(part) is int and part >= 0 for part in share) and sum(share) > 0)


def all_decisions(game: Game, paths: Sequence[Path], jobs: int = 1, backend: str = LOCAL[0],
                  on_progress: Callable[[int, int], object] | None = None) -> Decisions:
    """Return the decisions of all finished games of some stores, in their order and that of their schedules.

    Parameters
    ----------
    game : Game
        It lists features of moves.
    paths, jobs, backend, on_progress
        As of `games.read_games`.

    Raises
    ------
    InvalidRecord
        If a store is damaged, holds no finished game, or its games hold no shares of visits.
    """
    decisions = Decisions.joined(read_games(decisions_of, game, paths, jobs, backend, on_progress))
    if not len(decisions):
        raise InvalidRecord("the games hold no shares of visits, from which priors are learned: they were played by an "
                            "agent that does not search, or by an earlier version. Leave priors out (--no-priors), or "
                            "play new games in another folder")
    return decisions
