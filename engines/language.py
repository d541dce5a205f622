"""The language of words for people: gettext catalogues, numbers with their nouns, and lists of names.

`speaking("it")` chooses the language of a block, for the running thread or task alone; text is translated where it is
made. Notation, JSON, records and specs are the same in every language.
"""

from __future__ import annotations

import functools
import gettext
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import resources
from typing import Any, ParamSpec

from sfida.cython_ext.errors import InvalidOption

# ---- The language of words for people: English in the source, other languages by their gettext catalogues

P = ParamSpec("P")

DOMAIN = "sfida"
ENGLISH = "en"
LANGUAGES = (ENGLISH, "it")

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the code of the language that is spoken here, one of `LANGUAGES`."""
    return _spoken.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language in this block; threads that are started in it begin in English again.

    In free-threaded Python they speak it, too.

    Raises
    ------
    InvalidOption
        If there is no such language.
    """
    if code not in LANGUAGES:
        raise InvalidOption(f"there is no language {code!r}; the languages are {' and '.join(LANGUAGES)}")
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def in_english(words: Callable[P, str], *args: P.args, **named: P.kwargs) -> str:
    """Return what a function says in English, such as a name by which a screen or a file knows something."""
    with speaking(ENGLISH):
        return words(*args, **named)


@functools.cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == ENGLISH:
        return gettext.NullTranslations()
    file = resources.files("sfida.engines").joinpath("locale", code, "LC_MESSAGES", f"{DOMAIN}.mo")
    with file.open("rb") as stream:
        return gettext.GNUTranslations(stream)


def _here() -> gettext.NullTranslations:
    """Return the catalogue of the language that is spoken."""
    return _catalogue(_spoken.get())


# ---- messages, which `make catalogues` finds by the names of these functions --------------------------


def _(message: str) -> str:
    """Return a message in the language that is spoken."""
    return _here().gettext(message) if message else ""       # gettext("") is the catalogue's head


def ngettext(one: str, many: str, number: int) -> str:
    """Return the form of a message that goes with a number; `number` itself is put in by the caller."""
    return _here().ngettext(one, many, number)


def pgettext(context: str, message: str) -> str:
    """Return a message that means different things, by its context; "attila" is the context of words of that game."""
    return _here().pgettext(context, message)


def npgettext(context: str, one: str, many: str, number: int) -> str:
    """Return the form that goes with a number of a message with a context."""
    return _here().npgettext(context, one, many, number)


def N_(message: str) -> str:  # noqa: N802  (its usual name)
    """Mark a message that is kept in English, such as a constant; `_` translates it where it is used."""
    return message


def NP_(context: str, message: str) -> str:  # noqa: N802
    """Mark a message with a context that is kept in English; `pgettext` translates it where it is used."""
    return message


# ---- names in data files, words that are typed --------------------------------------------------------


def named(row: Mapping[str, Any]) -> str:
    """Return the name of an entry of a data file, which has `name_en` and perhaps names in other languages."""
    return str(row.get(f"name_{_spoken.get()}") or row["name_en"])


def in_every_language(message: str, context: str = "") -> tuple[str, ...]:
    """Return a message as each language says it, English first: what people may type, whatever is spoken."""
    catalogues = map(_catalogue, LANGUAGES)
    return tuple(dict.fromkeys(catalogue.pgettext(context, message) if context else catalogue.gettext(message)
                               for catalogue in catalogues))


def spellings(message: str, context: str) -> tuple[str, ...]:
    """Return what may be typed for a message of alternatives such as "y|yes", in every language, English first."""
    return tuple(dict.fromkeys(word for text in in_every_language(message, context) for word in text.split("|")))


# ---- Words for people: how many of what, and lists of names

_SURE = 1e-9            # how far rounding takes a sum of probabilities from 0 or 1


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun in the language that is spoken, such as "1 tile" or "3 tiles".

    Parameters
    ----------
    number : int
    one, many : str
        The noun in English, as written out in the call: there `make catalogues` finds it.
    """
    return f"{number} {ngettext(one, many, number)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list such as "Blue, Red and Black"; "" for none."""
    *first, last = names or [""]
    return _("{names} and {last}").format(names=", ".join(first), last=last) if first else last


def points_line(total: int, sources: Iterable[tuple[int, str]]) -> str:
    """Return points with where they come from, such as "12 points = 4 from 4 settlements + 8 from 4 cities"."""
    parts = " + ".join(_("{points} from {source}").format(points=points, source=source) for points, source in sources)
    return counted(total, "point", "points") + (f" = {parts}" if parts else "")


def percentage(chance: float) -> int:
    """Return a probability in percent; only what is certain is 0 or 100."""
    shown = round(100 * chance)
    return min(99, max(1, shown)) if _SURE < chance < 1 - _SURE else shown


def chance_text(chance: float) -> str:
    """Return a probability such as "17 %"; only what is certain is 0 or 100 %."""
    return f"{percentage(chance)} %"
