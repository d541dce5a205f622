"""Colours of the seats on the page of a review: those that seats are named after, on light and on dark paper."""

from __future__ import annotations

from typing import Any

from sfida.engines.faces.notation import Notation
from sfida.engines.language import in_english

# Name of a colour, as a seat is called: on light and on dark paper, at least 3 : 1 against it.
NAMED = {
    "red": ("#c62828", "#f0625d"), "blue": ("#1f5fbf", "#6fa8f5"), "yellow": ("#a67c00", "#e6c34a"),
    "green": ("#2e7d32", "#62c26a"), "black": ("#1c2024", "#98a2ad"), "white": ("#858e97", "#f2f4f6"),
    "orange": ("#c75b00", "#f39a3e"), "purple": ("#8e24aa", "#cf8ae6"),
}
_OTHERS = ("red", "blue", "yellow", "green", "purple", "orange")        # of seats with other names, as in the terminal


def _variables(scheme: int) -> str:
    return f":root{{{';'.join(f'--seat-{name}:{pair[scheme]}' for name, pair in NAMED.items())}}}"


STYLE = f"""
{_variables(0)}
@media screen and (prefers-color-scheme:dark){{{_variables(1)}}}
"""


def seat_colour(game: Notation[Any], seat: int) -> str:
    """Return the CSS colour of a seat: if it is named after a colour, that one, else one by its number."""
    known = in_english(game.seat_name, seat).strip().lower()
    return f"var(--seat-{known if known in NAMED else _OTHERS[seat % len(_OTHERS)]})"
