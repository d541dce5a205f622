"""Thousands of games as arrays: the games are complete and legal, and an agent plays as it does at a table."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import sfida
from sfida.ai.greedy import GreedyAgent, GreedyOptions
from sfida.ai.research.batch import GameBatch, batch
from sfida.cython_ext.errors import InvalidOption, SfidaError, UnknownAgent
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.examples.tic_tac_toe import TicTacToePosition
from sfida.engines.registry import make_game

FIVE = {"carcassonne": 2, "settlers_of_zarahemla:players=3": 3, "risiko:players=3": 3, "attila:players=2": 2,
        "a_few_acres_of_snow": 2}
GAMES = {**FIVE, "tic_tac_toe": 2, "leduc_poker": 2, "phantom_tic_tac_toe": 2}


def replayed(games: GameBatch, number: int, look: object = None) -> GameState:
    """Play a game of a batch again; `look` is called with the index of each decision, the state and the move."""
    state = make_game(games.game).initial_state()
    for ply in range(games.starts[number], games.starts[number + 1]):
        assert state.to_move == games.seats[ply]
        if not state.is_chance:
            assert len(state.legal_moves()) == games.choices[ply]
            if look is not None and games.choices[ply] > 1:
                look(int(np.searchsorted(games.decisions, ply)), state, int(games.moves[ply]))
        state.apply(int(games.moves[ply]))
    return state


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_games_are_whole_and_end_as_they_say(game: str, agent: str) -> None:
    games = batch(game, [agent] * GAMES[game], 3, seed=8)
    assert len(games) == 3
    assert games.starts[-1] == len(games.moves) == len(games.seats) == len(games.choices)
    assert list(games.decisions) == [ply for ply, many in enumerate(games.choices) if many > 1]
    for number in range(3):
        end = replayed(games, number)
        assert end.is_over
        assert list(games.shares[number]) == list(end.utilities())
        assert list(games.scores[number]) == list(end.scores())
    assert (games.choices[games.seats < 0] == 0).all()


@pytest.mark.parametrize("game", FIVE, ids=lambda game: game.split(":")[0])
def test_what_is_kept_of_a_decision_is_what_its_seat_knows(game: str) -> None:
    games = batch(game, ["random"] * FIVE[game], 1, seed=3, features=True, observations=True)
    names = make_game(game).initial_state().feature_names
    assert games.features.shape == (len(games.decisions), FIVE[game], len(names))

    def look(index: int, state: GameState, move: int) -> None:
        seat = state.to_move
        assert bytes(games.observations[index]) == state.view(seat).key()
        for other in range(state.players):
            assert list(games.features[index, other]) == list(state.features(other, seat).values())

    replayed(games, 0, look)


@pytest.mark.parametrize("game", ["carcassonne", "tic_tac_toe"])
def test_greedy_takes_what_the_agent_would(game: str) -> None:
    games = batch(game, ["greedy", "random"], 2, seed=5)
    seen = 0

    def look(index: int, state: GameState, move: int) -> None:
        nonlocal seen
        if state.to_move == 0:
            view, seen = state.view(0), seen + 1
            assert any(GreedyAgent(GreedyOptions(), seed).choose(view) == move for seed in range(200))

    for number in range(2):
        replayed(games, number, look)
    assert seen > 5


@pytest.mark.parametrize("game", [game for game in FIVE if game != "carcassonne"], ids=lambda game: game.split(":")[0])
def test_rules_of_play_are_followed(game: str) -> None:
    def look(index: int, state: GameState, move: int) -> None:
        state = state.clone()
        state.set_knowledge(None)
        priors = dict(state.move_priors())
        win = state.winning_move()
        assert priors[move] == max(priors.values()) if win is None else move == win

    replayed(batch(game, ["greedy"] * FIVE[game], 1, seed=5), 0, look)


def test_random_moves_are_uniform() -> None:
    games = batch("tic_tac_toe", ["random", "random"], 9000, seed=1)
    counts = np.unique(games.moves[games.starts[:-1]], return_counts=True)[1]
    assert len(counts) == 9
    assert ((counts - 1000.0) ** 2 / 1000.0).sum() < 26.1          # chi-square, 8 degrees of freedom: 1 in 1000


@pytest.mark.parametrize("agents", [["random", "greedy"], ["ismcts:iterations=20", "random"]])
def test_threads_change_nothing(agents: list[str]) -> None:
    one, three = (batch("leduc_poker", agents, 150, seed=4, threads=threads) for threads in (1, 3))
    for name in ("starts", "moves", "seats", "shares"):
        assert np.array_equal(getattr(one, name), getattr(three, name))
    assert not np.array_equal(one.moves, batch("leduc_poker", agents, 150, seed=5).moves)


@pytest.mark.parametrize(("games", "iterations"), [(100_000, 50), (4, 100_000_000)], ids=["many", "long"])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_games_without_python_at_once(games: int, iterations: int, threads: int) -> None:
    agents = [f"ismcts:iterations={iterations}"] * 2
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        batch("attila:players=2", agents, games, seed=1, threads=threads)
    assert time.monotonic() - started < 20.0
    timer.join()
    spent = time.process_time()                         # nothing goes on in the background
    time.sleep(0.3)
    assert time.process_time() - spent < 0.25


def test_other_agents_play_as_at_a_table() -> None:
    agents = ["ismcts:iterations=20", "greedy"]
    games = batch("leduc_poker", agents, 2, seed=9)
    for number in range(2):
        record = sfida.play("leduc_poker", agents, seed=derive(9, number))
        state = make_game("leduc_poker").initial_state()
        for text in record.moves:
            state.apply(state.parse(text))
        assert list(games.shares[number]) == list(state.utilities())
        assert games.starts[number + 1] - games.starts[number] == len(record.moves)


@pytest.mark.parametrize(("given", "says"), [
    ({"n": 0}, "n must be a whole number from 1 to 100000000, not 0"),
    ({"n": True}, "n must be a whole number"),
    ({"threads": 65}, "threads must be a whole number from 1 to 64, not 65"),
    ({"seed": -1}, "seed"),
    ({"agents": "random"}, "agents must be a list of specs"),
    ({"agents": ["random"]}, "needs a list of 2 agents"),
])
def test_what_cannot_be_is_refused(given: dict, says: str) -> None:
    with pytest.raises(InvalidOption, match=says):
        batch(**{"game": "tic_tac_toe", "agents": ["random", "random"], "n": 1, **given})


def test_unknown_agents_and_people_are_refused() -> None:
    with pytest.raises(UnknownAgent):
        batch("tic_tac_toe", ["randm", "random"], 1)
    with pytest.raises(SfidaError, match="nobody to ask"):
        batch("tic_tac_toe", ["human", "random"], 1)


def test_a_failure_of_a_python_game_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TicTacToePosition, "apply", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        batch("tic_tac_toe", ["random", "random"], 1)
