"""What a search found out, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfida.ai.beliefs.marginals import Marginal


@dataclass(frozen=True)
class MoveStats:
    """One candidate of an analysis.

    Attributes
    ----------
    move : str
        In the game's notation.
    code : int
        Move code.
    visits : int
    share : float
        Of all visits, 0..1.
    value : float
        Expected win share of the searching seat, 0..1.
    lcb : float
        Lower confidence bound of the mean reward that picks the final move; not below 0, which is the
        least reward, and 0 without visits.
    prior : float
        What the game's own policy thought of it, 0..1; 0 without priors.
    pv : tuple of str
        Line expected from here, chance outcomes included, this move first.
    values : tuple of float
        Expected win share of every seat.
    strategy : float or None
        Where the choice is hidden from others who choose too: how often to play it, 0..1.
    """

    move: str
    code: int
    visits: int
    share: float
    value: float
    lcb: float
    prior: float
    pv: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    strategy: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the move as it stands in ``sfida analyze --json``."""
        data = {"move": self.move, "visits": self.visits, "share": self.share, "value": self.value,
                "values": list(self.values), "lcb": self.lcb, "prior": self.prior, "pv": list(self.pv)}
        return data if self.strategy is None else {**data, "strategy": self.strategy}


@dataclass(frozen=True)
class Analysis:
    """Result of a search from one seat's view, best move first.

    Attributes
    ----------
    seat : int
    iterations : int
        Visits of the root.
    value : tuple of float
        Expected win share per seat.
    moves : tuple of MoveStats
        The chosen move first, the others by visits.
    seconds : float
    stopped : str
        "iterations", "seconds", "decided" (nothing could overtake any more), "forced" (one legal move), "solved"
        (the rest of the game was worked out; `iterations` are positions then) or "cancelled".
    memory_full : bool
        The memory cap stopped the tree from growing.
    beliefs : tuple of Marginal
        What the search takes each hidden thing to be, where the game says so (`Game.secrets`).
    effective : float or None
        Effective number of the worlds of a weighed belief.
    """

    seat: int
    iterations: int
    value: tuple[float, ...]
    moves: tuple[MoveStats, ...]
    seconds: float
    stopped: str
    memory_full: bool = False
    beliefs: tuple[Marginal, ...] = ()
    effective: float | None = None

    @property
    def best(self) -> MoveStats:
        """The chosen move."""
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida analyze --json``."""
        return {"schema": 1, "type": "analysis", "seat": self.seat, "iterations": self.iterations,
                "value": list(self.value), "moves": [m.to_json() for m in self.moves],
                "seconds": self.seconds, "stopped": self.stopped, "memory_full": self.memory_full,
                "beliefs": [belief.to_json() for belief in self.beliefs], "effective_worlds": self.effective}


@dataclass(frozen=True)
class Progress:
    """How a running search gets on.

    Attributes
    ----------
    iterations : int
    seconds : float
    best : str
        Most visited move, in notation.
    win : float
        Expected win share of the searching seat if it is played.
    """

    iterations: int
    seconds: float
    best: str
    win: float
