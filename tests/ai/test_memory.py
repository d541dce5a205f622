"""The memory limit of a tree, which follows from the budget."""

import pytest

import sfida
from sfida.ai import search
from sfida.ai.search import IsmctsOptions, search_for
from support.searching import decision, view_of

GB = 2**30


def limit(**options):
    return search_for(view_of(decision("tic_tac_toe", 0)), IsmctsOptions(**options), 1).parameters["memory"]


@pytest.mark.parametrize(("options", "mb"), [
    ({}, 64), ({"iterations": 1000}, 64), ({"iterations": 100_000}, 196), ({"iterations": 10**9}, 1024),
    ({"iterations": 100_000, "seconds": 1.0}, 196), ({"iterations": 10**9, "memory": 7}, 7),
    ({"seconds": 1.0, "memory": 2000}, 2000)], ids=str)
def test_with_iterations_it_is_the_same_on_every_machine(options, mb, monkeypatch):
    for machine in (GB // 8, 64 * GB):
        monkeypatch.setattr(search, "machine_memory", lambda machine=machine: machine)
        assert limit(**options) == mb


@pytest.mark.parametrize("options", [{"seconds": 1.0}, {"clock": "60+1"}], ids=str)
@pytest.mark.parametrize(("machine", "mb"), [(GB, 256), (3 * GB, 768), (64 * GB, 1024)])
def test_with_seconds_it_is_at_most_a_quarter_of_the_machine(options, machine, mb, monkeypatch):
    monkeypatch.setattr(search, "machine_memory", lambda: machine)
    assert limit(**options) == mb


def test_a_container_may_have_less_than_its_machine(tmp_path, monkeypatch):
    for text, most in (("max\n", None), (f"{GB}\n", GB)):
        told = tmp_path / "memory.max"
        told.write_text(text)
        monkeypatch.setattr(search, "_LIMIT_OF_GROUP", told)
        assert search.machine_memory() > 0
        assert most is None or search.machine_memory() <= most


def test_a_larger_budget_is_not_cut_short():
    view = view_of(decision("carcassonne", 60))
    for more, full in (("", False), (",memory=64", True)):
        agent = sfida.agent(f"ismcts:iterations=150000,early_stop=false,endgame=0{more}", seed=1)
        agent.choose(view)
        assert agent.last_analysis.memory_full is full


def test_with_addresses_of_32_bits_a_tree_stays_small(monkeypatch):
    monkeypatch.setattr(search, "MOST", search.LEAST)
    for options in ({"iterations": 10**9}, {"seconds": 1.0}, {"seconds": 1.0, "memory": 2000}):
        assert limit(**options) == 64
    assert limit(iterations=10, memory=7) == 7
