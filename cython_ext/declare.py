"""The words in which a game declares its tables and weights (`<game>/parameters.py`), each of them once.

`generate.py` writes `<game>/tables.pxd` from a declaration: the structs, the code that fills them by name, the checks.
This module and the declarations import nothing compiled: a build reads them before the package exists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Bound = int | float | str               # a text is an expression in C: of sizes, and of numbers of the struct `t`

# The bounds of a C type; those of floating-point numbers keep infinities and NaN out.
RANGES: dict[str, tuple[Bound, Bound]] = {
    "bint": (0, 1), "uint8_t": (0, 0xFF), "uint16_t": (0, 0xFFFF), "uint32_t": (0, 0xFFFFFFFF),
    "uint64_t": (0, 0xFFFFFFFFFFFFFFFF), "int": (-0x80000000, 0x7FFFFFFF), "float": (-1e9, 1e9), "double": (-1e9, 1e9),
}


@dataclass(frozen=True)
class Field:
    """A number or an array of a C struct.

    Attributes
    ----------
    kind, name : str
        Type and name in C. The type may be a struct that is declared before it.
    shape : tuple of str
        Sizes of an array.
    doc : str
        Meaning, with the unit and the clauses of the rules that it comes from.
    low, high : Bound
        Inclusive bounds of every number.
    rows : str
        How many rows of an array are handed over, as an expression in C; "": all of its first size.
    names : tuple of str
        Names of the rows of an array of weights, which are handed over one by one: `win.lead`.
    called : str
        Noun for errors.
    value : Any
        A weight: the number that is in force unless a caller changes it; a tuple has one a name.
    given : bool
        The engine hands it over; else the rules object derives it.
    """

    kind: str
    name: str
    shape: tuple[str, ...]
    doc: str
    low: Bound = 0
    high: Bound = 0
    rows: str = ""
    names: tuple[str, ...] = ()
    called: str = ""
    value: Any = None
    given: bool = True


@dataclass(frozen=True)
class Feature:
    """A number that the knowledge reads of a position, for a seat.

    Attributes
    ----------
    doc : str
    weights : dict of str to float
        Its weights by the array of weights that has them.
    """

    doc: str
    weights: Mapping[str, float] = field(default_factory=dict)


def table(declared: str, doc: str, *, low: Bound | None = None, high: Bound | None = None, rows: str = "",
          called: str = "") -> Field:
    """Declare a number or an array that the engine hands over, as C does: `uint8_t gain[MOST_TILES + 1]`."""
    kind, name, sizes = _parts(declared)
    least, most = RANGES.get(kind, (0, 0))
    return Field(kind, name, sizes, doc, least if low is None else low, most if high is None else high, rows,
                 called=called or name.replace("_", " "))


def derived(declared: str, doc: str) -> Field:
    """Declare a number or an array that the rules object computes from others."""
    kind, name, sizes = _parts(declared)
    return Field(kind, name, sizes, doc, given=False)


def weight(declared: str, value: float, doc: str, *, low: Bound | None = None, high: Bound | None = None) -> Field:
    """Declare a weight with its value."""
    kind, name, sizes = _parts(declared)
    least, most = RANGES[kind]
    return Field(kind, name, sizes, doc, least if low is None else low, most if high is None else high,
                 called=name, value=value)


def feature(doc: str, **weights: float) -> Feature:
    """Declare a feature with its weights, if it has some."""
    return Feature(doc, weights)


def weights_of_features(declared: str, doc: str, features: Mapping[str, Feature]) -> Field:
    """Declare an array of weights that the features have in their own declarations, under the array's name."""
    kind, name, sizes = _parts(declared)
    low, high = RANGES[kind]
    found = {key: one.weights[name] for key, one in features.items() if name in one.weights}
    return Field(kind, name, sizes, doc, low, high, names=tuple(found), called=name, value=tuple(found.values()))


def values_of(weights: tuple[Field, ...]) -> dict[str, float]:
    """Return the values of weights by name, as a rules object takes them; those of features are `win.lead`."""
    found: dict[str, float] = {}
    for one in weights:
        if one.names:
            found |= {f"{one.name}.{name}": value for name, value in zip(one.names, one.value, strict=True)}
        elif one.given:
            found[one.name] = one.value
    return found


def _parts(declared: str) -> tuple[str, str, tuple[str, ...]]:
    """Return type, name and sizes of a declaration in C."""
    match = re.fullmatch(r"(\w+) (\w+)((?:\[[^\]]+\])*)", declared)
    if match is None:
        raise ValueError(f"a declaration is like 'uint8_t gain[MOST_TILES + 1]', not {declared!r}")
    return match[1], match[2], tuple(re.findall(r"\[([^\]]+)\]", match[3]))
