"""Carcassonne in Italian: sentences word for word, words typed in both languages, English as before."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.rng import Random
from sfida.engines.language import LANGUAGES, speaking
from support.carcassonne import Table
from support.crawling import english_in

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
    """Return what came of the last turn of a game that turns are given of."""
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


def everything_said(spec: dict[str, object], seed: int) -> str:
    """Return what all faces of the game say in a game at random."""
    table, rng, lines = Table(**spec), Random(seed), []
    game, state = table.game, table.state
    lines += [game.help_text(), game.introduction()]
    while not state.is_over:
        moves, seat = state.legal_moves(), max(int(state.to_move), 0)
        lines.append(game.question(state, seat))
        if rng.below(30) == 0:
            lines += [game.status_text(state, seat=0), game.board_text(state, width=60, labels=True),
                      *re.findall(r"<(?:text|title)[^>]*>([^<]*)", game.board_svg(state, seat=0)),
                      *(term.text for term in game.standing(state, 0, 0)),
                      *(group.words for group in game.move_groups(state, moves))]
            for text in ("@", "99,99/1", "+f7", "knight", "0,0", "0,1", "river", "0,1/45"):
                try:
                    game.parse_turn(state, text)
                except SfidaError as refused:
                    lines.append(str(refused).replace(text, ""))
        if int(state.to_move) >= 0:
            lesson = game.lesson(state, seat)
            lines += [game.move_note(state, moves[0])] + ([] if lesson is None else [lesson.title, lesson.text])
        move = moves[rng.below(len(moves))]
        after = state.clone()
        after.apply(move)
        story = game.narrate(state, move, after, None)
        lines += [story.words, *(effect.text for effect in story.effects)]
        state = after
    return "\n".join([*lines, game.status_text(state), *game.explain_scores(state)])


@pytest.mark.parametrize("spec", [{"players": 3, "river": True}, {"players": 5, "farm_scoring": "first_edition"}])
def test_nothing_is_said_in_english(spec):
    english = everything_said(spec, 4)
    with speaking("it"):
        italian = everything_said(spec, 4)
    assert everything_said(spec, 4) == english          # nothing of the other language was kept
    assert not english_in(italian, "it")
    assert len(english_in(english, "it")) > 20
