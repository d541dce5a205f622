"""RisiKo! in Italian: shown texts, and typed words."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.language import LANGUAGES, speaking
from sfida.engines.risiko.options import OwnObjective
from support.risiko import setup, start

pytestmark = pytest.mark.release_only("texts are plain Python")

BOARD = "b CIN 9 MOR 3 NA | g SIA 3 | n *"
LINES = 29                              # lines of a terminal that is too low for the whole map


def said(state: RisikoState, text: str) -> str:
    """Return a move in words."""
    return str(state.game.describe_move(state, state.parse(text)))


def effects(state: RisikoState, *texts: str) -> list[str]:
    """Return the narrated effects of the last of some moves."""
    found: list[str] = []
    for text in texts:
        before, code = state.clone(), state.parse(text)
        state.apply(code)
        found = [effect.text for effect in state.game.effects(before, code, state, None)]
    return found


@pytest.mark.parametrize(("phase", "move", "words"), [
    ("place", "+CIN 1", "1 armata in Cina"),
    ("place", "+CIN 3", "3 armate in Cina"),
    ("attack", "CIN>SIA 1", "attacca Siam da Cina con 1 dado, 79.4 % di conquista"),
    ("attack", "CIN>>SIA 4", "assalta Siam da Cina, tenendo una riserva, 66.2 % di conquista"),
    ("attack", "=", "termina gli attacchi"),
    ("fortify", "~CIN>MOR 2", "sposta 2 armate da Cina verso Medio Oriente"),
])
def test_moves_are_said_in_italian(phase: str, move: str, words: str) -> None:
    state = setup(BOARD, phase=phase, left=3)
    with speaking("it"):
        assert said(state, move) == words


def test_battles_are_told_in_italian() -> None:
    with speaking("it"):
        assert effects(setup("b EU SCA 4 | g EUS AF | n *"), "SCA>EUS 3", "-0-1") == [
            "Blu non perde armate in Scandinavia (ne ha ancora 4); Giallo perde 1 armata in Europa Settentrionale "
            "(non ne ha più)",
            "Blu conquista Europa Settentrionale ai danni di Giallo e vi sposta 3 armate",
            "Blu possiede tutto il continente Europa: +5 armate a turno"]
        assert effects(setup("b CIN 9 | g SIA 3 | n *"), "CIN>SIA 3", "d3", "-1-2") == [
            "Blu perde 1 armata in Cina (ne ha ancora 8); Giallo perde 2 armate in Siam (ne ha ancora 1)"]


def test_status_question_and_picture_are_italian() -> None:
    state = setup(BOARD, objectives=["o24"])
    with speaking("it"):
        status, picture = state.game.status_text(state, seat=0, width=80), state.game.board_svg(state, seat=0)
        question = state.game.question(state, 0)
    assert "Blu (tu)" in status
    assert "obiettivo: Conquistare 24 territori" in status
    assert "11 su 24 territori" in status
    assert question == "Blu attacca, o termina gli attacchi con '='; ancora nessuna conquista, quindi nessuna carta."
    assert f"<title>RisiKo!: {question}</title>" in picture
    assert "<title>Cina: Blu, 9 armate</title>" in picture
    assert "<title>America del Nord: 5 armate a turno, di Blu</title>" in picture


def test_what_is_pointed_at_has_italian_words() -> None:
    state = setup(BOARD)
    code = state.parse("CIN>SIA 3")
    with speaking("it"):
        assert [part.words for part in state.game.move_parts(state, [code])[code]] == ["Cina", "Siam", "3 dadi"]


@pytest.mark.parametrize(("text", "error", "why"), [
    ("SIA>CIN", IllegalMove, "Siam non ti appartiene: è di giallo"),
    ("CIN>MOR", IllegalMove, "Medio Oriente ti appartiene già"),
    ("MOR", IllegalMove, "'MOR' non è legale qui"),
    ("CIN>SIAMO", InvalidNotation, "non c'è nessun territorio 'SIAMO'"),
    ("pesca", IllegalMove, "(la carta si pesca alla fine di un turno con una conquista)"),
    ("tris", IllegalMove, "(i tris si giocano nella fase dei rinforzi, prima di piazzare le armate)"),
    ("~CIN>MOR", IllegalMove, "lo spostamento strategico viene dopo gli attacchi: '=' li conclude"),
    ("[2|3]", IllegalMove, "(non si lancia adesso: prima un attacco nomina i suoi territori)"),
    ("CIN>SIA 4", IllegalMove, "; regola RIS-7.5"),
])
def test_refusals_are_said_in_the_language_that_is_spoken(text: str, error: type[Exception], why: str) -> None:
    state = setup("b CIN 9 MOR | g SIA 3 | n *")
    with speaking("it"), pytest.raises(error) as refused:
        state.parse(text)
    assert why in str(refused.value)


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize(("phase", "typed", "move"), [
    ("place", "Cina 2", "+CIN 2"),
    ("place", "China 2", "+CIN 2"),
    ("attack", "Cina Siam 3", "CIN>SIA 3"),
    ("attack", "China to Siam 3", "CIN>SIA 3"),
    ("attack", "basta", "="),
    ("attack", "done", "="),
    ("fortify", "Cina verso Medio Oriente 2", "~CIN>MOR 2"),
    ("defend", "difendi 2", "d2"),
    ("defend", "defend 2", "d2"),
])
def test_both_languages_may_be_typed(spoken: str, phase: str, typed: str, move: str) -> None:
    state = setup(BOARD, phase="attack" if phase == "defend" else phase, left=3)
    if phase == "defend":
        state.apply(state.parse("CIN>SIA 3"))
    with speaking(spoken):
        assert state.format(state.parse(typed)) == move


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("typed", ["color=blue", "colore blu", "Blu"])
def test_colours_may_be_typed_in_both_languages(spoken: str, typed: str) -> None:
    state = start("risiko:players=3,choose_colors=true")
    state.apply(state.parse("#first=0"))
    with speaking(spoken):
        assert state.format(state.parse(typed)) == "color=blu"


def test_an_own_objective_has_a_name_in_each_language() -> None:
    own = OwnObjective("mine", "Own the Red Sea", "named", territories=("egitto",), name_it="Il Mar Rosso")
    assert (own.row()["name_en"], own.row()["name_it"]) == ("Own the Red Sea", "Il Mar Rosso")
