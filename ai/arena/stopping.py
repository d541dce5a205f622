"""Ends a tournament by a sequential test: always at the same block, however many workers play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.sequential import Sprt, SprtOptions, cap_blocks, check_setup
from sfida.ai.luck.adjusting import Factor, block_sums
from sfida.cython_ext.errors import InvalidOption


class Stopping:
    """Checks whole blocks in the order of the schedule.

    Parameters
    ----------
    setup : Setup
    options : SprtOptions or None
        None: nothing ends the tournament early.

    Raises
    ------
    InvalidOption
        If the setup is no comparison of the first agent with the others.

    Attributes
    ----------
    blocks : int
        Number of blocks seen.
    """

    def __init__(self, setup: Setup, options: SprtOptions | None) -> None:
        self.blocks: int = 0
        self._sprt = None
        self._agents = len(setup.agents)
        self._factor = Factor(self._agents) if options is not None and options.adjusted else None
        if options is not None:
            check_setup(setup)
            self._sprt = Sprt(options, setup.players)

    @property
    def decided(self) -> bool:
        """Whether the test has ended, so that later blocks do not count."""
        return self._sprt is not None and self._sprt.ended

    @property
    def fraction(self) -> float | None:
        """Progress of the test, 0 to 1; None without one."""
        return None if self._sprt is None else self._sprt.state("").fraction

    def add(self, block: Sequence[GameOutcome]) -> None:
        """Add the games of the next block."""
        self.blocks += 1
        if self._sprt is None:
            return
        fair = self._without_luck(block) if self._factor else [game.utilities for game in block]
        shares = [share for game, found in zip(block, fair, strict=True)
                  for agent, share in zip(game.agents, found, strict=True) if agent == 0]
        if shares:
            self._sprt.add(sum(shares) / len(shares), len(shares) // len(block),
                           forfeited=any(game.forfeit is not None for game in block))

    def _without_luck(self, block: Sequence[GameOutcome]) -> list[list[float]]:
        """Return the shares of the win of the next block's games without luck, as `in_order` does."""
        assert self._factor is not None
        if any(game.luck is None for game in block):
            raise InvalidOption("luck was not measured in all games: 'sfida ratings FILE --adjusted' does it")
        agent, share, luck = (np.array(rows) for rows in (
            [game.agents for game in block], [game.utilities for game in block],
            [game.luck_to_take_off for game in block]))
        fair = share - self._factor.value * luck
        self._factor.add(block_sums(agent, share, luck, np.zeros(len(block), np.int64), self._agents))
        return [list(map(float, row)) for row in fair]


def most_games(setup: Setup, options: SprtOptions) -> int:
    """Return the number of games after which the test ends undecided."""
    return cap_blocks(setup, options) * setup.players


def counted_blocks(outcomes: Iterable[GameOutcome], setup: Setup, options: SprtOptions | None) -> int | None:
    """Return the number of blocks that count because the test decided there; None if all do.

    Parameters
    ----------
    outcomes : iterable of GameOutcome
        In the order of the schedule.
    setup : Setup
    options : SprtOptions or None
    """
    if options is None:
        return None
    stopping = Stopping(setup, options)
    games: list[GameOutcome] = []
    for outcome in outcomes:
        if outcome.block != stopping.blocks:
            return None                     # an earlier block is incomplete
        games.append(outcome)
        if len(games) == setup.players:
            stopping.add(games)
            games = []
            if stopping.decided:
                return stopping.blocks
    return None
