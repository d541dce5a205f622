"""Statistical tests at one position: worlds against a reference, or against those of other secrets."""

from __future__ import annotations

from typing import Generic

from sfida.ai.audit.features import Features, Row
from sfida.ai.audit.place import Place
from sfida.ai.audit.reference import Reference
from sfida.ai.audit.subject import Refused, S

CONFIRMED = 2           # as many times the samples are drawn afresh to confirm what is unlikely
_FRESH = 10             # numbers of fresh worlds begin at so many times the samples


class Comparison(Generic[S]):
    """The worlds that the sampler draws at a position, and what they should be like.

    Parameters
    ----------
    check : str
        "distribution" or "permuted".
    place : Place
    against : Reference or position
        Histories with their weights, or a history with other secrets, whose worlds should be alike.
    samples : int

    Attributes
    ----------
    check, place
    other : position or None
        The history with other secrets.
    fault : str
        What is wrong if a test fails.
    """

    def __init__(self, check: str, place: Place[S], against: Reference[S] | S, samples: int) -> None:
        self.check = check
        self.place = place
        self._against = against
        self.other: S | None = None if isinstance(against, Reference) else against
        self.fault = ("not drawn by the weights of the histories" if self.other is None else
                      "drawn otherwise if the true secrets are others")
        self._samples = samples
        self._features = Features(place.subject, place.seat)
        self._first: dict[str, float] | None = None
        self._again: dict[str, float] | None = None

    def first(self) -> dict[str, float]:
        """Return the p-value of each piece of the secrets; raises `Refused` if there are no worlds."""
        if self._first is None:
            self._first = self._p_values(0, self._samples)
        return self._first

    def again(self) -> dict[str, float]:
        """Return them for fresh and more worlds; none where there are no worlds."""
        if self._again is None:
            try:
                self._again = self._p_values(_FRESH * self._samples, CONFIRMED * self._samples)
            except Refused:
                self._again = {}
        return self._again

    def _p_values(self, start: int, count: int) -> dict[str, float]:
        mine = self._rows(None, start, count)
        if isinstance(self._against, Reference):
            return dict(self._features.against(mine, self._against))
        return dict(self._features.between(mine, self._rows(self.other, start + count, count)))

    def _rows(self, truth: S | None, start: int, count: int) -> list[Row]:
        return self._features.rows([self.place.sample(number, truth) for number in range(start, start + count)])
