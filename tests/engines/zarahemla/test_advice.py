"""Standings of seats, and the shown gains, costs and risks of moves, on the board of the worked examples."""

from __future__ import annotations

import re

import pytest

from sfida.ai.analysis import follow, reasons_of
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.rng import Random
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.narration import changes
from support.playing import deal, play, step
from support.zarahemla import cards, read_setup, setup, start

TOWN = "S 0 8; R 0 8-12; S 1 44; R 1 39-44; S 2 30"         # 8: wheat on 12, wood on 10, stone on 8


def terms(state: ZarahemlaState, seat: int, viewer: int) -> dict[str, float]:
    """Return the terms of a seat's standing that are not zero."""
    return {term.name: term.value for term in state.game.standing(state, seat, viewer) if term.value}


def gained(state: ZarahemlaState, *lines: str, seat: int = 0, viewer: int = 0) -> list[str]:
    """Return the changes of a seat's standing by some lines."""
    before = state.game.standing(state, seat, viewer)
    return [term.text for term in changes(before, state.game.standing(play(state.clone(), *lines), seat, viewer))]


def note(state: ZarahemlaState, text: str) -> str:
    return str(state.game.move_note(state, state.parse(text)))


def test_a_seat_counts_its_points_income_places_and_cards() -> None:
    state = setup(f"{TOWN}; H 0 1 0 0 0 2; H 1 4 4 0 0 0", cards=[cards(point=1, warrior=1)], played=[cards(warrior=1)],
                  stones=[2])
    assert terms(state, 0, 0) == {
        "points": 2, "cards in 36 rolls": 1 + 3 + 5, "wheat supply": 1, "wood supply": 1, "stone supply": 1,
        "roads in a row": 1, "places to settle one road away": 2, "Warriors played": 1, "temple stones": 2,
        "development cards": 2, "wood": 1, "stone": 2}
    assert terms(state, 1, 0)["cards in hand"] == 8
    assert terms(state, 1, 0)["cards that a seven would cost"] == 4


def test_what_is_hidden_is_no_term() -> None:
    """The viewer is shown the same terms of the others, whatever they hold."""
    told = []
    for held, hand in ((cards(point=1), "2 0 0 0 1"), (cards(warrior=1), "0 1 1 1 0")):
        state = setup(f"{TOWN}; H 1 {hand}", cards=[cards(), held])
        told.append(terms(state, 1, 0))
    assert told[0] == told[1]
    assert terms(state, 1, 1) != told[1]


@pytest.mark.parametrize("spec", ["zarahemla:players=3", "zarahemla:players=4,preset=catan"])
def test_notes_lessons_and_standings_are_the_same_in_every_world_that_a_seat_thinks_possible(spec: str) -> None:
    state, rng = start(spec), Random(6)
    for number in range(700):
        if state.is_over:
            break
        if number % 7 == 0 and not state.is_chance:
            game, seat = state.game, int(state.to_move)
            world = state.view(seat).sample(rng)
            for move in state.legal_moves():
                assert game.move_note(world, move) == game.move_note(state, move)
            assert game.lesson(world, seat) == game.lesson(state, seat)
            for other in range(state.players):
                assert game.standing(world, other, seat) == game.standing(state, other, seat)
        step(state, rng, candidates=True)


@pytest.mark.parametrize(("hand", "lines", "said"), [
    ("1 1 0 0 0", ["R8-13"], ["+1 road in a row", "-1 wood", "-1 brick"]),
    ("0 0 0 2 3", ["C8"], ["+1 point", "+9 cards in 36 rolls", "-2 wheat", "-3 stone"]),
    ("0 1 0 0 1", ["T"], ["+1 temple stone", "-1 brick", "-1 stone"]),
    ("0 4 0 0 0", ["B4b>g"], ["-4 brick", "+1 wheat"]),
])
def test_a_move_gains_what_it_brings_and_gives_away_what_it_costs(hand: str, lines: list[str], said: list[str]) -> None:
    assert [text for text in gained(setup(f"{TOWN}; H 0 {hand}"), *lines) if "place" not in text] == said


