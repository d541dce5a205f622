"""The luck of events and games: mean zero for any value function, and reproducible."""

import dataclasses
import random

import numpy as np
import pytest

import sfida
from sfida.ai.luck.value import LISTED, Value, ValueOptions, luck_of, terms
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game

GAMES = ("carcassonne", "carcassonne:players=4", "zarahemla", "risiko:players=3", "attila", "a_few_acres_of_snow",
         "kuhn_poker", "leduc_poker")
QUICK = {"playouts": 2, "cutoff": 2}


def quick(game, **more):
    """Return a value function with few playouts."""
    engine = make_game(game)
    steps = {"steps": engine.luck_defaults["steps"]} if "steps" in engine.luck_defaults else {}
    return Value(engine, ValueOptions(**{**steps, **QUICK, **more}))


def chance_events(game, count):
    """Return positions of random games before chance events with more than one outcome."""
    found, seed = [], 0
    while len(found) < count:
        state, choose, rng = sfida.make(game), random.Random(seed), Random(seed)
        skipped, seed = choose.randrange(40), seed + 1
        while not state.is_over and len(found) < count:
            if state.is_chance and len(state.chance_outcomes()) > 1:
                if skipped <= 0:
                    found.append(state.clone())
                    skipped = choose.randrange(1, 9)
                skipped -= 1
            state.apply(state.sample_chance(rng) if state.is_chance else choose.choice(state.candidate_moves()))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_luck_has_mean_zero_over_what_could_have_happened(game):
    value, told = quick(game), False
    for number, state in enumerate(chance_events(game, 12)):
        weighted = state.chance_outcomes()
        if len(weighted) > LISTED:
            continue
        weights = np.array([weight for _, weight in weighted], float)
        luck = np.array([value.luck(state, code, weighted, number) for code, _ in weighted])
        assert weights @ luck / weights.sum() == pytest.approx(np.zeros(state.players), abs=1e-12)
        assert luck.sum(axis=1) == pytest.approx(np.zeros(len(luck)), abs=1e-12)
        told = told or bool(np.abs(luck).max() > 1e-3)
    assert told, "some outcome must be better than another"


def test_an_expectation_over_a_sample_is_right_in_the_mean_over_games():
    """The first event of Zarahemla has 12,288 outcomes; each game draws its own sample of them."""
    state = sfida.make("zarahemla")
    weighted, value = state.chance_outcomes(), quick("zarahemla", playouts=1, cutoff=9)
    assert len(weighted) > LISTED
    rng = Random(1)
    luck = np.array([value.luck(state, state.sample_chance(rng), weighted, number) for number in range(600)])
    error = luck.std(axis=0) / np.sqrt(len(luck))
    assert (error > 0).all()
    assert (np.abs(luck.mean(axis=0)) < 4 * error).all()       # one run in 5,000 by chance, were the seeds not fixed


def test_games_draw_samples_of_their_own():
    record = sfida.play("zarahemla", ["greedy"] * make_game("zarahemla").players, seed=1)
    first = dataclasses.replace(record, moves=record.moves[:1], chance=(0,), result=None)
    found = {luck_of(dataclasses.replace(first, seed=seed), quick("zarahemla")).seats for seed in range(4)}
    assert len(found) == 4


@pytest.mark.parametrize("game", GAMES)
def test_the_luck_of_a_game_is_the_same_every_time(game):
    record = sfida.play(game, ["greedy"] * make_game(game).players, seed=4)
    one, other = (luck_of(record, quick(game)) for _ in range(2))
    assert one == other
    assert sum(one.seats) == pytest.approx(0, abs=1e-12)
    assert any(one.seats)


def test_terms_say_where_luck_came_from():
    game = make_game("attila")
    record = sfida.play("attila", ["greedy"] * game.players, seed=4)
    found = list(terms(record, quick("attila")))
    assert {term.source for term in found} <= set(game.chance_sources)
    assert [term.ply for term in found] == sorted({term.ply for term in found})
    assert {term.ply for term in found} <= set(record.chance)
    total = np.sum([term.luck for term in found], axis=0)
    assert luck_of(record, quick("attila")).seats == pytest.approx(tuple(total))


@pytest.mark.parametrize("game", ["leduc_poker", "carcassonne"])
def test_moves_of_a_random_agent_are_luck_too(game):
    """Its strategy is known, so its choices are chance events with equal weights."""
    record = sfida.play(game, ["random", "greedy"], seed=6)
    found = list(terms(record, quick(game)))
    drawn = [term for term in found if term.source == "random"]
    assert drawn
    value, state, movers = quick(game), sfida.make(game), []
    for ply, text in enumerate(record.moves):
        if not state.is_chance and state.to_move == 0 and len(state.legal_moves()) > 1:
            movers.append(ply)
            weighted = [(code, 1) for code in state.legal_moves()]
            if len(weighted) <= LISTED and len(movers) < 6:
                mean = np.mean([value.luck(state, code, weighted, ply) for code, _ in weighted], axis=0)
                assert mean == pytest.approx(np.zeros(2), abs=1e-12)
        state.apply(state.parse(text))
    assert [term.ply for term in drawn] == movers
    others = dataclasses.replace(record, seats=("greedy", "greedy"))
    assert not [term for term in terms(others, quick(game)) if term.source == "random"]


def test_an_event_that_could_not_have_gone_otherwise_is_no_luck():
    """The last tile of the stack is certain."""
    game = make_game("carcassonne")
    record = sfida.play("carcassonne", ["greedy", "greedy"], seed=2)
    state, open_events = game.initial_state(), []
    for ply, text in enumerate(record.moves):
        if state.is_chance and len(state.chance_outcomes()) > 1:
            open_events.append(ply)
        state.apply(state.parse(text))
    assert [term.ply for term in terms(record, quick("carcassonne", playouts=0))] == open_events
    assert len(open_events) < len(record.chance)


def test_a_game_that_was_broken_off_has_the_luck_so_far():
    record = sfida.play("leduc_poker", ["greedy", "greedy"], seed=3)
    whole = list(terms(record, quick("leduc_poker")))
    cut = whole[1].ply
    part = dataclasses.replace(record, moves=record.moves[:cut], result=None,
                               chance=tuple(ply for ply in record.chance if ply < cut))
    assert list(terms(part, quick("leduc_poker"))) == whole[:1]


@pytest.mark.parametrize("move", ["no such move", "bet"])
def test_a_record_against_the_rules_is_refused(move):
    record = sfida.play("leduc_poker", ["greedy", "greedy"], seed=3)
    with pytest.raises(InvalidRecord, match="move 2"):
        luck_of(dataclasses.replace(record, moves=(record.moves[0], move, *record.moves[2:])), quick("leduc_poker"))
