"""All seats as PettingZoo environments: PettingZoo's own tests, luck by the seed, secrets kept."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.rng import Random
from sfida.envs import aec_env, parallel_env

pytest.importorskip("pettingzoo")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")                     # it imports its own games, which warn about packages
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

pytestmark = pytest.mark.release_only("no rules: what learners are given")

BOARD_GAMES = ("a_few_acres_of_snow", "attila", "carcassonne", "risiko", "settlers_of_zarahemla")
TINY = ("goofspiel", "kuhn_poker", "leduc_poker", "phantom_tic_tac_toe", "tic_tac_toe")
OPTIONS = ("attila:players=5", "carcassonne:river=true,players=4", "settlers_of_zarahemla:players=4")
GAMES = (*BOARD_GAMES, *OPTIONS, *TINY)
WAYS: tuple[dict[str, Any], ...] = ({}, {"actions": "candidates", "width": 64}, {"observe": "dict", "reward": "points"})


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """Ignore warnings of PettingZoo's tests about intended facts: unbounded features, dict spaces, illegal actions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("way", WAYS, ids=["fixed", "candidates", "dict"])
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_tests_pass(game: str, way: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    make = functools.partial(aec_env, game, **way)
    parallel = functools.partial(parallel_env, game, **way)
    api_test(make(), num_cycles=60)
    seed_test(make, 20)
    parallel_seed_test(parallel, 20)
    parallel_api_test(parallel(), 20)
    render_test(functools.partial(without_pixels, make), {"svg": lambda drawn: drawn.startswith("<svg")})


def test_pettingzoos_render_test_passes_with_pixels() -> None:
    pytest.importorskip("resvg_py")
    render_test(functools.partial(aec_env, "tic_tac_toe"), {"svg": lambda drawn: drawn.startswith("<svg")})


def without_pixels(make: Callable[..., Any], **more: Any) -> Any:
    """Make an environment without pixel rendering, which takes too long for all games."""
    env = make(**more)
    env.metadata["render_modes"] = [mode for mode in env.metadata["render_modes"] if mode != "rgb_array"]
    return env


def played(env: Any, seed: int, most: int = 10_000) -> list[Any]:
    """Play at random to the end; return each agent's observations and actions, and the sum of its rewards."""
    env.reset(seed=seed)
    rng, story, sums = np.random.default_rng(seed), [], dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        seen, reward, ended, cut, _ = env.last()
        sums[agent] += reward
        action = None if ended or cut else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        story.append((agent, {name: np.array(part).tolist() for name, part in seen.items()}, action))
        env.step(action)
    return [story, sums]


@pytest.mark.parametrize("game", ["attila", "carcassonne", "leduc_poker"])
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    env = aec_env(game, actions="candidates")
    first = played(env, 3)
    assert played(aec_env(game, actions="candidates"), 3) == first
    assert played(env, 3) == first
    assert played(env, 4) != first


def test_games_without_a_seed_go_on_from_the_last_one() -> None:
    def first_sights() -> list[Any]:
        env = aec_env("settlers_of_zarahemla", observe="dict")
        found = []
        for seed in (5, None, None):
            env.reset(seed=seed)
            found.append(env.last()[0]["position"])
        return found

    sights = first_sights()
    assert first_sights() == sights
    assert sights[0] != sights[1] != sights[2]


@pytest.mark.parametrize("game", ["attila", "carcassonne", "kuhn_poker"])
def test_rewards_are_the_result(game: str) -> None:
    for reward, total in (("shares", 1.0), ("zero_sum", 0.0)):
        env = aec_env(game, reward=reward, actions="candidates")
        _, sums = played(env, 8)
        assert sum(sums.values()) == pytest.approx(total)
        shares = env.unwrapped.state_of_game.utilities()
        n = len(shares)
        wanted = shares if reward == "shares" else [(n * share - 1) / (n - 1) for share in shares]
        assert list(sums.values()) == pytest.approx(wanted)
    env = aec_env(game, reward="points", actions="candidates")
    env.reset(seed=8)
    start = env.unwrapped.state_of_game.scores()
    _, sums = played(env, 8)
    end = env.unwrapped.state_of_game.scores()
    assert list(sums.values()) == pytest.approx([b - a for a, b in zip(start, end, strict=True)])


@pytest.mark.parametrize("observe", [None, "dict"], ids=["default", "dict"])
@pytest.mark.parametrize("game", [*BOARD_GAMES[:4], OPTIONS[2], *TINY])
def test_no_seat_is_shown_what_it_cannot_know(game: str, observe: str | None) -> None:
    """In all worlds that look alike to a seat its observation is the same, whether it is to move or not."""
    env = aec_env(game, actions="candidates", observe=observe)
    env.reset(seed=2)
    rng, luck = np.random.default_rng(2), Random(9)
    different = 0
    for number, _ in enumerate(env.agent_iter(250)):
        state = env.unwrapped.state_of_game
        if number % (1 if game in TINY else 10) == 0 and not state.is_over:
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                world = state.clone()
                world.determinize(seat, luck)
                different += world != state
                env.unwrapped.state_of_game = world
                try:
                    again = env.observe(agent)
                finally:
                    env.unwrapped.state_of_game = state
                assert all(np.array_equal(part, again[name]) for name, part in seen.items()), (game, seat)
        seen, _, ended, _, _ = env.last()
        env.step(None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert bool(different) == state.hidden


def test_features_are_those_of_learned_knowledge() -> None:
    """The mover's features come first, then those of the next seats, as far as the observer knows them."""
    env = aec_env("attila:players=3")
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        seen, state = env.last()[0], env.unwrapped.state_of_game
        seat = int(agent[-1])
        rows = [list(state.features((seat + after) % 3, seat).values()) for after in range(3)]
        assert seen["observation"] == pytest.approx(np.array(rows, dtype=np.float32))
        env.step(int(np.flatnonzero(seen["action_mask"])[-1]))


@pytest.mark.parametrize("game", [*BOARD_GAMES, "goofspiel"])
def test_candidates_come_with_the_features_of_their_moves(game: str) -> None:
    env = aec_env(game, actions="candidates")
    env.reset(seed=1)
    for _ in env.agent_iter(30 if game in BOARD_GAMES else 6):
        seen, state = env.last()[0], env.unwrapped.state_of_game
        wanted = [row for _, row in sorted(state.move_features())]
        assert seen["moves"][:len(wanted)] == pytest.approx(np.array(wanted, dtype=np.float32), rel=1e-5, abs=1e-5)
        assert not seen["moves"][len(wanted):].any()
        assert seen["action_mask"].sum() == len(wanted)
        env.step(0)


def test_an_illegal_action_changes_nothing_and_is_said_in_one_line() -> None:
    env = aec_env("tic_tac_toe")
    env.reset(seed=0)
    env.step(4)
    before = env.unwrapped.state_of_game.clone()
    for action, message in ((4, "action 4 is not legal for seat 1 here; its action_mask allows 8, such as 0, 1, 2"),
                            (-1, "action -1 is not legal"), ("x", "a whole number from 0 to 8, not 'x'"),
                            (1.5, "a whole number from 0 to 8")):
        with pytest.raises(IllegalMove) as caught:
            env.step(action)
        assert message in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    assert env.unwrapped.state_of_game == before
    env.step(0)
    assert env.agent_selection == "seat_0"


def test_an_illegal_action_may_end_the_game_instead() -> None:
    env = aec_env("tic_tac_toe", illegal_reward=-2.0)
    env.reset(seed=0)
    env.last()
    env.step(4)
    env.last()
    env.step(4)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": 0, "seat_1": -2.0}


@pytest.mark.parametrize(("settings", "message"), [
    ({"observe": "bytes"}, "observe must be one of 'features', 'dict', not 'bytes'"),
    ({"observe": "features"}, "'kuhn_poker' lists no features; right would be observe='dict'"),
    ({"reward": "money"}, "reward must be one of 'shares', 'zero_sum', 'points', not 'money'"),
    ({"render_mode": "3d"}, "render_mode must be one of 'human', 'ansi', 'svg', 'rgb_array', not '3d'"),
    ({"illegal_reward": "much"}, "illegal_reward must be a number, or None to raise IllegalMove, not 'much'"),
    ({"cards": 5}, "unknown option 'cards'"),
])
def test_bad_settings_are_said_in_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        aec_env("kuhn_poker", **settings)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_bad_seeds_and_agents_are_said_in_one_line() -> None:
    env = aec_env("tic_tac_toe")
    for seed in (-1, "seven", 1.5, 2**128):
        with pytest.raises(InvalidOption, match="a seed must be a whole number"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(3))
    with pytest.raises(InvalidOption, match="no agent 'seat_2'; the agents are seat_0, seat_1"):
        env.observe("seat_2")


def test_without_pettingzoo_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from sfida.cython_ext.errors import SfidaError

    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(SfidaError, match=r"needs the package pettingzoo: pip install 'sfida\[envs\]'"):
        aec_env("tic_tac_toe")
