"""Checks of the debug build: Carcassonne counted in the slow and obvious way, for comparison with the core.

Nothing here is shared with the compiled core, so that each can check the other: after every move of the
debug build and over whole games (`carcassonne_reference`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sfida.engines.carcassonne.faces import Cell
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import (
    AROUND, Deploy, Draw, First, Follower, LaidFeature, Place, PlacedTile, Position, beside, by_cell, decode, grid_of,
    majority, mismatches, terrain
)
from sfida.engines.carcassonne.tables import load_data, load_tiles, tile_type
from sfida.engines.position_game import same

# ---- Carcassonne counted in the slow and obvious way: flood fill over the tiles on the table

Placement = tuple[int, int, int]


# ---- features ---------------------------------------------------------------------------------------


@cache
def _at_side(code: str, kind: str, side: int) -> tuple[int, ...]:
    """Return the numbers of the segments of a kind that reach a side of a tile as printed."""
    return tuple(s for s, segment in enumerate(tile_type(code).segments)
                 if segment.kind == kind and side in segment.edges)


@cache
def _at_half(code: str, half: int) -> tuple[int, ...]:
    """Return the numbers of the fields that reach half a side of a tile as printed."""
    return tuple(s for s, segment in enumerate(tile_type(code).segments) if half in segment.half_edges)


def _connected(tiles: Sequence[PlacedTile], grid: dict[Cell, int], i: int,
               s: int) -> tuple[list[tuple[int, int]], int]:
    """Return the segments that continue a segment, and the number of its open sides."""
    tile = tiles[i]
    segment = tile_type(tile.code).segments[s]
    found: list[tuple[int, int]] = []
    open_edges = 0
    for edge in segment.edges:
        side = (edge + tile.rotation) % 4
        j = grid.get(beside((tile.x, tile.y), side))
        if j is None:
            open_edges += 1
            continue
        facing = (side + 2 - tiles[j].rotation) % 4
        found += [(j, t) for t in _at_side(tiles[j].code, segment.kind, facing)]
    for half in segment.half_edges:
        turned = (half + 2 * tile.rotation) % 8
        j = grid.get(beside((tile.x, tile.y), turned // 2))
        if j is not None:
            facing = ((turned ^ 5) - 2 * tiles[j].rotation) % 8
            found += [(j, t) for t in _at_half(tiles[j].code, facing)]
    return found, open_edges


def _flood(tiles: Sequence[PlacedTile], grid: dict[Cell, int],
           start: tuple[int, int]) -> tuple[list[tuple[int, int]], int]:
    """Return all segments connected to a segment, including itself, and the number of their open sides."""
    group, seen, open_edges = [start], {start}, 0
    for node in group:                              # the list grows during the loop
        found, more = _connected(tiles, grid, *node)
        open_edges += more
        for other in found:
            if other not in seen:
                seen.add(other)
                group.append(other)
    return group, open_edges


def find_features(tiles: Sequence[PlacedTile], followers: Iterable[Follower],
                  players: int) -> tuple[LaidFeature, ...]:
    """Return every road, city, monastery and farm on the table, by flood fill."""
    grid = grid_of(tiles)
    standing: dict[tuple[int, int], list[int]] = {}
    for follower in followers:
        standing.setdefault((follower.tile, follower.segment), []).append(follower.seat)
    where: dict[tuple[int, int], int] = {}
    groups: list[tuple[str, list[tuple[int, int]], int]] = []
    for i, tile in enumerate(tiles):
        for s, segment in enumerate(tile_type(tile.code).segments):
            if (i, s) in where or segment.kind == "river":
                continue
            group, open_edges = _flood(tiles, grid, (i, s))
            where.update(dict.fromkeys(group, len(groups)))
            if segment.kind == "monastery":
                open_edges = sum((tile.x + dx, tile.y + dy) not in grid for dx, dy in AROUND)
            groups.append((segment.kind, group, open_edges))
    features = []
    for kind, group, open_edges in groups:
        counts = [0] * players
        cities: set[int] = set()
        shields = 0
        for i, s in group:
            segment = tile_type(tiles[i].code).segments[s]
            shields += segment.shields
            cities.update(where[i, city] for city in segment.cities)
            for seat in standing.get((i, s), ()):
                counts[seat] += 1
        features.append(LaidFeature(
            kind, tuple(sorted(group)), open_edges, shields, tuple(counts),
            kind != "field" and open_edges == 0, tuple(sorted(cities))))
    return tuple(features)


def completed_points(feature: LaidFeature, options: CarcassonneOptions) -> int:
    """Return the points of a completed feature (CAR-7.2, CAR-7.7 to CAR-7.9, CAR-7.14)."""
    value = load_data()["scoring"]
    n = len(feature.tiles)
    if feature.kind == "road":
        return int(n * value["road_per_tile_completed"])
    if feature.kind == "monastery":
        return int(value["monastery_completed"])
    small = n == value["city2_size"] and options.city2_scoring == "half"
    key = "city2" if small else "city"
    return int(n * value[f"{key}_per_tile_completed"]
               + feature.shields * value[f"{key}_per_shield_completed"])


def incomplete_points(feature: LaidFeature) -> int:
    """Return the points of an incomplete feature in the final count (CAR-10.4 to CAR-10.8)."""
    value = load_data()["scoring"]
    n = len(feature.tiles)
    if feature.kind == "road":
        return int(n * value["road_per_tile_incomplete"])
    if feature.kind == "monastery":
        return int(value["monastery_tile_incomplete"]
                   + (8 - feature.open_edges) * value["monastery_per_neighbour_incomplete"])
    return int(n * value["city_per_tile_incomplete"] + feature.shields * value["city_per_shield_incomplete"])


def _completed_by(features: Sequence[LaidFeature], tiles: Sequence[PlacedTile], tile: int) -> list[LaidFeature]:
    """Return the features completed by laying a tile (CAR-7.1, CAR-12.3, CAR-12.4)."""
    def near(feature: LaidFeature) -> bool:
        (i,) = feature.tiles
        return max(abs(tiles[i].x - tiles[tile].x), abs(tiles[i].y - tiles[tile].y)) <= 1
    return [f for f in features if f.complete and (near(f) if f.kind == "monastery" else tile in f.tiles)]


@dataclass(frozen=True)
class Scoring:
    """The result of the end of a turn: points per seat and the followers that stay on the table."""

    gains: tuple[int, ...]
    followers: tuple[Follower, ...]
    completed: tuple[LaidFeature, ...]


def score_turn(tiles: Sequence[PlacedTile], followers: Sequence[Follower], players: int,
               options: CarcassonneOptions) -> Scoring:
    """Score the features that the last tile completed and return their followers (CAR-7, CAR-8)."""
    features = find_features(tiles, followers, players)
    completed = _completed_by(features, tiles, len(tiles) - 1)
    gains = [0] * players
    for feature in completed:
        for seat in majority(feature.followers):
            gains[seat] += completed_points(feature, options)
    freed = {node for feature in completed for node in feature.segments}
    staying = tuple(f for f in followers if (f.tile, f.segment) not in freed)
    return Scoring(tuple(gains), staying, tuple(completed))


# ---- final count ------------------------------------------------------------------------------------


def farm_points(features: Sequence[LaidFeature], players: int, rule: str) -> tuple[int, ...]:
    """Return the points of the farms per seat under one of the three rules.

    CAR-10.9 to CAR-10.14, and CAR-13.2 for "per_farm" and "first_edition".
    """
    each = load_data()["scoring"]["farm_per_completed_city"]
    farms = [f for f in features if f.kind == "field"]
    if rule == "first_edition":
        each = load_data()["variants"]["farm_scoring"]["first_edition_points_per_city"]
        points = [0] * players
        for number, city in enumerate(features):
            if city.kind == "city" and city.complete:
                around = [farm.followers for farm in farms if number in farm.cities]
                for seat in majority([sum(counts) for counts in zip(*around, strict=True)] or [0]):
                    points[seat] += each
        return tuple(points)
    supplied: list[list[int]] = [[] for _ in range(players)]
    for farm in farms:
        for seat in majority(farm.followers):
            supplied[seat] += [city for city in farm.cities if features[city].complete]
    if rule == "rulebook":
        return tuple(each * len(set(cities)) for cities in supplied)
    return tuple(each * len(cities) for cities in supplied)


@dataclass(frozen=True)
class Recount:
    """The recount of a position.

    Attributes
    ----------
    incomplete : tuple of int
        Points of the incomplete roads, cities and monasteries per seat if the game ended now.
    farms : tuple of int
        Points of the farms per seat under the rule in use.
    supply : tuple of int
        Followers each seat must have in hand.
    faults : tuple of str
        Faults of the position; empty if the position is possible.
    """

    features: tuple[LaidFeature, ...]
    incomplete: tuple[int, ...]
    farms: tuple[int, ...]
    farms_rulebook: tuple[int, ...]
    farms_per_farm: tuple[int, ...]
    farms_first_edition: tuple[int, ...]
    supply: tuple[int, ...]
    faults: tuple[str, ...]

    @property
    def final_part(self) -> tuple[int, ...]:
        """Points of the final count per seat."""
        return tuple(a + b for a, b in zip(self.incomplete, self.farms, strict=True))


def recount(position: Position, options: CarcassonneOptions) -> Recount:
    """Recount a position from its tiles and followers."""
    players = position.players
    features = find_features(position.tiles, position.followers, players)
    incomplete = [0] * players
    for feature in features:
        if feature.kind != "field" and not feature.complete:
            for seat in majority(feature.followers):
                incomplete[seat] += incomplete_points(feature)
    farms = {rule: farm_points(features, players, rule) for rule in ("rulebook", "per_farm", "first_edition")}
    out = Counter(follower.seat for follower in position.followers)
    each = load_data()["players"]["followers_usable_per_player"]
    return Recount(
        features, tuple(incomplete), farms[options.farm_scoring], farms["rulebook"], farms["per_farm"],
        farms["first_edition"], tuple(each - out[seat] for seat in range(players)),
        tuple(find_faults(position, features, options)))


def find_faults(position: Position, features: Sequence[LaidFeature], options: CarcassonneOptions) -> list[str]:
    """Return the faults of a position: tiles that do not fit, followers that cannot be there."""
    faults = []
    tiles = position.tiles
    grid = grid_of(tiles)
    if len(grid) != len(tiles):
        faults.append("two tiles lie on one cell")
    earlier: set[Cell] = set()
    for i, tile in enumerate(tiles):
        cell = (tile.x, tile.y)
        if i and not any(beside(cell, side) in earlier for side in range(4)):
            faults.append(f"{tile.code} at {cell} touched no tile when it was laid")
        earlier.add(cell)
        for side in range(4):
            j = grid.get(beside(cell, side))
            if j is not None and terrain(tile, side) != terrain(tiles[j], (side + 2) % 4):
                faults.append(f"{tile.code} at {cell} does not match its neighbour on side {'NESW'[side]}")
    for follower in position.followers:
        kind = tile_type(tiles[follower.tile].code).segments[follower.segment].kind
        if kind == "river" or (kind == "field" and not options.farmers):
            faults.append(f"a follower stands on a {kind}")
    faults += [f"followers stand in a completed {f.kind}" for f in features if f.complete and any(f.followers)
               and position.phase not in ("deploy", "over")]
    return faults


# ---- legal moves ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RiverEnd:
    """The open end of the river: the cell it flows into, its heading there and its last turn.

    `turn` is 0 after a straight tile, 1 after a right bend, 3 after a left bend.
    """

    cell: Cell
    heading: int
    turn: int
    headings: frozenset[int]


def river_end(tiles: Sequence[PlacedTile]) -> RiverEnd | None:
    """Follow the river from its source; None if there is no river or the lake has closed it."""
    end: RiverEnd | None = None
    for tile in tiles:
        exits = [side for side in range(4) if terrain(tile, side) == "river"]
        if not exits:
            break
        if end is not None:
            exits.remove((end.heading + 2) % 4)
            if not exits:
                return None
        (out,) = exits
        end = RiverEnd(beside((tile.x, tile.y), out), out, (out - end.heading) % 4 if end else 0,
                       (end.headings if end else frozenset()) | {out})
    return end


def makes_u_turn(tiles: Sequence[PlacedTile], tile: PlacedTile, options: CarcassonneOptions) -> bool:
    """Return whether a river tile at the river's end breaks the rule of CAR-11.5 (or CAR-13.4)."""
    end = river_end(tiles)
    exits = [side for side in range(4) if terrain(tile, side) == "river"
             and end is not None and side != (end.heading + 2) % 4]
    if end is None or not exits:
        return False
    turn = (exits[0] - end.heading) % 4
    if options.river_uturn == "immediate":
        return turn != 0 and turn == end.turn
    return options.river_uturn == "monotone" and (exits[0] + 2) % 4 in end.headings


