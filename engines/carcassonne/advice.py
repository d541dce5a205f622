"""Advice on Carcassonne: gains of a move, gaps of features, the standing of a seat, and lessons for a first game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import (
    AROUND, Cell, Deploy, LaidFeature, Place, PlacedTile, Position, beside, completed_by, decode, encode, grid_of,
    majority, position_of
)
from sfida.engines.carcassonne.style import color, terrain_word
from sfida.engines.carcassonne.tables import load_data, tile_type, type_number
from sfida.engines.language import N_, _, counted, listed, ngettext
from sfida.engines.moves import MoveGroup
from sfida.engines.narration import Lesson, Term

# ---- The gaps of unfinished features, and the remaining tiles that fit them


def gaps_of(position: Position, feature: LaidFeature, grid: Mapping[Cell, int]) -> set[Cell]:
    """Return the empty cells that must be filled before a road, city or monastery is complete.

    Parameters
    ----------
    position : Position
    feature : LaidFeature
    grid : mapping
        The grid of the tiles, from `grid_of`.
    """
    found: set[Cell] = set()
    for i, s in feature.segments:
        tile = position.tiles[i]
        if feature.kind == "monastery":
            found.update((tile.x + dx, tile.y + dy) for dx, dy in AROUND)
        found.update(beside((tile.x, tile.y), (edge + tile.rotation) % 4)
                     for edge in tile_type(tile.code).segments[s].edges)
    return found - set(grid)


class Stack:
    """The tiles not yet laid, and the places where they fit."""

    def __init__(self, state: CarcassonneState) -> None:
        self._state, position = state, position_of(state)
        self._land, self._river = position.remaining, position.river_remaining
        self._open, self._end = set(position.open_places), position.river_end
        self._places: dict[str, tuple[tuple[int, int, int], ...]] = {}
        self.grid: dict[Cell, int] = grid_of(position.tiles)

    @property
    def count(self) -> int:
        """Number of tiles."""
        return sum(self._land.values()) + sum(self._river.values())

    def fitting(self, cell: Cell, more: str = "") -> list[tuple[PlacedTile, int]]:
        """Return the ways to fill a cell, each with its number of copies; `more` is the code of an additional tile."""
        codes = dict(self._river if cell == self._end else self._land)
        if more and (tile_type(more).set == "river") == (cell == self._end):
            codes[more] = codes.get(more, 0) + 1
        return [(PlacedTile(code, *cell, turn), copies) for code, copies in codes.items()
                for turn in self._turns(code, cell)]

    def _turns(self, code: str, cell: Cell) -> list[int]:
        """Return the rotations in which a tile fits a cell; all of them if no tile touches the cell."""
        if cell not in self._open:
            return list(range(tile_type(code).rotations))
        if code not in self._places:
            self._places[code] = self._state.places_for(type_number(code))
        return [turn for x, y, turn in self._places[code] if (x, y) == cell]

    def completing(self, feature: LaidFeature, cell: Cell) -> int:
        """Return the number of tiles that complete a feature whose only gap is a cell."""
        copies = {tile.code: copies for tile, copies in self.fitting(cell) if feature.kind == "monastery"
                  or self._state.closes(type_number(tile.code), *cell, tile.rotation, *feature.segments[0])}
        return sum(copies.values())


# ---- The immediate gains of a placement or a follower, and the remaining gaps

_LONGEST = 2            # most items in a note
NEVER = N_("can never be completed")   # no tile left fits a gap, and gaps only get harder to fill
_DONE = {"city": N_("city done"), "road": N_("road done"), "monastery": N_("monastery done")}
_JOINED = {"city": N_("the joined city"), "road": N_("the joined road"), "field": N_("the joined farm")}


def move_note(state: CarcassonneState, move: int) -> str:
    """Return the gains of a placement or a follower, with the remaining tiles that fill an only gap."""
    match decode(move):
        case Place():
            return "; ".join(_placement(position_of(state), state.unscored(move))[:_LONGEST])
        case Deploy(int(segment)):
            return _deployment(state, state.unscored(move), segment)
    return ""


def move_groups(moves: Sequence[int]) -> list[MoveGroup]:
    """Group placements by their place; a group's name is the place as typed, such as "-1,2"."""
    places: dict[str, list[int]] = {}
    for code in moves:
        move = decode(code)
        if not isinstance(move, Place):
            return []
        places.setdefault(f"{move.x},{move.y}", []).append(code)
    return [MoveGroup(name, _("turned {degrees}").format(degrees=listed([f"{90 * (code & 3)}°" for code in codes])),
                      tuple(codes))
            for name, codes in places.items()]


