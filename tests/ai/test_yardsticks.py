"""Known truths about what single-tree ISMCTS does in small games."""

import pytest

from sfida.cython_ext.rng import derive
from sfida.cython_ext.search import Search
from sfida.engines.registry import make
from support.exploitability import GameTree


def searched(tree, iterations, c, seed):
    """Search afresh at every information set; return the mixed and the argmax policy."""
    mixed, argmax = {}, {}
    for number, (key, info) in enumerate(tree.sets.items()):
        search = Search(info.view, seed=derive(seed, number), c=c)
        search.run(iterations=iterations)
        visits = {move: n for move, n, *_ in search.root()}
        counts = [visits.get(move, 0) for move in info.moves]
        assert sum(counts) == iterations
        mixed[key] = [n / iterations for n in counts]
        argmax[key] = [float(i == counts.index(max(counts))) for i in range(len(counts))]
    return mixed, argmax


def test_kuhn_plateau():
    """A deterministic choice cannot mix: the exploitability stays at 1/6, however long the search."""
    tree = GameTree(make("kuhn_poker"))
    mixed, argmax = searched(tree, 10_000, 0.7, seed=0)
    assert tree.exploitability(argmax) == pytest.approx(1 / 6, abs=0.01)
    assert 0.160 <= tree.exploitability(mixed) <= 0.168


def test_leduc_short_searches():
    """At 1,000 iterations the mixed policy is at about .81 (mean over seeds)."""
    tree = GameTree(make("leduc_poker"))
    values = [tree.exploitability(searched(tree, 1_000, 0.4, seed)[0]) for seed in range(3)]
    assert 0.76 <= sum(values) / len(values) <= 0.86


def test_leduc_band():
    """At 10,000 iterations the mixed policy is between .75 and .85."""
    tree = GameTree(make("leduc_poker"))
    assert 0.75 <= tree.exploitability(searched(tree, 10_000, 0.4, seed=0)[0]) <= 0.85


def search_move(state, iterations, seed):
    search = Search(state.view(state.to_move), seed=seed, c=0.7)
    search.run(iterations=iterations)
    return search.root()[0][0]


def solve(state, known):
    """Exact value of tic-tac-toe for X: 1, 0.5 or 0."""
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
    """Against every line of replies, from the empty board, 5,000 iterations a move never lose."""
    choices = {}

    def play(state):
        if state.is_over:
            assert state.utilities()[seat] >= 0.5, f"lost:\n{state}"
            return 1
        if state.to_move == seat:
            key = state.to_bytes()
            if key not in choices:
                choices[key] = search_move(state, 5_000, derive(seat, len(choices)))
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
    """From any position where some moves throw the result away, the search finds one that does not."""
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
        child.apply(search_move(state, 5_000, derive(99, number)))
        assert solve(child, known) == value, f"{child}"
