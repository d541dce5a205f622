"""Matches between places of a ladder, each in a store of its own, so that a fit goes on where it ended."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfida.ai.arena.outcome import told
from sfida.ai.arena.tournament import Tournament
from sfida.ai.ismcts import IsmctsAgent
from sfida.ai.levels.fitting import Z95, Duel
from sfida.ai.levels.ladder import at
from sfida.ai.levels.strength import Strength
from sfida.ai.random_games import random_decisions
from sfida.ai.search_options import IsmctsOptions
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.game import Game
from sfida.engines.spec import canonical

_SAMPLE = 8                             # positions in which the speed is measured
_PROBE = 2000                           # iterations in each of them


@dataclass(frozen=True)
class Effort:
    """How many games matches have.

    Attributes
    ----------
    games : int
        Most of a match.
    least : int
        Fewest of a match.
    work : int
        Iterations per decision times games that a match may cost, between those two.
    dearest : int
        Iterations of the dearest places that play at all.
    """

    games: int = 400
    least: int = 40
    work: int = 100_000
    dearest: int = 2000

    def of(self, strength: Strength) -> int:
        """Return the games of a match whose stronger side is this; 0: it is too dear."""
        if strength.iterations > self.dearest:
            return 0
        return max(self.least, min(self.games, self.work // strength.iterations))


def spec_of(strength: Strength) -> str:
    """Return the agent spec of a strength."""
    return canonical("level", strength) if strength != Strength() else f"level:iterations={strength.iterations}"


def duel(game: Game, rungs: Sequence[Strength], low: float, high: float, games: int, seed: int, folder: Path,
         jobs: int = 1) -> Duel:
    """Play a match between two places of a ladder, or what of it the folder lacks, and return its result.

    The lead is that of the ratings without the luck of the games, where that is measured.
    """
    elo, error, played = match(game, spec_of(at(rungs, high)), spec_of(at(rungs, low)), games, seed, folder, jobs)
    return Duel(low, high, played, elo, error)


def match(game: Game, first: str, second: str, games: int, seed: int, folder: Path,
          jobs: int = 1) -> tuple[float, float, int]:
    """Play a match between two agents and return the lead of the first in Elo, its standard error and the games."""
    words = " ".join((game.spec(), first, second, str(seed)))
    path = folder / (re.sub(r"\W+", "-", words) + ".sfida")
    planned = Tournament(game, [first, second], games, derive(seed, len(words)))
    # many matches are short: one process is not started for each
    table = planned.run(path, jobs=jobs, resume=True, backend="loky" if jobs > 1 else "threading")
    if table.forfeits:
        raise SfidaError(f"a match that was forfeited says nothing of its players{told(table.forfeits)}")
    sides = table.agents if table.adjusted is None else table.adjusted.agents
    width = [side.elo_ci95[1] - side.elo_ci95[0] for side in sides]
    # two ratings with mean 0 are the same number with opposite signs
    return sides[0].elo - sides[1].elo, max(1.0, sum(width) / (2 * Z95)), table.games


def largest_budget(game: Game, seconds: float, seed: int, clock: Callable[[], float] = time.process_time) -> int:
    """Return the iterations that take so many seconds of one core, in mean over a random game, to two digits."""
    searcher = IsmctsAgent(IsmctsOptions(iterations=_PROBE, endgame=0), seed)
    spent, done = 0.0, 0
    decisions = random_decisions(game.initial_state(), Random(seed), least=2)
    for state in decisions[::max(1, len(decisions) // _SAMPLE)]:
        started = clock()
        done += searcher.analyze(state.view(state.to_move)).iterations
        spent += clock() - started
    rate = done / max(spent, 1e-6)
    return max(64, int(float(f"{rate * seconds:.1e}")))
