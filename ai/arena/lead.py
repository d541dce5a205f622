"""How far the first of two agents leads in a tournament."""

from __future__ import annotations

from typing import NamedTuple

from sfida.ai.arena.standings import Standings


class Lead(NamedTuple):
    """A lead in Elo with its 95 % interval; `fair`: from the results without luck."""

    elo: float
    low: float
    high: float
    fair: bool

    def __str__(self) -> str:
        return f"{self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}]"


def lead_of(table: Standings) -> Lead:
    """Return the lead of the first of two agents, without luck if that was measured."""
    first = (table.agents if table.adjusted is None else table.adjusted.agents)[0]
    low, high = (2 * end for end in first.elo_ci95)             # the mean of both is 0: each has half of the lead
    return Lead(2 * first.elo, low, high, table.adjusted is not None)
