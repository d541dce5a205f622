"""Whole games without Python: policies play them, or given moves do, and columns keep what happened."""

from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.lookahead cimport BestTurn
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.seats cimport MAX_SEATS
from sfida.cython_ext.state cimport GameState, move_t

cdef enum:
    UNIFORM = 0                         # any legal move
    PRIORS = 1                          # the likeliest by the game's priors
    EVALUATION = 2                      # the best turn by the game's evaluation


cdef struct Column:                     # grows as it is filled
    char* data
    size_t used                         # bytes
    size_t room


cdef class Batch:
    cdef GameState start
    cdef GameState state
    cdef GameState seen                 # redacted copy, or a world
    cdef BestTurn turns
    cdef int policy[MAX_SEATS]
    cdef int steps                      # of a turn that are looked through
    cdef int worlds                     # that a decision by evaluation is averaged over
    cdef bint with_features
    cdef bint with_views
    cdef bint full                      # memory has run out
    cdef move_t* moves                  # legal ones, and those worth considering
    cdef double* worth                  # of each, or priors
    cdef float* prior
    cdef double* features               # of one position
    cdef size_t feature_room            # bytes of them
    cdef int64_t plies                  # of the game in play
    cdef Column[8] columns
    cdef int check(self) except -1
    cdef void game(self, uint64_t seed) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void step(self, int seat, int choices, move_t move) noexcept nogil
    cdef void end(self) noexcept nogil
    cdef move_t choose(self, int seat, int legal, Rng* rng) noexcept nogil
    cdef void put(self, int column, const void* data, size_t size) noexcept nogil
