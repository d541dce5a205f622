"""The knowledge of A Few Acres of Snow for the search, and its strategies."""

from __future__ import annotations

import pytest

import sfida
from sfida.ai.chance import SeededChance
from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import GameState
from sfida.engines.acres.position import decode
from sfida.engines.acres.tables import site_codes
from support.acres import B, F, lead, part, position, setup, start
from support.worth import check_worth

STRATEGIES = ("economic", "hammer", "raider")
DECKS = ("SH SE BX TR", "PR TR SH IN")


def share(state: AcresState, seat: int) -> float:
    """Return the win share of a seat as the seat to move sees it."""
    evaluation = state.evaluation()
    assert evaluation is not None
    return float(evaluation[0][seat])


def chosen(state: AcresState, spec: str = "greedy") -> str:
    """Return the text of the move that an agent plays."""
    return str(state.format(sfida.agent(spec, seed=1).choose(state.view(state.to_move))))


def prior(state: AcresState, text: str) -> float:
    """Return the prior of a move."""
    return float(dict(state.move_priors())[state.parse(text)])


def whole_game(specs: tuple[str, str], seed: int, game: str = "acres") -> tuple[AcresState, set[tuple[int, str]]]:
    """Play a game; return its end, and the sieges by seat and site."""
    agents, luck, state, ply = [sfida.agent(spec) for spec in specs], SeededChance(seed), start(game), 0
    sieges = set()
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
            continue
        seat = state.to_move
        agents[seat].seed = 10_000 * seed + ply
        ply += 1
        move = agents[seat].choose(state.view(seat))
        if decode(move).kind == "besiege":
            sieges.add((seat, site_codes()[decode(move).place]))
        state.apply(move)
    return state, sieges


# ---- the contract -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["acres", "acres:preset=second", "acres:preset=online"])
def test_shares_and_priors_in_whole_games(spec: str) -> None:
    def same_strategies(state: AcresState, world: AcresState) -> None:
        assert all(world.move_worth(i) == state.move_worth(i) for i in range(len(STRATEGIES)))

    assert check_worth(start(spec), sfida.agent("greedy:strategy=hammer", seed=3), same=same_strategies) > 60


def test_a_decided_result_is_told_as_it_is() -> None:
    state = setup(decks=DECKS, sieges=((B, "QUE", "SA RI*2", ""),), sites="B.LOU", phase="start")
    assert state.evaluation()[0] == [1.0, 0.0]


# ---- preferences ------------------------------------------------------------------------------------


def test_more_is_better() -> None:
    base = share(setup("BOS", "QUE", decks=DECKS), B)
    assert share(setup("BOS", "QUE", decks=DECKS, sites="B.ALB"), B) > base
    assert share(setup("BOS", "QUE", decks=DECKS, money=(20, 5)), B) > base
    assert share(setup("BOS", "QUE", decks=("SH SE BX HS", DECKS[1])), B) > base
    assert share(setup("BOS", "QUE", decks=("SH SE BX TR RI*2", DECKS[1])), B) > base
    assert share(setup("BOS", "QUE", decks=("SH SE BX TR FST KEN", DECKS[1])), B) < base


def test_sieges_count_by_strength_and_site() -> None:
    def at(where: str, mine: str, other: str) -> float:
        return share(setup("BOS", "QUE", decks=DECKS, sites="B.HAL", sieges=((B, where, mine, other),)), B)

    quiet = share(setup("BOS", "QUE", decks=DECKS, sites="B.HAL"), B)
    assert at("QUE", "SA RI", "") > at("QUE", "SA RI", "MI") > at("QUE", "SA RI", "MI*3")
    assert at("QUE", "SA RI*3", "") > at("LOU", "SA RI*3", "") > quiet


def test_threats_on_the_home_sites_are_seen() -> None:
    calm = share(setup("BOS", "QUE", decks=DECKS, on_turn=B), B)
    threat = share(setup("BOS", "QUE", decks=DECKS, on_turn=B, sieges=((F, "BOS", "SA RI", ""),)), B)
    assert threat < 0.5 * calm


# ---- siege arithmetic -------------------------------------------------------------------------------


def test_a_siege_that_nothing_can_save_is_won_at_once() -> None:
    """Lead +4 at Quebec against a hand, deck and reserve of at most two points: no other move is considered."""
    state = setup("BOS PHI STM", "GAS TAD", decks=("NHV", "TRI MTL"), sites="B.LOU", actions=1,
                  sieges=((B, "QUE", "SA RI*2", ""),))
    assert lead(state, B) == 4
    found = state.move_worth()
    assert len(found) > 3
    assert state.format(state.winning_move()) == "pass"


def test_the_strongest_cards_go_first_and_the_leader_is_free() -> None:
    state = setup("RI ML MI BOS", "GAS TAD", decks=("NHV", "MI*2"), sites="B.LOU", actions=1, money=(5, 0),
                  sieges=((B, "QUE", "SA RI", ""),))
    for text in ("leader QUE", "reinforce QUE RI"):
        assert state.format(state.winning_move()) == text
        state.apply(state.parse(text))


@pytest.mark.parametrize("french", ["RI*2", "ML MI RI", "SA"])
def test_a_siege_that_can_be_saved_is_not_called_won(french: str) -> None:
    state = setup("BOS PHI STM", "GAS TAD", decks=("NHV", french), sites="B.LOU", actions=1, money=(5, 9),
                  sieges=((B, "QUE", "SA RI", ""),))
    assert state.winning_move() is None


