"""Tournament rules, supply and options from outside the rulebook: chapters 11, 12 and 13, and their worked examples."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.engines.registry import make_game
from sfida.engines.risiko.game import Risiko
from sfida.engines.risiko.tables import card_name, load_data
from support.playing import legal, play
from support.risiko import TOURNAMENT, armies, position, seat_of, setup, start, winner

TOUR = "preset=tournament"
COLD_WAR = ["guerra_fredda", "letto", "elefante"]


@pytest.mark.rule("RIS-11.1", "RIS-11.2", "RIS-13.1", "RIS-13.2")
def test_presets() -> None:
    """Each preset has exactly the options of its column."""
    for preset in ("base", "tournament", "rtu"):
        game = start(f"risiko:preset={preset}").game
        assert isinstance(game, Risiko)
        for row in load_data()["option"]:
            assert getattr(game.ruleset, row["id"]) == row[preset], row["id"]
    rtu = {row["id"] for row in load_data()["option"] if row["rtu"] != row["tournament"]}
    assert rtu == {"tie_break", "sdadata", "trade_table", "army_cap", "deal_half_continent_cap"}


@pytest.mark.rule("RIS-11.3", "RIS-19.42")
def test_the_defender_throws_the_maximum() -> None:
    state = play(setup("b CIN 10 EU | g MOR 5 SIA OC | n *", options=TOUR), "CIN>MOR 3")
    assert (state.phase, state.snapshot()["defence_dice"]) == ("chance_roll", 3)
    two = play(setup("b CIN 10 EU | g MOR 2 SIA OC | n *", options="forced_max_defense=true"), "CIN>MOR 3")
    assert two.snapshot()["defence_dice"] == 2


@pytest.mark.rule("RIS-11.4", "RIS-19.41")
@pytest.mark.parametrize(("own", "held", "dice"), [
    (3, 3, set()), (3, 2, {2}), (3, 1, {1, 2}), (4, 9, {3}), (2, 1, {1}), (2, 2, set()), (4, 2, {2, 3})])
def test_no_attack_with_fewer_dice(own: int, held: int, dice: set[int]) -> None:
    state = setup(f"b CIN {own} URA 2 EU | g MOR {held} SIA OC | n *", options=TOUR)
    assert legal(state, "CIN>MOR") == {f"CIN>MOR {k}" for k in dice}
    assert ("CIN>>MOR" in legal(state)) == bool(dice)


@pytest.mark.rule("RIS-11.4", "RIS-14.6")
def test_an_assault_stops_where_no_throw_is_legal() -> None:
    state = play(setup("b CIN 4 URA 9 EU | g MOR 4 SIA OC | n *", options=TOUR), "CIN>>MOR", "-1-2")
    assert state.phase == "chance_roll"                 # two dice against two
    play(state, "-1-1")
    assert state.phase == "chance_roll"                 # one against one
    stop = play(setup("b CIN 4 URA 9 EU | g MOR 4 SIA OC | n *", options=TOUR), "CIN>>MOR", "-2-1")
    assert (stop.phase, armies(stop, "CIN"), armies(stop, "MOR")) == ("attack", 2, 3)


@pytest.mark.rule("RIS-11.5", "RIS-18.23", "RIS-19.43")
def test_the_garrison_after_a_conquest() -> None:
    front = play(setup("b CIN 6 EU | g SIA OC | n *", options=TOUR), "CIN>SIA 3", "-0-1")
    assert legal(front) == {"x SIA 3+0", "x SIA 3+1"}
    inner = play(setup("b CIN 6 URA SIB MON AFG MOR IND EU | g SIA OC | n *", options=TOUR), "CIN>SIA 3", "-0-1")
    assert legal(inner) == {"x SIA 3+0", "x SIA 3+1", "x SIA 3+2"}


@pytest.mark.rule("RIS-11.6", "RIS-18.24", "RIS-19.44")
def test_compulsory_occupation_needs_no_garrison() -> None:
    state = play(setup("b CIN 4 EU | g SIA OC | n *", options=TOUR), "CIN>SIA 3", "-0-1")
    assert (armies(state, "CIN"), armies(state, "SIA"), state.phase) == (1, 3, "attack")
    one = play(setup("b CIN 2 EU | g SIA OC | n *", options=TOUR), "CIN>SIA 1", "-0-1")
    assert (armies(one, "CIN"), armies(one, "SIA")) == (1, 1)


@pytest.mark.rule("RIS-11.5", "RIS-19.45")
@pytest.mark.parametrize(("held", "inner", "most"), [
    (5, False, 3), (5, True, 4), (2, False, 0), (2, True, 1), (3, False, 1)])
def test_the_garrison_in_a_strategic_move(held: int, inner: bool, most: int) -> None:
    around = "EUM EUS SCA MOR AFG URA"
    text = f"b UCR {held} {around if inner else 'EUM'} ALK 3 TNO | g AF | n *"
    state = setup(text, options=TOUR, phase="fortify")
    assert legal(state, "~UCR>EUM") == {f"~UCR>EUM {n}" for n in range(1, most + 1)}


@pytest.mark.rule("RIS-11.5")
def test_a_larger_garrison() -> None:
    state = setup("b UCR 6 EUM | g AF | n *", options="min_garrison=4", phase="fortify")
    assert legal(state, "~UCR>EUM") == {"~UCR>EUM 1", "~UCR>EUM 2"}


@pytest.mark.rule("RIS-11.7")
def test_the_objective_of_a_tournament() -> None:
    row = next(row for row in load_data()["tournament_objective"] if row["id"] == "dromedario")
    codes = [one["code"] for one in load_data()["territory"] if one["id"] in row["territories"]]
    codes.remove("IDN")
    state = setup(f"b SIA 5 {' '.join(code for code in codes if code != 'SIA')} | g IDN NGU | n *", options=TOUR,
                  objectives=["dromedario"])
    assert seat_of(state, 0).progress == "19 of 20 territories"
    assert len(seat_of(state, 0).goal) == 20
    play(state, "SIA>IDN 3", "-0-1")
    assert winner(state) == 0
    assert state.scores()[0] == 100


def ended(text: str, objectives: list[str], options: str = TOUR, **arranged):
    """Return the end of the last turn of the last round."""
    return setup(text, options=options, objectives=objectives, on_turn=2, round_=35, phase="turn_end", **arranged)


@pytest.mark.rule("RIS-11.9", "RIS-11.10", "RIS-11.12", "RIS-17.3", "RIS-17.5", "RIS-19.46")
def test_points() -> None:
    state = ended("b CIN MOR GIA BRA | g EU | n *", COLD_WAR)
    assert state.is_over
    assert state.scores()[0] == 7 + 6 + 2
    values = {row["id"]: row["value"] for row in load_data()["territory"]}
    elephant = next(row for row in load_data()["tournament_objective"] if row["id"] == "elefante")
    own = {row["id"] for i, row in enumerate(load_data()["territory"]) if position(state).owner[i] == 2}
    assert state.scores()[2] == sum(values[name] for name in elephant["territories"] if name in own)
    best = max(state.scores())
    assert state.ranks()[state.scores().index(best)] == 1
    assert state.utilities()[state.scores().index(best)] == 1.0
    lines = state.game.explain_scores(state)
    assert "15 points = " in lines[0]
    assert "Cold war" in lines[0]


@pytest.mark.rule("RIS-11.11", "RIS-17.6", "RIS-18.28")
def test_a_hundred_points_for_the_objective() -> None:
    state = setup("b NA AS 5 | g EU | n *", options=TOUR, objectives=COLD_WAR, phase="turn_start", round_=35)
    assert winner(state) == 0           # later players do not get their turn
    assert state.scores()[0] == load_data()["scoring"]["objective_completed"] == 100
    assert state.scores()[1:] == [0, 23]
    assert state.ranks()[0] == 1
    assert sorted(state.ranks()[1:]) == sorted(1 + sum(b > a for b in state.scores()) for a in state.scores()[1:])


@pytest.mark.rule("RIS-11.9", "RIS-18.25")
def test_all_players_get_the_same_number_of_turns() -> None:
    last = setup("b CIN 3 | g EU | n *", options=TOUR, on_turn=1, round_=35, phase="turn_end")
    assert not last.is_over
    assert setup("b CIN 3 | g EU | n *", options=TOUR, on_turn=2, round_=34, phase="turn_end").snapshot()["round"] == 35
    out = setup("b CIN 3 | g EU *", options=TOUR, on_turn=1, round_=35, phase="turn_end", eliminated=[(2, 0, 9)])
    assert out.is_over
    first = setup("b CIN 3 | g EU | n *", options=TOUR, first=2, on_turn=1, round_=35, phase="turn_end")
    assert first.is_over


@pytest.mark.rule("RIS-17.5")
def test_equal_points_share_the_rank() -> None:
    objectives = ["letto", "giraffa", "befana"]
    assert ended("b ALK TNO | g GRO ALB | n *", objectives).scores()[:2] == [7, 8]
    tied = ended("b ALK TNO | g GRO QUE | n *", objectives)
    assert tied.scores()[:2] == [7, 7]
    assert tied.ranks() == [2, 2, 1]


@pytest.mark.rule("RIS-13.5")
def test_ties_in_the_clubs_rules() -> None:
    objectives = ["letto", "giraffa", "befana"]
    options = "preset=tournament,tie_break=rtu"
    later = ended("b ALK TNO | g GRO QUE | n *", objectives, options)
    assert later.ranks() == [3, 2, 1]                   # no points outside: later in the turn order
    swapped = setup("b ALK TNO | g GRO QUE | n *", options=options, objectives=objectives, first=1, on_turn=0,
                    round_=35, phase="turn_end")
    assert swapped.ranks()[:2] == [2, 3]
    outside = ended("b ALK TNO EUS | g GRO QUE | n *", objectives, options)
    assert outside.ranks() == [2, 3, 1]
    gone = setup("b ALK TNO | n *", options=options, objectives=[*objectives, "elefante"], players=4, on_turn=2,
                 round_=35, phase="turn_end", eliminated=[(1, 0, 9), (3, 0, 12)])
    assert gone.ranks() == [2, 4, 1, 3]                 # the later out the better


@pytest.mark.rule("RIS-12.2", "RIS-13.2", "RIS-19.49")
def test_an_army_cap() -> None:
    text = "b CIN 111 NA AF SIA URA | g OC | n *"
    state = setup(text, options="army_cap=130", phase="turn_start", objectives=["o18x2"])
    assert state.snapshot()["seats"][0]["armies"] == 128
    assert setup(text, phase="turn_start", objectives=["o18x2"]).snapshot()["left"] > 2
    assert state.snapshot()["left"] == 2
    full = setup("b CIN 128 SIA URA | g OC | n *", options="army_cap=130", phase="turn_start", hands=["ALK QUE PER"])
    assert play(full, "T ALK QUE PER").phase == "attack"                # the armies of the set are lost
    with pytest.raises(InvalidOption, match="starts with"):
        start("risiko:army_cap=20")


@pytest.mark.rule("RIS-12.2")
def test_what_is_shown_knows_the_army_cap() -> None:
    state = setup("b CIN 120 SIA URA | g OC 32 | n *", options="army_cap=130", phase="turn_start",
                  hands=["ALK QUE PER"])
    code = state.parse("T ALK QUE PER")
    assert state.game.move_note(state, code) == "brings 7 armies of 10: nobody has more than 130"
    assert play(state.clone(), "T ALK QUE PER").snapshot()["left"] == 1 + 7
    assert [one.income for one in position(state).seats] == [1, 2, 26]      # the cap leaves 2 of 3
    before = setup("b CIN 120 SIA URA | g OC 32 | n *", options="army_cap=130", phase="fortify")
    code = before.parse("=")
    after = before.clone()
    after.apply(code)
    assert [effect.text for effect in before.game.narrate(before, code, after, None).effects] == [
        "Yellow is next, with 2 armies to place, up to the most that are allowed, 130"]


@pytest.mark.rule("RIS-13.7")
def test_what_is_shown_knows_the_hand_limit_and_the_last_card() -> None:
    board = "b CIN 8 | g SIA | n *"
    every = " ".join(card_name(card) for card in range(3, 44))
    for options, hands in (("hand_limit=3", ["ALK TNO GRO", "", ""]), ("", ["ALK TNO GRO", every, ""])):
        state = setup(board, options=options, hands=hands, round_=9)
        assert "earns a card" not in state.game.move_note(state, state.parse("CIN>SIA 3"))
        taken = setup(board, options=options, hands=hands, conquests=1)
        assert taken.game.move_note(taken, taken.parse("=")) == "no card: the hand is full, or none is left"
        assert "1 conquest so far, but no card is due" in taken.game.question(taken, 0)
        assert play(taken, "=").phase != "draw"
    room = setup(board, options="hand_limit=3", hands=["ALK TNO", "", ""], round_=9)
    assert room.game.move_note(room, room.parse("CIN>SIA 3")).endswith("earns a card")


# ---- closing dice -----------------------------------------------------------------------------------


def closing(seat: int, round_: int, conquests: int = 0):
    """Return the end of a seat's turn, with four players and L = 35."""
    return setup("b CIN 3 | g EU | n AF | r *", players=4, options="preset=tournament,sdadata=true", on_turn=seat,
                 round_=round_, phase="turn_end", conquests=conquests)


