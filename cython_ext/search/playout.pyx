"""The playout: list the moves of a new leaf, then play to the end, or to the cutoff and evaluate.

Nothing shared is written here.
"""

from libc.stdint cimport int64_t
from libc.string cimport memcpy

from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.search.reward cimport blend as blend_reward
from sfida.cython_ext.rng cimport rng_below
from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.search.simulation cimport Simulation
from sfida.cython_ext.state cimport GameState, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef void play_out(SearchThread thread, Tree t) noexcept nogil:
    cdef Simulation* simulation = thread.simulation
    cdef int64_t t0 = now() if t.profiling else 0, t1
    if thread.to_play:
        thread.work.play(thread.last)
    if simulation.leaf:
        if simulation.leaf_in_shadow:
            grow_leaf(thread, t, thread.shadow)
        else:
            grow_leaf(thread, t, thread.work)
        thread.work.play(simulation.leaf_choice)
        if t.profiling:
            t1 = now()
            thread.tally.clock.expand += t1 - t0
            t0 = t1
    simulation.played = thread.work.playout(&thread.rng, &t.playout, thread.moves, simulation.win, simulation.score)
    blend_reward(simulation.win, simulation.score, t.origin.players, t.params.blend, t.params.tau, simulation.reward)
    if t.profiling:
        thread.tally.clock.playout += now() - t0


cdef void grow_leaf(SearchThread thread, Tree t, GameState s) noexcept nogil:
    """List the leaf's moves, best prior first, and choose one: the best that no other simulation is trying."""
    cdef Simulation* simulation = thread.simulation
    cdef int i, j, k, pick = 0, ties = 0
    cdef float prior, best = -1.0
    cdef move_t code
    k = s.candidates(simulation.leaf_moves)
    if t.n_held and simulation.leaf == t.root_node:
        k = t.n_held
        memcpy(simulation.leaf_moves, t.held, k * sizeof(move_t))
    if t.params.decisive and k > 1 and (s.has_sure_win or simulation.leaf_exact):
        i = s.find_win(thread.shadow, simulation.leaf_moves, k)
        if i >= 0:
            simulation.leaf_moves[0] = simulation.leaf_moves[i]
            k = 1
    simulation.leaf_k = k
    s.priors(simulation.leaf_moves, k, simulation.leaf_prior)
    if simulation.leaf_rank == 0:
        for i in range(k):
            if simulation.leaf_prior[i] > best:
                best = simulation.leaf_prior[i]
                pick = i
                ties = 1
            elif simulation.leaf_prior[i] == best:
                ties += 1
                if rng_below(&thread.rng, ties) == 0:
                    pick = i
    simulation.leaf_choice = simulation.leaf_moves[pick]
    for i in range(1, k):               # insertion sort: stable, and lists are short
        prior = simulation.leaf_prior[i]
        code = simulation.leaf_moves[i]
        j = i
        while j > 0 and simulation.leaf_prior[j - 1] < prior:
            simulation.leaf_prior[j] = simulation.leaf_prior[j - 1]
            simulation.leaf_moves[j] = simulation.leaf_moves[j - 1]
            j -= 1
        simulation.leaf_prior[j] = prior
        simulation.leaf_moves[j] = code
    if simulation.leaf_rank:
        simulation.leaf_choice = simulation.leaf_moves[simulation.leaf_rank % k]
