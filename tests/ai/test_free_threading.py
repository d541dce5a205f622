"""Threads of a program share a game, its rules, a position and a view, and get the same results as one thread.

With free-threaded Python they run at the same time; elsewhere while a search or a playout releases the interpreter.
"""

import pickle
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import sfida
from sfida.ai.chance import SeededChance
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from support.searching import content

THREADS = 8
EVENTS = 60                             # maximum number of events that a thread plays in a game
SPECS = ["carcassonne:river=true", "settlers_of_zarahemla", "risiko", "a_few_acres_of_snow", "attila", "leduc_poker"]


def played(game, seed):
    """Continue a game and use all objects shared with other threads; return the results."""
    agent = sfida.agent("ismcts:iterations=20", seed=seed)
    luck, rng = SeededChance(seed), Random(seed)
    state, seen = game.initial_state(), []
    for number in range(EVENTS):
        if state.is_over:
            break
        if state.is_chance:
            move = luck.draw(state)
        else:
            view = state.view(state.to_move)
            legal = view.legal_moves()
            move = agent.choose(view) if number % 4 == 0 else legal[rng.below(len(legal))]
            assert state.parse(state.format(move)) == move
        state.apply(move)
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        seen.append((move, again.to_bytes(), again.legal_moves(), again.scores()))
    seen.append((str(state), state.clone().random_playout(rng)))
    return seen


def judged(state, view):
    """Read and search a position that other threads read and search, too; return the results."""
    analysis = sfida.agent("ismcts:iterations=60", seed=1).analyze(view)
    shared = sfida.agent("ismcts:iterations=60,threads=2", seed=1).analyze(view)
    return (content(analysis), content(shared), view.move_priors(), view.legal_moves(), view.key(), view.observation(),
            state.features(0), pickle.dumps(state), str(state), repr(view.sample(Random(4)).scores()))


def at_once(work):
    """Return the results of threads that begin together."""
    start = threading.Barrier(THREADS)

    def run(number):
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.parametrize("spec", SPECS)
def test_threads_play_one_game_object_like_one_thread(spec):
    game = make_game(spec)
    found = at_once(lambda number: played(game, number))
    assert found == [played(make_game(spec), number) for number in range(THREADS)]


@pytest.mark.parametrize("spec", SPECS)
def test_threads_read_and_search_one_position_like_one_thread(spec):
    state, luck, agent = sfida.make(spec), SeededChance(3), sfida.agent("greedy", seed=2)
    decisions = 0
    while decisions < 3 or state.is_chance or len(state.legal_moves()) < 2:
        move = luck.draw(state) if state.is_chance else agent.choose(state.view(state.to_move))
        decisions += not state.is_chance
        state.apply(move)
    view = state.view(state.to_move)
    found = at_once(lambda _: judged(state, view))
    assert found == [judged(state.clone(), view.clone())] * THREADS


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a global lock")
def test_no_module_brings_the_global_lock_back():
    assert not sys._is_gil_enabled()
