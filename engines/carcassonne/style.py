"""Words, names and places shared by the texts and pictures of Carcassonne."""

from __future__ import annotations

from functools import cache

from sfida.engines.carcassonne.position import PlacedTile
from sfida.engines.carcassonne.tables import Segment, TileType, load_data, load_tiles
from sfida.engines.language import N_, NP_, _, in_every_language, named, ngettext, spellings

# ---- Words for Carcassonne's moves: compass directions, roles and their common names

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
LONG = (N_("north"), N_("north-east"), N_("east"), N_("south-east"), N_("south"), N_("south-west"), N_("west"),
        N_("north-west"))
_KINDS = {
    "city": NP_("typed in carcassonne", "c|k|city|knight"),
    "road": NP_("typed in carcassonne", "r|t|road|thief|highwayman"),
    "field": NP_("typed in carcassonne", "f|field|farm|farmer"),
    "monastery": NP_("typed in carcassonne", "m|monastery|cloister|monk"),
    "river": NP_("typed in carcassonne", "river"),
}
_NOBODY = NP_("typed in carcassonne", "-|none|no|no follower|pass|nobody|nothing|skip")

# Middles of the half edges NL NR EL ER SL SR WL WR in the unit square.
_HALF = ((0.25, 0.0), (0.75, 0.0), (1.0, 0.25), (1.0, 0.75),
         (0.75, 1.0), (0.25, 1.0), (0.0, 0.75), (0.0, 0.25))


# A kind of feature as a thing, and as the place of a follower.
_THING = {"city": N_("the city"), "road": N_("the road"), "field": N_("the field"), "monastery": N_("the monastery"),
          "river": N_("the river")}
_PLACE = {"city": N_("in the city"), "road": N_("on the road"), "field": N_("in the field"),
          "monastery": N_("in the monastery"), "river": N_("in the river")}


@cache
def kinds_typed() -> dict[str, str]:
    """Return the kinds of features by the words to type for them in any language."""
    return {word: kind for kind, words in _KINDS.items() for word in spellings(words, "typed in carcassonne")}


@cache
def nobody_typed() -> tuple[str, ...]:
    """Return the words to type for no follower, in any language."""
    return spellings(_NOBODY, "typed in carcassonne")


@cache
def directions() -> dict[str, int]:
    """Return the numbers of directions by the words to type for them in any language, without hyphens."""
    return {**{name.lower(): i for i, name in enumerate(COMPASS)},
            **{name.replace("-", ""): i for i, word in enumerate(LONG) for name in in_every_language(word)}}


def role(kind: str) -> str:
    """Return the name of a follower in a kind of feature (CAR-2.4)."""
    return named(load_data()["roles"][kind])


def color(seat: int) -> str:
    """Return the name of a seat's colour, such as "Red", which texts use like a person's name."""
    return named(load_data()["players"]["colors"][seat]).capitalize()


def seats_called(name: str) -> list[int]:
    """Return the seats whose colour has this name in any language, in lower case."""
    return [seat for seat, row in enumerate(load_data()["players"]["colors"])
            if name in (row["name_en"].lower(), row["name_it"].lower())]


def short_name(tile: TileType) -> str:
    """Return the name of a tile type without its remarks."""
    return tile.name.partition(" (")[0]


def terrain_word(kind: str) -> str:
    """Return the name of a kind of terrain, or of its kind of feature."""
    return named(load_data()["terrains"][kind])


def thing(kind: str) -> str:
    """Return a feature with its article, such as "the city"."""
    return _(_THING[kind])


def compass(direction: int) -> str:
    """Return the word for a direction, a number in `COMPASS`."""
    return _(LONG[direction])


def tiles_left(stack: str, count: int) -> str:
    """Describe the number of tiles left in a stack, "river" or "land"."""
    if stack == "river":
        return ngettext("{count} river tile left", "{count} river tiles left", count).format(count=count)
    return ngettext("{count} land tile left", "{count} land tiles left", count).format(count=count)


def half_edges(segment: Segment) -> list[int]:
    """Return the half edges of a segment at rotation 0."""
    return list(segment.half_edges) + [2 * edge + i for edge in segment.edges for i in (0, 1)]


def direction(segment: Segment, rotation: int) -> int | None:
    """Return the place of a segment on the tile, as a number in `COMPASS`; None: in the middle."""
    points = [_HALF[(half + 2 * rotation) % 8] for half in half_edges(segment)]
    if not points:
        return None
    dx = sum(x for x, _ in points) / len(points) - 0.5
    dy = sum(y for _, y in points) / len(points) - 0.5
    if max(abs(dx), abs(dy)) < 0.05:                # less than any true offset from the middle
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


def segment_words(tile: TileType, number: int, rotation: int, *, place: bool = False) -> str:
    """Return a segment in words, such as "the city to the north"; the words are unique on the tile.

    `place`: as the place of a follower, such as "in the city to the north".
    """
    segment = tile.segments[number]
    feature = _(_PLACE[segment.kind]) if place else thing(segment.kind)
    if segment.kind == "monastery":
        return feature
    like = [other for other in tile.segments if other.kind == segment.kind]
    towards = direction(segment, rotation)
    if towards is None:
        return feature if len(like) == 1 else _("{feature} in the middle").format(feature=feature)
    if sum(direction(other, rotation) == towards for other in like) == 1:
        said = _("{feature} to the {direction}")
    elif touches(segment, rotation, towards):       # two fields on either side of a bend
        said = _("{feature} in the corner to the {direction}")
    else:
        said = _("{feature} inside the bend to the {direction}")
    return said.format(feature=feature, direction=compass(towards))


# ---- Keys of the parts of Carcassonne at which people point: cells, spots of followers, features, kinds of tiles left


def cell_key(x: int, y: int) -> str:
    """Return the key of a cell, empty or not."""
    return f"cell:{x},{y}"


def spot_key(tile: PlacedTile, segment: int) -> str:
    """Return the key of the spot of a follower."""
    names = next(one for one in load_tiles() if one.code == tile.code).segments
    return f"spot:{tile.x},{tile.y},{names[segment].id}"


def feature_key(number: int) -> str:
    """Return the key of a feature by its number in `Position.features`."""
    return f"feature:{number}"


def stack_key(code: str) -> str:
    """Return the key of a kind of tile among those left."""
    return f"stack:{code}"
