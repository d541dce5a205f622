"""Lines of a map in a terminal with labels laid over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Label(NamedTuple):
    """A text laid over a line: its first column, how many it takes, and how it is written."""

    start: int
    columns: int
    text: str


def overlaid(columns: int, labels: Iterable[Label], between: Callable[[int, int], str]) -> str:
    """Write a line of a map with labels over it.

    Parameters
    ----------
    columns : int
        Of the line.
    labels : iterable of Label
        In any order; they do not cover each other.
    between : callable
        Writes what the bare map shows from one column to before another.
    """
    parts, at = [], 0
    for start, long, text in sorted(labels):
        parts += [between(at, start), text]
        at = start + long
    return "".join([*parts, between(at, columns)]).rstrip()
