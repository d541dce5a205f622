"""Data files of games and TOML from outside, read within bounds and field by field; errors say what is expected."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.files import expanded, read_at_most
from sfida.engines.spec import QUOTED, did_you_mean, quoted, shortened, shown

# ---- The data files in the packages of games


@cache
def packaged(package: str, name: str = "data.toml") -> dict[str, Any]:
    """Return a TOML file of a package, such as "sfida.engines.attila", as tables; do not change them."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def tables_beside(game_class: type, name: str, key: str = "table") -> list[Any]:
    """Return the tables ``[[key]]`` of a TOML file in the package of a game; none if there is no such file.

    Raises
    ------
    ValueError
        If the file is not TOML.
    """
    package = sys.modules[game_class.__module__].__package__
    if not package or not resources.files(package).joinpath(name).is_file():
        return []
    tables = packaged(package, name).get(key, [])
    return tables if isinstance(tables, list) else [tables]


def mapping_beside(game_class: type, name: str) -> dict[str, Any]:
    """Return all of such a file as tables; an empty mapping if there is no such file."""
    package = sys.modules[game_class.__module__].__package__
    found = bool(package) and resources.files(str(package)).joinpath(name).is_file()
    return packaged(str(package), name) if found else {}


def wrong_table(error: Exception) -> str:
    """Return a one-line description of the error in a table of such a file."""
    return f"{error} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())


# ---- TOML from outside, read within bounds; an invalid file is refused with a one-line error

MOST_BYTES = 1 << 19            # eight times the largest data file; tomllib may take seconds for a file of that size
MOST_IN_LINE = 10_000           # characters in a line
MOST_DOTS = 20                  # dots in a line: the work on a key grows with the square of its parts
MOST_NESTED = 16                # depth of nested lists and tables; a map and a replay have three
_LARGEST = 1 << 63              # TOML's integers have 64 bits


def load_toml(path: Path, error: type[SfidaError]) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and its tables.

    Parameters
    ----------
    path : Path
    error : type of SfidaError
        Raised, with the file's name, if the content is wrong.

    Returns
    -------
    text : str
    tables : dict
        Nested at most `MOST_NESTED` deep, with whole numbers of at most 64 bits.

    Raises
    ------
    OSError
        If the file is missing, is not a regular file, is larger than `MOST_BYTES`, or cannot be read otherwise.
    SfidaError
        Of the class `error`.
    """
    def refusal(reason: str) -> SfidaError:
        return error(f"{shown(path)}: {reason}")

    try:
        text = read_at_most(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise refusal(f"not a text file in UTF-8 (byte {wrong.start + 1})") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > MOST_IN_LINE:
            raise refusal(f"line {number} has {len(line)} characters; {MOST_IN_LINE} are read at most")
        if line.count(".") > MOST_DOTS and not line.lstrip().startswith("#"):
            raise refusal(f"line {number} has {line.count('.')} dots; {MOST_DOTS} are read at most")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise refusal(f"not TOML: {shortened(wrong, 120)}") from None
    except RecursionError:
        raise refusal(f"lists and tables are nested more than {MOST_NESTED} deep") from None
    except ValueError:                              # thousands of digits, which Python refuses to convert
        raise refusal("there is a whole number of more than 64 bits") from None
    _check(tables, refusal)
    return text, tables


def load_option(where: str, wanted: str, near: Iterable[str] = ()) -> dict[str, Any]:
    """Return the tables of the TOML file that an option names.

    Parameters
    ----------
    where : str
        Path of the file.
    wanted : str
        Valid values of the option, in words for a refusal.
    near : iterable of str
        Words of which a wrong path may be a misspelling.

    Raises
    ------
    InvalidOption
        If the file cannot be read, or is not TOML.
    """
    try:
        return load_toml(expanded(where), InvalidOption)[1]
    except OSError as error:
        raise InvalidOption(f"{wanted}; {shown(where)} cannot be read: {error.strerror}"
                            f"{did_you_mean(where, near)}") from error


def _check(tables: dict[str, Any], refusal: Callable[[str], SfidaError]) -> None:
    """Refuse sizes that TOML allows but readers do not expect; without recursion, because the data may be deep."""
    left: list[tuple[str, Any, int]] = [("", tables, 0)]
    while left:
        key, value, depth = left.pop()
        if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
            raise refusal(f"{quoted(key)} has a whole number of more than 64 bits")
        if isinstance(value, dict | list) and depth > MOST_NESTED:
            raise refusal(f"lists and tables are nested more than {MOST_NESTED} deep")
        if isinstance(value, dict):
            left += [(name, inner, depth + 1) for name, inner in value.items()]
        elif isinstance(value, list):
            left += [(key, inner, depth + 1) for inner in value]


# ---- The tables of a TOML file from outside, read field by field; error messages say what is expected

_KINDS = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}


class TableReader:
    """Reads the tables of one file; every error is one line with the file, the table and the field.

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
        """Return the rows of a list of tables; an absent list is an error `missing`, or no rows if that is ""."""
        found = tables.get(name, [] if not missing else None)
        if found is None:
            self.fail(f"there is no table [[{name}]]; {missing}")
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            self.fail(f"'{name}' must be a list of tables, each starting with [[{name}]]")
        for number, row in enumerate(found, start=1):
            self.known_fields(row, known, f"[[{name}]] number {number}")
        return found

    def known_fields(self, row: dict[str, Any], known: Iterable[str], at: str) -> None:
        """Refuse unknown fields: an unknown field is probably a typo, and would change the game unnoticed."""
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
