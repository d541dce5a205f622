"""Where the names of the territories stand on the map: beside their own tanks, and clear of all others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from sfida.engines.drawing.svg import Point, inside
from sfida.engines.risiko.map import HIGH, WIDE, lands, plate
from sfida.engines.risiko.style import continents, territories

SIZE = 12.8                             # of the letters, in units of the map: 11 pixels where it is 860 wide
LEADING = 12.4                          # from one line to the next
TANK = (-21.0, -28.0, 23.0, 15.0)       # the room of a piece around its spot: left, top, right, bottom
PLATE_HIGH = 26.0
_APART = 1.5                            # least room around a name
_WIDTHS = (("ijlI.,'", 0.29), ("frtJ()- ", 0.4), ("mwMW", 0.9), ("ABCDEFGHKLNOPQRSTUVXYZ", 0.7))
_ROUNDS = 4                             # times that all names look for a better place
_BEST = 25                              # most places that are compared for a name


class Name(NamedTuple):
    """A name on the map.

    Attributes
    ----------
    lines : tuple of str
    box : tuple of float
        Left, top, right and bottom end.
    """

    lines: tuple[str, ...]
    box: tuple[float, float, float, float]

    @property
    def rows(self) -> tuple[tuple[str, float, float], ...]:
        """The lines, each with its middle and its base line."""
        left, top, right, _bottom = self.box
        return tuple((line, (left + right) / 2, top + 0.82 * SIZE + row * LEADING)
                     for row, line in enumerate(self.lines))

    @property
    def points(self) -> tuple[Point, ...]:
        """Points spread over the name."""
        left, top, right, bottom = self.box
        return tuple((left + across * (right - left), (top + bottom) / 2) for across in (0.1, 0.5, 0.9))


def plate_wide(name: str) -> float:
    """Return the width of a continent's plate."""
    return 8.2 * len(name) + 44


def plate_left(x: float, wide: float) -> float:
    """Return the left end of a plate around x, which stays on the map."""
    return max(5.0, x - wide / 2)


@lru_cache(maxsize=4)
def name_places(_language: str) -> tuple[Name, ...]:
    """Return the names of all territories in the current language, none of which covers a piece or another name."""
    found = [_places(number) for number in range(len(territories()))]
    near = _near()
    chosen = [min(places, key=lambda one: one[0]) for places in found]
    for _round in range(_ROUNDS):
        for number in sorted(range(len(found)), key=lambda one: len(found[one])):
            others = [chosen[other][1].box for other in near[number]]
            chosen[number] = min(found[number], key=lambda one: one[0] + 60 * sum(
                max(0.0, _shared(one[1].box, other)) for other in others))
    return tuple(name for _cost, name in chosen)


@cache
def _near() -> tuple[tuple[int, ...], ...]:
    """Return the territories whose names may meet that of a territory."""
    spots = [lands()[territory.id].spot for territory in territories()]
    return tuple(tuple(other for other, spot in enumerate(spots) if other != number and math.dist(spot, here) < 230)
                 for number, here in enumerate(spots))


def text_wide(text: str) -> float:
    """Return the width of a line, at most as wide as in usual letters."""
    shares = (next((wide for chars, wide in _WIDTHS if char in chars), 0.62) for char in text)
    return SIZE * sum(shares)


def _shared(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Return by how much two boxes overlap, or come too close."""
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])) + _APART


def _places(number: int) -> list[tuple[float, Name]]:
    """Return the possible places of a name that cover no piece and no plate, each with its cost."""
    here = lands()[territories()[number].id].spot
    near = _near()[number]
    spots = [lands()[territories()[other].id].spot for other in near]
    taken = [(x + TANK[0], y + TANK[1], x + TANK[2], y + TANK[3]) for x, y in (here, *spots)]
    for continent in continents():
        x, y = plate(continent.id)
        left = plate_left(x, plate_wide(continent.name))
        taken.append((left, y - PLATE_HIGH / 2, left + plate_wide(continent.name), y + PLATE_HIGH / 2))
    found: list[tuple[float, Name]] = []
    for cost, name in _candidates(territories()[number].name, here):
        left, top, right, bottom = name.box
        if left < 8 or top < 8 or right > WIDE - 8 or bottom > HIGH - 8:
            continue
        if any(_shared(name.box, one) > 0 for one in taken):
            continue
        own = _away(here, name.box)
        cost += sum(max(0.0, 26 + own - _away(spot, name.box)) for spot in spots)
        found.append((cost, name))
    best = sorted(found, key=lambda one: one[0])[:_BEST]
    return [(cost + 6 * sum(not _on(number, point) and any(_on(other, point) for other in near)
                            for point in name.points), name) for cost, name in best]


def _away(spot: Point, box: tuple[float, float, float, float]) -> float:
    """Return the distance of a point from a box."""
    return math.hypot(max(box[0] - spot[0], 0.0, spot[0] - box[2]), max(box[1] - spot[1], 0.0, spot[1] - box[3]))


def _on(number: int, point: Point) -> bool:
    return any(inside(ring, *point) for ring in lands()[territories()[number].id].rings)


def _candidates(name: str, spot: Point) -> Iterator[tuple[float, Name]]:
    """Yield places around a piece: below it first, then above, then at its sides."""
    for lines in _broken(name):
        wide, high = max(map(text_wide, lines)), LEADING * (len(lines) - 1) + SIZE
        more = 2.0 * (len(lines) - 1)
        for off in (2.0, 8.0, 14.0):
            for aside in (0.0, -14.0, 14.0, -28.0, 28.0, -42.0, 42.0):
                left = spot[0] + aside - wide / 2
                if abs(aside) > wide / 2 + 16:
                    continue
                for side, top in ((0.0, spot[1] + TANK[3] + off), (5.0, spot[1] + TANK[1] - off - high)):
                    yield more + side + off + abs(aside) / 4, Name(lines, (left, top, left + wide, top + high))
            for down in (0.0, -10.0, 10.0, 20.0):
                top = spot[1] - 3 + down - high / 2
                for left in (spot[0] + TANK[2] + off, spot[0] + TANK[0] - off - wide):
                    yield more + 6 + off + abs(down) / 4, Name(lines, (left, top, left + wide, top + high))


def _broken(name: str) -> list[tuple[str, ...]]:
    """Return the name in one line, two and three, each time with the shortest lines."""
    words = name.split()
    found: list[tuple[str, ...]] = []
    for count in range(1, min(3, len(words)) + 1):
        cuts = [(0, *cut, len(words)) for cut in combinations(range(1, len(words)), count - 1)]
        ways = [tuple(" ".join(words[a:b]) for a, b in zip(cut, cut[1:], strict=False)) for cut in cuts]
        found.append(min(ways, key=lambda way: max(map(text_wide, way))))
    return found