def test_a_new_settlement_names_the_resources_and_the_station_that_it_brings() -> None:
    said = gained(setup("S 0 8; R 0 8-4-1; H 0 1 1 1 1 0"), "S1")
    assert said[:2] == ["+1 point", "+3 cards in 36 rolls"]
    assert "+1 trading station (2:1 for wheat)" in said
    assert note(setup("S 0 8; R 0 8-4-1; H 0 1 1 1 1 0"), "S1") == (
        "wood on 10: 3 of 36; station 2:1 wheat")


def test_reasons_name_the_victim_of_the_robber() -> None:
    state = setup(f"{TOWN}; H 1 1 0 0 0 0", phase="pre_roll", cards=[cards(warrior=1)])
    line = follow(state.view(0), ["W", ">h13", "x1"], 1)
    reasons = reasons_of(state.game, line)
    assert "blue -5 cards in 36 rolls" in reasons.gains
    assert "+1 Warrior played" in reasons.gains
    assert reasons.costs == ("-1 development card",)


@pytest.mark.parametrize(("moves", "text", "said"), [
    ([], "roll", "brings 0.2 cards on average; a seven (1 in 6) takes 4"),
    ([], "W", "your 2nd Warrior: move the robber and steal a card"),
    ([], "L8", "you get 1 stone"), ([], "L7", "the robber moves, and hands that are too big lose half"),
    ([], "L3", "nobody gets anything"), ([], "P:b", "the others hold 3"),
    (["W"], ">h13", "blue gets 5 in 36 there, holds 5 cards"),
    (["W"], ">h1", "you get 3 in 36 there"), (["W"], ">h15", "nobody has built there"),
    (["W", ">h13"], "x1", "brick 60 %, wood 40 %"),
])
def test_moves_tell_their_odds(moves: list[str], text: str, said: str) -> None:
    state = setup(f"{TOWN}; H 0 8 0 0 0 0; H 1 2 3 0 0 0", phase="pre_roll", played=[cards(warrior=1)],
                  cards=[cards(warrior=1, liahona=1, prosperity=1)])
    assert note(play(state, *moves), text) == said


def test_a_card_to_buy_has_odds_by_what_the_buyer_has_seen() -> None:
    state = setup(f"{TOWN}; H 0 0 0 1 1 1", cards=[cards(point=1), cards(warrior=2)], played=[cards(warrior=4)])
    assert note(state, "D") == ("Stripling Warrior 42 %, Victory Point 17 %, others 41 %; "
                                "costs 1 water, 1 wheat and 1 stone")


def test_a_road_says_where_it_leads() -> None:
    state = setup(f"{TOWN}; H 0 1 1 0 0 0")
    assert note(state, "R12-17").startswith("reaches 17: ")
    assert note(state, "R8-4").startswith("towards 1 (3 of 36) and 0 ")


@pytest.mark.rule("ZAR-6.3", "ZAR-7.12")
def test_hexes_with_one_number_are_one_chance_and_the_hex_under_the_robber_is_none() -> None:
    road = "S 0 8; R 0 8-13-18-24; H 0 2 2 1 1 0"
    assert note(setup(road), "S24") == "water on 4, wood on 4: 3 of 36"
    assert note(setup(road, robber=10), "S24") == "water on 4: 3 of 36; the robber stops wood on 4"
    twins = start("zarahemla:players=3,terrain=gwsbsgbgahggwsagbwa,numbers=12.10.5.5.8.6.8.9.3.0.6.10.11.6.2.3.11.6.9")
    twins.arrange(**read_setup(road, 3), robber=10)
    assert note(twins, "S24") == "wheat on 6: 5 of 36; the robber stops wheat on 6"
    reached = "S 0 8; R 0 8-13-18; H 0 1 1 0 0 0"
    assert note(setup(reached), "R18-24") == "reaches 24: water on 4, wood on 4: 3 of 36"
    assert note(setup(f"{TOWN}; H 0 0 0 0 2 3", robber=4), "C8") == "wheat on 12, wood on 10: 4 of 36; " \
        "the robber stops stone on 8"


@pytest.mark.rule("ZAR-4.9")
def test_a_starting_settlement_says_what_it_brings_at_once() -> None:
    state = deal(start("zarahemla:preset=catan,board=figures,first_player=0,players=2"), Random(1))
    assert note(state, "S8") == "wheat on 12, wood on 10, stone on 8: 9 of 36"
    play(state, "S8", "R8-12", "S44", "R39-44")
    assert note(state, "S19") == "water on 4, brick on 8, wood on 4: 8 of 36; 1 wood, 1 brick and 1 water at once"


