"""Games to learn from are read in the order of their stores, however they are handed out."""

from sfida.ai.arena.tournament import Tournament
from sfida.ai.research.training.positions import read_games
from sfida.engines.registry import make_game


def moves_of(game, record):
    return tuple(record.moves)


def test_games_are_read_in_their_order(tmp_path):
    paths = [tmp_path / "one.sfida", tmp_path / "other.sfida"]
    played = []
    for seed, path in enumerate(paths):
        Tournament("tic_tac_toe", ["random", "random"], 24, seed).run(path)
        played += read_games(moves_of, make_game("tic_tac_toe"), [path])
    assert len(set(played)) > 30
    assert read_games(moves_of, make_game("tic_tac_toe"), paths, jobs=2) == played
