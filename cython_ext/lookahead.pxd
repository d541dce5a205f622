"""Value of a position: the best turn by the game's evaluation, then short playouts."""

from sfida.cython_ext.state cimport GameState, move_t


cdef enum:
    MOST_STEPS = 4                      # most own decisions of one turn that are searched


cdef class BestTurn:
    cdef int stride                     # max_legal
    cdef move_t* moves                  # `width` moves per step
    # one position per step
    cdef GameState one
    cdef GameState two
    cdef GameState three
    cdef GameState four
    # worth to the seat to move of the best turn from `state`, and its first move; `further` decisions after it,
    # 0..MOST_STEPS - 1, are searched
    cdef double best(self, GameState state, int seat, int further, move_t* chosen) noexcept nogil
    # worth of a move to the seat that makes it, searched in the same way
    cdef double worth(self, GameState state, move_t move, int seat, int further) noexcept nogil
    cdef double scan(self, GameState state, GameState twin, int seat, int further, move_t* chosen) noexcept nogil
    cdef double after(self, GameState twin, int seat, int further) noexcept nogil
    cdef bint failed(self) noexcept nogil
    cdef tuple positions(self)
    cdef int raise_failure(self) except -1
