"""Information from play about hidden objectives of RisiKo! (RIS-16), which shown cards do not erase."""

from __future__ import annotations

import numpy as np
import pytest

import sfida
from sfida.ai.beliefs import BeliefOptions, ParticleFilter
from sfida.ai.beliefs.particles import LastingTypes
from sfida.ai.chance import SeededChance
from sfida.ai.seat import observations
from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make_game

GAME = make_game("risiko:players=3")


def play(seed: int, rounds: int) -> tuple[RisikoState, list[int]]:
    """Play some rounds between three `greedy`; return the position and the codes."""
    state, luck, codes = GAME.initial_state(), SeededChance(derive(7, seed)), []
    agents = [sfida.agent("greedy", seed=derive(9, seed, i)) for i in range(3)]
    assert isinstance(state, RisikoState)
    while not state.is_over and state.snapshot()["round"] < rounds:
        seat = state.to_move
        codes.append(luck.draw(state) if state.is_chance else agents[seat].choose(state.view(seat)))
        state.apply(codes[-1])
    return state, codes


def chance_of_truth(state: RisikoState, worlds: list[RisikoState]) -> float:
    """Return the mean probability of the true objectives of seats 1 and 2."""
    return sum(world.objective(i) == state.objective(i) for world in worlds for i in (1, 2)) / (2 * len(worlds))


@pytest.mark.release_only("thousands of moves of 128 worlds, each recounted")
@pytest.mark.rule("RIS-16.5")
def test_play_tells_of_objectives() -> None:
    believed, uniform = [], []
    for seed in range(4):
        state, codes = play(seed, 1)
        belief = ParticleFilter(0, BeliefOptions(particles=128), 1)
        for event in observations(GAME, codes, 0):
            belief.observe(event)
        view, rng = state.view(0), Random(3)
        believed.append(chance_of_truth(state, belief.worlds(view, 128, rng)))
        uniform.append(chance_of_truth(state, [view.sample(rng) for _ in range(128)]))
    assert sum(believed) > 1.5 * sum(uniform)


def test_new_worlds_are_chosen_by_lasting_secrets() -> None:
    state, _ = play(0, 2)
    view, rng = state.view(0), Random(5)
    worlds = [view.sample(rng) for _ in range(400)]
    wanted = worlds[0].objective(1)
    weights = np.array([float(world.objective(1) == wanted) for world in worlds])
    types = LastingTypes(worlds, weights, 0, 0.9)
    assert types.known
    assert GAME.private_type(worlds[0], 1) == worlds[0].rules.objectives[wanted]
    fresh = [view.sample(rng) for _ in range(400)]
    weighed = np.array(types.weigh(fresh))
    right = np.array([world.objective(1) == wanted for world in fresh])
    assert weighed[right].sum() / weighed.sum() == pytest.approx(0.9, abs=0.03)
    assert weighed.min() > 0.0


def test_games_without_lasting_secrets_have_none() -> None:
    poker = make_game("leduc_poker")
    state = poker.initial_state()
    assert poker.private_type(state, 0) is None
