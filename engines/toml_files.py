"""Reads TOML from outside within bounds; an invalid file is refused with a one-line error."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.files import expanded, read_at_most
from sfida.engines.spec import did_you_mean, quoted, shortened, shown

MOST_BYTES = 1 << 19            # eight times the largest data file; tomllib may take seconds to read that
MOST_IN_LINE = 10_000           # characters of a line
MOST_DOTS = 20                  # dots in a line: the work on a key grows with the square of its parts
MOST_NESTED = 16                # lists and tables within each other; a map and a replay have three
_LARGEST = 1 << 63              # TOML's whole numbers have 64 bits


def load_toml(path: Path, error: type[SfidaError]) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and its tables.

    Parameters
    ----------
    path : Path
    error : type of SfidaError
        Raised with the file's name if the content is wrong.

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
    """Return what the TOML file holds that an option names.

    Parameters
    ----------
    where : str
        Path of the file.
    wanted : str
        What the option must be, as a refusal says it.
    near : iterable of str
        Words that may be meant by a path that is none.

    Raises
    ------
    InvalidOption
        If the file cannot be read, or is no TOML.
    """
    try:
        return load_toml(expanded(where), InvalidOption)[1]
    except OSError as error:
        raise InvalidOption(f"{wanted}; {shown(where)} cannot be read: {error.strerror}"
                            f"{did_you_mean(where, near)}") from error


def _check(tables: dict[str, Any], refusal: Callable[[str], SfidaError]) -> None:
    """Refuse what TOML does not limit and readers do not expect; without recursion, because it may be deep."""
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
