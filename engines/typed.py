"""The text of a move as people type it, before a game reads it."""

from __future__ import annotations

import re
import unicodedata

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import _

LONGEST_MOVE = 1000             # characters; the longest turn, armies on 42 territories, has about 300


def bounded(text: str) -> str:
    """Return the text of a move without blanks at its ends.

    Raises
    ------
    InvalidNotation
        If the text is empty, or longer than `LONGEST_MOVE` characters: the time to read it may grow faster than its
        length.
    """
    bare = text.strip()
    if not bare:
        raise InvalidNotation(_("no move was given"))
    if len(bare) > LONGEST_MOVE:
        raise InvalidNotation(_("a text of {length} characters is no move; {most} are read at most").format(
            length=len(bare), most=LONGEST_MOVE))
    return bare


def plain(text: str) -> str:
    """Return the text of a move with single blanks and plain minus signs; raises InvalidNotation like `bounded`."""
    return " ".join(bounded(text).replace("\u2212", "-").replace("\u2013", "-").split())


def spelling(text: str) -> str:
    """Return a name in lower case, without accents, spaces and signs, so that spellings do not matter."""
    flat = unicodedata.normalize("NFKD", text)
    return re.sub(r"[^a-z0-9]", "", "".join(c for c in flat if not unicodedata.combining(c)).lower())
