"""Places on a map: for names, each beside its own piece and clear of all others; and the areas that hold a point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import Point, add

Rect = tuple[float, float, float, float]        # left, top, right, bottom

_WIDTHS = (("ijlI.,'", 0.29), ("frtJ()- ", 0.41), ("mwMW", 0.92), ("ABCDEFGHKLNOPQRSTUVXYZ", 0.72))
_APART = 1.5            # least room around a name
_FAR = 230.0            # distance from which names never meet
_ROUNDS = 4             # times that all names look for a better place
_BEST = 40              # most places that are compared for a name
_ASIDE = (0.0, -14.0, 14.0, -28.0, 28.0, -42.0, 42.0)


class Name(NamedTuple):
    """A name on a map.

    Attributes
    ----------
    lines : tuple of str
    box : tuple of float
        Left, top, right and bottom end.
    size : float
        Size of the letters.
    """

    lines: tuple[str, ...]
    box: Rect
    size: float

    @property
    def rows(self) -> tuple[tuple[str, float, float], ...]:
        """The lines, each with its middle and its base line."""
        left, top, right, _bottom = self.box
        return tuple((line, (left + right) / 2, top + 0.82 * self.size + row * 0.97 * self.size)
                     for row, line in enumerate(self.lines))

    @property
    def points(self) -> tuple[Point, ...]:
        """Points spread over the name."""
        left, top, right, bottom = self.box
        return tuple((left + across * (right - left), (top + bottom) / 2) for across in (0.1, 0.5, 0.9))


_Side = tuple[float, float, float, float]       # of an outline: from x, y to x, y


class Areas:
    """Numbered areas of a map, to find those that hold a point.

    Parameters
    ----------
    areas : iterable of iterables of rings
        The closed outlines of each area.
    """

    _HIGH = 12.0                # height of a band: the sides of an outline are sorted by the bands that they touch

    def __init__(self, areas: Iterable[Iterable[Sequence[Point]]]) -> None:
        self._rings = [(number, self._prepared(ring)) for number, rings in enumerate(areas) for ring in rings]

    @classmethod
    def _prepared(cls, ring: Sequence[Point]) -> tuple[float, float, dict[int, list[_Side]]]:
        bands: dict[int, list[_Side]] = {}
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            for band in range(int(min(ay, by) // cls._HIGH), int(max(ay, by) // cls._HIGH) + 1):
                bands.setdefault(band, []).append((ax, ay, bx, by))
        return min(x for x, _y in ring), max(x for x, _y in ring), bands

    def at(self, x: float, y: float) -> list[int]:
        """Return the numbers of the areas in which a point lies, once for each of their outlines around it."""
        band = int(y // self._HIGH)
        return [number for number, (left, right, bands) in self._rings
                if left < x <= right and band in bands and _within(bands[band], x, y)]


def _within(sides: Sequence[_Side], x: float, y: float) -> bool:
    """Return whether an odd number of sides crosses the line from a point to the left."""
    return sum(ax + (bx - ax) * (y - ay) / (by - ay) < x for ax, ay, bx, by in sides if (ay <= y) != (by <= y)) % 2 == 1


def write_names(parent: ET.Element, names: Iterable[Name], fill: str, halo: str, class_: str) -> None:
    """Write names of equal size over a map, of a class and "above", above which no page draws; they share their look.

    Parameters
    ----------
    parent : Element
    names : iterable of Name
    fill, halo : str
        Colours of the letters and of the rim around them.
    class_ : str
    """
    placed = tuple(names)
    size = placed[0].size
    group = add(parent, "g", class_="above", font_size=size, fill=fill, text_anchor="middle", stroke=halo,
                stroke_width=0.27 * size, stroke_linejoin="round", paint_order="stroke")
    for name in placed:
        for line, x, y in name.rows:
            add(group, "text", class_=class_, x=round(x, 1), y=round(y, 1)).text = line


def place_names(names: Sequence[tuple[str, Point, Rect]], size: float, sheet: Rect, *,
                taken: Sequence[Rect] = (), toll: Callable[[int, Point], float] | None = None,
                more: float = 0.0) -> tuple[Name, ...]:
    """Return a place for every name; one that finds no free place covers as little as it can.

    Parameters
    ----------
    names : sequence of (name, spot, room)
        Each with the place of its piece, and the room of the piece around it.
    size : float
        Size of the letters.
    sheet : tuple of float
        The box within which all names stand.
    taken : sequence of tuple of float
        Further boxes that no name may cover.
    toll : callable, optional
        Returns how bad it is that the name with a number covers a point, 0 for its own ground, 6 for that of another.
    more : float
        Height of what stands below a name, such as a code.
    """
    spots = [spot for _name, spot, _room in names]
    near = [[other for other, spot in enumerate(spots) if other != number and math.dist(spot, here) < _FAR]
            for number, here in enumerate(spots)]
    pieces = [_around(room, spot) for _name, spot, room in names]
    found = []
    for number, (name, here, room) in enumerate(names):
        full = [*taken, *(pieces[other] for other in (number, *near[number]))]
        every = list(_candidates(name, here, size, room, more))
        free = [(cost, one) for cost, one in every if _covered(one.box, sheet, full) == 0]
        places = [(cost + _nearer(here, [spots[other] for other in near[number]], one.box), one)
                  for cost, one in free or [(99 * _covered(one.box, sheet, full), one) for _cost, one in every]]
        best = sorted(places, key=lambda place: place[0])[:_BEST]
        if toll is not None:
            best = [(cost + sum(toll(number, point) for point in one.points), one) for cost, one in best]
        found.append(best)
    return _settled(found, near)


def _settled(found: Sequence[Sequence[tuple[float, Name]]], near: Sequence[Sequence[int]]) -> tuple[Name, ...]:
    """Choose a place of each name, so that they do not cover each other."""
    chosen = [min(places, key=lambda one: one[0])[1] for places in found]
    for _round in range(_ROUNDS):
        for number in sorted(range(len(found)), key=lambda one: len(found[one])):
            others = [chosen[other].box for other in near[number]]
            chosen[number] = min(found[number], key=lambda one: one[0] + 60 * _overlaps(one[1].box, others))[1]
    return tuple(chosen)


def wrapped(text: str, room: float, size: float) -> list[str]:
    """Break a text into lines of a width at its spaces."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_wide(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def text_wide(text: str, size: float) -> float:
    """Return the width of a line, at least as wide as it is in usual letters."""
    return size * _ems(text)


