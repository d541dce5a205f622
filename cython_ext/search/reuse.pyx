"""What a search keeps for the next decision: its memory, or the subtree it went into."""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from sfida.cython_ext.search.arena cimport Arena, arena_clear, child_key, find_child
from sfida.cython_ext.search.history cimport Seen, decide, fold_event
from sfida.cython_ext.search.lines cimport edge_of
from sfida.cython_ext.search.thread cimport SearchThread, Tally
from sfida.cython_ext.search.tree cimport RootTotal


cdef int restart(SharedTree t, View view, object seed, GameState world, object worlds, object only) except -1:
    """See `Search.restart`."""
    cdef GameState origin = view.state if world is None else world
    if view.state.actor() != view.seat or origin.actor() != view.seat:
        raise ValueError("a search starts where its seat is to move")
    if (world is not None) != t.clairvoyant:
        raise ValueError("a search of one world stays one, and no other becomes one")
    t.hold_to(only, origin)
    arena_clear(&t.arena)
    t.view = view
    t.seat = view.seat
    t.origin = origin
    t.seed = seed
    t.take_worlds(worlds)
    t.descended = 0
    t.backed_up = 0
    for thread in t.threads:
        memset(&(<SearchThread> thread).tally, 0, sizeof(Tally))
    t.forget_prepared()
    t.clear()
    return 0


cdef bint advance(SharedTree t, object move, View view) except -1:
    """See `Search.advance`."""
    cdef Arena* a = &t.arena
    cdef Seen seen
    cdef uint32_t e, child
    cdef GameState s = t.origin.clone()
    if view.seat != t.seat or view.state.actor() != t.seat or s.actor() != t.seat:
        return False
    if t.multiple or t.clairvoyant or t.n_worlds or t.n_held:
        return False                    # others' trees begin at the old root; worlds and held moves were for it alone
    e = edge_of(a, t.root_node, move)
    if e == 0 or move not in s.legal_moves():
        return False
    s.play(move)
    s.wipe(0)                           # as in every view
    if s.to_bytes() != view.state.to_bytes():
        return False
    decide(&seen, t.root_node, e - a.node[t.root_node].first)
    fold_event(t, s, &seen, t.seat, move, 0, not t.origin.hidden)
    child = find_child(a, &a.edge[e], child_key(t.root_node, a.edge[e].code, seen.history, t.seat))
    if child == 0 or a.node[child].n_edges == 0:
        return False
    t.root_node = child
    t.origin = view.state
    t.view = view
    t.inherited = a.node[child].n
    t.forget_prepared()
    memset(t.root_total, 0, t.root_room * sizeof(RootTotal))
    return True
