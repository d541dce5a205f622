"""English words on a screen in another language: pieces of the catalogue's messages."""

from __future__ import annotations

import re
import string
from functools import cache

from support.catalogues import forms, joined, messages, read

WORDS = 3               # consecutive words that are no coincidence


def english_in(text: str, language: str) -> list[str]:
    """Return the pieces of English messages that a text in another language shows.

    Parameters
    ----------
    text : str
        Text of a screen; its line breaks do not matter.
    language : str
        Language of the screen; pieces of its own messages do not count as English.
    """
    shown = _flat(text)
    return sorted(piece for piece in english_pieces(language) if piece in shown and piece not in _own(language))


@cache
def _own(language: str) -> str:
    """Return the messages of a language."""
    return _flat("\n".join(form for message in messages(read(joined(language))).values()
                           for form in forms(message.string)))


@cache
def english_pieces(language: str) -> set[str]:
    """Return the longest texts without a value in the English messages, of three words or more."""
    found = set()
    for message in messages(read(joined(language))).values():
        for form in forms(message.id):
            pieces = [literal for literal, _field, _spec, _conversion in string.Formatter().parse(form)] or [form]
            found |= {_flat(piece) for piece in pieces if len(re.findall(r"[A-Za-z]{2,}", piece)) >= WORDS}
    return found


def _flat(text: str) -> str:
    """Return a text in one line, without bars and boxes between its words."""
    return " ".join(text.replace("─", " ").split())
