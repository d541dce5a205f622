"""Text that controls a terminal or misleads a reader, and a check that no output contains such text."""

from __future__ import annotations

import re
import unicodedata

# A title, a cleared screen, a colour, a colour by a single C1 character, text that runs backwards, half a surrogate
# pair, an overwritten line, a backspace, a false line, an empty character, a line end of Unicode, a delete, and a tag.
NASTY = ("\x1b]0;owned\x07", "\x1b[2J", "\x1b[31m", "\x9b31m", "\u202e", "\ud800", "\rfree", "\x08", "\nerror: lies",
         "\u200b", "\u2028", "\x7f", "\U000e0041")
ALL_NASTY = "<" + "|".join(NASTY) + ">"
NASTY_TEXT = ALL_NASTY.replace("\ud800", "")            # valid text only, without half a surrogate pair
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_SEEN_AS_BLANK = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def unseen(text: str, *, colours: bool = False) -> list[str]:
    """Return the invisible characters of a text, except for line ends.

    Parameters
    ----------
    text : str
        Output of a program.
    colours : bool
        Allow codes of colours.
    """
    if colours:
        text = _COLOUR.sub("", text)
    return [sign for sign in text if unicodedata.category(sign) in _SEEN_AS_BLANK and sign != "\n"]


def assert_seen(written: bytes, *, colours: bool = False) -> str:
    """Return the output of a program as text; fails if it is not UTF-8, or contains invisible characters."""
    text = written.decode()
    found = unseen(text, colours=colours)
    assert not found, f"{found[:5]} in {text!r}"
    assert not any(line.startswith(("free", "error: lies")) for line in text.splitlines()), text
    return text
