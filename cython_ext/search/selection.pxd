"""Which edge of a node is followed, and which edges a node gets."""

from libc.math cimport sqrt
from libc.stdint cimport uint32_t

from sfida.cython_ext.search.arena cimport Arena, Node
from sfida.cython_ext.search.params cimport SearchParams
from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.state cimport GameState, move_t
from sfida.cython_ext.search.tree cimport Tree


cdef inline double widened(const SearchParams* p, uint32_t visits) noexcept nogil:
    """Edges a node may have: a few at first, and more with the square root of its visits."""
    return p.widen_base + p.widen_factor * sqrt(visits)


cdef double as_judged(Tree t, move_t code, double reward) noexcept nogil
cdef uint32_t select(SearchThread thread, Tree t, GameState s, uint32_t v, int actor, bint exact,
                     bint* fresh) noexcept nogil
cdef int sure_win(SearchThread thread, GameState s, const move_t* moves, int k, int actor) noexcept nogil
cdef int match_edges(SearchThread thread, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil
