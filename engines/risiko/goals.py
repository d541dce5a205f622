"""Objectives as people read them: territories, progress, and how a score comes about (RIS-10, 11)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfida.engines.risiko.options import Ruleset, deck_rows
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.rules import load_data
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


@lru_cache(maxsize=256)
def goal_of(rules: Ruleset, objective: int | None) -> tuple[int, ...]:
    """Return the territories that an objective names, ascending; empty if it names none or is hidden."""
    if objective is None:
        return ()
    row = objective_row(rules, objective)
    named = set(row.get("territories", ()))
    for land in load_data()["continent"]:
        if land["id"] in row.get("continents", ()):
            named |= set(land["territories"])
    return tuple(i for i, one in enumerate(load_data()["territory"]) if one["id"] in named)


def objective_row(rules: Ruleset, objective: int) -> dict[str, Any]:
    """Return the table of an objective of the deck in use."""
    return deck_rows(rules.objective_deck, load_data(), rules.own_objectives)[objective]


def objective_name(rules: Ruleset, objective: int | None) -> str:
    """Return what an objective card says, in English where the data do; "" when hidden."""
    if objective is None:
        return ""
    row = objective_row(rules, objective)
    return str(row.get("name_en") or row.get("name_it") or row["id"])


def brief_objective(rules: Ruleset, objective: int) -> str:
    """Return an objective in a few words for a table, such as "24 territories" or "Asia + Africa"."""
    row = objective_row(rules, objective)
    if rules.objective_deck != "base":
        return objective_name(rules, objective)
    if row["type"] == "destroy":
        return f"end of {next(one['name_en'] for one in load_data()['color'] if one['id'] == row['color']).lower()}"
    if row["type"] == "territories":
        return f"{row['count']} territories" + (f" of {row['min_armies']} armies" if row["min_armies"] > 1 else "")
    lands = {land["id"]: land["name_en"] for land in load_data()["continent"]}
    return " + ".join([*(lands[one] for one in row["continents"]), *["another"] * row.get("extra", 0)])


@lru_cache(maxsize=64)
def hunted_colors(rules: Ruleset) -> tuple[str, ...]:
    """Return the id of the colour that each objective of the deck wants destroyed, "" for none."""
    rows = deck_rows(rules.objective_deck, load_data(), rules.own_objectives)
    return tuple(str(row.get("color", "")) for row in rows)


@dataclass(frozen=True)
class Part:
    """One thing that an objective counts.

    Attributes
    ----------
    done, wanted : int
        How many there are, and how many there must be: none if they are to be destroyed.
    one, many : str
        What they are called.
    """

    done: int
    wanted: int
    one: str
    many: str

    @property
    def to_destroy(self) -> bool:
        """Whether there must be none of them in the end."""
        return not self.wanted


def progress_parts(rules: Ruleset, state: RisikoState, raw: dict[str, Any], seat: int) -> tuple[Part, ...]:
    """Return what a seat's objective counts now; nothing where it is hidden or not dealt.

    A part that is called "territories" counts all that the seat owns.
    """
    which = state.effective_objective(seat)
    if which is None:
        return ()
    row, goal = objective_row(rules, which), goal_of(rules, which)
    own = [i for i in range(len(raw["owner"])) if raw["owner"][i] == seat]
    if goal:
        parts = [Part(sum(i in goal for i in own), len(goal), "territory of the objective",
                      "territories of the objective")]
        if row.get("type") == "continents_plus":
            others = [c for c in raw["seats"][seat]["continents"]
                      if load_data()["continent"][c]["id"] not in row["continents"]]
            parts.append(Part(min(len(others), row["extra"]), row["extra"], "other continent of the objective",
                              "other continents of the objective"))
        return tuple(parts)
    if row["type"] == "destroy":
        victim = next(i for i, one in enumerate(raw["seats"])
                      if one["color"] >= 0 and load_data()["color"][one["color"]]["id"] == row["color"])
        return (Part(raw["seats"][victim]["territories"], 0, "territory left to destroy",
                     "territories left to destroy"),)
    least = int(row["min_armies"])
    held = sum(raw["armies"][i] >= least for i in own)
    with_armies = f" with {least} armies" if least > 1 else ""
    return (Part(held, row["count"], f"territory{with_armies}", f"territories{with_armies}"),)


def progress_of(rules: Ruleset, state: RisikoState, raw: dict[str, Any], seat: int) -> str:
    """Return how far a seat's objective is fulfilled, in a few words."""
    told = []
    for part in progress_parts(rules, state, raw, seat):
        if part.to_destroy:
            told.append(counted(part.done, part.one, part.many) if part.done else "destroyed")
        else:
            name = (part.one if part.wanted == 1 else part.many).removesuffix(" of the objective")
            told.append(f"{part.done} of {part.wanted} {name}")
    instead = " instead" if state.effective_objective(seat) != state.objective(seat) else ""
    return ", ".join(told) + instead


def score_line(rules: Ruleset, position: Position, seat: int) -> str:
    """Return in words how the game ended for a seat."""
    one = position.seats[seat]
    parts = []
    if seat in position.winners:
        parts.append("wins" if len(position.winners) == 1 else "shares the first rank")
    if one.eliminated_by >= 0:
        parts.append(f"out in round {one.eliminated_round}")
    else:
        parts.append(f"{one.territories} territories, {one.armies} armies")
    if one.points is not None:
        values = [load_data()["territory"][i]["value"] for i in one.goal if position.owner[i] == seat]
        sums = " + ".join(map(str, values)) if values and sum(values) == one.points else ""
        parts.append(f"{one.points} points" + (f" = {sums}" if sums else ""))
    return ", ".join(parts) + f"; objective: {one.objective_name} ({one.progress})"
