"""The agent `level`: its specs, and the moves that it sees and overlooks."""

import math

import pytest

from sfida import InvalidOption, agent, make, play, tournament
from sfida.ai.levels.agent import looked_at
from sfida.ai.levels.scale import Strength
from sfida.ai.search import IsmctsOptions, certain_win, search_for

WEAK = Strength(iterations=20, sight=4, misjudge=1.0)


def carcassonne(plies=30, choices=10):
    """Return a decision of a game of Carcassonne with at least this number of choices."""
    state, guide = make("carcassonne"), agent("greedy", seed=1)
    while plies > 0 or state.is_chance or len(state.candidate_moves()) < choices:
        if state.is_chance:
            outcomes = state.chance_outcomes()
            state.apply(outcomes[plies % len(outcomes)][0])
        else:
            state.apply(guide.choose(state.view(state.to_move)))
        plies -= 1
    return state


@pytest.mark.parametrize(("given", "canonical"), [
    ("level:4", "level:4"), ("level: 10 ", "level:10"), ("level:4.50", "level:4.5"), ("level:1.0", "level:1"),
    ("level:auto", "level:auto"), ("level:misjudge=1,sight=3", "level:sight=3,misjudge=1"),
    ("level:iterations=1000", "level:iterations=1000")])
def test_specs(given, canonical):
    assert agent(given).spec == canonical
    assert agent(canonical).spec == canonical


def test_a_level_may_be_a_number():
    assert agent("level", level=4).spec == agent("level", level=4.0).spec == "level:4"


@pytest.mark.parametrize("wrong", ["level:11", "level:0.9", "level:x", "level:nan", "level:", "level", "level:4,5",
                                   "level:strong", "level:misjudge=-1", "level:sight=0", "level:mind=3", "level:=3"])
def test_a_wrong_level_is_refused_in_one_line(wrong):
    with pytest.raises(InvalidOption) as caught:
        agent(wrong)
    assert "\n" not in str(caught.value)


def test_depth_is_for_games_that_can_evaluate():
    with pytest.raises(InvalidOption, match="has no evaluation"):
        play("tic_tac_toe", ["level:depth=1", "random"], seed=1)


def test_the_same_seed_gives_the_same_moves():
    games = [play("carcassonne", ["level:2", "level:misjudge=0.5,sight=5,iterations=30"], seed=seed).moves
             for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_what_is_looked_at_depends_on_seed_and_position_alone():
    view = carcassonne().view(carcassonne().to_move)
    seen = [looked_at(view, WEAK, seed) for seed in range(40)]
    assert all(looked_at(view, WEAK, seed) == one for seed, one in enumerate(seen))
    most = max(prior for _, prior in view.move_priors())
    likeliest = {move for move, prior in view.move_priors() if prior == most}
    assert all(len(one) == 4 and likeliest & one.keys() for one in seen)
    assert len({frozenset(one) for one in seen}) > 20
    # the likelier half of the other moves is considered more often than the rest
    order = [move for move, _ in sorted(view.move_priors(), key=lambda each: -each[1])
             if move not in likeliest]
    counts = [sum(move in one for one in seen) for move in order]
    assert sum(counts[:len(counts) // 2]) > 1.3 * sum(counts[-(len(counts) // 2):])


def test_more_sight_adds_moves_and_keeps_what_is_thought_of_the_others():
    view = carcassonne().view(carcassonne().to_move)
    few, many = looked_at(view, WEAK, 3), looked_at(view, Strength(sight=8, misjudge=1.0), 3)
    assert few.items() < many.items()


def test_errors_are_bounded_and_have_the_deviation_asked_for():
    view = carcassonne().view(carcassonne().to_move)
    errors = [error for seed in range(300) for error in looked_at(view, WEAK, seed).values()]
    assert max(map(abs, errors)) <= math.sqrt(6.0)
    assert math.sqrt(sum(error**2 for error in errors) / len(errors)) == pytest.approx(1.0, abs=0.1)
    assert set(looked_at(view, Strength(sight=4), 1).values()) == {0.0}


def test_a_misjudged_move_is_searched_and_rated_as_it_looks():
    view = carcassonne().view(carcassonne().to_move)
    moves = view.candidate_moves()[:3]
    search = search_for(view, IsmctsOptions(), 1)
    search.restart(view, 1, only=dict.fromkeys(moves, 0.0))
    search.run(iterations=200)
    true = {row["move"]: row for row in search.root_edges()}
    assert set(true) == set(moves)
    worst = min(moves, key=lambda move: true[move]["reward"])
    search.restart(view, 1, only={**dict.fromkeys(moves, 0.0), worst: 8.0})
    search.run(iterations=200)
    row = next(row for row in search.root_edges() if row["move"] == worst)
    assert row["visits"] == max(each["visits"] for each in search.root_edges()) > true[worst]["visits"]
    assert row["reward"] > 0.95 > row["value"][view.seat]       # it looks won; the true value is reported
    search.check_tree()


def test_a_search_that_is_refused_stays_as_it_was():
    view = carcassonne().view(carcassonne().to_move)
    search = search_for(view, IsmctsOptions(), 1)
    for wrong in ({}, {99: 0.0}):
        with pytest.raises(ValueError, match="move"):
            search.restart(view, 1, only=wrong)
    assert search.run(iterations=20) == "iterations"


@pytest.mark.parametrize("level", ["1", "2", "3", "iterations=1,sight=1,misjudge=20"])
def test_a_win_at_once_is_never_overlooked(level):
    state = make("tic_tac_toe")
    for move in ("a1", "b1", "a2", "b2"):
        state.apply(state.parse(move))
    view = state.view(0)
    assert certain_win(view) == state.parse("a3")
    assert {agent(f"level:{level}", seed=seed).choose(view) for seed in range(30)} == {state.parse("a3")}


def test_a_won_game_is_not_thrown_away_by_one_move():
    """Two moves to the end of a game that is clearly won, no error of level 1 is large enough to lose it."""
    state = carcassonne(120, 2)
    while not state.is_over:
        mover = state.to_move
        if state.is_chance:
            state.apply(state.chance_outcomes()[0][0])
            continue
        before = state.evaluation()[0]
        leader = max(range(2), key=lambda seat: before[seat])
        state.apply(agent("level:1", seed=len(state.legal_moves())).choose(state.view(mover)))
        if before[leader] > 0.995:
            after = state.evaluation()
            assert (after[0] if after is not None else state.utilities())[leader] > 0.9


def test_much_stronger_levels_win():
    """At these strengths the stronger one scores about 95 %; below 70 % in 16 games happens once in 1,500 runs."""
    table = tournament("carcassonne", ["level:iterations=100,sight=40,misjudge=0.15",
                                       "level:iterations=16,sight=8,misjudge=1"], 16, seed=4,
                       adjusted=False).standings
    assert table.agents[0].win_share >= 0.7


def test_levels_play_every_small_game_to_its_end():
    for game in ("tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe"):
        assert play(game, ["level:1", "level:3.5"], seed=2).result is not None


def test_only_a_whole_strength_searches_without_a_bound():
    tester = agent("level:sight=2,iterations=30", seed=1)
    view = carcassonne().view(carcassonne().to_move)
    assert len(tester.analyze(view).moves) == 2
    whole = agent("level:iterations=30", seed=1)
    assert whole.choose(view) == agent("ismcts:iterations=30", seed=1).choose(view)
    assert len(whole.analyze(view).moves) == len(view.candidate_moves())
