"""Numbers that Carcassonne shows, computed by playing: points, followers, gaps, tiles left, the final count."""

from __future__ import annotations

import re

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.carcassonne.narration import final_lines
from sfida.engines.carcassonne.position import Deploy, Draw, Place, decode, encode
from sfida.engines.carcassonne.style import color
from sfida.engines.carcassonne.tables import load_tiles
from support.fuzzing.numbers import Spot, number_at

_LISTED = 12                # moves of a position that are played
_PLAYED_ON = 6              # games continued from a feature that can never be completed
_DONE = re.compile(r"(?:city|road|monastery) done: (\d+) for ([^;]+)")
_ODDS = re.compile(r"(none|\d+) of (\d+) tiles? left completes? it")
_NEVER = "can never be completed"


def check(spot: Spot) -> None:
    """Compare all figures shown at a position of Carcassonne with the core."""
    _final_count(spot)
    _left(spot)
    state = spot.state
    if state.is_chance:
        for code in state.legal_moves():
            move = decode(code)
            if isinstance(move, Draw):
                said = state.game.describe_move(state, code)
                spot.equal(said, "it fits nowhere" in said, spot.after(code).is_chance or spot.after(code).is_over)
        return
    if state.is_over:
        return
    _question(spot)
    _lesson(spot)
    for code in spot.moves(_LISTED):
        match decode(code):
            case Place():
                _placement(spot, code)
            case Deploy(int(segment)):
                _deployment(spot, code, segment)
    _standing(spot)


def without_follower(state: GameState) -> GameState:
    """Return the position at the end of the turn if no follower is deployed."""
    if state.phase != "deploy":
        return state
    state = state.clone()
    state.apply(encode(Deploy(None)))
    return state


def points_of(state: GameState) -> list[int]:
    """Return the points on the track, without the points of the final count."""
    return [int(points) for points in state.final_scores_now()["scores"]]


# ---- moves ------------------------------------------------------------------------------------------


def _placement(spot: Spot, code: int) -> None:
    """Check the features that a tile completes, and the tiles left that complete features with one gap."""
    state, note = spot.state, spot.game.move_note(spot.state, code)
    laid = spot.after(code)
    end = without_follower(laid)
    gains = [new - old for old, new in zip(points_of(state), points_of(end), strict=True)]
    told = [0] * state.players
    text = f"{state.format(code)}: {note}"
    for points, whose in _DONE.findall(note):
        if whose == "a follower on it":
            at_once = [_at_once(laid, move) for move in laid.legal_moves()] if laid.phase == "deploy" else []
            if int(points) not in at_once:
                spot.fail(f"{text}, but followers bring {at_once}")
            continue
        for seat in range(state.players):
            if re.search(rf"\b{color(seat)}\b", whose):
                told[seat] += int(points)
    if note.count(";") < 1:
        spot.equal(f"points by {text}", told, gains)
    elif any(a > b for a, b in zip(told, gains, strict=True)):
        spot.fail(f"points by {text}: told {told}, true {gains}")
    for owners, _kind, odds in re.findall(r"((?:\w+'s(?:, | and )?)+) (city|road|monastery): ([^;]+)", note):
        _odds(spot, text, end, odds, [seat for seat in range(state.players) if color(seat) in owners])


def _at_once(laid: GameState, move: int) -> int:
    """Return the extra points at the end of the turn from deploying a follower now."""
    seat = int(laid.to_move)
    after = laid.clone()
    after.apply(move)
    return points_of(after)[seat] - points_of(without_follower(laid))[seat]


