"""Chance events in the tree: kept apart or averaged."""

import pytest

import sfida
from support.search_toys import OUTCOMES, Wheel
from support.searching import decision, mean_value, searched, started, view_of
from support.toys import ChanceNim, Dice, expectimax


def places(search):
    """Return the number of decisions in the tree besides the root."""
    return search.statistics()["decision_nodes"] - 1


def test_every_outcome_has_a_place():
    search = searched(view_of(started(Wheel())), 8000, c=0.3)
    assert places(search) > 0.95 * OUTCOMES


@pytest.mark.parametrize("parameters", [{}, {"batch": 8}, {"multiple": True}, {"chance_depth": 0}], ids=str)
def test_averaging_leaves_the_value_as_it_is(parameters):
    """The result has a standard deviation of .24, so the mean of 4000 has one of .0038."""
    state = started(Wheel())
    search = searched(view_of(state), 4000, c=0.3, **parameters)
    best = search.root_edges()[0]
    assert best["move"] == 1
    assert best["value"] == pytest.approx(expectimax(state), abs=0.015)


@pytest.mark.parametrize("options", ["chance_depth=-1", "chance_depth=0", "chance_depth=1"])
def test_an_agent_may_average_luck_where_no_decision_depends_on_it(options):
    state = Dice().initial_state()
    found = sfida.agent(f"ismcts:iterations=15000,c=0.2,{options}", seed=2).analyze(view_of(state))
    assert found.best.code == 1
    assert found.best.value == pytest.approx(expectimax(state)[0], abs=0.012)


def test_an_agent_that_averages_luck_misses_what_depends_on_it():
    state = ChanceNim().initial_state()
    truth = expectimax(state)[0]
    kept, averaged = (sfida.agent(f"ismcts:iterations=30000,c=0.4,chance_depth={depth}", seed=1).analyze(
        view_of(state)).best.value for depth in (-1, 0))
    assert kept == pytest.approx(truth, abs=0.012)
    assert abs(averaged - truth) > 0.05


def test_the_first_events_on_a_path_are_kept_apart():
    """The tree grows with the depth to which chance outcomes are kept apart."""
    view = view_of(decision("carcassonne", 12))
    sizes = [searched(view, 3000, chance_depth=depth).statistics()["decision_nodes"] for depth in (0, 1, -1)]
    assert sizes[0] < sizes[1]
    values = [mean_value(searched(view, 3000, chance_depth=depth)) for depth in (0, 1, -1)]
    assert max(values) - min(values) < 0.08             # values of one position by the same playouts
