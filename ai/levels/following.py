"""How strong a person is, by results against levels: what `level:auto` goes by.

The rating of the person is a distribution over a grid. A result multiplies it by its likelihood under the model of the
ratings (`ai.arena.first_place`): against n - 1 opponents of rating r a person of rating x wins a share of
1 / (1 + (n - 1) * 10 ** ((r - x) / 400)). Before each game it spreads a little, because people learn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sfida.ai.levels.ladder import LEVELS
from sfida.ai.levels.scale import Scale

START = 4.0                             # level of a person of whom nothing is known
_UNSURE = 350.0                         # Elo, standard deviation of that guess
_LEARNS = 12.0                          # Elo, standard deviation of what changes between two games
_GRID = 10.0                            # Elo
_BEYOND = 1500.0                        # Elo that a person may be below level 1 or above level 10


@dataclass(frozen=True)
class Result:
    """A game of one person against levels.

    Attributes
    ----------
    level : float
        Of the opponents.
    players : int
    share : float
        The person's share of the win.
    """

    level: float
    players: int
    share: float


def fitting_level(results: Iterable[Result], scale: Scale, start: float = START) -> float:
    """Return the level whose players score as much as the person, to a tenth.

    Parameters
    ----------
    results : iterable of Result
        In the order of play.
    scale : Scale
    start : float
        The guess before the first of them.
    """
    grid = np.arange(scale.ratings[0] - _BEYOND, scale.ratings[-1] + _BEYOND + _GRID, _GRID)
    belief = np.exp(-0.5 * ((grid - scale.rating(start)) / _UNSURE) ** 2)
    spread = np.exp(-0.5 * (np.arange(-4, 5) * _GRID / _LEARNS) ** 2)
    for result in results:
        share = 1 / (1 + (result.players - 1) * 10 ** ((scale.rating(result.level) - grid) / 400))
        belief = np.convolve(belief, spread, mode="same") * share ** result.share * (1 - share) ** (1 - result.share)
        belief /= belief.sum()
    rating = float((belief * grid).sum() / belief.sum())
    return min(max(round(scale.level(rating), 1), 1.0), float(LEVELS))
