"""Makes text from outside safe to show: invisible characters, and those that control a terminal, become escapes."""

from __future__ import annotations

import json
import re
from typing import Any

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
        Write only ASCII, for a stream that takes nothing else.
    compact : bool
        Leave out blanks.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    text = json.dumps(data, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":") if compact else None)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
