"""What is told of a Carcassonne turn: what was completed, who scored for it, and who came home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sfida.engines.carcassonne.explain import city_place, final_lines, tile_place
from sfida.engines.carcassonne.moves import Deploy, Move
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Follower, Position
from sfida.engines.carcassonne.recount import Feature, Scoring, completed_points, majority, score_turn, tile_type
from sfida.engines.carcassonne.words import color, role
from sfida.engines.narration import Effect
from sfida.engines.wording import counted, listed


def effects_of(before: Position, move: Move, after: Position, options: CarcassonneOptions) -> tuple[Effect, ...]:
    """Return what came of a move: features completed at the end of a turn, and at the end of the game the final count.

    Parameters
    ----------
    before, after : Position
    move : Move
        What led from one to the other.
    options : CarcassonneOptions
    """
    effects: list[Effect] = []
    counted_first = after
    if len(after.tiles) > len(before.tiles) and after.phase == "deploy":
        return ()                       # the turn goes on
    if before.phase in ("place", "deploy"):
        followers = before.followers
        if isinstance(move, Deploy) and move.segment is not None:
            followers = (*followers, Follower(len(before.tiles) - 1, move.segment, before.seat_on_turn))
        scoring = score_turn(after.tiles, followers, after.players, options)
        effects += [_completed(after, feature, followers, options) for feature in scoring.completed
                    if any(feature.followers)]
        counted_first = _on_track(before, after, scoring)
    if after.phase == "over" and before.phase != "over":
        effects += _final(counted_first, options)
    return tuple(effects)


def question(position: Position) -> str:
    """Say what the seat to move decides."""
    who, followers = color(position.seat_on_turn), position.supply[position.seat_on_turn]
    if position.phase == "place" and position.tile_in_hand is not None:
        places = len({(x, y) for x, y, _ in position.placements})
        name = tile_type(position.tile_in_hand).name_en.partition(" (")[0]
        return (f"{who} lays tile {position.tile_in_hand}, {name}; it fits on {counted(places, 'place', 'places')}; "
                f"{counted(followers, 'follower', 'followers') if followers else 'no follower'} in hand")
    if position.phase == "deploy":
        left = sum(position.remaining.values()) + sum(position.river_remaining.values())
        return (f"{who} may deploy a follower on the tile just laid; {followers} in hand, "
                f"{counted(left, 'tile', 'tiles')} left")
    return ""


def _on_track(before: Position, after: Position, scoring: Scoring) -> Position:
    """Return the position at the end of the last turn, before the final count."""
    scores = tuple(a + b for a, b in zip(before.scores, scoring.gains, strict=True))
    return replace(after, phase="draw", scores=scores, followers=scoring.followers)


def _completed(position: Position, feature: Feature, followers: Sequence[Follower],
               options: CarcassonneOptions) -> Effect:
    """Tell of one completed feature (CAR-7, CAR-8)."""
    winners = majority(feature.followers)
    points = completed_points(feature, options)
    size = "" if feature.kind == "monastery" else f", {counted(len(feature.tiles), 'tile', 'tiles')}"
    if feature.shields:
        size += f" and {counted(feature.shields, 'shield', 'shields')}"
    where = city_place(position, feature) if feature.kind == "city" else tile_place(position.tiles[min(feature.tiles)])
    who = listed([color(seat) for seat in winners])
    verb = "scores" if len(winners) == 1 else "score"
    each = "" if len(winners) == 1 else " each"
    text = f"{who} {verb} {points}{each} for the {feature.kind} at {where}{size}"
    home = [f"{color(seat)}'s {counted(n, role(feature.kind), _roles(feature.kind))}" if n > 1
            else f"{color(seat)}'s {role(feature.kind)}" for seat, n in enumerate(feature.followers) if n]
    verb = "comes" if sum(feature.followers) == 1 else "come"
    return Effect(f"{text}; {listed(home)} {verb} home", tuple((seat, points) for seat in winners))


def _roles(kind: str) -> str:
    word = role(kind)
    return f"{word[:-1]}ves" if word.endswith("f") else f"{word}s"


def _final(position: Position, options: CarcassonneOptions) -> list[Effect]:
    """Tell of the final count line by line (CAR-10)."""
    return [Effect(f"{color(seat)} scores {points} for the {text}" if points else f"{color(seat)} scores nothing for "
                   f"the {text}", ((seat, points),) if points else ())
            for seat, lines in enumerate(final_lines(position, options)) for text, points in lines]
