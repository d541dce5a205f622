"""The playout: list the moves of a new leaf, then play to the end, or to the cutoff and evaluate.

Nothing shared is written here.
"""

from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy

from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.search.move_tables cimport TABLE_TRUST, Worth, mean_worth, move_slot, pair_slot
from sfida.cython_ext.search.reward cimport blend as blend_reward
from sfida.cython_ext.rng cimport Rng, rng_below, rng_uniform
from sfida.cython_ext.search.params cimport PLAYOUT_GAME, REDETERMINIZE_STAY
from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.search.selection cimport sure_win
from sfida.cython_ext.search.simulation cimport Simulation, note_move
from sfida.cython_ext.state cimport TERMINAL, GameState, PlayoutParams, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef void play_out(SearchThread thread, Tree t) noexcept nogil:
    cdef Simulation* simulation = thread.simulation
    cdef int64_t t0 = now() if t.profiling else 0, t1
    if thread.to_play:
        thread.work.play(thread.last)
    if simulation.leaf:
        if simulation.leaf_in_shadow:
            grow_leaf(thread, t, thread.shadow)
            if t.params.redeterminize == REDETERMINIZE_STAY:
                thread.work.copy_from(thread.shadow)
        else:
            grow_leaf(thread, t, thread.work)
        if simulation.trace != NULL:
            note_move(simulation, simulation.leaf_actor, simulation.leaf_choice)
        thread.work.play(simulation.leaf_choice)
        if t.profiling:
            t1 = now()
            thread.tally.clock.expand += t1 - t0
            t0 = t1
    if t.params.minimax > 0.0:
        if thread.work.actor() == TERMINAL:
            thread.work.result(simulation.heuristic, simulation.score)
        else:
            thread.work.evaluate(simulation.heuristic, simulation.score)
    if t.params.playout != PLAYOUT_GAME:
        simulation.played = play_by_table(thread, t)
    else:
        simulation.played = thread.work.playout(&thread.rng, &t.playout, thread.moves, simulation.win, simulation.score)
    blend_reward(simulation.win, simulation.score, t.origin.players, t.params.blend, t.params.tau, simulation.reward)
    if t.profiling:
        thread.tally.clock.playout += now() - t0


cdef void grow_leaf(SearchThread thread, Tree t, GameState s) noexcept nogil:
    """List the leaf's moves, best prior first, and choose one: the best that no other simulation is trying."""
    cdef Simulation* simulation = thread.simulation
    cdef int i, j, k, pick = 0, ties = 0, width
    cdef float prior, best = -1.0
    cdef move_t code
    k = s.candidates(simulation.leaf_moves)
    if t.n_held and simulation.leaf == t.root_node:
        k = t.n_held
        memcpy(simulation.leaf_moves, t.held, k * sizeof(move_t))
    if t.params.decisive and k > 1 and (s.has_sure_win or simulation.leaf_exact):
        i = sure_win(thread, s, simulation.leaf_moves, k, simulation.leaf_actor)
        if i >= 0:
            simulation.leaf_moves[0] = simulation.leaf_moves[i]
            k = 1
    simulation.leaf_k = k
    s.priors(simulation.leaf_moves, k, simulation.leaf_prior)
    width = k if simulation.leaf_width >= k else <int> simulation.leaf_width
    if simulation.leaf_rank == 0 and width == k:
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
    if simulation.leaf_rank or width < k:
        simulation.leaf_choice = simulation.leaf_moves[simulation.leaf_rank % width]


cdef struct ByTable:                    # what `choose_by_table` reads
    Simulation* simulation
    const Worth* worth
    const Worth* pairs
    uint32_t informed
    double noise


cdef int play_by_table(SearchThread thread, Tree t) noexcept nogil:
    """Play out with moves by what was good elsewhere."""
    cdef Simulation* simulation = thread.simulation
    cdef PlayoutParams params = t.playout
    cdef ByTable table
    table.simulation = simulation
    table.worth = t.frozen[thread.table]
    table.pairs = t.frozen_pairs[thread.table]
    table.informed = <uint32_t> params.informed
    table.noise = t.params.noise
    params.choose = choose_by_table
    params.context = &table
    return thread.work.playout(&thread.rng, &params, thread.moves, simulation.win, simulation.score)


cdef move_t choose_by_table(void* context, GameState state, int seat, const move_t* moves, int n,
                            Rng* rng) noexcept nogil:
    """A move by the game's policy, at random, or the one worth most; it is noted for the tables."""
    cdef const ByTable* table = <const ByTable*> context
    cdef move_t code
    if table.informed and rng_below(rng, 100) < table.informed:
        code = state.playout_move(moves, n, rng)
    elif rng_uniform(rng) < table.noise:
        code = moves[rng_below(rng, <uint32_t> n)]
    else:
        code = worth_most(table, seat, moves, n, rng)
    note_move(table.simulation, seat, code)
    return code


cdef move_t worth_most(const ByTable* table, int seat, const move_t* moves, int n, Rng* rng) noexcept nogil:
    cdef const Simulation* simulation = table.simulation
    cdef const Worth* pair
    cdef move_t before = simulation.trace[simulation.traced - 1].code if simulation.traced else 0
    cdef double value, best = -1.0
    cdef int i, ties = 0, pick = 0
    for i in range(n):
        value = mean_worth(&table.worth[move_slot(seat, moves[i])])
        if table.pairs != NULL:
            pair = &table.pairs[pair_slot(seat, before, moves[i])]
            if pair.n >= TABLE_TRUST:
                value = 0.5 * (value + mean_worth(pair))
        if value > best:
            best = value
            pick = i
            ties = 1
        elif value == best:
            ties += 1
            if rng_below(rng, ties) == 0:
                pick = i
    return moves[pick]
