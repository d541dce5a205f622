"""Values of other people's programs, frozen: compared, hashed and printed whatever they are made of."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

_DEEP = 8               # nested values below which a value is taken by its text
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Array:
    """The values of an array."""

    kind: str
    shape: tuple[int, ...]
    data: bytes
    text: str = ""          # of values that are objects

    def __str__(self) -> str:
        import numpy as np

        return self.text or str(np.frombuffer(self.data, self.kind).tolist())

    __repr__ = __str__


def frozen(value: Any, depth: int = 0) -> Hashable:
    """Return something that is equal for equal values, and stays as it is when the value is changed."""
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        if value.dtype.hasobject:
            return Array(str(value.dtype), tuple(value.shape), b"", repr(frozen(value.tolist(), depth + 1)))
        return Array(value.dtype.str, tuple(value.shape), (value + 0.0 if value.dtype.kind == "f" else value).tobytes())
    if depth > _DEEP:
        return _ADDRESS.sub("", repr(value))
    if isinstance(value, Mapping):
        return tuple(sorted(((key if isinstance(key, str) else _ADDRESS.sub("", repr(key)), frozen(item, depth + 1))
                             for key, item in value.items()), key=lambda pair: pair[0]))
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item, depth + 1) for item in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((frozen(item, depth + 1) for item in value), key=repr))
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return type(value).__name__, frozen(vars(value), depth + 1)
    return _ADDRESS.sub("", repr(value))


def scribble(value: Any, ink: int) -> None:
    """Write a number over everything inside a value that can be written over."""
    if hasattr(value, "dtype") and hasattr(value, "flags"):
        if value.flags.writeable and value.dtype.kind in "biuf":
            value[...] = ink
    elif isinstance(value, (dict, list)):
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            if isinstance(item, (bool, int, float, str)):
                value[key] = ink
            else:
                scribble(item, ink)
    elif isinstance(value, tuple):
        for item in value:
            scribble(item, ink)


def behind(value: Any) -> Hashable:
    """Return the memory that arrays inside a value are windows on, frozen."""
    if hasattr(value, "dtype"):
        base = getattr(value, "base", None)
        return frozen(base) if hasattr(base, "dtype") else None
    if isinstance(value, Mapping):
        return tuple(behind(value[key]) for key in sorted(value, key=repr))
    return tuple(behind(item) for item in value) if isinstance(value, (list, tuple)) else None
