"""Every registered game keeps the contract."""

import pytest

from sfida import testing
from sfida.engines.registry import broken_games, game_class, game_names, make_game
from sfida.testing import check_game

# Random games for each number of players: long games need fewer for the same number of positions.
SEEDS = {True: 25, False: 1}
# Games of thousands of moves stop early here; the variants below are played to the end.
CUT_SHORT = {"settlers_of_zarahemla": "settlers_of_zarahemla:max_turns=6",
             "a_few_acres_of_snow": "a_few_acres_of_snow:max_turns=40",
             "risiko": "risiko:round_limit=1"}
# Rules cores conform in the debug build, and with the options below in the release build: the games are the same.
GAMES = [pytest.param(name, marks=[] if game_class(name).example else pytest.mark.debug_only("the same games"))
         for name in game_names()]
VARIANTS = [
    "carcassonne:river=false,first_player=1",
    "zarahemla:trade_mode=none,victory_points=4",
    "zarahemla:trade_gifts=true,trade_max_cards_per_side=120,trade_max_offers_per_turn=9,max_turns=2",
    "zarahemla:preset=catan,trade_mode=simple,max_turns=12",
    "zarahemla:board=figures,steal=may,harvest_partial=true,dev_same_turn=true,discard_limit=3,trade_mode=none,"
    "max_turns=40,resource_cards_per_type=10,bank_shortage=turn_order,longest_road_tie=set_aside,"
    "temple_before_roll=false",
    "risiko:preset=rtu,round_limit=1,deal_half_continent_cap=false,early_elimination_rounds=0",
    "attila:start_player=random,removed_tokens=box,exhaustion_check=after_conflicts,scoring_timing=after_all_conflicts,"
    "merge_final_scoring=false,scoring_after_trigger=replaced,conflict_order=active_chooses,no_live_card=skip,open_commitments=true,"
    "two_player_difference_scoring=true,tile_windows=every_decision",
    "risiko:round_limit=1,early_elimination=off,min_reinforcement=3,extra_reinforcement=1,hand_limit=3,reshuffle=lazy,"
    "reveal_objective_on_elimination=true,choose_colors=true,move_granularity=full",
    "acres:preset=second,max_turns=40",
    "acres:preset=online,max_turns=30",
    "acres:max_turns=60,end_check=before_sieges,raid_may_target_besieged_site=true,fort_st_john_cards=by_board,"
    "placement_after_siege_optional=true,refill_may_be_skipped=true,french_picks_extra_initial_empire_card=true,"
    "blocked_raid_costs_no_action=true,governor_not_on_start_locations=true,ships_in_every_sea_siege=true,"
    "raid_routes=any",
]


def test_every_registered_game_loads():
    assert broken_games() == {}
    assert {"tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe",
            "a_few_acres_of_snow", "attila", "carcassonne", "risiko", "settlers_of_zarahemla"} <= set(game_names())
    assert {"a_few_acres_of_snow", "attila", "carcassonne", "risiko",
            "settlers_of_zarahemla"} <= set(game_names(examples=False))
    assert "kuhn_poker" not in game_names(examples=False)


@pytest.mark.parametrize("name", GAMES)
def test_game_conforms(name):
    seeds = SEEDS[game_class(name).example]
    report = check_game(CUT_SHORT.get(name, name), seeds=seeds, seed=20)
    assert report.games == seeds * len(report.players)
    assert report.positions >= 4 * report.games
    assert report.longest >= 3
    assert (report.twins > 0) == make_game(name).initial_state().hidden


@pytest.mark.release_only("drawing takes most of it, and is not compiled; the games above stay")
@pytest.mark.parametrize("spec", VARIANTS, ids=str)
def test_game_conforms_with_options(spec, monkeypatch):
    """The options are tested with the fewest and the most players; the games above have all numbers of players."""
    counts = testing._player_counts
    monkeypatch.setattr(testing, "_player_counts", lambda game: tuple(sorted({counts(game)[0], counts(game)[-1]})))
    assert check_game(spec, seeds=1, seed=21).positions > 10
