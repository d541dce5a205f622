"""Trade with the bank and between players: chapters 12 and 13."""

from __future__ import annotations

import pytest

import sfida
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.rng import Random
from support.playing import legal, play, step
from support.zarahemla import hands, position, setup, start


@pytest.mark.rule("ZAR-12.1")
def test_four_for_one() -> None:
    state = setup("H 0 0 0 0 0 4")
    assert legal(state, "B") == {"B4s>w", "B4s>b", "B4s>a", "B4s>g"}
    play(state, "B4s>w")
    assert state.hand(0) == (1, 0, 0, 0, 0)
    assert not legal(setup("H 0 3 3 3 3 3"), "B")


@pytest.mark.rule("ZAR-12.2", "ZAR-12.3", "ZAR-12.4")
def test_stations() -> None:
    """Figure 32."""
    state = setup("S 0 26; H 0 0 0 0 3 0; S 1 42; H 1 3 0 4 0 0")
    assert legal(state, "B") == {"B3g>w", "B3g>b", "B3g>a", "B3g>s"}
    play(state, "end", "roll", "#dice=2")
    assert legal(state, "B") == {"B2a>w", "B2a>b", "B2a>g", "B2a>s"}
    play(state, "B2a>s", "B2a>s")
    assert state.hand(1) == (3, 0, 0, 0, 2)
    city = setup("C 0 26; S 0 33; H 0 3 2 0 0 0")
    assert legal(city, "B") == {"B3w>b", "B3w>a", "B3w>g", "B3w>s", "B2b>w", "B2b>a", "B2b>g", "B2b>s"}


@pytest.mark.rule("ZAR-12.2", "ZAR-12.3")
@pytest.mark.parametrize(("corner", "rates"), [
    (0, [3, 3, 3, 3, 3]), (1, [4, 4, 4, 2, 4]), (15, [4, 4, 4, 4, 2]), (46, [4, 4, 2, 4, 4]), (38, [4, 2, 4, 4, 4]),
    (16, [2, 4, 4, 4, 4]), (19, [4, 4, 4, 4, 4])])
def test_rates_at_every_kind_of_corner(corner: int, rates: list[int]) -> None:
    assert setup(f"S 0 {corner}").rates(0) == rates


@pytest.mark.rule("ZAR-12.4", "ZAR-18.22")
def test_never_for_itself_nor_at_a_worse_rate() -> None:
    state = setup("S 0 26; H 0 4 0 0 0 0")
    assert legal(state, "B") == {"B3w>b", "B3w>a", "B3w>g", "B3w>s"}


@pytest.mark.rule("ZAR-12.5")
def test_the_bank_must_hold_the_card() -> None:
    state = setup("H 0 4 0 0 0 0; H 1 0 18 0 0 0")
    assert legal(state, "B") == {"B4w>a", "B4w>g", "B4w>s"}
    play(state, "B4w>a")
    assert position(state).bank == (18, 0, 17, 18, 18)


# ---- between players --------------------------------------------------------------------------------


@pytest.mark.rule("ZAR-13.1", "ZAR-13.2", "ZAR-13.4", "ZAR-13.10", "ZAR-13.11")
def test_offer_answers_and_deal() -> None:
    """Neblis, p27."""
    state = setup("H 0 2 0 0 0 3; H 1 0 2 0 0 0; H 2 0 1 0 0 0")
    play(state, "offer", "give:s", "want:b", "done")
    assert (state.to_move, legal(state)) == (1, {"yes", "no", "counter"})
    play(state, "counter", "give:b", "give:b", "want:s", "want:s", "want:s", "done")
    assert state.to_move == 2
    play(state, "!1b/1w1s")
    assert (state.to_move, legal(state)) == (0, {"deal1", "deal2", "nodeal"})
    play(state, "deal2")
    assert hands(state) == [(1, 1, 0, 0, 2), (0, 2, 0, 0, 0), (1, 0, 0, 0, 1)]
    assert position(state).phase == "main"
    assert "offer" not in legal(setup("H 0 1 0 0 0 0; H 1 0 1 0 0 0", phase="pre_roll"))


@pytest.mark.rule("ZAR-13.3", "ZAR-13.5", "ZAR-13.6", "ZAR-18.22")
def test_terms() -> None:
    state = setup("H 0 6 1 0 0 0; H 1 0 6 6 0 0")
    play(state, "offer")
    assert legal(state) == {"give:w", "give:b"}          # only what is held
    play(state, "give:w")
    assert legal(state) == {"give:w", "give:b", "want:b", "want:a"}     # a card must be wanted in return: no gifts
    play(state, "give:w", "give:w", "give:w")
    assert legal(state) == {"want:b", "want:a"}          # four per side; no resource on both sides
    play(state, "want:b", "want:b", "want:b")
    assert legal(state) == {"want:b", "want:a", "done"}
    play(state, "want:a")
    assert legal(state) == {"done"}
    play(state, "done", "yes", "deal1")
    assert hands(state)[:2] == [(2, 4, 1, 0, 0), (4, 3, 5, 0, 0)]


