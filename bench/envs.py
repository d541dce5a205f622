"""Steps a second of learning environments: Sfida's games beside their engine, PettingZoo's classic games and OpenSpiel.

    python bench/envs.py                                    2 seconds a figure, some minutes in all
    python bench/envs.py --seconds 0.2 --only carcassonne

A step is one decision of a random game: the observation and the mask are read, a legal action is drawn and played, and
luck is played through; new games included. `engine` is the core alone, called from Python: legal moves, a move, luck.
`playout` is the same in C, without observations. Seconds are CPU time of one process. Environments that are not
installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import sfida
from sfida.cython_ext.measure import count_playout_moves, time_playouts
from sfida.cython_ext.observing import play_luck
from sfida.cython_ext.rng import Random
from sfida.envs import aec_env, one_seat_env, register_in_openspiel

BOARD_GAMES = ("carcassonne", "attila", "settlers_of_zarahemla", "risiko", "a_few_acres_of_snow")
TINY = ("tic_tac_toe", "leduc_poker")
CLASSIC = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "chess_v6")
SPIEL = ("tic_tac_toe", "connect_four", "leduc_poker", "gin_rummy", "backgammon", "chess")


def per_second(steps: Iterator[None], seconds: float) -> float:
    """Return how many steps are made in a second of CPU time, after some to get going."""
    for _ in range(20):
        next(steps)
    begun, count = time.process_time(), 0
    while (passed := time.process_time() - begun) < seconds:
        for _ in range(10):
            next(steps)
        count += 10
    return count / passed


def engine(game: str) -> Iterator[None]:
    """Play random games with the core."""
    luck, start = Random(1), sfida.make(game)
    while True:
        state = start.clone()
        play_luck(state, luck)
        while not state.is_over:
            state.apply(random.choice(state.legal_moves()))
            play_luck(state, luck)
            yield


def playouts(game: str, seconds: float) -> float:
    """Return the decisions a second of playouts in C."""
    start, rng = sfida.make(game), Random(2)
    games, spent = time_playouts(start, rng, seconds)
    return games * count_playout_moves(start, rng, 50) / spent


def drawn(mask: Any) -> int:
    """Return a legal action."""
    return int(random.choice(np.flatnonzero(mask.astype(np.bool_))))      # far faster than of the bytes


def aec(env: Any) -> Iterator[None]:
    """Play random games in a PettingZoo environment."""
    seed = 0
    while True:
        seed += 1
        env.reset(seed=seed)
        for _ in env.agent_iter():
            seen, _, ended, cut, info = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(drawn(seen["action_mask"] if "action_mask" in seen else info["action_mask"]))
            yield


def one_seat(env: Any) -> Iterator[None]:
    """Play random games in a Gymnasium environment; only the learner's decisions count."""
    seed = 0
    while True:
        seed += 1
        seen, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            seen, _, ended, _, _ = env.step(drawn(seen["action_mask"]))
            yield


def spiel(name: str) -> Iterator[None]:
    """Play random games in OpenSpiel: tensor or string of the mover, legal actions, luck by its probabilities."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    tensor = game.get_type().provides_observation_tensor
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
                continue
            if tensor:
                state.observation_tensor(state.current_player())
            else:
                state.observation_string(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            yield


def row(name: str, figures: list[float | None]) -> None:
    """Print a line of a table."""
    cells = ["" if figure is None else f"{figure:,.0f}" for figure in figures]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def head(*titles: str) -> None:
    """Print the head of a table."""
    print("\n| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|", flush=True)


def table_of_sfida(games: list[str], seconds: float) -> None:
    """Print steps a second of Sfida's games in every way."""
    ways: dict[str, Callable[[str], Iterator[None]]] = {
        "engine": engine,
        "AEC, fixed": lambda game: aec(aec_env(game)),
        "AEC, candidates": lambda game: aec(aec_env(game, actions="candidates", width=64)),
        "AEC, dict": lambda game: aec(aec_env(game, actions="candidates", width=64, observe="dict")),
        "one seat, random": lambda game: one_seat(one_seat_env(game, "random")),
        "OpenSpiel": lambda game: spiel(f"sfida_{game}"),
    }
    head("game", "playout", *ways)
    for game in games:
        row(game, [playouts(game, seconds), *(per_second(way(game), seconds) for way in ways.values())])


def table_of_others(seconds: float) -> None:
    """Print steps a second of PettingZoo's classic games and OpenSpiel's."""
    head("game", "steps a second")
    for name in CLASSIC:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError as error:
            print(f"| PettingZoo {name} | not here: {error.name} |")
            continue
        row(f"PettingZoo {name}", [per_second(aec(module.env()), seconds)])
    for name in SPIEL:
        row(f"OpenSpiel {name}", [per_second(spiel(name), seconds)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (2)")
    parser.add_argument("--only", action="append", help="a game of Sfida alone; may be repeated")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    random.seed(1)
    register_in_openspiel()
    table_of_sfida(args.only or [*BOARD_GAMES, *TINY], args.seconds)
    if not args.only:
        table_of_others(args.seconds)


if __name__ == "__main__":
    main()
