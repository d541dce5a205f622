"""Parameters of a search: declared in one table, from which all other declarations follow."""

import dataclasses
from types import SimpleNamespace
from typing import ClassVar

import pytest

import sfida
from sfida.ai.search import FlatOptions, IsmctsOptions, MoIsmctsOptions, PimcOptions, search_for
from sfida.cython_ext import generate
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.search.parameters import DECLARED, DEFAULTS, Declared, SearchParameters, generic
from sfida.cython_ext.search.search import Search
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.options import CarcassonneOptions
from support.networks import random_network
from support.searching import decision, view_of

TABLE = {field.name: field for field in dataclasses.fields(SearchParameters)}
OWN = ("batch", "memory")                # parameters for which an agent has another default than a bare search


@pytest.fixture(scope="module")
def view():
    """Return a view of a game with all features that parameters need: secrets, an evaluation, priors."""
    return view_of(decision("attila:players=3", 3))


def other(declared):
    """Return a value other than the default."""
    if declared.kind is str:
        return next(word for word in declared.values if word != declared.default)
    if declared.kind is bool:
        return not declared.default
    return declared.default + 1 if declared.kind is int else declared.default + 0.25


@pytest.mark.parametrize("keyword", DECLARED)
def test_every_parameter_reaches_the_struct_and_nothing_else_there(view, keyword):
    bare = Search(view, multiple=True).parameters
    value = other(DECLARED[keyword])
    changed = Search(view, multiple=True, **{keyword: value}).parameters
    assert changed == {**bare, keyword: value}
    assert changed[keyword] != bare[keyword]


def test_a_bare_search_has_the_defaults_of_the_table(view):
    assert Search(view, multiple=True).parameters == DEFAULTS
    assert {name: generic(field) for name, field in TABLE.items() if name not in OWN} == {
        name: DEFAULTS[field.metadata.get("keyword", name)] for name, field in TABLE.items() if name not in OWN}


@pytest.mark.parametrize("options", [FlatOptions, IsmctsOptions, MoIsmctsOptions, PimcOptions])
def test_agents_take_their_parameters_from_the_table(options):
    """The declarations are the same objects, so their defaults, bounds and words cannot differ."""
    shared = [field for field in dataclasses.fields(options) if field.name in TABLE]
    for field in shared:
        if options is not FlatOptions or field.name != "c":
            assert field.metadata is TABLE[field.name].metadata
            assert field.default is TABLE[field.name].default
    assert {"cutoff", "informed", "blend", "tau"} <= {field.name for field in shared}


def test_one_agent_has_all_parameters():
    assert set(TABLE) <= {field.name for field in dataclasses.fields(MoIsmctsOptions)}


@pytest.mark.parametrize("name", [name for name in TABLE if name not in OWN])
def test_a_game_without_defaults_of_its_own_is_searched_with_those_of_the_table(name):
    """A bare search and that of an agent differ only in the iterations in flight."""
    view = view_of(decision("leduc_poker", 1))
    keyword = TABLE[name].metadata.get("keyword", name)
    agents = search_for(view, MoIsmctsOptions(), 1).parameters
    assert agents[keyword] == Search(view, multiple=True).parameters[keyword]


def test_defaults_of_a_game_may_differ_by_its_options():
    """Later exceptions override earlier ones, and a person's values override all."""

    class Fussy(Carcassonne):
        search_defaults: ClassVar = {"fpu": 0.5, "c_prior": 2.0}
        search_exceptions: ClassVar = (({"players": (3, 4)}, {"fpu": 0.25, "tau": 5.0}),
                                       ({"players": (4,), "river": (True,)}, {"fpu": 0.125}))

    found = {}
    for players, river in ((2, True), (3, True), (4, True), (4, False)):
        state = Fussy(CarcassonneOptions(players=players, river=river)).initial_state()
        while state.is_chance:
            state.apply(state.chance_outcomes()[0][0])
        inner = search_for(view_of(state), IsmctsOptions(), 1).parameters
        found[players, river] = [inner[name] for name in ("fpu", "c_prior", "tau")]
        assert search_for(view_of(state), IsmctsOptions(fpu=0.75), 1).parameters["fpu"] == 0.75
    assert found == {(2, True): [0.5, 2.0, DEFAULTS["tau"]], (3, True): [0.25, 2.0, 5.0],
                     (4, True): [0.125, 2.0, 5.0], (4, False): [0.25, 2.0, 5.0]}


