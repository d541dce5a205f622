"""The final move of a search: drawn or not, and with which frequencies."""

import pytest

import sfida
from sfida.ai.search import disagree, final_order
from support.searching import started, view_of
from support.toys import Arms

# Critical values of chi-square: a correct distribution is refused once in 100,000 times.
CRITICAL = {1: 19.52, 2: 23.03, 3: 25.90}
DRAWS = 4000


def row(move, visits, reward=0.5, strategy=None):
    return {"move": move, "visits": visits, "reward": reward, "deviation": 0.3, "strategy": strategy}


def drawn(rows, final, temperature=1.0, draws=DRAWS):
    """Return how often each move comes first over many seeds."""
    counts = {}
    for seed in range(draws):
        first = final_order(rows, final, temperature, seed)[0]["move"]
        counts[first] = counts.get(first, 0) + 1
    return counts


def assert_fits(counts, weights):
    """Compare counts with weights by chi-square; moves without weight must have no counts."""
    total, draws = sum(weights.values()), sum(counts.values())
    assert set(counts) <= {move for move, weight in weights.items() if weight}
    expected = {move: draws * weight / total for move, weight in weights.items() if weight}
    distance = sum((counts.get(move, 0) - n) ** 2 / n for move, n in expected.items())
    assert distance < CRITICAL[len(expected) - 1], (counts, expected)


# ---- drawn by visits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_moves_are_drawn_by_their_visits(temperature):
    visits = {1: 500, 2: 300, 3: 200, 4: 150}
    counts = drawn([row(move, n) for move, n in visits.items()], "sample", temperature)
    assert_fits(counts, {move: n ** (1 / temperature) for move, n in visits.items()})


def test_moves_far_behind_are_never_drawn():
    """Shares below 5 % of the best are left out: 49 of 1000 are, 51 are not."""
    counts = drawn([row(1, 1000), row(2, 400), row(3, 51), row(4, 49), row(5, 0)], "sample")
    assert_fits(counts, {1: 1000, 2: 400, 3: 51})


def test_the_floor_counts_after_the_temperature():
    """At temperature 1/2 shares are squared: a fifth of the visits is 4 % of the best and left out."""
    rows = [row(1, 1000), row(2, 200)]
    assert_fits(drawn(rows, "sample", 1.0), {1: 5, 2: 1})
    assert drawn(rows, "sample", 0.5, 500) == {1: 500}


def test_a_low_temperature_plays_the_most_visited_and_a_high_one_any():
    rows = [row(1, 500), row(2, 400), row(3, 20)]
    assert drawn(rows, "sample", 0.01, 300) == {1: 300}
    counts = drawn(rows, "sample", 100.0)
    assert_fits(counts, {1: 500**0.01, 2: 400**0.01, 3: 20**0.01})


def test_the_order_behind_the_move_is_by_visits():
    rows = [row(1, 500), row(2, 300), row(3, 200)]
    orders = {tuple(r["move"] for r in final_order(rows, "sample", 1.0, seed)) for seed in range(100)}
    assert orders == {(1, 2, 3), (2, 1, 3), (3, 1, 2)}


def test_a_seed_draws_the_same_move():
    rows = [row(1, 500), row(2, 490), row(3, 400)]
    for seed in range(20):
        assert final_order(rows, "sample", 1.0, seed) == final_order(list(reversed(rows)), "sample", 1.0, seed)


@pytest.mark.parametrize("final", ["visits", "lcb"])
def test_other_ways_do_not_depend_on_the_seed(final):
    rows = [row(1, 500), row(2, 490), row(3, 20)]
    assert len(drawn(rows, final, draws=50)) == 1


# ---- drawn from a strategy ----------------------------------------------------------------------------


@pytest.mark.parametrize("final", ["visits", "lcb", "sample"])
def test_a_hidden_choice_is_drawn_from_its_strategy(final):
    """This holds for any `final`, because predictable play loses. Visits do not matter, rare entries are left out."""
    rows = [row(1, 10, strategy=0.58), row(2, 500, strategy=0.40), row(3, 900, reward=0.9, strategy=0.02)]
    assert_fits(drawn(rows, final), {1: 0.58, 2: 0.40})


def test_a_pure_strategy_is_played():
    rows = [row(1, 10, strategy=0.0), row(2, 500, strategy=1.0)]
    assert drawn(rows, "lcb", draws=50) == {2: 50}


# ---- agents -------------------------------------------------------------------------------------------


def test_an_agent_draws_when_it_is_told_to():
    view = view_of(started(Arms()))
    spread = {final: {sfida.agent(f"ismcts:iterations=2000,c=1.5,early_stop=false,{final}", seed=seed).choose(view)
                      for seed in range(25)}
              for final in ("final=visits", "final=sample", "final=sample,temperature=0.01")}
    assert spread["final=visits"] == spread["final=sample,temperature=0.01"] == {19}
    assert len(spread["final=sample"]) >= 5


def test_an_analysis_lists_the_move_that_is_played_first():
    view = view_of(started(Arms()))
    for seed in range(10):
        agent = sfida.agent("ismcts:iterations=500,c=1.5,final=sample,early_stop=false", seed=seed)
        found = agent.analyze(view)
        assert found.best.code == agent.choose(view)
        others = [move.visits for move in found.moves[1:]]
        assert others == sorted(others, reverse=True)


@pytest.mark.parametrize(("spec", "message"), [
    ("ismcts:final=best", "'final'.*lcb.*visits.*sample"), ("pimc:temperature=0", "'temperature'.*from 0.01 to 100"),
])
def test_wrong_ways_are_refused(spec, message):
    with pytest.raises(sfida.InvalidOption, match=message):
        sfida.agent(spec)


# ---- disagreement -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "answer"), [
    ([row(1, 100, 0.5), row(2, 90, 0.6), row(3, 10, 0.9)], True),
    ([row(1, 100, 0.6), row(2, 90, 0.5), row(3, 10, 0.9)], False),      # only the two most visited count
    ([row(2, 90, 0.6), row(1, 100, 0.5)], True),
    ([row(1, 100, 0.5), row(2, 90, 0.5)], False),
    ([row(1, 100, 0.5), row(2, 0, 0.9)], False),
    ([row(1, 100, 0.5)], False),
    ([], False),
])
def test_when_the_two_best_moves_disagree(rows, answer):
    assert disagree(rows) is answer
