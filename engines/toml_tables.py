"""Reads the tables of a TOML file from outside field by field; error messages say what is expected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import QUOTED, did_you_mean, quoted

_KINDS = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}


class TableReader:
    """Reads the tables of one file; every error is one line that names the file, the table and the field.

    Parameters
    ----------
    where : str
        Name of the file in messages.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, reason: str) -> NoReturn:
        raise InvalidOption(f"{self.where}: {reason}")

    def list_of_tables(self, tables: dict[str, Any], name: str, known: Iterable[str], *, missing: str = ""
                       ) -> list[dict[str, Any]]:
        """Return the rows of a list of tables; if it is absent, fail with `missing`, or return none if that is ""."""
        found = tables.get(name, [] if not missing else None)
        if found is None:
            self.fail(f"there is no table [[{name}]]; {missing}")
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            self.fail(f"'{name}' must be a list of tables, each starting with [[{name}]]")
        for number, row in enumerate(found, start=1):
            self.known_fields(row, known, f"[[{name}]] number {number}")
        return found

    def known_fields(self, row: dict[str, Any], known: Iterable[str], at: str) -> None:
        """Refuse unknown fields: one is probably a typo, and something else than intended would be played."""
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
            self.fail(f"{at}: '{name}' must be one line of printable characters, not {quoted(value)}")
        return value

    def number(self, row: dict[str, Any], name: str, at: str, low: float, high: float, default: Any = ...) -> float:
        """Return a number from a row; it must be from `low` to `high`."""
        value = self.field(row, name, float, at, default)
        if not low <= value <= high:            # catches nan, too
            self.fail(f"{at}: '{name}' must be {low:g} to {high:g}, not {quoted(value)}")
        return float(value)

    def whole(self, row: dict[str, Any], name: str, at: str, low: int, high: int, default: Any = ...) -> int:
        """Return a whole number from a row; it must be from `low` to `high`."""
        value: int = self.field(row, name, int, at, default)
        if not low <= value <= high:
            self.fail(f"{at}: '{name}' must be {low} to {high}, not {quoted(value)}")
        return value

    def texts(self, row: dict[str, Any], name: str, at: str) -> list[str]:
        """Return a list of texts from a row, with at least one entry."""
        if name not in row:
            self.fail(f"{at}: the field '{name}' is missing (a list of texts in quotes)")
        found = row[name]
        if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
            self.fail(f"{at}: '{name}' must be a list of texts in quotes, at least one, not {quoted(found)}")
        return found