def test_a_reserve_can_save_it_too() -> None:
    state = setup("BOS PHI STM", "GAS", decks=("NHV", "TAD"), sites="B.LOU", actions=1, money=(5, 9),
                  reserves=("", "RI*2"), sieges=((B, "QUE", "SA RI", ""),))
    assert state.winning_move() is None


@pytest.mark.parametrize("spec", ["greedy", "greedy:strategy=hammer", "ismcts:iterations=300"])
def test_the_defender_saves_quebec(spec: str) -> None:
    """Lead +2 loses Quebec at the next start; one card saves it."""
    state = setup("BOS", "QUE MI TAD MTL", decks=DECKS, sites="B.LOU", on_turn=F, actions=1, money=(5, 5),
                  sieges=((B, "QUE", "SA RI", ""),))
    assert chosen(state, spec) in ("reinforce QUE MI", "reinforce QUE MTL")


def test_search_finds_the_won_siege() -> None:
    state = setup("RI NYK PHI", "GAS TAD", decks=("NHV", "MI*2"), sites="B.LOU", actions=1, money=(9, 0),
                  sieges=((B, "QUE", "SA RI", ""),))
    assert chosen(state, "ismcts:iterations=200") == "reinforce QUE RI"


def test_settling_a_victory_site_wins_where_the_rules_say_so() -> None:
    for preset, found in (("second", True), ("first", False)):
        state = setup("LOU NFK BOS", "GAS TAD", options=f"preset={preset}", decks=("NHV", "TRI"),
                      sites="B.LOU -QUE", actions=2)
        move = state.parse("settle QUE LOU")
        assert (state.winning_move() == move) is found


# ---- moves ------------------------------------------------------------------------------------------


def test_home_support_comes_first() -> None:
    assert chosen(setup("HS BOS NYK NHV", "QUE", decks=DECKS)) == "home"


def test_raids_and_ambushes_are_blocked() -> None:
    state = setup("RG", "MI TAD GAS", decks=DECKS, reserves=("", "RI0"))
    state.apply(state.parse("ambush RG"))
    assert chosen(state) == "x MI"
    assert prior(state, "x MI") > 0.8


def test_the_cheapest_vulnerable_card_is_given_up() -> None:
    state = setup("SA RI MI", "CB", decks=DECKS, on_turn=F)
    state.apply(state.parse("ambush CB"))
    state.apply(state.parse("allow"))
    assert chosen(state) == "hit MI hand"


def test_a_leader_on_points_takes_the_last_disc_and_others_do_not() -> None:
    ahead = setup("BOS NHV STM", "QUE", decks=DECKS, sites="B.ALB2 B.DEE2 B.BAL2 -MTL", supplies=((9, 1), (9, 5)))
    behind = setup("BOS NHV STM", "QUE", decks=DECKS, sites="F.DET2 F.FFR2 F.ALB2", supplies=((9, 1), (9, 5)))
    assert chosen(ahead) == "develop NHV"
    assert prior(behind, "develop NHV") < 0.05


# ---- strategies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("seat", [B, F])
def test_strategies_beat_random_play(name: str, seat: int) -> None:
    spec = f"greedy:strategy={name}"
    won = 0
    for seed in range(6):
        state, _ = whole_game((spec, "random") if seat == B else ("random", spec), seed)
        won += state.utilities()[seat] == 1.0
    assert won >= 5


def test_hammer_besieges_louisbourg_and_quebec() -> None:
    targets, wins = [], 0
    for seed in range(8):
        state, sieges = whole_game(("greedy:strategy=hammer", "greedy"), seed)
        targets.append({where for seat, where in sieges if seat == B})
        wins += position(state).reason == "siege"
    assert sum("LOU" in found for found in targets) >= 7
    assert sum("QUE" in found for found in targets) >= 4
    assert wins >= 3


def test_raider_raids() -> None:
    """1.6 pieces per game with a standard deviation of 1.6, so half of the mean is 3.6 standard errors below it."""
    captured = 0
    for seed in range(12):
        state, _ = whole_game(("greedy", "greedy:strategy=raider"), seed)
        found = part(state, F)
        captured += found.captured_villages + found.captured_towns
    assert captured >= 10


def opened(spec: str) -> GameState:
    """Return a game at its first decision."""
    state, luck = sfida.make(spec), SeededChance(1)
    while state.is_chance:
        state.apply(luck.draw(state))
    return state


@pytest.mark.parametrize(("spec", "known"), [("acres", "economic, hammer, raider"), ("carcassonne", "none")])
def test_unknown_strategies_are_refused(spec: str, known: str) -> None:
    state = opened(spec)
    with pytest.raises(InvalidOption, match=f"has no strategy 'hamer'; it has {known}"):
        sfida.agent("greedy:strategy=hamer").choose(state.view(state.to_move))


def test_search_beats_the_strategies() -> None:
    won = 0
    for seed, name in enumerate(STRATEGIES):
        state, _ = whole_game(("ismcts:iterations=150", f"greedy:strategy={name}"), seed)
        won += state.utilities()[B] == 1.0
    assert won >= 2


def test_features_are_told() -> None:
    assert start("acres").features(B)["points"] == 17.0
    assert start("acres").features(F)["points"] == 29.0