def _placement(position: Position, laid: CarcassonneState) -> list[str]:
    """Describe the features that a tile completes or joins, and those that then have a single gap."""
    last = len(position.tiles)
    after, stack = position_of(laid), Stack(laid)
    completed = completed_by(after, last)
    done, joined, near = [], [], []
    for feature in after.features:
        if not any(feature.followers):
            if feature in completed and last in feature.tiles and position.supply[position.seat_on_turn]:
                done.append(_("{done}: {points} for a follower on it").format(
                    done=_(_DONE[feature.kind]), points=feature.points))
            continue
        owners = [color(seat) for seat in majority(feature.followers)]
        if feature in completed:
            done.append(_("{done}: {points} for {seats}").format(
                done=_(_DONE[feature.kind]), points=feature.points, seats=listed(owners)))
            continue
        if last in feature.tiles and _parts(position, feature) > 1:
            joined.append(_("{feature} is {owners}").format(
                feature=_(_JOINED[feature.kind]), owners=_possessive(owners)))
        if feature.kind != "field":
            gaps = gaps_of(after, feature, stack.grid)
            if len(gaps) == 1 and _touches(after, feature, gaps, last):
                near.append(_("{owners} {feature}: {odds}").format(
                    owners=_possessive(owners), feature=terrain_word(feature.kind),
                    odds=completion_odds(feature, stack, gaps)))
    return [*done, *joined, *near]


def _possessive(owners: Sequence[str]) -> str:
    return listed([_("{seat}'s").format(seat=owner) for owner in owners])


def _parts(position: Position, feature: LaidFeature) -> int:
    """Return the number of features with followers that a tile has joined into one."""
    return sum(any(part.followers) and set(part.segments) <= set(feature.segments) for part in position.features)


def _touches(position: Position, feature: LaidFeature, gaps: Iterable[Cell], last: int) -> bool:
    """Return whether a tile is part of a feature, surrounds its monastery, or lies beside one of its gaps."""
    x, y = position.tiles[last].x, position.tiles[last].y
    around = feature.kind == "monastery" and all(max(abs(position.tiles[i].x - x), abs(position.tiles[i].y - y)) == 1
                                                 for i in feature.tiles)
    return last in feature.tiles or around or any(abs(i - x) + abs(j - y) == 1 for i, j in gaps)


def completion_odds(feature: LaidFeature, stack: Stack, gaps: Iterable[Cell], hand: str = "") -> str:
    """Give the number of remaining tiles that complete a feature with one gap; `hand` is a tile not yet laid."""
    (cell,) = gaps
    if not stack.fitting(cell, hand):
        return _(NEVER)
    found, left = stack.completing(feature, cell), counted(stack.count, "tile", "tiles")
    if not found:
        return _("none of {tiles} left completes it").format(tiles=left)
    return ngettext("{found} of {tiles} left completes it", "{found} of {tiles} left complete it", found).format(
        found=found, tiles=left)


def _deployment(state: CarcassonneState, deployed: CarcassonneState, segment: int) -> str:
    """Describe the immediate points of a follower, or the gaps of its feature."""
    position = position_of(deployed)
    node = len(position.tiles) - 1, segment
    feature = next(one for one in position.features if node in one.segments)
    if feature.complete:
        return _("{points} at once").format(points=counted(feature.points, "point", "points"))
    if feature.kind == "field":
        seat = position.seat_on_turn
        more = deployed.final_scores_now()["farms"][seat] - state.final_scores_now()["farms"][seat]
        return _farm(more, sum(not position.features[city].complete for city in feature.cities))
    stack = Stack(deployed)
    gaps = gaps_of(position, feature, stack.grid)
    if len(gaps) == 1:
        return completion_odds(feature, stack, gaps)
    return _("{number} gaps to fill").format(number=len(gaps)) if all(map(stack.fitting, gaps)) else _(NEVER)


def _farm(more: int, left: int) -> str:
    """Give a farmer's points if no more cities are completed, and the number of open cities at the farm."""
    points = counted(more, "point", "points") if more else _("no points")
    return _("{points} so far").format(points=points) + (
        f", {counted(left, 'open city', 'open cities')}" if left else "")


# ---- The standing of a seat: points, unfinished features, farms, followers

# Names of the waiting points by kind of feature: plural and singular.
WAITING = {"city": (N_("points waiting in cities"), N_("point waiting in cities")),
           "road": (N_("points waiting on roads"), N_("point waiting on roads")),
           "monastery": (N_("points waiting in monasteries"), N_("point waiting in monasteries"))}


