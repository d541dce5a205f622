"""Options and presets: chapter 18."""

from __future__ import annotations

import pytest

import sfida
from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.acres.game import Acres
from sfida.engines.acres.options import COLUMNS, PRESETS
from sfida.engines.acres.tables import load_data
from sfida.engines.registry import make_game
from support.acres import B, F, end, lead, owner, part, play, position, setup, start, targets, zone
from support.playing import legal, step
from support.recounts.acres import check_position


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_columns_of_the_data(preset: str) -> None:
    game = make_game(f"acres:preset={preset}")
    assert isinstance(game, Acres)
    for name, values in load_data()["options"].items():
        assert getattr(game.ruleset, name) == values[COLUMNS[preset]], name


def test_single_options_override_a_preset() -> None:
    game = make_game("acres:preset=second,raid_range_bonus=0")
    assert isinstance(game, Acres)
    assert (game.ruleset.raid_range_bonus, game.ruleset.location_cards_in_reserve) == (0, False)
    assert make_game(game.spec()) == game
    with pytest.raises(InvalidOption):
        make_game("acres:preset=third")
    with pytest.raises(InvalidOption):
        make_game("acres:players=3")


def test_bateaux() -> None:
    assert "BX" in zone(start(), F, "unseen").split()
    second = start("acres:preset=second")
    assert "BX" not in zone(second, F, "unseen").split()
    assert "BX" not in zone(second, F, "empire").split()
    british = start("acres:british_bateaux_in_initial_deck=true")
    assert "BX" in zone(british, B, "unseen").split()
    assert "BX" not in zone(british, B, "empire").split()


def test_fewer_cards() -> None:
    assert zone(start("acres:british_regular_infantry_removed=3"), B, "empire").split().count("RI") == 3
    none = start("acres:no_governor=true")
    assert "GV" not in zone(none, B, "empire").split() + zone(none, F, "empire").split()


def test_forts_at_the_start() -> None:
    state = start("acres:start_fortification_louisbourg=true,start_fortification_quebec=true")
    assert (owner(state, "LOU"), owner(state, "QUE"), position(state).forts_left) == ("F#", "F2#", 10)
    state.verify()


def test_an_extra_card_for_the_french() -> None:
    state = start("acres:french_picks_extra_initial_empire_card=true")
    assert (state.to_move, state.phase) == (F, "pick")
    assert {"pick CB", "pick RI", "pick SH"} <= legal(state)
    play(state, "pick CB")
    assert part(state, F).deck_size == 11
    assert "CB" in zone(state, F, "unseen").split()
    rng = Random(1)
    while state.is_chance:
        step(state, rng)
    assert state.to_move == B


def test_british_sieges_that_wait() -> None:
    option = "british_siege_needs_french_siege_or_25_points=true"
    hand = "PEM NFK RI"
    assert not legal(setup(hand, options=option), "besiege")
    assert legal(setup(hand, options=option, sieges=((F, "STM", "RI", ""),)), "besiege")
    assert legal(setup(hand, options=option, sites="B.ALB2"), "besiege")
    assert legal(setup("", "PRO LOU RI", options=option, on_turn=F), "besiege")
    state = setup("HAL NFK SA RI BOS", "LOU QUE RI0 PRO TAD", options=option, sites="B.HAL", on_turn=F, money=(12, 12),
                  decks=("NYK NHV", "GAS MTL"))
    play(state, "besiege HAL LOU QUE RI0", "pass", "withdraw HAL")
    end(state)
    assert (state.target(F), state.seat_on_turn) == (-1, B)
    assert legal(state, "besiege")                      # a finished siege counts as a siege


def test_fort_st_john_by_the_board() -> None:
    hand = "FSJ BX SE"
    sites = "B.ALB B.FWH B.TIC B.FSJ"
    assert targets(setup(hand + " RI", sites=sites), "besiege") == {"QUE"}
    board = setup(hand + " RI", sites=sites, options="fort_st_john_cards=by_board")
    assert targets(board, "besiege") == {"MTL", "TRI"}
    assert position(board).by_board


