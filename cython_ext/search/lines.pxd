"""The moves that a tree expects, and the edges they lead along."""

from libc.stdint cimport uint32_t

from sfida.cython_ext.search.arena cimport Arena
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.search.tree cimport Tree


cdef inline uint32_t edge_of(const Arena* a, uint32_t v, move_t code) noexcept nogil:
    """Edge of a move in node v, or 0."""
    cdef uint32_t e
    for e in range(a.node[v].first, a.node[v].first + a.node[v].n_edges):
        if a.edge[e].code == code:
            return e
    return 0


cdef list expected_line(Tree t, move_t move, int length)
