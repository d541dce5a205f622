"""Type checks of JSON data that somebody may have cut off or edited; every refusal is one clear line."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.spec import quoted

_NAMES: dict[type, str] = {
    int: "a whole number", float: "a number", str: "a text", list: "a list", dict: "an object",
}


@dataclass(frozen=True)
class FieldReader:
    """Checks the fields of one record; `where` (file and line) is put before every message."""

    where: str = ""

    def fail(self, reason: str) -> NoReturn:
        """Raise InvalidRecord."""
        raise InvalidRecord(f"{self.where}: {reason}" if self.where else reason) from None

    def parse(self, line: str) -> Any:
        """Return the JSON data of a line."""
        try:
            return json.loads(line, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
        except json.JSONDecodeError as error:
            length = len(line.rstrip())
            if error.pos >= length or error.msg.startswith("Unterminated"):
                self.fail(f"the JSON ends too early, after {length} characters: the line was cut off")
            self.fail(f"not JSON at column {error.colno}: {error.msg}")
        except RecursionError:
            self.fail("the JSON is nested too deeply")
        except ValueError as error:                     # a number too long, NaN or a duplicate key
            self.fail(f"not valid JSON: {error}")

    def take(self, fields: dict[str, Any], key: str, kind: type, default: Any = ...) -> Any:
        """Remove and return a field; null counts as missing, and missing is an error without a default."""
        value = fields.pop(key, None)
        if value is None:
            if default is ...:
                self.fail(f"the field '{key}' is missing")
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(f"'{key}' must be {_NAMES[kind]}, not {_describe(value)}")
        return value

    def take_list(self, fields: dict[str, Any], key: str, kind: type, default: Any = ...) -> Any:
        """Remove and return a field that is a list with entries of one kind, as a tuple."""
        values = self.take(fields, key, list, default)
        if values is None:
            return None
        kinds = (int, float) if kind is float else kind
        for index, value in enumerate(values, start=1):
            if not isinstance(value, kinds) or isinstance(value, bool):
                self.fail(f"entry {index} of '{key}' must be {_NAMES[kind]}, not {_describe(value)}")
        return tuple(values)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        times = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {quoted(next(key for key in times if times[key] > 1))} is given twice")
    return result


def _describe(value: object) -> str:
    """Say in words what a JSON value is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    name = _NAMES.get(type(value), type(value).__name__)
    return f"{name} ({quoted(value)})" if isinstance(value, (int, float, str)) else name
