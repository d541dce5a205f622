"""The common part of all figures: the sheet, the page's colours, and SVG that can be placed in a page with others.

Text stays text, in the font of the page; colours are variables of the page, so that a figure follows its light and
dark themes.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from sfida.ai.arena.report.markup import escaped, own_ids
from sfida.ai.arena.report.style import AGENTS_LIGHT, NAMES

WIDTH = 460.0           # width of a figure in units; a letter of plain text is 10 units high
SIDE = 7.0

# Colours used for nothing else stand for the page's variables until the drawing is done.
_COLOURS = {name: f"#0102{index:02x}" for index, name in enumerate(NAMES)}
_COLOURS |= {f"agent-{index}": f"#0103{index:02x}" for index in range(len(AGENTS_LIGHT))}
INK, MUTED, RULE, PAPER, ACCENT = (_COLOURS[name] for name in ("ink", "muted", "rule", "paper", "link"))
WIN, LOSE = _COLOURS["win"], _COLOURS["lose"]

_THEME = {
    "svg.fonttype": "none", "svg.hashsalt": "sfida", "font.family": "DejaVu Sans", "font.size": 10.0,
    "axes.unicode_minus": True, "text.color": INK, "axes.labelcolor": MUTED, "axes.edgecolor": MUTED,
    "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelsize": 9.0, "ytick.labelsize": 9.0,
    "axes.labelsize": 9.5, "axes.linewidth": 0.8, "grid.color": RULE, "grid.linewidth": 0.8, "text.parse_math": False,
}


def agent_ink(agent: int) -> str:
    """Return the colour of an agent in a drawing, by its index."""
    return _COLOURS[f"agent-{agent % len(AGENTS_LIGHT)}"]


@contextmanager
def theme() -> Iterator[None]:
    """Draw in the style of the report, whatever the user's matplotlib style is."""
    with matplotlib.style.context(["default", _THEME]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")       # the fonts of the browser are used
        yield


@dataclass
class Sheet:
    """A figure with one pair of axes."""

    figure: Figure
    axes: Axes

    @classmethod
    def new(cls, height: float, *, left: float = SIDE, right: float = SIDE, top: float = 6.0,
            bottom: float = 38.0) -> Sheet:
        """Return an empty sheet `height` units high, margins included."""
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        axes = figure.add_axes((left / WIDTH, bottom / height, 1 - (left + right) / WIDTH,
                                1 - (top + bottom) / height))
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)
        axes.tick_params(length=3, width=0.8)
        axes.set_axisbelow(True)
        return cls(figure, axes)

    @classmethod
    def rows(cls, count: int, height: float) -> Sheet:
        """Return a sheet of `count` rows, each `height` units high; row i reaches from y = i down to i + 1."""
        sheet = cls.new(count * height + 46)
        sheet.axes.set_ylim(count, 0)
        sheet.axes.set_yticks([])
        sheet.axes.grid(axis="x")
        return sheet

    def head(self, row: int, name: str, value: str, y: float = 0.3) -> None:
        """Write the name of a row on the left and its value on the right."""
        across = self.axes.get_yaxis_transform()
        for x, side, text in ((0.0, "left", name), (1.0, "right", value)):
            self.axes.text(x, row + y, text, transform=across, ha=side, va="baseline", zorder=5,
                           color=INK if side == "left" else MUTED,
                           bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.2})

    def whisker(self, row: float, value: float, bounds: tuple[float, float], colour: str) -> None:
        """Draw a dot with its interval; values that are not finite are left out."""
        low, high = (bound if np.isfinite(bound) else value for bound in bounds)
        if not np.isfinite(value):
            return
        self.axes.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="round", zorder=3)
        self.axes.plot([value], [row], "o", color=colour, markersize=8, markeredgecolor=PAPER, markeredgewidth=1.4,
                       zorder=4)

    def svg(self, name: str, alt: str) -> str:
        """Return the drawing as an element of the page; `name` must be unique there."""
        stream = io.StringIO()
        self.figure.savefig(stream, format="svg", transparent=True,
                            metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        text = own_ids(stream.getvalue(), f"{name}-")
        text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
        text = re.sub(r'^<svg ([^>]*?)\s*width="[^"]*"', r"<svg \1", text)
        text = re.sub(r'^(<svg [^>]*?)\s*height="[^"]*"', r"\1", text)
        for variable, colour in _COLOURS.items():
            text = text.replace(colour, f"var(--{variable})")
        return text.replace("<svg ", f'<svg role="img" aria-label="{escaped(alt)}" ', 1)

    def html(self, name: str, title: str, caption: str, alt: str) -> str:
        """Return the figure for the page, with its caption; `name` must be unique there."""
        return (f'<figure id="figure-{name}">{self.svg(name, f"{title}. {alt}")}\n'
                f"<figcaption><strong>{title}.</strong> {escaped(caption)}</figcaption></figure>")


def numbers_below(axes: Axes, label: str, *, whole: bool = False) -> None:
    """Give the horizontal axis a label and a few round ticks."""
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=whole))


def scale_for(axes: Axes, values: NDArray[np.float64]) -> bool:
    """Make the horizontal axis logarithmic if positive values differ tenfold; return whether it is."""
    low, high = values.min(), values.max()
    if high < 10 * low:
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        return False
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 60 * low else (1.0,), numticks=8))
    axes.xaxis.set_minor_formatter(NullFormatter())
    return True


def formatted(axes: Axes, form: FuncFormatter) -> None:
    """Write the ticks of the horizontal axis with the given formatter."""
    axes.xaxis.set_major_formatter(form)
    axes.xaxis.get_offset_text().set_visible(False)


# ---- bins -------------------------------------------------------------------------------------------

_MOST = 40


def bins(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of at most about 40 equal bins; whole numbers lie in the middle of their bins."""
    data = np.asarray(values, float)
    low, high = float(data.min()), float(data.max())
    if np.array_equal(data, np.round(data)):
        width = _round_width((high - low + 1) / _MOST, whole=True)
        first = np.floor(low / width) * width
        number = int((high - first) // width) + 1
        return np.asarray(first - 0.5 + width * np.arange(number + 1))
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        return np.array([low - 0.5, low + 0.5])
    number = int(np.clip(2 * len(data) ** 0.4, 6, _MOST))
    return np.linspace(low, high, number + 1)


def log_bins(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bins of equal ratio over positive values."""
    number = int(np.clip(2 * len(values) ** 0.4, 6, _MOST))
    return np.asarray(np.geomspace(values.min() * (1 - 1e-9), values.max() * (1 + 1e-9), number + 1))


def _round_width(least: float, *, whole: bool) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))
    return max(1.0, width) if whole else width
