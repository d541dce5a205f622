"""Combats, the strategic move and the end of a turn: chapters 7 and 8, and their worked examples."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.rng import Random
from sfida.engines.risiko.tables import load_data
from support.playing import legal, play
from support.risiko import armies, candidates, owner, setup, throws

TEXT = "b CIN 10 EU | g MOR SIA 3 OC | n *"


@pytest.mark.rule("RIS-7.1", "RIS-7.9", "RIS-7.13", "RIS-19.27")
def test_attacks_are_free_in_number_and_order() -> None:
    state = setup(TEXT)
    assert "=" in legal(state)
    play(state, "CIN>MOR 3", "-0-1", "x MOR 3+2", "MOR>EGI 2", "-1-0", "CIN>SIA 3", "d3", "-3-0", "=")
    assert state.phase == "fortify"
    again = play(setup("b CIN 4 EU | g MOR EGI | n *"), "CIN>MOR 2", "-0-1", "x MOR 2+1")
    assert {"MOR>EGI 1", "MOR>EGI 2"} == {text for text in throws(again) if text.startswith("MOR>EGI")}


@pytest.mark.rule("RIS-7.2", "RIS-7.12", "RIS-9.5", "RIS-19.5")
def test_one_army_cannot_attack() -> None:
    state = setup("b CIN 2 SIA EU | g IDN | n *")
    assert {text[:3] for text in throws(state)} == {"CIN"}
    play(state, "CIN>MOR 1", "-1-0")
    assert state.seat_on_turn != 0      # all at one: neither attack nor strategic move


@pytest.mark.rule("RIS-7.3", "RIS-19.3", "RIS-19.24")
def test_neighbours() -> None:
    state = setup("b ALK 4 IND 4 AFO 4 CIN 4 MON 4 BRA 4 GRO 4 SIA 4 | g KAM 2 EU | n *")
    found = {text[:7] for text in throws(state)}
    assert {"ALK>KAM", "CIN>MOR", "MON>GIA", "BRA>AFN", "GRO>ISL", "SIA>IDN"} <= found
    assert not {"IND>AFG", "AFO>MOR"} & found
    for wrong in ("IND>AFG 1", "AFO>MOR 1"):
        with pytest.raises(IllegalMove):
            state.parse(wrong)
    back = setup("b KAM 4 | g ALK EU | n *")
    assert "KAM>ALK 3" in legal(back)


@pytest.mark.rule("RIS-7.4", "RIS-14.5")
def test_an_attack_names_both_territories() -> None:
    state = setup(TEXT)
    for code in state.legal_moves():
        text = state.format(code)
        assert text == "=" or (text[:3].isupper() and text[3] == ">")
    with pytest.raises(InvalidNotation):
        state.parse("MOR 3")
    with pytest.raises(IllegalMove):
        state.parse("CIN>EUM 3")


@pytest.mark.rule("RIS-7.5", "RIS-19.2", "RIS-19.23", "RIS-18.20")
@pytest.mark.parametrize(("own", "dice"), [(2, {1}), (3, {1, 2}), (4, {1, 2, 3}), (10, {1, 2, 3})])
def test_attack_dice(own: int, dice: set[int]) -> None:
    state = setup(f"b CIN {own} EU | g MOR SIA 3 OC | n *")
    for target in ("MOR", "SIA"):       # also against more dice
        assert legal(state, f"CIN>{target}") == {f"CIN>{target} {k}" for k in dice}
    play(state, f"CIN>MOR {max(dice)}")
    assert state.snapshot()["attack_dice"] == max(dice)


@pytest.mark.rule("RIS-7.6", "RIS-18.19", "RIS-19.23", "RIS-14.9")
@pytest.mark.parametrize(("held", "dice"), [(1, set()), (2, {1, 2}), (3, {1, 2, 3}), (9, {1, 2, 3})])
def test_defence_dice(held: int, dice: set[int]) -> None:
    state = play(setup(f"b CIN 10 EU | g MOR {held} SIA OC | n *"), "CIN>MOR 3")
    if not dice:
        assert state.phase == "chance_roll"
        return
    assert (state.phase, state.to_move, state.seat_on_turn) == ("defend", 1, 0)
    assert legal(state) == {f"d{k}" for k in dice}
    assert candidates(state) == {f"d{max(dice)}"}
    play(state, "d1")
    assert [weight for _, weight in state.chance_outcomes()] == [855, 441]


def compared(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[int, int]:
    """Return the losses of both sides, recounted (RIS-7.7, 7.8)."""
    pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
    lost = sum(a > d for a, d in pairs)
    return len(pairs) - lost, lost


@pytest.mark.rule("RIS-7.7", "RIS-7.8", "RIS-15.3", "RIS-19.28")
@pytest.mark.parametrize("attack", [1, 2, 3])
@pytest.mark.parametrize("defence", [1, 2, 3])
def test_odds_of_a_throw(attack: int, defence: int) -> None:
    ways: dict[tuple[int, int], int] = {}
    for dice in itertools.product(range(1, 7), repeat=attack + defence):
        losses = compared(dice[:attack], dice[attack:])
        ways[losses] = ways.get(losses, 0) + 1
    held = 3 if defence == 3 else defence
    state = play(setup(f"b CIN 10 EU | g MOR {held} SIA OC | n *"), f"CIN>MOR {attack}")
    if state.phase == "defend":
        play(state, f"d{defence}")
    assert {state.format(code): weight for code, weight in state.chance_outcomes()} == {
        f"-{a}-{d}": n for (a, d), n in ways.items()}


@pytest.mark.rule("RIS-7.7", "RIS-7.8", "RIS-19.18", "RIS-19.19", "RIS-19.20", "RIS-19.21")
@pytest.mark.parametrize(("dice", "attacker", "defender"), [
    ("[6|6]", 1, 0), ("[6|5]", 0, 1), ("[652|64]", 1, 1), ("[5 4 4|5 3 2]", 1, 2), ("[2|311]", 1, 0),
    ("[256|46]", 1, 1)])
def test_dice(dice: str, attacker: int, defender: int) -> None:
    sizes = [len(part.replace(" ", "")) for part in dice.strip("[]").split("|")]
    state = play(setup("b CIN 10 EU | g MOR 5 SIA OC | n *"), f"CIN>MOR {sizes[0]}", f"d{sizes[1]}", dice)
    assert (armies(state, "CIN"), armies(state, "MOR")) == (10 - attacker, 5 - defender)


@pytest.mark.rule("RIS-7.10", "RIS-18.6", "RIS-19.22", "RIS-14.1")
def test_three_sixes_take_three_defenders() -> None:
    state = play(setup("b CIN 10 EU | g MOR 3 SIA OC | n *"), "CIN>MOR 3", "d3", "[666|555]")
    assert (owner(state, "MOR"), armies(state, "MOR"), armies(state, "CIN")) == (0, 3, 7)
    for held in (1, 2, 3):              # a side that removes m defenders at once threw against m dice and lost no army
        for lost in range(held):
            left = play(setup(f"b CIN 4 EU | g MOR {held} SIA OC | n *"), "CIN>MOR 3",
                        *([f"d{held}"] if held > 1 else []), f"-{held - lost}-{lost}")
            assert owner(left, "MOR") == 1


@pytest.mark.rule("RIS-7.11", "RIS-14.7", "RIS-19.25", "RIS-19.26", "RIS-14.2")
def test_occupation() -> None:
    state = play(setup(TEXT), "CIN>MOR 3", "-0-1")
    assert (armies(state, "MOR"), armies(state, "CIN")) == (3, 7)
    assert legal(state) == {f"x MOR 3+{k}" for k in range(7)}
    assert candidates(state) == {"x MOR 3+0", "x MOR 3+3", "x MOR 3+6"}
    none = play(setup("b CIN 4 EU | g MOR SIA OC | n *"), "CIN>MOR 3", "-0-1")
    assert (none.phase, armies(none, "CIN"), armies(none, "MOR")) == ("attack", 1, 3)
    two = play(setup("b CIN 4 EU | g MOR SIA OC | n *"), "CIN>MOR 2", "-0-1")
    assert legal(two) == {"x MOR 2+0", "x MOR 2+1"}
    play(two, "x MOR 2+1")
    assert (armies(two, "CIN"), armies(two, "MOR")) == (1, 3)


@pytest.mark.rule("RIS-7.14", "RIS-18.17", "RIS-14.2")
def test_nothing_to_attack() -> None:
    """If all own armies are inland, the attack is skipped; if all are single, the strategic move, too."""
    inner = setup("b OC NGU 5 SIA | g EU | n *", phase="turn_start", objectives=["na_af"])
    assert inner.snapshot()["left"] == 3
    play(inner, "+AUR 3")
    assert inner.phase == "fortify"
    over = setup("b IDN NGU | g EU | n *", phase="turn_start")
    assert over.seat_on_turn == 1


@pytest.mark.rule("RIS-8.1", "RIS-8.2", "RIS-18.7", "RIS-19.29", "RIS-14.7")
def test_the_strategic_move() -> None:
    state = setup("b UCR 5 EUM EGI CIN 2 | g MOR AF | n *", phase="fortify")
    assert legal(state, "~UCR") == {f"~UCR>EUM {n}" for n in range(1, 5)}
    assert candidates(state, "~UCR") == {"~UCR>EUM 2", "~UCR>EUM 4"}
    with pytest.raises(IllegalMove):
        state.parse("~UCR>EGI 1")
    assert "=" in legal(state)
    sea = setup("b BRA 3 AFN | g MOR | n *", phase="fortify")
    assert legal(sea, "~") == {"~BRA>AFN 1", "~BRA>AFN 2"}


@pytest.mark.rule("RIS-8.3", "RIS-19.29")
def test_the_strategic_move_ends_the_turn() -> None:
    state = play(setup("b UCR 5 EUM | g MOR AF | n *"), "=", "~UCR>EUM 4")
    assert state.seat_on_turn == 1
    assert (armies(state, "UCR"), armies(state, "EUM")) == (1, 5)
    drawn = play(setup("b UCR 5 EUM | g MOR AF | n *", conquests=1), "=", "~UCR>EUM 4")
    assert (drawn.phase, drawn.seat_on_turn) == ("draw", 0)


# ---- assaults ---------------------------------------------------------------------------------------


@pytest.mark.rule("RIS-14.6")
def test_an_assault_throws_on() -> None:
    state = play(setup("b CIN 8 EU | g MOR 4 SIA OC | n *"), "CIN>>MOR", "d3", "-1-2", "d2", "-1-1")
    assert state.phase == "chance_roll"
    assert state.snapshot()["attack_dice"] == 3
    play(state, "-1-0")
    assert state.phase == "chance_roll"                 # nobody asks the attacker
    play(state, "-0-1")
    assert (state.phase, owner(state, "MOR"), armies(state, "CIN")) == ("occupy", 0, 2)
    beaten = play(setup("b CIN 3 EU | g MOR SIA OC | n *"), "CIN>>MOR", "-1-0", "-1-0")
    assert (armies(beaten, "CIN"), beaten.phase) == (1, "place")
    fewer = play(setup("b CIN 4 EU | g MOR 3 SIA OC | n *"), "CIN>>MOR", "d3", "-2-1")
    assert fewer.snapshot()["attack_dice"] == 1


@pytest.mark.rule("RIS-14.6")
def test_an_assault_with_a_reserve() -> None:
    assert "CIN>>MOR 4" not in legal(setup("b CIN 4 EU | g MOR SIA OC | n *"))
    state = play(setup("b CIN 6 EU | g MOR 5 SIA OC | n *"), "CIN>>MOR 4", "d3", "-1-2")
    assert state.phase == "defend"                      # five armies: four can throw
    play(state, "d3", "-1-2")
    assert (state.phase, armies(state, "CIN"), armies(state, "MOR")) == ("attack", 4, 1)


@pytest.mark.rule("RIS-14.10")
def test_attacks_that_a_search_is_offered() -> None:
    state = setup("b CIN 10 URA 3 ALK 2 | g MOR 4 KAM 2 TNO OC | n UCR 9 *")
    assert candidates(state, "CIN>MOR") == set()
    assert candidates(state, "CIN>>MOR") == {"CIN>>MOR", "CIN>>MOR 4"}
    assert candidates(state, "URA>UCR") == {"URA>UCR 2"}
    assert candidates(state, "URA>>UCR") == {"URA>>UCR"}
    assert candidates(state, "ALK>") == {"ALK>KAM 1", "ALK>>KAM", "ALK>TNO 1", "ALK>ALB 1"}
    full = setup("b CIN 10 URA 3 ALK 2 | g MOR 4 KAM 2 TNO OC | n UCR 9 *", options="move_granularity=full")
    assert candidates(full) == legal(full)


def conquest(own: int, held: int, tournament: bool = False) -> Fraction:
    """Return the probability of a conquest if both sides throw the most dice, from the odds of the data."""
    odds = {(row["attack_dice"], row["defense_dice"]): row for row in load_data()["battle_odds"]}
    table: dict[tuple[int, int], Fraction] = {}
    for n in range(1, own + 1):
        for m in range(held + 1):
            k, d = min(3, n - 1), min(3, m)
            if m == 0 or k == 0 or (tournament and k < d):
                table[n, m] = Fraction(m == 0)
                continue
            row = odds[k, d]
            table[n, m] = sum(Fraction(one["ways"], row["total"])
                              * table[n - one["attacker_loss"], m - one["defender_loss"]] for one in row["outcomes"])
    return table[own, held]


@pytest.mark.rule("RIS-21.1", "RIS-19.28")
def test_battles_to_the_end() -> None:
    for row in load_data()["battle_win"]:
        own, held = row["attacker"], row["defender"]
        if own > 12:
            continue
        for key, rules in (("p_base", False), ("p_tournament", True)):
            assert float(conquest(own, held, rules)) == pytest.approx(row[key], abs=6e-7)
        if "exact" in row:
            assert conquest(own, held) == Fraction(row["exact"])
    steps = load_data()["attack_thresholds"]
    for share in (50, 75, 90):
        for rules, name in ((False, "base"), (True, "tournament")):
            for held in (1, 3, 5):
                need = steps[f"{name}_{share}"][held - 1]
                assert conquest(need, held, rules) >= Fraction(share, 100) > conquest(need - 1, held, rules)


@pytest.mark.rule("RIS-14.8", "RIS-21.1")
@pytest.mark.parametrize(("own", "held", "options"), [
    (3, 1, ""), (6, 3, ""), (10, 5, ""), (12, 10, ""), (8, 5, "preset=tournament"), (4, 4, "preset=tournament")])
def test_an_imagined_assault_is_one_event_with_the_exact_odds(own: int, held: int, options: str) -> None:
    state = setup(f"b CIN {own} EU | g MOR {held} SIA OC | n *", options=options)
    state.determinize(2, Random(5))
    state.apply(state.parse("CIN>>MOR"))
    assert state.phase == "chance_assault"
    outcomes = state.chance_outcomes()
    total = sum(weight for _, weight in outcomes)
    won = sum(weight for code, weight in outcomes if state.format(code).endswith("|0"))
    exact = conquest(own, held, "tournament" in options)
    assert won / total == pytest.approx(float(exact), abs=1e-6)
    rng, games, taken = Random(7), 3000, 0
    counts: dict[int, int] = {}
    for _ in range(games):
        code = state.sample_chance(rng)
        counts[code] = counts.get(code, 0) + 1
        taken += state.format(code).endswith("|0")
    assert set(counts) <= {code for code, _ in outcomes}
    assert abs(taken / games - float(exact)) < 5 * (float(exact) * (1 - float(exact)) / games) ** 0.5
    chi2 = sum((counts.get(code, 0) - games * w / total) ** 2 / (games * w / total)
               for code, w in outcomes if games * w / total > 5)
    assert chi2 < len(outcomes) + 6 * (2 * len(outcomes)) ** 0.5


@pytest.mark.rule("RIS-14.8")
def test_the_end_of_an_imagined_assault() -> None:
    state = setup("b CIN 9 EU | g MOR 4 SIA OC | n *")
    state.determinize(0, Random(5))
    begun = state.clone()
    begun.apply(begun.parse("CIN>>MOR"))
    assert len(begun.chance_outcomes()) == len({(a, 0) for a in range(2, 10)} | {(1, d) for d in range(1, 5)})
    won = begun.clone()
    won.apply(won.parse("#left=7|0"))
    assert (won.phase, owner(won, "MOR"), armies(won, "MOR"), armies(won, "CIN")) == ("occupy", 0, 3, 4)
    lost = begun.clone()
    lost.apply(lost.parse("#left=1|3"))
    assert (armies(lost, "MOR"), armies(lost, "CIN")) == (3, 1)
    stopped = state.clone()
    stopped.apply(stopped.parse("CIN>>MOR 4"))
    texts = {stopped.format(code) for code, _ in stopped.chance_outcomes()}
    assert "#left=4|1" in texts
    assert not {text for text in texts if text.startswith("#left=1|")}
    single = state.clone()
    single.apply(single.parse("CIN>MOR 3"))
    assert single.phase == "chance_roll"                # the defender throws the maximum
    assert len(single.chance_outcomes()) == 4


@pytest.mark.rule("RIS-14.8", "RIS-20.2")
def test_big_stacks_fight_throw_by_throw() -> None:
    state = setup("b CIN 300 EU | g MOR 260 SIA OC | n *")
    state.determinize(0, Random(5))
    state.apply(state.parse("CIN>>MOR"))
    rng = Random(1)
    assert state.phase == "chance_roll"
    while state.phase == "chance_roll":
        state.apply(state.sample_chance(rng))
    assert state.phase == "chance_assault"
    assert len(state.chance_outcomes()) <= 2048
    state.apply(state.sample_chance(rng))
    state.verify()