def threshold(seat: int, round_: int) -> int:
    """Return the largest sum that ends the game; 0 if no dice are thrown."""
    state = closing(seat, round_)
    if state.phase != "sdadata":
        return 0
    return max(total for total in range(2, 13) if play(state.clone(), f"#dice={total}").is_over)


@pytest.mark.rule("RIS-13.4", "RIS-15.5", "RIS-17.4", "RIS-19.48")
@pytest.mark.parametrize(("seat", "round_", "sum_"), [
    (3, 34, 0), (0, 35, 0), (2, 35, 0), (3, 35, 4), (0, 36, 4), (1, 36, 4), (2, 36, 4), (3, 36, 5), (0, 37, 5),
    (3, 37, 6), (3, 38, 7), (0, 39, 7), (3, 39, 7), (3, 50, 7)])
def test_closing_dice(seat: int, round_: int, sum_: int) -> None:
    assert threshold(seat, round_) == sum_


@pytest.mark.rule("RIS-13.4", "RIS-15.5", "RIS-19.48")
def test_who_conquered_much_does_not_throw() -> None:
    text = "b CIN 3 | g EU | n AF | r *"
    for conquests, throws in ((3, False), (2, True)):
        state = setup(text, players=4, options="preset=tournament,sdadata=true", on_turn=3, round_=36, phase="turn_end",
                      conquests=conquests)
        play(state, "c:PER")
        assert (state.phase == "sdadata") == throws
    state = closing(3, 36)
    assert [weight for _, weight in state.chance_outcomes()] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    ways = load_data()["sdadata"]["ways_of_36"]
    assert [sum(range(1, n)) for n in (4, 5, 6, 7)] == [ways["t4"], ways["t5"], ways["t6"], ways["t7"]]


