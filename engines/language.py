"""The language of words for people: gettext catalogues, numbers with their nouns, and lists of names.

`speaking("it")` chooses the language of a block, for the running thread or task alone; text is translated where it is
created. Notation, JSON, records and specs are the same in every language.
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
_coded: ContextVar[bool] = ContextVar("codes", default=True)


def language() -> str:
    """Return the code of the current language, one of `LANGUAGES`."""
    return _spoken.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use a language in this block; threads started in the block begin in English again.

    In free-threaded Python such threads use the language of the block.

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


def names_codes() -> bool:
    """Return whether words name codes and coordinates, which people need to type moves but not to point at things."""
    return _coded.get()


@contextmanager
def naming_codes(wanted: bool) -> Iterator[None]:
    """Let words name codes and coordinates in this block, or leave them out; threads started in it name them."""
    token = _coded.set(wanted)
    try:
        yield
    finally:
        _coded.reset(token)


def in_english(words: Callable[P, str], *args: P.args, **named: P.kwargs) -> str:
    """Return the result of a function in English, such as an identifier on a screen or in a file."""
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
    """Return the catalogue of the current language."""
    return _catalogue(_spoken.get())


# ---- messages, which `make catalogues` finds by the names of these functions --------------------------


def _(message: str) -> str:
    """Return a message in the current language."""
    return _here().gettext(message) if message else ""       # gettext("") is the catalogue's head


def ngettext(one: str, many: str, number: int) -> str:
    """Return the singular or plural form of a message for a number; the caller inserts `number` itself."""
    return _here().ngettext(one, many, number)


def pgettext(context: str, message: str) -> str:
    """Return a message with several meanings, by its context; "attila" is the context of that game's words."""
    return _here().pgettext(context, message)


def npgettext(context: str, one: str, many: str, number: int) -> str:
    """Return the singular or plural form, for a number, of a message with a context."""
    return _here().npgettext(context, one, many, number)


def N_(message: str) -> str:  # noqa: N802  (its usual name)
    """Mark a message that is stored in English, such as a constant; `_` translates it on use."""
    return message


def NP_(context: str, message: str) -> str:  # noqa: N802
    """Mark a message with a context that is stored in English; `pgettext` translates it on use."""
    return message


# ---- names in data files, typed words -----------------------------------------------------------------


def named(row: Mapping[str, Any]) -> str:
    """Return the name of an entry of a data file, which has `name_en` and perhaps names in other languages."""
    return str(row.get(f"name_{_spoken.get()}") or row["name_en"])


def in_every_language(message: str, context: str = "") -> tuple[str, ...]:
    """Return a message in each language, English first: people may type any of them, in every language."""
    catalogues = map(_catalogue, LANGUAGES)
    return tuple(dict.fromkeys(catalogue.pgettext(context, message) if context else catalogue.gettext(message)
                               for catalogue in catalogues))


def spellings(message: str, context: str) -> tuple[str, ...]:
    """Return the words to type for a message of alternatives such as "y|yes", in every language, English first."""
    return tuple(dict.fromkeys(word for text in in_every_language(message, context) for word in text.split("|")))


# ---- Words for people: numbers with their nouns, and lists of names

_SURE = 1e-9            # largest rounding error of a sum of probabilities that is 0 or 1


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun in the current language, such as "1 tile" or "3 tiles".

    Parameters
    ----------
    number : int
    one, many : str
        The noun in English, as a literal in the call, so that `make catalogues` finds it.
    """
    return f"{number} {ngettext(one, many, number)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list such as "Blue, Red and Black"; "" for none."""
    *first, last = names or [""]
    return _("{names} and {last}").format(names=", ".join(first), last=last) if first else last


def points_line(total: int, sources: Iterable[tuple[int, str]]) -> str:
    """Return points with their sources, such as "12 points = 4 from 4 settlements + 8 from 4 cities"."""
    parts = " + ".join(_("{points} from {source}").format(points=points, source=source) for points, source in sources)
    return counted(total, "point", "points") + (f" = {parts}" if parts else "")


def percentage(chance: float) -> int:
    """Return a probability in percent; only a certain event has 0 or 100."""
    shown = round(100 * chance)
    return min(99, max(1, shown)) if _SURE < chance < 1 - _SURE else shown


def chance_text(chance: float) -> str:
    """Return a probability such as "17 %"; only a certain event has 0 or 100 %."""
    return f"{percentage(chance)} %"
