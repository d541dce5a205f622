"""A study as a picture and as CSV, and what one variant of a game has more of than another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from sfida.ai.report.material import Cell, csv_text
from sfida.ai.research.study.study import ALL, GRID, PARTS, SURE, Estimate, Study
from sfida.engines.drawing.svg import add, new_sheet, num, say, write

# ---- What one variant of a game has more of than another

COMPARED = ("first", *PARTS, "turns", "changes", "led", "sure")


def differences(study: Study, other: Study) -> dict[str, Estimate]:
    """Return the figures of a study minus those of another, by the names in `COMPARED`; `first` is the first seat's
    share of the win beyond an even one.
    """
    keys = {"first": "seat 0", **{part: f"{part} of {ALL}" for part in PARTS}}
    return {name: study.figures[keys.get(name, name)] - other.figures[keys.get(name, name)] for name in COMPARED}


# ---- Studies as CSV: one line per figure

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


# ---- A study as a picture: the parts of the variance as stacked bars, and how early games are decided

_WIDE = 640.0
_LEFT, _RIGHT = 24.0, 616.0
_INK, _MUTED, _RULE, _PAPER = "#1c2024", "#5c6670", "#dde1e5", "#ffffff"
_FILLS = {"luck": "#2b7bba", "seat": "#8f6e3d", "skill": "#d9772b", "rest": "#c9ced4"}
_LETTERS = {"luck": "#ffffff", "seat": "#ffffff", "skill": "#ffffff", "rest": _INK}
_LINES = ("#2b7bba", "#c4148c", "#8f6e3d", "#10655f", "#701040", "#75808f")
_ROW, _BAR = 46.0, 22.0
_PLOT = 210.0           # height of the curves
_NARROWEST = 0.07       # share of a bar that has room for its number


def picture_of(studies: Sequence[tuple[str, Study]]) -> str:
    """Return an SVG of studies, each with the name of its variant: a bar each, or for each line-up of only one."""
    first = studies[0][1]
    sheet = new_sheet(f"Luck, seat and skill in {first.title}", _WIDE, int(_WIDE), _PAPER)
    root = sheet.root
    say(root, _LEFT, 34, f"{first.title}: what decides a game", 18, fill=_INK, bold=True)
    y = _legend(root, 58)
    rows = [(name or "all games", study, ALL) for name, study in studies]
    if len(studies) == 1 and len(first.lineups) > 1:
        rows += [(lineup, first, lineup) for lineup in first.lineups]
    for name, study, lineup in rows:
        _bar(root, y, name, study, lineup)
        y += _ROW
    say(root, _LEFT, y + 6, "Shares of the variance of results. Luck: what the value function sees, at least.", 11,
        fill=_MUTED)
    y = _curves(root, y + 40, studies)
    return write(sheet, y, {"symbols": ""})


def _legend(root: ET.Element, y: float) -> float:
    x = _LEFT
    for part in PARTS:
        add(root, "rect", x=x, y=y - 10, width=12.0, height=12.0, fill=_FILLS[part])
        say(root, x + 18, y, part, 12, fill=_INK)
        x += 76
    return y + 30


def _bar(root: ET.Element, y: float, name: str, study: Study, lineup: str) -> None:
    games = study.games if lineup == ALL else study.lineups[lineup]
    say(root, _LEFT, y, name, 12, fill=_INK)
    say(root, _RIGHT, y, f"{games} games", 11, fill=_MUTED, anchor="end")
    found = {part: study.figures[f"{part} of {lineup}"].value for part in PARTS}
    shown = {part: max(value, 0.0) if math.isfinite(value) else 0.0 for part, value in found.items()}
    whole, x = sum(shown.values()), _LEFT
    for part, value in shown.items():
        width = (_RIGHT - _LEFT) * value / whole if whole > 0 else 0.0
        add(root, "rect", x=x, y=y + 7, width=width, height=_BAR, fill=_FILLS[part])
        if whole > 0 and value / whole >= _NARROWEST:
            say(root, x + width / 2, y + 7 + _BAR / 2 + 4, f"{100 * found[part]:.0f} %", 11, fill=_LETTERS[part],
                anchor="middle")
        x += width


def _curves(root: ET.Element, y: float, studies: Sequence[tuple[str, Study]]) -> float:
    """Draw the share of the games that are decided by each share of their turns."""
    say(root, _LEFT, y, "How early games are decided", 14, fill=_INK, bold=True)
    left, _top, bottom = _LEFT + 40, y + 18, y + 18 + _PLOT
    for step in range(5):
        level = bottom - step / 4 * _PLOT
        add(root, "line", x1=left, y1=level, x2=_RIGHT, y2=level, stroke=_RULE)
        say(root, left - 8, level + 4, f"{25 * step} %", 11, fill=_MUTED, anchor="end")
        say(root, left + step / 4 * (_RIGHT - left), bottom + 18, f"{25 * step} %", 11, fill=_MUTED, anchor="middle")
    say(root, (left + _RIGHT) / 2, bottom + 36, "of the turns of a game", 11, fill=_MUTED, anchor="middle")
    y = bottom + 60
    for number, (name, study) in enumerate(studies):
        ink = _LINES[number % len(_LINES)]
        for shares, dashes, told in ((study.led, None, "the winner leads to the end"),
                                     (study.sure, "6 4", f"the winner stays above {100 * SURE:.0f} %")):
            points = " ".join(f"{num(left + step / GRID * (_RIGHT - left))},{num(bottom - share * _PLOT)}"
                              for step, share in enumerate(shares))
            add(root, "polyline", points=points, fill="none", stroke=ink, stroke_width=2.0, stroke_dasharray=dashes)
            add(root, "line", x1=left, y1=y - 4, x2=left + 30, y2=y - 4, stroke=ink, stroke_width=2.0,
                stroke_dasharray=dashes)
            say(root, left + 38, y, f"{name}: {told}" if name else told, 11, fill=_INK)
            y += 18
    return y + 6