@pytest.mark.rule("RIS-13.4")
def test_closing_dice_have_an_end() -> None:
    assert play(closing(3, 59), "#dice=12").snapshot()["round"] == 60
    assert play(closing(3, 60), "#dice=12").is_over
    with pytest.raises(InvalidOption, match="round_limit"):
        start("risiko:preset=rtu,round_limit=0")


@pytest.mark.rule("RIS-11.1")
def test_objectives_of_the_other_deck_are_unknown() -> None:
    assert not set(start().rules.objectives) & set(TOURNAMENT)
    with pytest.raises(IllegalMove):
        setup("b CIN 3 | g EU | n *", options=TOUR).parse("CIN>MOR 3")


@pytest.mark.rule("RIS-13.9", "RIS-17.6")
@pytest.mark.parametrize(("options", "said"), [
    ("points=true", "points=true contradicts limit_result=draw: points are shown where they decide; give "
     "points=true,limit_result=points or points=false,limit_result=draw"),
    ("limit_result=points", "points=false contradicts limit_result=points"),
    ("preset=tournament,limit_result=draw", "points=true contradicts limit_result=draw"),
    ("sdadata=true", "sdadata needs points"),
    ("tie_break=rtu", "tie_break=rtu means nothing with limit_result=draw: give limit_result=points too, or leave "
     "tie_break out"),
    ("early_elimination=off,early_elimination_rounds=2", "early_elimination_rounds=2 means nothing with "
     "early_elimination=off: give early_elimination=bounded or no_attack too"),
])
def test_options_that_contradict_each_other_are_refused(options: str, said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        make_game(f"risiko:{options}")
    assert str(caught.value).startswith(said)


@pytest.mark.rule("RIS-13.9", "RIS-17.5")
def test_points_on_show_rank_the_players() -> None:
    state = setup("b NA | g AF | n *", phase="turn_end", on_turn=2, round_=5, objectives=["na_oc", "as_af"],
                  options="points=true,limit_result=points,round_limit=5")
    scores, ranks = state.scores(), state.ranks()
    assert ranks == [1 + sum(other > score for other in scores) for score in scores]
    assert len(set(scores)) > 1
    for options in ("points=false,limit_result=draw", "limit_result=draw", "early_elimination_rounds=2",
                    "preset=tournament,points=false,limit_result=draw",
                    "points=true,limit_result=points,tie_break=rtu"):
        make_game(f"risiko:{options}")
