"""A search: its budgets, and the threads that share its tree."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.iteration cimport Flight, Pilot, Tree
from sfida.cython_ext.search_params cimport MAX_WINDOW
from sfida.cython_ext.state cimport GameState, move_t


cdef class Search(Tree):
    cdef readonly object view
    # ---- Iterations: [0, backed_up) are in the tree, [backed_up, descended) in flight
    cdef uint64_t descended
    cdef uint64_t backed_up
    cdef uint64_t drawn                 # random streams used without an order
    cdef uint64_t goal                  # iterations after which no more start
    cdef int64_t target                 # root visits after which it ends anyway; 0: `decided` is not asked
    cdef uint64_t judged                # backups when it was asked last
    cdef Flight* flight[MAX_WINDOW]     # in order: iteration n is flight n % window; at will: one a thread
    cdef list pilots                    # owners of
    cdef void* pilot[MAX_WINDOW]        # one a thread, that of the thread that runs the search first
    # ---- Threads; all of this is guarded by the lock of the tree's first level
    cdef int threads                    # that were asked for
    cdef int open                       # whether helpers may come in
    cdef int ordered                    # tree operations keep the order of the iterations
    cdef int halt                       # nobody starts anything new
    cdef int at_work                    # helpers inside
    cdef int helpers                    # that came in this run
    cdef volatile int cancelled
    cdef int decided                    # no root move can be overtaken within the budget any more
    cdef int failed                     # a game raised

    cdef Flight* take_off(self, Pilot pilot, uint64_t n) noexcept nogil
    cdef void judge(self) noexcept nogil
    cdef void hold(self) noexcept nogil
    cdef void land(self, Pilot pilot) noexcept nogil
    cdef void take_part(self) noexcept nogil
    cdef void work_in_order(self, Pilot pilot, int64_t deadline) noexcept nogil
    cdef void work_at_will(self, Pilot pilot, Flight* flight, int64_t deadline) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef int64_t ahead(self) noexcept nogil
    cdef list line_of_many(self, move_t move, int length)
    cdef tuple follow_chance(self, uint32_t v, uint32_t e, GameState s, uint64_t history, bint exact,
                             int chances, int most)
