"""The network of whole numbers, and the states that it evaluates."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfida.ai.research.profiling import sample_decisions
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import EVERYBODY, View
from sfida.engines.registry import make, make_game
from support.networks import random_network, random_table, reference_outputs, reference_shares

GAMES = ("settlers_of_zarahemla:players=3", "risiko:players=4", "a_few_acres_of_snow")


def decisions(spec, count=12, seed=0):
    return sample_decisions(make_game(spec), count, seed)


def shares_of(learned, x):
    out = np.empty((1, x.shape[0]))
    learned.shares(x[None], out)
    return out[0].tolist()


# ---- the arithmetic -----------------------------------------------------------------------------------


@given(st.integers(1, 6), st.integers(1, 64), st.integers(0, 40), st.integers(0, 2**32 - 1), st.integers(0, 30),
       st.integers(0, 40), st.sampled_from([1.0, 1e3, 1e9]))
def test_it_equals_the_formulas_bit_by_bit(players, features, hidden, seed, s1, s2, scale):
    rng = np.random.default_rng(seed)
    largest = (2**31 - 1 - 10**6) // (2047 * max(1, players - 1) * 2 * features)
    most = min(largest, 2**15 - 1)
    table = {
        "mean": rng.normal(0, scale, features).tolist(), "gain": rng.normal(0, 256, features).tolist(),
        "W1": rng.integers(-most, most + 1, (hidden, 2 * features)).tolist(),
        "b1": rng.integers(-10**6, 10**6, hidden).tolist(), "s1": s1,
        "W2": rng.integers(-2**31, 2**31, hidden).tolist(), "L": rng.integers(-2**31, 2**31, 2 * features).tolist(),
        "s2": s2}
    learned = Learned("game", 1, [f"f{i}" for i in range(features)], {players: table})
    x = rng.normal(0, scale, (players, features))
    expected = reference_outputs(table, x)
    assert learned.outputs(x) == expected.tolist()
    assert shares_of(learned, x) == reference_shares(expected, s2)


def test_shares_are_a_softmax():
    table = random_table(5, seed=2)
    learned = Learned("game", 1, "abcde", {4: table})
    x = np.random.default_rng(3).normal(size=(4, 5))
    logits = np.array(learned.outputs(x)) / 2.0 ** table["s2"]
    expected = np.exp(logits - logits.max())
    assert shares_of(learned, x) == pytest.approx((expected / expected.sum()).tolist(), abs=1e-3)


@pytest.mark.parametrize(("x", "q"), [(0.0, 0), (1.5, 2), (-1.5, -1), (2046.4, 2046), (1e300, 2047), (-1e300, -2047),
                                      (float("inf"), 2047), (float("-inf"), -2047), (float("nan"), -2047)])
def test_features_are_rounded_and_bounded(x, q):
    table = {"mean": [0.0], "gain": [1.0], "W1": [], "b1": [], "s1": 0, "W2": [], "L": [1, 0], "s2": 0}
    assert Learned("game", 1, ["x"], {1: table}).outputs(np.array([[x]])) == [q]


def test_sums_that_could_leave_32_bits_are_refused():
    table = random_table(2, hidden=1)
    table["W1"], table["b1"] = [[32767, 0, 0, 0]], [2**31 - 1 - 32767 * 2047]
    Learned("game", 1, "ab", {2: table})
    table["b1"][0] += 1
    with pytest.raises(ValueError, match="network for 2 players: the sum of hidden unit 0 could leave 32 bits"):
        Learned("game", 1, "ab", {2: table})
    wide = {**random_table(4, hidden=1), "W1": [[-32768] * 8]}
    Learned("game", 1, "abcd", {4: wide})
    with pytest.raises(ValueError, match="network for 6 players: the sum of hidden unit 0 could leave 32 bits"):
        Learned("game", 1, "abcd", {6: wide})


@pytest.mark.parametrize(("key", "value", "message"), [
    ("mean", [0.0], "mean has 1 numbers, not 2"), ("gain", [0.0, float("nan")], "gain holds nan"),
    ("gain", [1.0, 10**400], "too large"), ("mean", [0.0, "1"], "mean is not a list of numbers"),
    ("W1", 3, "W1 is not a list of rows"), ("W1", [[0] * 4], "W1 has 1 rows, not 4"),
    ("W1", [[0] * 3] * 4, "W1 has 3 numbers, not 4"), ("W1", [[40000, 0, 0, 0]] * 4, "W1 holds a number that is not"),
    ("b1", [0, 0, 0, 2**31], "b1 holds a number"), ("W2", [0.5] * 4, "W2 holds 0.5, which is not a whole number"),
    ("W2", [True] * 4, "W2 is not a list of numbers"), ("L", [0] * 5, "L has 5 numbers, not 4"),
    ("s1", 31, "s1 holds a number that is not within 0..30"), ("s2", -1, "s2 holds a number"),
    ("extra", 1, "'extra' is unknown")])
def test_what_does_not_fit_is_refused(key, value, message):
    with pytest.raises(ValueError, match=message):
        Learned("game", 1, "ab", {2: {**random_table(2), key: value}})


def test_equal_content_is_equal():
    table = random_table(2)
    one, same = (Learned("game", 1, "ab", {2: table}, made) for made in ({}, {"hours": 1}))
    other = Learned("game", 1, "ab", {2: {**table, "s2": 3}})
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert pickle.loads(pickle.dumps(same)) == one
    assert pickle.loads(pickle.dumps(same)).made == {"hours": 1}


# ---- states -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", GAMES)
def test_positions_are_judged_by_the_network(spec):
    """Win shares come from the features that the seat to move knows; points are still those of the game."""
    for state in decisions(spec):
        learned = random_network(state, seed=4)
        state.set_knowledge(None)
        hand = state.evaluation()
        x = np.array([list(state.features(seat, state.to_move).values()) for seat in range(state.players)])
        state.set_knowledge(learned)
        wins, scores = state.evaluation()
        alive = [spec[:6] != "risiko" or any(row) for row in x.tolist()]
        shares = [share if alive[seat] else 0.0 for seat, share in enumerate(shares_of(learned, x))]
        if all(alive):
            assert wins == shares
        else:
            assert wins == pytest.approx([share / sum(shares) for share in shares], abs=1e-5)
        assert scores == hand[1]
        state.set_knowledge(None)
        assert state.evaluation() == hand


@pytest.mark.parametrize("spec", GAMES)
def test_copies_views_worlds_and_pickles_keep_it(spec):
    state = decisions(spec, 1)[0]
    learned = random_network(state)
    state.set_knowledge(learned)
    view = state.view(state.to_move)
    copies = [state.clone(), pickle.loads(pickle.dumps(state)), view.sample(Random(1)), view.clone().sample(Random(2))]
    assert [copy.evaluation() for copy in copies] == [state.evaluation()] * 4
    assert all(copy.knowledge == learned for copy in copies)
    assert view.knowledge == learned
    view.set_knowledge(None)
    assert view.sample(Random(1)).knowledge is None
    assert state.knowledge == learned


def test_playouts_are_cut_off_by_the_network():
    """At the end of a playout all secrets of the world count."""
    for state in decisions("settlers_of_zarahemla:players=3", 6):
        learned = random_network(state, seed=5)
        x = np.array([list(state.features(seat, EVERYBODY).values()) for seat in range(state.players)])
        state.set_knowledge(learned)
        assert state.random_playout(Random(0), cutoff=0)[0] == shares_of(learned, x)


def test_a_number_of_players_without_a_network_is_judged_by_hand():
    two, three, by_hand = (make(f"settlers_of_zarahemla:players={players}") for players in (2, 3, 3))
    three.set_knowledge(random_network(two))
    by_hand.set_knowledge(None)
    assert three.evaluation() == by_hand.evaluation()


def test_what_does_not_fit_the_game_is_refused():
    state = make("risiko")
    before = state.knowledge
    table = {state.players: random_table(len(state.feature_names))}
    for game, rules, names, message in (
            ("chess", 2, state.feature_names, "is for the game 'chess', not for 'risiko'"),
            ("risiko", 1, state.feature_names, "is for the rules of 'risiko' in version 1, not 2"),
            ("risiko", 2, tuple(reversed(state.feature_names)), "must be trained again")):
        with pytest.raises(InvalidOption, match=message):
            state.set_knowledge(Learned(game, rules, names, table))
    assert state.knowledge is before


def test_features_know_as_much_as_their_viewer():
    """A hidden victory point counts for its owner and for a viewer who knows everything; worlds of a view agree."""
    found = False
    for state in decisions("settlers_of_zarahemla:players=3", 40, seed=1):
        for seat in range(3):
            own, public, all_known = (state.features(seat, viewer)["points"] for viewer in (seat, -1, EVERYBODY))
            assert own == all_known
            found = found or own != public
        world = View.unredacted(state, 0).sample(Random(3))
        assert [world.features(seat) for seat in range(3)] == [state.features(seat) for seat in range(3)]
    assert found
    with pytest.raises(ValueError, match=r"seat must be 0\.\.2, not 3"):
        state.features(0, 3)
    with pytest.raises(ValueError, match=r"seat must be 0\.\.2, not -3"):
        state.features(0, -3)
