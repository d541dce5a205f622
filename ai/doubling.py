"""What a faster search gains in play, by measured matches of twice the iterations against once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.errors import SfidaError
from sfida.engines.data_files import tables_beside, wrong_table
from sfida.engines.faces.rules import Rules

FILE = "doubling.toml"                  # in the game's package
_Z95 = 1.959964
_KINDS = {"iterations": int, "games": int, "share": float, "low": float, "high": float}


class InvalidDoublings(SfidaError):
    """A table of doublings is wrong; the message names the file and the error."""


@dataclass(frozen=True)
class Gain:
    """A gain in strength in Elo, with its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Doubling:
    """The gain from one doubling, over all its matches.

    Attributes
    ----------
    iterations : int
        The smaller budget; the larger one is twice that.
    games : int
    gain : Gain
    """

    iterations: int
    games: int
    gain: Gain


@dataclass(frozen=True)
class Doublings:
    """The measured doublings of an agent in a game.

    Attributes
    ----------
    steps : tuple of Doubling
        At least one, in ascending order of iterations.
    """

    steps: tuple[Doubling, ...]

    def gain(self, iterations: float, factor: float) -> Gain:
        """Return the gain from `factor` times the iterations.

        A doubling holds until the next measured one; those at the ends also hold beyond the table.

        Parameters
        ----------
        iterations : float
            Smaller budget, greater than 0.
        factor : float
            Greater than 0; below 1 the gain is a loss.
        """
        start = math.log2(iterations)
        first, last = sorted((start, start + math.log2(factor)))
        limits = [-math.inf, *(math.log2(step.iterations) for step in self.steps[1:]), math.inf]
        elo, variance = 0.0, 0.0
        for step, (low, high) in zip(self.steps, itertools.pairwise(limits), strict=True):
            part = max(0.0, min(last, high) - max(first, low))
            elo += part * step.gain.elo
            variance += (part * (step.gain.high - step.gain.low) / (2 * _Z95)) ** 2
        elo = elo if factor >= 1.0 else -elo
        spread = _Z95 * math.sqrt(variance)
        return Gain(elo, elo - spread, elo + spread)


def doublings(game: Rules, agent: str) -> Doublings | str:
    """Return the measured doublings of an agent in a game, or why there are none.

    They are read from the file `doubling.toml` of the game's package. A table holds for one agent and one number of
    players; other options are assumed to matter little.

    Parameters
    ----------
    game : Rules
    agent : str
        Name of the agent.

    Raises
    ------
    InvalidDoublings
        If the file is wrong.
    """
    tables = [table for table in _tables(type(game)) if table["game"] == game.name]
    if not tables:
        return f"what a doubling is worth has not been measured in {game.name}"
    for table in tables:
        if (table["agent"], table["players"]) == (agent, game.players):
            return Doublings(_steps(table["matches"], game.players))
    known = " and ".join(f"{table['agent']} with {table['players']} players" for table in tables)
    return f"what a doubling is worth in {game.name} has been measured for {known} only"


def elo_lead(share: float, players: int) -> float:
    """Return the lead in Elo of a seat that wins `share` (above 0, below 1) against equal opponents."""
    return 400.0 * math.log10(share * (players - 1) / (1.0 - share))


def _steps(matches: Sequence[Mapping[str, Any]], players: int) -> tuple[Doubling, ...]:
    """Pool the matches of each budget, weighted by their number of games."""
    steps = []
    for iterations in sorted({match["iterations"] for match in matches}):
        pool = [match for match in matches if match["iterations"] == iterations]
        games = sum(match["games"] for match in pool)
        weights = [match["games"] / games for match in pool]
        share = sum(w * match["share"] for w, match in zip(weights, pool, strict=True))
        below = math.hypot(*(w * (match["share"] - match["low"]) for w, match in zip(weights, pool, strict=True)))
        above = math.hypot(*(w * (match["high"] - match["share"]) for w, match in zip(weights, pool, strict=True)))
        steps.append(Doubling(iterations, games, Gain(
            elo_lead(share, players), elo_lead(share - below, players), elo_lead(share + above, players))))
    return tuple(steps)


def _tables(cls: type[Rules]) -> list[dict[str, Any]]:
    """Read the file of the game's package; without a file there are no tables."""
    try:
        tables: list[dict[str, Any]] = tables_beside(cls, FILE)
        for table in tables:
            _check(table)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidDoublings(f"{FILE} of {cls.__module__}: {wrong_table(error)}") from None
    return tables


def _check(table: Mapping[str, Any]) -> None:
    """Raise ValueError, or KeyError for a missing field, unless the table makes sense."""
    if not (isinstance(table["game"], str) and isinstance(table["agent"], str)):
        raise ValueError("'game' and 'agent' must be names")
    if type(table["players"]) is not int or table["players"] < 2:
        raise ValueError("'players' must be a whole number of at least 2")
    if not table["matches"]:
        raise ValueError("'matches' is empty")
    for match in table["matches"]:
        if any(type(match[key]) is not kind for key, kind in _KINDS.items()):
            raise ValueError("a match needs whole numbers 'iterations', 'games' and fractions 'share', 'low', 'high'")
        if match["iterations"] < 1 or match["games"] < 1:
            raise ValueError("'iterations' and 'games' must be at least 1")
        if not 0.0 < match["low"] <= match["share"] <= match["high"] < 1.0:
            raise ValueError("it must hold that 0 < low <= share <= high < 1")
