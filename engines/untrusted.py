"""Text and JSON from outside: made safe to show, and read field by field with one clear line for every error.

A field is declared where it is read: its name, type, range and number of entries. This module refuses data that no
field may contain: invalid text, numbers that are too long, data nested too deeply.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from itertools import chain
from types import NoneType
from typing import Any, ClassVar, NoReturn, Self, cast, get_args, get_origin, get_type_hints

from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.spec import quoted

# ---- Text made safe to show: invisible and controlling characters become escapes

_COLOUR = re.compile("(\x1b\\[[0-9;:]*m)")


def visible(text: str, keep: str = "") -> str:
    """Return a text in which every character is visible.

    Control characters, invisible and direction-changing characters, blanks other than the plain one and lone
    surrogates become Python escapes: ``\\x1b``, ``\\u202e``, ``\\ud800``.

    Parameters
    ----------
    text : str
    keep : str
        Characters that stay as they are, such as the line ends of a drawing.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in keep else sign.encode("unicode_escape").decode()
                   for sign in text)


def visible_drawing(text: str, color: bool) -> str:
    """Return a drawing in which all characters are visible except line ends and, with `color`, colour codes."""
    parts = _COLOUR.split(text) if color else [text]
    return "".join(part if number % 2 else visible(part, keep="\n\t") for number, part in enumerate(parts))


def json_text(data: Any, *, ascii_only: bool = False, compact: bool = False) -> str:
    """Return data as one line of JSON in which every character is visible; reading it gives the same data.

    Parameters
    ----------
    data : object
    ascii_only : bool
        Write only ASCII, for a stream that accepts nothing else.
    compact : bool
        Omit blanks.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    text = json.dumps(data, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":") if compact else None)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)


# ---- Checks of JSON data that may have been cut off or edited; every error is one clear line

LARGEST = 2**128 - 1            # largest whole number in a record: the largest seed
DEEPEST = 32                    # largest depth of nested lists and objects

_NAMES: dict[type, str] = {
    bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list", dict: "an object",
}
_UNBOUNDED = (-math.inf, math.inf)


def _by_kind(entries: list[Any]) -> dict[type, list[Any]]:
    """Return entries by their types; most lists have one."""
    if len(set(map(type, entries))) == 1:
        return {type(entries[0]): entries}
    kinds = defaultdict[type, list[Any]](list)
    for entry in entries:
        kinds[type(entry)].append(entry)
    return kinds


def _is_plain(value: object) -> bool:
    """Whether a value is one of the usual scalars, which need no closer look."""
    kind = type(value)
    return (value is None or kind is bool or (kind is int and -LARGEST <= value <= LARGEST)      # type: ignore[operator]
            or (kind is str and value.isascii() and "\0" not in value))      # type: ignore[attr-defined,operator]


@dataclass(frozen=True)
class FieldReader:
    """Checks the fields of one record; `where` (file and line) is put before every message."""

    where: str = ""

    def fail(self, reason: str) -> NoReturn:
        """Raise InvalidRecord."""
        raise InvalidRecord(f"{self.where}: {reason}" if self.where else reason) from None

    def parse(self, line: str, name: str = "the record") -> Any:
        """Return the JSON data of a line, passed through `check`; `name` is used in messages."""
        try:
            data = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
        except json.JSONDecodeError as error:
            length = len(line.rstrip())
            if error.pos >= length or error.msg.startswith("Unterminated"):
                self.fail(f"the JSON ends too early, after {length} characters: the line was cut off")
            self.fail(f"not JSON at column {error.colno}: {error.msg}")
        except RecursionError:
            self.fail("the JSON is nested too deeply")
        except ValueError as error:                     # a number too long, NaN or a duplicate key
            reason = str(error)
            if reason.startswith("Exceeds the limit"):
                reason = "a whole number has thousands of digits"
            self.fail(f"not valid JSON: {reason}")
        self.check(data, name)
        return data

    def check(self, value: object, name: str = "the record") -> None:
        """Refuse data that no field may contain, at any depth.

        Such data are: text with a lone surrogate or NUL, which cannot be written to files; numbers that are not finite,
        and whole numbers beyond `LARGEST`; lists and objects nested deeper than `DEEPEST`; and objects outside JSON.

        Parameters
        ----------
        value : object
            JSON data.
        name : str
            Name of the data in messages; the fields of the outermost object are named by their keys.

        Raises
        ------
        InvalidRecord
        """
        if isinstance(value, dict):
            self._check_keys(list(value), name)
            for key, entry in value.items():
                if not _is_plain(entry):
                    self._check_levels([entry], quoted(key), 1)
        else:
            self._check_levels([value], name, 0)

    def _check_levels(self, level: list[Any], name: str, depth: int) -> None:
        """Check entries of the same depth together, then their contents: a hostile line may have a million entries."""
        while level:
            kinds = _by_kind(level)
            level = []
            for kind, entries in kinds.items():
                if issubclass(kind, str):
                    self._check_text("".join(entries), name)
                elif issubclass(kind, int):             # true and false, too
                    if max(entries) > LARGEST or min(entries) < -LARGEST:
                        self.fail(f"{name} holds a whole number beyond 2**128 - 1, the largest that a record may hold")
                elif issubclass(kind, float):
                    if not all(map(math.isfinite, entries)):
                        self.fail(f"{name} holds a number that is not finite")
                elif issubclass(kind, (list, tuple, dict)):
                    if depth >= DEEPEST:
                        self.fail(f"{name} is nested too deeply: {DEEPEST} lists and objects within each other are "
                                  "the most")
                    if issubclass(kind, dict):
                        self._check_keys(list(chain.from_iterable(entries)), name)
                        entries = [entry.values() for entry in entries]
                    level += chain.from_iterable(entries)
                elif kind is not NoneType:
                    self.fail(f"{name} holds what JSON cannot express: {quoted(entries[0])}")
            depth += 1

    def _check_keys(self, keys: list[Any], name: str) -> None:
        wrong = next((key for key in keys if not isinstance(key, str)), None)
        if wrong is not None:
            self.fail(f"the keys of {name} must be texts, not {_describe(wrong)}")
        self._check_text("".join(keys), f"a key of {name}")

    def _check_text(self, text: str, name: str) -> None:
        if text.isascii() and "\0" not in text:
            return
        wrong = next((char for char in text if char == "\0" or "\ud800" <= char <= "\udfff"), None)
        if wrong is not None:
            self.fail(f"{name} must be valid text, which {wrong!a} is no part of")

    def take(self, fields: dict[str, Any], key: str, kind: type, default: Any = ..., *,
             low: float = -math.inf, high: float = math.inf) -> Any:
        """Remove and return a field; null counts as missing, and a missing field without a default is an error.

        Parameters
        ----------
        fields : dict
        key : str
        kind : type
            bool, int, float (whole numbers are accepted as well), str, list or dict.
        default : object
        low, high : int or float
            Inclusive bounds of a number.
        """
        value = fields.pop(key, None)
        if value is None:
            if default is ...:
                self.fail(f"the field '{key}' is missing")
            return default
        self._check_kind(f"'{key}'", value, kind, low, high)
        return value

    def take_list(self, fields: dict[str, Any], key: str, kind: type, default: Any = ..., *,
                  low: float = -math.inf, high: float = math.inf, least: int = 0, most: float = math.inf) -> Any:
        """Remove a field that is a list with entries of one kind, and return it as a tuple.

        `low` and `high` bound the entries, `least` and `most` their number.
        """
        values = self.take(fields, key, list, default)
        if values is None:
            return None
        if not least <= len(values) <= most:
            right = f"{least}" if least == most else f"from {least} to {most}" if least else f"at most {most}"
            self.fail(f"'{key}' must have {right} entries, not {len(values)}")
        if {*map(type, values)} != {kind} or (low, high) != _UNBOUNDED:
            for index, value in enumerate(values, start=1):
                self._check_kind(f"entry {index} of '{key}'", value, kind, low, high)
        return tuple(values)

    def _check_kind(self, name: str, value: Any, kind: type, low: float, high: float) -> None:
        kinds = (int, float) if kind is float else kind
        right = isinstance(value, kinds) and isinstance(value, bool) == (kind is bool)
        if not right:
            self.fail(f"{name} must be {_NAMES[kind]}, not {_describe(value)}")
        if (low, high) != _UNBOUNDED and not low <= value <= high:
            self.fail(f"{name} must be {_NAMES[kind]} from {low} to {high}, not {quoted(value)}")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        times = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {quoted(next(key for key in times if times[key] > 1))} is given twice")
    return result


def _describe(value: object) -> str:
    """Return a JSON value in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    name = _NAMES.get(type(value), type(value).__name__)
    return f"{name} ({quoted(value)})" if isinstance(value, (int, float, str)) else name


