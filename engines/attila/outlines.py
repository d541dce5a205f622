"""Outlines of the provinces of a map of Attila, computed from their middles and borders, and room on their ground.

A province is the ground near a star that runs from its middle half-way to every neighbour on land, so that provinces
touch where the map has a border and nowhere else: where two others would meet, sea or mountains lie between them.
"""

from __future__ import annotations

import dataclasses
import json
import math
from functools import lru_cache
from itertools import combinations, pairwise, product
from statistics import median

import numpy as np
from numpy.typing import NDArray

from sfida.engines.attila.map import Land, built_in
from sfida.engines.attila.terrain import ORDERS, Part, Ring, Stand, Terrain, digest, scale, size
from sfida.engines.drawing.svg import Point, noise
from sfida.engines.language import LANGUAGES, speaking

# ---- The ground of a province: half-way to every neighbour on land

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

SEA, WILDS, ROCK = -1, -2, -3           # labels beside those of provinces and, after them, islands
_CELLS = 220                            # along the longer side of the map
_REACH, _ISLAND, _GAP, _BEYOND = 0.56, 0.24, 0.17, 2.4      # lengths as shares of `span`
_BEND = 0.13                            # how far outlines are bent, in the same unit
_TINTS = 6
_SOFT = 4                               # rounds of smoothing of the outlines


def outlines(land: Land) -> Terrain:
    """Compute the outlines of a map."""
    labels, step = grounds(land)
    span = _span(land)
    rings = _rings(labels, step)
    provinces = len(land.provinces)
    return Terrain(
        tuple(rings.get(number, ()) for number in range(provinces)),
        tuple(rings.get(provinces + number, ()) for number in range(len(land.islands))),
        rings.get(WILDS, ()), rings.get(ROCK, ()), _peaks(labels, step, span), _tints(land), span,
        _open(labels, SEA, step, 0.3 * span, 3), next(iter(_open(labels, WILDS, step, 0.5 * span, 1)), None),
        tuple(_crossing(land, labels, step, link.a, link.b) for link in land.links if link.water))


@lru_cache(maxsize=16)
def grounds(land: Land) -> tuple[Labels, float]:
    """Return the label of each cell of a map, by row and column, with a rim of sea around; and how wide a cell is."""
    step = max(land.wide, land.high) / _CELLS
    return _labels(land, _span(land), step), step


def _span(land: Land) -> float:
    """Return the usual distance of neighbours, not more than the closest provinces and the sheet allow."""
    sites = [(one.x, one.y) for one in land.provinces]
    steps = [math.dist(sites[link.a], sites[link.b]) for link in land.links]
    nearest = min((math.dist(*pair) for pair in combinations(sites, 2)), default=land.wide / 4)
    longer = max(land.wide, land.high)
    return max(longer / 25, min(median(steps) if steps else longer / 4, 2 * nearest, longer / 4))


# ---- which ground is whose ----------------------------------------------------------------------------


def _labels(land: Land, span: float, step: float) -> Labels:
    """Return the label of each cell, by row and column, with a rim of sea around."""
    columns, rows = math.ceil(land.wide / step), math.ceil(land.high / step)
    straight = np.meshgrid((np.arange(columns) + 0.5) * step, (np.arange(rows) + 0.5) * step)
    x, y = (grid + _BEND * span * _waves(grid.shape, step / span, key)
            for grid, key in zip(straight, ("east", "south"), strict=True))
    reach = _stars(land, x, y, span)
    first, near = np.argmin(reach, axis=0), np.min(reach, axis=0)
    found: Labels = np.where(near < _REACH * span, first, SEA)
    found = np.where((found == SEA) & _triangles(land, x, y) & (first < len(land.provinces)), first, found)
    apart, wet = np.ones((len(reach), len(reach)), dtype=bool), np.zeros((len(reach), len(reach)), dtype=bool)
    np.fill_diagonal(apart, False)
    for link in land.links:
        (wet if link.water else apart)[[link.a, link.b], [link.b, link.a]] = link.water
    gaps, straits = np.zeros(x.shape, dtype=bool), np.zeros(x.shape, dtype=bool)
    for number, distance in enumerate(reach):
        close = distance - near < _GAP * span
        gaps |= close & apart[first, number]
        straits |= close & wet[first, number]
    found = np.where(gaps, SEA, found)
    found = _without_crumbs(np.pad(found, 1, constant_values=SEA), len(land.provinces) + len(land.islands))
    found = _with_mountains(found, np.pad(straits, 1), span / step)
    return _with_wilds(found, land, reach, x, y, span)


