"""The result of Carcassonne explained line by line."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import PlacedTile, Position
from sfida.engines.carcassonne.recount import Feature, find_features, incomplete_points, majority, recount, tile_type
from sfida.engines.carcassonne.tiles import load_data
from sfida.engines.carcassonne.words import LONG, color, direction, role
from sfida.engines.wording import points_line


def explain_scores(position: Position, options: CarcassonneOptions) -> list[str]:
    """Explain the scores of a finished game, or what they would be if it ended now.

    Parameters
    ----------
    position : Position
        In phase "over" its scores are final; before, they are those on the track.
    options : CarcassonneOptions

    Returns
    -------
    list of str
        For each seat the points scored during play, each incomplete feature and each farm (CAR-10.3 to
        CAR-10.14) and the total; then who won (CAR-10.16, CAR-10.17).
    """
    count = recount(position, options)
    final = list(position.scores)
    if position.phase != "over":
        final = [a + b for a, b in zip(final, count.final_part, strict=True)]
    counted = final_lines(position, options)
    lines = []
    for seat in range(position.players):
        during = final[seat] - count.final_part[seat]
        parts = [("scored during play", during), *counted[seat]]
        assert sum(points for _, points in parts) == final[seat]
        lines.append(f"{color(seat)}: {points_line(final[seat], ())}")
        lines += [f"  {points:>4}  {text}" for text, points in parts]
    best = max(final)
    winners = [color(seat) for seat in range(position.players) if final[seat] == best]
    if len(winners) == 1:
        lines.append(f"{winners[0]} wins with {points_line(best, ())}")
    else:
        lines.append(f"{', '.join(winners[:-1])} and {winners[-1]} share the victory with {points_line(best, ())} each")
    return lines


def final_lines(position: Position, options: CarcassonneOptions) -> list[list[tuple[str, int]]]:
    """Return each seat's lines of the final count: what is counted, and its points (CAR-10.3 to CAR-10.14)."""
    features = find_features(position.tiles, position.followers, position.players)
    farms = _farm_lines(position, features, options)
    return [[*_incomplete_lines(position, features, seat), *farms[seat]] for seat in range(position.players)]


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word[:-1]}ies" if word.endswith("y") else f"{n} {word}s"


def tile_place(tile: PlacedTile) -> str:
    """Return where a tile lies."""
    return f"({tile.x},{tile.y})"


def _places(tiles: Sequence[PlacedTile], numbers: Sequence[int]) -> str:
    return " ".join(tile_place(tiles[i]) for i in numbers)


def _standing(position: Position, feature: Feature, seat: int) -> str:
    """Return where the seat's followers stand in a feature."""
    return _places(position.tiles, sorted(f.tile for f in position.followers
                                          if f.seat == seat and (f.tile, f.segment) in feature.segments))


def _shared(feature: Feature, seat: int) -> str:
    others = [color(other) for other in majority(feature.followers) if other != seat]
    return f", shared with {' and '.join(others)}" if others else ""


def _incomplete_lines(position: Position, features: Sequence[Feature], seat: int) -> list[tuple[str, int]]:
    lines = []
    for feature in features:
        if feature.kind == "field" or feature.complete or not feature.followers[seat]:
            continue
        where = f"{role(feature.kind)} at {_standing(position, feature, seat)}"
        if feature.kind == "monastery":
            size = f"the tile and {_count(8 - feature.open_edges, 'tile')} around it"
        else:
            size = _count(len(feature.tiles), "tile")
            if feature.shields:
                size += f", {_count(feature.shields, 'shield')}"
        if seat in majority(feature.followers):
            lines.append((f"incomplete {feature.kind}, {where}: {size}{_shared(feature, seat)}",
                          incomplete_points(feature)))
        else:
            holders = " and ".join(color(other) for other in majority(feature.followers))
            lines.append((f"incomplete {feature.kind}, {where}: {size}, but {holders} has the majority", 0))
    return lines


def city_place(position: Position, feature: Feature) -> str:
    """Return where a city lies: its first tile, and where on it when the tile has part in several cities."""
    first = min(feature.tiles)
    tile = position.tiles[first]
    face = tile_type(tile.code)
    parts = [segment for number, segment in feature.segments if number == first]
    if len(parts) == sum(segment.kind == "city" for segment in face.segments):
        return tile_place(tile)
    towards = direction(face.segments[parts[0]], tile.rotation)
    return tile_place(tile) if towards is None else f"{tile_place(tile)} {LONG[towards]}"


def _listed(places: Sequence[str]) -> str:
    return " and ".join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places)


def _farm_lines(position: Position, features: Sequence[Feature],
                options: CarcassonneOptions) -> list[list[tuple[str, int]]]:
    if options.farm_scoring == "first_edition":
        return _first_edition_lines(position, features)
    each = load_data()["scoring"]["farm_per_completed_city"]
    lines: list[list[tuple[str, int]]] = [[] for _ in range(position.players)]
    for seat in range(position.players):
        counted: set[int] = set()
        for farm in features:
            if farm.kind != "field" or not farm.followers[seat]:
                continue
            where = f"farm, {role('field')} at {_standing(position, farm, seat)}"
            if seat not in majority(farm.followers):
                holders = " and ".join(color(other) for other in majority(farm.followers))
                lines[seat].append((f"{where}: {holders} has the majority", 0))
                continue
            cities = [city for city in farm.cities if features[city].complete]
            again = [city for city in cities if city in counted] if options.farm_scoring == "rulebook" else []
            new = [city for city in cities if city not in again]
            counted.update(new)
            text = "no other completed city" if again else "no completed city"
            if new:
                text = f"{_count(len(new), 'completed city')} at "
                text += _listed([city_place(position, features[city]) for city in new])
            if again:
                text += ", counted already: " + _listed([city_place(position, features[city]) for city in again])
            lines[seat].append((f"{where}: {text}{_shared(farm, seat)}", each * len(new)))
    return lines


def _first_edition_lines(position: Position, features: Sequence[Feature]) -> list[list[tuple[str, int]]]:
    """Explain the first edition's rule: the majority of the farmers around each city (CAR-13.2)."""
    each = load_data()["variants"]["farm_scoring"]["first_edition_points_per_city"]
    lines: list[list[tuple[str, int]]] = [[] for _ in range(position.players)]
    for number, city in enumerate(features):
        if city.kind != "city" or not city.complete:
            continue
        around = [farm.followers for farm in features if farm.kind == "field" and number in farm.cities]
        totals = [sum(counts) for counts in zip(*around, strict=True)] or [0] * position.players
        for seat in majority(totals):
            farmers = _count(totals[seat], "farmer")
            lines[seat].append((f"city at {city_place(position, city)}: {farmers} around it, the most", each))
    return lines
