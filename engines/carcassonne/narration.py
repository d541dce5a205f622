"""Narration of Carcassonne: the features completed and scored in a turn, and the result line by line."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import LaidFeature, PlacedTile, Position, completed_by, majority, position_of
from sfida.engines.carcassonne.style import color, compass, direction, role, short_name, thing
from sfida.engines.carcassonne.tables import TileType, load_data, tile_type
from sfida.engines.language import N_, _, counted, listed, names_codes, ngettext, points_line
from sfida.engines.narration import Effect

# ---- The result of Carcassonne explained line by line

_INCOMPLETE = {"city": N_("incomplete city"), "road": N_("incomplete road"), "monastery": N_("incomplete monastery")}


def explain_scores(state: CarcassonneState, options: CarcassonneOptions) -> list[str]:
    """Explain the scores of a finished game, or the scores if the game ended now.

    Parameters
    ----------
    state : CarcassonneState
    options : CarcassonneOptions

    Returns
    -------
    list of str
        For each seat the points scored during play, each incomplete feature and each farm (CAR-10.3 to
        CAR-10.14) and the total; then the winner (CAR-10.16, CAR-10.17).
    """
    position, during = position_of(state), state.final_scores_now()["scores"]
    ending = final_lines(position, options)
    final = [during[seat] + sum(points for _, points in ending[seat]) for seat in range(position.players)]
    assert position.phase == "deploy" or final == state.final_scores_now()["final"]  # last tile not scored
    lines = []
    for seat in range(position.players):
        parts = [(_("scored during play"), during[seat]), *ending[seat]]
        lines.append(f"{color(seat)}: {points_line(final[seat], ())}")
        lines += [f"  {points:>4}  {text}" for text, points in parts]
    best = max(final)
    winners = [color(seat) for seat in range(position.players) if final[seat] == best]
    if len(winners) == 1:
        lines.append(_("{seat} wins with {points}").format(seat=winners[0], points=points_line(best, ())))
    else:
        lines.append(_("{seats} share the victory with {points} each").format(
            seats=listed(winners), points=points_line(best, ())))
    return lines


def final_lines(position: Position, options: CarcassonneOptions) -> list[list[tuple[str, int]]]:
    """Return each seat's lines of the final count: the counted feature, and its points (CAR-10.3 to CAR-10.14)."""
    features = position.features
    farms = _farm_lines(position, features, options)
    return [[*_incomplete_lines(position, features, seat), *farms[seat]] for seat in range(position.players)]


def tile_place(tile: PlacedTile) -> str:
    """Return the place of a tile in words."""
    return f"({tile.x},{tile.y})"


def _places(tiles: Sequence[PlacedTile], numbers: Sequence[int]) -> str:
    return " ".join(tile_place(tiles[i]) for i in numbers)


def _standing(position: Position, feature: LaidFeature, seat: int) -> str:
    """Return the places of a seat's followers in a feature, in words."""
    return _places(position.tiles, sorted(f.tile for f in position.followers
                                          if f.seat == seat and (f.tile, f.segment) in feature.segments))


def _shared(feature: LaidFeature, seat: int) -> str:
    others = [color(other) for other in majority(feature.followers) if other != seat]
    return _(", shared with {seats}").format(seats=listed(others)) if others else ""


def _incomplete_lines(position: Position, features: Sequence[LaidFeature], seat: int) -> list[tuple[str, int]]:
    lines = []
    for feature in features:
        if feature.kind == "field" or feature.complete or not feature.followers[seat]:
            continue
        where = _("{feature}, {role} at {places}").format(
            feature=_(_INCOMPLETE[feature.kind]), role=role(feature.kind), places=_standing(position, feature, seat))
        if feature.kind == "monastery":
            size = _("the tile and {tiles} around it").format(tiles=counted(8 - feature.open_edges, "tile", "tiles"))
        else:
            size = counted(len(feature.tiles), "tile", "tiles")
            if feature.shields:
                size += f", {counted(feature.shields, 'shield', 'shields')}"
        if seat in majority(feature.followers):
            lines.append((f"{where}: {size}{_shared(feature, seat)}", feature.points))
        else:
            lines.append((f"{where}: " + _("{size}, but {majority}").format(size=size, majority=_majority(feature)), 0))
    return lines


