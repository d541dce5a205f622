"""Hidden simultaneous choices: strategies are learned and averaged, and moves are drawn from them."""

import pytest

import sfida
from sfida.cython_ext.rng import derive
from support.exploitability import GameTree
from support.hidden_toys import Hide, Matrix, MatrixOptions
from support.searching import mean_value, searched, started, view_of

SEATS = pytest.mark.parametrize("seat", [0, 1])


def choice(matrix, seat, laid=0):
    """Return the decision of a seat; before seat 1 decides, seat 0 has laid its choice face down."""
    return started(Matrix(MatrixOptions(matrix=matrix)), *([laid] if seat else []))


def learned(view, iterations, seed=1, **parameters):
    return searched(view, iterations, seed, multiple=True, keyed=True, **parameters)


def strategy(search):
    """Return the probability of each move in the average strategy."""
    return {row["move"]: row["strategy"] for row in search.root_edges()}


# ---- learned strategies -------------------------------------------------------------------------------


@SEATS
def test_matching_pennies_are_mixed(seat):
    """With payoffs (2, -1; -1, 1) both play the first move four times out of ten (.39 with exploration)."""
    view = view_of(choice("pennies", seat))
    for seed in range(2):
        search = learned(view, 20_000, seed, bid_explore=0.1)
        shares = strategy(search)
        assert sum(shares.values()) == pytest.approx(1)
        assert 0.34 <= shares[0] <= 0.46
        assert mean_value(search) == pytest.approx(0.4, abs=0.02)       # (1 / 5 + 1) / 3


@SEATS
def test_the_batch_does_not_unlearn_the_mixture(seat):
    shares = strategy(learned(view_of(choice("pennies", seat)), 20_000, batch=8, bid_explore=0.1, threads=2))
    assert 0.33 <= shares[0] <= 0.47


@SEATS
def test_bounds_on_means_have_no_strategy(seat):
    search = learned(view_of(choice("pennies", seat)), 500, bids="ucb")
    assert set(strategy(search).values()) == {None}


def test_what_lies_face_down_is_chosen_again():
    """Seat 1 must not treat the other's choice as a coin toss, because it would then respond to a coin toss.

    Against a fair coin the first move is worth 1 / 2 and the second 2 / 3, so that it would always be played.
    """
    view = view_of(choice("pennies", 1))

    class Tossed(Matrix.position_class):
        __slots__ = ()

        def retract_bids(self, seat):
            """Leave the drawn choice where it is."""

    class TossedMatrix(Matrix):
        position_class = Tossed

    tossed = started(TossedMatrix(), 0)
    assert strategy(learned(view_of(tossed), 4000))[1] > 0.9
    assert 0.5 < strategy(learned(view, 20_000))[1] < 0.7


@SEATS
@pytest.mark.parametrize("explore", [0.1, 0.4])
def test_exploration_is_even_and_not_part_of_the_strategy(explore, seat):
    """The dominated move gets half of the exploration visits, but is hardly ever played."""
    search = learned(view_of(choice("dominated", seat)), 4000, bid_explore=explore)
    visits = {move: n / 4000 for move, n, _, _ in search.root()}
    assert visits[1] == pytest.approx(explore / 2, abs=0.035)
    assert strategy(search)[1] < 0.04


def shorter_goofspiel():
    """Return Goofspiel after both have shown their ones: cards 2 to 4, prizes 3, 2, 1; a win counts 1, a loss -1."""
    state = sfida.make("goofspiel")
    for card in (1, 1):
        state.apply(card)
    return GameTree(state, lambda end: [2 * share - 1 for share in end.utilities()])


def test_learned_bids_are_hard_to_exploit():
    """With 2,500 iterations per bid: .01 to .03 over six seeds; uniform play has .67."""
    tree = shorter_goofspiel()
    assert tree.exploitability(tree.uniform()) == pytest.approx(2 / 3)
    policy = {}
    for number, (key, info) in enumerate(tree.sets.items()):
        found = strategy(learned(info.view, 2500 if len(info.moves) > 1 else 1, derive(1, number), c=0.7,
                                 bid_explore=0.2))
        policy[key] = [found[move] for move in info.moves] if len(info.moves) > 1 else [1.0]
    assert tree.exploitability(policy) <= 0.08


# ---- drawn bids ---------------------------------------------------------------------------------------


@SEATS
def test_an_agent_draws_its_bid_from_the_average(seat):
    """Over 120 seeds the draws fit the reported strategies; 4.5 standard errors are one chance in 100,000."""
    view = view_of(choice("pennies", seat))
    drawn, expected, variance = 0, 0.0, 0.0
    for seed in range(120):
        agent = sfida.agent("mo-ismcts:iterations=300", seed=seed)
        drawn += agent.choose(view) == 0
        share = next(move.strategy for move in agent.last_analysis.moves if move.code == 0)
        other = 1 - share
        if share < 0.05 * other or other < 0.05 * share:
            share = float(share > other)                # too rare to be played
        expected += share
        variance += share * (1 - share)
    assert 10 < drawn < 110                             # the agent mixes both moves
    assert abs(drawn - expected) < 4.5 * variance**0.5


def test_a_seed_draws_one_bid():
    view = view_of(choice("pennies", 0))
    for seed in range(5):
        first, second = (sfida.agent("mo-ismcts:iterations=300", seed=seed) for _ in range(2))
        assert first.choose(view) == second.choose(view) == first.analyze(view).best.code


def test_strategies_are_told_where_choices_are_hidden():
    found = sfida.agent("mo-ismcts:iterations=300", seed=1).analyze(view_of(choice("pennies", 0)))
    assert sum(move.strategy for move in found.moves) == pytest.approx(1)
    assert all("strategy" in row for row in found.to_json()["moves"])
    for spec, view in (("ismcts", view_of(choice("pennies", 0))), ("mo-ismcts", view_of(started(Hide()))),
                       ("mo-ismcts:bids=ucb", view_of(choice("pennies", 0)))):
        found = sfida.agent(spec, seed=1).analyze(view)
        assert {move.strategy for move in found.moves} == {None}
        assert not any("strategy" in row for row in found.to_json()["moves"])
