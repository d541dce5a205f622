"""The result of a search as plain data."""

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
        Share of all visits, 0 to 1.
    value : float or None
        Expected win share of the searching seat, 0 to 1. None where nothing is known: the search never tried the move,
        or the solver only found that it is no better than the best.
    lcb : float or None
        Lower confidence bound of the mean reward, by which the final move is picked; at least 0, which is the
        lowest reward. None as `value`.
    prior : float
        Probability by the game's own policy, weighed by `foresight`, 0 to 1; 0 without priors.
    pv : tuple of str
        Expected line, starting with this move, chance outcomes included.
    values : tuple of float
        Expected win share of every seat; empty where `value` is None. Other packages' agents may tell that of their
        own seat alone.
    strategy : float or None
        For a choice that is hidden from others who also choose: the probability to play it, 0 to 1.
    """

    move: str
    code: int
    visits: int
    share: float
    value: float | None
    lcb: float | None
    prior: float
    pv: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    strategy: float | None = None

    @property
    def known(self) -> float:
        """`value` of a move of which it is known; raises ValueError for others."""
        if self.value is None:
            raise ValueError(f"the search did not try {self.move}")
        return self.value

    def to_json(self) -> dict[str, Any]:
        """Return the move as in ``sfida analyze --json``."""
        data = {"move": self.move, "visits": self.visits, "share": self.share, "value": self.value,
                "values": list(self.values) or None, "lcb": self.lcb, "prior": self.prior, "pv": list(self.pv)}
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
        The chosen move first, then the others by visits.
    seconds : float
    stopped : str
        "iterations", "seconds", "decided" (no other move could catch up), "forced" (one legal move), "solved"
        (the rest of the game was solved; `iterations` then counts positions) or "cancelled".
    memory_full : bool
        Whether the memory limit stopped the tree from growing.
    beliefs : tuple of Marginal
        Probable values of each hidden thing, if the game names them (`Game.secrets`).
    effective : float or None
        Effective number of worlds of a weighted belief.
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
    """The progress of a running search.

    Attributes
    ----------
    iterations : int
    seconds : float
    best : str
        Most visited move, in notation.
    win : float
        Expected win share of the searching seat if that move is played.
    """

    iterations: int
    seconds: float
    best: str
    win: float
