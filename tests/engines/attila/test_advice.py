"""The notes on the moves of Attila, and the groups in which many places for a token are offered."""

from __future__ import annotations

from math import comb

import pytest

from sfida.cython_ext.attila.core import AttilaState
from support.attila import play, setup, start


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
    """With two players the pile follows from 54 cards, 12 in hands; the opponent's 6 are as unknown as the pile."""
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
    """Of 8 cards that the mover does not see, 2 are Franks and 2 are the pile; of the 44 discards 7 are Franks."""
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


@pytest.mark.rule("ATT-11.6", "ATT-13.13")
def test_a_century_that_the_final_scoring_replaces_promises_no_points() -> None:
    board, markers = "GER:FFHH", {"0.S": 21, "0.F": 3, "1.H": 5}
    for options, said, asked in (
            ("scoring_after_trigger=replaced", "no scoring: the final one takes its place",
             "White continues: the final scoring takes the place of that of the 6th century. "
             "This is the last turn: a marker is on the last space."),
            ("", "White +3, Red +3, Green +0", "White continues to the scoring of the 6th century. "
             "This is the last turn: a marker is on the last space.")):
        hands = ["GGHHFF", "FFHHGG"]
        state = play(setup(board, hands, used=5, influence=markers, options=options), "G@GER+3", "nobody", "*I(S2)")
        assert (note(state, "score"), state.game.question(state, 0)) == (said, asked)
        assert ("not scored" in state.game.lesson(state, 0).text) == bool(options)
        gained = play(state, "score").scores()
        assert gained == ([0, 0, 0] if options else [3, 3, 0])


@pytest.mark.rule("ATT-8.11")
def test_a_scoring_between_two_conflicts_pays_for_the_tokens_of_the_second() -> None:
    state = play(setup("GER:FFHH RAE:SSST", ["VGGHHF", "FFHHGG"], used=2), "V@GER,RAE", "nobody", "*I")
    assert note(state, "I:T") == "to 1, 1st; pays 2 more"
    assert note(state, "I:S") == "to 1, 1st; pays 4 more"
    late = play(setup("GER:FFHH RAE:SSST", ["VGGHHF", "FFHHGG"], used=2, options="scoring_timing=after_all_conflicts"),
                "V@GER,RAE", "nobody", "nobody", "*I")
    assert note(late, "I:T") == "to 1, 1st; pays no more"


@pytest.mark.rule("ATT-4.10", "ATT-9.4", "ATT-12.7")
def test_questions_offer_what_can_be_done() -> None:
    dead = "GER RAE NOR PAN DAC MOE"
    state = setup("LUG:H", ["FFFFGG"], pacified=dead, tiles=["D", "", ""])
    assert state.game.question(state, 0) == "White discards a dead card: FFFFGG in hand."
    assert play(state, "~F").game.question(state, 0) == "White ends the turn."
    state = setup("LUG:H", ["FFFFGG"], pacified=dead, options="no_live_card=skip")
    assert state.game.question(state, 0) == "White plays nothing: all cards are dead: FFFFGG in hand."
    state = play(setup(hands=["FFHHGG"], tiles=["D", "", ""]), "F@GER+1")
    assert state.game.question(state, 0) == "White ends the turn or uses a tile: unused Double turn."
    assert state.game.question(setup(hands=["F", "GGHH"], players=2), 0).startswith("White plays a card: F in hand")
    assert state.game.question(setup(hands=["FF", "GGHH"], players=2), 0).startswith("White plays a card, then 1 more")


@pytest.mark.rule("ATT-5.8")
def test_influence_goes_no_further_than_the_last_space() -> None:
    state = play(setup("GER:FF", ["FFHHGG"], used=6, influence={"0.F": 20}), "F@GER")
    assert state.game.describe_move(state, state.parse("+4")) == "gains 2 spaces of influence"
    assert state.game.question(state, 0).startswith("White gains 2 influence with the Franks")
    state = play(setup("GER:FF", ["HHHGGG"], used=6, influence={"0.F": 21}), "H@GER+4", "*I", "I:F")
    assert state.game.describe_move(state, state.parse("I:F")) == "stays on the last space with the Franks"


@pytest.mark.rule("ATT-16.3")
def test_odds_are_exact_while_every_unseen_card_may_lie_in_the_pile_alike() -> None:
    state = setup(hands=["FFHHGG", "STVSTV"], players=2)
    assert note(state, "*X") == "a card drawn is F 15 %, H 15 %, G 15 %, S 19 %, T 19 %, V 19 %"
    play(state, "*X", "-F", "-F", "-H", "-H")
    told = [round(100 * (1 - comb(48 - unseen, 4) / comb(48, 4))) for unseen in (7, 9)]
    assert note(state, "draw").startswith(f"at least one F {told[0]} %, H {told[0]} %")
    assert note(state, "draw").endswith(f"V {told[1]} %")


@pytest.mark.rule("ATT-12.4", "ATT-12.8")
def test_the_page_of_the_cards_says_what_the_second_of_two_players_needs() -> None:
    for options, said in (("players=2", True), ("players=2,two_player_difference_scoring=true", True), ("", False)):
        state = start(options)
        assert ("at most 2 spaces behind" in " ".join(state.game.cards_text(state).split())) == said
        assert ("Only the difference" in state.game.cards_text(state, width=300)) == ("difference" in options)
