"""Reviews of games with known values: loss, luck and hidden information equal exact computation."""

import functools

import numpy as np
import pytest

import sfida
from sfida.ai.review.judge import SearchJudge
from sfida.ai.review.model import Depth, Effort, summaries
from sfida.ai.review.reviewing import Reviewing
from sfida.engines.registry import make_game
from support.equilibrium import equilibrium
from support.exploitability import GameTree
from support.known_truth import Truth, perfect_play

TINY = Depth("tiny", 1000, 1, 1)
SAME = pytest.approx


@functools.cache
def truth(name):
    game = make_game(name)
    if name == "tic_tac_toe":
        return Truth(game, perfect_play(game))
    tree = GameTree(game.initial_state(), lambda end: [share - 0.5 for share in end.utilities()])
    return Truth(game, equilibrium(tree, 2000 if name == "kuhn_poker" else 30))


def kuhn():
    """Return an equilibrium of Kuhn poker in closed form, with alpha = 1/3: jack and king bet first, queen passes."""
    game = make_game("kuhn_poker")
    passing = {("J", ""): 2 / 3, ("Q", ""): 1.0, ("K", ""): 0.0, ("J", "pb"): 1.0, ("Q", "pb"): 1 / 3, ("K", "pb"): 0.0,
               ("J", "p"): 2 / 3, ("Q", "p"): 1.0, ("K", "p"): 0.0, ("J", "b"): 1.0, ("Q", "b"): 2 / 3, ("K", "b"): 0.0}
    policy = {}

    def walk(state):
        if not state.is_over and not state.is_chance:
            view = state.view(int(state.to_move))
            seen = view.observation()
            share = passing[seen["card"], seen["history"]]
            policy[view.key()] = [share, 1 - share]
        for code in state.legal_moves():
            after = state.clone()
            after.apply(code)
            walk(after)

    walk(game.initial_state())
    return Truth(game, policy)


def review(name, moves, known):
    record = sfida.GameRecord(game=name, rules_version=1, moves=tuple(moves))
    return Reviewing(record, TINY, judge=known, value=known).run()


def all_games(name):
    """Yield every possible play of a small game."""
    found = []

    def walk(state, moves):
        if state.is_over:
            found.append(moves)
        for code in state.legal_moves():
            after = state.clone()
            after.apply(code)
            walk(after, [*moves, state.format(code)])

    walk(make_game(name).initial_state(), [])
    return found


def test_the_equilibrium_of_kuhn_poker_is_worth_minus_a_eighteenth_of_a_chip():
    assert kuhn().value(make_game("kuhn_poker").initial_state())[0] == SAME(0.5 - 1 / 18 / 4, abs=1e-12)


@pytest.mark.parametrize(("moves", "ply", "loss"), [
    (["deal:K", "deal:Q", "pass", "bet", "pass"], 4, 0.75),     # a king folded: -1 instead of +2 chips
    (["deal:Q", "deal:J", "bet", "bet"], 3, 0.25),              # a jack called: -2 instead of -1
    (["deal:J", "deal:K", "bet", "pass"], 3, 0.75),
    (["deal:Q", "deal:K", "bet", "bet"], 2, 1 / 24),            # a queen bet: -1/2 instead of -1/3 of a chip
    (["deal:K", "deal:Q", "bet", "bet"], 2, 0.0),
    (["deal:Q", "deal:J", "pass", "bet", "bet"], 4, 0.0),       # a mixed choice costs nothing either way
])
def test_losses_in_kuhn_poker(moves, ply, loss):
    found = review("kuhn_poker", moves, kuhn())
    decision = next(decision for decision in found.decisions if decision.ply == ply)
    assert decision.verdict.loss == SAME(loss, abs=1e-9)
    assert decision.verdict.mistake is (loss > 0)


def test_every_game_of_kuhn_poker_is_split_as_the_tree_says():
    known = kuhn()
    games = all_games("kuhn_poker")
    assert len(games) == 30
    for moves in games:
        found = review("kuhn_poker", moves, known)
        check_parts(found, known, moves, exact=True)


