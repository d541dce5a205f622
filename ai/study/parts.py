"""What the results of games come from: luck, seat, skill, and the rest, as shares of their variance.

The variance is that of the share of the win of a seat in one game around an even share, among the games of one line-up;
line-ups count by their games. Its parts:

- luck: what taking off the measured luck takes away, which is what the value function sees of it and no more;
- seat: the variance between the mean shares of the seats;
- skill: the variance between the mean shares of the agents, equal agents taken together;
- rest: what remains. Luck that the value function does not see, the agents' own random choices, and what an agent does
  better on one seat, or against one opponent, than its mean says.

A mean over few blocks varies, which looks like a difference: the square of its standard error is taken off again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.bootstrap import Floats, Ints
from sfida.ai.arena.tally import Tally
from sfida.ai.luck.adjusting import without_luck
from sfida.ai.study.estimates import Figures

PARTS = ("luck", "seat", "skill", "rest")
FEWEST = 2              # blocks of a line-up, below which its means say nothing of how much they vary
ALL = "all"


@dataclass(frozen=True)
class Lineups:
    """Blocks by who plays in them; equal agents are one.

    Attributes
    ----------
    specs : tuple of str
        The different agents.
    agent : int array of shape (G, seats)
        Index in `specs` of the agent on each seat.
    names : tuple of str
        Of the line-ups that have enough blocks, such as "greedy : random".
    of_block : int array of shape (B,)
        Line-up of each block, -1 if that has too few blocks.
    """

    specs: tuple[str, ...]
    agent: Ints
    names: tuple[str, ...]
    of_block: Ints

    @classmethod
    def of(cls, tally: Tally, agents: tuple[str, ...]) -> Lineups:
        """Group the blocks of a tally."""
        specs = tuple(dict.fromkeys(agents))
        agent = np.array([specs.index(spec) for spec in agents])[tally.agent]
        first = np.searchsorted(tally.block, np.arange(tally.blocks))
        kinds, which, count = np.unique(np.sort(agent[first], axis=1), axis=0, return_inverse=True, return_counts=True)
        kept = np.flatnonzero(count >= FEWEST)
        number = np.full(len(kinds), -1)
        number[kept] = np.arange(len(kept))
        return cls(specs, agent, tuple(_named(kinds[kind], specs) for kind in kept), number[which.ravel()])


def _named(kind: Ints, specs: tuple[str, ...]) -> str:
    seats = np.bincount(kind, minlength=len(specs))
    return " : ".join(spec if count == 1 or (seats > 0).sum() == 1 else f"{count} {spec}"
                      for spec, count in zip(specs, seats, strict=True) if count)


def fair_shares(tally: Tally, lineups: Lineups) -> Floats:
    """Return the shares of the win without luck; each line-up has a factor of its own (see `adjusting`)."""
    assert tally.luck is not None
    fair = tally.utility.copy()
    for number in range(len(lineups.names)):
        blocks = np.flatnonzero(lineups.of_block == number)
        own = np.isin(tally.block, blocks)
        fair[own] = without_luck(lineups.agent[own], tally.utility[own], tally.luck[own],
                                 np.searchsorted(blocks, tally.block[own]), len(blocks))
    return fair


class Parts:
    """The parts by line-up and of all games, for any resample of the blocks.

    Parameters
    ----------
    tally : Tally
        With luck.
    lineups : Lineups
    """

    def __init__(self, tally: Tally, lineups: Lineups) -> None:
        seats = tally.agent.shape[1]
        even = 1 / seats
        fair = fair_shares(tally, lineups) - even
        self._lineups = lineups
        self._total = _by_block(tally, ((tally.utility - even) ** 2).mean(axis=1, keepdims=True))[:, 0]
        self._fair = _by_block(tally, (fair ** 2).mean(axis=1, keepdims=True))[:, 0]
        self._seat = _by_block(tally, fair)
        sat = np.zeros((tally.games, len(lineups.specs)))
        won = np.zeros_like(sat)
        rows = np.repeat(np.arange(tally.games), seats)
        np.add.at(sat, (rows, lineups.agent.ravel()), 1 / seats)
        np.add.at(won, (rows, lineups.agent.ravel()), fair.ravel() / seats)
        self._sat, self._won = _by_block(tally, sat), _by_block(tally, won)

    def figures(self, drawn: Floats, resampled: bool) -> Figures:
        """Return every part, by "PART of LINE-UP" and "PART of all", and "seat S": what it wins beyond an even share.

        Parameters
        ----------
        drawn : float array of shape (blocks, R)
            How often each block counts.
        resampled : bool
            Whether these are resamples, whose means vary twice: as the blocks do, and as resamples of them.
        """
        found: Figures = {}
        together = np.zeros((len(PARTS) + 1, drawn.shape[1]))
        for number, name in enumerate(self._lineups.names):
            own = self._lineups.of_block == number
            parts = self._parts(own, drawn[own], resampled)
            count = drawn[own].sum(axis=0)
            together += np.where(count > 0, parts * count, 0)
            found |= _shares(parts, name)
        found |= _shares(together, ALL)
        counted = self._lineups.of_block >= 0
        count = drawn[counted].sum(axis=0)
        for seat in range(self._seat.shape[1]):
            found[f"seat {seat}"] = _divided(self._seat[counted, seat] @ drawn[counted], count)
        return found

    def _parts(self, own: NDArray[np.bool_], drawn: Floats, resampled: bool) -> Floats:
        """Return the parts of one line-up, and then the variance, of shape (5, R)."""
        total, fair = (_divided(values[own] @ drawn, drawn.sum(axis=0)) for values in (self._total, self._fair))
        seat = _squared_means(self._seat[own], drawn, resampled).mean(axis=0)
        sat = self._sat[own][0]                                     # the same in every block of a line-up
        there = sat > 0
        means = self._won[own][:, there] / sat[there]
        skill = sat[there] @ _squared_means(means, drawn, resampled)
        return np.stack([total - fair, seat, skill, fair - seat - skill, total])


def _by_block(tally: Tally, values: Floats) -> Floats:
    """Return the means of each block."""
    sums = np.stack([np.bincount(tally.block, column, tally.blocks) for column in values.T], axis=1)
    return np.asarray(sums / np.bincount(tally.block, minlength=tally.blocks)[:, None], float)


def _squared_means(values: Floats, drawn: Floats, resampled: bool) -> Floats:
    """Return the squares of the means of columns, without what their sampling errors add, of shape (columns, R)."""
    count = drawn.sum(axis=0)
    mean = _divided(values.T @ drawn, count)
    spread = np.maximum(_divided((values ** 2).T @ drawn, count) - mean ** 2, 0)
    error = _divided(spread, np.maximum(count - 1, 1))
    if resampled:
        error = error + values.var(axis=0)[:, None] / max(len(values) - 1, 1)
    return np.asarray(mean ** 2 - error, float)


def _shares(parts: Floats, name: str) -> Figures:
    return {f"{part} of {name}": _divided(parts[row], parts[-1]) for row, part in enumerate(PARTS)}


def _divided(above: Floats, below: Floats) -> Floats:
    """Return quotients, NaN where nothing was drawn."""
    return np.asarray(np.divide(above, below, out=np.full(np.broadcast_shapes(above.shape, below.shape), np.nan),
                                where=below > 0), float)
