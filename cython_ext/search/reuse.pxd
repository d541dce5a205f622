"""What a search keeps for the next decision: its memory, or the subtree it went into."""

from sfida.cython_ext.search.shared_tree cimport SharedTree
from sfida.cython_ext.state cimport GameState, View


cdef int restart(SharedTree t, View view, object seed, GameState world, object worlds, object only) except -1
cdef bint advance(SharedTree t, object move, View view) except -1
