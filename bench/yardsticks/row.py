"""A row of the table: our figure, the expected one, and whether they agree."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bench.yardsticks.plan import Figure

SHARE = 0.10                            # relative difference from a figure that a repetition may have,
DEVIATIONS = 2.0                        # or number of standard deviations of single runs
ENOUGH = 4                              # seeds that are enough to estimate a deviation
SURE = 1.5                              # half widths of 95 % intervals: about 3 standard errors


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes
    ----------
    section, name : str
    ours : float
    spread : str
        Its spread.
    expected : str
    accepted : tuple of float
        Lowest and highest accepted value.
    """

    section: str
    name: str
    ours: float
    spread: str
    expected: str
    accepted: tuple[float, float]

    @property
    def ok(self) -> bool:
        """Whether our figure is accepted."""
        return self.accepted[0] <= self.ours <= self.accepted[1]

    def __str__(self) -> str:
        low, high = self.accepted
        return (f"| {self.section} | {self.name} | {self.ours:.4f} | {self.spread} | {self.expected} | "
                f"{low:.4f} to {high:.4f} | {'ok' if self.ok else 'NOT ok'} |")


HEAD = ("| section | row | ours | spread | expected | accepted | verdict |\n"
        "|---|---|---|---|---|---|---|")


def over_seeds(section: str, name: str, values: Sequence[float], figure: Figure) -> Row:
    """Compare the mean over seeds with a figure: by its band, or within 10 % or 2 deviations of a run."""
    low, high = figure.band or (figure.value, figure.value)
    if figure.band is None:
        deviation = figure.deviation or (statistics.stdev(values) if len(values) >= ENOUGH else 0.0)
        margin = max(SHARE * figure.value, DEVIATIONS * deviation)
        low, high = figure.value - margin, figure.value + margin
    spread = f"{min(values):.4f} to {max(values):.4f}, {len(values)} seeds" if len(values) > 1 else "1 seed"
    return Row(section, name, statistics.mean(values), spread, f"{figure.value:.4g}", (low, high))


def of_match(section: str, name: str, score: tuple[float, float], figure: tuple[float, float]) -> Row:
    """Compare a score with an expected one, each with the half width of its 95 % interval."""
    margin = SURE * (score[1] ** 2 + figure[1] ** 2) ** 0.5
    return Row(section, name, score[0], f"+- {score[1]:.3f}", f"{figure[0]:.3f} +- {figure[1]:.3f}",
               (figure[0] - margin, figure[0] + margin))
