"""Boards on low screens: the first of several drawings that is low enough, else the part of one that matters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def fitted(height: int | None, drawings: Iterable[Sequence[str]], focus: Collection[int] = ()) -> list[str]:
    """Return the first drawing that takes at most `height` lines, else the last one, cropped.

    Parameters
    ----------
    height : int or None
        None: any height.
    drawings : iterable of sequence of str
        At least one, the one that says most first; later ones are drawn only if they are needed.
    focus : collection of int
        Rows of the last drawing that should stay.
    """
    found: list[str] = []
    for drawing in drawings:
        found = list(drawing)
        if height is None or len(found) <= height:
            return found
    return found if height is None else cropped(found, height, focus)


def cropped(lines: Sequence[str], height: int, focus: Collection[int] = ()) -> list[str]:
    """Return the `height` lines that hold most of the rows of `focus`, and have them, or the whole, in the middle."""
    start = window_start(len(lines), height, focus)
    return list(lines[start:start + height])


def window_start(size: int, shown: int, focus: Collection[int] = ()) -> int:
    """Return where a window of `shown` rows out of `size` begins that holds most of the rows of `focus`."""
    middle = (min(focus) + max(focus)) / 2 if focus else (size - 1) / 2
    starts = range(max(1, size - shown + 1))
    return max(starts, key=lambda start: (sum(start <= row < start + shown for row in focus),
                                          -abs(start + (shown - 1) / 2 - middle)))