def test_the_end_waits_for_sieges() -> None:
    siege = ((B, "LOU", "RI MI", ""),)
    for option, ends in (("supply_end_needs_no_siege=true", False), ("supply_end_needs_no_siege=false", True)):
        state = setup(sites="B.HAL", supplies=(None, (5, 0)), sieges=siege, on_turn=F, phase="start", options=option)
        assert state.is_over is ends
    for option, ends in (("capture_end_needs_no_siege=true", False), ("capture_end_needs_no_siege=false", True)):
        state = setup(sites="B.HAL", captured=((0, 0), (0, 3)), sieges=siege, on_turn=F, phase="start",
                      options=option)
        assert state.is_over is ends


@pytest.mark.rule("FAS-5.2", "FAS-16.3")
def test_sieges_are_resolved_before_the_end_is_tested() -> None:
    """The piece that a siege takes completes the 12 points in the same turn; the other editions test first (R-1)."""
    where = {"sites": "B.HAL F.FBE", "sieges": ((B, "FBE", "RI MI", ""),), "captured": ((5, 0), (0, 0)),
             "phase": "start"}
    first = setup(**where)
    assert (first.is_over, position(first).reason, owner(first, "FBE")) == (True, "capture", "B")
    for early in ("end_check=before_sieges", "preset=second", "preset=online"):
        state = setup(options=early, **where)
        assert not state.is_over, early


@pytest.mark.rule("FAS-11.8", "FAS-16.2")
def test_a_siege_that_ends_the_game_by_supply_still_counts() -> None:
    """The won site is scored, whereas an earlier end test would have left it to the enemy."""
    where = {"sites": "B.HAL F.FBE", "sieges": ((B, "FBE", "RI MI", ""),), "supplies": ((5, 0), None), "phase": "start"}
    late, early = setup(**where), setup(options="end_check=before_sieges", **where)
    assert (late.is_over, early.is_over) == (True, True)
    assert position(late).reason == position(early).reason == "supply"
    assert late.scores()[B] == early.scores()[B] + 2
    assert (owner(late, "FBE"), owner(early, "FBE")) == ("B", "F")


@pytest.mark.rule("FAS-16.2", "FAS-16.3")
@pytest.mark.parametrize(("cubes", "captured", "reason"), [(5, 0, ""), (1, 0, "supply"), (5, 4, ""), (5, 5, "capture")])
def test_no_win_is_certain_where_a_siege_of_the_other_side_may_end_the_game(
        cubes: int, captured: int, reason: str) -> None:
    """The French turn starts first: the siege that they then win may take their last cube, or complete 12 points."""
    where = {"sites": "B.HAL B.LOU B.FHA", "supplies": (None, (cubes, 5)), "captured": ((0, 0), (captured, 0)),
             "actions": 0, "sieges": ((B, "QUE", "SA RI*4", ""), (F, "FHA", "RI RI", ""))}
    option = "capture_end_needs_no_siege=false"
    early, late = setup(options=f"{option},end_check=before_sieges", **where), setup(options=option, **where)
    assert early.winning_move() is not None
    assert (late.winning_move() is not None) is (reason == "")
    assert position(end(late)).reason == reason


@pytest.mark.rule("FAS-2.6", "FAS-3.7")
@pytest.mark.parametrize(("code", "plain", "marked"), [
    ("TRI", "TRIF1 3*-!", "TRIF1>3*~!"), ("FBE", "FBEF1 0-!", "FBEF1>0~!")])
