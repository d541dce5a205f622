"""The tables of a TOML file that somebody else has written, read field by field; refusals say what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import QUOTED, did_you_mean, quoted

_KINDS = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}


class TableReader:
    """Reads the tables of one file; every refusal is one line that names the file, the table and the field.

    Parameters
    ----------
    where : str
        The file, as it is shown to people.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, reason: str) -> NoReturn:
        raise InvalidOption(f"{self.where}: {reason}")

    def list_of_tables(self, tables: dict[str, Any], name: str, known: Iterable[str], *, missing: str = ""
                       ) -> list[dict[str, Any]]:
        """Return the rows of a list of tables; where there is none, `missing` is the refusal, "" makes it empty."""
        found = tables.get(name, [] if not missing else None)
        if found is None:
            self.fail(f"there is no table [[{name}]]; {missing}")
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            self.fail(f"'{name}' must be a list of tables, each begun with [[{name}]]")
        for number, row in enumerate(found, start=1):
            self.known_fields(row, known, f"[[{name}]] number {number}")
        return found

    def known_fields(self, row: dict[str, Any], known: Iterable[str], at: str) -> None:
        """Refuse a field that would not be read: it is a slip of the pen, and something else would be played."""
        for name in row:
            if name not in known:
                self.fail(f"{at}: there is no field {quoted(name)}{did_you_mean(name, known) or ';'} the fields are "
                          + ", ".join(sorted(known)))

    def field(self, row: dict[str, Any], name: str, kind: type, at: str, default: Any = ...) -> Any:
        """Return a field of a row, checked for its type."""
        if name not in row:
            if default is not ...:
                return default
            self.fail(f"{at}: the field '{name}' is missing ({_KINDS[kind]})")
        value = row[name]
        fits = isinstance(value, (int, float) if kind is float else kind)
        if not fits or (isinstance(value, bool) and kind is not bool):
            self.fail(f"{at}: '{name}' must be {_KINDS[kind]}, not {quoted(value)}")
        if kind is str and len(value) > QUOTED:
            self.fail(f"{at}: '{name}' must have at most {QUOTED} characters, not {len(value)}")
        if kind is str and not value.isprintable():
            self.fail(f"{at}: '{name}' must be one line of signs that can be printed, not {quoted(value)}")
        return value

    def number(self, row: dict[str, Any], name: str, at: str, low: float, high: float, default: Any = ...) -> float:
        """Return a number of a row that lies between two others."""
        value = self.field(row, name, float, at, default)
        if not low <= value <= high:            # also for nan
            self.fail(f"{at}: '{name}' must be {low:g} to {high:g}, not {quoted(value)}")
        return float(value)

    def whole(self, row: dict[str, Any], name: str, at: str, low: int, high: int, default: Any = ...) -> int:
        """Return a whole number of a row that lies between two others."""
        value: int = self.field(row, name, int, at, default)
        if not low <= value <= high:
            self.fail(f"{at}: '{name}' must be {low} to {high}, not {quoted(value)}")
        return value

    def texts(self, row: dict[str, Any], name: str, at: str) -> list[str]:
        """Return a list of texts in a row, with one at least."""
        if name not in row:
            self.fail(f"{at}: the field '{name}' is missing (a list of texts in quotes)")
        found = row[name]
        if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
            self.fail(f"{at}: '{name}' must be a list of texts in quotes, with one at least, not {quoted(found)}")
        return found
