"""Chance and hidden information: chapters 16 and 17."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest

from sfida.cython_ext.rng import Random, derive
from support.playing import legal, play, step
from support.zarahemla import cards, hands, position, setup, start
from support.zarahemla_beliefs import Beliefs


def chi_square(counts: Counter, expected: dict) -> float:
    """Return chi-square of counts against probabilities, per degree of freedom."""
    n = sum(counts.values())
    assert set(counts) <= set(expected), set(counts) - set(expected)
    return sum((counts[k] - n * p) ** 2 / (n * p) for k, p in expected.items()) / max(1, len(expected) - 1)


# ---- chance -----------------------------------------------------------------------------------------


@pytest.mark.rule("ZAR-16.1", "ZAR-16.2")
def test_dice_and_deck() -> None:
    state = play(setup(phase="pre_roll"), "roll")
    assert [weight for _, weight in state.chance_outcomes()] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    deck = play(setup("H 0 0 0 1 1 1", played=[cards(warrior=3)], cards=[cards(point=1), cards(roads=1)]), "D")
    assert {deck.format(c).split("=")[1]: w for c, w in deck.chance_outcomes()} == {
        "stripling_warrior": 11, "prosperity": 2, "bountiful_harvest": 2, "road_building": 1, "temple_building": 2,
        "liahona": 2, "victory_point": 4}


@pytest.mark.rule("ZAR-16.2")
def test_dice_are_drawn_by_their_chances() -> None:
    state = play(setup(phase="pre_roll"), "roll")
    rng = Random(6)
    counts = Counter(state.sample_chance(rng) for _ in range(7200))
    expected = {code: weight / 36 for code, weight in state.chance_outcomes()}
    assert chi_square(counts, expected) < 3


@pytest.mark.rule("ZAR-16.3")
def test_given_the_luck_the_game_is_a_function() -> None:
    first, rng = start("zarahemla:players=3"), Random(20)
    codes = [step(first, rng) for _ in range(700)]
    second = start("zarahemla:players=3")
    for code in codes:
        second.apply(code)
    assert second == first


# ---- public information -----------------------------------------------------------------------------


def robbed(text: str = "S 1 17; H 1 2 0 0 1 0", **more):
    """Return a position in which seat 2 has just stolen an unseen card from seat 1; seat 0 watches."""
    state = setup(text, phase="pre_roll", on_turn=2, **more)
    return play(state, "roll", "#dice=7", ">h4", "x1")


@pytest.mark.rule("ZAR-17.1", "ZAR-17.2", "ZAR-17.3")
def test_what_everybody_sees() -> None:
    state = play(robbed(cards=[cards(), cards(warrior=1), cards(point=1)]), "#stolen=g")
    for seat in (None, 0, 1, 2):
        where = position(state, seat)
        assert [one.hand_size for one in where.seats] == [0, 2, 1]
        assert [one.card_count for one in where.seats] == [0, 1, 1]
        assert where.bank == (16, 18, 18, 17, 18)
        assert where.deck == 27
    assert [one.hand for one in position(state, 0).seats] == [(0,) * 5, None, None]
    assert [one.hand for one in position(state, None).seats] == [(0,) * 5, None, None]
    for seat in (1, 2):                 # thief and victim saw the card
        assert [one.hand for one in position(state, seat).seats] == [(0,) * 5, (2, 0, 0, 0, 0), (0, 0, 0, 1, 0)]
    assert [one.cards is None for one in position(state, 1).seats] == [False, False, True]
    assert [one.cards is None for one in position(state, 2).seats] == [False, True, False]


@pytest.mark.rule("ZAR-17.1")
def test_purchases_are_public_their_cards_are_not() -> None:
    state = play(setup("H 0 0 0 2 2 2"), "D", "#draw=liahona", "D", "#draw=victory_point")
    assert state.observation(1)["cards_bought"] == 2
    assert state.observation(1)["seats"][0]["card_count"] == 2
    assert state.observation(1)["seats"][0]["cards"] is None
    assert state.observation(0)["seats"][0]["cards"] == {"liahona": 1, "victory_point": 1}


@pytest.mark.rule("ZAR-17.4")
def test_two_players_know_each_others_hands() -> None:
    state, rng = start("zarahemla:players=2,trade_mode=simple"), Random(14)
    stolen = 0
    for _ in range(1500):
        if state.is_over:
            break
        stolen += position(state).phase == "stolen"
        step(state, rng)
        for seat in (0, 1):
            assert [one.hand for one in position(state, seat).seats] == hands(state)
            world = state.clone()
            world.determinize(seat, rng)
            assert hands(world) == hands(state)  # type: ignore[arg-type]
    assert stolen >= 5


@pytest.mark.rule("ZAR-17.4", "ZAR-17.11")
def test_totals_are_always_deducible() -> None:
    state, rng = start("zarahemla:players=4,trade_mode=none"), Random(15)
    for ply in range(1600):
        if state.is_over:
            break
        step(state, rng)
        if ply % 40 or state.is_over:
            continue
        bank = position(state).bank
        for seat in range(4):
            for _, world in state.hand_worlds(seat) or ():
                assert world[seat] == state.hand(seat)
                assert [18 - bank[r] - sum(hand[r] for hand in world) for r in range(5)] == [0] * 5
                assert [sum(hand) for hand in world] == [sum(hand) for hand in hands(state)]


@pytest.mark.rule("ZAR-17.5")
def test_belief_after_a_theft() -> None:
    """Vector 33."""
    state = play(robbed(), "#stolen=g")
    assert state.hand_worlds(0) == [
        (pytest.approx(2 / 3), ((0,) * 5, (1, 0, 0, 1, 0), (1, 0, 0, 0, 0))),
        (pytest.approx(1 / 3), ((0,) * 5, (2, 0, 0, 0, 0), (0, 0, 0, 1, 0)))]
    assert len(state.hand_worlds(1)) == len(state.hand_worlds(2)) == 1
    play(state, "offer", "give:g")
    assert state.known_hands(0) == [(0,) * 5, (2, 0, 0, 0, 0), (0, 0, 0, 1, 0)]


@pytest.mark.rule("ZAR-17.5")
def test_prosperity_tells_all() -> None:
    """Vector 34."""
    state = setup("S 1 17; H 1 1 0 0 2 0; H 2 0 0 0 1 0", phase="pre_roll", cards=[cards(prosperity=1)])
    play(state, "P:g")
    assert state.hand(0) == (0, 0, 0, 3, 0)
    assert [hand[3] for hand in state.known_hands(2)] == [3, 0, 0]
    unseen = robbed("S 1 17; H 0 0 0 0 1 0; H 1 2 0 0 1 0", cards=[cards(), cards(), cards(prosperity=1)])
    play(unseen, "#stolen=w", "P:g")
    assert unseen.known_hands(0) == [(0,) * 5, (1, 0, 0, 0, 0), (1, 0, 0, 2, 0)]


@pytest.mark.rule("ZAR-17.5", "ZAR-17.6", "ZAR-13.7")
@pytest.mark.parametrize(("spec", "plies"), [
    ("zarahemla:players=3,trade_mode=none", 1100), ("zarahemla:players=4,trade_mode=none", 1100),
    ("zarahemla:players=3", 2200), ("zarahemla:players=4,preset=catan", 2200),
    ("zarahemla:players=3,trade_gifts=true,trade_max_cards_per_side=120,trade_max_offers_per_turn=5", 2200),
    ("zarahemla:players=4,discard_limit=3,trade_mode=simple", 1500)])
def test_beliefs_against_plain_bookkeeping(spec: str, plies: int) -> None:
    """Worlds and weights equal those of a plain set of worlds that every event updates, for every seat.

    Beyond six open thefts, the publicly resolved ones are dropped, with the information of their odds on earlier ones.
    """
    compared = most = weighed = 0
    for seed in range(2):
        state, rng = start(spec), Random(derive(21, seed))
        beliefs = [Beliefs(seat, state) for seat in range(-1, state.players)]
        exact = True
        for ply in range(plies):
            if state.is_over:
                break
            before = state.clone()
            code = step(state, rng)
            if state.is_over:
                break
            exact = (exact or state.open_thefts == 0) and state.open_thefts < 6
            for one in beliefs:
                one.see(before, code, state)  # type: ignore[arg-type]
                if ply % 3 and len(one.worlds) == 1:
                    continue
                expected = one.now(state)
                found = {world: weight for weight, world in state.hand_worlds(one.seat) or ()}
                assert set(found) == set(expected), (seed, ply, one.seat)
                for world, weight in expected.items():
                    assert not exact or found[world] == pytest.approx(weight, rel=1e-9)
                compared += 1
                weighed += exact and len(found) > 1
                if one.seat >= 0:
                    most = max(most, len(found))
    assert compared > 500
    assert weighed > 50
    assert most > 3


@pytest.mark.rule("ZAR-17.5", "ZAR-17.9")
def test_determinizations_follow_the_worlds() -> None:
    state, rng = start("zarahemla:players=4,trade_mode=none"), Random(23)
    checked = 0
    while checked < 6:
        if state.is_over:
            state = start("zarahemla:players=4,trade_mode=none")
        step(state, rng)
        worlds = state.hand_worlds(0) if not state.is_over else None
        if worlds is None or not 4 <= len(worlds) <= 12:
            continue
        checked += 1
        counts: Counter = Counter()
        for _ in range(3000):
            world = state.clone()
            world.determinize(0, rng)
            counts[tuple(hands(world))] += 1  # type: ignore[arg-type]
        assert chi_square(counts, {world: weight for weight, world in worlds}) < 4
        for _ in range(60):
            if not state.is_over:
                step(state, rng)


@pytest.mark.rule("ZAR-17.6")
def test_worlds_stay_few() -> None:
    most = Counter()
    for players, seed in product((3, 4), range(3)):
        state, rng = start(f"zarahemla:players={players},trade_mode=none"), Random(derive(31, seed))
        for ply in range(2500):
            if state.is_over:
                break
            step(state, rng)
            if ply % 25 == 0:
                assert state.open_thefts >= 0
                for seat in range(players):
                    most[players] = max(most[players], len(state.hand_worlds(seat) or range(999)))
    assert most[3] <= 40
    assert most[4] <= 120


@pytest.mark.rule("ZAR-17.6")
def test_a_record_that_was_given_up() -> None:
    """After a playout only sizes and totals are kept; determinizations agree with them and with shown cards."""
    state, rng = start("zarahemla:players=4"), Random(33)
    for _ in range(500):
        step(state, rng)
    seen = 0
    while seen < 12:
        work = state.clone()
        work.forget()  # type: ignore[attr-defined]
        if work.is_over:
            break
        for seat in range(4):
            world = work.view(seat).sample(rng)
            world.verify()
            assert world.view(seat).key() == work.view(seat).key()
            assert [sum(hand) for hand in hands(world)] == [sum(hand) for hand in hands(state)]  # type: ignore[arg-type]
            assert world.is_chance or world.legal_moves()
        phase = position(state).phase
        seen += phase in ("discard", "trade_compose", "trade_respond", "trade_pick")
        for _ in range(7):
            step(state, rng)


# ---- development cards ------------------------------------------------------------------------------


@pytest.mark.rule("ZAR-17.7")
def test_unseen_cards_are_dealt_uniformly() -> None:
    """Every assignment of the unseen cards to slots is equally likely, so counts are hypergeometric."""
    rng = Random(41)
    state = setup(played=[cards(warrior=6)], cards=[cards(point=1), cards(warrior=2, liahona=1), cards(temple=1)])
    unseen = [8, 2, 2, 2, 2, 2, 4]
    counts: Counter = Counter()
    for _ in range(6000):
        world = state.clone()
        world.determinize(0, rng)
        assert world.dev_cards(0)[0] == state.dev_cards(0)[0]  # type: ignore[attr-defined]
        held = world.dev_cards(1)[0]  # type: ignore[attr-defined]
        assert sum(held) == 3
        counts[held[0]] += 1
    n = sum(unseen)
    assert chi_square(counts, {k: comb(8, k) * comb(n - 8, 3 - k) / comb(n, 3) for k in range(4)}) < 4


@pytest.mark.rule("ZAR-17.8")
def test_nobody_has_won_already() -> None:
    """Seat 1 showed 11 points at its last decision, so it holds no point card; seat 2, with 10, at most one."""
    state = setup(cards=[cards(), cards(warrior=2), cards(warrior=3)], shown=[0, 11, 10])
    rng = Random(42)
    counts: Counter = Counter()
    for _ in range(4000):
        world = state.clone()
        world.determinize(0, rng)
        assert world.dev_cards(1)[0][6] == 0  # type: ignore[attr-defined]
        counts[world.dev_cards(2)[0][6]] += 1  # type: ignore[attr-defined]
    # five of the 29 unseen cards are point cards; the two cards of seat 1 are not
    ways = {k: comb(5, k) * comb(22, 3 - k) for k in (0, 1)}
    whole = sum(ways.values())
    assert chi_square(counts, {k: n / whole for k, n in ways.items()}) < 6


@pytest.mark.rule("ZAR-17.8")
def test_points_of_an_opponent_in_the_own_turn() -> None:
    state = setup("C 1 0; C 1 2; C 1 11; C 1 26; S 1 47; R 1 0-3-7-12-17-22", on_turn=1,
                  cards=[cards(), cards(warrior=4)], shown=[0, 0, 0])
    assert position(state).seats[1].points == 11
    rng = Random(43)
    for _ in range(200):
        world = state.clone()
        world.determinize(0, rng)
        assert world.dev_cards(1)[0][6] == 0  # type: ignore[attr-defined]


@pytest.mark.rule("ZAR-17.9")
def test_cards_bought_this_turn_are_some_of_the_held() -> None:
    state = play(setup("H 0 0 0 2 2 2", cards=[cards(warrior=2, liahona=1)]), "D",
                 "#draw=victory_point", "D", "#draw=prosperity")
    rng = Random(44)
    bought: Counter = Counter()
    for _ in range(300):
        world = state.clone()
        world.determinize(1, rng)
        held, fresh = world.dev_cards(0)  # type: ignore[attr-defined]
        assert (sum(held), sum(fresh)) == (5, 2)
        assert all(a >= b for a, b in zip(held, fresh, strict=True))
        assert [a + b + c for a, b, c in zip(held, world.deck_cards(), world.dev_cards(2)[0], strict=True)] == [  # type: ignore[attr-defined]
            14, 2, 2, 2, 2, 2, 5]
        bought[tuple(fresh)] += 1
    assert len(bought) > 5


@pytest.mark.rule("ZAR-17.9", "ZAR-17.2", "ZAR-16.1")
@pytest.mark.parametrize("spec", ["zarahemla:players=3", "zarahemla:players=4,preset=catan,trade_mode=none"])
def test_worlds_look_the_same(spec: str) -> None:
    state, rng = start(spec), Random(45)
    for ply in range(1500):
        if state.is_over:
            break
        step(state, rng)
        if ply % 20 or state.is_over:
            continue
        for seat in range(state.players):
            world = state.clone()
            world.determinize(seat, rng)
            world.verify()
            assert world.view(seat).key() == state.view(seat).key()
            assert not world.is_over
            if not world.is_chance:
                assert world.legal_moves()


@pytest.mark.rule("ZAR-17.10")
def test_refusals_are_no_evidence() -> None:
    state = play(robbed("S 1 17; H 0 0 1 0 0 0; H 1 2 0 0 1 0"), "#stolen=w")
    before = state.hand_worlds(0)
    play(state, "end")
    play(state, "roll", "#dice=2", "?1b/1g", "no", "no")
    assert state.hand_worlds(0) == before


@pytest.mark.rule("ZAR-17.11")
def test_legal_moves_depend_on_own_cards_only() -> None:
    state, rng = start("zarahemla:players=4"), Random(46)
    checked = 0
    for ply in range(2500):
        if state.is_over:
            break
        step(state, rng)
        seat = state.to_move
        if seat < 0 or ply % 5:
            continue
        world = state.clone()
        world.determinize(seat, rng)
        assert world.legal_moves() == state.legal_moves() == state.view(seat).legal_moves()
        checked += 1
    assert checked > 200


@pytest.mark.rule("ZAR-17.1", "ZAR-17.3")
def test_a_view_holds_nothing_else() -> None:
    """Information that a seat cannot have is overwritten: worlds that differ only in it give the same bytes."""
    state = play(robbed(cards=[cards(), cards(warrior=1), cards(point=1)]), "#stolen=g")
    other = play(robbed(cards=[cards(), cards(liahona=1), cards(roads=1)]), "#stolen=w")
    assert state.view(0).key() == other.view(0).key()
    assert state.view(1).key() != other.view(1).key()
    assert "#stolen" not in str(legal(state))


@pytest.mark.rule("ZAR-17.7", "ZAR-17.9")
def test_a_card_played_in_the_turn_it_was_bought_in_is_no_longer_dealt() -> None:
    """If this is allowed, a seat may have bought more cards this turn than it still holds."""
    state = setup("H 0 0 0 1 1 1", options="dev_same_turn=true")
    play(state, "D", "#draw=stripling_warrior", "W")
    assert state.snapshot()["cards_bought"] == 1
    for seat in range(3):
        state.determinize(seat, Random(seat))
        assert state.snapshot()["cards_bought"] == 1