def test_ships_in_every_sea_siege(code: str, plain: str, marked: str) -> None:
    """An option lets ships fight at the two sites that only their connections join to the sea (R-19)."""
    where = {"sites": "B.HAL F.FBE", "sieges": ((B, code, "RI", ""),)}
    without, with_ = setup("SH", **where), setup("SH", options="ships_in_every_sea_siege=true", **where)
    assert f"reinforce {code} SH" not in legal(without)
    before = lead(with_, B)
    play(with_, f"reinforce {code} SH")
    check_position(position(with_))
    assert lead(with_, B) == before + 1
    text = [state.game.board_text(state, width=120) for state in (without, with_)]
    assert [plain in text[0], marked in text[0], plain in text[1], marked in text[1]] == [True, False, False, True]
    signs = [state.game.board_svg(state).count("sea, ships count in sieges;") for state in (without, with_)]
    assert signs[1] == signs[0] + 2
    away = setup("SH", options="ships_in_every_sea_siege=true", sites="F.ALB", sieges=((B, "ALB", "RI", ""),))
    assert "reinforce ALB SH" not in legal(away)


@pytest.mark.rule("FAS-10.3")
def test_a_ship_opens_a_siege_at_every_sea_site() -> None:
    for option, may in (("ships_in_every_sea_siege=false", False), ("ships_in_every_sea_siege=true", True)):
        state = setup("HAL NFK SH", sites="B.HAL F.FBE", options=option)
        assert ("besiege FBE HAL" in legal(state)) is may
        if may:
            play(state, "besiege FBE HAL NFK SH")
            assert lead(state, B) == 0


def test_a_refill_may_be_skipped() -> None:
    state = setup("BOS", "QUE", decks=("NYK", "TAD"), actions=0, options="refill_may_be_skipped=true")
    assert legal(state) == {"end", "end unfilled"}
    play(state, "end unfilled")
    assert (state.seat_on_turn, part(state, B).hand_size) == (F, 1)
    assert legal(setup("BOS", actions=0)) == {"end"}


def test_max_turns() -> None:
    state, rng = start("acres:max_turns=3"), Random(2)
    while state.is_chance:
        step(state, rng)
    for _ in range(3):
        assert not state.is_over
        end(state, rng)
    assert (state.is_over, position(state).reason, state.scores()) == (True, "max_turns", [17, 29])


