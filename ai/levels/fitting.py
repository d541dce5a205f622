"""Ten levels on a ladder, fitted to matches between places of the ladder."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.outcome import told
from sfida.ai.arena.tournament import Tournament
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.levels.scale import ERRING, LEVELS, STEP, LevelStep, Strength, at
from sfida.ai.research.searches import random_decisions
from sfida.ai.search import IsmctsOptions
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.game import Game
from sfida.engines.spec import canonical

# ---- Ten levels on a ladder, fitted to matches between places of the ladder

Floats = NDArray[np.float64]

Z95 = 1.959964
_LEAST = 1.0                            # least Elo from a rung to the next: the ladder rises everywhere
_RISE, _ANY = 100.0, 200.0              # Elo of a rise on which players err less: mean and standard deviation
_DOUBLING = 50.0                        # Elo of the first doubling of the iterations
_ALIKE, _OWN = 25.0, 15.0               # standard deviations of the common part of all doublings, and of each
_FADES = 0.9                            # gain of a doubling relative to the one before it
_SWEEPS = 500


@dataclass(frozen=True)
class Duel:
    """The result of a match between two places of a ladder.

    Attributes
    ----------
    low, high : float
        Places on the ladder, `low` < `high`.
    games : int
    elo : float
        Lead of the higher place.
    error : float
        Standard error of the lead, above 0.
    """

    low: float
    high: float
    games: int
    elo: float
    error: float


@dataclass(frozen=True)
class RatingCurve:
    """The rating along a ladder: straight between rungs.

    Attributes
    ----------
    rises : float array of shape (rungs - 1,)
        Elo from each rung to the next, at least 1.
    covariance : float array of shape (rungs - 1, rungs - 1)
        Covariance of the rises.
    measured : int
        Number of rises up to the highest place that has played; the others are extrapolated.
    """

    rises: Floats
    covariance: Floats
    measured: int

    def rating(self, place: float) -> float:
        """Return the rating of a place in Elo; the first rung has 0."""
        return float(self._weights(0.0, place) @ self.rises)

    def place(self, rating: float) -> float:
        """Return the place with a rating."""
        ends = np.concatenate([[0.0], np.cumsum(self.rises)])
        return float(np.interp(rating, ends, np.arange(len(ends))))

    def step(self, low: float, high: float) -> LevelStep:
        """Return the lead of one place over a lower one."""
        weights = self._weights(low, high)
        elo, spread = float(weights @ self.rises), Z95 * float(np.sqrt(weights @ self.covariance @ weights))
        return LevelStep(0, elo, elo - spread, elo + spread, extrapolated=high > self.measured + 1e-9)

    def levels(self) -> tuple[float, ...]:
        """Return the places of levels 1 to 10: the highest rung is level 10, and each step is 100 Elo.

        If the whole ladder spans less than nine of them, the steps are equal.
        """
        top = float(self.rises.sum())
        step = min(STEP, top / (LEVELS - 1))
        return (*tuple(self.place(top - step * (LEVELS - level)) for level in range(1, LEVELS)), float(len(self.rises)))

    def _weights(self, low: float, high: float) -> Floats:
        return _overlap(low, high, len(self.rises))


def fit(duels: Sequence[Duel], rungs: int) -> RatingCurve:
    """Fit the rating along a ladder to matches.

    The rises have a prior. Little is known of those on which players err less and less; the doublings of the iterations
    are known from Carcassonne (docs/lab/experiments.md): each gains a little less than the one before.
    Given the matches, the fit takes the most probable rises of at least 1. So doublings that have not been played
    follow those that have.

    Parameters
    ----------
    duels : sequence of Duel
        At least one.
    rungs : int
        Rungs of the ladder, at least 2.
    """
    count = rungs - 1
    mean, spread = _prior(count)
    design = np.array([_overlap(duel.low, duel.high, count) / duel.error for duel in duels])
    target = np.array([duel.elo / duel.error for duel in duels])
    known = np.linalg.inv(spread)
    inner = design.T @ design + known
    rises = _rising(inner, design.T @ target + known @ mean)
    return RatingCurve(rises, np.linalg.inv(inner), min(count, max(int(np.ceil(duel.high - 1e-9)) for duel in duels)))


def _prior(count: int) -> tuple[Floats, Floats]:
    """Return the mean and the covariance of the rises before any match."""
    mean, spread = np.full(count, _RISE), np.eye(count) * _ANY**2
    less = _FADES ** np.arange(max(0, count - ERRING))
    mean[ERRING:] = _DOUBLING * less
    spread[ERRING:, ERRING:] = np.outer(less, less) * (_ALIKE**2 + _OWN**2 * np.eye(len(less)))
    return mean, spread


def _rising(inner: Floats, target: Floats) -> Floats:
    """Solve inner @ x = target for the best x of at least `_LEAST`, entry by entry until nothing changes."""
    x = np.full(len(target), _LEAST)
    for _ in range(_SWEEPS):
        before = x.copy()
        for i in range(len(x)):
            x[i] = max(_LEAST, x[i] + (target[i] - inner[i] @ x) / inner[i, i])
        if np.abs(x - before).max() < 1e-6:
            break
    return x


def _overlap(low: float, high: float, count: int) -> Floats:
    """Return the part of each stretch between rungs that lies between two places."""
    starts = np.arange(count)
    return np.asarray(np.clip(np.minimum(starts + 1, high) - np.maximum(starts, low), 0.0, 1.0), float)


# ---- Matches between places of a ladder, each with its own store, so that a fit continues where it ended

_SAMPLE = 8                             # positions for the measurement of speed
_PROBE = 2000                           # iterations in each of them


@dataclass(frozen=True)
class FittingEffort:
    """The numbers of games of matches.

    Attributes
    ----------
    games : int
        Most games of a match.
    least : int
        Fewest games of a match.
    work : int
        Most iterations per decision times games of a match, between those two.
    dearest : int
        Most iterations of a place that plays at all.
    """

    games: int = 400
    least: int = 40
    work: int = 100_000
    dearest: int = 2000

    def of(self, strength: Strength) -> int:
        """Return the number of games of a match with this stronger side; 0: it is too expensive."""
        if strength.iterations > self.dearest:
            return 0
        return max(self.least, min(self.games, self.work // strength.iterations))


def spec_of(strength: Strength) -> str:
    """Return the agent spec of a strength."""
    return canonical("level", strength) if strength != Strength() else f"level:iterations={strength.iterations}"


def duel(game: Game, rungs: Sequence[Strength], low: float, high: float, games: int, seed: int, folder: Path,
         jobs: int = 1) -> Duel:
    """Play a match between two places of a ladder, or the games that the folder lacks, and return its result.

    The lead is that of the luck-adjusted ratings if luck is measured.
    """
    elo, error, played = match(game, spec_of(at(rungs, high)), spec_of(at(rungs, low)), games, seed, folder, jobs)
    return Duel(low, high, played, elo, error)


def match(game: Game, first: str, second: str, games: int, seed: int, folder: Path,
          jobs: int = 1) -> tuple[float, float, int]:
    """Play a match between two agents and return the lead of the first in Elo, its standard error and the games."""
    words = " ".join((game.spec(), first, second, str(seed)))
    path = folder / (re.sub(r"\W+", "-", words) + ".sfida")
    planned = Tournament(game, [first, second], games, derive(seed, len(words)))
    # Many matches are short, so a single job starts no process.
    table = planned.run(path, jobs=jobs, resume=True, backend="loky" if jobs > 1 else "threading")
    if table.forfeits:
        raise SfidaError(f"a match that was forfeited says nothing of its players{told(table.forfeits)}")
    sides = table.agents if table.adjusted is None else table.adjusted.agents
    width = [side.elo_ci95[1] - side.elo_ci95[0] for side in sides]
    # Two ratings with mean 0 are the same number with opposite signs.
    return sides[0].elo - sides[1].elo, max(1.0, sum(width) / (2 * Z95)), table.games


def largest_budget(game: Game, seconds: float, seed: int, clock: Callable[[], float] = time.process_time) -> int:
    """Return the iterations that take `seconds` of one core, averaged over a random game, to two digits."""
    searcher = IsmctsAgent(IsmctsOptions(iterations=_PROBE, endgame=0), seed)
    spent, done = 0.0, 0
    decisions = random_decisions(game.initial_state(), Random(seed), least=2)
    for state in decisions[::max(1, len(decisions) // _SAMPLE)]:
        started = clock()
        done += searcher.analyze(state.view(state.to_move)).iterations
        spent += clock() - started
    rate = done / max(spent, 1e-6)
    return max(64, int(float(f"{rate * seconds:.1e}")))
