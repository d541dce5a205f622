"""Where name, tokens and tile of every province stand in the picture of Attila: on its own ground, clear of arrows."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfida.engines.attila.land import Land
from sfida.engines.attila.terrain import grounds, terrain
from sfida.engines.drawing.outlines import Point

Part = tuple[float, float, float, float]
Free = NDArray[np.bool_]


class Order(NamedTuple):
    """How name, tokens and tile are arranged, in units round the middle.

    Attributes
    ----------
    places : tuple of tuple of Point
        By number of tokens less one: where they stand.
    mark : Point
        Where the tile of peace or the swords of a conflict lie.
    parts : tuple of Part
        The ground they take, as (left, top, right, bottom), without the name.
    """

    places: tuple[tuple[Point, ...], ...]
    mark: Point
    parts: tuple[Part, ...]


class Stand(NamedTuple):
    """Where the middle of what stands on a province lies on the map, how large it is, and how it is arranged."""

    x: float
    y: float
    size: float
    order: Order


_FEW = (((0, 6),), ((-12, 6), (12, 6)), ((-12, 2), (12, 2), (0, 28)), ((-12, 2), (12, 2), (-12, 28), (12, 28)))
_ROWS = (*_FEW, ((-23, 2), (0, 2), (23, 2), (-12, 28), (12, 28)))
_BLOCK = ((-35, -15, 35, 16), (-24, 16, 24, 42))
_ORDERS = (
    Order(_ROWS, (-31.5, -34), ((-41, -45, 19, -25), *_BLOCK)),
    Order(_ROWS, (31.5, -34), ((-19, -45, 41, -25), *_BLOCK)),
    Order((*_FEW[:2], ((-12, 2), (12, 2), (-12, 28)), ((-23, 2), (0, 2), (23, 2), (-12, 28)),
           ((-23, 2), (0, 2), (23, 2), (-23, 28), (0, 28))), (23, 30), ((-19, -38, 19, -25), (-35, -15, 35, 42))),
    Order((*_FEW[:2], ((-12, 2), (12, 2), (12, 28)), ((-12, 2), (12, 2), (12, 28), (12, 54)),
           ((-12, 2), (12, 2), (12, 28), (-12, 54), (12, 54))), (-12, 29), ((-19, -38, 19, -25), (-24, -15, 24, 68))))
_LETTER = 2.75                          # half the width of a letter of a name
_SIZES = (0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
_ROOM = (9.0, 6.0, 3.0)                 # how far all of it keeps from the border, as far as that can be had


@lru_cache(maxsize=16)
def stands(land: Land, unit: float, spoken: str) -> tuple[Stand, ...]:
    """Return where the provinces of a map have room.

    Parameters
    ----------
    land : Land
    unit : float
        Length on the map of a unit in which names and tokens are drawn.
    spoken : str
        The language that is spoken: the length of the names goes with it.

    Returns
    -------
    tuple of Stand
        By province: the largest size that fits within its borders, in the middle of the places where it does; the
        middle of the province, small, where nothing fits.
    """
    labels, step = grounds(land)
    crossed = _crossed(land, labels.shape, step, 9 * unit)
    return tuple(_stand(land, number, (labels == number) & ~crossed, step, unit)
                 for number in range(len(land.provinces)))


def _stand(land: Land, number: int, free: Free, step: float, unit: float) -> Stand:
    one = land.provinces[number]
    name = (-_LETTER * len(one.name), -25.0, _LETTER * len(one.name), -14.0)
    rows, columns = np.flatnonzero(free.any(axis=1)), np.flatnonzero(free.any(axis=0))
    if not len(rows):
        return Stand(one.x, one.y, _SIZES[-1], _ORDERS[0])
    north, west = int(rows[0]), int(columns[0])
    own = free[north:rows[-1] + 1, west:columns[-1] + 1]
    held = np.pad(np.cumsum(np.cumsum(own.astype(np.int64), axis=0), axis=1), ((1, 0), (1, 0)))
    for size, order, room in product(_SIZES, _ORDERS, _ROOM):
        found = np.argwhere(_fits(held, (name, *order.parts), size * unit / step, room * unit / step))
        if len(found):
            near = found[np.argmin(((found - found.mean(axis=0)) ** 2).sum(axis=1))]
            return Stand(float(west + near[1] - 1) * step, float(north + near[0] - 1) * step, size, order)
    return Stand(one.x, one.y, _SIZES[-1], _ORDERS[0])


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


def _crossed(land: Land, shape: tuple[int, ...], step: float, reach: float) -> Free:
    """Return the cells near the ends of arrows over water."""
    y, x = np.indices(shape)
    found = np.zeros(shape, dtype=bool)
    for ends in terrain(land).crossings:
        for at_x, at_y in ends:
            found |= np.hypot((x - 0.5) * step - at_x, (y - 0.5) * step - at_y) < reach
    return found
