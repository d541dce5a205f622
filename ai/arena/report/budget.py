"""Strength against budget: agents that differ only in their budget, and the gain from doubling it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfida.ai.arena.standings import Standings
from sfida.ai.registry import agent_class, foreign_agent
from sfida.ai.search_options import DEFAULT_ITERATIONS, BudgetOptions
from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import parse_spec

KINDS = ("iterations", "seconds")
LEAST = 3           # least number of budgets of a family among other agents


@dataclass(frozen=True)
class Family:
    """Agents that differ only in their budget.

    Attributes
    ----------
    kind : str
        "iterations" or "seconds" (per decision).
    label : str
        Their spec without that budget.
    members : tuple of int
        Indices of the agents, smallest budget first.
    budgets : tuple of float
        Budget of each member, ascending; at least two are different.
    """

    kind: str
    label: str
    members: tuple[int, ...]
    budgets: tuple[float, ...]


def families(agents: Sequence[str]) -> tuple[Family, ...]:
    """Find the agents that differ only in their budget.

    Parameters
    ----------
    agents : sequence of str
        Specs.

    Returns
    -------
    tuple of Family
        A single family of all agents, or every family with at least three different budgets.
    """
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for index, spec in enumerate(agents):
        for kind in KINDS:
            read = _without(spec, kind)
            if read is not None:
                found.setdefault((kind, read[0]), []).append((read[1], index))
    result = []
    for (kind, label), held in found.items():
        held.sort()
        different = len({budget for budget, _ in held})
        if different >= LEAST or (different >= 2 and len(held) == len(agents)):
            result.append(Family(kind, label, tuple(index for _, index in held), tuple(budget for budget, _ in held)))
    return tuple(result)


def _without(spec: str, kind: str) -> tuple[str, float] | None:
    """Return a spec without its budget, and the budget; None if it has none of that kind."""
    try:
        name, params = parse_spec(spec)
    except SfidaError:
        return None
    if kind == "iterations" and not any(key in params for key in (*KINDS, "clock")) and _searches(name):
        params = {"iterations": str(DEFAULT_ITERATIONS), **params}
    try:
        budget = float(params.pop(kind))
    except (KeyError, ValueError):
        return None
    if not (budget > 0 and math.isfinite(budget)):
        return None
    rest = ",".join(f"{key}={params[key]}" for key in sorted(params))
    return (f"{name}:{rest}" if rest else name), budget


def _searches(name: str) -> bool:
    """Return whether an agent has the common budget options, and so their default."""
    try:                # a store may hold any name: code of other packages is not loaded for it
        return foreign_agent(name) is None and issubclass(agent_class(name).options_class, BudgetOptions)
    except SfidaError:
        return False


def per_doubling(family: Family, standings: Standings) -> float | None:
    """Return the Elo gained per doubling of the budget, by least squares over the members with a rating."""
    points = [(math.log2(budget), standings.agents[index].elo)
              for budget, index in zip(family.budgets, family.members, strict=True)
              if math.isfinite(standings.agents[index].elo)]
    if len({x for x, _ in points}) < 2:
        return None
    x, y = np.array(points).T
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())


def steps(family: Family, standings: Standings) -> tuple[float | None, ...]:
    """Return the Elo gained per doubling since the previous member, for every member; None where there is no figure."""
    result: list[float | None] = [None]
    for place in range(1, len(family.members)):
        elo = [standings.agents[family.members[i]].elo for i in (place - 1, place)]
        doublings = math.log2(family.budgets[place] / family.budgets[place - 1])
        usable = doublings > 0 and all(map(math.isfinite, elo))
        result.append((elo[1] - elo[0]) / doublings if usable else None)
    return tuple(result)
