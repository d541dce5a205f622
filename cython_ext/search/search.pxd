"""Information set Monte Carlo tree search: the parts that compiled code uses without Python."""

from libc.stdint cimport int64_t

from sfida.cython_ext.search.choosing cimport RootMove
from sfida.cython_ext.search.shared_tree cimport SharedTree
from sfida.cython_ext.state cimport GameState, move_t


cdef int64_t SLICE                      # nanoseconds between checks of signals and the clock


cdef class Search(SharedTree):
    cdef int report_to(self, object callback) except -1
    cdef bint follow(self, move_t move, GameState after, GameState scratch) noexcept nogil
    cdef RootMove root_move(self, int i) noexcept nogil
    cdef int list_root(self, RootMove* out) noexcept nogil
