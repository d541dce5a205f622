"""Flat Monte Carlo over the state contract."""

from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.state cimport MAX_SEATS, GameState, PlayoutParams, move_t


cdef struct Arm:
    move_t code
    uint64_t n
    int survived                        # rounds of sequential halving
    double square
    double reward
    double win[MAX_SEATS]


cdef class FlatSearch:
    cdef readonly object view
    cdef readonly int seat
    cdef readonly int n_arms
    cdef GameState origin
    cdef GameState work
    cdef Arm* arm
    cdef move_t* scratch
    cdef uint64_t seed
    cdef uint64_t done
    cdef double blend
    cdef double tau
    cdef PlayoutParams playout
    cdef volatile int cancelled
    cdef void pull(self, int i) noexcept nogil
    cdef int best_ucb(self, double c) noexcept nogil