def open_cells(tiles: Sequence[PlacedTile]) -> list[Cell]:
    """Return the empty cells next to a tile, sorted (CAR-5.3, CAR-5.4)."""
    grid = grid_of(tiles)
    return sorted({beside(cell, side) for cell in grid for side in range(4)} - set(grid))


def iter_placements(tiles: Sequence[PlacedTile], code: str,
                    options: CarcassonneOptions) -> Iterator[Placement]:
    """Yield every legal (x, y, rotation) of a tile, ascending (CAR-5.3 to CAR-5.8, CAR-11.4, CAR-11.8)."""
    kind = tile_type(code)
    table = by_cell(tiles)
    cells = open_cells(tiles)
    if kind.set == "river":
        end = river_end(tiles)
        cells = [cell for cell in cells if end is not None and cell == end.cell]
    for x, y in cells:
        for rotation in range(kind.rotations):
            tile = PlacedTile(code, x, y, rotation)
            u_turn = kind.set == "river" and makes_u_turn(tiles, tile, options)
            if not u_turn and not mismatches(table, tile):
                yield x, y, rotation


def legal_placements(tiles: Sequence[PlacedTile], code: str, options: CarcassonneOptions) -> list[Placement]:
    """Return every legal (x, y, rotation) of a tile, sorted."""
    return list(iter_placements(tiles, code, options))


