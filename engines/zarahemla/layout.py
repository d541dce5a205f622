"""Where the places of the board of Zarahemla lie on the sheet."""

from __future__ import annotations

import math

from sfida.engines.zarahemla.geometry import Edge, board

WIDE, SIDE = 800.0, 71.5                        # the sheet is drawn 800 units wide, a hex side is 71.5 of them
TOP, HIGH = 48.0, 700.0                         # the frame of the board
MIDDLE = (WIDE / 2, TOP + HIGH / 2)
UNIT = SIDE / 100                               # the art is painted for a side of 100


def at(xy: tuple[float, float], far: float = 0.0, out: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return where a point of the board lies on the sheet, moved `far` hex sides along `out`."""
    return MIDDLE[0] + SIDE * (xy[0] + far * out[0]), MIDDLE[1] + SIDE * (xy[1] + far * out[1])


def slope(edge: Edge) -> float:
    """Return the direction of an edge in degrees, from -90 to 90."""
    (ax, ay), (bx, by) = sorted(board().corners[corner].xy for corner in edge.corners)
    return math.degrees(math.atan2(by - ay, bx - ax)) if bx - ax > 1e-9 else 90.0
