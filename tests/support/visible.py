"""What nobody may slip past a reader: text that steers a terminal, and a check that none came out."""

from __future__ import annotations

import re
import unicodedata

# A title, a wiped screen, a colour by a single C1 sign, text that runs backwards, half a sign, a line overwritten, a
# false line, an empty sign, a line end of Unicode, and a sign rubbed out.
NASTY = ("\x1b]0;owned\x07", "\x1b[2J", "\x1b[31m", "\x9b31m", "\u202e", "\ud800", "\rfree", "\x08", "\nerror: lies",
         "\u200b", "\u2028", "\x7f", "\U000e0041")
ALL_NASTY = "<" + "|".join(NASTY) + ">"
NASTY_TEXT = ALL_NASTY.replace("\ud800", "")            # what is text all the same: half a sign is none
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_SEEN_AS_BLANK = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def unseen(text: str, *, colours: bool = False) -> list[str]:
    """Return what cannot be seen in a text, line ends apart.

    Parameters
    ----------
    text : str
        What a program has written.
    colours : bool
        Codes of colour are wanted.
    """
    if colours:
        text = _COLOUR.sub("", text)
    return [sign for sign in text if unicodedata.category(sign) in _SEEN_AS_BLANK and sign != "\n"]


def assert_seen(written: bytes, *, colours: bool = False) -> str:
    """Return what a program has written as text; fails if it is not UTF-8, or if anything in it cannot be seen."""
    text = written.decode()
    found = unseen(text, colours=colours)
    assert not found, f"{found[:5]} in {text!r}"
    assert not any(line.startswith(("free", "error: lies")) for line in text.splitlines()), text
    return text
