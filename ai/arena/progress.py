"""The progress of a tournament, kept up to date at the cost of a few sums per block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.cython_ext.measure import awake

_Z = 1.96


@dataclass(frozen=True)
class Progress:
    """The progress of a tournament at one moment.

    Attributes
    ----------
    games, of : int
        Games finished and games in all, including those of an earlier run.
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
    """Keeps the sums behind `Progress`.

    Parameters
    ----------
    setup : Setup
    of : int
        Games of the whole tournament.
    held : int
        Games that were finished before this run.
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

    def read(self, games: int) -> Progress:
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
        return Progress(games, self._of, seconds, rate, (self._of - games) / rate if played and rate else None,
                        leader, share, half_width, self._forfeits, self.sprt)
