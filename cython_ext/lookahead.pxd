"""What is a position worth: the best turn by the game's evaluation, then short playouts."""

from sfida.cython_ext.state cimport GameState, move_t


cdef enum:
    MOST_STEPS = 4                      # own decisions of one turn that are looked through, at most


cdef class BestTurn:
    cdef int stride                     # max_legal
    cdef move_t* moves                  # as many per step
    # a position per step
    cdef GameState one
    cdef GameState two
    cdef GameState three
    cdef GameState four
    # what the best turn from `state` is worth to the seat to move, and its first move; `further` decisions after it,
    # 0..MOST_STEPS - 1, are looked through
    cdef double best(self, GameState state, int seat, int further, move_t* chosen) noexcept nogil
    # what a move is worth to the seat that makes it, likewise
    cdef double worth(self, GameState state, move_t move, int seat, int further) noexcept nogil
    cdef double scan(self, GameState state, GameState twin, int seat, int further, move_t* chosen) noexcept nogil
    cdef double after(self, GameState twin, int seat, int further) noexcept nogil
    cdef bint failed(self) noexcept nogil
    cdef tuple positions(self)
    cdef int raise_failure(self) except -1
