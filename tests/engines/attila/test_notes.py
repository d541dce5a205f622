"""What the notes beside the moves of Attila say, and in which groups many places for a token are offered."""

from __future__ import annotations

from math import comb

import pytest

from sfida.cython_ext.attila.core import AttilaState
from support.attila import play, setup


def note(state: AttilaState, text: str) -> str:
    """Return the note of a move."""
    return state.game.move_note(state, state.parse(text))


def test_cards_name_tokens_provinces_and_markers() -> None:
    state = setup("GER:FF RAE:FH", ["FFHHGG"], influence={"0.F": 3, "1.F": 2, "2.F": 7})
    assert note(state, "F") == "3 tokens, 2 provinces; you 3, Green 7"
    assert note(state, "H") == "1 token, 1 province; you 0, Red 0"
    assert note(state, "G") == "no token yet; you 0, Red 0"


@pytest.mark.rule("ATT-6.1", "ATT-6.7")
def test_places_say_what_a_token_does_there() -> None:
    state = play(setup("GER:FFHV RAE:FFH NOR:HG PAN:G", ["FFHHGG"]), "F")
    assert note(state, "@GER") == "conflict, weakest Huns and Vandals at 1"
    assert note(state, "@RAE") == "the next one starts a conflict"
    assert note(state, "@NOR") == note(state, "@PAN") == "a new province"
    assert note(play(state, "@NOR"), ",NOR") == "the next one starts a conflict"


@pytest.mark.rule("ATT-5.8", "ATT-8.6")
def test_influence_says_where_it_leads_and_what_it_pays() -> None:
    state = play(setup("GER:FF", ["FFHHGG"], used=1, influence={"0.F": 1, "1.F": 3, "2.F": 9}), "F@GER")
    assert note(state, "+2") == "to 3, shared 2nd; pays 1 more"
    state = play(setup("GER:FF", ["FFHHGG"], used=6, influence={"0.F": 20}), "F@GER")
    assert note(state, "+4") == "to 22, the last space; pays no more"


@pytest.mark.rule("ATT-6.6", "ATT-6.7")
def test_cards_for_a_conflict_say_who_is_weakest_then() -> None:
    state = play(setup("GER:FFHH", ["GGGHFF", "FFHHGG"]), "G@GER+1")
    assert note(state, "done") == "weakest Goths at 1"
    assert note(state, ":G") == "weakest 3 tribes at 2"
    play(state, ":G")
    assert note(state, ":G") == "weakest Franks and Huns at 2"
    play(state, "done")
    assert note(state, "done") == "weakest Goths at 1"      # Red does not know the card


def test_scorings_say_who_gets_what() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"], influence={"0.F": 1, "1.H": 2}), "G@GER+1", "nobody")
    assert note(state, "score") == "White +3, Red +3, Green +0"
    state = play(setup("GER:FF", ["FFHHGG"], used=6, influence={"0.F": 20}), "F@GER+4")
    assert note(state, "end") == "final scoring: White +4, Red +0, Green +0"


@pytest.mark.rule("ATT-9.5", "ATT-10.4")
def test_the_odds_of_an_exchange_are_those_of_the_pile() -> None:
    """Two players know the pile: 54 cards, 12 in hands; the opponent's 6 are as unknown as the pile."""
    state = setup(hands=["FFHHGG", "STVSTV"], players=2)
    assert note(state, "*X").startswith("a card drawn is F ")
    chances = [int(part.split()[1]) for part in note(state, "*X").removeprefix("a card drawn is ").split(", ")]
    for chance, unseen in zip(chances, (7, 7, 7, 9, 9, 9), strict=True):
        assert chance == pytest.approx(100 * unseen / 48, abs=2)
    play(state, "*X", "-F", "-F", "-H", "-H")
    assert note(state, "draw").startswith("at least one F ")
    assert int(note(state, "draw").split()[4]) == pytest.approx(48, abs=4)      # 1 - C(41,4) / C(48,4)


@pytest.mark.rule("ATT-10.4")
def test_an_exchange_larger_than_the_pile_draws_from_the_discards() -> None:
    """Of 8 cards that the mover does not see, among them 2 of the Franks, 2 are the pile; 7 of 44 discards are too."""
    state = setup(hands=["HHGGSS", "TTVVSS"], players=2, discards="HHHHHHHGGGGGGGSSSSSTTTTTTTVVVVVVVFFFFFFF")
    assert state.snapshot()["pile"] == 2
    play(state, "*X", "-H", "-H", "-G", "-G")
    none = comb(6, 2) / comb(8, 2) * comb(37, 2) / comb(44, 2)
    assert int(note(state, "draw").split()[4]) == pytest.approx(100 * (1 - none), abs=5)


def test_many_places_are_offered_by_what_a_token_does_there() -> None:
    board = "GER:FFHV RAE:FFH NOR:HG PAN:G LUG:F NAR:F BEL:F AQU:F TAR:F ITS:F"
    state = play(setup(board, ["FFHHGG"]), "F")
    moves = state.legal_moves()
    groups = {group.name: [state.format(move) for move in group.moves]
              for group in state.game.move_groups(state, moves)}
    assert list(groups) == ["fights", "fills", "opens", "adds"]
    assert groups["fights"] == ["@GER"]
    assert groups["fills"] == ["@RAE"]
    assert {"@NOR", "@PAN"} < set(groups["opens"])
    assert set(groups["adds"]) == {"@LUG", "@NAR", "@BEL", "@AQU", "@TAR", "@ITS"}
    assert sorted(text for texts in groups.values() for text in texts) == sorted(map(state.format, moves))
    play(state, "@NOR")
    alone = [group for group in state.game.move_groups(state, state.legal_moves()) if not group.name]
    assert [state.format(move) for group in alone for move in group.moves] == ["+1"]
    assert state.game.move_groups(setup(hands=["FFHHGG"]), []) == []