def standing(state: CarcassonneState, seat: int) -> tuple[Term, ...]:
    """Return the standing of a seat; a turn in progress counts as if it ended without a follower.

    The waiting points are the points of the final count if the game ended now (CAR-10). A follower is stuck if its
    feature has a gap that no remaining tile fits; the tile of the current turn counts as remaining, laid or not.
    """
    if state.phase == "deploy":
        state = state.clone()
        state.apply(encode(Deploy(None)))
    position, count = position_of(state), state.final_scores_now()
    stack = Stack(state)
    hand = position.tile_in_hand or position.tiles[-1].code
    waiting: Counter[str] = Counter()
    gaps: set[Cell] = set()
    cities: set[int] = set()
    stuck = 0
    for feature in position.features:
        if feature.complete or not feature.followers[seat]:
            continue
        holds = seat in majority(feature.followers)
        if feature.kind == "field":
            cities.update(feature.cities if holds else ())
            continue
        missing = gaps_of(position, feature, stack.grid)
        if not all(stack.fitting(cell, hand) for cell in missing):
            stuck += feature.followers[seat]
        if holds:
            waiting[feature.kind] += feature.points
            gaps |= missing
    return (Term(_("points"), count["scores"][seat], _("point")),
            *(Term(_(many), waiting[kind], _(one)) for kind, (many, one) in WAITING.items()),
            Term(_("points waiting on farms"), count["farms"][seat], _("point waiting on farms")),
            Term(_("followers in hand"), position.supply[seat], _("follower in hand")),
            Term(_("cities next to its farms"), len(cities), _("city next to its farms")),
            Term(_("gaps to fill"), len(gaps), _("gap to fill"), good=False),
            Term(_("followers stuck for good"), stuck, _("follower stuck for good"), good=False))


# ---- A first game of Carcassonne: an introduction, and advice on each kind of decision

LATE = 3                # remaining turns per seat below which the end is explained

# Title, clause and text by kind of decision; `_numbers` inserts the numbers of the data and the options.
LESSONS = {
    "place": (N_("Laying a tile"), "CAR-5.5", N_("""\
Lay the tile beside those on the table: along each side that touches, roads must meet roads, cities cities and
fields fields. Look for a place that makes something of yours bigger or completes it, or that starts something new.
It may also spoil a gap that an opponent needs to fill.

The numbers on the board are what you type; below it, 7↻1 is move 7, where the tile is turned once, by 90°
clockwise, as drawn under /1. A place such as 2,-1 lists its moves and what each of them brings, or plays the only
one.""")),
    "river": (N_("The river"), "CAR-11.8", N_("""\
The river is laid first. Its next tile goes where the river ends, so that you only choose how it is turned.{uturn}
Roads, cities and fields beside the river count like all others, and you may deploy on them. Choose the turn whose
fields, cities and roads you want; the river parts the fields on its two banks. Type the number on the board.""")),
    "lake": (N_("The lake"), "CAR-11.9", N_("""\
The lake ends the river, and the land tiles come next. Its field runs round the end of the river, so both banks are
one field there. Choose how it is turned, and type the number on the board.""")),
    "late": (N_("The last tiles"), "CAR-10.4", N_("""\
Few tiles are left. At the end an unfinished road or city brings only {road_open} for a tile, a city {shield_open}
more for a shield, a monastery {monk_open} for its tile and each tile around it. So complete what you can, put
followers that you still hold where they bring something, and do not begin what cannot grow. 'tiles' shows what is
left, and the notes at the moves of a place say how many of them complete what has one gap.""")),
    "deploy": (N_("Deploying a follower"), "CAR-6.5", N_("""\
You may put one of your {followers} followers on the tile that you have just laid: a knight in a city, a thief on a
road{or_farmer} or a monk in a monastery. If the {claimed} already holds a follower, yours or
another's, you cannot. The follower stays until it is complete, then scores and comes home.{farmer} So keep one or two
in hand.

Type the number in the list, or a name from the drawing such as +r0; - deploys nobody.""")),
    "completed": (N_("Points at once"), "CAR-8.3", N_("""\
This tile has completed a road, city or monastery that nobody holds. A follower put there now scores it and is back
in your hand before your next turn: points for nothing, unless it serves you better elsewhere on this tile. After
this turn nobody can claim it any more. The list says how many points; type the number, or the name in the
drawing.""")),
    "monastery": (N_("A monastery"), "CAR-7.14", N_("""\
A monk scores {monastery} points when all 8 places around the monastery hold tiles, whoever lays them; at the end,
{monk_open} for its own tile and for each tile around it. Nobody can take it from you or share it. But the monk may
stand there long, so look how many of the places around are filled already. Type the number, or +m; - deploys
nobody.""")),
    "farm": (N_("Only a field is free"), "CAR-9.3", N_("""\
On this tile you can deploy only a farmer. A farmer lies in the field to the end of the game, never comes home, and
brings {farm}. A field ends at roads,
cities and the river. Early in the game one or two farmers in a large field are worth much; each of them is one
follower less for all else. Type the number, or - for nobody.""")),
    "last_follower": (N_("Your last follower"), "CAR-6.8", N_("""\
You hold one follower. If you deploy it, you cannot deploy again until one of yours comes home, and what you begin
meanwhile is open to others. So keep it, unless the place brings many points or is about to be completed.
The list says what each place brings; type the number, or - for nobody.""")),
}


def introduction(options: CarcassonneOptions) -> str:
    """Return the introduction to the game for a new player."""
    numbers = _numbers(options)
    river = " " + _("The river is laid first.") if options.river else ""
    small = " " + _("(a city of {size} tiles only {points} each)").format(
        size=numbers["small_size"], points=numbers["small"]) if numbers["small"] else ""
    farmers = " " + _("Farmers stay to the end: {farm}.").format(farm=numbers["farm"]) if options.farmers else ""
    return _(INTRODUCTION).format(**{**numbers, "river": river, "small": small, "farmers": farmers})


INTRODUCTION = N_("""\
Tile by tile you build a land of cities, roads and monasteries, and claim them with followers. The game ends with the \
last tile; most points win.

In a turn you get a tile and lay it beside others.{river} Then you may put a follower on it: a knight in a city, a \
thief on a road{or_farmer} or a monk in a monastery. What the tile completes scores, and its followers \
come home.

A completed road brings {road} point a tile; a city {city} a tile and a shield{small}; \
a monastery with 8 tiles around it {monastery}. Unfinished at the end, a city brings half, the others \
1 a tile. Whoever has most followers in it takes all points; a tie pays all of the tied.{farmers}""")


def lesson(state: CarcassonneState, options: CarcassonneOptions) -> Lesson | None:
    """Return the lesson for a new player on a decision."""
    position = position_of(state)
    if position.phase not in ("place", "deploy"):
        return None
    key = _placing(position) if position.phase == "place" else _deploying(position)
    title, rule, text = LESSONS[key]
    text = " ".join(_(text).replace("\n\n", "\0").split()).replace("\0", "\n\n")
    return Lesson(key, _(title), text.format(**_numbers(options)), rule)


def _placing(position: Position) -> str:
    code = position.tile_in_hand or ""
    if tile_type(code).set == "river":
        return "lake" if code == load_data()["setup"]["river_lake_tile"] else "river"
    return "late" if sum(position.remaining.values()) < LATE * position.players else "place"


def _deploying(position: Position) -> str:
    last = len(position.tiles) - 1
    kinds = {tile_type(position.tiles[-1].code).segments[segment].kind for segment in position.deploy_segments}
    done = {segment for feature in completed_by(position, last) for i, segment in feature.segments if i == last}
    if done & set(position.deploy_segments):
        return "completed"
    if position.supply[position.seat_on_turn] == 1:
        return "last_follower"
    if "monastery" in kinds:
        return "monastery"
    return "farm" if kinds == {"field"} else "deploy"


def _numbers(options: CarcassonneOptions) -> dict[str, Any]:
    data = load_data()
    value, variants = data["scoring"], data["variants"]
    each = value["farm_per_completed_city"]
    farm = {"rulebook": _("{points} points for each completed city beside the field, each city once"),
            "per_farm": _("{points} points for each completed city beside the field"),
            "first_edition": _("{points} points for each completed city around which you have the most farmers"),
            }[options.farm_scoring].format(
                points=variants["farm_scoring"]["first_edition_points_per_city"]
                if options.farm_scoring == "first_edition" else each)
    uturn = {"immediate": " " + _("Two bends in a row must not turn the same way."),
             "monotone": " " + _("It must never run back."), "none": ""}[options.river_uturn]
    return {
        "followers": data["players"]["followers_usable_per_player"], "farm": farm, "uturn": uturn,
        "or_farmer": _(", a farmer in a field") if options.farmers else "",
        "claimed": _("city, road or field") if options.farmers else _("city or road"),
        "farmer": " " + _("A farmer stays to the end.") if options.farmers else "",
        "road": value["road_per_tile_completed"], "city": value["city_per_tile_completed"],
        "small": value["city2_per_tile_completed"] if options.city2_scoring == "half" else 0,
        "small_size": value["city2_size"], "monastery": value["monastery_completed"],
        "road_open": value["road_per_tile_incomplete"], "shield_open": value["city_per_shield_incomplete"],
        "monk_open": value["monastery_tile_incomplete"],
    }
