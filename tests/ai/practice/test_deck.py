"""The deck of positions."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, timedelta

import pytest

from sfida.ai.review.practice import Deck, Outcome
from sfida.cython_ext.errors import InvalidRecord
from support.practising import LOST, decision, review

TODAY = date(2026, 3, 1)


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
