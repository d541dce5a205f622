"""Chance, hidden information and the flow of decisions: chapter 17."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.rng import Random, derive
from sfida.engines.acres.position import decode
from sfida.engines.acres.tables import card_codes
from support.acres import B, F, draw, part, play, position, setup, start, types, zone
from support.playing import legal, step


def hand(state: AcresState, seat: int) -> str:
    return zone(state, seat, "hand")


# ---- chance -----------------------------------------------------------------------------------------


def test_draws_are_weighted_by_copies() -> None:
    state = setup("BOS", "QUE", decks=("RI*3 MI NYK SH*2", "TAD"), actions=0)
    play(state, "end")
    weights = {card_codes()[decode(code).card]: weight for code, weight in state.chance_outcomes()}
    assert weights == {"RI": 3, "MI": 1, "NYK": 1, "SH": 2}
    rng, counts = Random(5), Counter()
    for _ in range(2800):
        counts[card_codes()[decode(state.sample_chance(rng)).card]] += 1
    for code, weight in weights.items():
        assert abs(counts[code] - 400 * weight) < 110


def test_draws_are_seen_by_the_drawer_alone() -> None:
    state = setup("BOS", "QUE", decks=("RI NYK PHI STM NHV", "TAD"), actions=0)
    play(state, "end")
    others = []
    for card in ("RI", "NYK"):
        twin = state.clone()
        draw(twin, card)
        others.append((twin.label(F), twin.view(F).key(), twin.label(B)))
        assert state.game.seen_move(state, state.parse(f"#draw={card}"), F) == "#draw=?"
        assert state.game.seen_move(state, state.parse(f"#draw={card}"), B) == f"#draw={card}"
    assert others[0][:2] == others[1][:2]
    assert others[0][2] != others[1][2]


# ---- knowledge --------------------------------------------------------------------------------------


class Bookkeeping:
    """Both sides' knowledge of each hand, updated event by event as the rules say."""

    def __init__(self) -> None:
        self.known = (Counter(), Counter())

    def see(self, before: AcresState, code: int, after: AcresState) -> None:
        move = decode(code)
        for seat in range(2):
            old, new = part(before, seat), part(after, seat)
            known = self.known[seat]
            gone, come = Counter(old.hand), Counter(new.hand)
            gone, come = gone - come, come - gone
            for card, n in gone.items():
                known[card] = max(0, known[card] - n)
            if move.kind in ("retrieve", "intendant") and seat == before.mover:
                known.update(come)
            drew = move.kind == "draw" and seat == before.mover
            emptied = (drew and old.deck_size == 1) or (new.deck_size == 0)
            reshuffled = not drew and new.deck_size > old.deck_size
            if emptied or reshuffled or (move.kind == "show" and seat == before.mover):
                known.clear()
                known.update(new.hand)


@pytest.mark.parametrize("spec", ["acres:max_turns=120", "acres:preset=second,max_turns=120",
                                  "acres:preset=online,max_turns=120"])
def test_known_hands_against_plain_bookkeeping(spec: str) -> None:
    some = 0
    for seed in range(3):
        state, rng, books = start(spec), Random(derive(31, seed)), Bookkeeping()
        while not state.is_over:
            before = state.clone()
            code = step(state, rng)
            books.see(before, code, state)
            for seat in range(2):
                assert Counter(part(state, seat).known) == +books.known[seat]
                some += 0 < len(part(state, seat).known) < part(state, seat).hand_size
    assert some > 100


def test_what_reshuffles_and_open_picks_tell() -> None:
    state = setup("BOS NYK NHV", "QUE", decks=("NFK STM", "TAD"), discards=("PEM PHI", ""), actions=0)
    draw(play(state, "end"), "NFK", "STM")
    assert len(part(state, B).known) == 5
    assert position(state, F).seats[B].hand == part(state, B).hand
    state = setup("NYK", decks=("NFK", ""), reserves=("RI", ""))
    play(state, "retrieve", "discard NYK")
    assert zone(state, B, "known") == "RI"
    assert position(state, F).seats[B].hand == (types("RI", B)[0],)     # no other card is left


def test_a_seat_sees_what_both_own() -> None:
    state = setup("BOS RI", "QUE TAD", decks=("NYK RI", "PRO"), discards=("PHI", ""))
    mine, other = position(state, B).seats
    assert mine.hand == tuple(types("BOS RI", B))
    assert mine.deck == tuple(types("NYK RI", B))
    assert other.hand is None
    assert other.deck is None
    assert sorted(other.unseen) == sorted(types("QUE TAD PRO", F))
    assert (other.hand_size, other.deck_size) == (2, 1)
    public = position(state)
    assert (public.seats[B].hand, public.seats[F].hand) == (None, None)
    seen = state.observation(B)["seats"]
    assert seen[B]["hand"] == ["BOS", "RI"]
    assert (seen[F]["hand"], seen[F]["unseen"]) == (None, ["QUE", "PRO", "TAD"])
    assert state.game.secrets(state, B) == {"hand of french": "QUE TAD"}
    assert "RI RI" not in str(state.view(F).observation()["seats"][B]["hand"])


# ---- worlds -----------------------------------------------------------------------------------------


def hands_of_worlds(state: AcresState, seat: int, count: int, seed: int = 9) -> Counter:
    rng, counts = Random(seed), Counter()
    for _ in range(count):
        world = state.clone()
        world.determinize(seat, rng)
        world.verify()
        counts[hand(world, 1 - seat)] += 1
    return counts


def test_worlds_are_uniform_over_hands() -> None:
    """Hands have two known cards and two of six others: hypergeometric, with copies counted."""
    state = setup("BOS", "TAD CB RI MI", decks=("", "RI RI QUE GAS"), known=("", "TAD CB"))
    counts = hands_of_worlds(state, B, 6000)
    unknown = Counter({"RI": 3, "MI": 1, "QUE": 1, "GAS": 1})
    expected: Counter = Counter()
    order = {code: i for i, code in enumerate(card_codes())}
    for pair in combinations(sorted(unknown.elements()), 2):
        cards = types(" ".join(["TAD", "CB", *pair]), F)
        expected[" ".join(card_codes()[card] for card in sorted(cards))] += 1
    assert order
    assert set(counts) == set(expected)
    total = comb(6, 2)
    chi2 = sum((counts[key] - 6000 * n / total) ** 2 / (6000 * n / total) for key, n in expected.items())
    assert chi2 < 3 * len(expected)


def test_worlds_in_the_midst_of_an_action() -> None:
    """The British have begun to settle Deerfield: they hold a boat and a settler, uniformly over such hands."""
    state = setup("NHV STM BOS MI", "QUE", decks=("RI RG BX NYK", "TAD"), discards=("NFK", ""))
    state.apply(state.parse("settle DEE NHV"))
    counts = hands_of_worlds(state, F, 4000)
    cards = ["STM", "BOS", "MI", "RI", "RG", "BX", "NYK"]
    boats, settlers = {"STM", "BX"}, {"STM", "BOS", "NYK"}
    possible = [set(three) for three in combinations(cards, 3)
                if any(a != b for a in boats & set(three) for b in settlers & set(three))]
    assert {frozenset(key.split()) for key in counts} == set(map(frozenset, possible))
    mean = 4000 / len(possible)
    assert sum((n - mean) ** 2 / mean for n in counts.values()) < 3 * len(possible)
    for key in counts:
        assert {"STM", "BX"} & set(key.split())


@pytest.mark.parametrize("spec", ["acres:max_turns=60", "acres:preset=second,max_turns=60",
                                  "acres:preset=online,max_turns=60,french_picks_extra_initial_empire_card=true"])
def test_worlds_look_the_same(spec: str) -> None:
    seen = set()
    for seed in range(4):
        state, rng = start(spec), Random(derive(45, seed))
        ply = 0
        while not state.is_over:
            step(state, rng)
            ply += 1
            if ply % 5 or state.is_over:
                continue
            for seat in range(2):
                world = state.clone()
                world.determinize(seat, rng)
                world.verify()
                assert world.view(seat).key() == state.view(seat).key()
                assert world.observation(seat) == state.observation(seat)
                assert state.view(seat).sample(Random(ply)) == _determinized(state, seat, ply)
                assert hand(world, seat) == hand(state, seat)
                assert part(world, 1 - seat).unseen == part(state, 1 - seat).unseen
                assert world.legal_moves()
                if seat == state.to_move:
                    assert world.legal_moves() == state.legal_moves()
                    assert world.candidate_moves() == state.candidate_moves()
                    assert state.view(seat).legal_moves() == state.legal_moves()
            seen.add(state.phase)
    assert {"main", "transport", "draw"} <= seen


def _determinized(state: AcresState, seat: int, seed: int) -> AcresState:
    world = state.clone()
    world.determinize(seat, Random(seed))
    return world


def test_worlds_play_on_like_games() -> None:
    """Moves of the other side in a world may end differently, but never break a rule."""
    state, rng = start("acres:max_turns=80"), Random(77)
    for _ in range(300):
        step(state, rng)
    for number in range(12):
        world = state.clone()
        world.determinize(number % 2, rng)
        while not world.is_over:
            step(world, rng)
        world.verify()


def test_a_view_holds_nothing_else() -> None:
    one = setup("BOS RI NYK", "QUE", decks=("MI RI NHV", "TAD"))
    two = setup("MI RI NHV", "QUE", decks=("BOS RI NYK", "TAD"))
    assert one.view(F).key() == two.view(F).key()
    assert one.view(B).key() != two.view(B).key()
    assert one.view(F).to_move == B
    assert one.view(F).legal_moves() == []


def test_equal_counts_are_equal_positions() -> None:
    """Copies of a type are indistinguishable: two ways to one distribution give the same bytes."""
    one = setup("RI*3 MI BOS", decks=("RI NYK", ""))
    two = one.clone()
    play(one, "reserve RI", "discard RI")
    play(two, "discard RI", "reserve RI")
    assert part(one, B) == part(two, B)
    assert one.view(F).observation()["seats"] == two.view(F).observation()["seats"]


# ---- the flow of decisions --------------------------------------------------------------------------


def test_answers_are_asked_even_if_only_one_is_left() -> None:
    state = play(setup("RG", "TAD", decks=("", "CB")), "ambush RG")
    assert (state.to_move, state.phase, legal(state)) == (F, "ambush_response", {"allow"})
    play(state, "allow")
    assert (state.phase, legal(state)) == ("ambush_loss", {"none"})


def test_first_choices_can_be_completed() -> None:
    """There are no dead ends: after any random choices the list is never empty."""
    for seed in range(6):
        state, rng = start("acres:max_turns=80"), Random(derive(52, seed))
        while not state.is_over:
            if not state.is_chance:
                assert state.legal_moves()
            step(state, rng)


def test_orders_of_cards_are_not_told_apart() -> None:
    state = setup("TR PEM HAL ALB", sites="B.HAL B.ALB")
    state.apply(state.parse("trader TR"))
    assert legal(state) == {"+PEM", "+HAL", "+ALB"}
    state.apply(state.parse("+HAL"))
    assert legal(state) == {"done"}             # the other cards come before it
    raid = setup("", "CB NAn NA PR", sites="F.KEN B.FHA B.DEE", on_turn=F)
    raid.apply(raid.parse("raid DEE"))
    assert len(legal(raid)) >= 2


@pytest.mark.parametrize("seed", range(4))
def test_random_play_conserves_cards_and_pieces(seed: int) -> None:
    """Every step is checked against the plain recount; the long run is `bench acres-conservation`."""
    spec = ("acres", "acres:preset=second", "acres:preset=online",
            "acres:raid_may_target_besieged_site=true,placement_after_siege_optional=true,end_check=after_sieges")[seed]
    state, rng = start(spec, max_turns=150), Random(derive(61, seed))
    game = state.game
    while not state.is_over:
        before = state.clone()
        code = step(state, rng)
        state.verify()
        game.verify_step(before, code, state)
    assert sum(state.utilities()) == 1


# ---- the order of cards -----------------------------------------------------------------------------


def test_cards_without_an_order_come_by_type() -> None:
    """After a card, only cards of the same or later types are offered, so each set can be chosen in just one way."""
    def after(state: AcresState, *texts: str) -> set[str]:
        for text in texts:
            state.apply(state.parse(text))
        return {state.format(move) for move in state.legal_moves()}

    def french(cards: str) -> AcresState:
        return setup("", cards, on_turn=F, money=(5, 5), decks=("NYK NHV BOS STM NFK", "PRO QUE"))

    furs = french("TR0 GAS MTL TAD TRI")
    assert after(furs.clone(), "trader TR0", "+GAS") == {"done", "+MTL", "+TAD", "+TRI"}
    assert after(furs.clone(), "trader TR0", "+GAS", "+MTL") == {"done", "+TAD", "+TRI"}
    assert after(furs.clone(), "trader TR0", "+TAD") == {"done", "+TRI"}
    assert after(french("GV MTL TAD LOU"), "govern MTL") == {"done", "+TAD"}
    many = french("GAS MTL TAD TRI CB")
    moves = many.game.parse_turn(many, "discard CB TRI GAS MTL TAD")
    assert (many.format(moves[0]), len(moves)) == ("discard GAS", 5)
