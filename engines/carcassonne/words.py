"""Words of Carcassonne's moves: compass directions, roles and the names people use for them."""

from __future__ import annotations

from sfida.engines.carcassonne.tiles import Segment, TileType, load_data

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
LONG = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
DIRECTIONS = {
    **{name.lower(): i for i, name in enumerate(COMPASS)},
    **{name.replace("-", ""): i for i, name in enumerate(LONG)},
    "nord": 0, "nordest": 1, "est": 2, "sudest": 3, "sud": 4, "sudovest": 5, "ovest": 6, "nordovest": 7,
}
KINDS = {
    "city": ("c", "k", "city", "knight", "città", "citta", "cavaliere"),
    "road": ("r", "t", "road", "thief", "highwayman", "strada", "ladro"),
    "field": ("f", "field", "farm", "farmer", "campo", "contadino", "podere"),
    "monastery": ("m", "monastery", "cloister", "monk", "monastero", "monaco"),
    "river": ("river", "fiume"),
}
KIND_OF_WORD = {word: kind for kind, words in KINDS.items() for word in words}
NOBODY = ("-", "none", "no", "no follower", "pass", "nobody", "nothing", "skip", "nessuno", "passo")

# Middles of the half edges NL NR EL ER SL SR WL WR in the unit square.
_HALF = ((0.25, 0.0), (0.75, 0.0), (1.0, 0.25), (1.0, 0.75),
         (0.75, 1.0), (0.25, 1.0), (0.0, 0.75), (0.0, 0.25))


def role(kind: str) -> str:
    """Return what a follower is called in a kind of feature (CAR-2.4)."""
    return str(load_data()["roles"][kind]["name_en"])


def color(seat: int) -> str:
    """Return the name of a seat's colour."""
    return str(load_data()["players"]["colors"][seat]["name_en"])


def half_edges(segment: Segment) -> list[int]:
    """Return the half edges that a segment reaches, at rotation 0."""
    return list(segment.half_edges) + [2 * edge + i for edge in segment.edges for i in (0, 1)]


def direction(segment: Segment, rotation: int) -> int | None:
    """Return where on the tile a segment lies, as a number in `COMPASS`; None: in the middle."""
    points = [_HALF[(half + 2 * rotation) % 8] for half in half_edges(segment)]
    if not points:
        return None
    dx = sum(x for x, _ in points) / len(points) - 0.5
    dy = sum(y for _, y in points) / len(points) - 0.5
    if max(abs(dx), abs(dy)) < 0.05:                # less than any real lean
        return None
    slant = 0.414                                   # tan 22.5°: straight or diagonal
    east = 0 if abs(dx) < slant * abs(dy) else (1 if dx > 0 else -1)
    south = 0 if abs(dy) < slant * abs(dx) else (1 if dy > 0 else -1)
    return {(0, -1): 0, (1, -1): 1, (1, 0): 2, (1, 1): 3, (0, 1): 4, (-1, 1): 5, (-1, 0): 6,
            (-1, -1): 7}[east, south]


def touches(segment: Segment, rotation: int, towards: int) -> bool:
    """Return whether a segment reaches a side (or, for a diagonal, both halves at a corner)."""
    found = {(half + 2 * rotation) % 8 for half in half_edges(segment)}
    if towards % 2 == 0:
        return bool(found & {towards, towards + 1})
    return {towards, (towards + 1) % 8} <= found


def segment_words(tile: TileType, number: int, rotation: int) -> str:
    """Return a segment in words, such as "the city to the north"; no two of a tile are the same."""
    segment = tile.segments[number]
    if segment.kind == "monastery":
        return "the monastery"
    like = [other for other in tile.segments if other.kind == segment.kind]
    towards = direction(segment, rotation)
    if towards is None:
        return f"the {segment.kind}" if len(like) == 1 else f"the {segment.kind} in the middle"
    if sum(direction(other, rotation) == towards for other in like) == 1:
        return f"the {segment.kind} to the {LONG[towards]}"
    corner = touches(segment, rotation, towards)    # two fields on either side of a bend
    return f"the {segment.kind} {'in the corner' if corner else 'inside the bend'} to the {LONG[towards]}"
