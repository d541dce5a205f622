"""Attila in Italian: sentences, typed words, and no text of another language cached in drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.attila.style import seat_letter
from sfida.engines.language import LANGUAGES, speaking
from support.attila import play, setup, start


def board(*lines: str, **more: object) -> AttilaState:
    """Return a turn with one province at peace and one that is almost full, after some lines."""
    return play(setup("GER:FFHH RAE:FFG", ["GGHHFF", "FFHHGG"], pacified="RAE", **more), *lines)  # type: ignore[arg-type]


def words_of(state: AttilaState) -> list[str]:
    """Return the legal moves in words."""
    return [state.game.describe_move(state, move) for move in state.legal_moves()]


@pytest.fixture
def italian() -> Iterator[None]:
    with speaking("it"):
        yield


@pytest.mark.parametrize(("lines", "said"), [
    ((), "gioca una carta degli Unni"),
    (("G",), "piazza un segnalino in Italia superiore"),
    (("G", "GER"), "guadagna 1 casella di influenza"),
    (("G", "GER", "+1"), "gioca coperta una carta dei Franchi"),
])
def test_moves_are_told_with_the_article_of_the_tribe(italian: None, lines: tuple[str, ...], said: str) -> None:
    assert said in words_of(board(*lines))


@pytest.mark.parametrize(("lines", "asked"), [
    ((), "Bianco gioca una carta: FFHHGG in mano; 1 di influenza o un secondo segnalino."),
    (("H",), "Bianco piazza un segnalino degli Unni: ne restano 18."),
    (("G", "GER", "+1"), "Bianco gioca carte per il conflitto in Germania: Franchi 2, Unni 2, Goti 1; "
                         "poi Rosso (6 carte), Verde (6 carte); FFHHG in mano."),
])
def test_questions_are_asked_in_italian(italian: None, lines: tuple[str, ...], asked: str) -> None:
    state = board(*lines)
    assert state.game.question(state, 0) == asked


def test_a_conflict_is_told_with_singular_and_plural(italian: None) -> None:
    state = board("G", "GER", "+1", ":H", "done", "done")
    after = play(state.clone(), "done")
    told = [effect.text for effect in state.game.narrate(state, state.parse("done"), after, 0).effects]
    assert told[:4] == ["Bianco aveva giocato 1 Unno", "conflitto in Germania: Unni 3, Franchi 2, Goti 1",
                        "Goti lasciano la provincia, 1 segnalino",
                        "Germania riceve una tessera pace del 4° secolo; in tutto restano 9 tessere"]


@pytest.mark.parametrize(("lines", "typed", "why"), [
    ((), "S", "non hai in mano carte dei Sassoni"),
    ((), "F@RAE", "Rezia è in pace"),
    ((), "G GER,GER", "in Germania non c'è più posto"),
    ((), "*D", "Doppio turno si usa alla fine del turno"),
    ((), "done", "le carte si depongono in un conflitto"),
    (("G", "GER", "+1"), "V", "in Germania non ci sono Vandali"),
])
def test_refusals_are_in_italian(italian: None, lines: tuple[str, ...], typed: str, why: str) -> None:
    state = board(*lines)
    with pytest.raises(IllegalMove, match=re.escape(f"({why})")):
        state.game.parse_turn(state, typed)


def test_what_is_no_tribe_is_refused_in_italian(italian: None) -> None:
    state = board()
    with pytest.raises(InvalidNotation, match="'F,Q': le tribù si scrivono F Franchi, H o U Unni"):
        state.game.parse_turn(state, "*X(F,Q)")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("lines", "typed", "same"), [
    ((), "Franchi Germania + 1", "F@GER+1"), ((), "goti italia superiore, norico", "G@ITS,NOR"),
    ((), "U@GER", "H@GER"), ((), "scambio", "*X"), (("G", "GER"), "influenza", "+1"),
    (("G", "GER", "+1"), "unni, franchi", "FH"), (("G", "GER", "+1"), "nessuna", "done"),
    (("G", "GER", "+1"), "none", "done"), (("G", "GER", "+1"), "fatto", "done"),
    (("*X", "H"), "pesca", "draw"), ((), "Franks Germania + 1", "F@GER+1"), ((), "exchange", "*X"),
])
def test_both_languages_are_read_whatever_is_spoken(code: str, lines: tuple[str, ...], typed: str, same: str) -> None:
    with speaking(code):
        state = board(*lines)
        assert state.game.parse_turn(state, typed) == state.game.parse_turn(state, same)


@pytest.mark.parametrize("asked", ["adj THR", "vicine Tracia", "confini THR", "neighbours Thracia"])
def test_neighbours_are_answered_in_italian(italian: None, asked: str) -> None:
    state = start()
    assert state.game.answer(state, asked) == "THR Tracia: via terra GRA MOE; via acqua ASI"


def test_seats_have_letters_of_their_own() -> None:
    with speaking("it"):
        assert [seat_letter(seat) for seat in range(5)] == ["B", "R", "V", "G", "L"]
    assert [seat_letter(seat) for seat in range(5)] == ["W", "R", "G", "Y", "B"]


def test_what_was_shown_in_one_language_is_not_shown_in_the_other() -> None:
    """Drawings cache parts for the next drawing."""
    state = board("G", "GER", "+1")

    def shown() -> tuple[str, ...]:
        game = state.game
        return (game.board_svg(state, seat=0, labels=True), game.board_text(state, seat=0), game.help_text(),
                game.status_text(state, seat=0), game.lesson(state, 0).text, game.introduction())

    english = shown()
    with speaking("it"):
        other = shown()
    assert shown() == english
    titles = {element.text for element in ET.fromstring(other[0]).iter("{http://www.w3.org/2000/svg}title")}
    assert {"Attila: Bianco gioca carte per il conflitto in Germania.", "Rezia: pacificata", "conflitto in Germania",
            "Betica e Mauretania: confinanti via acqua", "2 carte dei Franchi", "gioca coperta una carta dei Goti"} <= (
                titles | {element.get("aria-label") for element in ET.fromstring(other[0]).iter()})
    for text, foreign in zip(other, english, strict=True):
        assert text != foreign
        assert not re.search(r"\b(Franks|Huns|pacified|token|tokens|card|cards|province|the|of)\b",
                             re.sub(r'(class|data-[a-z]+|id)="[^"]*"|\bprovince\b', "", text))
