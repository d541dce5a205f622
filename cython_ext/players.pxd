"""Agents without Python: each decides exactly as its agent in `ai/` does."""

from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.keyed cimport Root, SeededDraws
from sfida.cython_ext.lookahead cimport BestTurn
from sfida.cython_ext.seats cimport MAX_SEATS
from sfida.cython_ext.state cimport GameState, move_t


cdef class Interrupts:
    cdef volatile int halt              # everything ends
    cdef object error                   # the exception of a signal handler or of a player
    cdef int64_t looked                 # time of the last check

    cdef bint ended(self) noexcept nogil
    cdef void end_with(self, object error)


cdef class Player:
    cdef Interrupts interrupts
    cdef GameState seen                 # the seat's view
    cdef GameState world
    cdef GameState twin                 # scratch
    cdef move_t* moves
    cdef float* prior

    # a new game begins
    cdef void begin(self) noexcept nogil
    # one of the n legal moves; `state` is the true one
    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil
    cdef void look(self, GameState to, GameState state, int seat) noexcept nogil
    cdef int list_certain(self, GameState seen, int seat, bint own_test) noexcept nogil
    cdef move_t any_best(self, const double* worth, int n, void* rng) noexcept nogil


cdef class Seating:
    cdef readonly list players          # one per seat
    cdef int n_players
    cdef void* at[MAX_SEATS]            # the same, borrowed
    cdef Interrupts interrupts
    cdef SeededDraws luck
    cdef Root root

    cdef void begin(self, Root root, Root luck) noexcept nogil
    cdef move_t decide(self, GameState state, int seat, move_t* legal, int n, int ply) noexcept nogil
    cdef int check(self) except -1


cdef Root root_of(object seed) except *
