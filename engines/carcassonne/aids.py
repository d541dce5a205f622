"""Aids at the board of Carcassonne: the tiles that fit a cell, the gaps that none fills, who holds what, and odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.advice import NEVER, Stack, completion_odds, gaps_of
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import LaidFeature, Position, majority
from sfida.engines.carcassonne.style import cell_key, color, feature_key, spot_key, stack_key, terrain_word
from sfida.engines.carcassonne.tables import load_data, tile_type
from sfida.engines.language import _, counted, listed, names_codes, ngettext
from sfida.engines.narration import Aid


def aids_of(state: CarcassonneState, position: Position, options: CarcassonneOptions) -> tuple[Aid, ...]:
    """Return the aids; all of Carcassonne but the order of the stacks is public."""
    stack = Stack(state)
    cells = tuple(_cells(position, stack))
    return *cells, *_kinds(position, cells), *_features(position, stack, options)


def _cells(position: Position, stack: Stack) -> Iterator[Aid]:
    """Yield the remaining tiles that fit each open cell, by their kinds; a cell that none fits is a gap for good."""
    hand = position.tile_in_hand or "" if position.phase == "place" else ""
    for cell in () if position.phase == "over" else position.open_places:
        place = cell_key(*cell)
        title = (_("place ({x},{y})") if names_codes() else _("a free place")).format(x=cell[0], y=cell[1])
        copies = {tile.code: number for tile, number in stack.fitting(cell)}
        count = sum(copies.values())
        if copies:
            tiles = ", ".join(f"{number} {code}" for code, number in copies.items())
            said = (ngettext("{number} tile left fits here: {tiles}", "{number} tiles left fit here: {tiles}", count)
                    if names_codes() else
                    ngettext("{number} tile left fits here", "{number} tiles left fit here", count))
            yield Aid("fits", place, title, said.format(number=count, tiles=tiles), tuple(map(stack_key, copies)))
        elif stack.fitting(cell, hand):
            yield Aid("fits", place, title, _("only the tile in hand fits here"))
        else:
            yield Aid("gaps", place, title, _("no tile left fits here"))


def _kinds(position: Position, cells: Sequence[Aid]) -> Iterator[Aid]:
    """Yield the cells that each kind of tile left fits."""
    for code, number in {**position.river_remaining, **position.remaining}.items() if position.phase != "over" else ():
        places = tuple(aid.place for aid in cells if stack_key(code) in aid.marks)
        said = _("{number} left; fits in {places}") if places else _("{number} left; fits nowhere now")
        yield Aid("fits", stack_key(code), f"{code}, {tile_type(code).name}", said.format(
            number=number, places=counted(len(places), "place", "places")), places)


def _features(position: Position, stack: Stack, options: CarcassonneOptions) -> Iterator[Aid]:
    """Yield what is known of each feature, at its ground and at the followers and spots on it."""
    last = len(position.tiles) - 1
    spots = {(one.tile, one.segment) for one in position.followers} | {(last, one) for one in position.deploy_segments}
    for number, feature in enumerate(position.features):
        told = [("owners", _holding(position, feature, options))]
        if not feature.complete and feature.kind != "field" and position.phase != "over":
            told.append(("odds", _completion(position, feature, stack)))
        whole, title = feature_key(number), terrain_word(feature.kind)
        places = [whole, *(spot_key(position.tiles[tile], segment) for tile, segment in feature.segments
                           if (tile, segment) in spots)]
        for place in places:
            for kind, words in told:
                yield Aid(kind, place, title, words, (whole,))


def _holding(position: Position, feature: LaidFeature, options: CarcassonneOptions) -> str:
    """Name the owners of a feature, with its size and its points as things stand."""
    owners = [color(seat) for seat in majority(feature.followers)]
    parts = []
    if owners or not feature.complete:
        parts.append(_("nobody's") if not owners else _("held by {seats}").format(seats=owners[0])
                     if len(owners) == 1 else _("shared by {seats}").format(seats=listed(owners)))
    if sum(map(bool, feature.followers)) > 1:
        parts.append(_("followers: {numbers}").format(numbers=", ".join(
            f"{color(seat)} {count}" for seat, count in enumerate(feature.followers) if count)))
    if feature.kind == "field":
        return "; ".join((*parts, *_farm(position, feature, options)))
    if feature.kind == "monastery":
        size = _("{number} of 9 tiles").format(number=9 - feature.open_edges)
    else:
        size = counted(len(feature.tiles), "tile", "tiles")
        if feature.shields:
            size += f", {counted(feature.shields, 'shield', 'shields')}"
    points = counted(feature.points, "point", "points")
    return "; ".join((*parts, size, (_("complete: {points}") if feature.complete else
                                     _("{points} if the game ended now")).format(points=points)))


def _farm(position: Position, feature: LaidFeature, options: CarcassonneOptions) -> tuple[str, ...]:
    """Describe the cities beside a farm, and what it brings for the completed ones, unless cities are held singly."""
    found = Counter(position.features[city].complete for city in feature.cities)
    done = counted(found[True], "completed city", "completed cities")
    left = counted(found[False], "open city", "open cities")
    if not found[True]:
        return (left if found[False] else _("beside no city"),)
    if options.farmers and options.farm_scoring != "first_edition":
        points = found[True] * load_data()["scoring"]["farm_per_completed_city"]
        done = _("{cities}: {points} at the end").format(cities=done, points=counted(points, "point", "points"))
    return (done, left) if found[False] else (done,)


def _completion(position: Position, feature: LaidFeature, stack: Stack) -> str:
    gaps = gaps_of(position, feature, stack.grid)
    hand = position.tile_in_hand or "" if position.phase == "place" else ""
    if len(gaps) == 1:
        return completion_odds(feature, stack, gaps, hand)
    if not all(stack.fitting(cell, hand) for cell in gaps):
        return _(NEVER)
    return _("{number} gaps to fill").format(number=len(gaps))