@pytest.mark.parametrize(("options", "said"), [
    ("no_governor=true,governor_not_on_start_locations=true", "governor_not_on_start_locations=true means nothing with "
     "no_governor=true: give no_governor=false too, or leave governor_not_on_start_locations out"),
    ("lost_location_cards_in_reserve=true", "lost_location_cards_in_reserve=true means nothing with "
     "location_cards_in_reserve=true"),
])
def test_options_that_mean_nothing_are_refused(options: str, said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        make_game(f"acres:{options}")
    assert str(caught.value).startswith(said)
    make_game("acres:preset=second,lost_location_cards_in_reserve=true")


# ---- no limit of turns ----------------------------------------------------------------------------------


def test_no_limit_of_turns() -> None:
    """Turns are counted without a limit, and the time of a decision is still planned."""
    game = make_game("acres:max_turns=none")
    assert isinstance(game, Acres)
    assert (game.ruleset.max_turns, game.spec()) == (None, "a_few_acres_of_snow:max_turns=none")
    assert make_game(game.spec()) == game
    assert make_game("acres:max_turns=400").spec() == "a_few_acres_of_snow"
    free, last = setup(options="max_turns=none", turns=70_000), setup(options="max_turns=60000", turns=59_999)
    assert game.decisions_left(free, B) == game.decisions_left(setup(), B)
    assert last.game.decisions_left(last, B) == 12.0
    end(free)
    end(last)
    assert (free.turns, position(free).turn, free.is_over) == (70_001, 70_002, False)
    assert (last.is_over, position(last).reason) == (True, "max_turns")


def test_without_a_limit_a_game_ends_when_nothing_changes_on_the_map() -> None:
    """200 turns in a row; a village settled meanwhile starts the count again (R-31)."""
    def passed(state: AcresState, turns: int) -> AcresState:
        for _ in range(turns):
            assert not state.is_over
            end(state)
        return state

    hand = "PEM NFK BOS"
    still = passed(setup(hand, options="max_turns=none", money=(40, 40)), 200)  # the first only notes the pieces
    assert position(still).quiet == 199
    moved = still.clone()
    assert (passed(still, 1).is_over, position(still).reason, still.ranks()) == (True, "max_turns", [2, 1])
    assert "no village or town was placed or lost in 200 turns" in still.game.question(still, 0)
    play(moved, "settle HAL PEM NFK BOS")
    assert position(passed(moved, 1)).quiet == 0
    assert position(passed(setup(hand, options="max_turns=60000"), 300)).quiet == 0


def test_no_random_game_without_a_limit_of_turns_goes_on_for_ever() -> None:
    games = sfida.batch("acres:max_turns=none", ["random", "random"], 60, seed=1)
    assert len(games) == 60


def test_playouts_without_a_limit_of_turns_end() -> None:
    """A playout has its own bound, a thousand turns, at which points decide."""
    reasons = set()
    for seed in range(60):
        state = start("acres:max_turns=none")
        win, score = state.random_playout(Random(seed))
        assert state.is_over
        assert sorted(win) == [0.0, 1.0]
        assert score == state.scores()
        assert state.turns <= 1000
        reasons.add(position(state).reason)
        if reasons >= {"capture", "max_turns"}:
            return
    pytest.fail(f"no playout went on for so long: {reasons}")


# ---- raids by any route ---------------------------------------------------------------------------------


@pytest.mark.rule("FAS-13.2", "FAS-13.13")
def test_raids_by_any_route() -> None:
    """The short way to Fort Halifax leads by Kennebec; the long way by the own Quebec, or around by the lakes."""
    hand, where = "CB NA NAn PR", {"sites": "B.FHA", "on_turn": F, "money": (12, 9)}
    shortest, any_ = setup("", hand, **where), setup("", hand, options="raid_routes=any", **where)
    assert targets(any_, "raid") == targets(shortest, "raid")
    play(shortest, "raid FHA", "+CB", "+NA")
    assert shortest.phase == "raid_response"
    for cards, left in (("CB NA", 2), ("CB NA NAn", 1), ("CB NA NAn PR", 0)):
        state = play(setup("", hand, options="raid_routes=any", **where), f"raid FHA {cards}")
        assert (state.phase, state.to_move, part(state, F).hand_size) == ("raid_response", B, left)
        play(state, "allow")
        assert owner(state, "FHA") == "."
    play(any_, "raid FHA", "+CB")
    assert "done" not in legal(any_)


@pytest.mark.rule("FAS-13.2", "FAS-13.13")
def test_routes_pass_no_site_twice_and_no_fort() -> None:
    """Cumberland: one connection from Philadelphia, two from Norfolk by Richmond, and then eight, by the lakes."""
    hand, where = "NAn NAn NAn RG", {"sites": "F.CUM", "money": (9, 9), "options": "raid_routes=any"}
    state = play(setup(hand, **where), "raid CUM", "+RG")
    assert legal(state) == {"done", "+NAn"}
    play(state, "+NAn")
    assert state.phase == "raid_response"               # no third card has a route, as both sides know
    fort = play(setup(hand, **where | {"sites": "F.CUM F.RIC", "forts": "RIC"}), "raid CUM", "+NAn")
    assert fort.phase == "raid_response"


@pytest.mark.rule("FAS-13.2")
def test_routes_with_longer_raids() -> None:
    """With the raids of the second edition one card serves one or two connections, two serve three."""
    where = {"sites": "B.FHA", "on_turn": F, "money": (12, 9), "options": "preset=second,raid_routes=any"}
    state = play(setup("", "CB NA", **where), "raid FHA", "+CB")
    assert legal(state) == {"done", "+NA"}
    play(state, "+NA")
    assert state.phase == "raid_response"


def test_longer_routes_are_no_temptation() -> None:
    """The game's knowledge does not waste cards on them."""
    state = play(setup("", "CB NA NAn PR", options="raid_routes=any", sites="B.FHA", on_turn=F, money=(12, 9)),
                 "raid FHA", "+CB", "+NA")
    worth = {state.format(move): value for move, value in state.move_worth()}
    assert max(worth, key=worth.__getitem__) == "done"
    assert len(worth) == 3