def _stars(land: Land, x: Floats, y: Floats, span: float) -> Floats:
    """Return the distance of every cell to the star of each province, then to each island."""
    sites = [(one.x, one.y) for one in land.provinces]
    found = [np.hypot(x - ax, y - ay) for ax, ay in sites]
    for link in land.links:
        if not link.water:
            middle = ((sites[link.a][0] + sites[link.b][0]) / 2, (sites[link.a][1] + sites[link.b][1]) / 2)
            for one in (link.a, link.b):
                found[one] = np.minimum(found[one], _to_part(x, y, sites[one], middle))
    for island in land.islands:
        found.append(np.hypot((x - island.x) * 1.35, y - island.y) + (_REACH - _ISLAND) * span)
    return np.array(found)


def _to_part(x: Floats, y: Floats, a: Point, b: Point) -> Floats:
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / max(1e-9, dx * dx + dy * dy), 0.0, 1.0)
    return np.hypot(x - a[0] - along * dx, y - a[1] - along * dy)


def _triangles(land: Land, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Return which cells lie between three provinces that are all adjacent on land."""
    joined = {frozenset((link.a, link.b)) for link in land.links if not link.water}
    found = np.zeros(x.shape, dtype=bool)
    for three in combinations(range(len(land.provinces)), 3):
        if all(frozenset(pair) in joined for pair in combinations(three, 2)):
            corners = [(land.provinces[one].x, land.provinces[one].y) for one in three]
            sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax)
                     for (ax, ay), (bx, by) in pairwise([*corners, corners[0]])]
            found |= np.logical_and.reduce([side >= 0 for side in sides])
            found |= np.logical_and.reduce([side <= 0 for side in sides])
    return found


def _waves(shape: tuple[int, ...], scale: float, key: str) -> Floats:
    """Return smooth values from -1 to 1, the same for the same key; `scale` is the size of a cell in spans."""
    total = np.zeros(shape)
    for share, length in ((0.6, 0.62), (0.36, 0.23), (0.26, 0.1)):
        rows, columns = (np.arange(count) * scale / length for count in shape)
        grid = np.array([[noise(f"{key} {length} {i} {j}") for j in range(int(columns[-1]) + 2)]
                         for i in range(int(rows[-1]) + 2)])
        i, j = rows.astype(int), columns.astype(int)
        u, v = (_eased(at - np.floor(at)) for at in (rows, columns))
        upper = grid[i][:, j] * (1 - v) + grid[i][:, j + 1] * v
        lower = grid[i + 1][:, j] * (1 - v) + grid[i + 1][:, j + 1] * v
        total += share * (upper * (1 - u[:, None]) + lower * u[:, None])
    return total


def _eased(t: Floats) -> Floats:
    return t * t * (3 - 2 * t)


# ---- patches ------------------------------------------------------------------------------------------


def _patches(inside: NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected patches of cells, in reading order, as places in the flat array; the rim holds together."""
    wide = inside.shape[1]
    left = set(np.flatnonzero(inside).tolist())
    found = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        patch, at = [start], 0
        while at < len(patch):
            cell = patch[at]
            at += 1
            for other in (cell - wide, cell + wide, cell - 1, cell + 1):
                if other in left:
                    left.discard(other)
                    patch.append(other)
        found.append(patch)
    return found


def _without_crumbs(labels: Labels, count: int) -> Labels:
    """Drown what is not joined to the largest patch of its label."""
    for number in range(count):
        for patch in sorted(_patches(labels == number), key=len)[:-1]:
            labels.flat[patch] = SEA
    return labels


def _with_mountains(labels: Labels, wet: NDArray[np.bool_], span: float) -> Labels:
    """Turn narrow ground that land encloses into mountains; what is wider, or crossed by an arrow, stays a lake."""
    for patch in _patches(labels == SEA)[1:]:           # the first patch holds the rim: the open sea
        if len(patch) < 1.1 * span * span:
            labels.flat[[cell for cell in patch if not wet.flat[cell]]] = ROCK
    return labels


def _with_wilds(labels: Labels, land: Land, reach: Floats, x: Floats, y: Floats, span: float) -> Labels:
    """Lay ground beyond the start provinces, on their side away from the middle of the map."""
    starts = [number for number, one in enumerate(land.provinces) if one.start]
    others = [number for number in range(len(reach)) if number not in starts]
    if not starts:
        return labels
    mx, my = (sum(values) / len(land.provinces) for values in zip(*((one.x, one.y) for one in land.provinces),
                                                                 strict=True))
    wild = np.zeros(x.shape, dtype=bool)
    for number in starts:
        one = land.provinces[number]
        dx, dy = one.x - mx, one.y - my
        ahead = ((x - one.x) * dx + (y - one.y) * dy) / max(1e-9, math.hypot(dx, dy))
        wild |= (reach[number] < (_REACH + _BEYOND) * span) & (ahead > -0.1 * span)
    own = reach[starts].min(axis=0)
    foreign = reach[others].min(axis=0) if others else np.full(x.shape, np.inf)
    wild &= (own < foreign - 0.3 * span) & (foreign > (_REACH + 0.26) * span)
    inner = labels[1:-1, 1:-1]
    inner[wild & (inner == SEA)] = WILDS
    for patch in _patches(labels == WILDS):
        if len(patch) < 0.4 * (span * _CELLS / max(land.wide, land.high)) ** 2:
            labels.flat[patch] = SEA
    return labels


# ---- outlines -----------------------------------------------------------------------------------------

_Corner = tuple[int, int]               # column and row of a corner of cells


def _rings(labels: Labels, step: float) -> dict[int, tuple[Ring, ...]]:
    """Return the closed outlines of every label but the sea, largest first."""
    after: dict[int, dict[_Corner, list[_Corner]]] = {}
    beside: dict[_Corner, set[_Corner]] = {}

    def edge(label: int, a: _Corner, b: _Corner) -> None:
        if label != SEA:
            after.setdefault(label, {}).setdefault(a, []).append(b)
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)

    for row, column in np.argwhere(labels[:, :-1] != labels[:, 1:]).tolist():
        upper, lower = (column + 1, row), (column + 1, row + 1)
        edge(int(labels[row, column]), upper, lower)
        edge(int(labels[row, column + 1]), lower, upper)
    for row, column in np.argwhere(labels[:-1] != labels[1:]).tolist():
        left, right = (column, row + 1), (column + 1, row + 1)
        edge(int(labels[row, column]), right, left)
        edge(int(labels[row + 1, column]), left, right)
    places = _softened(beside, step)
    found = {}
    for label, ways in after.items():
        rings = [_thinned(ring, beside, places) for ring in _traced(ways)]
        found[label] = tuple(sorted(rings, key=_area, reverse=True))
    return found


