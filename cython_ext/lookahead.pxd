"""What is a position worth: the best reply by the game's evaluation, then short playouts."""

from sfida.cython_ext.state cimport GameState, PlayoutParams, move_t


cdef enum:
    MOST_STEPS = 4                      # own decisions of one turn that are looked through, at most


cdef class Lookahead:
    cdef int steps
    cdef int playouts
    cdef PlayoutParams params
    cdef list twins                     # one position per step, and one for playouts
    cdef move_t* moves                  # max_legal per step
    cdef int reply(self, GameState state) except -1
    cdef double best(self, GameState state, int seat, int depth, move_t* chosen) except? -1e308
