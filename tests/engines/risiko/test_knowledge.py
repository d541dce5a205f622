"""The knowledge of RisiKo! for the search: win shares, priors, certain wins."""

from __future__ import annotations

import pytest

import sfida
from sfida.ai.chance import SeededChance
from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random
from sfida.engines.risiko.options import RisikoOptions, settle
from sfida.engines.risiko.position import decode
from sfida.engines.risiko.tables import build_rules, codes, load_data
from support.playing import deal
from support.risiko import BLUE, YELLOW, setup, start
from support.worth import check_worth

SPECS = ["risiko:players=3", "risiko:players=6", "risiko:preset=tournament", "risiko:preset=rtu,players=5"]
EIGHTEEN = "b ALK 2 TNO 2 ALB 2 ONT 2 QUE 2 SUO 2 SUE 2 AMC 2 GRO 2 VEN 2 BRA 2 PER 2 ARG 2 AFN 2 EGI 2 AFO 2 CON 2"
THREE = ("eu_oc_x", "as_sa", "na_af")


def share(state: RisikoState, seat: int) -> float:
    """Return the win share of a seat as the seat to move sees it."""
    evaluation = state.evaluation()
    assert evaluation is not None
    return float(evaluation[0][seat])


def greedy(state: RisikoState) -> str:
    """Return the text of the greedy move."""
    return str(state.format(sfida.agent("greedy", seed=1).choose(state.view(state.to_move))))


def searched(state: RisikoState, iterations: int = 300) -> str:
    """Return the text of the move that a search finds."""
    return str(state.format(sfida.agent(f"ismcts:iterations={iterations}", seed=1).choose(state.view(state.to_move))))


@pytest.mark.parametrize("spec", SPECS)
def test_shares_and_priors_in_whole_games(spec: str) -> None:
    assert check_worth(start(spec), sfida.agent("greedy", seed=3), every=6, most=200) > 60


def test_while_luck_decides_the_evaluation_is_a_spectators() -> None:
    state = deal(start(players=3), Random(5))
    luck, player = SeededChance(5), sfida.agent("greedy", seed=5)
    found = 0
    while found < 5 and not state.is_over:
        if state.is_chance:
            expected = state.evaluation()
            assert all(state.view(i).sample(Random(i)).evaluation() == expected for i in range(3))
            found += 1
            state.apply(luck.draw(state))
        else:
            state.apply(player.choose(state.view(state.to_move)))
    assert found == 5


@pytest.mark.rule("RIS-7.8")
def test_odds() -> None:
    """The odds are those of the data file, with and without inferior attacks."""
    base, tournament = start().rules, start("risiko:preset=tournament").rules
    assert base.win_chance(2, 1) == pytest.approx(5 / 12)
    assert base.win_chance(3, 1) == pytest.approx(1955 / 2592)
    assert base.win_chance(4, 3) == pytest.approx(4402175 / 13436928)
    assert tournament.win_chance(3, 3) == tournament.win_chance(2, 2) == 0.0        # RIS-11.4
    assert base.win_chance(4, 1, reserve=True) == 0.0
    assert 0.0 < base.win_chance(8, 3, reserve=True) < base.win_chance(8, 3)
    assert all(base.win_chance(a, d) < base.win_chance(a + 1, d) for a in range(1, 9) for d in range(1, 9))
    assert base.win_chance(64, 40) == base.win_chance(32, 20)                       # stacks beyond the table
    assert base.win_chance(6, 3, dice=1) == pytest.approx(
        (1071 * base.win_chance(5, 3) + 225 * base.win_chance(6, 2)) / 1296)        # the first throw, then the most
    assert base.win_chance(30, 4, protected=True) == tournament.win_chance(30, 4, protected=True) == 0.0    # RIS-9.6
    assert base.expected_losses(30, 2, protected=True) == pytest.approx((161 / 55, 1.0), rel=1e-3)
    with pytest.raises(ValueError, match="at least 1 army"):
        base.win_chance(0, 1)
    with pytest.raises(ValueError, match="at most 2 dice, not 3"):
        base.win_chance(3, 1, dice=3)


@pytest.mark.rule("RIS-9.6")
def test_nobody_attacks_a_territory_that_no_throw_may_conquer() -> None:
    """The knowledge prefers no attack on the only territory of a seat until round 5."""
    board = "b AFO 12 EU | g MAD 2 | n AFS 40 CON 40 EGI 40 AFN 40 *"
    early, late = (setup(board, round_=round_, objectives=["kill_giallo"]) for round_ in (4, 5))
    assert greedy(late).startswith("AFO>>MAD")
    assert greedy(early) == "="
    chance = dict(early.move_features())[early.parse("AFO>>MAD")][early.move_feature_names.index("chance")]
    assert chance == 0.0


