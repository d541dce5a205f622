"""What the owner of a tree has seen between two of its decisions, folded into 64 bits.

The history picks the child: decisions that the owner cannot tell apart are one node. An event whose label is 0
leaves it alone. The descent, the expected lines and the reuse of a subtree all fold here.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.rng cimport mix64
from sfida.cython_ext.state cimport CHANCE, GameState, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef struct Seen:                       # what one tree's owner has seen since its last decision on this path
    uint32_t node                       # of that decision; 0: there was none yet
    uint32_t offset                     # of the edge taken
    uint64_t history


cdef inline void decide(Seen* seen, uint32_t node, uint32_t offset) noexcept nogil:
    """Begin anew at a decision of the owner."""
    seen.node = node
    seen.offset = offset
    seen.history = 0


cdef inline void fold(Seen* seen, uint64_t label) noexcept nogil:
    if label:
        seen.history = mix64(seen.history, label)


cdef inline bint fold_event(Tree t, GameState s, Seen* seen, int actor, move_t code, int chances,
                            bint exact) noexcept nogil:
    """Fold the last event of a position into the histories of all trees that it shows in.

    Parameters
    ----------
    s : GameState
        The position after the event.
    seen : Seen*
        One for each tree.
    actor : int
        Seat whose move it was, or CHANCE.
    code : move_t
        The move or the outcome.
    chances : int
        Chance events on the path so far, this one included.
    exact : bint
        Nodes have had the same legal moves at every visit up to here.

    Returns
    -------
    bint
        Whether they still have.
    """
    cdef uint64_t label
    cdef int k
    if actor == CHANCE and t.params.chance_depth >= 0 and chances > t.params.chance_depth:
        return False
    if t.multiple:
        for k in range(s.players):
            label = s.event_label(k)
            if label:
                fold(&seen[k], label)
        return False
    if actor == CHANCE:
        label = mix64(code, 1) | 1 if t.clairvoyant else s.event_label(t.seat)
        if label == 0:
            return False
        fold(seen, label)
    elif not exact:
        fold(seen, s.event_label(t.seat))
        if actor != t.seat:             # in one tree the mover's own view of an unseen move still splits it
            fold(seen, s.event_label(actor))
    return exact


cdef inline uint32_t last_decision(Tree t, GameState s, const Seen* seen, int owner, int actor,
                                   uint64_t* history) noexcept nogil:
    """Node of the owner's last decision, and its history since; before the first one, where the tree begins."""
    history[0] = seen.history
    if seen.node:
        return seen.node
    if t.params.keyed:
        history[0] = mix64(history[0], <uint64_t> s.private_bucket(actor) + 1)
    return t.entry[owner]