def _traced(ways: dict[_Corner, list[_Corner]]) -> list[list[_Corner]]:
    rings = []
    while ways:
        start = min(ways)
        ring, at, came = [start], start, start
        while True:
            options = ways[at]
            # where two corners of a label touch, keep to the same side, so that rings do not cross
            step = options[0] if len(options) == 1 else min(options, key=lambda to: _turn(came, at, to))
            options.remove(step)
            if not options:
                del ways[at]
            came, at = at, step
            if at == start:
                break
            ring.append(at)
        rings.append(ring)
    return rings


def _turn(a: _Corner, b: _Corner, c: _Corner) -> int:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _softened(beside: dict[_Corner, set[_Corner]], step: float) -> dict[_Corner, Point]:
    """Return where the corners lie once the stairs of the cells are smoothed away."""
    places = {corner: (float(corner[0]), float(corner[1])) for corner in beside}
    for _ in range(_SOFT):
        moved = {}
        for corner, (x, y) in places.items():
            near = [places[other] for other in sorted(beside[corner])]
            moved[corner] = (0.5 * x + 0.5 * sum(p[0] for p in near) / len(near),
                             0.5 * y + 0.5 * sum(p[1] for p in near) / len(near))
        places = moved
    return {corner: (round((x - 1) * step, 1), round((y - 1) * step, 1)) for corner, (x, y) in places.items()}


