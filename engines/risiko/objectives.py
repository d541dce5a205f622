"""Objectives of RisiKo! in words, their progress and score (RIS-10, 11), and files of custom objectives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.data_files import TableReader, load_option
from sfida.engines.language import ENGLISH, _, counted, named, ngettext, pgettext, speaking
from sfida.engines.moves import spelling
from sfida.engines.risiko import style
from sfida.engines.risiko.options import MOST_OBJECTIVES, TERRITORIES, OwnObjective, Ruleset, deck_rows
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.tables import load_data
from sfida.engines.spec import did_you_mean, quoted, shown

# ---- Objectives in words: territories, progress, and explanations of scores (RIS-10, 11)


@lru_cache(maxsize=256)
def goal_of(rules: Ruleset, objective: int | None) -> tuple[int, ...]:
    """Return the territories of an objective, ascending; empty if it names none or is hidden."""
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
    """Return the text of an objective card, in the current language if the data have it; "" when hidden."""
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
    """Return, for each objective of the deck, the id of the colour to destroy; "" for none."""
    rows = deck_rows(rules.objective_deck, load_data(), rules.own_objectives)
    return tuple(str(row.get("color", "")) for row in rows)


@dataclass(frozen=True)
class ObjectivePart:
    """One quantity that an objective counts, in the current language.

    Attributes
    ----------
    done : int
        Current number.
    one, many : str
        Nouns after 1 and after other numbers.
    told : str
        Progress in words, such as "17 of 24 territories".
    to_destroy : bool
        The number must be 0 in the end.
    of_all : bool
        All territories of the seat count.
    """

    done: int
    one: str
    many: str
    told: str
    to_destroy: bool = False
    of_all: bool = False


def with_objectives(position: Position, rules: Ruleset) -> Position:
    """Return a position with the words on objectives for its viewer, in the current language."""
    seats = tuple(one if one.objective is None else replace(
        one, objective_name=objective_name(rules, one.objective), goal=goal_of(rules, one.objective),
        progress=progress_of(rules, position, i) if position.turns else "") for i, one in enumerate(position.seats))
    return replace(position, seats=seats, hunted=None if rules.objective_deck == "base" else hunted_colors(rules))


def progress_parts(rules: Ruleset, position: Position, seat: int) -> tuple[ObjectivePart, ...]:
    """Return the quantities that a seat's objective counts now; empty if it is hidden or not dealt."""
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


def _goal_part(done: int, wanted: int) -> ObjectivePart:
    one, many = (ngettext("territory of the objective", "territories of the objective", n) for n in (1, 2))
    told = ngettext("{done} of {wanted} territory", "{done} of {wanted} territories", wanted)
    return ObjectivePart(done, one, many, told.format(done=done, wanted=wanted))


def _others_part(done: int, wanted: int) -> ObjectivePart:
    one, many = (ngettext("other continent of the objective", "other continents of the objective", n) for n in (1, 2))
    told = ngettext("{done} of {wanted} other continent", "{done} of {wanted} other continents", wanted)
    return ObjectivePart(done, one, many, told.format(done=done, wanted=wanted))


def _victim_part(left: int) -> ObjectivePart:
    one, many = (ngettext("territory left to destroy", "territories left to destroy", n) for n in (1, 2))
    told = (counted(left, "territory left to destroy", "territories left to destroy") if left
            else pgettext("risiko", "destroyed"))
    return ObjectivePart(left, one, many, told, to_destroy=True)


def _territories_part(done: int, wanted: int, least: int) -> ObjectivePart:
    """Count territories, each with `least` armies."""
    if least == 1:
        one, many = (ngettext("territory", "territories", n) for n in (1, 2))
        told = ngettext("{done} of {wanted} territory", "{done} of {wanted} territories", wanted)
    else:
        one, many = (ngettext("territory with {least} armies", "territories with {least} armies", n).format(least=least)
                     for n in (1, 2))
        told = ngettext("{done} of {wanted} territory with {least} armies",
                        "{done} of {wanted} territories with {least} armies", wanted)
    return ObjectivePart(done, one, many, told.format(done=done, wanted=wanted, least=least), of_all=least == 1)


