"""What worlds are told apart by in statistical tests: the whole secret, and its pieces."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Generic

from sfida.ai.audit import chi_square
from sfida.ai.audit.reference import PRIORS, Reference
from sfida.ai.audit.subject import S, Subject

WHOLE = "the whole secret"
MOST = 40               # pieces that are tested at one position
_BINS = 16              # for what has too many values to be counted one by one
_PER_CELL = 10          # samples that a value should have on average

Row = dict[str, Hashable]


class Features(Generic[S]):
    """The pieces of the secrets at one position, as its seat does not know them.

    Parameters
    ----------
    subject : Subject
    seat : int
    """

    def __init__(self, subject: Subject[S], seat: int) -> None:
        self._subject = subject
        self._seat = seat

    def rows(self, places: Sequence[S]) -> list[Row]:
        """Return the pieces of each world."""
        return [{WHOLE: self._subject.whole(place, self._seat), **self._subject.parts(place, self._seat)}
                for place in places]

    def against(self, rows: list[Row], reference: Reference[S]) -> list[tuple[str, float]]:
        """Return the p-value of each piece against a reference: the largest over the priors."""
        expected = self.rows(reference.places)
        found = []
        for name in _chosen(rows + expected):
            bins = _bins([row.get(name) for row in rows + expected], len(rows))
            counts = Counter(bins(row.get(name)) for row in rows)
            values = [bins(row.get(name)) for row in expected]
            found.append((name, max(_fits(counts, values, weights, reference.exact)
                                    for prior, weights in reference.weights.items() if prior in PRIORS)))
        return found

    def between(self, one: list[Row], other: list[Row]) -> list[tuple[str, float]]:
        """Return the p-value of each piece of two samples that should be alike."""
        found = []
        for name in _chosen(one + other):
            bins = _bins([row.get(name) for row in one + other], len(one))
            found.append((name, chi_square.same(Counter(bins(row.get(name)) for row in one),
                                                Counter(bins(row.get(name)) for row in other))))
        return found


def _fits(counts: Counter[Hashable], values: list[Hashable], weights: list[float], exact: bool) -> float:
    shares: dict[Hashable, float] = {}
    for value, weight in zip(values, weights, strict=True):
        shares[value] = shares.get(value, 0.0) + weight
    if exact:
        return chi_square.fit(counts, shares)
    return chi_square.same(counts, {value: round(share) for value, share in shares.items()})


def _chosen(rows: list[Row]) -> list[str]:
    """Return the names of the pieces that vary, evenly chosen where there are many."""
    names = sorted({name for row in rows for name in row} - {WHOLE})
    varied = [name for name in names if len({row.get(name) for row in rows}) > 1]
    step = -(-len(varied) // MOST) if varied else 1
    return [WHOLE, *varied[::step]]


def _bins(values: list[Hashable], samples: int) -> Callable[[Hashable], Hashable]:
    """Return what makes cells of values: themselves, or numbers of bins where there are too many of them."""
    many = len(set(values)) > max(2, samples // _PER_CELL)
    return (lambda value: zlib.crc32(repr(value).encode()) % _BINS) if many else (lambda value: value)
