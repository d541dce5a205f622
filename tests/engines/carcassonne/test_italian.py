"""Carcassonne in Italian: exact sentences, and words typed in both languages."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.errors import IllegalMove
from sfida.engines.language import LANGUAGES, speaking
from support.carcassonne import Table

pytestmark = pytest.mark.release_only("nothing in it is compiled")


@pytest.fixture
def italian():
    with speaking("it"):
        yield


def laid(place: str, *turns: str, **options: object) -> Table:
    table = Table(**options)
    if turns:
        table.run(*turns)
    table.hand(0, place.split("@")[0])
    table.state.apply(table.state.parse(place))
    return table


def said(table: Table) -> list[str]:
    return [table.game.describe_move(table.state, move) for move in table.state.legal_moves()]


def test_moves_in_words(italian):
    table = Table()
    table.hand(0, "E")
    assert {"E in (0,-1) girata di 180°", "E in (1,1) non girata"} & set(said(table)) == {"E in (0,-1) girata di 180°"}
    assert said(laid("E@0,-1/2")) == ["nessun seguace", "cavaliere nella città a sud", "contadino nel campo a nord"]
    assert "ladro sulla strada" in said(laid("U@1,0/1"))


def told(places: str) -> tuple[str, ...]:
    """Return the narrated effects of the last of the given turns."""
    table = Table()
    *turns, last = places.split()
    if turns:
        table.run(*turns)
    seat, code = last.split("@")[0].split(":")
    table.hand(int(seat), code)
    found: tuple[str, ...] = ()
    for move in table.game.parse_turn(table.state, last.split(":")[1]):
        after = table.state.clone()
        after.apply(move)
        found = tuple(effect.text for effect in table.game.narrate(table.state, move, after, None).effects)
        table.state = after
    return found


def test_what_a_follower_scores(italian):
    assert told("0:E@0,-1/2+c0") == (
        "Rosso segna 2 punti per la città in (0,0), 2 tessere; il cavaliere di Rosso torna in mano",)


def test_numbers_agree_with_their_nouns(italian):
    table = laid("E@0,-1/2")
    assert table.game.question(table.state, 0).startswith("Rosso può schierare un seguace sulla tessera appena piazzat")
    assert re.search(r"\d+ tessere paesaggio in pila", table.game.status_text(table.state))
    assert "7 in mano" in table.game.status_text(table.state)


def test_refusals(italian):
    table = laid("E@0,-1/2")
    with pytest.raises(IllegalMove) as refused:
        table.state.parse("ladro")
    assert str(refused.value) == ("nella tessera E manca strada; puoi scegliere +c0 (la città a sud), +f0 (il campo a "
                                  "nord), o - per nessuno")
    other = Table()
    other.hand(0, "E")
    with pytest.raises(IllegalMove, match=r"^E in \(5,5\) non tocca nessuna tessera \(CAR-5\.3\)$"):
        other.state.parse("5,5/0")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("text", "canonical"), [
    ("cavaliere sud", "+c0"), ("cavaliere nella città a sud", "+c0"), ("knight in the city to the south", "+c0"),
    ("contadino", "+f0"), ("la città a sud", "+c0"), ("nessuno", "-"), ("nessun seguace", "-"), ("nobody", "-")])
def test_followers_are_deployed_by_words_of_both_languages(code, text, canonical):
    table = laid("E@0,-1/2")
    with speaking(code):
        assert table.state.format(table.state.parse(text)) == canonical


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("text", ["E in (0,-1) girata di 180°", "piazza E in 0,-1 180 gradi", "E at (0,-1) turned 180°",
                                  "E in (0,-1) girata di 180° cavaliere a sud"])
def test_tiles_are_laid_by_words_of_both_languages(code, text):
    table = Table()
    table.hand(0, "E")
    with speaking(code):
        found = table.game.parse_turn(table.state, text)
    assert table.state.format(found[0]) == "E@0,-1/2"
    assert len(found) == 1 + ("cavaliere" in text)


@pytest.mark.parametrize("text", ["Rosso", "red", "first:0", "comincia rosso"])
def test_who_starts_is_named_in_both_languages(text):
    table = Table(first_player="random")
    assert table.state.format(table.state.parse(text)) == "first:0"
