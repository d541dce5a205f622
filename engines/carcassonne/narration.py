"""What is told of a Carcassonne turn: what was completed, who scored for it, and who came home."""

from __future__ import annotations

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.explain import city_place, final_lines, tile_place
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Feature, Position, completed_by, majority
from sfida.engines.carcassonne.seen import position_of
from sfida.engines.carcassonne.tiles import tile_type
from sfida.engines.carcassonne.words import color, role, thing
from sfida.engines.language import _, ngettext
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed


def effects_of(before: CarcassonneState, move: int, after: CarcassonneState,
               options: CarcassonneOptions) -> tuple[Effect, ...]:
    """Return what came of a move: features completed at the end of a turn, and at the end of the game the final count.

    Parameters
    ----------
    before, after : CarcassonneState
    move : int
        What led from one to the other.
    options : CarcassonneOptions
    """
    effects: list[Effect] = []
    if after.phase == "deploy":
        return ()                       # the turn goes on
    if before.phase in ("place", "deploy"):
        scored = position_of(before.unscored(move))
        effects += [_completed(scored, feature) for feature in completed_by(scored, len(scored.tiles) - 1)
                    if any(feature.followers)]
    if after.is_over:
        effects += _final(position_of(after), options)
    return tuple(effects)


def question(position: Position) -> str:
    """Say what the seat to move decides."""
    who, followers = color(position.seat_on_turn), position.supply[position.seat_on_turn]
    if position.phase == "place" and position.tile_in_hand is not None:
        places = len({placement[:2] for placement in position.placements})
        name = tile_type(position.tile_in_hand).name.partition(" (")[0]
        return _("{seat} lays tile {code}, {name}; it fits on {places}; {followers} in hand").format(
            seat=who, code=position.tile_in_hand, name=name, places=counted(places, "place", "places"),
            followers=counted(followers, "follower", "followers") if followers else _("no follower"))
    if position.phase == "deploy":
        left = sum(position.remaining.values()) + sum(position.river_remaining.values())
        return _("{seat} may deploy a follower on the tile just laid; {followers} in hand, {tiles} left").format(
            seat=who, followers=followers, tiles=counted(left, "tile", "tiles"))
    return ""


def _completed(position: Position, feature: Feature) -> Effect:
    """Tell of one completed feature (CAR-7, CAR-8)."""
    winners, points = majority(feature.followers), feature.points
    size = [] if feature.kind == "monastery" else [counted(len(feature.tiles), "tile", "tiles")]
    if feature.shields:
        size.append(counted(feature.shields, "shield", "shields"))
    where = city_place(position, feature) if feature.kind == "city" else tile_place(position.tiles[min(feature.tiles)])
    text = ngettext("{seats} scores {points} for {feature} at {place}",
                    "{seats} score {points} each for {feature} at {place}", len(winners)).format(
        seats=listed([color(seat) for seat in winners]), points=points, feature=thing(feature.kind), place=where)
    said = ", ".join([text, *filter(None, [listed(size)])])
    return Effect(f"{said}; {_come_home(feature)}", tuple((seat, points) for seat in winners))


def _come_home(feature: Feature) -> str:
    """Tell whose followers come back (CAR-8.1)."""
    home = [_("{seat}'s {followers}").format(seat=color(seat), followers=_several(feature.kind, n)) if n > 1 else
            _("{seat}'s {role}").format(seat=color(seat), role=role(feature.kind))
            for seat, n in enumerate(feature.followers) if n]
    return ngettext("{followers} comes home", "{followers} come home", sum(feature.followers)).format(
        followers=listed(home))


def _several(kind: str, n: int) -> str:
    return {"city": counted(n, "knight", "knights"), "road": counted(n, "thief", "thieves"),
            "monastery": counted(n, "monk", "monks"), "field": counted(n, "farmer", "farmers")}[kind]


def _final(position: Position, options: CarcassonneOptions) -> list[Effect]:
    """Tell of the final count line by line (CAR-10)."""
    return [Effect(_counted_last(seat, text, points), ((seat, points),) if points else ())
            for seat, lines in enumerate(final_lines(position, options)) for text, points in lines]


def _counted_last(seat: int, text: str, points: int) -> str:
    if not points:
        return _("{seat} scores nothing for the {feature}").format(seat=color(seat), feature=text)
    return ngettext("{seat} scores {points} for the {feature}", "{seat} scores {points} for the {feature}",
                    points).format(seat=color(seat), points=points, feature=text)