def _thinned(ring: list[_Corner], beside: dict[_Corner, set[_Corner]], places: dict[_Corner, Point]) -> Ring:
    """Return every other corner and all where more than two outlines meet: alike for both sides of a border."""
    kept = [corner for corner in ring if (corner[0] + corner[1]) % 2 == 0 or len(beside[corner]) != 2]
    return tuple(places[corner] for corner in kept)


def _area(ring: Ring) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))) / 2


# ---- what is on it --------------------------------------------------------------------------------


def _peaks(labels: Labels, step: float, span: float) -> tuple[Point, ...]:
    """Return summits spread over the mountains, from north to south."""
    cells = [((column - 0.5) * step, (row - 0.5) * step) for row, column in np.argwhere(labels == ROCK).tolist()]
    found: list[Point] = []
    for x, y in sorted(cells, key=lambda cell: noise(f"peak {cell[0]:.1f} {cell[1]:.1f}")):
        if all(math.hypot(x - px, 1.5 * (y - py)) > 0.17 * span for px, py in found):
            found.append((x, y))
    return tuple(sorted(found, key=lambda point: (point[1], point[0])))


def _open(labels: Labels, what: int, step: float, least: float, most: int) -> tuple[tuple[Point, float], ...]:
    """Return the widest circles of ground of a label, apart from one another, those above a radius."""
    inner = labels[1:-1, 1:-1]
    rows, columns = inner.shape
    bounds = np.argwhere(inner != what)[::2] * step
    free = []
    for row, column in [(row, column) for row in range(0, rows, 4) for column in range(0, columns, 4)
                        if inner[row, column] == what]:
        away = bounds - (row * step, column * step)
        near = math.sqrt(float((away * away).sum(axis=1).min())) if len(bounds) else math.inf
        free.append((min(near, row * step, column * step, (rows - row) * step, (columns - column) * step), row, column))
    found: list[tuple[Point, float]] = []
    for room, row, column in sorted(free, reverse=True):
        at = (column * step, row * step)
        if room > least and len(found) < most and all(math.dist(at, other) > room + wide for other, wide in found):
            found.append((at, round(room, 1)))
    return tuple(found)


def _tints(land: Land) -> tuple[int, ...]:
    """Return a number a province, those of neighbours different, all about as often."""
    near: list[set[int]] = [set() for _ in land.provinces]
    for link in land.links:
        near[link.a].add(link.b)
        near[link.b].add(link.a)
    found: list[int] = []
    for number, others in enumerate(near):
        taken = {found[other] for other in others if other < number}
        free = [tint for tint in range(_TINTS) if tint not in taken] or [number % _TINTS]
        found.append(min(free, key=lambda tint: (found.count(tint), tint)))
    return tuple(found)


def _crossing(land: Land, labels: Labels, step: float, a: int, b: int) -> tuple[Point, Point]:
    """Return where the line between two provinces leaves the ground of the first and reaches that of the second."""
    start, stop = land.provinces[a], land.provinces[b]
    spots = [(start.x + (stop.x - start.x) * i / 200, start.y + (stop.y - start.y) * i / 200) for i in range(201)]

    def label(point: Point) -> int:
        row, column = int(point[1] / step) + 1, int(point[0] / step) + 1
        return int(labels[min(max(row, 0), labels.shape[0] - 1), min(max(column, 0), labels.shape[1] - 1)])

    whose = [label(spot) for spot in spots]
    leave = max((i for i in range(201) if whose[i] == a), default=0)
    reach = min((i for i in range(leave, 201) if whose[i] == b), default=200)
    return spots[leave], spots[reach]


# ---- Where name, tokens and tile of a province stand: on its ground, clear of arrows

