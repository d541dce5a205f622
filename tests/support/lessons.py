"""How long lessons are."""

from __future__ import annotations

import textwrap

WIDE = 76               # columns of a narrow screen
LONGEST = 11            # lines of a lesson


def lines(text: str) -> int:
    """Return how many lines a text takes on a narrow screen, those between its paragraphs counted."""
    return sum(len(textwrap.wrap(paragraph, WIDE)) or 1 for paragraph in text.split("\n"))