@pytest.mark.rule("ZAR-6.5", "ZAR-6.6")
def test_what_a_number_brings_is_what_the_bank_still_holds() -> None:
    held = cards(liahona=1)
    pieces = "S 0 39; C 0 29; H 2 0 0 0 0 16"           # the example of a bank with two stone left
    assert note(setup(pieces, phase="pre_roll", cards=[held]), "L6") == "you get 2 stone"
    assert note(setup(pieces, phase="pre_roll", cards=[held], options="bank_shortage=nobody"), "L6") == \
        "nobody gets anything"
    assert note(setup(f"{pieces}; S 1 40", phase="pre_roll", cards=[held]), "L6") == "blue gets 1 wood"
    assert note(setup(pieces, phase="pre_roll"), "roll") == "brings 0.5 cards on average"
    assert note(setup(pieces, phase="pre_roll", options="bank_shortage=nobody"), "roll") == \
        "brings 0.2 cards on average"
    assert note(setup("S 0 39; C 0 29", phase="pre_roll"), "roll") == "brings 0.6 cards on average"
    assert note(setup(pieces, phase="pre_roll", cards=[held]), "L7") == \
        "the robber moves, and hands that are too big lose half"
    assert note(setup(TOWN, phase="pre_roll", cards=[held]), "L7") == "the robber moves"


@pytest.mark.rule("ZAR-17.8")
def test_the_odds_of_a_card_count_that_the_game_goes_on() -> None:
    """With eleven shown points a seat cannot hold a point card, so those cards lie in the deck."""
    held = [cards(), cards(warrior=5)]
    state = setup(f"{TOWN}; H 0 0 0 1 1 1", cards=held)
    assert note(state, "D").startswith("Stripling Warrior 48 %, Victory Point 17 %, others 35 %")
    state = setup(f"{TOWN}; H 0 0 0 1 1 1", cards=held, shown=[1, 11, 1])
    assert note(state, "D").startswith("Stripling Warrior 46 %, Victory Point 21 %, others 33 %")


@pytest.mark.rule("ZAR-7.5")
def test_a_robber_at_home_stops_no_harvest_and_can_steal() -> None:
    for pieces, said in (("S 0 44; S 1 24", "blue has built there, holds 1 card"),
                         ("S 0 24", "you have built there")):
        state = setup(f"{pieces}; H 1 1 0 0 0 0", options="robber_home_allowed=true", robber=0,
                      cards=[cards(warrior=1)])
        assert note(play(state, "W"), ">h9") == said


@pytest.mark.rule("ZAR-10.6", "ZAR-10.13", "ZAR-18.12")
def test_a_warrior_says_whether_it_wins_the_army_or_the_game_and_whether_it_steals() -> None:
    town = "S 0 8; S 1 44; H 1 1 0 0 0 0"
    held, two = [cards(warrior=1)], [cards(warrior=2)]
    assert note(setup(town, cards=held, played=two), "W") == \
        "your 3rd Warrior: takes the Largest Army, move the robber and steal a card"
    assert note(setup(town, cards=held, played=two, options="victory_points=3"), "W") == \
        "your 3rd Warrior: takes the Largest Army, wins the game"
    assert note(setup("S 0 8; S 1 44", cards=held), "W") == "your 1st Warrior: move the robber; nobody can be robbed"


@pytest.mark.rule("ZAR-1.4", "ZAR-19.2")
def test_the_page_of_the_cards_lists_those_of_the_deck() -> None:
    for options, whole in (("", 29), ("dev_deck=catan", 25), ("temple_enabled=false,dev_deck=catan", 25)):
        state = setup(TOWN, options=options)
        counts = re.findall(r"^\S.*?\((\d+)\): ", state.game.cards_text(state, width=200), re.MULTILINE)
        assert sum(map(int, counts)) == whole == sum(state.game.initial_state().deck_cards())


# ---- questions and refusals ---------------------------------------------------------------------------


