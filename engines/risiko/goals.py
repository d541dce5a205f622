"""Objectives as people read them: territories, progress, and how a score comes about (RIS-10, 11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sfida.engines.language import _, named, ngettext, pgettext
from sfida.engines.risiko.options import Ruleset, deck_rows
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.rules import load_data
from sfida.engines.wording import counted


@lru_cache(maxsize=256)
def goal_of(rules: Ruleset, objective: int | None) -> tuple[int, ...]:
    """Return the territories that an objective names, ascending; empty if it names none or is hidden."""
    if objective is None:
        return ()
    row = objective_row(rules, objective)
    wanted = set(row.get("territories", ()))
    for land in load_data()["continent"]:
        if land["id"] in row.get("continents", ()):
            wanted |= set(land["territories"])
    return tuple(i for i, one in enumerate(load_data()["territory"]) if one["id"] in wanted)


def objective_row(rules: Ruleset, objective: int) -> dict[str, Any]:
    """Return the table of an objective of the deck in use."""
    return deck_rows(rules.objective_deck, load_data(), rules.own_objectives)[objective]


def objective_name(rules: Ruleset, objective: int | None) -> str:
    """Return what an objective card says, in the language that is spoken where the data do; "" when hidden."""
    if objective is None:
        return ""
    row = objective_row(rules, objective)
    return named({**row, "name_en": row.get("name_en") or row.get("name_it") or row["id"]})


def brief_objective(rules: Ruleset, objective: int) -> str:
    """Return an objective in a few words for a table, such as "24 territories" or "Asia + Africa"."""
    row = objective_row(rules, objective)
    if rules.objective_deck != "base":
        return objective_name(rules, objective)
    if row["type"] == "destroy":
        color = next(named(one) for one in load_data()["color"] if one["id"] == row["color"])
        return _("end of {color}").format(color=color.lower())
    if row["type"] == "territories":
        many = (_("{count} territories of {armies} armies") if row["min_armies"] > 1 else _("{count} territories"))
        return many.format(count=row["count"], armies=row["min_armies"])
    lands = {land["id"]: named(land) for land in load_data()["continent"]}
    others = [pgettext("risiko", "another")] * row.get("extra", 0)
    return " + ".join([*(lands[one] for one in row["continents"]), *others])


@lru_cache(maxsize=64)
def hunted_colors(rules: Ruleset) -> tuple[str, ...]:
    """Return the id of the colour that each objective of the deck wants destroyed, "" for none."""
    rows = deck_rows(rules.objective_deck, load_data(), rules.own_objectives)
    return tuple(str(row.get("color", "")) for row in rows)


@dataclass(frozen=True)
class Part:
    """One thing that an objective counts, in the language that is spoken.

    Attributes
    ----------
    done : int
        How many there are.
    one, many : str
        What they are called after a number.
    told : str
        How many there are of how many, such as "17 of 24 territories".
    to_destroy : bool
        There must be none of them in the end.
    of_all : bool
        All territories that the seat owns count.
    """

    done: int
    one: str
    many: str
    told: str
    to_destroy: bool = False
    of_all: bool = False


def with_objectives(position: Position, rules: Ruleset) -> Position:
    """Return a position with what its viewer reads of objectives, in the language that is spoken."""
    seats = tuple(one if one.objective is None else replace(
        one, objective_name=objective_name(rules, one.objective), goal=goal_of(rules, one.objective),
        progress=progress_of(rules, position, i) if position.turns else "") for i, one in enumerate(position.seats))
    return replace(position, seats=seats, hunted=None if rules.objective_deck == "base" else hunted_colors(rules))


def progress_parts(rules: Ruleset, position: Position, seat: int) -> tuple[Part, ...]:
    """Return what a seat's objective counts now; nothing where it is hidden or not dealt."""
    which = position.seats[seat].effective
    if which is None:
        return ()
    row, goal = objective_row(rules, which), goal_of(rules, which)
    own = [i for i, owner in enumerate(position.owner) if owner == seat]
    if goal:
        parts = [_goal_part(sum(i in goal for i in own), len(goal))]
        if row.get("type") == "continents_plus":
            others = [c for c in position.seats[seat].continents
                      if load_data()["continent"][c]["id"] not in row["continents"]]
            parts.append(_others_part(min(len(others), row["extra"]), row["extra"]))
        return tuple(parts)
    if row["type"] == "destroy":
        return (_victim_part(next(one.territories for one in position.seats if one.color == row["color"])),)
    least = int(row["min_armies"])
    return (_territories_part(sum(position.armies[i] >= least for i in own), row["count"], least),)


def _goal_part(done: int, wanted: int) -> Part:
    one, many = (ngettext("territory of the objective", "territories of the objective", n) for n in (1, 2))
    told = ngettext("{done} of {wanted} territory", "{done} of {wanted} territories", wanted)
    return Part(done, one, many, told.format(done=done, wanted=wanted))


def _others_part(done: int, wanted: int) -> Part:
    one, many = (ngettext("other continent of the objective", "other continents of the objective", n) for n in (1, 2))
    told = ngettext("{done} of {wanted} other continent", "{done} of {wanted} other continents", wanted)
    return Part(done, one, many, told.format(done=done, wanted=wanted))


def _victim_part(left: int) -> Part:
    one, many = (ngettext("territory left to destroy", "territories left to destroy", n) for n in (1, 2))
    told = (counted(left, "territory left to destroy", "territories left to destroy") if left
            else pgettext("risiko", "destroyed"))
    return Part(left, one, many, told, to_destroy=True)


def _territories_part(done: int, wanted: int, least: int) -> Part:
    """Count territories, each with `least` armies."""
    if least == 1:
        one, many = (ngettext("territory", "territories", n) for n in (1, 2))
        told = ngettext("{done} of {wanted} territory", "{done} of {wanted} territories", wanted)
    else:
        one, many = (ngettext("territory with {least} armies", "territories with {least} armies", n).format(least=least)
                     for n in (1, 2))
        told = ngettext("{done} of {wanted} territory with {least} armies",
                        "{done} of {wanted} territories with {least} armies", wanted)
    return Part(done, one, many, told.format(done=done, wanted=wanted, least=least), of_all=least == 1)


def progress_of(rules: Ruleset, position: Position, seat: int) -> str:
    """Return how far a seat's objective is fulfilled, in a few words."""
    progress = ", ".join(part.told for part in progress_parts(rules, position, seat))
    instead = position.seats[seat].effective != position.seats[seat].objective
    return _("{progress} instead").format(progress=progress) if instead else progress


def score_line(rules: Ruleset, position: Position, seat: int) -> str:
    """Return in words how the game ended for a seat."""
    one = position.seats[seat]
    parts = []
    if seat in position.winners:
        parts.append(_("wins") if len(position.winners) == 1 else _("shares the first rank"))
    if one.eliminated_by >= 0:
        parts.append(_("out in round {round}").format(round=one.eliminated_round))
    else:
        parts.append(_("{territories} territories, {armies} armies").format(
            territories=one.territories, armies=one.armies))
    if one.points is not None:
        values = [load_data()["territory"][i]["value"] for i in one.goal if position.owner[i] == seat]
        sums = " + ".join(map(str, values)) if values and sum(values) == one.points else ""
        parts.append(pgettext("risiko", "{points} points").format(points=one.points) + (f" = {sums}" if sums else ""))
    return _("{result}; objective: {objective} ({progress})").format(
        result=", ".join(parts), objective=one.objective_name, progress=one.progress)
