"""What an audit says, as plain data."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

FOUND, PASSED, NOT_APPLICABLE = "found", "passed", "not applicable"

CHECKS = {
    "reachability": "each world is a position to which the rules lead, with the seat having seen the same",
    "distribution": "worlds come up as often as their weights say",
    "permuted": "other secrets in the place of the true ones change nothing",
    "poisoned": "overwriting the secrets changes nothing",
    "legal lists": "the moves of the seat do not depend on what it cannot know",
    "labels": "what a seat is told of events is what it sees of them",
    "shown": "nothing that the seat is shown depends on what it cannot know",
    "serialisation": "views and worlds that are written down hold no more than they should",
    "replayed": "the same seed and moves give the same game, whoever looks at it",
    "handed out": "what a seat is handed is its own: writing into it changes nothing, and nothing changes it",
}
SAMPLED = tuple(CHECKS)[:8]     # of a game with a sampler; whose positions are never changed
SAMPLING = "reachability", "distribution", "permuted", "poisoned"


@dataclass(frozen=True)
class Reproduction:
    """Where to see a finding again.

    Attributes
    ----------
    spec : str
    seed : int
        Seed of the audit.
    seat : int
    moves : tuple of str
        All events from the start, in the game's notation.
    codes : tuple of int
        The same as codes: Sfida's moves, or OpenSpiel's action ids.
    differing : tuple of str
        What differs between the two worlds, or the two histories, piece by piece.
    """

    spec: str
    seed: int
    seat: int
    moves: tuple[str, ...]
    codes: tuple[int, ...]
    differing: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One fault.

    Attributes
    ----------
    check : str
        Name of the check, a key of `CHECKS`.
    what : str
        The fault in words.
    times : int
        Positions at which it was met.
    p : float or None
        Of a statistical test, for fresh samples; None: the fault needs no statistics.
    reproduction : Reproduction
        The shortest history at which it was met.
    """

    check: str
    what: str
    times: int
    p: float | None
    reproduction: Reproduction


@dataclass(frozen=True)
class Check:
    """What one check has done.

    Attributes
    ----------
    name : str
    status : str
        `FOUND`, `PASSED` or `NOT_APPLICABLE`.
    tried : int
        Comparisons, or statistical tests.
    note : str
        Why it is not applicable, or what it could not look at.
    """

    name: str
    status: str
    tried: int
    note: str = ""


@dataclass(frozen=True)
class Audit:
    """The result of an audit.

    Attributes
    ----------
    spec, sampler : str
    seed, games, positions, samples : int
    alpha : float
        Bound on the probability that the statistical tests find anything where nothing is wrong.
    tests : int
        Statistical tests, over which `alpha` is divided.
    refused : dict of str to int
        What the sampler said where it gave no world, and how often.
    unchecked : dict of str to int
        What there was no time for, and how often.
    checks : tuple of Check
    findings : tuple of Finding
    """

    spec: str
    sampler: str
    seed: int
    games: int
    positions: int
    samples: int
    alpha: float
    tests: int
    refused: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, int] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return dataclasses.asdict(self) | {"clean": self.clean}