@lru_cache(maxsize=8192)
def _ems(text: str) -> float:
    """Return the width of a line in letters of size 1."""
    return sum(next((wide for chars, wide in _WIDTHS if char in chars), 0.63) for char in text)


def _around(piece: Rect, spot: Point) -> Rect:
    return spot[0] + piece[0], spot[1] + piece[1], spot[0] + piece[2], spot[1] + piece[3]


def _covered(box: Rect, sheet: Rect, taken: Sequence[Rect]) -> float:
    """Return by how much a box covers others, or leaves the sheet."""
    beyond = max(0.0, sheet[0] - box[0], sheet[1] - box[1], box[2] - sheet[2], box[3] - sheet[3])
    return beyond + _overlaps(box, taken)


def _overlaps(box: Rect, others: Sequence[Rect]) -> float:
    """Return the sum of how much a box overlaps each of the others or comes too close to it."""
    left, top, right, bottom = box
    total = 0.0
    for a, b, c, d in others:
        wide = (right if right < c else c) - (left if left > a else a)
        if wide > -_APART:
            high = (bottom if bottom < d else d) - (top if top > b else b)
            if high > -_APART:
                total += (wide if wide < high else high) + _APART
    return total


def _nearer(spot: Point, others: Sequence[Point], box: Rect) -> float:
    """Return the sum of how much nearer than to its own spot, with a margin, a box is to the spots of others."""
    own = 26 + _away(spot, box)
    return sum([max(0.0, own - _away(other, box)) for other in others])


def _away(spot: Point, box: Rect) -> float:
    """Return the distance of a point from a box."""
    return math.hypot(max(box[0] - spot[0], 0.0, spot[0] - box[2]), max(box[1] - spot[1], 0.0, spot[1] - box[3]))


def _candidates(name: str, spot: Point, size: float, piece: Rect, below: float) -> Iterator[tuple[float, Name]]:
    """Yield places around a piece with their costs: below it first, then above, then at its sides."""
    left, top, right, bottom = _around(piece, spot)
    for lines in broken(name, size):
        wide, high = max(text_wide(line, size) for line in lines), size * (0.97 * len(lines) + 0.03) + below
        more = 1.2 * (len(lines) - 1)
        for off in (1.6, 8.0, 14.0):
            for aside in _ASIDE:
                start = spot[0] + aside - wide / 2
                if abs(aside) <= wide / 2 + 16:
                    for side, up in ((0.0, bottom + off), (5.0, top - off - high)):
                        cost = more + side + off + abs(aside) / 4
                        yield cost, Name(lines, (start, up, start + wide, up + high), size)
            for down in (0.0, -10.0, 10.0, 20.0):
                up = (top + bottom - high) / 2 + down
                for start in (right + off, left - off - wide):
                    yield more + 6 + off + abs(down) / 4, Name(lines, (start, up, start + wide, up + high), size)


def broken(name: str, size: float) -> list[tuple[str, ...]]:
    """Return a name in one line, two and three, each time with the shortest lines."""
    words = name.split()
    found: list[tuple[str, ...]] = []
    for count in range(1, min(3, len(words)) + 1):
        cuts = [(0, *cut, len(words)) for cut in combinations(range(1, len(words)), count - 1)]
        ways = [tuple(" ".join(words[a:b]) for a, b in pairwise(cut)) for cut in cuts]
        found.append(min(ways, key=lambda way: max(text_wide(line, size) for line in way)))
    return found
