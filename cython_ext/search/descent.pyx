"""The way down the tree: choose by availability, fold what is seen into the histories.

References
----------
P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4:2 (2012).
A. Liu et al., "Watch the unobserved: a simple approach to parallelizing Monte Carlo tree search", ICLR 2020, for
iterations in flight.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.search.arena cimport NODE_COMPLETE, Arena, Edge, child_key, find_child, make_child
from sfida.cython_ext.search.history cimport Seen, decide, fold_event, last_decision
from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.rng cimport rng_below
from sfida.cython_ext.search.params cimport BIDS_UCB, SearchParams
from sfida.cython_ext.search.thread cimport SearchThread, go_deeper
from sfida.cython_ext.search.selection cimport select
from sfida.cython_ext.search.simulation cimport MAX_DEPTH, Simulation, Step
from sfida.cython_ext.state cimport CHANCE, TERMINAL, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef void play_outside_tree(SearchThread thread, Tree t, int actor, bint exact) noexcept nogil:
    """Play any move without the tree: the arena is full, and the root is not reached yet."""
    cdef int k = thread.work.candidates(thread.moves)
    cdef move_t code = thread.moves[rng_below(&thread.rng, <uint32_t> k)]
    thread.work.play(code)
    fold_event(t, thread.work, thread.seen, actor, code, 0, exact)


cdef uint32_t next_node(SearchThread thread, Tree t, int owner, int actor) noexcept nogil:
    """Return the node of the decision reached, created when it is new; 0: not to be entered, or no room."""
    cdef Arena* a = &t.arena
    cdef Seen* seen = &thread.seen[owner]
    cdef uint64_t history
    cdef uint32_t v = last_decision(t, thread.work, seen, owner, actor, &history)
    cdef Edge* edge = &a.edge[a.node[v].first + seen.offset]
    cdef uint64_t key = child_key(v, edge.code, history, actor)
    cdef uint32_t child = find_child(a, edge, key)
    if child or a.full:
        return child
    return make_child(a, edge, key, actor)


cdef void descend(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil:
    """Begin a simulation in the world prepared; the lock of the first level is held, that of a level at the end."""
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef int64_t t0 = now() if t.profiling else 0
    cdef int64_t expand0 = thread.tally.clock.expand
    cdef int actor, owner, chances = 0
    cdef bint fresh = False
    cdef bint deeper = False            # the lock of the next node's level is held already
    cdef bint rooted = False            # retracted bids come before the root: nobody leaves the tree there
    cdef bint exact = t.clairvoyant or not thread.work.hidden  # the legal set of a node is always the same
    cdef uint32_t v, e
    cdef move_t code
    cdef Step* step
    thread.simulation = simulation
    simulation.depth = 0
    simulation.n_bids = 0
    thread.prepared = False
    simulation.leaf = 0
    thread.to_play = False
    thread.apart = t.apart
    memset(thread.seen, 0, sizeof(thread.seen))
    while True:
        actor = thread.work.actor()
        if actor == TERMINAL or thread.work.failed or thread.shadow.failed:
            break
        if actor == CHANCE:
            code = thread.work.sample(&thread.rng)
            thread.work.play(code)
            chances += 1
            exact = fold_event(t, thread.work, thread.seen, CHANCE, code, chances, exact)
            continue
        owner = actor if t.multiple else 0
        if actor == t.seat and thread.seen[owner].node == 0:
            v = t.root_node
            rooted = True
        else:
            v = next_node(thread, t, owner, actor)
            if not deeper:
                go_deeper(thread, t)
            deeper = False
            if rooted:
                if v == 0:
                    break
                if a.node[v].n < <uint32_t> p.expand_at:
                    a.node[v].n += 1
                    break
        if simulation.depth >= MAX_DEPTH:
            break
        if p.redeterminize and actor != t.seat:
            thread.shadow.copy_from(thread.work)
            thread.shadow.determinize_for(actor, &thread.rng)
            if thread.shadow.failed:
                break
        if v == 0:
            play_outside_tree(thread, t, actor, exact)
            continue
        if p.priors and rooted and a.node[v].n_edges == 0 and not a.full and not (
                p.bids != BIDS_UCB and thread.work.is_bid()):
            # looking at its moves takes long and needs nobody else: play_out() does it
            simulation.leaf = v
            simulation.leaf_actor = actor
            simulation.leaf_rank = <int> a.node[v].n - (0 if v == t.root_node else p.expand_at)
            simulation.leaf_exact = exact
            simulation.leaf_in_shadow = p.redeterminize and actor != t.seat
            a.node[v].n += 1
            break
        if p.redeterminize and actor != t.seat:
            e = select(thread, t, thread.shadow, v, actor, exact, &fresh)
        else:
            e = select(thread, t, thread.work, v, actor, exact, &fresh)
        a.node[v].n += 1
        if e == 0 and rooted:
            break                       # no room for an edge: play out from here
        if e == 0:
            play_outside_tree(thread, t, actor, exact)
            continue
        step = &simulation.path[simulation.depth]
        # until the reward is known the edge's mean counts as its reward, and a first visit as a loss
        step.expected = a.edge[e].w // a.edge[e].n if a.edge[e].n else 0
        a.edge[e].w += step.expected
        a.edge[e].n += 1
        step.node = v
        step.offset = e - a.node[v].first
        step.actor = actor
        step.bid = simulation.n_bids - 1
        if step.bid >= 0 and simulation.bids[step.bid].chance < 0.0:
            simulation.bids[step.bid].chance = -simulation.bids[step.bid].chance
        else:
            step.bid = -1
        simulation.depth += 1
        decide(&thread.seen[owner], v, step.offset)
        code = a.edge[e].code
        if fresh and rooted:
            thread.last = code          # played by play_out(): nobody need wait for it
            thread.to_play = True
            break
        if a.node[v].size_class & NODE_COMPLETE:
            go_deeper(thread, t)        # its edges stay where they are, and only the next level looks at children
            deeper = True
        thread.work.play(code)
        exact = fold_event(t, thread.work, thread.seen, actor, code, chances, exact)
    if t.profiling:
        thread.tally.clock.select += now() - t0 - (thread.tally.clock.expand - expand0)
