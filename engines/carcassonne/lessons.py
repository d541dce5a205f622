"""A first game of Carcassonne: what it is about, and what to look at in each kind of decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Position, completed_by
from sfida.engines.carcassonne.seen import position_of
from sfida.engines.carcassonne.tiles import load_data, tile_type
from sfida.engines.language import N_, _
from sfida.engines.lessons import Lesson

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState

LATE = 3                # turns of each seat that are left when the end is explained

# Title, clause and text by kind of decision; numbers are those of the data and of the options (`_numbers`).
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
    """Tell a new player what the game is about."""
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
    """Return what a new player should know about a decision."""
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
