"""One seat against agents as a Gymnasium environment."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import sfida
from sfida.cython_ext.errors import IllegalMove, InvalidOption, SfidaError, UnknownAgent
from sfida.envs import aec_env, one_seat_env

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection

pytestmark = pytest.mark.release_only("no rules: what learners are given")

GAMES = ("a_few_acres_of_snow", "attila:players=5", "carcassonne", "risiko", "settlers_of_zarahemla:players=3",
         "goofspiel", "kuhn_poker", "tic_tac_toe")


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_check_passes(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                 # about unbounded features and dict spaces
        check_env(one_seat_env(game, render_mode="ansi"))
        check_env(one_seat_env(game, "greedy" if ":" in game else "random", actions="candidates", seat=None))


@pytest.mark.parametrize("game", ["carcassonne", "kuhn_poker"])
def test_pixels_are_those_of_the_picture(game: str) -> None:
    pytest.importorskip("resvg_py")
    env = one_seat_env(game, render_mode="rgb_array")
    frames = []
    for seed in (4, 4, 5):
        seen, _ = env.reset(seed=seed)
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        frames.append(env.render())
    for frame in frames:
        assert frame.shape[1:] == (800, 3)
        assert frame.dtype == np.uint8
        assert frame.std() > 5, "nothing is drawn"
    assert np.array_equal(frames[0], frames[1])
    assert not np.array_equal(frames[0], frames[2])


def test_a_film_can_be_made() -> None:
    pytest.importorskip("resvg_py")
    env = RenderCollection(one_seat_env("tic_tac_toe", render_mode="rgb_array"))
    seen, _ = env.reset(seed=1)
    ended, moves = False, 0
    while not ended:
        seen, _, ended, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        moves += 1
    assert len(env.render()) == moves + 1


def finish(env: Any, seed: int | None) -> tuple[float, dict[str, Any], list[Any]]:
    """Play the first legal action to the end; return the sum of rewards, the final info and the observations."""
    seen, _ = env.reset(seed=seed)
    total, ended, told, sights = 0.0, False, {}, [seen]
    while not ended:
        seen, reward, ended, cut, told = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert not cut
        total += reward
        sights.append(seen)
    return total, told, sights


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_game_is_that_of_a_table(seat: int) -> None:
    """An agent that takes the same moves at `sfida.play` meets the same luck and the same answers."""

    class First:
        spec = "human"

        def choose(self, view: sfida.View) -> int:
            return int(view.legal_moves()[0])

    env = one_seat_env("attila:players=3", ["greedy", "random"], seat=seat)
    total, told, _ = finish(env, 11)
    agents: list[Any] = ["greedy", "random"]
    agents.insert(seat, First())
    record = sfida.play("attila:players=3", agents, seed=11)
    assert env.unwrapped.record() == record
    assert total == pytest.approx(told["utilities"][seat])


def test_games_follow_one_another_by_the_seed() -> None:
    def records() -> list[Any]:
        env = one_seat_env("leduc_poker", "random", seat=None)
        found = []
        for seed in (3, None, None, None):
            finish(env, seed)
            found.append((env.unwrapped.seat, env.unwrapped.record()))
        return found

    first = records()
    assert records() == first
    assert {seat for seat, _ in first} == {0, 1}
    assert len({record.seed for _, record in first}) == 4


def test_agents_that_search_and_listen_may_be_opponents() -> None:
    env = one_seat_env("kuhn_poker", "mo-ismcts:iterations=50,beliefs=20", reward="zero_sum")
    total, told, _ = finish(env, 5)
    assert total == pytest.approx(2 * told["utilities"][0] - 1)
    env.close()


def test_agents_that_may_not_play_another_game_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    from sfida.ai.agent import RandomAgent

    made = []

    class OnlyOnce(RandomAgent):
        reusable = False

        def __init__(self, options: Any = None, seed: int = 0) -> None:
            super().__init__(options, seed)
            made.append(self)

    monkeypatch.setattr("sfida.envs.spaces.make_agent", lambda spec: OnlyOnce())
    env = one_seat_env("tic_tac_toe", "random")
    for seed in (1, 2, 3):
        finish(env, seed)
    assert len(made) == 3


def test_points_add_up_to_the_score() -> None:
    env = one_seat_env("carcassonne", "greedy", reward="points")
    total, told, _ = finish(env, 2)
    assert total == told["scores"][0]


def test_masks_are_at_hand_for_algorithms_that_mask() -> None:
    env = one_seat_env("tic_tac_toe")
    seen, _ = env.reset(seed=1)
    assert env.unwrapped.action_masks().tolist() == [bool(one) for one in seen["action_mask"]]


def test_actions_have_their_notation() -> None:
    env = one_seat_env("tic_tac_toe", illegal_reward=None)
    assert env.unwrapped.action_texts() == {}
    env.reset(seed=1)
    texts = env.unwrapped.action_texts()
    env.step(next(action for action, text in texts.items() if text == "b2"))
    assert "b2" not in env.unwrapped.action_texts().values()
    assert "b2" in env.unwrapped.record().moves
    seats = aec_env("carcassonne", actions="candidates")
    seats.reset(seed=1)
    state = seats.unwrapped.state_of_game
    assert list(seats.unwrapped.action_texts().values()) == [state.format(move) for move in state.candidate_moves()]


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    env = one_seat_env("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    _, reward, ended, _, told = env.step(4)
    assert (reward, ended) == (-1.0, True)
    assert told["illegal"].startswith("action 4 is not legal for seat 0 here; its action_mask allows ")
    with pytest.raises(SfidaError, match="call reset"):
        env.step(0)
    strict = one_seat_env("tic_tac_toe", illegal_reward=None)
    strict.reset(seed=1)
    strict.step(4)
    with pytest.raises(IllegalMove, match="action 4 is not legal"):
        strict.step(4)
    assert not strict.step(int(np.flatnonzero(strict.unwrapped.action_masks())[0]))[2]


@pytest.mark.parametrize(("opponents", "settings", "error", "message"), [
    (["random"], {"players": 3}, InvalidOption, "needs 2 opponents, not 1; one agent alone stands for all"),
    ("human", {}, InvalidOption, "a person cannot sit at a learner's table"),
    ("nobody", {}, UnknownAgent, "nobody"),
    ("random", {"seat": 3}, InvalidOption, "seat must be 0..1, or None for any, not 3"),
    ("random", {"reward": "fame"}, InvalidOption, "reward must be one of"),
    ([], {}, InvalidOption, "opponents, not 0"),
])
def test_bad_settings_are_said_in_one_line(opponents: Any, settings: dict[str, Any], error: type[SfidaError],
                                           message: str) -> None:
    with pytest.raises(error) as caught:
        one_seat_env("carcassonne", opponents, **settings)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_the_number_of_opponents_sets_that_of_players() -> None:
    env = one_seat_env("carcassonne", ["random", "greedy", "random"])
    assert env.unwrapped.game.players == 4
