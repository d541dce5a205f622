"""Doors for shown numbers: every figure that people or programs are given, against the behaviour of the core.

A case is a game with random options; one position per phase is checked. The checks for all games are in this
module, those for one game in the module of the game, named in `CHECKS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from sfida.ai.registry import agent
from sfida.cython_ext.rng import Random
from support.fuzzing import acres_numbers, attila_numbers, carcassonne_numbers, risiko_numbers, zarahemla_numbers
from support.fuzzing.case import Case, Door
from support.fuzzing.numbers import Spot, spots

CHECKS: dict[str, tuple[Callable[[Spot], None], ...]] = {
    "carcassonne": carcassonne_numbers.CHECKS,
    "zarahemla": zarahemla_numbers.CHECKS,
    "risiko": risiko_numbers.CHECKS,
    "attila": attila_numbers.CHECKS,
    "acres": acres_numbers.CHECKS,
}
_TOLD = 6                   # moves of a position whose narration is checked
_SCORED = re.compile(r" (scores|loses) (\d+)(?: points?)?\b")


def check_every_game(spot: Spot) -> None:
    """Check the figures that all games show."""
    _groups(spot)
    _secrets(spot)
    _narration(spot)
    _standings(spot)
    if spot.rng.random() < 0.1:
        _analysis(spot)


def _groups(spot: Spot) -> None:
    """Check that the groups of a long list contain each of its moves once."""
    if spot.state.to_move < 0:
        return
    moves = list(spot.state.legal_moves())
    groups = spot.game.move_groups(spot.state, moves)
    if groups:
        spot.equal("moves in groups", sorted(code for group in groups for code in group.moves), sorted(moves))


def _secrets(spot: Spot) -> None:
    """Check that the texts on the mover's moves are the same in another world that is possible for the mover."""
    seat = spot.state.to_move
    if seat < 0 or not spot.state.hidden:
        return
    world = spot.state.view(seat).sample(Random(spot.rng.getrandbits(32)))
    for move in spot.moves(_TOLD):
        spot.equal(f"note of {spot.state.format(move)}", spot.game.move_note(spot.state, move),
                   spot.game.move_note(world, move))
    moves = list(spot.state.legal_moves())
    spot.equal("groups", spot.game.move_groups(spot.state, moves), spot.game.move_groups(world, moves))
    for face in (spot.game.question, spot.game.lesson):
        spot.equal(face.__name__, face(spot.state, seat), face(world, seat))
    for other in range(spot.state.players):
        spot.equal(f"standing of seat {other}", spot.game.standing(spot.state, other, seat),
                   spot.game.standing(world, other, seat))


def _narration(spot: Spot) -> None:
    """Check that the points of an event are the change of the shown scores, and the points in its words."""
    players = spot.state.players
    for move in spot.moves(_TOLD):
        after, viewer = spot.after(move), spot.rng.choice((None, *range(players)))
        told = spot.game.narrate(spot.state, move, after, viewer)
        change = [new - old for old, new in zip(spot.state.scores(), after.scores(), strict=True)]
        if any(abs(a - b) > 1e-9 for a, b in zip(told.gains(players), change, strict=True)):
            spot.fail(f"points of {spot.state.format(move)}: told {told.gains(players)}, true {change}: {told}")
        for effect in told.effects:
            said = _SCORED.search(effect.text)
            if said and effect.points:
                points = [abs(points) for _seat, points in effect.points]
                if float(said[2]) not in points:
                    spot.fail(f"'{effect.text}' stands for {effect.points}")


def _standings(spot: Spot) -> None:
    """Check that the points in another seat's standing are its shown score, unless the turn is counted to its end."""
    scores = spot.state.scores()
    public = spot.game.name != "carcassonne" and not spot.state.is_over
    for seat in range(spot.state.players):
        viewer = (seat + 1) % spot.state.players
        for term in spot.game.standing(spot.state, seat, viewer):
            if not math.isfinite(term.value):
                spot.fail(f"standing of seat {seat}: {term}")
            if public and term.name == "points":
                spot.equal(f"points in the standing of seat {seat}", term.value, scores[seat])


def _analysis(spot: Spot) -> None:
    """Check that a search shows no win probability of a move that it never tried."""
    if spot.state.to_move < 0 or len(spot.state.legal_moves()) < 2:
        return
    spec = f"{spot.rng.choice(('ismcts', 'mo-ismcts', 'pimc', 'flat'))}:iterations={spot.rng.choice((1, 3, 30))}"
    found = agent(spec, spot.rng.getrandbits(32)).analyze(spot.state.view(spot.state.to_move))
    if abs(sum(found.value) - 1.0) > 1e-6:
        spot.fail(f"the expected win shares are {found.value}")
    for stats, data in zip(found.moves, found.to_json()["moves"], strict=True):
        if not stats.visits and found.stopped != "solved":
            spot.equal(f"what {spec} says of {stats.move}, which it did not try",
                       (stats.value, data["value"], data["values"], data["lcb"], data["share"]), (None,) * 4 + (0,))
        elif abs(sum(stats.values) - 1.0) > 1e-6:
            spot.fail(f"after {stats.move} the expected win shares are {stats.values}")


def _numbers(name: str) -> Callable[[Case], None]:
    def run(case: Case) -> None:
        for spot in spots(case, name):
            check_every_game(spot)
            for check in CHECKS[name]:
                check(spot)
    return run


DOORS = tuple(Door(f"numbers-{name}", f"numbers shown in {name}, against the core", _numbers(name), share=0.1, short=4)
              for name in CHECKS)
