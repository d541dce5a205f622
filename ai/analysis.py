"""What a search found out, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    """

    move: str
    code: int
    visits: int
    share: float
    value: float
    lcb: float
    prior: float
    pv: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"move": self.move, "visits": self.visits, "share": self.share, "value": self.value,
                "lcb": self.lcb, "prior": self.prior, "pv": list(self.pv)}


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
        "iterations", "seconds", "decided" (nothing could overtake any more), "forced" (one legal move)
        or "cancelled".
    memory_full : bool
        The memory cap stopped the tree from growing.
    """

    seat: int
    iterations: int
    value: tuple[float, ...]
    moves: tuple[MoveStats, ...]
    seconds: float
    stopped: str
    memory_full: bool = False

    @property
    def best(self) -> MoveStats:
        """The chosen move."""
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``sfida analyze --json``."""
        return {"schema": 1, "type": "analysis", "seat": self.seat, "iterations": self.iterations,
                "value": list(self.value), "moves": [m.to_json() for m in self.moves],
                "seconds": self.seconds, "stopped": self.stopped, "memory_full": self.memory_full}


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