@pytest.mark.rule("RIS-9.6")
@pytest.mark.release_only("the same games in both builds")
def test_six_greedy_players_never_attack_in_vain() -> None:
    found = 0
    for seed in (30, 41, 57):
        state = start(players=6)
        for text in sfida.play("risiko:players=6", ["greedy"] * 6, seed=seed).moves:
            code = state.parse(text)
            if not state.is_chance and decode(code).kind in ("attack", "assault", "safe_assault"):
                found += state.is_protected(decode(code).target, state.seat_on_turn)
            state.apply(code)
    assert found == 0


def test_weights_can_be_overridden() -> None:
    rules = settle(RisikoOptions(players=3), load_data())
    board = setup("b CIN 3 EU | g AS | n *", objectives=THREE)
    twin = RisikoState(board.game, build_rules(rules, (("win.armies", 0.0), ("goal", 1.0))))
    twin.arrange(board.snapshot()["owner"], board.snapshot()["armies"],
                 objectives=[board.objective(i) for i in range(3)])
    for state in (twin, board):
        state.set_knowledge(None)                                 # use the hand-written evaluation
    assert twin.features(BLUE) == pytest.approx(board.features(BLUE))
    assert share(twin, BLUE) != pytest.approx(share(board, BLUE))
    with pytest.raises(ValueError, match="unknown weights: \\['gaol'\\]"):
        build_rules(rules, (("gaol", 1.0),))


# ---- win shares -------------------------------------------------------------------------------------


def test_shares_know_what_is_good() -> None:
    plain = setup("b CIN 3 EU | g AS | n *", objectives=THREE)
    armies = setup("b CIN 20 EU | g AS | n *", objectives=THREE)
    cards = setup("b CIN 3 EU | g AS | n *", hands=["ALK QUE PER"], objectives=THREE)
    assert share(plain, BLUE) < share(armies, BLUE)
    assert share(plain, BLUE) < share(cards, BLUE)
    safe = setup("b CIN 3 EU 4 | g AS | n *", objectives=THREE)
    assert plain.features(BLUE, BLUE)["threat"] > safe.features(BLUE, BLUE)["threat"]


@pytest.mark.rule("RIS-10.4")
def test_the_own_objective_counts() -> None:
    """A seat whose objective lacks just one territory of two continents is better off; others do not know this."""
    board = "b NA 3 AF 3 | g MAD | n *"
    wanted = setup(board, objectives=["na_af", "as_sa", "eu_oc_x"])
    other = setup(board, objectives=["as_sa", "na_af", "eu_oc_x"])
    assert share(wanted, BLUE) > share(other, BLUE)
    assert wanted.features(BLUE, BLUE)["done"] == pytest.approx(14 / 15)
    assert wanted.features(BLUE, YELLOW) != wanted.features(BLUE, BLUE)
    assert wanted.features(BLUE, 2) == other.features(BLUE, 2)


@pytest.mark.rule("RIS-16.4")
def test_excluded_objectives_do_not_count() -> None:
    """Others consider only the objectives that the victory tests have not excluded."""
    board, objectives = "b NA 3 AF 3 | g MAD | n *", ["na_af", "as_sa", "eu_oc_x"]
    deck = list(range(14))
    free = setup(board, objectives=objectives)
    known = setup(board, objectives=objectives, possible=[[2], deck, deck])
    assert known.features(BLUE, YELLOW)["done"] > free.features(BLUE, YELLOW)["done"]
    yellow, blue = known.features(BLUE, YELLOW), known.features(BLUE, BLUE)
    assert {name for name in blue if blue[name] != yellow[name]} <= {"hunted", "rival"}     # what others may hold


@pytest.mark.rule("RIS-9.1")
def test_who_is_out_has_no_share() -> None:
    state = setup("b NA | g *", players=3, eliminated=[(2, 1, 6)], round_=7, objectives=["as_af", "na_oc", "o24"])
    assert share(state, 2) == 0.0
    assert share(state, 0) + share(state, 1) == pytest.approx(1.0)


# ---- moves ------------------------------------------------------------------------------------------


def test_priors_do_not_place_inland() -> None:
    state = setup("b NA 2 BRA 5 | g SA 2 | n *", phase="place", left=9, objectives=["na_af", "as_sa"])
    inland = {codes().index(code) for code in ("TNO", "ALB", "ONT", "QUE", "SUO", "SUE")}
    priors: dict[int, float] = {}
    for code, prior in state.move_priors():
        priors[decode(code).target] = max(prior, priors.get(decode(code).target, 0.0))
    assert max(priors[i] for i in inland) < 1e-3 < priors[codes().index("BRA")]