def test_games_of_leduc_poker_are_split_as_the_tree_says():
    known = truth("leduc_poker")
    games = all_games("leduc_poker")
    for moves in games[::len(games) // 15]:
        check_parts(review("leduc_poker", moves, known), known, moves, exact=False)


def check_parts(found, known, moves, *, exact):
    """Compare all parts with sums over the events, straight from values of nodes and information sets."""
    state = make_game(found.game).initial_state()
    luck, lost, hidden, left = (np.zeros(2) for _ in range(4))
    own = np.zeros(2)
    for text in moves:
        move = state.parse(text)
        before = known.value(state)
        after = state.clone()
        after.apply(move)
        change = known.value(after) - before
        if state.is_chance:
            luck += change
        else:
            seat, view = int(state.to_move), state.view(int(state.to_move))
            worths = np.array([known.worth(view, code)[seat] for code in view.legal_moves()])
            chosen = known.worth(view, move)
            loss = worths.max() - chosen[seat]
            own[seat] -= loss
            lost[1 - seat] += loss
            expected = sum(weight * known.value(world) for world, weight in known.worlds(view))
            hidden += change - (chosen - expected)
            sign = np.array([1.0, -1.0]) * (1 if seat == 0 else -1)
            left += sign * (worths.max() - expected[seat])
        state = after
    for summary in summaries(found):
        parts, seat = summary.parts, summary.seat
        assert parts.luck == SAME(luck[seat], abs=1e-9)
        assert parts.own == SAME(own[seat], abs=1e-9)
        assert parts.gifts == SAME(lost[seat], abs=1e-9)
        assert parts.hidden == SAME(hidden[seat], abs=1e-9)
        assert parts.judgement == SAME(left[seat], abs=1e-9)
        assert parts.total == SAME(summary.result - summary.start, abs=1e-9)
        if exact:
            assert parts.judgement == SAME(0.0, abs=1e-9), "in equilibrium nothing is left"


def test_in_tic_tac_toe_the_result_is_what_was_lost_and_given():
    known = truth("tic_tac_toe")
    found = review("tic_tac_toe", ["a1", "a2", "c1", "b1", "c2", "c3", "b2", "a3", "b3"], known)
    by_ply = {decision.ply: decision.verdict.loss for decision in found.decisions if decision.verdict}
    assert by_ply[1] == SAME(0.5, abs=1e-12), "only the centre holds the draw"
    for summary in summaries(found):
        parts = summary.parts
        assert (parts.luck, parts.hidden) == (0.0, 0.0)
        assert parts.judgement == SAME(0.0, abs=1e-12)
        assert parts.own + parts.gifts == SAME(summary.result - summary.start, abs=1e-12)


def test_searches_that_can_solve_a_position_judge_it_exactly():
    known, judge = truth("tic_tac_toe"), SearchJudge()
    state = make_game("tic_tac_toe").initial_state()
    for text in ("a1", "a2"):
        state.apply(state.parse(text))
    for move in state.legal_moves():
        view = state.view(0)
        exact, found = known.judge(view, move, Effort(1), 0), judge.judge(view, move, Effort(5000), 1)
        assert (found.loss, found.error) == (SAME(exact.loss, abs=1e-9), 0.0)


def test_searches_find_the_losses_of_kuhn_poker():
    """Folding a king or calling with a jack is clearly wrong against any play of the other."""
    judge = SearchJudge("mo-ismcts")
    for cards, history, move, loss in (("KQ", ["pass", "bet"], "pass", 0.75), ("QJ", ["bet"], "bet", 0.25)):
        state = make_game("kuhn_poker").initial_state()
        for text in (f"deal:{cards[0]}", f"deal:{cards[1]}", *history):
            state.apply(state.parse(text))
        verdict = judge.judge(state.view(int(state.to_move)), state.parse(move), Effort(2000, 4), 3)
        assert verdict.mistake
        assert verdict.loss == SAME(loss, abs=0.05)
