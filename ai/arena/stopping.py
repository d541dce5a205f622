"""Ends a tournament by a sequential test: always at the same block, however many workers play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.sequential import Sprt, SprtOptions, cap_blocks, check_setup

UNDECIDED = "undecided"


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
        self.blocks = 0
        self._sprt = None
        self._adjusted = options is not None and options.adjusted
        if options is not None:
            check_setup(setup)
            self._sprt = Sprt(options, setup.players)

    @property
    def decided(self) -> bool:
        """Whether the test has decided, so that later blocks do not count."""
        return self._sprt is not None and self._sprt.verdict != UNDECIDED

    @property
    def fraction(self) -> float | None:
        """Progress of the test, 0 to 1; None without one."""
        return None if self._sprt is None else self._sprt.state("").fraction

    def add(self, block: Sequence[GameOutcome]) -> None:
        """Add the games of the next block."""
        self.blocks += 1
        if self._sprt is None:
            return
        shares = [share for game in block
                  for agent, share in zip(game.agents, game.adjusted if self._adjusted else game.utilities, strict=True)
                  if agent == 0]
        if shares:
            self._sprt.add(sum(shares) / len(shares), len(shares) // len(block))


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