# ---- The JSON form of dataclasses, written and read field by field

UNNAMED = FieldReader()         # reader of data without a file


def bounds(**named: Any) -> dict[str, Any]:
    """Return the metadata of a field of `JsonData`.

    Parameters
    ----------
    low, high : int or float
        Inclusive bounds of a number, or of each number in a tuple.
    least, most : int
        Bounds of the length of a tuple.
    absent : object
        Value of a field that is missing in JSON, though it has no default in Python.
    """
    return named


class JsonData:
    """A dataclass with a JSON form: an object with its fields, in order.

    Fields are plain values, other `JsonData`, or tuples of these. A field that may be None or has a default may be
    missing. A subclass with further data or checks extends the methods.

    Attributes
    ----------
    written : tuple of str
        Attributes to write instead of the fields, in order.
    """

    written: ClassVar[tuple[str, ...]] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the object as JSON-able data."""
        return {name: _plain(getattr(self, name)) for name in self.written or _names(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], reader: FieldReader = UNNAMED) -> Self:
        """Build the object from JSON data; raises InvalidRecord."""
        held, kind = dict(data), cast(Any, cls)
        return cls(*(read(reader, held) for read in _readers(kind)))


def _plain(value: Any) -> Any:
    if isinstance(value, JsonData):
        return value.to_json()
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value


def _names(held: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(held))


@functools.cache
def _readers(kind: Any) -> tuple[Callable[[FieldReader, dict[str, Any]], Any], ...]:
    hints = get_type_hints(kind)
    return tuple(_reader(field, hints[field.name]) for field in dataclasses.fields(kind))


def _reader(field: dataclasses.Field[Any], hint: Any) -> Callable[[FieldReader, dict[str, Any]], Any]:
    """Return the function that reads one field."""
    limits = dict(field.metadata)
    default = limits.pop("absent", ...)
    if field.default_factory is not MISSING:
        default = field.default_factory()
    elif field.default is not MISSING:
        default = field.default
    kind, *rest = (one for one in get_args(hint) or (hint,) if one not in (NoneType, ...))
    assert not rest, f"{hint} has no JSON form"
    listed = get_origin(hint) is tuple
    if not issubclass(kind, JsonData):
        take = FieldReader.take_list if listed else FieldReader.take
        return lambda reader, held: take(reader, held, field.name, kind, default, **limits)

    def taken(reader: FieldReader, held: dict[str, Any]) -> Any:
        if listed:
            entries = reader.take_list(held, field.name, dict, default, **limits)
            return tuple(kind.from_json(entry, reader) for entry in entries)
        value = reader.take(held, field.name, dict, default)
        return value if value is default else kind.from_json(value, reader)

    return taken
