"""A tree that threads share: its setup, and the order of the operations on it."""

from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.search.iteration cimport SearchThread, Simulation, Tree
from sfida.cython_ext.search.params cimport MAX_BATCH
from sfida.cython_ext.state cimport GameState, move_t


cdef enum:                              # state of a run, for helpers
    CLOSED = 0
    EXPECTED = 1                        # a run will begin
    RUNNING = 2


cdef class SharedTree(Tree):
    # Iterations: [0, backed_up) are in the tree, [backed_up, descended) in flight
    cdef uint64_t descended
    cdef uint64_t backed_up
    cdef uint64_t drawn                 # random streams used by unordered iterations
    cdef uint64_t goal                  # number of iterations after which no more start
    cdef int64_t target                 # root visits at which the run ends; 0: `decided` is not checked
    cdef uint64_t judged                # backups at the last check
    cdef Simulation* simulation[MAX_BATCH]  # ordered: iteration n uses n % batch; unordered: one per thread
    cdef list threads                   # SearchThread objects, first that of the thread that runs the search
    cdef void* thread[MAX_BATCH]        # the same, borrowed
    cdef int n_made                     # their number
    # Threads: guarded by the lock of the tree's first level
    cdef int open                       # whether helpers may enter
    cdef int ordered                    # whether tree operations keep the order of the iterations
    cdef int halt                       # no thread starts anything new
    cdef int at_work                    # helpers inside
    cdef int helpers                    # helpers that entered in this run
    cdef volatile int cancelled
    cdef int decided                    # no root move can be overtaken within the budget
    cdef int failed                     # a game raised

    cdef int take_parameters(self, dict parameters) except -1
    cdef int take_memory(self) except -1
    cdef int take_worlds(self, object worlds) except -1
    cdef int hold_to(self, object only, GameState origin) except -1
    cdef int hold(self, const move_t* moves, const double* errors, int n) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef int reserve(self, int threads, int simulations) except -1
    cdef int expect_helpers(self, int threads, bint ordered) except -1
    cdef int raise_failure(self) except -1
    cdef void forget_prepared(self) noexcept nogil
    cdef void replant(self, int seat, uint64_t seed) noexcept nogil
    cdef Simulation* start_next(self, SearchThread thread, uint64_t n) noexcept nogil
    cdef void back_up_oldest(self, SearchThread thread) noexcept nogil
    cdef void check_decided(self) noexcept nogil
    cdef void lock_tree(self) noexcept nogil
    cdef void expect(self, int threads, bint ordered) noexcept nogil
    cdef void open_run(self, int64_t iterations, bint early_stop) noexcept nogil
    cdef void take_part(self) noexcept nogil
    cdef void work(self, int64_t deadline) noexcept nogil
    cdef void work_in_order(self, SearchThread thread, int64_t deadline) noexcept nogil
    cdef void work_at_will(self, SearchThread thread, Simulation* simulation, int64_t deadline) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef int64_t ahead(self) noexcept nogil