def progress_of(rules: Ruleset, position: Position, seat: int) -> str:
    """Return the progress of a seat's objective, in a few words."""
    progress = ", ".join(part.told for part in progress_parts(rules, position, seat))
    instead = position.seats[seat].effective != position.seats[seat].objective
    return _("{progress} instead").format(progress=progress) if instead else progress


def score_line(rules: Ruleset, position: Position, seat: int) -> str:
    """Return the result of a seat in words."""
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


# ---- Readers of custom objectives in a TOML file, with helpful errors (RIS-11.8, docs/play/risiko.md)

TABLE = "objective"
COMMON: tuple[str, ...] = ("id", "name_en", "name_it", "copies")
FIELDS: dict[str, tuple[str, ...]] = {                              # further fields of each type
    "territories": ("type", "count", "min_armies"),
    "continents": ("type", "continents"),
    "continents_plus": ("type", "continents", "extra"),
    "destroy": ("type", "color", "fallback"),
}
NAMED: tuple[str, ...] = ("territories",)                # further fields of an objective with a list in place of a type


def load_objectives(where: str) -> tuple[OwnObjective, ...]:
    """Return the objectives of the file named by the option `objectives`.

    Raises
    ------
    InvalidOption
        If the file cannot be read or an objective makes no sense; the message is one line with place, error and
        remedy.
    """
    tables = load_option(where, "option 'objectives' of game 'risiko' must be a file of objectives")
    return read_objectives(tables, shown(where))


def read_objectives(tables: dict[str, Any], where: str) -> tuple[OwnObjective, ...]:
    """Return the objectives of TOML tables, each a ``[[objective]]`` with the fields of the data file.

    Raises
    ------
    InvalidOption
    """
    return _Reader(where).objectives(tables)


