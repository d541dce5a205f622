"""The vocabulary in which a game declares its tables and weights (`<game>/parameters.py`), each in one place.

`generate.py` writes `<game>/tables.pxd` from a declaration: the structs, the checks, and the code that fills them.
This module and the declarations import nothing compiled, because a build reads them before the package exists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Bound = int | float | str               # a text is a C expression of sizes and of numbers of the struct `t`

# Bounds of the C types; those of floating-point numbers exclude infinities and NaN.
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
        Meaning, with the unit and the clauses of the rules that define it.
    low, high : Bound
        Inclusive bounds of every number.
    rows : str
        Number of rows passed for an array, as a C expression; "": its whole first size.
    names : tuple of str
        Names of the rows of an array of weights, which are passed one by one, as in `win.lead`.
    called : str
        Noun for error messages.
    value : Any
        Default of a weight; for an array a tuple with one number per name.
    given : bool
        Whether the engine passes it; otherwise the rules object derives it.
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
    """A number that the game's knowledge reads of a position, for one seat.

    Attributes
    ----------
    doc : str
    weights : dict of str to float
        Weight of the feature in each array of weights that uses it.
    """

    doc: str
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Inputs:
    """A group of sparse inputs of learned evaluations: each is 1 or absent.

    Attributes
    ----------
    count : str
        Their number, as a C expression.
    doc : str
    common : bool
        Whether there is one group for the table; otherwise each seat has its own.
    """

    count: str
    doc: str
    common: bool = False


def table(declared: str, doc: str, *, low: Bound | None = None, high: Bound | None = None, rows: str = "",
          called: str = "") -> Field:
    """Declare a number or an array that the engine passes, in C syntax: `uint8_t gain[MOST_TILES + 1]`."""
    kind, name, sizes = _parts(declared)
    least, most = RANGES.get(kind, (0, 0))
    return Field(kind, name, sizes, doc, least if low is None else low, most if high is None else high, rows,
                 called=called or name.replace("_", " "))


def derived(declared: str, doc: str) -> Field:
    """Declare a number or an array that the rules object derives from others."""
    kind, name, sizes = _parts(declared)
    return Field(kind, name, sizes, doc, given=False)


def weight(declared: str, value: float, doc: str, *, low: Bound | None = None, high: Bound | None = None) -> Field:
    """Declare a weight and its default."""
    kind, name, sizes = _parts(declared)
    least, most = RANGES[kind]
    return Field(kind, name, sizes, doc, least if low is None else low, most if high is None else high,
                 called=name, value=value)


def feature(doc: str, **weights: float) -> Feature:
    """Declare a feature and its weights, if any."""
    return Feature(doc, weights)


def weights_of_features(declared: str, doc: str, features: Mapping[str, Feature]) -> Field:
    """Declare an array of weights; the weight of each feature is in the feature's declaration."""
    kind, name, sizes = _parts(declared)
    low, high = RANGES[kind]
    found = {key: one.weights[name] for key, one in features.items() if name in one.weights}
    return Field(kind, name, sizes, doc, low, high, names=tuple(found), called=name, value=tuple(found.values()))


def names_of_inputs(groups: Mapping[str, Inputs], sizes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of groups of inputs with their numbers, such as "hand:25"; those of the table come last."""
    return tuple(f"{name}:{eval(one.count, dict(sizes))}"
                 for common in (False, True) for name, one in groups.items() if one.common == common)


def values_of(weights: tuple[Field, ...]) -> dict[str, float]:
    """Return weights by name, as a rules object takes them; the names of feature weights are like `win.lead`."""
    found: dict[str, float] = {}
    for one in weights:
        if one.names:
            found |= {f"{one.name}.{name}": value for name, value in zip(one.names, one.value, strict=True)}
        elif one.given:
            found[one.name] = one.value
    return found


def _parts(declared: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the type, name and sizes of a C declaration."""
    match = re.fullmatch(r"(\w+) (\w+)((?:\[[^\]]+\])*)", declared)
    if match is None:
        raise ValueError(f"a declaration is like 'uint8_t gain[MOST_TILES + 1]', not {declared!r}")
    return match[1], match[2], tuple(re.findall(r"\[([^\]]+)\]", match[3]))
