"""Games that continue from an earlier position of a record."""

from __future__ import annotations

import pytest

import sfida
from sfida.ai.table import Table, cut
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.records import GameRecord

GAMES = ["carcassonne", "settlers_of_zarahemla:max_turns=12,trade_mode=none", "risiko:players=3,round_limit=2",
         "attila", "a_few_acres_of_snow:max_turns=12"]


def played(game: str) -> GameRecord:
    return sfida.play(game, ["greedy"] * sfida.make(game).players, seed=3)


def finished(start: GameRecord) -> GameRecord:
    table = Table.resumed(start)
    while not table.is_over:
        table.play(table.next_move())
    return table.record()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_with_the_same_luck_the_game_is_the_same(game: str) -> None:
    whole = played(game)
    for plies in (0, len(whole.moves) // 2, len(whole.moves) - 2):
        start = cut(whole, plies)
        assert start.result is None
        assert finished(start).moves == whole.moves


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_other_luck_leads_elsewhere(game: str) -> None:
    whole = played(game)
    plies = len(whole.moves) // 3
    other = finished(cut(whole, plies, seed=99))
    assert other.moves[:plies] == whole.moves[:plies]
    assert other.moves != whole.moves
    other.replay()


def test_it_does_not_count_for_a_level() -> None:
    assert Table.resumed(cut(played("carcassonne"), 10)).unrated


def test_a_resigned_game_continues_before_the_end() -> None:
    whole = played("carcassonne").with_extra(ended="resign", forfeit={"seat": 0, "reason": "resign"})
    assert "ended" not in cut(whole, 20).extra


@pytest.mark.parametrize(("plies", "said"), [(10_000, "no position after move 10000"), (-1, "is over after move")])
def test_there_must_be_a_decision_left(plies: int, said: str) -> None:
    whole = played("carcassonne")
    with pytest.raises(InvalidRecord, match=said):
        cut(whole, len(whole.moves) if plies < 0 else plies)