def _majority(feature: LaidFeature) -> str:
    """Name the seats with the most followers in a feature."""
    holders = [color(other) for other in majority(feature.followers)]
    return ngettext("{seats} has the majority", "{seats} have the majority", len(holders)).format(seats=listed(holders))


def city_place(position: Position, feature: LaidFeature) -> str:
    """Return the place of a city: its first tile, and its place on the tile if the tile is part of several cities."""
    first = min(feature.tiles)
    tile = position.tiles[first]
    face = tile_type(tile.code)
    parts = [segment for number, segment in feature.segments if number == first]
    if len(parts) == sum(segment.kind == "city" for segment in face.segments):
        return tile_place(tile)
    towards = direction(face.segments[parts[0]], tile.rotation)
    if towards is None:
        return tile_place(tile)
    return _("{place} {direction}").format(place=tile_place(tile), direction=compass(towards))


def _farm_lines(position: Position, features: Sequence[LaidFeature],
                options: CarcassonneOptions) -> list[list[tuple[str, int]]]:
    if options.farm_scoring == "first_edition":
        return _first_edition_lines(position, features)
    each = load_data()["scoring"]["farm_per_completed_city"]
    lines: list[list[tuple[str, int]]] = [[] for _ in range(position.players)]
    for seat in range(position.players):
        used: set[int] = set()
        for farm in features:
            if farm.kind != "field" or not farm.followers[seat]:
                continue
            where = _("{feature}, {role} at {places}").format(feature=_("farm"), role=role("field"),
                                                              places=_standing(position, farm, seat))
            if seat not in majority(farm.followers):
                lines[seat].append((f"{where}: {_majority(farm)}", 0))
                continue
            cities = [city for city in farm.cities if features[city].complete]
            again = [city for city in cities if city in used] if options.farm_scoring == "rulebook" else []
            new = [city for city in cities if city not in again]
            used.update(new)
            text = _("no other completed city") if again else _("no completed city")
            if new:
                text = _("{cities} at {places}").format(
                    cities=counted(len(new), "completed city", "completed cities"),
                    places=listed([city_place(position, features[city]) for city in new]))
            if again:
                text += _(", counted already: {places}").format(
                    places=listed([city_place(position, features[city]) for city in again]))
            lines[seat].append((f"{where}: {text}{_shared(farm, seat)}", each * len(new)))
    return lines


def _first_edition_lines(position: Position, features: Sequence[LaidFeature]) -> list[list[tuple[str, int]]]:
    """Explain the first edition's rule: the majority of the farmers around each city (CAR-13.2)."""
    each = load_data()["variants"]["farm_scoring"]["first_edition_points_per_city"]
    lines: list[list[tuple[str, int]]] = [[] for _ in range(position.players)]
    for number, city in enumerate(features):
        if city.kind != "city" or not city.complete:
            continue
        around = [farm.followers for farm in features if farm.kind == "field" and number in farm.cities]
        totals = [sum(counts) for counts in zip(*around, strict=True)] or [0] * position.players
        for seat in majority(totals):
            lines[seat].append((_("city at {place}: {farmers} around it, the most").format(
                place=city_place(position, city), farmers=counted(totals[seat], "farmer", "farmers")), each))
    return lines


# ---- The effects of a Carcassonne turn: completed features, their scores, and returning followers


def effects_of(before: CarcassonneState, move: int, after: CarcassonneState,
               options: CarcassonneOptions) -> tuple[Effect, ...]:
    """Return the effects of a move: features completed at the end of a turn, and the final count of the game.

    Parameters
    ----------
    before, after : CarcassonneState
    move : int
        The move from `before` to `after`.
    options : CarcassonneOptions
    """
    effects: list[Effect] = []
    if after.phase == "deploy":
        return ()                       # the turn continues
    if before.phase in ("place", "deploy"):
        scored = position_of(before.unscored(move))
        effects += [_completed(scored, feature) for feature in completed_by(scored, len(scored.tiles) - 1)
                    if any(feature.followers)]
    if after.is_over:
        effects += _final(position_of(after), options)
    return tuple(effects)