Free = NDArray[np.bool_]
_LETTER = 2.75                          # half the width of a letter of a name
_SIZES = (0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
_ROOM = (9.0, 6.0, 3.0)                 # how far all of it keeps from the border, as far as that can be had


def places(land: Land, ground: Terrain) -> tuple[Stand, ...]:
    """Compute where the provinces of a map have room, with names in the language that is spoken (`terrain.stands`)."""
    labels, step = grounds(land)
    unit = size(land, ground) / scale(land)         # length on the map of a unit in which names and tokens are drawn
    crossed = _crossed(ground, labels.shape, step, 9 * unit)
    return tuple(_stand(land, number, (labels == number) & ~crossed, step, unit)
                 for number in range(len(land.provinces)))


def _stand(land: Land, number: int, free: Free, step: float, unit: float) -> Stand:
    one = land.provinces[number]
    name = (-_LETTER * len(one.name), -25.0, _LETTER * len(one.name), -14.0)
    rows, columns = np.flatnonzero(free.any(axis=1)), np.flatnonzero(free.any(axis=0))
    if not len(rows):
        return Stand(one.x, one.y, _SIZES[-1], ORDERS[0])
    north, west = int(rows[0]), int(columns[0])
    own = free[north:rows[-1] + 1, west:columns[-1] + 1]
    held = np.pad(np.cumsum(np.cumsum(own.astype(np.int64), axis=0), axis=1), ((1, 0), (1, 0)))
    for drawn, order, room in product(_SIZES, ORDERS, _ROOM):
        found = np.argwhere(_fits(held, (name, *order.parts), drawn * unit / step, room * unit / step))
        if len(found):
            near = found[np.argmin(((found - found.mean(axis=0)) ** 2).sum(axis=1))]
            return Stand(float(west + near[1] - 1) * step, float(north + near[0] - 1) * step, drawn, order)
    return Stand(one.x, one.y, _SIZES[-1], ORDERS[0])


def _fits(held: NDArray[np.int64], parts: tuple[Part, ...], grown: float, room: float) -> Free:
    """Return for each corner of cells whether all parts round it lie on free ground.

    Parameters
    ----------
    held : array
        Number of free cells above and to the left of each corner.
    parts : tuple of Part
    grown, room : float
        Cells a unit of the parts, and cells kept free around them.
    """
    rows, columns = held.shape
    found = np.ones(held.shape, dtype=bool)
    for left, top, right, bottom in parts:
        west, east = round(left * grown - room), round(right * grown + room)
        north, south = round(top * grown - room), round(bottom * grown + room)
        row, column = np.arange(rows), np.arange(columns)
        whole = np.outer((row + north >= 0) & (row + south < rows), (column + west >= 0) & (column + east < columns))
        up, down = np.clip(row + north, 0, rows - 1), np.clip(row + south, 0, rows - 1)
        back, on = np.clip(column + west, 0, columns - 1), np.clip(column + east, 0, columns - 1)
        count = held[np.ix_(down, on)] - held[np.ix_(up, on)] - held[np.ix_(down, back)] + held[np.ix_(up, back)]
        found &= whole & (count == (south - north) * (east - west))
    return found


def _crossed(ground: Terrain, shape: tuple[int, ...], step: float, reach: float) -> Free:
    """Return the cells near the ends of arrows over water."""
    y, x = np.indices(shape)
    found = np.zeros(shape, dtype=bool)
    for ends in ground.crossings:
        for at_x, at_y in ends:
            found |= np.hypot((x - 0.5) * step - at_x, (y - 0.5) * step - at_y) < reach
    return found


# ---- The prepared drawing of the built-in map


def prepared() -> str:
    """Return the content of ``terrain.json``; ``python -m sfida.engines.attila.outlines`` prints it."""
    land = built_in()
    ground = outlines(land)
    stands = {}
    for language in LANGUAGES:
        with speaking(language):
            stands[language] = [[one.x, one.y, one.size, ORDERS.index(one.order)] for one in places(land, ground)]
    found = {"land": digest(land), "terrain": dataclasses.asdict(ground), "stands": stands}
    return json.dumps(found, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    print(prepared(), end="")
