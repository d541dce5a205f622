"""Figures of distributions: scores, luck, lengths and times.

Agents are in the order of their ratings and keep their colours in all figures.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from sfida.ai.arena.report.drawing import (
    ACCENT,
    RULE,
    Sheet,
    agent_ink,
    bins,
    formatted,
    log_bins,
    numbers_below,
    scale_for,
)
from sfida.ai.arena.report.markup import duration, fixed
from sfida.ai.arena.report.material import Material

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
    """Draw the luck of each agent against what it won; "" if luck was not measured."""
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
    numbers_below(sheet.axes, "luck of a game, in % of the win")
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
            texts: Sequence[str], marks: Sequence[float], parts: Sequence[NDArray[np.float64]] | None = None) -> Sheet:
    """Draw one histogram per row; without bin edges the values are positive and may need a logarithmic axis.

    Parts, 0 to 1 for every value of a row, are drawn dark.
    """
    sheet = Sheet.rows(len(rows), _RIDGE)
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


def _histogram(values: NDArray[np.float64], edges: NDArray[np.float64] | None, mark: float) -> Sheet:
    sheet = Sheet.new(190, left=42)
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
