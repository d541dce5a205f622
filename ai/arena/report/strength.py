"""Figures of strength: ratings, who beats whom, seats, and strength against budget.

Agents are in the order of their ratings and keep their colours in all figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from sfida.ai.arena.report.budget import Family
from sfida.ai.arena.report.drawing import (
    INK,
    LOSE,
    MUTED,
    RULE,
    SIDE,
    WIDTH,
    WIN,
    Sheet,
    agent_ink,
    formatted,
    numbers_below,
)
from sfida.ai.arena.report.labels import seat_label
from sfida.ai.arena.report.markup import duration, fixed, interval, percent
from sfida.ai.arena.report.material import SUSPECT, Material

_ROW = 37.0


def rating(material: Material) -> str:
    """Draw the ratings with their intervals, best on top; "" if no agent has one."""
    agents = material.standings.agents
    ranking = [index for index in material.ranking if math.isfinite(agents[index].elo)]
    if not ranking or not material.standings.blocks:
        return ""
    sheet = Sheet.rows(len(ranking), _ROW)
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
    """Draw how often each agent finished ahead of each other one; "" if no two agents met."""
    standings, ranking = material.standings, material.ranking
    if not any(pair.games for pair in standings.pairs):
        return ""
    count, left = len(ranking), 176.0
    wide = min(64.0, (WIDTH - SIDE - left) / count)
    high = min(40.0, max(wide, 14.0))
    sheet = Sheet.new(count * high + 30, left=left, right=WIDTH - left - count * wide, top=24, bottom=6)
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
    sheet = Sheet.rows(len(held), _ROW)
    sheet.axes.axvline(1 / standings.players, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    said = []
    for row, seat in enumerate(held):
        name = seat_label(seat.seat, seat.name)
        sheet.head(row, name, f"{percent(seat.win_share)}, Elo {fixed(seat.elo, sign=True)}")
        sheet.whisker(row + 0.66, seat.win_share, seat.ci95, INK)
        said.append(f"{name} {percent(seat.win_share)} {interval(seat.ci95, 1, scale=100)}")
    sheet.axes.margins(x=0.08)
    numbers_below(sheet.axes, "share of the win")
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
    sheet = Sheet.new(250, left=46, top=14)
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
    """Return at most `most` of the ticks, including both ends."""
    if len(ticks) <= most:
        return ticks
    return [ticks[round(i * (len(ticks) - 1) / (most - 1))] for i in range(most)]
