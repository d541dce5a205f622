"""Figures of a report: ratings, cross table, seats, budgets, scores, luck, lengths and times.

Text stays text, in the font of the page; colours are variables of the page, so that a figure follows its light and
dark themes.

Agents are in the order of their ratings and keep their colours in all figures.
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
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator
from numpy.typing import NDArray

from sfida.ai.report.html import AGENTS_LIGHT, NAMES, duration, escaped, fixed, interval, own_ids, percent, seat_label
from sfida.ai.report.material import SUSPECT, Family, Material

# ---- The common parts of all figures: the sheet, the page's colours, text as text

WIDTH = 460.0           # width of a figure in units; a letter of plain text is 10 units high
SIDE = 7.0

# These colours, used for nothing else, represent the page's variables until the drawing is done.
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
        warnings.filterwarnings("ignore", "Glyph .* missing")       # the browser's fonts have them
        yield


@dataclass
class Chart:
    """A figure with one pair of axes."""

    figure: Figure
    axes: Axes

    @classmethod
    def new(cls, height: float, *, left: float = SIDE, right: float = SIDE, top: float = 6.0,
            bottom: float = 38.0) -> Chart:
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
    def rows(cls, count: int, height: float) -> Chart:
        """Return a sheet of `count` rows, each `height` units high; row i extends from y = i down to i + 1."""
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


# ---- Figures of distributions: scores, luck, lengths and times

_RIDGE = 52.0
_Rows = Sequence[tuple[int, NDArray[np.float64]]]       # an agent and its values


def scores(material: Material) -> str:
    """Draw the scores of each agent; "" if no game was played to its end."""
    rows = [(index, np.array([game.outcome.scores[seat] for game, seat in material.seats_of(index)
                              if game.outcome.forfeit is None], float)) for index in material.ranking]
    rows = [(index, values[np.isfinite(values)]) for index, values in rows]
    rows = [(index, values) for index, values in rows if len(values)]
    if not rows:
        return ""
    texts = [f"mean {fixed(float(values.mean()), 1)}, sd {fixed(float(values.std()), 1)}" for _, values in rows]
    sheet = _ridges(material, rows, bins(np.concatenate([values for _, values in rows])), texts,
                    [float(values.mean()) for _, values in rows])
    numbers_below(sheet.axes, "points at the end of the game")
    return sheet.html("scores", "Scores",
                      "Share of an agent's games by points, on the same scale for all agents; the line is the mean. "
                      "Forfeited games are left out.", _said(material, rows, texts))


def luck(material: Material) -> str:
    """Draw the luck of each agent against its wins; "" if luck was not measured."""
    if material.standings.adjusted is None:
        return ""
    held = {index: np.array([(game.outcome.luck.seats[seat], game.outcome.utilities[seat])
                             for game, seat in material.seats_of(index) if game.outcome.luck is not None], float)
            for index in material.ranking}
    rows = [(index, pairs[:, 0]) for index, pairs in held.items() if len(pairs)]
    if not rows:
        return ""
    edges = bins(100 * np.concatenate([values for _, values in rows]))
    texts = [f"mean {fixed(100 * float(values.mean()), 1, sign=True)}\u202f%" for _, values in rows]
    sheet = _ridges(material, [(index, 100 * values) for index, values in rows], edges, texts,
                    [100 * float(values.mean()) for _, values in rows],
                    [held[index][:, 1] for index, _ in rows])
    numbers_below(sheet.axes, "luck of a game, in % of win probability")
    return sheet.html("luck", "Luck against result",
                      "Share of an agent's games by how lucky it was in them; the dark part is what it won of them, "
                      "and the line is its mean luck, whose expectation is 0.", _said(material, rows, texts))


def length(material: Material) -> str:
    """Draw the number of moves per game; "" without games."""
    plies = np.array([game.plies for game in material.counted if game.outcome.forfeit is None], float)
    if not len(plies):
        return ""
    median = float(np.median(plies))
    sheet = _histogram(plies, bins(plies), median)
    numbers_below(sheet.axes, "moves per game, including chance events", whole=True)
    return sheet.html("length", "Length",
                      f"Moves per game: median {fixed(median)}, from {fixed(plies.min())} to {fixed(plies.max())}. "
                      "Forfeited games are left out.",
                      f"{len(plies)} games, median {fixed(median)} moves")


def game_time(material: Material) -> str:
    """Draw the time per game; "" if no time was measured."""
    wall = _positive([game.outcome.wall for game in material.counted])
    if not len(wall):
        return ""
    median, least, most = (float(of(wall)) for of in (np.median, np.min, np.max))
    sheet = _histogram(wall, None, median)
    sheet.axes.set_xlabel("wall-clock time per game")
    formatted(sheet.axes, FuncFormatter(lambda value, _: duration(value)))
    return sheet.html("walls", "Time per game",
                      f"Median {duration(median)}, from {duration(least)} to {duration(most)}; all games together "
                      f"{duration(float(wall.sum()))}.",
                      f"{len(wall)} games, median {duration(median)}")


def decision_time(material: Material) -> str:
    """Draw the time per decision of each agent; "" if no time was measured."""
    rows = [(index, _positive([game.outcome.seconds[seat] / game.outcome.decisions[seat]
                               for game, seat in material.seats_of(index) if game.outcome.decisions[seat]]))
            for index in material.ranking]
    rows = [(index, values) for index, values in rows if len(values)]
    if not rows:
        return ""
    texts = [f"median {duration(float(np.median(values)))}" for _, values in rows]
    sheet = _ridges(material, rows, None, texts, [float(np.median(values)) for _, values in rows])
    sheet.axes.set_xlabel("wall-clock time per decision")
    formatted(sheet.axes, FuncFormatter(lambda value, _: duration(value)))
    return sheet.html("decisions", "Time per decision",
                      "Each game and seat gives one value, the mean of its decisions; the line is the median.",
                      _said(material, rows, texts))


# ---- shared -----------------------------------------------------------------------------------------


def _ridges(material: Material, rows: _Rows, edges: NDArray[np.float64] | None,
            texts: Sequence[str], marks: Sequence[float], parts: Sequence[NDArray[np.float64]] | None = None) -> Chart:
    """Draw one histogram per row; without bin edges the values are positive and may need a logarithmic axis.

    Dark bars show a part of each row's values: `parts`, 0 to 1 for every value.
    """
    sheet = Chart.rows(len(rows), _RIDGE)
    together = np.concatenate([values for _, values in rows])
    if edges is None:
        edges = log_bins(together) if scale_for(sheet.axes, together) else bins(together)
    shares = [np.histogram(values, edges)[0] / len(values) for _, values in rows]
    most = max(float(share.max()) for share in shares)
    for row, ((index, _), share, text, mark) in enumerate(zip(rows, shares, texts, marks, strict=True)):
        base = row + 0.96
        sheet.head(row, material.names[index], text, 0.26)
        sheet.axes.stairs(base - 0.6 * share / most, edges, baseline=base, fill=True, color=agent_ink(index),
                          alpha=0.55 if parts is None else 0.3, linewidth=0, zorder=3)
        if parts is not None:
            dark = np.histogram(rows[row][1], edges, weights=parts[row])[0] / len(parts[row])
            sheet.axes.stairs(base - 0.6 * dark / most, edges, baseline=base, fill=True, color=agent_ink(index),
                              alpha=0.75, linewidth=0, zorder=3)
        sheet.axes.axhline(base, color=RULE, linewidth=0.8, zorder=2)
        sheet.axes.plot([mark, mark], [base, base - 0.6], color=agent_ink(index), linewidth=1.8, zorder=4)
    sheet.axes.set_xlim(*_padded(edges, sheet.axes.get_xscale() == "log"))
    return sheet


def _histogram(values: NDArray[np.float64], edges: NDArray[np.float64] | None, mark: float) -> Chart:
    sheet = Chart.new(190, left=42)
    axes = sheet.axes
    if edges is None:
        edges = log_bins(values) if scale_for(axes, values) else bins(values)
    counts = np.histogram(values, edges)[0]
    axes.stairs(counts, edges, fill=True, color=ACCENT, alpha=0.55, linewidth=0, zorder=3)
    axes.plot([mark, mark], [0, counts.max()], color=ACCENT, linewidth=1.8, zorder=4)
    axes.set_xlim(*_padded(edges, axes.get_xscale() == "log"))
    axes.set_ylim(0, counts.max() * 1.05)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.set_ylabel("games")
    axes.grid(axis="y")
    axes.tick_params(axis="y", length=0)
    return sheet


def _padded(edges: NDArray[np.float64], logarithmic: bool) -> tuple[float, float]:
    low, high = float(edges[0]), float(edges[-1])
    if logarithmic:
        more = (high / low) ** 0.03
        return low / more, high * more
    more = 0.03 * (high - low)
    return low - more, high + more


def _positive(values: Sequence[float]) -> NDArray[np.float64]:
    data = np.asarray(values, float)
    return np.asarray(data[np.isfinite(data) & (data > 0)])


def _said(material: Material, rows: _Rows, texts: Sequence[str]) -> str:
    return "; ".join(f"{material.names[index]}: {text}" for (index, _), text in zip(rows, texts, strict=True))


# ---- Figures of strength: ratings, cross table, seats, and strength against budget

_ROW = 37.0


def rating(material: Material) -> str:
    """Draw the ratings with their intervals, best on top; "" if no agent has one."""
    agents = material.standings.agents
    ranking = [index for index in material.ranking if math.isfinite(agents[index].elo)]
    if not ranking or not material.standings.blocks:
        return ""
    sheet = Chart.rows(len(ranking), _ROW)
    sheet.axes.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    said = []
    for row, index in enumerate(ranking):
        agent = agents[index]
        sheet.head(row, material.names[index], fixed(agent.elo, sign=True))
        sheet.whisker(row + 0.66, agent.elo, agent.elo_ci95, agent_ink(index))
        said.append(f"{material.names[index]} {fixed(agent.elo, sign=True)} {interval(agent.elo_ci95, sign=True)}")
    sheet.axes.margins(x=0.05)
    numbers_below(sheet.axes, "Elo")
    return sheet.html("rating", "Ratings",
                      "Plackett–Luce ratings on the Elo scale, adjusted for seats; the mean of all agents is 0. "
                      "Lines are 95 % intervals by bootstrap over blocks.", "; ".join(said))


def cross_table(material: Material) -> str:
    """Draw how often each agent finished ahead of each other agent; "" if no two agents met."""
    standings, ranking = material.standings, material.ranking
    if not any(pair.games for pair in standings.pairs):
        return ""
    count, left = len(ranking), 176.0
    wide = min(64.0, (WIDTH - SIDE - left) / count)
    high = min(40.0, max(wide, 14.0))
    sheet = Chart.new(count * high + 30, left=left, right=WIDTH - left - count * wide, top=24, bottom=6)
    axes = sheet.axes
    axes.set_axis_off()
    axes.set_xlim(0, count)
    axes.set_ylim(count, 0)
    place = {index: row for row, index in enumerate(ranking)}
    beside = (16 if count < 10 else 21) / wide
    for index, row in place.items():
        axes.text(-beside, row + 0.5, material.names[index], ha="right", va="center_baseline", fontsize=9)
        axes.text(-5 / wide, row + 0.5, str(row + 1), ha="right", va="center_baseline", fontsize=9, color=MUTED)
        axes.text(row + 0.5, -0.2, str(row + 1), ha="center", va="baseline", color=MUTED)
        axes.add_patch(Rectangle((row, row), 1, 1, facecolor=RULE, alpha=0.5, linewidth=0))
    said = []
    roomy = wide >= 26
    for pair in (side for both in standings.pairs for side in (both, both.turned)):
        x, y, score = place[pair.b], place[pair.a], pair.score
        if score is not None:
            axes.add_patch(Rectangle((x + 0.02, y + 0.02), 0.96, 0.96, facecolor=WIN if score >= 0.5 else LOSE,
                                     alpha=0.62 * min(1.0, 2 * abs(score - 0.5)), linewidth=0))
        if pair.surprises(SUSPECT):
            axes.add_patch(Rectangle((x + 0.05, y + 0.05), 0.9, 0.9, fill=False, edgecolor=INK, linewidth=1.6))
        met = roomy and score is not None
        if wide >= 15:
            axes.text(x + 0.5, y + (0.48 if met else 0.62), fixed(None if score is None else 100 * score),
                      ha="center", va="baseline", fontsize=min(11.0, 0.42 * wide))
        if met:
            axes.text(x + 0.5, y + 0.8, str(pair.games), ha="center", va="baseline", fontsize=6.8, color=INK,
                      alpha=0.75)
        if y < x:
            one, other = material.names[pair.a], material.names[pair.b]
            said.append(f"{one} never met {other}" if score is None else
                        f"{one} ahead of {other} {percent(score, 0)} of {pair.games}")
    return sheet.html("cross", "Cross table",
                      "How often, in per cent, the row finished ahead of the column (a tie counts half) and, in small "
                      "type, how often they met; a dash: never. Columns are numbered like the rows. A frame marks a "
                      f"pair more than {SUSPECT:g} standard errors from what the ratings predict.", "; ".join(said))


def seats(material: Material) -> str:
    """Draw the win share of each seat; "" before the first whole block."""
    standings = material.standings
    held = [seat for seat in standings.seats if math.isfinite(seat.win_share)]
    if not held or not standings.blocks:
        return ""
    sheet = Chart.rows(len(held), _ROW)
    sheet.axes.axvline(1 / standings.players, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    said = []
    for row, seat in enumerate(held):
        name = seat_label(seat.seat, seat.name)
        sheet.head(row, name, f"{percent(seat.win_share)}, Elo {fixed(seat.elo, sign=True)}")
        sheet.whisker(row + 0.66, seat.win_share, seat.ci95, INK)
        said.append(f"{name} {percent(seat.win_share)} {interval(seat.ci95, 1, scale=100)}")
    sheet.axes.margins(x=0.08)
    numbers_below(sheet.axes, "win share")
    formatted(sheet.axes, FuncFormatter(lambda x, _: percent(x, 0 if math.isclose(100 * x, round(100 * x)) else 1)))
    return sheet.html("seats", "Seats", f"{seat_words(standings.seat_p)} The dashed line is a fair share, 1 in "
                      f"{standings.players}; lines are 95 % intervals by bootstrap over blocks.", "; ".join(said))


def seat_words(p: float) -> str:
    """Return the result of the randomisation test of the seats in words."""
    if math.isnan(p):
        return "Too little was played to tell whether seats matter."
    value = f"p = {fixed(p, 3 if p < 0.1 else 2)}" if p >= 0.001 else "p < 0.001"
    if p < 0.01:
        return f"Seats matter ({value}, randomisation test over blocks)."
    if p < 0.05:
        return f"There is some evidence that seats matter ({value}, randomisation test over blocks)."
    return f"No evidence that seats matter ({value}, randomisation test over blocks)."


def budget(material: Material, kind: str, held: Sequence[Family]) -> str:
    """Draw the ratings of families of agents against their budget; "" if none has ratings."""
    agents = material.standings.agents
    sheet = Chart.new(250, left=46, top=14)
    axes = sheet.axes
    axes.set_xscale("log")
    ticks, said = set(), []
    for number, family in enumerate(held):
        points = [(size, index) for size, index in zip(family.budgets, family.members, strict=True)
                  if math.isfinite(agents[index].elo)]
        if not points:
            continue
        axes.plot([size for size, _ in points], [agents[index].elo for _, index in points], color=MUTED, linewidth=1.2,
                  linestyle=("-", "--", "-.", ":")[number % 4], zorder=2)
        for size, index in points:
            elo, colour = agents[index].elo, agent_ink(index)
            low, high = (bound if math.isfinite(bound) else elo for bound in agents[index].elo_ci95)
            axes.plot([size, size], [low, high], color=colour, linewidth=2.2, solid_capstyle="round", zorder=3)
            axes.plot([size], [elo], "o", color=colour, markersize=7.5, zorder=4)
            said.append(f"{material.names[index]} {fixed(elo, sign=True)}")
        ticks |= {size for size, _ in points}
        if len(held) > 1:
            axes.annotate(_cut(family.label), (points[-1][0], agents[points[-1][1]].elo), (0, 12),
                          textcoords="offset points", ha="right", va="bottom", fontsize=9, color=MUTED)
    if not ticks or not material.standings.blocks:
        return ""
    axes.margins(x=0.06, y=0.14 if len(held) > 1 else 0.06)
    axes.xaxis.set_major_locator(FixedLocator(_thinned(sorted(ticks))))
    axes.xaxis.set_minor_locator(NullLocator())
    formatted(axes, FuncFormatter(lambda value, _: duration(value) if kind == "seconds" else fixed(value)))
    axes.set_xlabel("time per decision, logarithmic" if kind == "seconds" else "iterations per decision, logarithmic")
    axes.set_ylabel("Elo")
    axes.grid(axis="y")
    return sheet.html(f"budget-{kind}", "Strength against budget",
                      "Ratings of agents that differ only in this budget, with 95 % intervals.", "; ".join(said))


def _cut(text: str, limit: int = 44) -> str:
    return text if len(text) <= limit else f"{text[:limit - 1]}…"


def _thinned(ticks: list[float], most: int = 8) -> list[float]:
    """Return at most `most` ticks, including both ends."""
    if len(ticks) <= most:
        return ticks
    return [ticks[round(i * (len(ticks) - 1) / (most - 1))] for i in range(most)]


# ---- All figures of a report, by their names on the page


def figures(material: Material, budgets: Sequence[tuple[str, Sequence[Family]]]) -> dict[str, str]:
    """Return the figures as HTML by their names; "" for a figure without data.

    Parameters
    ----------
    material : Material
    budgets : sequence of (kind, families)
        Kinds of budgets, each with the families of agents that differ only in it.
    """
    with theme():
        drawn = {"rating": rating(material), "cross": cross_table(material),
                 "scores": scores(material), "seats": seats(material), "luck": luck(material),
                 "length": length(material), "walls": game_time(material),
                 "decisions": decision_time(material)}
        return drawn | {f"budget-{kind}": budget(material, kind, held) for kind, held in budgets}
