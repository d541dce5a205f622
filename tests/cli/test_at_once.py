"""Several programs that change the practice deck at the same time: no change is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date

from sfida.ai.review.practice import Deck, Outcome, deck_file
from support.practising import FORKED, LOST, decision, review

LONG_AGO = date(2020, 1, 1)
ROUNDS = 12
ADDING = f"""
import dataclasses, sys, time
from datetime import date
from pathlib import Path
from sfida.ai.review.practice import Deck
from support.practising import LOST, decision, review

sys.stdin.readline()
for number in range({ROUNDS}):
    with Deck.changing(Path(sys.argv[1])) as deck:
        time.sleep(0.01)
        game = dataclasses.replace(LOST, game=f"tic_tac_toe_{{sys.argv[2]}}{{number}}")
        deck.take(f"{{sys.argv[2]}}{{number}}", game, 1, review(decision(1, 0.3)), date(2020, 1, 1))
"""


def deck() -> Deck:
    """Return a deck of two cards; the one with the larger loss is asked first."""
    found = Deck()
    found.take("edge", LOST, 1, review(decision(1, 0.3)), LONG_AGO)
    found.take("corner", FORKED, 1, review(decision(3, 0.6, move="a3", best="b1")), LONG_AGO)
    found.write(deck_file())
    return found


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            text=True)


def test_what_two_programs_add_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    path = tmp_path / "practice.json"
    programs = [start("-c", ADDING, path, who) for who in "ab"]
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        program.communicate(timeout=120)
        assert program.returncode == 0
    assert len(Deck.read(path).cards) == len(Deck.read(path).taken) == 2 * ROUNDS


def test_the_answers_of_two_sittings_and_a_review_between_count(sfida):
    deck()
    first = start("-m", "sfida", "practice", "--depth", "fast", "--json")
    assert json.loads(first.stdout.readline())["ply"] == 3, "it has read the deck, and waits for an answer"
    assert sfida("practice", "--depth", "fast", input="skip\nb2\n").exit_code == 0
    with Deck.changing(deck_file()) as found:
        found.take("new", LOST, 1, review(decision(5, 0.2)), LONG_AGO)
    first.communicate("b1\nquit\n", timeout=120)
    assert first.returncode == 0
    boxes = {card.played: card.place.box for card in Deck.read(deck_file()).cards.values()}
    assert boxes == {"a2": 1, "a3": 1, "b3": 0}


def test_a_position_answered_in_two_sittings_moves_on_once():
    found, today = deck(), date(2020, 1, 5)
    card = found.due(today)[0]
    assert found.answered(card, Outcome.RIGHT, today).place.box == 1
    assert found.answered(card, Outcome.RIGHT, today).place.box == 1
    assert found.answered(card, Outcome.WRONG, today).place.box == 0