@pytest.mark.rule("ZAR-10.8", "ZAR-10.9")
def test_questions_count_what_pieces_and_bank_still_allow() -> None:
    """One of the fifteen roads is left, and the bank holds one card."""
    laid = "R 0 8-12-17-22-28-34-39-44; R 0 12-7-11-16-21-27-33-38"
    state = setup(f"S 0 8; {laid}", cards=[cards(roads=1)])
    assert state.game.question(play(state, "RB"), 0) == "Red places 1 free road."
    state = setup("S 0 8; R 0 8-12", cards=[cards(roads=1)])
    assert state.game.question(play(state, "RB"), 0) == "Red places 2 free roads."
    state = setup("S 0 8; H 1 18 18 18 18 17", cards=[cards(harvest=1)])
    assert state.game.question(play(state, "harvest"), 0) == "Red takes 1 card from the bank."


def test_questions_count_what_is_left() -> None:
    state = deal(start("zarahemla:players=2,board=figures,first_player=0"), Random(1))
    asked = []
    for text in ("S9", "R9-13", "S44"):
        asked.append(state.game.question(state, state.to_move))
        play(state, text)
    assert asked == ["Red places starting settlement 1 of 3.", "Red places the road beside the settlement at 9.",
                     "Blue places starting settlement 1 of 3."]
    state = setup(f"{TOWN}; H 0 5 4 0 0 0", phase="pre_roll")
    play(state, "roll", "#dice=7", "-w")
    assert state.game.question(state, 0) == "Red holds 8 cards and gives up 3."


def test_a_trade_says_at_every_step_who_would_give_what() -> None:
    state = setup(f"{TOWN}; H 0 0 0 0 0 2; H 1 2 0 0 0 0; H 2 0 1 0 0 0")
    assert state.game.question(state, 0) == "Red trades and builds, with 2 stone in hand."
    play(state, "?1s/1w")
    assert state.game.question(state, 1) == "Blue answers the offer: Red gives 1 stone for 1 wood. Blue holds 2 wood."
    assert state.game.describe_move(state, state.parse("yes")) == "agrees to give 1 wood for 1 stone"
    play(state, "counter", "give:w")
    assert state.game.question(state, 1) == ("Blue makes a counter-offer; Red offered 1 stone for 1 wood. "
                                             "So far: gives 1 wood, wants nothing.")
    play(state, "want:s", "want:s")
    assert state.game.describe_move(state, state.parse("done")) == "offers 1 wood for 2 stone"
    play(state, "done", "no")
    assert state.game.question(state, 0) == ("Red picks a partner for the trade. Nobody accepts 1 stone for 1 wood. "
                                             "Blue would give 1 wood for 2 stone.")
    assert state.game.describe_move(state, state.parse("blue")) == "deals with blue: gives 2 stone, gets 1 wood"


@pytest.mark.parametrize(("text", "reason"), [
    ("roll", "the dice have been rolled"), ("W", "you hold no Stripling Warrior"), ("RB", "this Road Building is new"),
    ("L8", "the Liahona is played before the dice"), ("?2s/1b", "you hold 1 stone"), ("?1s/1s", "on both sides"),
    ("yes", "no offer is on the table"), (">h3", "the robber moves after a seven"), ("S12", "the distance rule"),
])
def test_a_refusal_in_a_turn_says_the_reason(text: str, reason: str) -> None:
    state = setup(f"{TOWN}; H 0 0 0 0 0 1; H 1 1 1 1 1 1", cards=[cards(liahona=1, roads=1)], fresh=cards(roads=1))
    with pytest.raises(IllegalMove, match=reason) as caught:
        state.game.parse_turn(state, text)
    assert f"'{text}'" in str(caught.value)


@pytest.mark.parametrize(("options", "text", "reason"), [
    ("", "T", "you lack 1 brick"), ("temple_before_roll=false", "T", "roll the dice first"),
    ("temple_enabled=false,dev_deck=catan", "T", "without the temple"), ("", "D", "roll the dice first"),
    ("", "?1s/1b", "roll the dice first"),
])
def test_a_refusal_before_the_dice_keeps_to_the_options(options: str, text: str, reason: str) -> None:
    state = setup(f"{TOWN}; H 0 0 0 0 0 1; H 1 1 1 1 1 1", options=options, phase="pre_roll")
    with pytest.raises(IllegalMove, match=reason):
        state.game.parse_turn(state, text)
