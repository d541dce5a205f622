"""A search: its budgets, and the threads that share its tree."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.iteration cimport Tree
from sfida.cython_ext.lock cimport Lock
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
    cdef list flights                   # owners of
    cdef void* flight[MAX_WINDOW]
    # ---- Threads; all of this is guarded by the lock
    cdef Lock lock
    cdef int open                       # whether helpers may come in
    cdef int ordered                    # tree operations keep the order of the iterations
    cdef int halt                       # nobody starts anything new
    cdef int at_work                    # helpers inside
    cdef int helpers                    # that came in this run: each has its own flight when not ordered
    cdef volatile int cancelled
    cdef int decided                    # no root move can be overtaken within the budget any more
    cdef int failed                     # a game raised

    cdef int take_off(self, uint64_t n) noexcept nogil
    cdef void land(self) noexcept nogil
    cdef void take_part(self) noexcept nogil
    cdef void work_in_order(self, int64_t deadline) noexcept nogil
    cdef void work_at_will(self, int slot, int64_t deadline) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef int64_t ahead(self) noexcept nogil
    cdef list line_of_many(self, move_t move, int length)
    cdef tuple follow_chance(self, uint32_t v, uint32_t e, GameState s, uint64_t history, bint exact,
                             int chances, int most)
