"""Seats and pieces in a terminal: a letter on a ground of their colour, with a name."""

from __future__ import annotations

from sfida.engines.drawing.cells import Cell, words
from sfida.engines.drawing.colors import YELLOW

Paint = tuple[int, int]                                 # letters and ground


def badge(letter: str, paint: Paint) -> list[Cell]:
    """Return a letter between spaces."""
    return words(f" {letter} ", *paint, bold=True)


def named(letter: str, paint: Paint, name: str) -> list[Cell]:
    """Return a badge with what it stands for."""
    return [*badge(letter, paint), *words(f" {name}")]


def seat_line(sign: str, letter: str, paint: Paint, name: str, *, lit: bool, fore: int | None = None,
              arrow: int = YELLOW) -> list[Cell]:
    """Return the head of a seat's line: a sign such as "> " before its badge and its name.

    Parameters
    ----------
    sign : str
    letter, paint
        As of `badge`.
    name : str
        With the spaces that fill its column.
    lit : bool
        The name is bold.
    fore : int, optional
        Colour of the name.
    arrow : int
        Colour of the sign.
    """
    return [*words(sign, arrow, bold=True), *badge(letter, paint), *words(f" {name}", fore, bold=lit)]
