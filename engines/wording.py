"""Words for people: how many of what, and lists of names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.engines.language import _, ngettext

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
