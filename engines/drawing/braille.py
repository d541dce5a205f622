"""Lines drawn as braille dots: maps behind the boards in a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sfida.engines.drawing.outlines import Point

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))     # bits of a character, by row and column


class DotCanvas:
    """Dots in the cells of a terminal, two columns and four rows per cell; points are (column, row) in cells.

    Parameters
    ----------
    columns, rows : int
        Size in cells.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns: int = columns
        self.rows: int = rows
        self.bits: list[list[int]] = [[0] * columns for _ in range(rows)]

    def draw(self, points: Iterable[Point], every: int = 1) -> set[tuple[int, int]]:
        """Draw a line, or only every `every`-th dot of it. What lies beyond the canvas is left out.

        Returns
        -------
        set of (row, column)
            The cells that hold a dot of it.
        """
        last, count = (-1, -1), 0
        cells = set()
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(1, math.ceil(2 * max(2 * abs(bx - ax), 4 * abs(by - ay))))
            for i in range(steps + 1):
                x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                dot = (math.floor(4 * y), math.floor(2 * x))
                if dot == last:
                    continue
                last, count = dot, count + 1
                row, column = dot[0] // 4, dot[1] // 2
                if count % every == 0 and 0 <= row < self.rows and 0 <= column < self.columns:
                    self.bits[row][column] |= _DOTS[dot[0] % 4][dot[1] % 2]
                    cells.add((row, column))
        return cells

    def clear(self, row: int, column: int) -> None:
        """Take the dots of a cell away."""
        self.bits[row][column] = 0

    def lines(self) -> tuple[str, ...]:
        """Return the rows as characters; cells without dots are spaces."""
        return tuple("".join(chr(0x2800 + bits) if bits else " " for bits in row) for row in self.bits)

    def covered(self, ring: Sequence[Point]) -> list[list[bool]]:
        """Return for each row and column whether the middle of the cell lies within a closed outline."""
        found = [[False] * self.columns for _ in range(self.rows)]
        edges = list(pairwise((*ring, ring[0])))
        for row in range(self.rows):
            y = row + 0.5
            cuts = sorted(ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in edges
                          if (ay <= y) != (by <= y))
            for left, right in zip(cuts[::2], cuts[1::2], strict=True):
                for column in range(max(0, math.ceil(left - 0.5)), min(self.columns, math.ceil(right - 0.5))):
                    found[row][column] = True
        return found