def question(position: Position) -> str:
    """Describe the decision of the seat to move."""
    who, followers = color(position.seat_on_turn), position.supply[position.seat_on_turn]
    if position.phase == "place" and position.tile_in_hand is not None:
        places = len({placement[:2] for placement in position.placements})
        name = short_name(tile_type(position.tile_in_hand))
        said = (_("{seat} lays tile {code}, {name}; it fits on {places}; {followers} in hand") if names_codes() else
                _("{seat} lays {name}; it fits on {places}; {followers} in hand"))
        return said.format(
            seat=who, code=position.tile_in_hand, name=name, places=counted(places, "place", "places"),
            followers=counted(followers, "follower", "followers") if followers else _("no follower"))
    if position.phase == "deploy":
        left = sum(position.remaining.values()) + sum(position.river_remaining.values())
        return _("{seat} may deploy a follower on the tile just laid; {followers} in hand, {tiles} left").format(
            seat=who, followers=followers, tiles=counted(left, "tile", "tiles"))
    return ""


def _completed(position: Position, feature: LaidFeature) -> Effect:
    """Return the effect of one completed feature (CAR-7, CAR-8)."""
    winners, points = majority(feature.followers), feature.points
    size = [] if feature.kind == "monastery" else [counted(len(feature.tiles), "tile", "tiles")]
    if feature.shields:
        size.append(counted(feature.shields, "shield", "shields"))
    where = city_place(position, feature) if feature.kind == "city" else tile_place(position.tiles[min(feature.tiles)])
    said = (ngettext("{seats} scores {points} for {feature} at {place}",
                     "{seats} score {points} each for {feature} at {place}", len(winners)) if names_codes() else
            ngettext("{seats} scores {points} for {feature}", "{seats} score {points} each for {feature}",
                     len(winners)))
    text = said.format(
        seats=listed([color(seat) for seat in winners]), points=points, feature=thing(feature.kind), place=where)
    text = ", ".join([text, *filter(None, [listed(size)])])
    return Effect(f"{text}; {_come_home(feature)}", tuple((seat, points) for seat in winners))


def _come_home(feature: LaidFeature) -> str:
    """Describe the return of followers (CAR-8.1)."""
    home = [_("{seat}'s {followers}").format(seat=color(seat), followers=_several(feature.kind, n)) if n > 1 else
            _("{seat}'s {role}").format(seat=color(seat), role=role(feature.kind))
            for seat, n in enumerate(feature.followers) if n]
    return ngettext("{followers} comes home", "{followers} come home", sum(feature.followers)).format(
        followers=listed(home))


def _several(kind: str, n: int) -> str:
    return {"city": counted(n, "knight", "knights"), "road": counted(n, "thief", "thieves"),
            "monastery": counted(n, "monk", "monks"), "field": counted(n, "farmer", "farmers")}[kind]


def _final(position: Position, options: CarcassonneOptions) -> list[Effect]:
    """Return the effects of the final count, line by line (CAR-10)."""
    return [Effect(_counted_last(seat, text, points), ((seat, points),) if points else ())
            for seat, lines in enumerate(final_lines(position, options)) for text, points in lines]


def _counted_last(seat: int, text: str, points: int) -> str:
    if not points:
        return _("{seat} scores nothing for the {feature}").format(seat=color(seat), feature=text)
    return ngettext("{seat} scores {points} for the {feature}", "{seat} scores {points} for the {feature}",
                    points).format(seat=color(seat), points=points, feature=text)


# ---- The luck of Carcassonne: what kinds of tiles are drawn


def kind_of(tile: TileType) -> str:
    """Return the kind of a tile for the charts of luck, by what is most valuable on it."""
    if tile.monastery:
        return _("monastery")
    sides = max((len(segment.edges) for segment in tile.segments if segment.kind == "city"), default=0)
    if sides:
        return _("city on one side") if sides == 1 else _("city on two sides") if sides == 2 else _("larger city")
    roads = tile.edges.count("road")
    return _("crossing") if roads > 2 else _("road") if roads else _("river alone")
