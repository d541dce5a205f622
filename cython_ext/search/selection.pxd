"""Which edge of a node is followed, and which edges a node gets."""

from libc.stdint cimport uint32_t

from sfida.cython_ext.search.arena cimport Arena, Node
from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.state cimport GameState, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef double as_judged(Tree t, move_t code, double reward) noexcept nogil
cdef uint32_t select(SearchThread thread, Tree t, GameState s, uint32_t v, int actor, bint exact,
                     bint* fresh) noexcept nogil
cdef int match_edges(SearchThread thread, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil
