"""The turn, reinforcements and territory cards: chapters 4, 5 and 6, and their worked examples."""

from __future__ import annotations

import itertools
import math

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.rng import Random
from sfida.engines.risiko.tables import load_data
from support.playing import legal, play
from support.risiko import armies, candidates, cards, seat_of, setup, step

SYMBOLS = [row["card_symbol"] for row in load_data()["territory"]] + ["joker"] * 2


def begun(text: str, **arranged) -> int:
    """Return the armies due at the start of blue's turn."""
    return int(setup(text, phase="turn_start", **arranged).snapshot()["left"])


@pytest.mark.rule("RIS-4.1", "RIS-14.1", "RIS-14.2")
def test_the_phases_of_a_turn() -> None:
    state = setup("b CIN 9 SIA AF | g MOR IDN | n *", hands=["ALK ALB SUO"], phase="turn_start")
    phases = [state.phase]
    for line in ("=", "+CIN 5", "CIN>MOR 3", "-0-1", "x MOR 3+0", "=", "~CIN>SIA 2", "c:PER"):
        play(state, line)
        phases.append(state.phase)
    assert phases == ["trade", "place", "attack", "chance_roll", "occupy", "attack", "fortify", "draw", "place"]
    assert state.to_move == state.seat_on_turn == 2        # yellow has one army and nothing to do


@pytest.mark.rule("RIS-5.1", "RIS-19.1", "RIS-19.9")
@pytest.mark.parametrize(("own", "due"), [
    ("CIN SIA URA MOR IND AFG CON AFO EGI BRA PER ALK ALB TNO", 4), ("ALK ALB TNO", 1), ("ALK 3 ALB", 0), ("ALK 3", 0),
    ("IDN NGU AUO AUR CIN SIA URA MOR IND AFG CON AFO", 6), ("NA SA", 11), ("AS", 11), ("ALK ALB TNO CIN SIA", 1),
])
def test_reinforcements(own: str, due: int) -> None:
    assert begun(f"b {own} | g EUS | n *", objectives=["o24"]) == due


@pytest.mark.rule("RIS-5.3", "RIS-19.9")
def test_everything() -> None:
    assert begun("b NA SA AF OC EU AS MAD | g AFS | n AUR", objectives=["kill_giallo"]) == 40 // 3 + 24 - 3 - 2
    bonuses = {row["code"]: row["bonus"] for row in load_data()["continent"]}
    assert bonuses == {"NA": 5, "SA": 2, "AF": 3, "AS": 7, "EU": 5, "OC": 2}
    for code, bonus in bonuses.items():
        size = len(next(row for row in load_data()["continent"] if row["code"] == code)["territories"])
        other = "SA" if code != "SA" else "OC"
        assert begun(f"b {code} | g {other} | n *", objectives=["o24"]) == size // 3 + bonus
    assert 42 // 3 + sum(bonuses.values()) == 38


@pytest.mark.rule("RIS-5.2", "RIS-18.1")
def test_no_minimum() -> None:
    state = setup("b ALK 3 TNO | g EU | n *", phase="turn_start")
    assert state.phase == "attack"
    assert begun("b ALK 3 TNO | g EU | n *", options="min_reinforcement=3") == 3


@pytest.mark.rule("RIS-13.6")
def test_extra_reinforcement() -> None:
    assert begun("b ALK 3 TNO | g EU | n *", options="extra_reinforcement=1") == 1
    assert begun("b ALK TNO ALB | g EU | n *", options="extra_reinforcement=1") == 2


@pytest.mark.rule("RIS-5.4", "RIS-5.5", "RIS-5.6", "RIS-14.4")
def test_placing() -> None:
    state = setup("b CIN SIA URA MOR IND AFG | g EU | n *", hands=["ALK QUE PER"], phase="turn_start")
    play(state, "T ALK QUE PER")
    assert (state.phase, state.snapshot()["left"]) == ("place", 12)
    assert len(legal(state)) == 6 * 12
    assert candidates(state, "+CIN") == {"+CIN 1", "+CIN 6", "+CIN 12"}
    assert not legal(state, "=")
    play(state, "+CIN 11")
    with pytest.raises(IllegalMove):
        state.parse("CIN>KAM 1")
    with pytest.raises(IllegalMove):
        state.parse("+SIB 1")
    play(state, "+SIA")
    assert (armies(state, "CIN"), armies(state, "SIA"), state.phase) == (12, 2, "attack")


@pytest.mark.rule("RIS-6.1", "RIS-6.2", "RIS-18.2", "RIS-19.15")
def test_one_card_however_many_conquests() -> None:
    text = "b CIN 20 EU | g MOR IND SIA MON OC 2 | n *"
    state = setup(text)
    for code in ("MOR", "IND", "SIA"):
        play(state, f"CIN>{code} 3", "-0-1", "x 0")
    play(state, "=", "=")
    assert state.phase == "draw"
    play(state, "c:ALK")
    assert state.hand(0) == [0]
    assert state.seat_on_turn == 1
    none = play(setup(text), "CIN>MOR 3", "-1-0", "=")
    assert (none.hand(0), none.seat_on_turn) == ([], 1)


def worth(text: str, own: str = "BRA", options: str = "") -> int | None:
    """Return the armies for a set, or None if the cards are none; blue owns `own`."""
    rest = "AFN" if "AFN" not in own else "CON"
    state = setup(f"b {own} | g {rest} | n *", hands=[text + " URA SIB JAC CIT"], phase="turn_start", options=options,
                  objectives=["kill_giallo"])
    before = state.snapshot()["left"]
    try:
        play(state, f"T {text}")
    except (IllegalMove, InvalidNotation):
        return None
    return int(state.snapshot()["left"]) - int(before)


@pytest.mark.rule("RIS-6.3", "RIS-6.5", "RIS-19.10", "RIS-19.11", "RIS-19.12", "RIS-19.13")
@pytest.mark.parametrize(("text", "own", "armies_due"), [
    ("GRO ONT CIN", "GRO CIN", 12), ("GRO ONT CIN", "AFS", 8), ("ALK QUE PER", "AFS", 10),
    ("ALK QUE PER", "ALK QUE PER", 16), ("J1 EGI ISL", "EGI", 14), ("J2 EGI ISL", "AFS", 12), ("BRA VEN SIA", "AFS", 4),
    ("ALK ALB SUO", "AFS", 6), ("J1 GRO ONT", "GRO ONT", 16), ("J1 BRA VEN", "AFS", 12),
])
def test_what_sets_are_worth(text: str, own: str, armies_due: int) -> None:
    assert worth(text, own) == armies_due


@pytest.mark.rule("RIS-6.4", "RIS-18.3", "RIS-19.12")
@pytest.mark.parametrize("text", ["J1 EGI QUE", "J1 J2 EGI", "ALK ALB GRO", "ALK QUE BRA", "ALK ALB"])
def test_what_is_no_set(text: str) -> None:
    assert worth(text) is None


@pytest.mark.rule("RIS-13.1", "RIS-19.13")
@pytest.mark.parametrize(("text", "base", "rtu"), [
    ("BRA VEN SIA", 4, 8), ("ALK ALB SUO", 6, 8), ("GRO ONT CIN", 8, 8), ("ALK QUE PER", 10, 10),
    ("J1 EGI ISL", 12, 12)])
def test_trade_tables(text: str, base: int, rtu: int) -> None:
    assert worth(text, "AFS") == base
    assert worth(text, "AFS", "trade_table=rtu") == rtu


@pytest.mark.rule("RIS-6.6", "RIS-6.9", "RIS-18.4", "RIS-14.4")
def test_several_sets_or_none() -> None:
    state = setup("b CIN 9 EU | g MOR | n *", hands=["ALK ALB SUO GRO ONT CIN J1"], phase="turn_start")
    assert len(legal(state, "T")) == 2 + 3 + 3          # three equal, and a joker with two equal ones
    play(state, "T ALK ALB SUO")
    assert state.phase == "trade"
    play(state, "=")
    assert (state.phase, len(state.hand(0))) == ("place", 4)
    left = state.snapshot()["left"]
    play(state, f"+CIN {left}")
    assert not legal(state, "T")


@pytest.mark.rule("RIS-6.7", "RIS-18.21")
def test_traded_cards_lie_open() -> None:
    state = setup("b CIN 9 EU | g MOR | n *", hands=["ALK QUE PER GRO"], phase="turn_start")
    play(state, "T ALK QUE PER")
    assert state.snapshot()["discards"] == tuple(sorted(cards("ALK QUE PER")))
    assert state.hand(0) == cards("GRO")
    assert seat_of(state, 0).card_count == 1
    # the bonus is for owners at this moment: a territory conquered and lost again counts nothing
    lost = setup("b CIN 9 EU | g MOR | n *", hands=["CIN MOR ALK"], phase="turn_start")
    left = lost.snapshot()["left"]
    assert play(lost, "T CIN MOR ALK").snapshot()["left"] == left + 10 + 2


def last_card(reshuffle: str, discards: str = "ALK ALB SUO GRO ONT AMC TNO QUE SUE"):
    """Let blue draw the last card of the deck, PER; all other cards are in yellow's hand or discarded."""
    codes = [row["code"] for row in load_data()["territory"]] + ["J1", "J2"]
    held = [code for code in codes if code not in discards.split() and code != "PER"]
    return setup("b CIN 9 EU | g MOR | n *", hands=["", " ".join(held)], discards=discards, conquests=1,
                 phase="turn_end", options=f"reshuffle={reshuffle}")


@pytest.mark.rule("RIS-6.8", "RIS-18.5", "RIS-19.16")
def test_the_deck_runs_out() -> None:
    eager = last_card("eager")
    assert legal(eager) == {"c:PER"}
    raw = play(eager, "c:PER").snapshot()
    assert (raw["deck"], raw["discards"], raw["draw_cycle"]) == (9, (), 1)
    raw = play(last_card("lazy"), "c:PER").snapshot()
    assert (raw["deck"], len(raw["discards"]), raw["draw_cycle"]) == (0, 9, 0)
    empty = play(last_card("eager", ""), "c:PER")
    assert (empty.snapshot()["deck"], empty.snapshot()["draw_cycle"]) == (0, 0)


@pytest.mark.rule("RIS-6.8", "RIS-18.5", "RIS-19.16")
def test_an_empty_deck() -> None:
    codes = [row["code"] for row in load_data()["territory"]] + ["J1", "J2"]
    held = " ".join(codes[:41])
    for reshuffle in ("eager", "lazy"):
        state = setup("b CIN 9 EU | g MOR | n *", hands=["", held], discards=" ".join(codes[41:]), conquests=1,
                      phase="turn_end", options=f"reshuffle={reshuffle}")
        assert state.phase == "draw"
        assert legal(state) == {"c:AUR", "c:J1", "c:J2"}
        assert state.snapshot()["draw_cycle"] == 1
        none = setup("b CIN 9 EU | g MOR | n *", hands=["", " ".join(codes)], conquests=1, phase="turn_end",
                     options=f"reshuffle={reshuffle}")
        assert (none.seat_on_turn, none.hand(0)) == (1, [])


@pytest.mark.rule("RIS-13.7", "RIS-18.22")
def test_a_hand_limit() -> None:
    text = "b CIN 9 EU | g MOR | n *"
    for held, phase in (("ALK ALB", "draw"), ("ALK ALB GRO", "place")):
        state = setup(text, hands=[held], conquests=1, phase="turn_end", options="hand_limit=3")
        assert state.phase == phase
    taken = setup("b AFO 9 CIN | g MAD | n *", hands=["ALK ALB", "GRO ONT BRA"], options="hand_limit=3")
    play(taken, "AFO>MAD 3", "-0-1")
    assert len(taken.hand(0)) == 5


@pytest.mark.rule("RIS-19.14", "RIS-21.1")
def test_how_many_hands_hold_a_set() -> None:
    """The test tries every triple, and every hand of four by its numbers of symbols."""
    def is_set(three: tuple[str, ...]) -> bool:
        jokers = three.count("joker")
        kinds = len(set(three))
        return kinds in (1, 3) if jokers == 0 else jokers == 1 and kinds == 2

    triples = sum(is_set(three) for three in itertools.combinations(SYMBOLS, 3))
    assert triples == load_data()["cards"]["valid_triples_in_full_deck"] == 4382
    assert math.comb(44, 3) == 13244
    state = setup("b CIN EU | g MOR | n *", phase="turn_start", objectives=["kill_giallo"],
                  hands=[" ".join([row["code"] for row in load_data()["territory"]] + ["J1", "J2"])])
    assert len(legal(state, "T")) == 4382
    assert len(candidates(state)) == 7 + 1
    four = five = 0
    for counts in itertools.product(range(6), range(6), range(6), range(3)):
        hand = [s for s, n in zip(("infantry", "cavalry", "cannon", "joker"), counts, strict=True) for _ in range(n)]
        ways = math.prod(math.comb(14, n) for n in counts[:3]) * math.comb(2, counts[3])
        found = any(is_set(three) for three in itertools.combinations(hand, 3))
        if len(hand) == 4:
            four += ways * found
        if len(hand) == 5:
            five += ways * found
    assert (four * 135751, five) == (110320 * math.comb(44, 4), math.comb(44, 5))


@pytest.mark.rule("RIS-19.14")
def test_five_cards_always_hold_a_set() -> None:
    rng = Random(3)
    text = "b CIN EU | g MOR | n *"
    none = setup(text, hands=["ALK ALB GRO ONT"], phase="turn_start")
    assert (none.phase, legal(none)) == ("trade", {"="})
    names = [row["code"] for row in load_data()["territory"]] + ["J1", "J2"]
    for _ in range(60):
        rng.shuffle(names)
        state = setup(text, hands=[" ".join(names[:5])], phase="turn_start")
        assert state.phase == "trade"
        hand = [SYMBOLS[card] for card in state.hand(0)]
        assert len(candidates(state, "T")) <= 7
        assert len(set(hand)) > 1 or len(legal(state, "T")) == 10


@pytest.mark.rule("RIS-14.10")
def test_a_search_is_offered_the_best_of_each_kind_of_set() -> None:
    state = setup("b CIN ALB GRO | g MOR | n *", hands=["ALK ALB SUO ISL GRO ONT BRA J1"], phase="turn_start")
    assert candidates(state) == {"T ALK ALB SUO", "T GRO ALB BRA", "T ALK ALB J1", "T GRO ONT J1", "="}
    values = {text: play(state.clone(), text).snapshot()["left"] for text in legal(state, "T")}
    for text in candidates(state, "T"):
        kind = sorted(SYMBOLS[card] for card in cards(text[2:]))
        same = [n for other, n in values.items() if sorted(SYMBOLS[card] for card in cards(other[2:])) == kind]
        assert values[text] == max(same)


@pytest.mark.rule("RIS-6.1", "RIS-15.4")
def test_any_card_of_the_deck_may_come() -> None:
    state = setup("b CIN 9 EU | g MOR | n *", hands=["ALK ALB", "PER"], discards="GRO", conquests=1, phase="turn_end")
    outcomes = state.chance_outcomes()
    assert {state.format(code) for code, _ in outcomes} == {
        f"c:{code}" for code in [row["code"] for row in load_data()["territory"]] + ["J1", "J2"]
        if code not in ("ALK", "ALB", "PER", "GRO")}
    assert {weight for _, weight in outcomes} == {1}
    step(state, Random(1))
    assert len(state.hand(0)) == 3
