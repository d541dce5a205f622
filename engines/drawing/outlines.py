"""Outlines of drawn maps: rugged coasts, smooth rivers and inside tests; the same on every call."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]


def noise(key: str) -> float:
    """Return a number from -1 to 1 that depends only on the key."""
    return zlib.crc32(key.encode()) / 2**31 - 1


def rough(line: Sequence[Point], key: str, much: float, *, levels: int = 4, shortest: float = 5.0) -> list[Point]:
    """Make the straight parts of a line rugged; its points are kept.

    Parameters
    ----------
    line : sequence of Point
    key : str
        Chooses the shape; equal keys give equal lines.
    much : float
        How far the middle of a part may be moved, as a share of its length.
    levels : int
        How often each part is halved.
    shortest : float
        Parts up to this length are left straight.
    """
    points = list(line)
    for level in range(levels):
        finer = points[:1]
        for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
            long = math.hypot(bx - ax, by - ay)
            if long > shortest:
                off = much * long * noise(f"{key} {level} {i}")
                finer.append(((ax + bx) / 2 - off * (by - ay) / long, (ay + by) / 2 + off * (bx - ax) / long))
            finer.append((bx, by))
        points = finer
    return points


def smooth(line: Sequence[Point], steps: int = 6) -> list[Point]:
    """Return a Catmull-Rom curve through the points of a line, with `steps` parts between two of them."""
    found = [line[0]]
    for i in range(len(line) - 1):
        p, q = line[i], line[i + 1]
        before, after = line[max(0, i - 1)], line[min(len(line) - 1, i + 2)]
        for step in range(1, steps + 1):
            t = step / steps
            found.append((_spline(before[0], p[0], q[0], after[0], t), _spline(before[1], p[1], q[1], after[1], t)))
    return found


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def path(points: Sequence[Point], closed: bool = False) -> str:
    """Return points as the path data of an SVG picture."""
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + ("Z" if closed else "")


def inside(ring: Sequence[Point], x: float, y: float) -> bool:
    """Return whether a point lies within a closed outline."""
    cuts = [ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in pairwise((*ring, ring[0]))
            if (ay <= y) != (by <= y)]
    return sum(cut < x for cut in cuts) % 2 == 1
