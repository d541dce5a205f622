"""The games of a tournament as arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.outcome import Forfeit, ForfeitedGames, GameOutcome, forfeits_of
from sfida.ai.luck.adjusting import in_order, without_luck
from sfida.cython_ext.errors import InvalidOption


@dataclass(frozen=True)
class Tally:
    """All games of the whole blocks of a tournament, in the order of the schedule.

    Attributes
    ----------
    blocks : int
        Number of whole blocks, B.
    loose : int
        Number of games of unfinished blocks, which are left out.
    block : int array of shape (G,)
        Row of each game's block, 0 to B - 1, ascending.
    number : int array of shape (B,)
        Index of each block in the schedule.
    agent : int array of shape (G, seats)
        Index of the agent on each seat.
    utility, rank, score : float arrays of shape (G, seats)
    decisions, seconds : float arrays of shape (G, seats)
    wall : float array of shape (G,)
        Wall-clock seconds of each game.
    plies : int array of shape (G,)
    forfeit : int array of shape (G,)
        Seat that forfeited, -1 for none.
    luck : float array of shape (G, seats) or None
        In shares of the win, 0 in forfeited games; None if that of some game was not measured.
    faults : tuple of Forfeit or None
        The forfeit of each game.
    """

    blocks: int
    loose: int
    block: NDArray[np.int64]
    number: NDArray[np.int64]
    agent: NDArray[np.int64]
    utility: NDArray[np.float64]
    rank: NDArray[np.float64]
    score: NDArray[np.float64]
    decisions: NDArray[np.float64]
    seconds: NDArray[np.float64]
    wall: NDArray[np.float64]
    plies: NDArray[np.int64]
    forfeit: NDArray[np.int64]
    luck: NDArray[np.float64] | None = None
    faults: tuple[Forfeit | None, ...] = ()

    def forfeits(self, labels: Sequence[str]) -> tuple[ForfeitedGames, ...]:
        """Return who forfeited how many games, and why; agents are called by `labels`."""
        return forfeits_of((game + 1, labels[self.agent[game, fault.seat]], fault)
                           for game, fault in enumerate(self.faults) if fault is not None)

    @property
    def forfeited(self) -> NDArray[np.bool_]:
        """Whether each block holds a forfeited game."""
        return np.bincount(self.block, self.forfeit >= 0, self.blocks) > 0

    def blocks_where(self, kept: NDArray[np.bool_]) -> Tally:
        """Return the games of some blocks."""
        games = kept[self.block]
        held = {name: getattr(self, name)[games] for name in (
            "agent", "utility", "rank", "score", "decisions", "seconds", "wall", "plies", "forfeit")}
        return replace(
            self, blocks=int(kept.sum()), block=(np.cumsum(kept) - 1)[self.block[games]], number=self.number[kept],
            luck=None if self.luck is None else self.luck[games],
            faults=tuple(fault for fault, own in zip(self.faults, games, strict=False) if own), **held)

    def adjusted(self) -> Tally:
        """Return the same games with shares of the win without luck; raises InvalidOption if it was not measured."""
        if self.luck is None:
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        return replace(self, utility=without_luck(self.agent, self.utility, self.luck, self.block, self.blocks))

    def adjusted_in_order(self, agents: int) -> Tally:
        """Likewise for a sequential test: what is taken off a block depends on the blocks before it alone."""
        if self.luck is None:
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        return replace(self, utility=in_order(self.agent, self.utility, self.luck, self.block, agents))

    @property
    def games(self) -> int:
        """Number of games counted."""
        return len(self.block)

    @classmethod
    def of(cls, outcomes: Iterable[GameOutcome], players: int, until: int | None = None) -> Tally:
        """Collect outcomes given in any order.

        Parameters
        ----------
        outcomes : iterable of GameOutcome
        players : int
            Number of seats, and so of games of a whole block.
        until : int, optional
            Leave out the blocks from this index on.
        """
        held: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        for game in outcomes:
            if until is None or game.block < until:
                held[game.block].append((
                    game.rotation, game.agents, game.utilities, game.ranks, game.scores, game.decisions, game.seconds,
                    game.wall, len(game.record.moves), -1 if game.forfeit is None else game.forfeit.seat,
                    game.luck_to_take_off, game.forfeit))
        whole = sorted(index for index, games in held.items() if len(games) == players)
        rows = [row for index in whole for row in sorted(held[index])]
        columns = list(zip(*rows, strict=True)) if rows else [()] * 12
        agents, utilities, ranks, scores, decisions, seconds, wall, plies, forfeit, luck, faults = columns[1:]

        def floats(column: Sequence[Any]) -> NDArray[np.float64]:
            return np.array(column, float).reshape(len(rows), players)

        return cls(
            blocks=len(whole), loose=sum(map(len, held.values())) - len(rows),
            block=np.repeat(np.arange(len(whole)), players), number=np.array(whole, np.int64),
            agent=np.array(agents, np.int64).reshape(len(rows), players), utility=floats(utilities),
            rank=floats(ranks), score=floats(scores), decisions=floats(decisions), seconds=floats(seconds),
            wall=np.array(wall, float), plies=np.array(plies, np.int64), forfeit=np.array(forfeit, np.int64),
            luck=None if None in luck else floats(luck), faults=tuple(faults))
