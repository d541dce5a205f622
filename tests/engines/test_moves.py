"""Text typed as a move: read in any game, however long, and answered in one short line."""

from __future__ import annotations

import pytest

from sfida.ai.chance import SeededChance
from sfida.cython_ext.errors import IllegalMove, InvalidNotation, SfidaError
from sfida.engines import moves
from sfida.engines.openspiel import library
from sfida.engines.registry import game_names, make_game
from sfida.engines.spec import did_you_mean, quoted, shortened, shown

pytestmark = pytest.mark.release_only("reading of text")

SIGNS = (" ", "\t", "x", "a", "A", "I", "T ", "1", "+", "/", "(", "[", "~", ">", "@", ",", "=", ":", "*", ";", "#", "-",
         "'", '"', "?", "!", "a1", "\u0301", "\u2212", "\ufffd", "B", "+f1")


def positions(name: str):
    """Yield a position of every kind of decision that occurs early in a game."""
    state, luck, seen = make_game(name).initial_state(), SeededChance(3), set()
    for number in range(60):
        if state.is_over:
            return
        moves = state.legal_moves()
        kind = (state.is_chance, moves[0] >> 56, getattr(state, "phase", ""))
        if kind not in seen:
            seen.add(kind)
            yield state
        state.apply(luck.draw(state) if state.is_chance else moves[number % len(moves)])


@pytest.mark.parametrize("name", game_names())
def test_texts_without_end_are_refused_at_once(name):
    """Patterns that rescan a text from each of its characters took seconds for 20,000 characters."""
    for state in positions(name):
        for sign in SIGNS:
            for start in ("!", "x", "+", "+f", "F@", "E@0,0", "ALK>"):
                text = f"{start}{sign * 20_000}!"
                for read in (state.parse, lambda text, state=state: state.game.parse_turn(state, text)):
                    with pytest.raises(InvalidNotation, match=f"^a text of {len(text)} characters is no move"):
                        read(text)


@pytest.mark.parametrize("name", game_names())
def test_what_is_wrong_with_a_long_text_is_told_shortly(name):
    for state in positions(name):
        for sign in ("w", "9", "w ", "+9", "("):
            for start in ("", "+", "+f", "F@", "E@0,0", "first:", "#draw=", "c:", "d", "R", "x ", "settle ", ">h"):
                text = (start + sign * 900)[:900]
                for read in (state.parse, lambda text, state=state: state.game.parse_turn(state, text)):
                    with pytest.raises(SfidaError) as caught:
                        read(text)
                    message = str(caught.value)
                    assert len(message) < 400, message
                    assert "\n" not in message
                    assert text[:81] not in message


@pytest.mark.parametrize(("game", "text"), [
    ("attila", "+" + "9" * 4301), ("carcassonne", "+f" + "9" * 4301), ("carcassonne", "E@0,0+c" + "9" * 4301),
    ("settlers_of_zarahemla", "B" + "9" * 4301), ("risiko", "+CIN " + "9" * 4301),
])
def test_numbers_of_thousands_of_digits(game, text):
    for state in positions(game):
        for read in (state.parse, lambda text, state=state: state.game.parse_turn(state, text)):
            with pytest.raises(InvalidNotation, match=f"a text of {len(text)} characters is no move"):
                read(text)


def test_the_longest_text():
    assert moves.bounded(" " * 20_000 + "x" * 1000) == "x" * 1000
    assert moves.plain("  a \t\u2212  b ") == "a - b"
    with pytest.raises(InvalidNotation, match="a text of 1001 characters is no move; 1000 are read at most"):
        moves.bounded("x" * 1001)
    with pytest.raises(InvalidNotation, match="no move was given"):
        moves.plain(" \t")


def test_a_question_about_nothing_is_answered_shortly():
    state = make_game("attila").initial_state()
    assert state.game.answer(state, "adj\tger").startswith("GER Germania")
    with pytest.raises(InvalidNotation, match="a text of 5000 characters"):
        state.game.answer(state, "adj " + "x" * 5000)


def test_a_whole_turn_still_goes_in_one_line():
    state, luck = make_game("risiko").initial_state(), SeededChance(3)
    while state.is_chance:
        state.apply(luck.draw(state))
    codes = [state.format(move) for move in state.legal_moves()]
    with pytest.raises(IllegalMove, match="comes too early"):
        state.game.parse_turn(state, "  ".join(codes[:1] * 40))


# ---- quotes in messages -----------------------------------------------------------------------------


def test_values_that_cannot_be_shown_are_described():
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert quoted(nested) == "a value of type list that is too large to show"
    assert quoted(16**5000) == "a value of type int that is too large to show"
    while nested:
        nested = nested.pop()           # released step by step, because Python would do so recursively


def test_long_names_lose_their_middle():
    assert shortened("a" * 80) == "a" * 80
    assert shortened("a" * 50 + "b" * 50) == "a" * 38 + "..." + "b" * 38
    assert shown("/tmp/" + "a" * 80 + "/" + "b" * 100) == f"/tmp/{'a' * 80}/{'b' * 38}...{'b' * 38}"
    assert len(shown("ab/" * 2000)) < 80


def test_no_name_is_looked_for_near_a_long_word():
    assert did_you_mean("carcasonne", ["carcassonne"]) == "; did you mean 'carcassonne'?"
    assert did_you_mean("carcasonne" * 9, ["carcassonne" * 9]) == ""


def test_separators_of_openspiel():
    assert library.as_openspiel(" g(a=1 ;  b=2;3) ") == "g(a=1,b=2;3)"
    assert library.as_option("g(a=1 , b=2,3)") == "g(a=1;b=2,3)"
    blanks = "g(" + " " * 20_000 + ")"
    assert library.as_openspiel(blanks) == library.as_option(blanks) == blanks