def test_defaults_may_differ_where_a_learned_evaluation_judges():
    """The evaluation must know the number of players; it overrides exceptions by options, and a person overrides it."""

    class Fussy(Carcassonne):
        search_defaults: ClassVar = {"cutoff": -1, "fpu": 0.5}
        search_exceptions: ClassVar = (({"players": (2, 3)}, {"cutoff": 7}),)
        search_learned: ClassVar = {"cutoff": 3}

    found = {}
    for players in (2, 3, 4):
        state = Fussy(CarcassonneOptions(players=players)).initial_state()
        while state.is_chance:
            state.apply(state.chance_outcomes()[0][0])
        two = random_network(Fussy(CarcassonneOptions(players=2)).initial_state(), seed=1)
        for knowledge in (None, two):
            state.set_knowledge(knowledge)
            inner = search_for(view_of(state), IsmctsOptions(), 1).parameters
            found[players, knowledge is not None] = inner["cutoff"], inner["fpu"]
            assert search_for(view_of(state), IsmctsOptions(cutoff=5), 1).parameters["cutoff"] == 5
    assert found == {(2, False): (7, 0.5), (2, True): (3, 0.5), (3, False): (7, 0.5), (3, True): (7, 0.5),
                     (4, False): (-1, 0.5), (4, True): (-1, 0.5)}


def test_what_does_not_apply_is_not_in_force():
    open_game = view_of(decision("tic_tac_toe", 2))
    found = Search(open_game, cutoff=3, priors=True, bids="exp3").parameters
    assert [found[name] for name in ("cutoff", "priors", "bids")] == [-1, False, "ucb"]


@pytest.mark.parametrize("keyword", ["widen", "minimax", "threads", "redeterminize"])
def test_an_unknown_parameter_is_refused(view, keyword):
    with pytest.raises(TypeError, match=f"no parameter '{keyword}'"):
        Search(view, **{keyword: 1})


@pytest.mark.parametrize("keyword", [name for name, declared in DECLARED.items() if declared.kind is str])
def test_an_unknown_word_is_refused(view, keyword):
    with pytest.raises(ValueError, match=f"{keyword} must be one of {DECLARED[keyword].values[0]}, .*not 'best'"):
        Search(view, **{keyword: "best"})


@pytest.mark.parametrize("batch", [0, 65])
def test_a_batch_has_bounds(view, batch):
    with pytest.raises(ValueError, match=f"the batch must be 1 to 64, not {batch}"):
        Search(view, batch=batch)


def test_a_line_in_the_table_is_all_that_a_new_parameter_needs():
    table = SimpleNamespace(DECLARED={
        **DECLARED, "patience": Declared("patience", float, 0.5, "how long it waits", (), 1.0),
        "mood": Declared("mood", str, "calm", "what it is like", ("calm", "wild"), None)})
    struct = generate.struct_source(table)
    assert "    # how long it waits\n    double patience\n" in struct
    assert "    MOOD_CALM = 0\n    MOOD_WILD = 1\n" in struct
    stub = generate.stub_source(table, (generate.HERE / "search" / "search.pyi").read_text())
    assert '        patience: float = 0.5,\n        mood: str = "calm",\n' in stub


def test_other_searches_take_the_same_defaults():
    """Flat Monte Carlo with the defaults given explicitly plays the same playouts as without them."""
    view = view_of(decision("carcassonne", 12))
    bare, told = FlatSearch(view, 1), FlatSearch(view, 1, **{
        name: DEFAULTS[name] for name in ("cutoff", "informed", "blend", "tau")})
    for search in (bare, told):
        search.halve(100)
    assert bare.rows() == told.rows()
    with pytest.raises(sfida.InvalidOption):
        sfida.agent("flat:threads=1")