def _deployment(spot: Spot, code: int, segment: int) -> None:
    state, note = spot.state, spot.game.move_note(spot.state, code)
    seat, after = int(state.to_move), spot.after(code)
    text = f"{state.format(code)}: {note}"
    at_once = number_at(r"^(\d+) points? at once", note) or 0
    spot.equal(f"points at once by {text}", at_once, _at_once(state, code))
    if "so far" in note:
        count = [position.final_scores_now()["farms"][seat] for position in (without_follower(state), after)]
        spot.equal(f"farm by {text}", number_at(r"^(\d+) points? so far", note) or 0, count[1] - count[0])
        return
    if at_once:
        return
    _odds(spot, text, after, note, [seat], (len(state.snapshot()["tiles"]) - 1, segment))
    if gaps := number_at(r"^(\d+) gaps", note):
        _code, x, y, _rotation = state.snapshot()["tiles"][-1]
        laid = {(column, row) for _code, column, row, _rotation in state.snapshot()["tiles"]}
        if _kind(state, segment) == "monastery":
            spot.equal(text, gaps, sum((x + i, y + j) not in laid for i in (-1, 0, 1) for j in (-1, 0, 1)))


def _kind(state: GameState, segment: int) -> str:
    code = state.snapshot()["tiles"][-1][0]
    return next(tile for tile in load_tiles() if tile.code == code).segments[segment].kind


def _odds(spot: Spot, text: str, end: GameState, odds: str, owners: list[int],
          node: tuple[int, int] | None = None) -> None:
    """Check the odds that a tile left, laid in some gap, returns followers of the owners."""
    if _NEVER in odds:
        if node is not None:
            _stays(spot, text, end, owners[0], node)
        return
    found = _ODDS.search(odds)
    if found is None:
        return
    spot.equal(f"tiles left by {text}", int(found[2]), end.tiles_left)
    raw = end.snapshot()
    best = 0 if found[1] == "none" else int(found[1])
    homes: dict[tuple[int, int], int] = {}
    for code, copies in {**raw["remaining"], **raw["river_remaining"]}.items():
        number = next(i for i, tile in enumerate(load_tiles()) if tile.code == code)
        if end.is_over or not end.can_place(number):
            continue
        drawn = end.clone()
        drawn.setup_turn(owners[0], number)
        cells = set()
        for move in drawn.legal_moves():
            laid = decode(move)
            after = drawn.clone()
            after.apply(move)
            after = without_follower(after)
            left = after.snapshot()
            home = (all(left["supply"][seat] > raw["supply"][seat] for seat in owners) if node is None
                    else (*node, owners[0]) not in left["followers"])
            if home and isinstance(laid, Place):
                cells.add((laid.x, laid.y))
        for cell in cells:
            homes[cell] = homes.get(cell, 0) + copies
    if (best > max(homes.values(), default=0)) if node is None else ([best] if best else []) != [*homes.values()]:
        spot.fail(f"{text}: shown {best}, true by gap {homes}")


def _stays(spot: Spot, text: str, end: GameState, seat: int, node: tuple[int, int]) -> None:
    """Check that a follower in a feature that can never be completed stays there in every continuation."""
    rng = Random(spot.rng.getrandbits(32))
    for _ in range(_PLAYED_ON):
        state = end.clone()
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            moves = state.candidate_moves()
            state.apply(moves[rng.below(len(moves))])
        if (*node, seat) not in state.snapshot()["followers"]:
            spot.fail(f"{text}, but it was")


# ---- texts ------------------------------------------------------------------------------------------


def _question(spot: Spot) -> None:
    state, raw = spot.state, spot.state.snapshot()
    said = spot.game.question(state, int(state.to_move))
    held = number_at(r"(\d+) followers? in hand", said) or number_at(r"; (\d+) in hand", said) or 0
    spot.equal(said, held, raw["supply"][int(state.to_move)])
    if state.phase == "place":
        places = {(move.x, move.y) for move in map(decode, state.legal_moves()) if isinstance(move, Place)}
        spot.equal(said, number_at(r"fits on (\d+) place", said), len(places))
        groups = spot.game.move_groups(state, state.legal_moves())
        spot.equal("places", sorted(group.name for group in groups), sorted(f"{x},{y}" for x, y in places))
    else:
        spot.equal(said, number_at(r"(\d+) tiles? left", said), state.tiles_left)


