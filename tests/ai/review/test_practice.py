"""Practice: the deck of positions, their due dates, and answers that are judged by their loss."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, timedelta

import pytest

import sfida as api
from sfida.ai.review.judge import SearchJudge
from sfida.ai.review.model import FAST, Effort
from sfida.ai.review.practice import EFFORTS, SOLVED, BoxPlace, Deck, Outcome, judge_move
from sfida.cython_ext.errors import InvalidRecord
from support.practising import LOST, MOVES, decision, review

TODAY = date(2026, 3, 1)

# ---- the deck ---------------------------------------------------------------------------------------


def filled(*decisions) -> Deck:
    deck = Deck()
    deck.take("first", LOST, 1, review(*decisions), TODAY)
    return deck


def test_clear_mistakes_of_the_person_come_back():
    deck = filled(decision(0, 0.5), decision(1, 0.3), decision(3, 0.3, 0.2), decision(5, None))
    (card,) = deck.due(TODAY)
    assert (card.seat, card.record.moves, card.played, card.best) == (1, ("a1",), "a2", "b2")
    assert card.record.result is None, "the position does not know how the game went on"
    assert card.record.replay().to_move == 1


def test_mistakes_that_cost_next_to_nothing_do_not():
    assert not filled(decision(1, 0.009, 0.001)).cards


def test_what_waits_longest_and_then_what_costs_the_most_comes_first():
    deck = filled(decision(1, 0.2), decision(3, 0.4))
    later = TODAY + timedelta(days=1)
    assert [card.played for card in deck.due(TODAY)] == ["c3", "a2"]
    deck.answered(deck.due(TODAY)[0], Outcome.RIGHT, TODAY)
    assert [card.played for card in deck.due(TODAY)] == ["a2"]
    assert [card.played for card in deck.due(later)] == ["a2", "c3"]
    assert deck.next_due() == TODAY


def test_a_review_counts_once_and_a_position_is_held_once():
    deck = filled(decision(1, 0.3))
    assert deck.take("first", LOST, 1, review(decision(3, 0.3)), TODAY) == 0
    solved = deck.due(TODAY)[0]
    for _ in range(5):
        solved = deck.answered(solved, Outcome.RIGHT, TODAY)
    assert deck.take("deeper", LOST, 1, review(decision(1, 0.35), decision(3, 0.3)), TODAY) == 1
    assert [card.played for card in deck.due(TODAY)] == ["c3"]


def test_games_are_told_apart():
    deck = filled(decision(1, 0.3))
    other = dataclasses.replace(LOST, game="connect_four")
    deck.take("other", other, 1, review(decision(1, 0.3)), TODAY)
    assert len(deck.cards) == 2
    assert [card.game for card in deck.due(TODAY, "tic_tac_toe")] == ["tic_tac_toe"]
    assert deck.next_due("carcassonne") is None


def test_a_file_gives_the_same_deck(tmp_path):
    path = tmp_path / "state" / "practice.json"
    deck = filled(decision(1, 0.2), decision(3, 0.4))
    deck.answered(deck.due(TODAY)[0], Outcome.RIGHT, TODAY)
    deck.write(path)
    assert Deck.read(path) == deck
    assert Deck.read(tmp_path / "missing.json") == Deck()


@pytest.mark.parametrize(("damage", "said"), [
    (lambda text: text[:-40], "cut off"),
    (lambda text: "[]", "not a deck"),
    (lambda text: text.replace('"practice"', '"games"'), "not a deck"),
    (lambda text: text.replace('"schema":1', '"schema":9', 1), "format"),
    (lambda text: text.replace(str(TODAY), "someday"), "'due' must be a date"),
    (lambda text: text.replace('"box":0', '"box":17'), "'box' must be"),
    (lambda text: text.replace('"tic_tac_toe"', '"tic_tac_toe:players"'), "practice.json"),
    (lambda text: json.dumps({**json.loads(text), "cards": [3]}), "entry 1 of 'cards'"),
])
def test_a_damaged_file_is_told_in_one_line(tmp_path, damage, said):
    path = tmp_path / "practice.json"
    filled(decision(1, 0.2)).write(path)
    path.write_text(damage(path.read_text()))
    with pytest.raises(InvalidRecord, match=said) as caught:
        Deck.read(path)
    assert "\n" not in str(caught.value)


# ---- due dates of positions -----------------------------------------------------------------------


def test_right_answers_wait_twice_as_long_each_time_until_it_is_solved():
    place, today, waits = BoxPlace(0, TODAY), TODAY, []
    while not place.solved:
        assert place.is_due(today)
        place = place.after(Outcome.RIGHT, today)
        waits.append((place.due - today).days)
        today = place.due
    assert waits == [1, 2, 4, 8, 0]
    assert len(waits) == SOLVED
    assert not place.is_due(today + timedelta(days=1000))


def test_a_wrong_answer_goes_back_to_the_first_box_and_is_due_at_once():
    place = BoxPlace(3, TODAY).after(Outcome.WRONG, TODAY)
    assert place == BoxPlace(0, TODAY)
    assert place.is_due(TODAY)


def test_with_help_a_position_stays_in_its_box():
    assert BoxPlace(2, TODAY).after(Outcome.HELPED, TODAY) == BoxPlace(2, TODAY + timedelta(days=2))


def test_nothing_is_due_before_its_day():
    place = BoxPlace(1, TODAY + timedelta(days=1))
    assert not place.is_due(TODAY)
    assert place.is_due(TODAY + timedelta(days=1))


# ---- answers --------------------------------------------------------------------------------------


def position(*moves: str):
    state = api.make("tic_tac_toe")
    for move in moves:
        state.apply(state.parse(move))
    return state


def judged(state, move: str, effort: Effort = EFFORTS[FAST]):
    view = state.view(int(state.to_move))
    return judge_move(SearchJudge(), view, state.parse(move), 0, effort, 1)


def test_every_move_as_good_as_the_best_is_right():
    """Against a corner only the centre draws; against the centre every corner does."""
    after_middle = position("b2")
    for corner in ("a1", "a3", "c1", "c3"):
        assert judged(after_middle, corner).outcome(again=False, helped=False) is Outcome.RIGHT
    assert judged(position("a1"), "b2").outcome(again=False, helped=False) is Outcome.RIGHT


def test_a_losing_move_is_wrong_and_the_better_one_is_told():
    found = judged(position("a1"), "a2")
    assert not found.good
    assert found.outcome(again=False, helped=True) is Outcome.WRONG
    assert found.verdict.best == found.verdict.best_words == "b2"
    assert found.point.better[0].move == "b2"
    assert found.point.played[0].move == "a2"


def test_help_counts_and_the_move_of_the_game_stays_a_mistake():
    found = judged(position("a1"), "b2")
    assert found.outcome(again=False, helped=True) is Outcome.HELPED
    assert found.outcome(again=True, helped=False) is Outcome.WRONG


def test_the_same_seed_judges_alike():
    state = position(*MOVES[:3])
    assert judged(state, "c3").verdict == judged(state, "c3").verdict
