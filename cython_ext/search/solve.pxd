"""Exact play of small endgames: expectimax over the whole remaining game."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.state cimport MAX_SEATS, GameState, move_t


cdef enum:
    HISTORY_SLOTS = 4096


cdef struct Value:                      # one number per seat; for a bound only reward[0] is valid
    double reward[MAX_SEATS]
    double win[MAX_SEATS]


cdef struct RootValue:                  # of a move of the root
    move_t code
    bint exact                          # otherwise `reward` is an upper bound, and `win` unset
    double reward
    double win[MAX_SEATS]


cdef class Solver:
    # Constant after construction
    cdef GameState origin
    cdef readonly int seat              # to move at the root
    cdef readonly uint64_t budget       # largest number of positions to search
    cdef int plies                      # most moves and chance events of a line
    cdef int width                      # max_legal of the game
    cdef bint windows                   # seat 0's reward determines seat 1's, so alpha-beta applies
    cdef bint every                     # exact values of all root moves are required
    cdef int probes
    cdef uint64_t seed
    cdef double blend
    cdef double tau
    cdef double seconds                 # time limit of a run; 0: none
    # Changed by a run
    cdef readonly uint64_t positions    # positions searched, without the root
    cdef double until                   # end of the run by the clock of `awake`; 0: no limit
    cdef int halt
    cdef volatile int cancelled
    cdef object error                   # exception of a signal handler
    # Scratch memory; rows of the blocks are plies
    cdef list states
    cdef void** at                      # the same, borrowed
    cdef move_t* moves                  # `width` per row
    cdef uint32_t* weights              # weights of outcomes, `width` per row
    cdef double* least                  # bounds of outcomes, `width` per row
    cdef double* most
    cdef uint32_t* key                  # sort keys of the moves
    cdef move_t* root                   # the root's moves, and for each:
    cdef float* prior
    cdef double* gain                   # its rank, then its reward
    cdef double* share                  # the seat's win probability
    cdef double low                     # window of relevant rewards of seat 0 at the root
    cdef double high
    cdef move_t* line                   # best play from each ply on; plies + 1 per row
    cdef int* length
    cdef int* replies                   # number of replies at the last decision of each ply
    cdef uint32_t history[HISTORY_SLOTS]  # how often a move was the best reply, by seat and code

    @staticmethod
    cdef Solver after(GameState origin, double tau)
    cdef int reserve(self, int plies) except -1
    cdef void release(self)
    cdef int raise_failures(self) except -1
    cdef double estimated(self) noexcept nogil
    cdef double probe(self, uint64_t number, double limit) noexcept nogil
    cdef int attempt(self, int seat, uint64_t budget, double blend, uint64_t seed, move_t* best,
                     double* won) noexcept nogil
    cdef int begin(self) noexcept nogil
    cdef int try_move(self, int i, int n, RootValue* row) noexcept nogil
    cdef int order_root(self, GameState s, GameState after) noexcept nogil
    cdef void pause(self) noexcept nogil
    cdef int step(self, int place, move_t move, bint last) noexcept nogil
    cdef int visit(self, int ply, int place, GameState s, double low, double high, bint first_only,
                   Value* out) noexcept nogil
    cdef int best_for_mover(self, int ply, int place, int n, int actor, Value* out) noexcept nogil
    cdef int best_in_window(self, int ply, int place, int n, int actor, double low, double high,
                            Value* out) noexcept nogil
    cdef int first_reply(self, int ply, int place, int actor, double low, double high, Value* out) noexcept nogil
    cdef void credit(self, int actor, move_t move) noexcept nogil
    cdef void sort(self, move_t* moves, int n, int actor) noexcept nogil
    cdef int mean(self, int ply, int place, int n, Value* out) noexcept nogil
    cdef int mean_in_window(self, int ply, int place, int n, double low, double high, Value* out) noexcept nogil
    cdef void keep_line(self, int ply, move_t move) noexcept nogil