class _Reader(TableReader):
    """Reads the objectives of one file."""

    def objectives(self, tables: dict[str, Any]) -> tuple[OwnObjective, ...]:
        for name in tables:
            if name != TABLE:
                self.fail(f"there is no table {quoted(name)} in a file of objectives"
                          f"{did_you_mean(name, (TABLE,)) or ';'} it has tables [[{TABLE}]] alone")
        known = dict.fromkeys([*COMMON, *(name for each in FIELDS.values() for name in each), *NAMED])
        rows = self.list_of_tables(tables, TABLE, known, missing="a file of objectives has one for each card")
        if not 1 <= len(rows) <= MOST_OBJECTIVES:
            self.fail(f"a file of objectives has 1 to {MOST_OBJECTIVES} tables [[{TABLE}]], not {len(rows)}")
        found = tuple(self.objective(row, f"[[{TABLE}]] number {n}") for n, row in enumerate(rows, start=1))
        self.fallbacks(found)
        return found

    def objective(self, row: dict[str, Any], at: str) -> OwnObjective:
        name = self.field(row, "id", str, at)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            self.fail(f"{at}: 'id' must be small letters, digits and _, such as \"red_sea\", not {quoted(name)}")
        at += f" ({name})"
        kind = self.kind(row, at)
        italian = self.field(row, "name_it", str, at, "")
        title = self.field(row, "name_en", str, at, "") or italian or name
        copies = self.whole(row, "copies", at, 1, MOST_OBJECTIVES, 1)
        if kind == "named":
            return OwnObjective(name, title, kind, territories=self.picked(row, "territories", at), copies=copies,
                                name_it=italian)
        if kind == "territories":
            return OwnObjective(name, title, kind, count=self.whole(row, "count", at, 1, TERRITORIES),
                                min_armies=self.whole(row, "min_armies", at, 1, 2, 1), copies=copies,
                                name_it=italian)
        if kind == "destroy":
            return OwnObjective(name, title, kind, color=self.color(row, at), copies=copies,
                                fallback=self.field(row, "fallback", str, at), name_it=italian)
        land = self.picked(row, "continents", at)
        extra = 0
        if kind == "continents_plus":
            others = len(load_data()["continent"]) - len(land)
            if not others:
                self.fail(f"{at}: all continents are named, none is left for 'extra'")
            extra = self.whole(row, "extra", at, 1, others, 1)
        return OwnObjective(name, title, kind, continents=land, extra=extra, copies=copies, name_it=italian)

    def kind(self, row: dict[str, Any], at: str) -> str:
        """Return the type of an objective, after a check that its fields belong to that type."""
        if "territories" in row:
            kind, fields, what = "named", NAMED, "an objective with a list 'territories'"
        elif "type" not in row:
            self.fail(f"{at}: the field 'type' is missing ({_listed(FIELDS)}), or a list 'territories' instead of it")
        else:
            kind = self.field(row, "type", str, at)
            if kind not in FIELDS:
                self.fail(f"{at}: 'type' must be {_listed(FIELDS)}, not {quoted(kind)}{did_you_mean(kind, FIELDS)}")
            fields, what = FIELDS[kind], f"an objective of the type {quoted(kind)}"
        for name in row:
            if name not in (*COMMON, *fields):
                self.fail(f"{at}: {what} has no field {quoted(name)}; its fields are " + ", ".join([*COMMON, *fields]))
        return kind

    def picked(self, row: dict[str, Any], name: str, at: str) -> tuple[str, ...]:
        """Return the ids of the territories or continents of a list, in the order of the data."""
        find = style.territory if name == "territories" else _continent
        table = load_data()["territory" if name == "territories" else "continent"]
        numbers: dict[int, str] = {}
        for text in self.texts(row, name, at):
            number = self.found(find, text, at, name)
            if number in numbers:
                self.fail(f"{at}: '{name}' lists {quoted(text)} twice")
            numbers[number] = text
        return tuple(str(table[number]["id"]) for number in sorted(numbers))

    def color(self, row: dict[str, Any], at: str) -> str:
        text = self.field(row, "color", str, at)
        try:
            return str(style.color_row(style.color(text))["id"])
        except InvalidNotation:
            known = ", ".join(str(one["id"]) for one in load_data()["color"])
            self.fail(f"{at}: 'color' must be {' or '.join(known.rsplit(', ', 1))}, not {quoted(text)}")

    def found(self, find: Callable[[str], int], text: str, at: str, name: str) -> int:
        """Return the number of a named thing; errors in files are reported in English."""
        try:
            with speaking(ENGLISH):
                return find(text)
        except InvalidNotation as error:
            self.fail(f"{at}: '{name}': {error}")

    def fallbacks(self, objectives: tuple[OwnObjective, ...]) -> None:
        """Check the fall-back of each objective to destroy a colour: another objective of the file (RIS-10.5)."""
        types = {one.id: one.type for one in objectives}
        for number, one in enumerate(objectives, start=1):
            if one.type != "destroy":
                continue
            at = f"[[{TABLE}]] number {number} ({one.id})"
            others = [name for name, kind in types.items() if kind != "destroy"]
            if one.fallback not in types:
                self.fail(f"{at}: 'fallback' names no objective of this file: {quoted(one.fallback)}"
                          f"{did_you_mean(one.fallback, others)}")
            if types[one.fallback] == "destroy":
                self.fail(f"{at}: 'fallback' must be an objective of another type: the colour of {one.fallback} may be "
                          "gone as well")


def _continent(text: str) -> int:
    table = load_data()["continent"]
    for number, row in enumerate(table):
        if spelling(text) in {spelling(row[key]) for key in ("id", "code", "name_it", "name_en")}:
            return number
    raise InvalidNotation(f"there is no continent {quoted(text)}{did_you_mean(text, [row['id'] for row in table])}")


def _listed(texts: Iterable[str]) -> str:
    return " or ".join(", ".join(f'"{one}"' for one in texts).rsplit(", ", 1))
