"""All figures of a report, by their names on the page; none where matplotlib is not installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from sfida.ai.arena.report.budget import Family
from sfida.ai.arena.report.material import Material


def why_none() -> str:
    """Return why a report has no figures, in a sentence; "" if it has them."""
    if importlib.util.find_spec("matplotlib") is not None:
        return ""
    return "The figures are left out: they need matplotlib (pip install 'sfida[report]')."


def figures(material: Material, budgets: Sequence[tuple[str, Sequence[Family]]]) -> dict[str, str]:
    """Return the figures as HTML by their names; "" for one that has nothing to show, no name where none can be drawn.

    Parameters
    ----------
    material : Material
    budgets : sequence of (kind, families)
        Kinds of budgets with the agents that differ in nothing else.
    """
    if why_none():
        return {}
    from sfida.ai.arena.report import spread, strength  # matplotlib is slow to load
    from sfida.ai.arena.report.drawing import theme

    with theme():
        drawn = {"rating": strength.rating(material), "cross": strength.cross_table(material),
                 "scores": spread.scores(material), "seats": strength.seats(material), "luck": spread.luck(material),
                 "length": spread.length(material), "walls": spread.game_time(material),
                 "decisions": spread.decision_time(material)}
        return drawn | {f"budget-{kind}": strength.budget(material, kind, held) for kind, held in budgets}
