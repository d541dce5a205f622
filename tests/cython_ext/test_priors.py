"""Learned priors: the arithmetic, the features of moves, and the states and searches that use them."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfida
from sfida.ai.research.profiling import sample_decisions
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make, make_game
from support.networks import (
    by_hand_priors, prior_network, random_prior_network, random_priors, random_table, reference_priors
)
from support.searching import content, searched, view_of

GAMES = ("carcassonne", "carcassonne:players=3", "attila:players=3", "settlers_of_zarahemla:players=3",
         "risiko:players=4", "a_few_acres_of_snow", "goofspiel")
ONE_STEP = 1 / 128                      # rounding step of a prior's logarithm in `by_hand_priors`


def choices(spec, count=12, seed=0):
    """Return positions with a choice of moves."""
    found = sample_decisions(make_game(spec), 4 * count, seed)
    return [state.clone() for state in found if len(state.move_priors()) > 1][:count]


def features_of(state):
    return np.array([row for _, row in state.move_features()])


# ---- the arithmetic -----------------------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(1, 32), st.integers(0, 2**32 - 1), st.integers(0, 40),
       st.sampled_from([1.0, 1e3, 1e9]))
def test_they_equal_the_formulas(moves, features, seed, shift, scale):
    rng = np.random.default_rng(seed)
    part = {"mean": rng.normal(0, scale, features).tolist(), "gain": rng.normal(0, 256, features).tolist(),
            "W": rng.integers(-2**31, 2**31, features).tolist(), "s": shift}
    names = [f"f{i}" for i in range(features)]
    learned = Learned("game", 1, ["x"], {2: {"moves": part}}, None, names)
    x = rng.normal(0, scale, (moves, features))
    found = learned.priors(2, x)
    assert found == pytest.approx(reference_priors(part, x), rel=1e-5)
    assert min(found) > 0
    assert sum(found) == pytest.approx(1, abs=1e-5)


def test_they_are_a_softmax():
    """Rounding to whole numbers changes a prior by less than half a thousandth."""
    rng = np.random.default_rng(1)
    weight, x = rng.normal(size=6), rng.normal(size=(30, 6))
    part = {"mean": [0.0] * 6, "gain": [256.0] * 6, "W": np.rint(weight * 2**12).astype(int).tolist(), "s": 20}
    logits = np.floor(x * 256 + 0.5) / 256 @ (np.rint(weight * 2**12) / 2**12)
    expected = np.exp(logits - logits.max())
    found = Learned("game", 1, ["x"], {2: {"moves": part}}, None, "abcdef").priors(2, x)
    assert found == pytest.approx((expected / expected.sum()).tolist(), abs=5e-4)


@pytest.mark.parametrize(("key", "value", "message"), [
    ("mean", [0.0], "mean has 1 numbers, not 2"), ("gain", [0.0, float("inf")], "gain holds inf"),
    ("W", [0, 2**31], "W holds a number that is not"), ("W", [0.5, 1], "W holds 0.5, which is not a whole number"),
    ("s", 41, "s holds a number that is not within 0..40"), ("s", None, "s holds None"), ("b", 1, "'b' is unknown")])
def test_what_does_not_fit_is_refused(key, value, message):
    with pytest.raises(ValueError, match=f"for 2 players: priors: {message}"):
        Learned("game", 1, "ab", {2: {**random_table(2), "moves": {**random_priors(2), key: value}}}, None, "cd")


def test_names_of_features_must_differ_and_be_few():
    for names in ("aa", [f"f{i}" for i in range(33)]):
        with pytest.raises(ValueError, match="at most 32 different features of moves"):
            Learned("game", 1, "ab", {}, None, names)
    with pytest.raises(ValueError, match="priors: mean has 2 numbers, not 0"):
        Learned("game", 1, "ab", {2: {"moves": random_priors(2)}})


def test_priors_count_for_equality_and_travel():
    table = random_table(2)
    without = Learned("game", 1, "ab", {2: table})
    learned = Learned("game", 1, "ab", {2: {**table, "moves": random_priors(3)}}, {}, "xyz")
    assert learned != without
    assert pickle.loads(pickle.dumps(learned)) == learned
    assert pickle.loads(pickle.dumps(learned)).move_features == ("x", "y", "z")
    assert (learned.players, learned.prior_players, without.prior_players) == ((2,), (2,), ())


# ---- features of moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", GAMES)
def test_weight_one_for_the_first_feature_gives_the_priors_by_hand(spec):
    for state in choices(spec):
        hand = [prior for _, prior in state.move_priors()]
        assert features_of(state)[:, 0] == pytest.approx([math.log(prior) for prior in hand], abs=1e-5)
        state.set_knowledge(by_hand_priors(state))
        assert [prior for _, prior in state.move_priors()] == pytest.approx(hand, rel=1.5 * ONE_STEP, abs=1e-5)


@pytest.mark.parametrize("spec", GAMES)
def test_features_are_those_of_the_candidates(spec):
    for state in choices(spec, 40, seed=3):
        assert [move for move, _ in state.move_features()] == [move for move, _ in state.move_priors()]
        rows = features_of(state)
        assert rows.shape[1] == len(state.move_feature_names)
        assert np.isfinite(rows).all()


@pytest.mark.parametrize(("spec", "name", "holds"), [
    ("carcassonne", "keep", lambda code: code >> 56 == 3 and not code & 15),
    ("settlers_of_zarahemla:players=3", "ends", lambda code: code in (234, 235)),
    ("settlers_of_zarahemla:players=3", "cities", lambda code: 126 <= code < 180),
    ("a_few_acres_of_snow", "settle", lambda code: code >> 16 in (3, 36)),
    ("a_few_acres_of_snow", "stop", lambda code: code >> 16 in (1, 2, 28, 30, 37)),
    ("attila:players=3", "places", lambda code: 12 <= code < 44),
    ("risiko:players=4", "end_attack", lambda code: code >> 28 == 8),
], ids=lambda value: value if isinstance(value, str) else "codes")
def test_kinds_of_moves_are_told_apart(spec, name, holds):
    """The test uses random games and games played by the priors, in which more happens."""
    seen = 0
    for played in (0, 1):
        state = make(spec)
        rng = Random(played)
        while not state.is_over and seen < 200:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            index = state.move_feature_names.index(name)
            for move, row in state.move_features():
                assert row[index] == holds(move)
                seen += holds(move)
            moves = state.candidate_moves()
            best = max(state.move_priors(), key=lambda pair: pair[1])[0]
            state.apply(best if played else moves[rng.below(len(moves))])
    assert seen


@pytest.mark.parametrize("spec", GAMES)
def test_features_tell_no_secrets(spec):
    """They are the same in all worlds of the seat to move, and read no unused byte of the position."""
    for state in choices(spec):
        found = state.move_features()
        view = state.view(state.to_move)
        assert all(view.sample(Random(seed)).move_features() == found for seed in range(3))
        for pattern in (0x00, 0xA5):
            twin = state.clone()
            twin.scribble(pattern)
            assert twin.move_features() == found


def test_there_are_none_where_nobody_decides():
    state = make("carcassonne")
    assert state.is_chance
    assert state.move_features() == []
    assert make("tic_tac_toe").move_feature_names == ()
    assert {len(row) for _, row in make("tic_tac_toe").move_features()} == {0}


# ---- states and searches that use them ----------------------------------------------------------------


@pytest.mark.parametrize("spec", GAMES)
def test_states_and_their_copies_go_by_them(spec):
    state = choices(spec, 1)[0]
    hand, wins = state.move_priors(), state.evaluation()
    learned = random_prior_network(state)
    state.set_knowledge(learned)
    found = state.move_priors()
    assert [prior for _, prior in found] == pytest.approx(learned.priors(state.players, features_of(state)))
    assert found != hand
    view = state.view(state.to_move)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state)), view.sample(Random(1)),
                 view.clone().sample(Random(2))):
        assert copy.move_priors() == found
    assert view.move_priors() == found
    state.set_knowledge(None)
    assert state.move_priors() == hand
    if wins is not None and state.game.knowledge is None:
        state.set_knowledge(prior_network(state, random_priors(len(state.move_feature_names))))
        assert state.evaluation() == wins, "priors alone leave the evaluation as it is"


def test_playouts_and_the_rule_based_agent_stay_by_hand():
    for spec in ("risiko:players=4", "carcassonne", "settlers_of_zarahemla:players=3"):
        for state in choices(spec, 3):
            state.set_knowledge(None)
            expected = state.clone().random_playout(Random(1), cutoff=-1, informed=100)
            chosen = sfida.agent("greedy:knowledge=hand", seed=1).choose(view_of(state))
            usual = sfida.agent("greedy", seed=1).choose(view_of(state))
            state.set_knowledge(prior_network(state, random_priors(len(state.move_feature_names))))
            assert state.clone().random_playout(Random(1), cutoff=-1, informed=100) == expected
            assert sfida.agent("greedy:knowledge=hand", seed=1).choose(view_of(state)) == chosen
            assert sfida.agent("greedy", seed=1).choose(view_of(state)) == usual


def test_a_search_follows_them():
    state = max(choices("carcassonne", 20), key=lambda state: len(state.move_priors()))
    state.set_knowledge(random_prior_network(state))
    prior = dict(state.move_priors())
    rows = searched(view_of(state), 3000, priors=True, c_prior=1e4).root_edges()
    total = sum(row["visits"] for row in rows)
    for row in rows:
        assert row["prior"] == pytest.approx(prior[row["move"]], rel=1e-5)
        assert row["visits"] / total == pytest.approx(prior[row["move"]], abs=0.02)


@pytest.mark.parametrize("spec", ["carcassonne", "a_few_acres_of_snow", "goofspiel"])
def test_threads_find_the_same(spec):
    state = choices(spec, 3, seed=2)[-1]
    state.set_knowledge(random_prior_network(state))
    found = [content(sfida.agent(f"ismcts:iterations=300,priors=true,batch=8,threads={threads}", seed=5).analyze(
        view_of(state))) for threads in (1, 2, 4)]
    assert found[0] == found[1] == found[2]


def test_other_features_of_moves_are_refused():
    state = make("carcassonne")
    learned = random_prior_network(state)
    other = Learned(learned.game, learned.rules, learned.features, learned.tables, {}, learned.move_features[::-1])
    with pytest.raises(InvalidOption, match="reads other features of moves than 'carcassonne' has now"):
        state.set_knowledge(other)
    three = make("carcassonne:players=3")
    three.set_knowledge(learned)
    three.apply(three.sample_chance(Random(1)))
    assert learned.prior_players == (2,)
