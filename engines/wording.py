"""Words for people: how many of what, and lists of names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as "1 tile", "3 tiles" or, with the plural given, "3 armies"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list such as "Blue, Red and Black"; "" for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def points_line(total: int, sources: Iterable[tuple[int, str]]) -> str:
    """Return points with where they come from, such as "12 points = 4 from 4 settlements + 8 from 4 cities"."""
    parts = " + ".join(f"{points} from {source}" for points, source in sources)
    return counted(total, "point") + (f" = {parts}" if parts else "")