@pytest.mark.rule("ZAR-13.6")
def test_the_side_limit_is_an_option() -> None:
    state = setup("H 0 6 0 0 0 0; H 1 0 6 0 0 0", options="trade_max_cards_per_side=2")
    play(state, "offer", "give:w", "give:w")
    assert legal(state) == {"want:b"}
    play(state, "want:b", "want:b")
    assert legal(state) == {"done"}


@pytest.mark.rule("ZAR-13.7", "ZAR-17.5")
def test_offers_prove_cards() -> None:
    state = setup("H 0 1 1 0 0 0; H 1 0 0 1 0 0; H 2 0 0 0 3 0")
    play(state, "offer")
    assert legal(state) == {"give:w", "give:b"}
    play(state, "give:w", "want:a", "done")
    assert "yes" in legal(state)
    play(state, "no")
    assert legal(state) == {"no", "counter"}             # seat 2 has no water
    play(state, "counter")
    assert legal(state) == {"give:g"}


@pytest.mark.rule("ZAR-13.8", "ZAR-18.23", "ZAR-5.9")
def test_three_offers_a_turn() -> None:
    state = setup("H 0 1 0 0 0 0; H 1 0 1 0 0 0")
    for _ in range(3):
        play(state, "?1w/1b", "no")
    assert "offer" not in legal(state)
    play(state, "end", "roll", "#dice=2")
    assert "offer" in legal(state)
    assert "offer" not in legal(setup("H 0 1 0 0 0 0; H 1 0 1 0 0 0", options="trade_max_offers_per_turn=0"))


@pytest.mark.rule("ZAR-13.8")
@pytest.mark.parametrize(("text", "possible"), [
    ("H 0 1 0 0 0 0", False), ("H 1 0 1 0 0 0", False), ("H 0 1 0 0 0 0; H 1 1 0 0 0 0", False),
    ("H 0 1 0 0 0 0; H 1 0 1 0 0 0", True)])
def test_an_offer_must_be_completable(text: str, possible: bool) -> None:
    assert ("offer" in legal(setup(text))) is possible


@pytest.mark.rule("ZAR-13.9")
def test_composition_in_order_and_never_stuck() -> None:
    state = setup("H 0 1 1 1 1 1; H 1 3 3 3 3 3; H 2 1 0 0 0 0")
    play(state, "offer", "give:a")
    assert legal(state, "give") == {"give:g", "give:s"}
    play(state, "want:g")
    assert legal(state) == {"want:g", "want:s", "done"}
    small = setup("H 0 3 0 0 0 0; H 1 0 2 0 0 0; H 2 0 1 1 0 0")
    play(small, "offer", "give:w", "want:b", "want:b")
    assert legal(small) == {"done"}                      # nobody has more than two cards
    last = setup("H 0 1 1 0 0 0; H 1 1 0 0 0 0")
    assert legal(play(last, "offer")) == {"give:b"}      # giving wood would leave no resource to want


@pytest.mark.rule("ZAR-13.9")
def test_random_compositions_end() -> None:
    state, rng = start("zarahemla:players=4"), Random(11)
    length = composed = 0
    for _ in range(4000):
        if state.is_over:
            break
        phase = position(state).phase
        length = length + 1 if phase == "trade_compose" else 0
        composed += phase == "trade_compose"
        assert length <= 9
        step(state, rng)
    assert composed > 200


