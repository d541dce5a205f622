"""Shapes on the tile faces, shared by the text and the picture: layout only, no rule depends on them.

Everything is in the unit square of the tile as it lies on the table: u grows east, v grows south.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from sfida.engines.carcassonne.tiles import Segment, TileType

CAP_DEPTH = 0.27       # how far a city with one edge reaches into the tile
TIGHT_DEPTH = 0.21     # the depth where another city part lies at the next edge: they must not touch
GAP_DEPTH = 0.30       # field left at the open edge of a city with three edges
BAND_DEPTH = 0.21      # field left on either side of a city that runs straight through
CORNER_BULGE = 0.05    # how far the wall of a corner city bends over the diagonal

EDGE_MIDDLES = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))


def turn_point(u: float, v: float, quarters: int) -> tuple[float, float]:
    """Return a point of the unit square after `quarters` quarter turns clockwise."""
    for _ in range(quarters % 4):
        u, v = 1.0 - v, u
    return u, v


@cache
def turned(tile: TileType, rotation: int) -> TileType:
    """Return the tile as it lies after `rotation` quarter turns clockwise."""
    def turn_segment(segment: Segment) -> Segment:
        return replace(segment, edges=tuple((e + rotation) % 4 for e in segment.edges),
                       half_edges=tuple((h + 2 * rotation) % 8 for h in segment.half_edges),
                       xy=turn_point(*segment.xy, rotation))
    edges = tile.edges
    return replace(tile, edges=(edges[-rotation % 4], edges[(1 - rotation) % 4],
                                edges[(2 - rotation) % 4], edges[(3 - rotation) % 4]),
                   segments=tuple(turn_segment(segment) for segment in tile.segments))


def city_form(edges: Iterable[int]) -> tuple[str, int]:
    """Return the form of a city part and the quarter turns that bring the model form to it.

    The models are "cap" (north), "corner" (north and east), "band" (east and west), "three" (all but
    south) and "full".
    """
    found = frozenset(edges)
    if len(found) == 1:
        return "cap", next(iter(found))
    if len(found) == 4:
        return "full", 0
    if len(found) == 3:
        missing = next(e for e in range(4) if e not in found)
        return "three", (missing - 2) % 4
    low, high = sorted(found)
    if high - low == 2:
        return "band", 0 if low == 1 else 1
    return "corner", 3 if (low, high) == (0, 3) else low


def cap_depth(tile: TileType, segment: Segment, depth: float = CAP_DEPTH) -> float:
    """Return how far a city part with one edge reaches into its tile."""
    neighbours = {(e + d) % 4 for e in segment.edges for d in (1, 3)}
    tight = any(s.kind == "city" and s is not segment and neighbours & set(s.edges) for s in tile.segments)
    return TIGHT_DEPTH if tight else depth


def _under_arc(u: float, v: float, depth: float) -> bool:
    return v < depth * 4.0 * u * (1.0 - u)


def in_city(edges: Iterable[int], u: float, v: float, depth: float = CAP_DEPTH) -> bool:
    """Tell whether a point lies within the city part that has these edges."""
    form, quarters = city_form(edges)
    u, v = turn_point(u, v, -quarters)
    if form == "cap":
        return _under_arc(u, v, depth)
    if form == "corner":
        along, across = (u + v) / 2, (v - u) / 2
        return across < 2 * CORNER_BULGE * along * (1 - along) - 1e-9
    if form == "band":
        return not (_under_arc(u, v, BAND_DEPTH) or _under_arc(u, 1 - v, BAND_DEPTH))
    if form == "three":
        return not _under_arc(u, 1 - v, GAP_DEPTH)
    return True


def city_at(tile: TileType, u: float, v: float, depth: float = CAP_DEPTH) -> int | None:
    """Return the number of the city segment at a point, None outside the cities."""
    for number, segment in enumerate(tile.segments):
        if segment.kind == "city" and in_city(segment.edges, u, v, cap_depth(tile, segment, depth)):
            return number
    return None


def monastery_spot(tile: TileType) -> tuple[float, float] | None:
    """Return where the monastery stands, None if the tile has none."""
    return next((s.xy for s in tile.segments if s.kind == "monastery"), None)


def strip_end(tile: TileType, segment: Segment) -> tuple[float, float]:
    """Return where a road or river with one edge ends: village, pond, monastery or city wall."""
    u, v = EDGE_MIDDLES[segment.edges[0]]
    du, dv = (0.5 - u) / 25, (0.5 - v) / 25
    spot = monastery_spot(tile)
    for _ in range(50):
        if segment.ends_in == "monastery" and spot and math.hypot(u - spot[0], v - spot[1]) < 0.06:
            break
        if segment.ends_in == "city" and city_at(tile, u, v) is not None:
            break
        if segment.ends_in not in ("monastery", "city") and math.hypot(u - 0.5, v - 0.5) < 1e-6:
            break
        u, v = u + du, v + dv
    return round(u, 6), round(v, 6)


def strip_distance(tile: TileType, segment: Segment, u: float, v: float) -> float:
    """Return the distance of a point from the middle line of a road or river."""
    if len(segment.edges) == 2 and (segment.edges[0] - segment.edges[1]) % 2:
        first, second = (EDGE_MIDDLES[e] for e in segment.edges)
        centre = first[0] + second[0] - 0.5, first[1] + second[1] - 0.5
        return abs(math.hypot(u - centre[0], v - centre[1]) - 0.5)
    start = EDGE_MIDDLES[segment.edges[0]]
    end = EDGE_MIDDLES[segment.edges[1]] if len(segment.edges) == 2 else strip_end(tile, segment)
    du, dv = end[0] - start[0], end[1] - start[1]
    share = ((u - start[0]) * du + (v - start[1]) * dv) / max(du * du + dv * dv, 1e-12)
    share = min(1.0, max(0.0, share))
    return math.hypot(u - start[0] - share * du, v - start[1] - share * dv)
