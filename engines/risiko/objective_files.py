"""Reads custom objectives from a TOML file, with messages that help (RIS-11.8, docs/risiko.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import ENGLISH, speaking
from sfida.engines.risiko import names
from sfida.engines.risiko.own_objectives import MOST_OBJECTIVES, TERRITORIES, OwnObjective
from sfida.engines.risiko.rules import load_data
from sfida.engines.spec import did_you_mean, quoted, shown
from sfida.engines.toml_files import load_option
from sfida.engines.toml_tables import TableReader
from sfida.engines.typed import spelling

TABLE = "objective"
COMMON: tuple[str, ...] = ("id", "name_en", "name_it", "copies")
FIELDS: dict[str, tuple[str, ...]] = {                              # what each type has besides
    "territories": ("type", "count", "min_armies"),
    "continents": ("type", "continents"),
    "continents_plus": ("type", "continents", "extra"),
    "destroy": ("type", "color", "fallback"),
}
NAMED: tuple[str, ...] = ("territories",)                # a list of them instead of a type


def load_objectives(where: str) -> tuple[OwnObjective, ...]:
    """Return the objectives of the file that the option `objectives` names.

    Raises
    ------
    InvalidOption
        If the file cannot be read or an objective makes no sense: one line that says where, what, and what would be
        right.
    """
    tables = load_option(where, "option 'objectives' of game 'risiko' must be a file of objectives")
    return read_objectives(tables, shown(where))


def read_objectives(tables: dict[str, Any], where: str) -> tuple[OwnObjective, ...]:
    """Return the objectives of TOML tables, each a ``[[objective]]`` with the fields that the data file uses.

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
        """Return the type of an objective, whose fields must be those of that type."""
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
        find = names.territory if name == "territories" else _continent
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
            return str(names.color_row(names.color(text))["id"])
        except InvalidNotation:
            known = ", ".join(str(one["id"]) for one in load_data()["color"])
            self.fail(f"{at}: 'color' must be {' or '.join(known.rsplit(', ', 1))}, not {quoted(text)}")

    def found(self, find: Callable[[str], int], text: str, at: str, name: str) -> int:
        """Return the number that a text names; what is wrong with files is said in English."""
        try:
            with speaking(ENGLISH):
                return find(text)
        except InvalidNotation as error:
            self.fail(f"{at}: '{name}': {error}")

    def fallbacks(self, objectives: tuple[OwnObjective, ...]) -> None:
        """Who cannot destroy a colour any more plays for another objective of the file (RIS-10.5)."""
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
