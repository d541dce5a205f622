"""Seasons of a person, played by an agent, against `level:auto`: for `bench/levels.py --follow`."""

from __future__ import annotations

import numpy as np

from sfida.ai.chance import tuning_seed
from sfida.ai.levels.agent import level_text
from sfida.ai.levels.person_rating import Result, fitting_level
from sfida.ai.levels.scale import scale_of
from sfida.ai.table import play
from sfida.engines.game import Game

SETTLED = 14                            # games after which the level should fit


def season(game: Game, person: str, games: int, seed: int) -> list[Result]:
    """Play the games of one person, on each seat in turn, against the level that follows."""
    scale = scale_of(game)
    results: list[Result] = []
    for number in range(games):
        level = fitting_level(results, scale)
        agents = [f"level:{level_text(level)}"] * game.players
        agents[number % game.players] = person
        record = play(game, agents, tuning_seed(seed, number, 0))
        assert record.result is not None
        results.append(Result(level, game.players, record.result.utilities[number % game.players]))
    return results


def show_seasons(game: Game, person: str, seasons: int, games: int, seed: int) -> None:
    """Print the shares of a person from the fifteenth game on, and the levels met."""
    played = [season(game, person, games, seed + number) for number in range(seasons)]
    shares = np.array([[each.share for each in one[SETTLED:]] for one in played])
    levels = np.array([[each.level for each in one[SETTLED:]] for one in played])
    error = shares.std() / np.sqrt(shares.size)
    print(f"{game.spec()}, {person} against level:auto, {seasons} seasons of {games} games: from game {SETTLED + 1} on "
          f"{100 * shares.mean():.1f} % ± {196 * error:.1f} of the win, met level {levels.mean():.1f} "
          f"[{levels.min():g} to {levels.max():g}]")
