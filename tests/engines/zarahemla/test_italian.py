"""The Settlers of Zarahemla in Italian: shown texts, and typed words."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.language import LANGUAGES, speaking
from sfida.engines.zarahemla.board_svg import board_svg
from sfida.engines.zarahemla.board_text import board_text, status_text
from sfida.engines.zarahemla.map import drawing_data
from sfida.engines.zarahemla.style import RESOURCES, resource_noun
from support.pictures import told
from support.playing import play
from support.zarahemla import cards, setup
from support.zarahemla_pictures import game

pytestmark = pytest.mark.release_only("texts are plain Python")

BUILT = "S 0 8; R 0 8-12; S 1 44; H 0 4 1 1 1 1; H 1 2 0 0 0 0"


@pytest.fixture
def italian() -> Iterator[None]:
    with speaking("it"):
        yield


def said(state: ZarahemlaState, text: str) -> str:
    return state.game.describe_move(state, state.parse(text))


def refused(state: ZarahemlaState, text: str) -> str:
    with pytest.raises((IllegalMove, InvalidNotation)) as caught:
        state.game.parse_turn(state, text)
    return str(caught.value)


@pytest.mark.usefixtures("italian")
def test_moves_are_described() -> None:
    state = setup(BUILT)
    assert said(state, "B4w>s") == "scambia 4 legni con 1 roccia della banca"
    assert said(state, "R8-13") == "strada da 8 a 13"
    assert said(state, "D") == "compra una carta sviluppo"
    assert state.game.move_note(state, state.parse("D")).endswith("; costa 1 acqua, 1 grano e 1 roccia")
    robber = play(setup(BUILT, cards=[cards(warrior=1)]), "W")
    assert said(robber, ">h0") == "ladro sull'esagono 0, grano (12)"
    assert [part.words for part in state.game.move_parts(state, state.legal_moves())[state.parse("B4w>s")]] == [
        "legno alla banca", "roccia"]


@pytest.mark.usefixtures("italian")
@pytest.mark.parametrize(("over", "words"), [
    ((8, 1), "Rosso ha troppe carte e deve scartarne la metà"),
    ((8, 8), "Rosso e Blu hanno troppe carte e devono scartarne la metà"),
])
def test_what_a_seven_does_is_told_of_one_seat_and_of_several(over: tuple[int, int], words: str) -> None:
    state = setup(f"S 0 8; S 1 44; H 0 {over[0]} 0 0 0 0; H 1 0 {over[1]} 0 0 0", phase="pre_roll")
    before = play(state, "roll").clone()
    effects = before.game.narrate(before, before.parse("#dice=7"), play(state, "#dice=7"), None).effects
    assert [effect.text for effect in effects] == [words]


@pytest.mark.usefixtures("italian")
def test_the_question_and_the_status_name_seats_and_cards() -> None:
    state = setup(BUILT)
    assert state.game.question(state, 0) == (
        "Rosso commercia e costruisce, con in mano 4 legni, 1 argilla, 1 acqua, 1 grano e 1 roccia.")
    text = status_text(game(0), seat=0)
    assert "Rosso (tu)" in text
    assert "gli altri hanno insieme 7 legni 1 argilla" in text
    assert "Dadi: 8. Rosso commercia e costruisce." in text


@pytest.mark.usefixtures("italian")
@pytest.mark.parametrize(("hand", "lack"), [("1 0 0 0 0", "ti manca 1 argilla"),
                                              ("0 0 0 0 0", "ti mancano 1 legno e 1 argilla")])
def test_a_refusal_names_what_is_missing(hand: str, lack: str) -> None:
    state = setup(f"S 0 8; R 0 8-12; S 1 44; H 0 {hand}")
    assert f"(una strada costa 1 legno e 1 argilla; {lack})" in refused(state, "R12-17")
    assert "(l'angolo 44 è occupato: blu ha costruito lì)" in refused(state, "S44")
    assert refused(state, "R1-40") == "non c'è un percorso fra gli angoli 1 e 40"


@pytest.mark.usefixtures("italian")
def test_the_picture_and_the_map_have_italian_words() -> None:
    titles = told(ET.fromstring(board_svg(game(0), seat=0)))
    assert titles[0] == "I Coloni di Zarahemla: Rosso commercia e costruisce."
    assert {"esagono 4: roccia 8", "il ladro", "città 44 di Rosso", "3:1 per ogni risorsa, angoli 0 e 3"} <= set(titles)
    text = board_text(game(0), seat=0)
    assert "NASCOND." in text
    assert " I  Bianco" in text
    assert " A  Arancione" in text


@pytest.mark.usefixtures("italian")
def test_names_agree_with_the_data() -> None:
    names = {row["id"]: row["name_it"].lower() for row in drawing_data()["resource"]}
    assert {name: resource_noun(name) for name in RESOURCES} == names


# ---- typed text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("setting", "words", "move"), [
    ("main", "strada 8-13", "R8-13"), ("main", "città 8", "C8"), ("main", "citta 8", "C8"), ("main", "compra", "D"),
    ("main", "banca w>s", "B4w>s"), ("main", "fine turno", "end"), ("main", "end", "end"),
    ("pre_roll", "lancia", "roll"), ("pre_roll", "guerriero", "W"), ("robber", "esagono 3", ">h3"),
    ("robber", "ladro su h3", ">h3"), ("robber", "robber h3", ">h3"), ("take", "argilla", "+b"),
    ("take", "brick", "+b"), ("take", "b", "+b"),
    ("steal", "blu", "x1"), ("steal", "blue", "x1"), ("steal", "bianco", "x2"),
])
def test_words_of_both_languages_are_read_whatever_is_spoken(code: str, setting: str, words: str, move: str) -> None:
    hand = "S 0 8; R 0 8-12; S 1 44; S 2 34; H 0 4 1 1 2 3; H 1 2 0 0 0 0; H 2 1 0 0 0 0"
    state = setup(hand, phase="pre_roll" if setting == "pre_roll" else "main", cards=[cards(warrior=1, harvest=1)])
    play(state, *{"take": ["H"], "robber": ["W"], "steal": ["W", ">h13"]}.get(setting, []))
    with speaking(code):
        assert state.parse(words) == state.parse(move)