def _left(spot: Spot) -> None:
    """Check that the tiles listed as left are those drawn to the end of the game."""
    state, raw = spot.state, spot.state.snapshot()
    stacks = {**raw["remaining"], **raw["river_remaining"]}
    spot.equal("tiles left", sum(raw["remaining"].values()) + sum(raw["river_remaining"].values()), state.tiles_left)
    status = spot.game.status_text(state)
    for kind, stack in (("land", raw["remaining"]), ("river", raw["river_remaining"])):
        if shown := number_at(rf"(\d+) {kind} tiles? left", status):
            spot.equal(f"{kind} tiles left", shown, sum(stack.values()))
    listed = re.findall(r"\b([A-Z]{1,2}|[A-Z]\d?)(\d+)\b", status.partition("left:")[2].partition("\n\n")[0])
    for code, copies in listed:
        if code in stacks:
            spot.equal(f"tiles {code} left", int(copies), stacks[code])
    if state.is_chance and isinstance(decode(state.legal_moves()[0]), Draw):
        for move, weight in state.chance_outcomes():
            drawn = decode(move)
            assert isinstance(drawn, Draw)
            spot.equal(f"copies of {load_tiles()[drawn.tile].code}", stacks.get(load_tiles()[drawn.tile].code), weight)
    for code, copies in re.findall(r"\b([A-Z]{1,2}|[A-Z]\d?) ×(\d+)", spot.game.stock_text(state)):
        if code in stacks:
            spot.equal(f"tiles {code} in the stock", int(copies), stacks[code])
    rng, playing, drawn_tiles = Random(spot.rng.getrandbits(32)), state.clone(), 0
    while not playing.is_over:
        moves = playing.candidate_moves() if not playing.is_chance else [playing.sample_chance(rng)]
        move = moves[rng.below(len(moves))]
        drawn_tiles += isinstance(decode(move), Draw)
        playing.apply(move)
    spot.equal("tiles drawn to the end", drawn_tiles, state.tiles_left)


def _final_count(spot: Spot) -> None:
    """Check that the lines of the final count add up to the core's count, and at the end to the scores."""
    state = spot.state
    if state.phase in ("deploy", "first"):
        return
    count = state.final_scores_now()
    lines = final_lines(spot.game.position(state), spot.game.options)
    for seat in range(state.players):
        told = sum(points for _text, points in lines[seat])
        if state.is_over:
            during = state.scores()[seat] - told
            spot.equal(f"points of seat {seat} during play", during, count["scores"][seat])
        spot.equal(f"final count of seat {seat}", told, count["final"][seat] - count["scores"][seat])
    if not state.is_over:
        return
    said = spot.game.explain_scores(state)
    for seat in range(state.players):
        line = next(line for line in said if line.startswith(f"{color(seat)}: "))
        spot.equal(line, number_at(r": (-?\d+) point", line), state.scores()[seat])


def _standing(spot: Spot) -> None:
    """Check that the terms of a standing add up to the final count at the end of the turn."""
    end = without_follower(spot.state)
    count = end.final_scores_now()
    for seat in range(end.players):
        terms = {term.name: term.value for term in spot.game.standing(spot.state, seat, seat)}
        points = [value for name, value in terms.items() if name == "points" or name.startswith("points waiting")]
        spot.equal(f"points of seat {seat} that are counted", sum(points), count["final"][seat])
        spot.equal(f"followers of seat {seat} in hand", terms["followers in hand"], end.snapshot()["supply"][seat])


def _lesson(spot: Spot) -> None:
    """Check that lessons on immediate points, the last follower or farmers alone are given only where they apply."""
    state = spot.state
    lesson = spot.game.lesson(state, int(state.to_move))
    if lesson is None or state.phase != "deploy":
        return
    moves = [move for move in state.legal_moves() if decode(move) != Deploy(None)]
    at_once = any(_at_once(state, move) for move in moves)
    spot.equal("lesson about points at once", lesson.key == "completed", at_once)
    if lesson.key == "last_follower":
        spot.equal("followers in hand", state.snapshot()["supply"][int(state.to_move)], 1)
    kinds = {_kind(state, move.segment) for move in map(decode, moves)
             if isinstance(move, Deploy) and move.segment is not None}
    if lesson.key in ("farm", "monastery"):
        spot.equal(f"lesson {lesson.key}", kinds == {"field"} if lesson.key == "farm" else "monastery" in kinds, True)


CHECKS = (check,)
