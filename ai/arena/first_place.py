"""Ratings from shares of the win alone, which need not be whole wins: luck-adjusted ones, for example.

The first place of the Plackett-Luce model, which for two players is Elo's: a seat of an agent with strength s wins with
probability s / sum of the strengths of all seats. Strengths are those at which every agent may expect the wins that it
has, which is also where the likelihood is largest. As in `plackett_luce`, one virtual block against the average of the
field, half of it won, keeps them finite; in resamples the weights of its halves are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sfida.ai.arena.bootstrap import RESAMPLES, Floats, Ints, resamples_for, tail, units, weights
from sfida.ai.arena.tally import Tally

_ELO = 400 / math.log(10)
_STEPS = 60                     # of Newton's method, at most
_CLOSE = 1e-5                   # change of a log strength at which it ends
_FARTHEST = 8.0                 # largest log strength: 1,390 Elo
_MOST = 1000                    # resamples
_LEAST = 1e-4                   # least weight of half a virtual block in a resample


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo; the mean of all agents is 0.

    Attributes
    ----------
    agents : float array of shape (agents,)
    intervals : float array of shape (agents, 2)
        95 % by bootstrap over blocks.
    """

    agents: Floats
    intervals: Floats


def rate_wins(tally: Tally, agents: int, *, seed: int, resamples: int = RESAMPLES) -> Ratings:
    """Return ratings by the shares of the win in a tally.

    Parameters
    ----------
    tally : Tally
    agents : int
    seed : int
        Of the resamples.
    resamples : int
        Largest number of resamples.
    """
    if not tally.games:
        return Ratings(np.zeros(agents), np.tile([-np.inf, np.inf], (agents, 1)))
    seats = np.zeros((tally.games, agents))
    wins = np.zeros((tally.games, agents))
    rows = np.repeat(np.arange(tally.games), tally.agent.shape[1])
    np.add.at(seats, (rows, tally.agent.ravel()), 1)
    np.add.at(wins, (rows, tally.agent.ravel()), tally.utility.ravel())
    unit, count = units(tally.block, tally.blocks)
    lineups, which = np.unique(seats, axis=0, return_inverse=True)
    met = _by_unit(unit, count, np.eye(len(lineups))[which.ravel()])
    won = _by_unit(unit, count, wins)
    games = tally.agent.shape[1]            # of a block
    best = _fit(lineups, met.sum(axis=0)[None], won.sum(axis=0)[None], np.full((2, 1, agents), games / 2))[0]
    rng = np.random.default_rng([seed, 1])
    found = []
    for drawn in weights(count, seed, min(_MOST, resamples_for(count, resamples)), len(lineups)):
        virtual = np.maximum(rng.gamma(0.5, size=(2, drawn.shape[1], agents)), _LEAST) * games
        found.append(_fit(lineups, drawn.T @ met, drawn.T @ won, virtual))
    beyond = tail(count)
    ends = np.quantile(np.concatenate(found), [beyond, 1 - beyond], axis=0)
    intervals = np.column_stack([np.minimum(ends[0], best), np.maximum(ends[1], best)])
    return Ratings(_ELO * best, _ELO * intervals)


def _by_unit(unit: Ints, count: int, values: Floats) -> Floats:
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, unit, values)
    return total


def _fit(lineups: Floats, met: Floats, won: Floats, virtual: Floats) -> Floats:
    """Return log strengths with mean 0 of shape (resamples, agents).

    Parameters
    ----------
    lineups : float array of shape (L, agents)
        Seats of each agent.
    met : float array of shape (resamples, L)
        Games of each line-up.
    won : float array of shape (resamples, agents)
        Shares of the win.
    virtual : float array of shape (2, resamples, agents)
        Games won and lost against the average of the field.
    """
    played = met @ (lineups > 0)
    target = np.clip(won, 0.0, played) + virtual[0]
    more = virtual.sum(axis=0)
    strength = np.zeros_like(target)
    for _ in range(_STEPS):
        power = lineups[None] * np.exp(strength)[:, None]
        share = power / power.sum(axis=2, keepdims=True)            # (resamples, L, agents)
        even = 1 / (1 + np.exp(-strength))
        slope = target - np.einsum("rl,rla->ra", met, share) - more * even
        bend = -np.einsum("rl,rla,rlb->rab", met, share, share)
        diagonal = np.einsum("rl,rla->ra", met, share) + more * even * (1 - even)
        bend[:, range(bend.shape[1]), range(bend.shape[1])] += diagonal
        step = np.clip(np.linalg.solve(bend, slope[..., None])[..., 0], -1.0, 1.0)
        strength = np.clip(strength + step, -_FARTHEST, _FARTHEST)
        if np.abs(step).max() < _CLOSE:
            break
    return np.asarray(strength - strength.mean(axis=1, keepdims=True), float)
