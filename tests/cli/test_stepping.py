"""Moving through a recorded game."""

from __future__ import annotations

import pytest

import sfida as api
from sfida.ai.session import retell
from sfida.cli import show
from sfida.cli.replay import Walk, _one_by_one


def walk_of(game: str, seed: int = 1) -> Walk:
    record = api.play(game, ["random"] * api.make(game).players, seed=seed)
    return Walk(retell(record, len(record.moves)), lambda step: show.in_one_line(step.before.game, step).plain)


@pytest.fixture(scope="module")
def carcassonne() -> Walk:
    return walk_of("carcassonne")


@pytest.fixture
def walk(carcassonne) -> Walk:
    carcassonne.first()
    return carcassonne


def test_moves_one_on_and_one_back_within_the_game(walk):
    walk.back()
    assert walk.ply == 0
    walk.next()
    walk.next()
    assert walk.ply == 2
    walk.back()
    assert walk.ply == 1
    walk.last()
    walk.next()
    assert walk.ply == len(walk.steps)
    walk.first()
    assert walk.ply == 0


def test_a_turn_of_carcassonne_begins_with_the_tile(walk):
    starts = [0]
    while walk.ply < len(walk.steps):
        walk.next_turn()
        starts.append(walk.ply)
    seats = [0, *(step.seat for step in walk.steps)]
    tiles = [ply for ply in range(len(walk.steps)) if seats[ply + 1] < 0 <= seats[ply]]      # without redrawn tiles
    assert starts[:-1] == tiles
    for ply in reversed(starts[:-1]):
        walk.turn_back()
        assert walk.ply == ply
    walk.turn_back()
    assert walk.ply == 0


def test_turns_are_those_that_the_game_shows():
    walk = walk_of("acres:max_turns=8")
    while walk.ply < len(walk.steps):
        state = walk.steps[walk.ply].before
        assert f"Turn {walk.turn}." in state.game.status_text(state)
        walk.next()
    assert walk.turn == 8
    assert walk.go("t3") == ""
    assert walk.turn == 3
    walk.back()
    assert walk.turn == 2


@pytest.mark.parametrize("game", ["attila:players=2", "zarahemla:max_turns=6,trade_mode=none", "leduc_poker"])
def test_the_first_turn_holds_the_first_decision(game):
    walk = walk_of(game)
    first = next(step.ply for step in walk.steps if step.seat >= 0)
    assert set(walk.turns[:first + 1]) == {1}
    assert sorted(set(walk.turns)) == list(range(1, walk.turns[-1] + 1))
    assert walk.turns == sorted(walk.turns)


def test_typed_numbers_and_turns(walk):
    assert walk.go("40") == ""
    assert walk.ply == 40
    assert walk.go("t2") == ""
    assert walk.ply in (2, 3)
    assert walk.turn == 2
    there, last = walk.ply, len(walk.steps)
    assert walk.go(str(last + 1)) == f"there is no move {last + 1}: the last is {last}"
    assert walk.go("9" * 5000).startswith("there is no move 99")
    assert walk.go("t999") == f"there is no turn 999: the last is {walk.turns[-1]}"
    assert walk.go("tx") == "tx is neither a number nor a turn such as t9"
    assert walk.ply == there, "a mistake leads nowhere"


def test_words_are_found_one_after_the_other(walk):
    holding = [step.ply + 1 for step in walk.steps if "road" in show.in_one_line(step.before.game, step).plain]
    assert len(holding) > 3
    assert walk.go("/ROAD") == ""
    assert walk.ply == holding[0]
    for ply in holding[1:]:
        assert walk.go("/") == ""
        assert walk.ply == ply
    assert walk.go("/") == "no move after this one holds 'ROAD'"
    assert walk.ply == holding[-1]


def test_notation_effects_and_seats_are_found(walk):
    last = walk.steps[-2]
    for words in (walk.steps[4].text, "scores", "blue:"):
        walk.first()
        assert walk.go(f"/{words}") == ""
        found = walk.steps[walk.ply - 1]
        assert words.rstrip(":") in (found.text, found.before.game.seat_name(max(found.seat, 0))) or any(
            words in effect.text for effect in found.told().effects)
    walk.ply = last.ply + 1
    assert walk.go("/such words are never told") == "no move after this one holds 'such words are never told'"


def test_a_search_needs_words():
    assert walk_of("tic_tac_toe").go("/") == "type the words to look for behind the /"


def test_a_game_without_a_move():
    walk = Walk([], str)
    for way in (walk.next, walk.back, walk.next_turn, walk.turn_back, walk.first, walk.last):
        way()
        assert walk.ply == 0
    assert walk.turn is None
    assert walk.go("t1") == "there is no turn 1"


def test_keys_that_come_together_are_told_apart():
    typed = iter(["\x1b[C\x1bOD12\r", "\x1b", "\x1b[1~n", ""])
    assert list(_one_by_one(lambda: next(typed))) == ["\x1b[C", "\x1bOD", "1", "2", "\r", "\x1b", "\x1b[1~", "n"]
