"""The search against known truths about small games: short forms of `bench yardsticks` (docs/measure/yardsticks.md)."""

import statistics

import pytest

from sfida.cython_ext.rng import derive
from sfida.cython_ext.search.search import Search
from sfida.engines.registry import make
from support.bidding import learned_bids
from support.deciders import Decider
from support.equilibrium import equilibrium
from support.measures import policies, tree_of


def exploitability(name, decider, seed):
    """Return the exploitability of a decider's mixed and argmax policies for a game."""
    return [tree_of(name).exploitability(policy) for policy in policies(name, decider, seed)]


# ---- poker: a deterministic choice cannot mix ---------------------------------------------------------


@pytest.mark.parametrize(("decider", "mixed", "argmax"), [
    (Decider("so", 10_000, 0.7), (0.160, 0.168), 1 / 6),
    (Decider("mo", 10_000, 0.7), (0.160, 0.168), 1 / 6),
    (Decider("flat", 10_000, 0.7), (0.325, 0.334), 1 / 3),
], ids=["one tree", "one tree per seat", "flat"])
def test_kuhn_plateaus(decider, mixed, argmax):
    """However long the search, exploitability stays at 1/6 with a tree and 1/3 without."""
    found = exploitability("kuhn_poker", decider, seed=0)
    assert mixed[0] <= found[0] <= mixed[1]
    assert found[1] == pytest.approx(argmax, abs=0.01)


def test_leduc_bands():
    """At 1,000 iterations one tree .83 +- .02, keyed trees .65 +- .045; the bands are 3 standard deviations wide."""
    one, keyed = (exploitability("leduc_poker", Decider(kind, 1_000, 0.4), seed=0)[0] for kind in ("so", "mo"))
    assert 0.77 <= one <= 0.89
    assert 0.51 <= keyed <= 0.78
    assert keyed < one


def test_one_tree_per_seat_is_one_tree_where_moves_are_seen_and_seats_not_keyed():
    """Poker hides only the deal: an opponent that forgets its hand knows exactly what the searcher knows about it."""
    infos = list(tree_of("leduc_poker").sets.values())[::12]
    decisions = [[Decider(kind, 300, 0.4, keyed=keyed).decide(info.view, 1).shares for info in infos]
                 for kind, keyed in (("so", False), ("mo", False), ("mo", True))]
    assert decisions[0] == decisions[1]
    assert decisions[0] != decisions[2]


@pytest.mark.parametrize(("name", "rounds", "value", "width"), [("kuhn_poker", 400, -1 / 18, 0.002),
                                                                ("leduc_poker", 300, -0.0856, 0.006)])
def test_values_of_the_games(name, rounds, value, width):
    """The payoffs of best responses to a good policy bound the value from both sides."""
    tree = tree_of(name)
    policy = equilibrium(tree, rounds)
    low, high = -tree.best_response(policy, 1), tree.best_response(policy, 0)
    assert low <= value <= high < low + width


# ---- Goofspiel: hidden bids ---------------------------------------------------------------------------


def test_learned_bids_approach_an_equilibrium():
    """From 100 to 1,000 iterations per bid exploitability falls from .61 +- .04 to .14 +- .03 (single runs).

    The limit is 3 standard deviations away. Uniform play has .75.
    """
    short, long = (exploitability("goofspiel", Decider("mo", iterations, bids="exp3", bid_explore=0.2), seed=1)[0]
                   for iterations in (100, 1_000))
    assert long < 0.22
    assert long < short - 0.1


def test_bounds_on_means_do_not_mix():
    """The most visited bids lose every game to a seat that knows them, and visit shares are far from an equilibrium."""
    mixed, argmax = exploitability("goofspiel", Decider("mo", 300), seed=0)
    assert argmax == 1.0
    assert mixed > 0.15


@pytest.mark.parametrize("seat", [0, 1])
def test_bids_are_learned_as_by_another_implementation(seat):
    """Mean strategies at the first bid agree; 4.5 standard errors per card mean one false alarm in 30,000 runs."""
    iterations, runs, explore = 200, 60, 0.2
    root = tree_of("goofspiel").root
    plain = [learned_bids(root, iterations, explore, seed)[seat] for seed in range(runs)]
    state = make("goofspiel")
    if seat == 1:
        state.apply(1)
    decider = Decider("mo", iterations, bids="exp3", bid_explore=explore)
    ours = [decider.decide(state.view(seat), derive(3, seed)).shares for seed in range(runs)]
    for i, move in enumerate(state.legal_moves()):
        one, other = [row[i] for row in plain], [shares[move] for shares in ours]
        error = ((statistics.variance(one) + statistics.variance(other)) / runs) ** 0.5
        assert abs(statistics.mean(one) - statistics.mean(other)) < 4.5 * error
    highest = [row[-1] for row in plain]
    assert statistics.mean(highest) > 0.4               # and they do not merely agree on the uniform strategy


# ---- tic-tac-toe: nothing hidden ----------------------------------------------------------------------


def search_move(state, iterations, seed):
    search = Search(state.view(state.to_move), seed=seed, c=0.7, decisive=False)
    search.run(iterations=iterations)
    return search.root()[0][0]


def solve(state, known):
    """Return the exact value of tic-tac-toe for X: 1, 0.5 or 0."""
    if state.is_over:
        return state.utilities()[0]
    key = state.to_bytes()
    if key not in known:
        values = []
        for move in state.legal_moves():
            child = state.clone()
            child.apply(move)
            values.append(solve(child, known))
        known[key] = max(values) if state.to_move == 0 else min(values)
    return known[key]


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_never_lost(seat):
    """From the empty board, 2,000 iterations per move never lose against any line of replies."""
    choices = {}

    def play(state):
        if state.is_over:
            assert state.utilities()[seat] >= 0.5, f"lost:\n{state}"
            return 1
        if state.to_move == seat:
            key = state.to_bytes()
            if key not in choices:
                choices[key] = search_move(state, 2_000, derive(seat, len(choices)))
            moves = [choices[key]]
        else:
            moves = state.legal_moves()
        lines = 0
        for move in moves:
            child = state.clone()
            child.apply(move)
            lines += play(child)
        return lines

    assert play(make("tic_tac_toe")) >= 20


def test_tic_tac_toe_keeps_the_value_of_hard_positions():
    """In any position in which some moves lose value, the search finds a move that keeps it."""
    known = {}
    start = make("tic_tac_toe")
    solve(start, known)
    hard = []
    seen = set()

    def collect(state):
        key = state.to_bytes()
        if state.is_over or key in seen:
            return
        seen.add(key)
        values = []
        for move in state.legal_moves():
            child = state.clone()
            child.apply(move)
            values.append(solve(child, known))
            collect(child)
        if min(values) != max(values):
            hard.append((state.clone(), known[key]))

    collect(start)
    assert len(hard) > 1500
    for number, (state, value) in enumerate(hard[::24]):
        child = state.clone()
        child.apply(search_move(state, 2_000, derive(99, number)))
        assert solve(child, known) == value, f"{child}"
