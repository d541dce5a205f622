"""The length of lessons on a narrow screen."""

from __future__ import annotations

import textwrap

WIDE = 76               # columns of a narrow screen
LONGEST = 11            # maximum lines of a lesson


def lines(text: str) -> int:
    """Return the number of lines of a text on a narrow screen, with the lines between its paragraphs."""
    return sum(len(textwrap.wrap(paragraph, WIDE)) or 1 for paragraph in text.split("\n"))
