"""Studies as CSV: one line per figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sfida.ai.arena.report.tables import Cell, csv_text
from sfida.ai.study.decided import GRID
from sfida.ai.study.parts import ALL, PARTS
from sfida.ai.study.study import Study

_HEADS = ("variant", "figure", "lineup", "agent", "seat", "games", "value", "low", "high")


def csv_of(studies: Iterable[tuple[str, Study]]) -> str:
    """Return the figures of studies, each with the name of its variant, as one table (RFC 4180)."""
    return csv_text(_HEADS, (row for name, study in studies for row in _rows(name, study)))


def _rows(name: str, study: Study) -> Iterator[Sequence[Cell]]:
    for lineup, games in {ALL: study.games, **study.lineups}.items():
        for part in PARTS:
            found = study.figures[f"{part} of {lineup}"]
            yield name, part, lineup, None, None, games, found.value, found.low, found.high
    for seat in range(len(study.seats)):
        found = study.figures[f"seat {seat}"]
        yield name, "beyond even", ALL, None, seat, study.games, found.value, found.low, found.high
    yield (name, "elo", ALL, None, 0, study.games, *study.first_elo)
    for cell in study.cells:
        yield name, "win share", cell.lineup, cell.agent, cell.seat, cell.games, cell.share, *cell.ci95
    for what in ("turns", "changes", "led", "sure"):
        found = study.figures[what]
        yield name, what, ALL, None, None, study.games, found.value, found.low, found.high
    for what, shares in (("led", study.led), ("sure", study.sure)):
        for step, share in enumerate(shares):
            yield name, f"{what} by {step / GRID:g}", ALL, None, None, study.games, share, None, None
    for (reason, seat), games in study.ends.items():
        yield name, f"end {reason}", ALL, None, None if seat < 0 else seat, games, None, None, None
