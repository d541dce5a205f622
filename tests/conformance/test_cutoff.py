"""The `cutoff` of playouts means the same in every game: turns played, including that of the first decision."""

from __future__ import annotations

import random

import pytest

import sfida
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, PythonGame, PythonPosition

CUTOFFS = (0, 1, 2, 3, 7)
OPENINGS = {                            # possible phases of the first decision of a turn
    "carcassonne": {"place"},
    "zarahemla": {"init_settlement", "init_choose", "pre_roll"},
    "risiko": {"setup_place", "trade", "place"},
    "attila": {"play"},
    "acres": {"main", "order", "siege_settle", "siege_loss"},
}


def positions(spec: str, count: int) -> list[GameState]:
    """Return positions of random games, at decisions and at chance events."""
    found: list[GameState] = []
    for k in range(count):
        choose, rng = random.Random(k), Random(k)
        state = sfida.make(spec)
        for _ in range(12 + 9 * k):
            if state.is_over:
                break
            state.apply(state.sample_chance(rng) if state.is_chance else choose.choice(state.candidate_moves()))
        if not state.is_over:
            found.append(state)
    return found


def cut(state: GameState, cutoff: int, informed: int) -> GameState:
    """Return the position in which a playout stops."""
    twin = state.clone()
    twin.random_playout(Random(77), cutoff, informed)
    return twin


def turns_between(start: GameState, end: GameState) -> int:
    if start.turn_number >= 0:
        return end.turn_number - start.turn_number
    discarded = len(end.snapshot()["discarded"]) - len(start.snapshot()["discarded"])
    return int(start.tiles_left - end.tiles_left - discarded)       # in Carcassonne a turn is a tile


@pytest.mark.parametrize("informed", [0, 100])
@pytest.mark.parametrize("spec", [
    "carcassonne", "carcassonne:players=4", "zarahemla:players=3", "zarahemla:trade_mode=none", "risiko:players=3",
    "attila:players=2", "attila:players=4", "acres", "acres:max_turns=none",
])
def test_a_playout_is_cut_after_so_many_turns(spec: str, informed: int) -> None:
    """It stops at the first decision of the next turn; with the same luck, 0 is the first decision of all."""
    name = spec.split(":")[0]
    seen = set()
    for state in positions(spec, 24):
        first = cut(state, 0, informed)
        if first.is_over:
            continue
        if not state.is_chance:
            assert (first.to_move, first.legal_moves()) == (state.to_move, state.legal_moves())
        for cutoff in CUTOFFS:
            end = cut(state, cutoff, informed)
            if end.is_over:
                continue
            wanted = cutoff
            if name == "attila" and cutoff:                     # evaluations compare at turns of one seat
                wanted += -(first.turn_number + cutoff) % state.players
            assert turns_between(first, end) == wanted
            assert end.to_move >= 0
            assert not wanted or end.phase in OPENINGS[name]
            seen.add((state.is_chance, cutoff))
    assert {cutoff for _, cutoff in seen} == set(CUTOFFS)
    assert {luck for luck, _ in seen} == {False, True} or name in ("zarahemla", "attila")


class Relay(PythonPosition):
    """A turn has a step, luck, two more steps, and ends with luck; then the other seat is on turn."""

    __slots__ = ("plies",)

    def __init__(self, options: GameOptions) -> None:
        self.plies = 0

    @property
    def to_move(self) -> int:
        return CHANCE if self.plies % 5 in (1, 4) else self.plies // 5 % 2

    def legal_moves(self) -> list[int]:
        return [0, 1]

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(2, 1), (3, 1)]

    def apply(self, move: int) -> None:
        self.plies += 1

    def utilities(self) -> list[float]:
        return [0.5, 0.5]

    def evaluate(self) -> list[float]:
        share = self.plies / 1000
        return [share, 1 - share]


class RelayGame(PythonGame):
    name = "relay"
    title = "Relay"
    position_class = Relay


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize(("plies", "opening"), [(0, 0), (1, 2), (3, 3), (4, 5), (9, 10)])
def test_turns_of_a_game_in_python_are_changes_of_the_actor(plies: int, opening: int, cutoff: int) -> None:
    state = RelayGame().initial_state()
    for _ in range(plies):
        state.apply(state.sample_chance(Random(1)) if state.is_chance else 0)
    shares, _ = state.random_playout(Random(3), cutoff)
    stop = opening if cutoff == 0 else 5 * (opening // 5 + cutoff)
    assert shares == [stop / 1000, 1 - stop / 1000]
    assert state.position.plies == stop
