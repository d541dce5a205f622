"""The backup: the new leaf gets its edges, every edge on the path the reward of the seat that moved there."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.search.arena cimport ONE, Arena, Node, add_edge, complete_node, reserve_edges
from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.search.params cimport BIDS_EXP3
from sfida.cython_ext.search.thread cimport DEPTH_BINS, SearchThread, go_deeper
from sfida.cython_ext.search.selection cimport match_edges
from sfida.cython_ext.search.simulation cimport BidStep, Simulation, Step
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.search.tree cimport RootTotal, Tree


cdef inline bint has_edge(const Arena* a, const Node* node, move_t code) noexcept nogil:
    cdef int i
    for i in range(node.n_edges):
        if a.edge[node.first + i].code == code:
            return True
    return False


cdef void credit_step(SearchThread thread, Tree t, const Step* step) noexcept nogil:
    """Give the edge of one decision its mover's reward; the lock of its level is held."""
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef const double* u = simulation.reward
    cdef double worth = u[step.actor]
    cdef RootTotal* total
    cdef int i
    if step.bid >= 0:
        back_up_bid(thread, t, step, worth)
    a.edge[a.node[step.node].first + step.offset].w += <int64_t> (worth * ONE + 0.5) - step.expected
    if step.node == t.root_node:
        total = &t.root_total[step.offset]
        total.n += 1
        total.square += u[t.seat] * u[t.seat]
        for i in range(t.origin.players):
            total.reward[i] += u[i]
            total.win[i] += simulation.win[i]


cdef void expand_leaf(SearchThread thread, Tree t) noexcept nogil:
    """Give the leaf its edges, unless another simulation was first, and make the choice part of the path."""
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef Node* node = &a.node[simulation.leaf]
    cdef Step* step
    cdef int i, k = simulation.leaf_k
    if node.n_edges == 0:
        if node.first == 0:
            reserve_edges(a, simulation.leaf, k, simulation.free_list)
        for i in range(k):
            if add_edge(a, simulation.leaf, simulation.leaf_moves[i], simulation.leaf_prior[i],
                        simulation.free_list) == 0:
                break
        if simulation.leaf_exact and node.n_edges == k:
            complete_node(a, node, node.n)
    elif simulation.leaf_exact:
        for i in range(node.n_edges):
            a.edge[node.first + i].available += 1
    else:
        match_edges(thread, a, node, simulation.leaf_moves, k)
        for i in range(k):
            if thread.match[i]:
                a.edge[thread.match[i]].available += 1
    for i in range(k):                  # the node may have grown for others, in another world, without this move
        if simulation.leaf_moves[i] == simulation.leaf_choice and not has_edge(a, node, simulation.leaf_choice):
            add_edge(a, simulation.leaf, simulation.leaf_choice, simulation.leaf_prior[i], simulation.free_list)
    for i in range(node.n_edges):
        if a.edge[node.first + i].code == simulation.leaf_choice:
            a.edge[node.first + i].n += 1
            step = &simulation.path[simulation.depth]
            step.node = simulation.leaf
            step.offset = i
            step.actor = simulation.leaf_actor
            step.bid = -1
            step.expected = 0
            simulation.depth += 1
            return


cdef void back_up_bid(SearchThread thread, Tree t, const Step* step, double u) noexcept nogil:
    """Learn from the outcome of a hidden choice, weighted by how likely the choice was.

    Only what it is beyond the mean so far is weighted: choices that matter little would drown in the noise else.
    """
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef const BidStep* bid = &simulation.bids[step.bid]
    cdef uint32_t first = a.node[step.node].first
    cdef uint64_t total = 0
    cdef int64_t sum_w = 0
    cdef int i
    for i in range(a.node[step.node].n_edges):
        total += a.edge[first + i].n
        sum_w += a.edge[first + i].w
    if total:
        u -= <double> sum_w / ONE / total
    if t.params.bids != BIDS_EXP3:
        for i in range(a.node[step.node].n_edges):
            if i < 256 and bid.available[i >> 6] >> (i & 63) & 1:
                a.bid[first + i].regret -= u
    a.bid[first + step.offset].regret += u / bid.chance


cdef void back_up(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil:
    cdef int64_t t0 = now() if t.profiling else 0
    cdef int i
    thread.simulation = simulation
    thread.apart = t.apart
    for i in range(simulation.depth):
        if i:
            go_deeper(thread, t)
        credit_step(thread, t, &simulation.path[i])
    if simulation.leaf:
        if simulation.depth:
            go_deeper(thread, t)
        i = simulation.depth
        expand_leaf(thread, t)
        if simulation.depth > i:
            credit_step(thread, t, &simulation.path[i])
    thread.tally.playout_moves += simulation.played
    thread.tally.depth_sum += simulation.depth
    if simulation.depth > thread.tally.depth_max:
        thread.tally.depth_max = simulation.depth
    thread.tally.depths[simulation.depth if simulation.depth < DEPTH_BINS else DEPTH_BINS - 1] += 1
    if t.profiling:
        thread.tally.clock.backup += now() - t0
