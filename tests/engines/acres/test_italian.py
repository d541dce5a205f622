"""A Few Acres of Snow in Italian: sentences, and words that are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.acres.notation import parse_turn, read_move
from sfida.engines.language import LANGUAGES, speaking
from support.acres import setup

pytestmark = pytest.mark.release_only("words for people")


@pytest.fixture
def italian() -> Iterator[None]:
    with speaking("it"):
        yield


def told(state: AcresState, text: str) -> list[str]:
    """Play an action, and return its narrated effects."""
    found = []
    for code in parse_turn(state, text):
        before = state.clone()
        state.apply(code)
        found += [effect.text for effect in state.game.narrate(before, code, state, None).effects]
    return found


def hand(british: str) -> AcresState:
    """Return the start with a given hand of the British, who are on turn."""
    return setup(british, "MTL", money=(12, 5))


# ---- shown texts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("move", "words"), [
    ("settle DEE NHV", "colonizza Deerfield da New Haven"), ("money BOS", "prende denaro con Boston"),
    ("draft TR", "acquisisce Commerciante"), ("discard STM", "scarta St. Mary's"), ("pass", "passa"),
])
def test_moves_are_described_in_italian(italian: None, move: str, words: str) -> None:
    state = hand("NHV STM BOS")
    assert state.game.describe_move(state, state.parse(move)) == words


@pytest.mark.parametrize(("hands", "move", "said"), [
    ("NHV STM BOS", "settle DEE NHV STM BOS", ["gli Inglesi hanno un villaggio a Deerfield: Inglesi +4 punti",
                                               "gli Inglesi ottengono Deerfield (DEE)"]),
    ("STM BOS", "develop STM BOS", ["St. Mary's diventa una città: Inglesi +1 punto"]),
    ("BOS", "money BOS", ["gli Inglesi ricevono 3 denari e ne hanno 15"]),
    ("BOS", "draft RI", ["gli Inglesi pagano 7 denari e ne hanno ancora 5",
                         "gli Inglesi ottengono Regular Infantry (RI)"]),
])
def test_effects_are_told_with_singular_and_plural(italian: None, hands: str, move: str, said: list[str]) -> None:
    assert told(hand(hands), move) == said


def test_a_siege_is_told_from_both_sides(italian: None) -> None:
    assert told(hand("PEM BOS SA"), "besiege PRO PEM BOS SA")[0] == (
        "gli Inglesi assediano Port Royal: gli Inglesi sono in vantaggio di 2, quanto basta per prenderlo "
        "all'inizio del loro turno")


def test_questions_and_status_are_italian(italian: None) -> None:
    state = hand("NHV STM BOS")
    assert re.fullmatch(r"Gli Inglesi hanno ancora [12] azion[ei] e 12 denari\.", state.game.question(state, 0))
    state.apply(state.parse("settle DEE NHV"))
    assert state.game.question(state, 0) == (
        "Gli Inglesi colonizzano Deerfield da New Haven: quale carta offre il trasporto (barca)?")
    status = state.game.status_text(state, seat=0, width=80)
    assert "Inglesi (tu)" in status
    assert "Forti rimasti: 12." in status


def test_titles_in_the_picture_are_italian_and_english_again(italian: None) -> None:
    state = hand("NHV STM BOS")

    def titles() -> list[str]:
        root = ET.fromstring(state.game.board_svg(state, seat=0))
        return [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]

    with speaking("en"):
        before = titles()
    found = titles()
    assert "Deerfield (DEE); valore 4; serve un colono; fiume per New Haven; sentiero per Boston; " \
           "sentiero per Fort Halifax; sentiero per Fort William Henry" in found
    assert any(title.startswith("carta inglese St. Mary's (STM); in barca a ") for title in found)
    with speaking("en"):
        assert titles() == before
        assert any(title.startswith("British card St. Mary's (STM); by boat to ") for title in before)


def test_choosing_by_pointing_is_italian(italian: None) -> None:
    state = hand("NHV STM BOS")
    parts = state.game.move_parts(state, state.legal_moves())
    words = {move: [part.words for part in parts[state.parse(move)]] for move in ("settle DEE NHV", "money BOS")}
    assert words == {"settle DEE NHV": ["Deerfield", "colonizza", "New Haven (NHV)"],
                     "money BOS": ["Boston (BOS)", "prendi il suo denaro"]}


# ---- typed text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("typed", "meant"), [
    ("colonizza DEE NHV", "settle DEE NHV"), ("assedia Louisbourg PEM", "besiege LOU PEM"),
    ("acquisisci Commerciante", "draft TR"), ("compra governatore", "draft GV"),
    ("acquisisci supporto della patria", "draft HS"), ("draft Home Support", "draft HS"),
    ("prendi Boston", "money BOS"), ("scarta PEM", "discard PEM"), ("riserva BOS", "reserve BOS"), ("passa", "pass"),
    ("fine", "end"),
])
def test_both_languages_are_read_whatever_is_spoken(code: str, typed: str, meant: str) -> None:
    state = hand("NHV PEM BOS")
    with speaking(code):
        assert read_move(state, typed) == read_move(state, meant)


@pytest.mark.parametrize(("typed", "error", "said"), [
    ("money STM", IllegalMove, "St. Mary's non è nella tua mano"),
    ("develop PRO", IllegalMove, "Port Royal non è tuo"),
    ("settle BOS NHV", IllegalMove, "Boston è già inglese"),
    ("draft Xyz", InvalidNotation, "'Xyz' non è una carta di questa fazione"),
    ("raid", InvalidNotation, "'raid': giusto sarebbe per esempio raid ALB"),
])
def test_refusals_are_italian(italian: None, typed: str, error: type[Exception], said: str) -> None:
    state = hand("NHV BOS")
    with pytest.raises(error, match=re.escape(said)):
        state.parse(typed)
