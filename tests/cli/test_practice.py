"""`sfida practice`."""

from __future__ import annotations

import dataclasses
import json
import signal
from datetime import date, timedelta

import pytest

from sfida.ai import archive
from sfida.ai.archive import keep_game
from sfida.ai.review import model
from sfida.ai.review.practice import Deck, Outcome, deck_file
from sfida.ai.table import play
from sfida.cli.practice import PracticeSession
from support.practising import FORKED, LOST, decision, review

TODAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Set the day, and return a function that sets another day."""
    def set_day(days: int) -> None:
        monkeypatch.setattr(archive, "today", lambda: TODAY + timedelta(days=days))
    set_day(0)
    return set_day


@pytest.fixture
def deck():
    """Return O's mistakes in two games of tic-tac-toe: an edge (a2; only b2 draws), a costlier corner (a3, not b1)."""
    found = Deck()
    found.take("edge", LOST, 1, review(decision(1, 0.3)), TODAY)
    found.take("corner", FORKED.with_extra(date="2026-02-27"), 1, review(decision(3, 0.6, move="a3", best="b1")), TODAY)
    found.write(deck_file())
    return found


def practise(sfida, *arguments, typed: str):
    return sfida("practice", "--depth", "fast", *arguments, input=typed)


def boxes() -> dict[str, int]:
    return {card.played: card.place.box for card in Deck.read(deck_file()).cards.values()}


def test_a_position_is_shown_as_it_was_and_the_dearest_comes_first(sfida, deck):
    text = practise(sfida, typed="quit\n").stdout
    assert "1 of 2: Tic-tac-toe, move 4, 2026-02-27" in text
    assert "O to move" in text
    assert "X: c3" in text, "the moves before it are told"
    assert "a3" not in text.split("O to move")[0], "and not what was played"


def test_right_answers_move_a_position_on_until_it_is_solved(sfida, deck, clock):
    day = 0
    for box, wait in enumerate((1, 2, 4, 8), start=1):
        clock(day)
        result = practise(sfida, typed="solution\nb2\n" if box == 1 else "skip\nb2\n")
        assert "Right: no better move than b2 was found." in result.stdout
        assert boxes()["a2"] == box
        day += wait
    clock(day)
    assert "Solved: it does not come back." in practise(sfida, typed="skip\nb2\n").stdout
    clock(day + 1000)
    assert "1 of 1" in practise(sfida, typed="skip\n").stdout


def test_a_wrong_answer_is_explained_and_comes_back(sfida, deck):
    deck.answered(deck.due(TODAY)[1], Outcome.RIGHT, TODAY - timedelta(days=1))
    deck.write(deck_file())
    result = practise(sfida, typed="c2\na3\n")
    first, second = result.stdout.split("2 of 2:")
    assert "Right: " in first or "Right: " in second
    assert "Not solved: a3; it cost" in result.stdout
    assert "better  b2" in result.stdout
    assert "It comes back the next time (box 1 of 5)." in result.stdout
    assert boxes() == {"a2": 0, "a3": 1}


def test_the_move_of_the_game_is_wrong_again(sfida, deck):
    result = practise(sfida, "--count", 1, typed="a3\n")
    assert "Not solved: a3 is what you played in the game." in result.stdout
    assert "in the game  a3; it cost 60.0 % of win probability (58.0 to 62.0)" in result.stdout
    assert "0 of 1 right; 2 positions still due" in result.stderr


def test_help_is_the_tables_and_costs_the_box(sfida, deck):
    result = practise(sfida, typed="?\nundo\nwhy a3\nnonsense\nskip\nhint\nb2\n")
    assert "solution  give up" in result.stdout
    assert "a position from a game that is over" in result.stderr
    assert "expected with" in result.stdout
    assert "hint: " in result.stdout
    assert "Right, with help" in result.stdout
    assert boxes() == {"a2": 0, "a3": 0}


def test_the_solution_is_told_on_request(sfida, deck):
    result = practise(sfida, "--count", 1, typed="solution\n")
    assert "Not solved" not in result.stdout
    assert "in the game  a3; it cost" in result.stdout
    assert "better" in result.stdout
    assert boxes()["a3"] == 0


def test_nothing_due_says_when(sfida, deck, clock):
    for card in Deck.read(deck_file()).cards.values():
        deck.answered(card, Outcome.RIGHT, TODAY)
    deck.write(deck_file())
    assert practise(sfida, typed="").stdout == "Nothing is due: the next of 2 positions comes back tomorrow.\n"
    clock(1)
    assert "1 of 2" in practise(sfida, typed="quit\n").stdout


