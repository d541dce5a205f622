"""Every registered game keeps the contract."""

import pytest

from sfida.engines.registry import broken_games, game_class, game_names
from sfida.testing import check_game

# Random games for each number of players: the long games need fewer to go through as many positions.
SEEDS = {True: 25, False: 2}


def test_every_registered_game_loads():
    assert broken_games() == {}
    assert {"tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe",
            "carcassonne"} <= set(game_names())
    assert "carcassonne" in game_names(examples=False)
    assert "kuhn_poker" not in game_names(examples=False)


@pytest.mark.parametrize("name", game_names())
def test_game_conforms(name):
    seeds = SEEDS[game_class(name).example]
    report = check_game(name, seeds=seeds, seed=20)
    assert report.games == seeds * len(report.players)
    assert report.positions >= 4 * report.games
    assert report.longest >= 3


@pytest.mark.parametrize("spec", ["carcassonne:river=false"])
def test_game_conforms_with_options(spec):
    assert check_game(spec, seeds=1, seed=21).positions > 10