@pytest.mark.rule("ZAR-13.10")
def test_who_answers() -> None:
    state = setup("H 0 0 0 0 1 0; H 1 1 0 0 0 0; H 3 0 1 0 0 0", players=4, on_turn=1)
    play(state, "?1w/1b")
    assert state.to_move == 3            # seat 2 has no cards
    play(state, "yes")
    assert state.to_move == 0
    assert position(state, 0).offer == (1, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert state.observation(0)["offers"][1]["answer"] == "yes"      # earlier answers are seen
    assert legal(state) == {"no", "counter"}
    play(state, "counter", "give:g", "want:b", "done")
    assert state.to_move == 1


@pytest.mark.rule("ZAR-13.10", "ZAR-13.15")
def test_modes() -> None:
    text = "H 0 1 0 0 0 0; H 1 0 1 0 0 0; H 2 0 0 1 0 0"
    assert "offer" not in legal(setup(text, options="trade_mode=none"))
    simple = play(setup(text, options="trade_mode=simple"), "?1w/1b")
    assert legal(simple) == {"yes", "no"}
    full = play(setup(text), "?1w/1b")
    assert legal(full) == {"yes", "no", "counter"}
    play(full, "!1b/1w")
    assert full.to_move == 2             # once for each opponent


@pytest.mark.rule("ZAR-13.11", "ZAR-13.14")
def test_no_deal_and_offers_that_cannot_be_paid() -> None:
    text = "H 0 1 0 0 0 0; H 1 0 1 0 0 0; H 2 0 0 2 0 0"
    state = play(setup(text), "?1w/1b", "yes", "no")
    assert legal(state) == {"deal1", "nodeal"}
    before = hands(state)
    play(state, "nodeal")
    assert hands(state) == before
    dear = play(setup(text), "?1w/1b", "no", "!2a/1b")
    assert (dear.to_move, legal(dear)) == (0, {"nodeal"})    # no brick to pay with, but asked all the same
    refused = play(setup(text), "?1w/1b", "no", "no")
    assert (position(refused).phase, refused.to_move) == ("main", 0)


@pytest.mark.rule("ZAR-13.12")
def test_the_exchange_is_public() -> None:
    state = play(setup("H 0 1 0 0 0 2; H 1 0 1 0 0 0; H 2 0 0 2 0 0"), "?1w1s/1b", "yes", "no", "deal1")
    assert position(state).phase == "main"
    for seat in (None, 0, 1, 2):
        assert [one.hand for one in position(state, seat).seats] == [
            (0, 1, 0, 0, 1), (1, 0, 0, 0, 1), (0, 0, 2, 0, 0)]


@pytest.mark.rule("ZAR-13.13", "ZAR-21.2")
def test_moves_of_an_offer_are_bounded() -> None:
    state, rng = start("zarahemla:players=4"), Random(12)
    spent = most = longest = 0
    turn = offer = 0
    for _ in range(6000):
        if state.is_over:
            break
        raw = state.snapshot()
        trading = raw["phase"].startswith("trade")
        if raw["turns"] != turn:
            turn, spent = raw["turns"], 0
        offer = offer + 1 if trading else 0
        spent += trading
        most, longest = max(most, spent), max(longest, offer)
        step(state, rng)
    assert 10 < longest <= 40            # the opening is not counted here
    assert longest < most <= 120


@pytest.mark.rule("ZAR-13.16", "ZAR-22.3")
def test_offers_in_one_line() -> None:
    state = setup("H 0 1 0 0 0 2; H 1 0 1 2 0 0; H 2 0 0 2 0 0")
    assert [state.format(c) for c in state.game.parse_turn(state, "?2s/1b1a")] == [
        "offer", "give:s", "give:s", "want:b", "want:a", "done"]
    play(state, "?2s/1b1a", "!2a/1s")
    assert state.to_move == 2
    with pytest.raises(IllegalMove):
        play(state, "!3a/1s")


@pytest.mark.rule("ZAR-13.16")
@pytest.mark.parametrize(("limit", "count"), [(1, 20), (2, 230), (3, 1170), (4, 4000)])
def test_number_of_offers(limit: int, count: int) -> None:
    """With plenty of all resources each offer has exactly one sequence of small moves."""
    plenty = " ".join(["8"] * 5)
    state = setup(f"H 0 {plenty}; H 1 {plenty}", options=f"trade_max_cards_per_side={limit}")
    play(state, "offer")
    found: set = set()

    def walk(one) -> None:
        for code in one.legal_moves():
            if one.format(code) == "done":
                raw = one.snapshot()
                key = (raw["gives"][0], raw["wants"][0])
                assert key not in found
                found.add(key)
                continue
            after = one.clone()
            after.apply(code)
            walk(after)

    walk(state)
    assert len(found) == count


# ---- gifts, and more and larger offers ----------------------------------------------------------------


@pytest.mark.rule("ZAR-13.17")
def test_gifts_are_an_option() -> None:
    text = "H 0 2 0 0 0 0; H 1 0 1 0 0 0; H 2 0 0 0 0 0"
    plain = play(setup(text), "offer")
    play(plain, "give:w")
    assert "done" not in legal(plain)
    with pytest.raises(IllegalMove, match="done"):
        play(setup(text), "?1w/-")
    state = play(setup(text, options="trade_gifts=true"), "?2w/-")
    assert (state.to_move, position(state).offer) == (1, (0, (2, 0, 0, 0, 0), (0, 0, 0, 0, 0)))
    play(state, "no")
    assert (state.to_move, legal(state)) == (2, {"yes", "no", "counter"})      # an empty hand may be given cards
    play(state, "yes", "deal2")
    assert hands(state) == [(0, 0, 0, 0, 0), (0, 1, 0, 0, 0), (2, 0, 0, 0, 0)]


@pytest.mark.rule("ZAR-13.17")
def test_asking_for_a_gift() -> None:
    state = setup("H 1 0 2 0 0 0; H 2 0 0 1 0 0", options="trade_gifts=true")
    assert "offer" not in legal(setup("H 1 0 2 0 0 0; H 2 0 0 1 0 0"))
    play(state, "offer")
    assert legal(state) == {"want:b", "want:a"}          # an empty hand gives nothing
    play(state, "want:b", "done")
    assert position(state).offer == (0, (0, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert state.observation(2)["offers"][0]["want"] == [0, 1, 0, 0, 0]
    play(state, "yes")
    assert legal(state) == {"no", "counter"}
    play(state, "!1a/-")
    assert legal(state) == {"deal1", "deal2", "nodeal"}
    play(state, "deal2")
    assert hands(state) == [(0, 0, 1, 0, 0), (0, 2, 0, 0, 0), (0, 0, 0, 0, 0)]
    nothing = setup("H 0 0 0 0 0 0", options="trade_gifts=true")
    assert "offer" not in legal(nothing)                 # nobody has a card


@pytest.mark.rule("ZAR-13.17")
def test_an_offer_is_never_empty_on_both_sides() -> None:
    state = play(setup("H 0 1 0 0 0 0; H 1 1 0 0 0 0", options="trade_gifts=true"), "offer")
    assert legal(state) == {"give:w", "want:w"}
    play(state, "want:w")
    assert legal(state) == {"done"}                      # one side is closed when the other begins


@pytest.mark.rule("ZAR-13.17")
@pytest.mark.parametrize("agent", ["greedy", "ismcts:iterations=200,knowledge=hand"])
def test_agents_take_gifts_and_make_none(agent: str) -> None:
    """The agent uses hand-written knowledge: no game reaches this position, so no such position was learned from."""
    text = "S 0 8; S 1 17; H 0 1 1 0 0 0; H 1 0 1 1 1 0"
    state = setup(text, players=2, options="trade_gifts=true")
    play(state, "?1w/-")
    assert state.format(sfida.agent(agent).choose(state.view(1))) == "yes"
    asked = play(setup(text, players=2, options="trade_gifts=true"), "?-/1b")
    assert state.format(sfida.agent(agent).choose(asked.view(1))) != "yes"
    record = sfida.play("zarahemla:trade_gifts=true,max_turns=16", [agent.replace("200", "30")] * 2, seed=4)
    replay = start(record.game)
    for line in record.moves:
        if line == "done":
            raw = replay.snapshot()
            assert any(raw["gives"][raw["seat_to_move"]])
            assert any(raw["wants"][raw["seat_to_move"]])
        replay.apply(replay.parse(line))


@pytest.mark.rule("ZAR-13.6")
def test_all_cards_may_change_hands() -> None:
    state = setup("H 0 18 18 0 0 0; H 1 0 0 17 17 17", options="trade_max_cards_per_side=120")
    play(state, "?18w18b/17a17g17s", "yes", "deal1")
    assert hands(state)[:2] == [(0, 0, 17, 17, 17), (18, 18, 0, 0, 0)]
    lots = setup("H 0 24 0 0 0 0; H 1 0 24 24 24 24",
                 options="trade_max_cards_per_side=120,resource_cards_per_type=24")
    play(lots, "?24w/24b24a24g24s", "yes", "deal1")
    assert hands(lots)[:2] == [(0, 24, 24, 24, 24), (24, 0, 0, 0, 0)]


@pytest.mark.rule("ZAR-13.8")
def test_more_offers_a_turn() -> None:
    state = setup("H 0 1 0 0 0 0; H 1 0 1 0 0 0", players=2, options="trade_max_offers_per_turn=255")
    for _ in range(255):
        assert "offer" in legal(state)
        play(state, "?1w/1b", "no")
    assert "offer" not in legal(state)


@pytest.mark.rule("ZAR-13.6", "ZAR-13.8")
@pytest.mark.parametrize(("option", "right"), [
    ("trade_max_cards_per_side=121", "1 to 120"), ("trade_max_cards_per_side=0", "1 to 120"),
    ("trade_max_offers_per_turn=256", "0 to 255"), ("trade_gifts=2", "true or false")])
def test_bounds_of_the_options(option: str, right: str) -> None:
    with pytest.raises(InvalidOption, match=right):
        start(f"zarahemla:{option}")
