"""Checks of the debug build: a position and each step to it against the recount."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sfida.engines.carcassonne.moves import Deploy, Draw, First, Place, decode
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Follower, PlacedTile, Position, majority
from sfida.engines.carcassonne.recount import (
    find_features,
    free_segments,
    legal_placements,
    open_cells,
    recount,
    score_turn,
)
from sfida.engines.carcassonne.tiles import load_tiles
from sfida.engines.comparing import same


def check_position(position: Position, options: CarcassonneOptions) -> None:
    """Recount a position and compare all that can be told from it alone.

    Raises
    ------
    AssertionError
        If tiles do not match, a supply is wrong, or the lists of open cells, placements or free segments
        differ from the recount.
    """
    anew = recount(position, options)
    same("faults", anew.faults, ())
    same("supply", position.supply, anew.supply)
    same("features", [replace(one, points=0) for one in position.features], list(anew.features))
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
    """Recount what can be counted of the features of all seats, between turns or before a tile is laid.

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
    """Check that a move turned one position into the other: scores, followers, supply, whose turn.

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
        anew = recount(Position(before.players, "over", seat, tuple(tiles), tuple(followers), tuple(scores),
                                before.supply), options)
        scores = [a + b for a, b in zip(scores, anew.final_part, strict=True)]
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
