"""Maps of Attila as plain data: the built-in map, and a user's TOML file (ATT-1.8, docs/play/attila.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sfida.engines.attila.options import BUILT_IN
from sfida.engines.attila.tables import load_data
from sfida.engines.data_files import TableReader, load_option
from sfida.engines.language import named
from sfida.engines.moves import spelling
from sfida.engines.spec import did_you_mean, quoted, shown

# ---- A map of Attila as plain data: provinces, their borders and the length of the influence chart (ATT-1.8)


@dataclass(frozen=True)
class Province:
    """A province.

    Attributes
    ----------
    id, code : str
        Id of the map file, three letters for moves.
    name_en, name_it : str
        English name; Italian name, which may be empty. Moves may use both.
    start : bool
        The province has the red border (ATT-1.15).
    x, y : float
        Middle on the picture of the map, y down.
    row, column : int
        Cell in the text map.
    """

    id: str
    code: str
    name_en: str
    start: bool
    x: float
    y: float
    row: int
    column: int
    name_it: str = ""

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named({"name_en": self.name_en, "name_it": self.name_it})


@dataclass(frozen=True)
class ProvinceLink:
    """Two adjacent provinces by number (ATT-1.14); `water`: an arrow across the sea, not a common border."""

    a: int
    b: int
    water: bool


@dataclass(frozen=True)
class Island:
    """Land that is no province (ATT-1.12): its names, as of `Province`, and its middle on the picture."""

    name_en: str
    x: float
    y: float
    name_it: str = ""

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named({"name_en": self.name_en, "name_it": self.name_it})


@dataclass(frozen=True)
class Land:
    """A whole map. Hashable, so that drawings can cache results per map.

    Attributes
    ----------
    provinces : tuple of Province
        At most 32.
    links : tuple of ProvinceLink
        Each pair once.
    islands : tuple of Island
        Areas that are drawn but never played on.
    wide, high : float
        Size of the picture, in the units of x and y.
    rows, columns : int
        Size of the text map.
    last_space : int
        Last space of each column of the influence chart (ATT-5.8).
    reconstructed : bool
        The borders differ from the printed board.
    """

    provinces: tuple[Province, ...]
    links: tuple[ProvinceLink, ...]
    islands: tuple[Island, ...]
    wide: float
    high: float
    rows: int
    columns: int
    last_space: int
    reconstructed: bool = False


# ---- Readers of maps of Attila: the built-in map, and a user's TOML file with helpful errors (docs/play/attila.md)

MOST_PROVINCES = 32
PICTURE = (100, 10_000)                 # smallest and largest width and height of the picture
MAP_TABLES = ("provinces", "links", "board", "influence_chart", "excluded_areas")
KINDS = ("land", "water")


@cache
def built_in() -> Land:
    """Return the reconstructed map of the data file."""
    return read_land(load_data(), "the data file of Attila")


def load_land(where: str) -> Land:
    """Return the map named by the option `map`.

    Parameters
    ----------
    where : str
        "reconstructed" or the path of a TOML file.

    Raises
    ------
    InvalidOption
        If the file cannot be read or does not describe a map; the message is one line with place, error and remedy.
    """
    if where == BUILT_IN:
        return built_in()
    tables = load_option(where, f"option 'map' of game 'attila' must be {BUILT_IN} or a map file", (BUILT_IN,))
    return read_land(tables, shown(where))


def read_land(tables: dict[str, Any], where: str) -> Land:
    """Return the map of TOML tables; missing tables come from the data file.

    A file has the tables ``[[provinces]]`` and ``[[links]]``, and may have ``[board]``, ``[influence_chart]`` and
    ``[[excluded_areas]]``. It may also contain other tables of the data file, unchanged.

    Raises
    ------
    InvalidOption
    """
    return _Reader(where).land(tables)


class _Reader(TableReader):
    """Reads the tables of one map."""

    def rows(self, tables: dict[str, Any], name: str, missing: str = "") -> list[dict[str, Any]]:
        """Return the rows of a list of tables, whose fields must have names from the data file."""
        return self.list_of_tables(tables, name, {key for row in load_data()[name] for key in row}, missing=missing)

    def table(self, tables: dict[str, Any], name: str) -> dict[str, Any]:
        """Return a single table, empty if there is none."""
        found = tables.get(name, {})
        if not isinstance(found, dict):
            self.fail(f"'{name}' must be one table, begun with [{name}]")
        self.known_fields(found, load_data()[name], f"[{name}]")
        return found

    # ---- the map ------------------------------------------------------------------------------

    def land(self, tables: dict[str, Any]) -> Land:
        self.refuse_others(tables)
        board = self.table(tables, "board")
        chart = self.table(tables, "influence_chart")
        size = (self.number(board, "picture_width", "[board]", *PICTURE, 1000),
                self.number(board, "picture_height", "[board]", *PICTURE, 700))
        provinces = self.provinces(self.rows(tables, "provinces", "a map has one for each province"), size)
        links = self.links(self.rows(tables, "links", "a map has one for each border or arrow between two provinces"),
                           provinces)
        self.counts(board, provinces, links)
        self.connected(provinces, links)
        last = self.field(chart, "last_space", int, "[influence_chart]", load_data()["influence_chart"]["last_space"])
        if not 1 <= last <= 100:
            self.fail(f"[influence_chart]: 'last_space' must be 1 to 100, not {last}")
        islands = []
        for i, row in enumerate(self.rows(tables, "excluded_areas"), start=1):
            at = f"[[excluded_areas]] number {i}"
            islands.append(Island(self.field(row, "name_en", str, at), *self.place(row, at, size),
                                  self.field(row, "name_it", str, at, "")))
        return Land(
            provinces=provinces, links=links, islands=tuple(islands),
            wide=size[0], high=size[1],
            rows=1 + max(one.row for one in provinces), columns=1 + max(one.column for one in provinces),
            last_space=last,
            reconstructed=self.field(board, "confidence", str, "[board]", "") == "reconstructed")

    def refuse_others(self, tables: dict[str, Any]) -> None:
        """Refuse other tables except unchanged ones of the data file: a map changes no rule."""
        own = load_data()
        for name, table in tables.items():
            if name in MAP_TABLES:
                continue
            if name not in own:
                self.fail(f"there is no table {quoted(name)} in a map{did_you_mean(name, MAP_TABLES) or ';'} "
                          "its tables: " + ", ".join(MAP_TABLES))
            if table != own[name]:
                self.fail(f"the table '{name}' differs from the game's own: a map file changes only "
                          + ", ".join(MAP_TABLES) + " (rules are options of the game)")

    def place(self, row: dict[str, Any], at: str, size: tuple[float, float]) -> tuple[float, float]:
        """Return a place on the picture."""
        return self.number(row, "x", at, 0, size[0]), self.number(row, "y", at, 0, size[1])

    def provinces(self, rows: list[dict[str, Any]], size: tuple[float, float]) -> tuple[Province, ...]:
        if not 2 <= len(rows) <= MOST_PROVINCES:
            self.fail(f"a map has 2 to {MOST_PROVINCES} tables [[provinces]], not {len(rows)}")
        found = []
        for number, row in enumerate(rows, start=1):
            at = f"[[provinces]] number {number}"
            name = self.field(row, "id", str, at)
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                self.fail(f"{at}: 'id' must be small letters, digits and _, such as \"italia_superior\", not "
                          f"{quoted(name)}")
            at += f" ({name})"
            code = self.field(row, "code", str, at)
            if not re.fullmatch(r"[A-Z]{3}", code):
                self.fail(f"{at}: 'code' must be three capital letters, such as \"GER\", not {quoted(code)}")
            if self.field(row, "index", int, at, number - 1) != number - 1:
                self.fail(f"{at}: 'index' must be {number - 1}, its place counted from 0, or be left out")
            cell = [self.field(row, key, int, at) for key in ("row", "col")]
            for key, value, most in zip(("row", "col"), cell, (9, 6), strict=True):
                if not 0 <= value <= most:
                    self.fail(f"{at}: '{key}' must be 0 to {most}, not {value}: its cell in the text map")
            found.append(Province(name, code, self.field(row, "name_en", str, at, name.replace("_", " ").title()),
                                  self.field(row, "start", bool, at), *self.place(row, at, size), cell[0], cell[1],
                                  self.field(row, "name_it", str, at, "")))
        self.distinct(found, "id", [one.id for one in found])
        self.distinct(found, "code", [one.code for one in found])
        self.distinct(found, "cell (row, col)", [(one.row, one.column) for one in found])
        self.distinct(found, "place (x, y)", [(one.x, one.y) for one in found])
        self.unmistakable(found)
        if not any(one.start for one in found):
            self.fail("no province has start = true; those with the red border need it, or nobody can place a token")
        return tuple(found)

    def distinct(self, provinces: list[Province], what: str, values: Iterable[object]) -> None:
        first: dict[object, str] = {}
        for one, value in zip(provinces, values, strict=True):
            if value in first:
                self.fail(f"the provinces {first[value]} and {one.id} have the same {what}, {value}")
            first[value] = one.id

    def unmistakable(self, provinces: list[Province]) -> None:
        """Refuse ambiguous names of provinces."""
        owner: dict[str, tuple[str, str]] = {}
        for one in provinces:
            for name in filter(None, (one.id, one.code, one.name_en, one.name_it)):
                other, its = owner.setdefault(spelling(name), (one.id, name))
                if other != one.id:
                    self.fail(f"the provinces {other} and {one.id} could not be told apart: {quoted(its)} and "
                              f"{quoted(name)} are typed alike")

    def links(self, rows: list[dict[str, Any]], provinces: tuple[Province, ...]) -> tuple[ProvinceLink, ...]:
        number = {one.id: i for i, one in enumerate(provinces)}
        number.update({one.code: i for i, one in enumerate(provinces)})
        seen: dict[tuple[int, int], int] = {}
        found = []
        for place, row in enumerate(rows, start=1):
            at = f"[[links]] number {place}"
            ends = []
            for side in ("a", "b"):
                name = self.field(row, side, str, at)
                if name not in number:
                    self.fail(f"{at}: '{side}' names no province: {quoted(name)}"
                              f"{did_you_mean(name, [one.id for one in provinces])}")
                ends.append(number[name])
            kind = self.field(row, "kind", str, at, "land")
            if kind not in KINDS:
                self.fail(f"{at}: 'kind' must be \"land\" (a border) or \"water\" (an arrow), not {quoted(kind)}"
                          f"{did_you_mean(kind, KINDS)}")
            a, b = ends
            if a == b:
                self.fail(f"{at}: {provinces[a].id} cannot border itself")
            pair = (min(a, b), max(a, b))
            if pair in seen:
                self.fail(f"{at}: {provinces[a].id} and {provinces[b].id} are joined already, by number {seen[pair]}; "
                          "each pair is listed once, in either direction")
            seen[pair] = place
            found.append(ProvinceLink(a, b, kind == "water"))
        return tuple(found)

    def counts(self, board: dict[str, Any], provinces: tuple[Province, ...], links: tuple[ProvinceLink, ...]) -> None:
        """Check the counts in a file against its rows, to catch a forgotten row."""
        water = sum(link.water for link in links)
        stated = {"province_count": (len(provinces), "tables [[provinces]]"),
                  "start_province_count": (sum(one.start for one in provinces), "provinces with start = true"),
                  "land_links": (len(links) - water, "links of the kind \"land\""),
                  "water_links": (water, "links of the kind \"water\"")}
        for name, (count, what) in stated.items():
            said = self.field(board, name, int, "[board]", count)
            if said != count:
                self.fail(f"[board]: {name} = {said}, but there are {count} {what}; correct the rows or the count")

    def connected(self, provinces: tuple[Province, ...], links: tuple[ProvinceLink, ...]) -> None:
        """Refuse a map with a province that cannot be reached from a start province."""
        reached = {i for i, one in enumerate(provinces) if one.start}
        while True:
            more = {b if a in reached else a for a, b in ((link.a, link.b) for link in links)
                    if (a in reached) != (b in reached)}
            if not more:
                break
            reached |= more
        lost = [one.id for i, one in enumerate(provinces) if i not in reached]
        if lost:
            self.fail(f"no token can ever reach {', '.join(lost)}: a link to the rest of the map is missing")