def test_no_mistakes_yet_says_what_to_do_first(sfida):
    (line,) = practise(sfida, typed="").stdout.splitlines()
    assert "'sfida play carcassonne'" in line
    keep_game(LOST)
    result = practise(sfida, typed="")
    assert "'sfida review --all' looks for them" in result.stdout
    assert "1 game not reviewed yet" in result.stderr


def test_mistakes_come_from_reviewed_games(sfida, monkeypatch):
    monkeypatch.setitem(model.DEPTHS, "fast", model.Depth("fast", 20_000, 4, 2))
    keep_game(LOST)
    keep_game(dataclasses.replace(LOST, seats=("human", "ismcts"), moves=LOST.moves[:3], result=None))
    assert sfida("review", "--all", "-j", 1).exit_code == 0
    result = practise(sfida, "tic_tac_toe", typed="quit\n")
    assert "Tic-tac-toe, move 2" in result.stdout
    assert result.stderr.count("review --all") == 0


def test_only_the_named_game(sfida, deck):
    assert "No mistakes of yours are known yet" in practise(sfida, "carcassonne", typed="").stdout
    result = practise(sfida, "carcasonne", typed="")
    assert result.exit_code == 2
    assert "did you mean 'carcassonne'" in result.stderr.lower()


@pytest.mark.parametrize("damage", [lambda text: text[:-30], lambda text: text.replace('"box":0', '"box":"x"', 1)])
def test_a_damaged_deck_is_one_line_and_stays(sfida, deck, damage):
    keep_game(LOST)
    deck_file().write_text(damage(deck_file().read_text()))
    before = deck_file().read_bytes()
    result = practise(sfida, typed="b2\n")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "the file is left as it is" in result.stderr
    assert deck_file().read_bytes() == before


def test_a_position_of_other_rules_is_left_out(sfida, deck):
    deck_file().write_text(deck_file().read_text().replace('"rules_version":1', '"rules_version":7', 1))
    result = practise(sfida, typed="skip\n")
    assert result.stderr.count("This position is left out") == 1
    assert len(boxes()) == 2, "it stays in the deck"


def test_a_position_that_its_moves_do_not_fit_is_left_out(sfida, deck):
    deck_file().write_text(deck_file().read_text().replace('"best":"b1"', '"best":"b2"', 1))
    result = practise(sfida, typed="b2\n")
    assert result.stderr.count("This position is left out") == 1
    assert "1 of 1 right" in result.stderr


def test_json(events, deck):
    found = events("practice", "--depth", "fast", input="c1\nb2\n")
    assert [event["type"] for event in found] == ["position", "answer", "position", "answer", "practice"]
    first, answer = found[2], found[3]
    assert (first["game"], first["ply"], first["seat"], first["box"]) == ("tic_tac_toe", 1, 1, 1)
    assert "a2" in first["legal_moves"]
    assert (answer["move"], answer["outcome"], answer["played"]) == ("b2", "right", "a2")
    assert answer["due"] == "2026-03-02"
    assert answer["solution"]["better"][0]["move"] == "b2"


def test_ctrl_c_keeps_the_answers(sfida, deck, monkeypatch):
    explain, said = PracticeSession._explain, []

    def once(self, *arguments):
        said.append(arguments)
        if len(said) == 2:
            signal.raise_signal(signal.SIGINT)
        explain(self, *arguments)
    monkeypatch.setattr(PracticeSession, "_explain", once)
    result = practise(sfida, typed="solution\nb2\n")
    assert result.exit_code == 130
    assert "interrupted after 2 answers, which count" in result.stderr
    assert boxes()["a2"] == 1


def test_a_seat_sees_only_what_it_saw(sfida, monkeypatch):
    """In Zarahemla the cards that others have stolen and bought stay hidden from the person."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "200")
    record = play("zarahemla", ["random", "random"], 4)
    seat = 1
    record = dataclasses.replace(record, seats=("random", "human"))
    state = record.replay(0)
    ply, hidden = 0, None
    for number, text in enumerate(record.moves):
        if state.to_move == seat and len(state.legal_moves()) > 1 and (
                state.to_bytes() != state.view(seat).key()):
            ply, hidden = number, state.clone()
        state.apply(state.parse(text))
    assert hidden is not None, "something is hidden"
    found = Deck()
    mistake = decision(1, 0.3, move=record.moves[ply], best=record.moves[ply])
    found.take("review", record, seat, review(dataclasses.replace(mistake, ply=ply, seat=seat)), TODAY)
    found.write(deck_file())
    asked = json.loads(sfida("practice", "--json", input="").stdout.splitlines()[0])
    assert asked["observation"] == hidden.view(seat).observation()
    text = sfida("practice", input="").stdout
    board = hidden.game.board_text(hidden, seat=seat, width=100, labels=True).rstrip()
    assert [line for line in board.splitlines() if line not in text] == []
