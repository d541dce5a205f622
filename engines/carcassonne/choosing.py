"""What a placement or a follower brings at once, and how likely what it leaves open is completed; lists in steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.gaps import Stack, gaps_of
from sfida.engines.carcassonne.moves import Deploy, Place, decode
from sfida.engines.carcassonne.position import Cell, Feature, Position, completed_by, majority
from sfida.engines.carcassonne.seen import position_of
from sfida.engines.carcassonne.words import color, terrain_word
from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import N_, _, ngettext
from sfida.engines.wording import counted, listed

_LONGEST = 2            # things that a note says
_NEVER = N_("can never be completed")   # no tile left fits a gap, and gaps only get harder to fill
_DONE = {"city": N_("city done"), "road": N_("road done"), "monastery": N_("monastery done")}
_JOINED = {"city": N_("the joined city"), "road": N_("the joined road"), "field": N_("the joined farm")}


def move_note(state: CarcassonneState, move: int) -> str:
    """Say what a placement or a follower brings, with the tiles left that complete what has one gap only."""
    match decode(move):
        case Place():
            return "; ".join(_placement(position_of(state), state.unscored(move))[:_LONGEST])
        case Deploy(int(segment)):
            return _deployment(state, state.unscored(move), segment)
    return ""


def move_groups(moves: Sequence[int]) -> list[MoveGroup]:
    """Group placements by their place, named as it is typed, such as "-1,2"."""
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
    """Say what a tile completes, what it joins, and which features then have one gap that tiles left may fill."""
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
                    owners=_possessive(owners), feature=terrain_word(feature.kind), odds=_odds(feature, stack, gaps)))
    return [*done, *joined, *near]


def _possessive(owners: Sequence[str]) -> str:
    return listed([_("{seat}'s").format(seat=owner) for owner in owners])


def _parts(position: Position, feature: Feature) -> int:
    """Return how many features with followers a tile has made one."""
    return sum(any(part.followers) and set(part.segments) <= set(feature.segments) for part in position.features)


def _touches(position: Position, feature: Feature, gaps: Iterable[Cell], last: int) -> bool:
    """Return whether a tile is part of a feature, lies around its monastery, or beside one of its gaps."""
    x, y = position.tiles[last].x, position.tiles[last].y
    around = feature.kind == "monastery" and all(max(abs(position.tiles[i].x - x), abs(position.tiles[i].y - y)) == 1
                                                 for i in feature.tiles)
    return last in feature.tiles or around or any(abs(i - x) + abs(j - y) == 1 for i, j in gaps)


def _odds(feature: Feature, stack: Stack, gaps: Iterable[Cell]) -> str:
    """Say how many of the tiles left complete a feature with one gap."""
    (cell,) = gaps
    if not stack.fitting(cell):
        return _(_NEVER)
    found, left = stack.completing(feature, cell), counted(stack.count, "tile", "tiles")
    if not found:
        return _("none of {tiles} left completes it").format(tiles=left)
    return ngettext("{found} of {tiles} left completes it", "{found} of {tiles} left complete it", found).format(
        found=found, tiles=left)


def _deployment(state: CarcassonneState, deployed: CarcassonneState, segment: int) -> str:
    """Say what a follower scores at once, or what is missing."""
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
        return _odds(feature, stack, gaps)
    return _("{number} gaps to fill").format(number=len(gaps)) if all(map(stack.fitting, gaps)) else _(_NEVER)


def _farm(more: int, left: int) -> str:
    """Say what a farmer brings if no more cities are completed, and how many of his are open."""
    points = counted(more, "point", "points") if more else _("no points")
    return _("{points} so far").format(points=points) + (
        f", {counted(left, 'open city', 'open cities')}" if left else "")