def free_segments(tiles: Sequence[PlacedTile], followers: Iterable[Follower], players: int,
                  options: CarcassonneOptions) -> list[int]:
    """Return the segments of the last tile that are connected to no follower (CAR-6.6, CAR-12.5).

    The function does not check whether the player has a follower left.
    """
    last = len(tiles) - 1
    segments = tile_type(tiles[last].code).segments
    return sorted(s for feature in find_features(tiles, followers, players) if not any(feature.followers)
                  for i, s in feature.segments
                  if i == last and (options.farmers or segments[s].kind != "field"))


# ---- Checks of the debug build: a position and each step to it against the recount


def check_position(position: Position, options: CarcassonneOptions) -> None:
    """Recount a position and compare all figures that follow from the position alone.

    Raises
    ------
    AssertionError
        If tiles do not match, a supply is wrong, or the lists of open cells, placements or free segments
        differ from the recount.
    """
    recounted = recount(position, options)
    same("faults", recounted.faults, ())
    same("supply", position.supply, recounted.supply)
    same("features", [replace(one, points=0) for one in position.features], list(recounted.features))
    if position.phase != "over":
        same("open places", sorted(position.open_places), open_cells(position.tiles))
    code = position.tile_in_hand
    if position.phase == "place" and code is not None:
        same("placements", list(position.placements), legal_placements(position.tiles, code, options))
    if position.phase == "deploy":
        same("free segments", list(position.deploy_segments),
              free_segments(position.tiles, position.followers, position.players, options))
        if not position.supply[position.seat_on_turn]:
            raise AssertionError("a player without followers is asked to deploy")