@pytest.mark.rule("RIS-5.5")
def test_reinforcements_go_where_the_objective_is() -> None:
    state = setup("b NA 2 EGI 3 AFN 3 AFO 3 CON 3 AFS 3 GIA 3 | g MAD 2 | n * 2", phase="place", left=8,
                  objectives=["na_af", "as_sa", "eu_oc_x"])
    assert greedy(state).startswith(("+AFO", "+AFS"))


@pytest.mark.rule("RIS-10.6")
@pytest.mark.parametrize("origin", ["AFS", "AFO"])
def test_a_winning_assault_is_played(origin: str) -> None:
    state = setup(f"b NA 2 AF 2 {origin} 12 | g MAD 2 | n * 2", objectives=["na_af", "as_sa", "eu_oc_x"])
    assert greedy(state).startswith(f"{origin}>>MAD")
    assert searched(state).startswith(f"{origin}>>MAD")


def test_hopeless_attacks_are_left() -> None:
    state = setup("b NA 3 | g VEN 9 KAM 9 ISL 9 | n * 6", objectives=["as_sa", "na_af", "eu_oc_x"])
    assert greedy(state) == "="
    assert searched(state) == "="


@pytest.mark.rule("RIS-6.1")
def test_an_easy_conquest_brings_a_card() -> None:
    state = setup("b NA 3 AMC 9 | g VEN | n * 8", objectives=["as_af", "eu_oc_x", "na_af"])
    assert greedy(state).startswith("AMC>>VEN")


@pytest.mark.rule("RIS-9.2")
def test_the_last_territory_of_who_is_rich_in_cards_is_attacked() -> None:
    """It is preferred to another territory at the same price."""
    board = "b NA 3 ALK 12 AMC 12 | g {} 2 | n EU 3 AF 3 {} 2 | r * 3"
    for prey, other in (("KAM", "VEN"), ("VEN", "KAM")):
        state = setup(board.format(prey, other), players=4, hands=["", "GRO ISL CIN URA MON", ""],
                      objectives=["eu_oc_x", "as_af", "o24", "na_af"])
        assert f">>{prey}" in greedy(state)


@pytest.mark.rule("RIS-6.6")
def test_good_sets_are_traded_and_poor_ones_wait() -> None:
    good, poor, many = (setup("b NA 3 | g AS SA | n *", hands=[hand], phase="turn_start", objectives=["as_af", "na_af"])
                        for hand in ("ALK QUE PER", "BRA VEN SIA", "BRA VEN SIA CIN MON"))
    assert greedy(good) == "T ALK QUE PER"
    assert greedy(poor) == "="
    assert greedy(many).startswith("T ")


@pytest.mark.rule("RIS-8.1")
def test_idle_armies_move_to_the_front() -> None:
    state = setup("b NA 2 SUO 9 | g SA | n *", phase="fortify", objectives=["na_af", "as_sa"])
    assert greedy(state).startswith("~SUO>")


# ---- certain wins -----------------------------------------------------------------------------------


@pytest.mark.rule("RIS-10.6")
def test_a_won_objective_is_played() -> None:
    """Eighteen territories with two armies lack one army, which a placement or a strategic move brings."""
    place = setup(EIGHTEEN + " AFS | g OC 2 | n * 2", phase="place", left=3, objectives=["o18x2"])
    assert greedy(place) == searched(place, 20) == "+AFS 1"
    attack = setup(EIGHTEEN.replace("CON 2", "CON 9") + " AFS | g OC 9 | n * 9", objectives=["o18x2"])
    assert searched(attack, 20) == "="
    attack.apply(attack.parse("="))
    assert searched(attack, 20).startswith("~CON>AFS")


@pytest.mark.rule("RIS-10.6")
def test_several_armies_may_be_missing() -> None:
    """All missing armies can be placed, so no other move is considered."""
    board = EIGHTEEN.replace("CON 2", "CON").replace("AFO 2", "AFO") + " AFS | g OC 2 | n * 2"
    state = setup(board, phase="place", left=4, objectives=["o18x2"])
    for _ in range(3):
        assert not state.is_over
        state.apply(state.parse(searched(state, 20)))
    assert state.utilities()[BLUE] == 1.0


@pytest.mark.rule("RIS-1.2")
def test_greedy_beats_random() -> None:
    won = 0.0
    for nth in range(24):
        state, luck = start(players=3), SeededChance(nth)
        seats = [sfida.agent("greedy" if i == nth % 3 else "random", seed=nth) for i in range(3)]
        while not state.is_over:
            move = luck.draw(state) if state.is_chance else seats[state.to_move].choose(state.view(state.to_move))
            state.apply(move)
        won += state.utilities()[nth % 3]
    assert won >= 20.0
