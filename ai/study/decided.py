"""How often the lead changes in a game, and how early it is decided: from its curve of values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sfida.ai.study.curves import Curve, Floats
from sfida.ai.study.estimates import Figures

LEAD = 0.1              # share of the win by which a seat must be ahead of the leader to take the lead
SURE = 0.9              # share of the win from which a game is as good as won
NOBODY = -1
GRID = 20               # steps of the curve of all games


@dataclass(frozen=True)
class Decided:
    """What one curve says.

    Attributes
    ----------
    changes : int
        How often the lead went from one seat to another.
    led : float
        Share of the game, 0 to 1, after which the winner leads to the end; 1: only the last turn decided it, or nobody
        won alone.
    sure : float
        Likewise, after which the winner's share of the win is at least `SURE` to the end.
    turns : int
    """

    changes: int
    led: float
    sure: float
    turns: int


def decided(curve: Curve) -> Decided:
    """Return what a curve says. A turn's values are those at its end."""
    values = curve.values
    turns = len(values)
    leaders = _leaders(values)
    held = [seat for seat in leaders if seat != NOBODY]
    changes = sum(one != other for one, other in itertools.pairwise(held))
    result = values[-1]
    winner = int(result.argmax())
    if (result == result[winner]).sum() > 1:
        return Decided(changes, 1.0, 1.0, turns)
    return Decided(changes, _since(np.array(leaders) == winner), _since(values[:, winner] >= SURE), turns)


class Course:
    """The course of all games: means over games, for any resample of the blocks.

    Parameters
    ----------
    games : sequence of (int, Decided)
        With the row of the game's block.
    blocks : int
    """

    def __init__(self, games: Sequence[tuple[int, Decided]], blocks: int) -> None:
        self._sums = {field.name: np.zeros(blocks) for field in fields(Decided)}
        self._games = np.zeros(blocks)
        for block, one in games:
            self._games[block] += 1
            for name, sums in self._sums.items():
                sums[block] += getattr(one, name)

    def figures(self, drawn: Floats, _resampled: bool) -> Figures:
        """Return the mean of each field of `Decided` by its name; arguments as of `estimates`."""
        games = self._games @ drawn
        return {name: np.divide(sums @ drawn, games, out=np.full(len(games), np.nan), where=games > 0)
                for name, sums in self._sums.items()}


def reached(shares: Floats) -> Floats:
    """Return how many games are decided after 0, 1 / GRID, ... of their turns, as shares of all games.

    Parameters
    ----------
    shares : float array of shape (games,)
        After which share of its turns each game is decided; one that only its last turn decides counts at 1.
    """
    grid = np.arange(GRID + 1) / GRID
    return np.asarray((shares[:, None] <= grid + 1e-9).mean(axis=0), float)


def _leaders(values: Floats) -> list[int]:
    """Return who leads after each turn: a seat takes the lead when it is ahead of the leader, or all others, by `LEAD`.

    The last row is the result, in which any difference counts.
    """
    leaders, leader = [], NOBODY
    for turn, row in enumerate(values):
        best = int(row.argmax())
        rival = row[leader] if leader != NOBODY else np.delete(row, best).max()
        if best != leader and row[best] - rival >= (LEAD if turn < len(values) - 1 else 1e-9):
            leader = best
        leaders.append(leader)
    return leaders


def _since(right: NDArray[np.bool_]) -> float:
    """Return the share of the turns after which all is right; the last one is always right."""
    wrong = np.flatnonzero(~right[:-1])
    return float((wrong[-1] + 2) / len(right)) if len(wrong) else 1 / len(right)
