"""Exact play of small endgames: expectimax over everything that can still happen."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.state cimport MAX_SEATS, GameState, move_t


cdef enum:
    # what a visit found out about seat 0's reward
    EXACT = 0
    AT_MOST = 1                         # a bound that does not reach into the window from below
    AT_LEAST = 2                        # ... from above
    UNTRIED = 3                         # nothing: one reply gave no bound, or would not have been worth it
    STOPPED = 4                         # nothing: `halt` says why
    # why the run stopped
    GOES_ON = 0
    REFUSED = 1                         # the estimate is too large
    OVER_BUDGET = 2
    TOO_DEEP = 3
    CANCELLED = 4
    RAISED = 5                          # a Python game or a signal handler
    OUT_OF_TIME = 6

    HISTORY_SLOTS = 4096
    PROBED_REPLIES = 8                  # trying one reply first pays from so many on
    CLOCK_MASK = 255                    # positions between looks at the clock, less one
    PAUSE_MASK = 16383                  # positions between looks at signals, less one


cdef struct Value:                      # one number per seat; after a bound only reward[0] holds
    double reward[MAX_SEATS]
    double win[MAX_SEATS]


cdef class Solver:
    # Constant after construction
    cdef GameState origin
    cdef readonly int seat              # to move at the root
    cdef readonly uint64_t budget       # positions that may be looked at
    cdef int plies                      # moves and chance events a line may have
    cdef int width                      # max_legal of the game
    cdef bint windows                   # seat 0's reward determines seat 1's: cut off what cannot matter
    cdef bint every                     # exact values of all root moves
    cdef int probes
    cdef uint64_t seed
    cdef double blend
    cdef double tau
    cdef double seconds                 # that a run may take; 0: no limit
    # Mutated by a run
    cdef readonly uint64_t positions    # looked at, the root not counted
    cdef double until                   # when the run ends, by the clock of `awake`; 0: no limit
    cdef int halt
    cdef volatile int cancelled
    cdef object error                   # what a signal handler raised
    # Scratch memory; rows of the blocks are plies
    cdef list states
    cdef void** at                      # the same, borrowed
    cdef move_t* moves                  # `width` per row
    cdef uint32_t* weights              # of outcomes, likewise
    cdef double* least                  # bounds of outcomes, likewise
    cdef double* most
    cdef uint32_t* key                  # of the moves being sorted
    cdef move_t* line                   # best play from that ply on; plies + 1 per row
    cdef int* length
    cdef int* replies                   # number of replies at the last decision of each ply
    cdef uint32_t history[HISTORY_SLOTS]  # how often a move was the best reply, by seat and code

    cdef int reserve(self, int plies) except -1
    cdef void release(self)
    cdef int raise_failures(self) except -1
    cdef list root_order(self)
    cdef double probe(self, uint64_t number, double limit) noexcept nogil
    cdef int step(self, int place, move_t move, bint last) noexcept nogil
    cdef int visit(self, int ply, int place, GameState s, double low, double high, bint first_only,
                   Value* out) noexcept nogil
    cdef int best_for_mover(self, int ply, int place, int n, int actor, Value* out) noexcept nogil
    cdef int best_in_window(self, int ply, int place, int n, int actor, double low, double high,
                            Value* out) noexcept nogil
    cdef int first_reply(self, int ply, int place, int actor, double low, double high, Value* out) noexcept nogil
    cdef int mean(self, int ply, int place, int n, Value* out) noexcept nogil
    cdef int mean_in_window(self, int ply, int place, int n, double low, double high, Value* out) noexcept nogil
    cdef void credit(self, int actor, move_t move) noexcept nogil
    cdef void sort(self, move_t* moves, int n, int actor) noexcept nogil
    cdef void keep_line(self, int ply, move_t move) noexcept nogil
    cdef void pause(self) noexcept nogil