def check_features(position: Position, listed: Sequence[Mapping[str, float]], options: CarcassonneOptions) -> None:
    """Recount the countable features of all seats, between turns or before a tile is laid.

    Raises
    ------
    AssertionError
        If followers, farmers, or the cities next to farms that a seat holds differ (CAR-7.11, CAR-10.10, CAR-10.11).
    """
    features = find_features(position.tiles, position.followers, position.players)
    farms = [f for f in features if f.kind == "field"]
    for seat, found in enumerate(listed):
        held = {city for farm in farms if seat in majority(farm.followers) for city in farm.cities}
        fed = sum(features[city].complete for city in held)
        same("points", found["points"], position.scores[seat])
        same("followers in hand", found["hand"], position.supply[seat])
        same("farmers", found["farmers"], sum(farm.followers[seat] for farm in farms))
        same("completed cities next to farms", found["fed"], fed)
        same("incomplete cities next to farms", found["pending"], len(held) - fed)


def check_step(before: Position, move: int, after: Position, options: CarcassonneOptions) -> None:
    """Check that a move turned one position into the other: scores, followers, supply, seat on turn.

    Raises
    ------
    AssertionError
        If anything differs from the recount.
    """
    step = decode(move)
    tiles, followers = list(before.tiles), list(before.followers)
    scores = list(before.scores)
    seat = before.seat_on_turn
    discarded = list(before.discarded)
    ended = False                                   # the turn, and with it the scoring, is done
    match step:
        case First(first):
            seat = first
        case Draw(number):
            code = load_tiles()[number].code
            if not legal_placements(tiles, code, options):
                discarded.append(code)
        case Place(number, x, y, rotation):
            code = load_tiles()[number].code
            if (x, y, rotation) not in legal_placements(tiles, code, options):
                raise AssertionError(f"{code} cannot be laid at ({x},{y}) with rotation {rotation}")
            tiles.append(PlacedTile(code, x, y, rotation))
            free = free_segments(tiles, followers, before.players, options)
            ended = not (free and before.supply[seat])
        case Deploy(segment):
            ended = True
            if segment is not None:
                if segment not in free_segments(tiles, followers, before.players, options):
                    raise AssertionError(f"segment {segment} is not free")
                followers.append(Follower(len(tiles) - 1, segment, seat))
    if ended:
        scoring = score_turn(tiles, followers, before.players, options)
        scores = [a + b for a, b in zip(scores, scoring.gains, strict=True)]
        followers = list(scoring.followers)
        seat = (seat + 1) % before.players
    if after.phase == "over":
        recounted = recount(Position(before.players, "over", seat, tuple(tiles), tuple(followers), tuple(scores),
                                     before.supply), options)
        scores = [a + b for a, b in zip(scores, recounted.final_part, strict=True)]
    else:
        same("seat on turn", after.seat_on_turn, seat)
        if isinstance(step, Place):
            same("deployment asked", after.phase == "deploy", not ended)
    same("tiles", list(after.tiles), tiles)
    same("followers", sorted(map(_key, after.followers)), sorted(map(_key, followers)))
    same("scores", list(after.scores), scores)
    same("discarded tiles", sorted(after.discarded), sorted(discarded))


def _key(follower: Follower) -> tuple[int, int, int]:
    return follower.tile, follower.segment, follower.seat
