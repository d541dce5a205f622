"""Text from outside, made fit to show: what would steer a terminal, or cannot be seen, is written as an escape."""

from __future__ import annotations

import json
import re
from typing import Any

_COLOUR = re.compile("(\x1b\\[[0-9;:]*m)")


def visible(text: str, keep: str = "") -> str:
    """Return a text in which every sign can be seen.

    Controls, invisible and direction-changing signs, blanks that are no plain blank and lone surrogates become
    what Python would write for them: ``\\x1b``, ``\\u202e``, ``\\ud800``.

    Parameters
    ----------
    text : str
    keep : str
        Signs that stay as they are, such as the line ends of a drawing.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in keep else sign.encode("unicode_escape").decode()
                   for sign in text)


def visible_drawing(text: str, color: bool) -> str:
    """Return a drawing of several lines in which everything can be seen but line ends and, with `color`, colours."""
    parts = _COLOUR.split(text) if color else [text]
    return "".join(part if number % 2 else visible(part, keep="\n\t") for number, part in enumerate(parts))


def json_text(data: Any, *, ascii_only: bool = False, compact: bool = False) -> str:
    """Return data as JSON on one line, in which every sign can be seen; read again, it gives the same text.

    Parameters
    ----------
    data : object
    ascii_only : bool
        Write ASCII and nothing else, for a stream that cannot hold more.
    compact : bool
        Without blanks.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    text = json.dumps(data, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":") if compact else None)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
