"""A thread of a search: a world, a random stream and scratch memory that stay in its core's cache.

It carries iterations out one at a time: `descend` and `back_up` read and write the tree; `prepare` and `play_out`
touch nothing shared. It may back up a simulation that another thread descended.

Descents and backups follow one another down the tree: each level has a lock, both walk from the root, and a
thread takes the lock of the next level before it gives back that of this one, so that none is overtaken. So every node
sees them one after another in the order in which they passed the root, while they are in different levels. Trees
that are read across levels (`Tree.apart` is False) are left to one at a time: it stays on the first level.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.search.history cimport Seen
from sfida.cython_ext.lookahead cimport BestTurn
from sfida.cython_ext.search.lock cimport acquire, release
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.search.simulation cimport Simulation
from sfida.cython_ext.state cimport MAX_SEATS, GameState, move_t
from sfida.cython_ext.search.tree cimport LEVELS, Tree


cdef enum:
    SCRATCH = 4096                      # slots of the table that matches legal moves with edges
    DEPTH_BINS = 64
    BRANCH_BINS = 12


cdef struct Clock:                      # nanoseconds spent on each step, when profiling
    int64_t determinize
    int64_t select
    int64_t expand
    int64_t playout
    int64_t backup


cdef struct Tally:                      # sums over iterations
    uint64_t playout_moves              # of seats
    uint64_t depth_sum
    int depth_max
    uint64_t depths[DEPTH_BINS]         # iterations by decisions inside the tree; the last bin has the rest
    uint64_t branchings[BRANCH_BINS]    # tree decisions by candidates: 1, 2, 3-4, 5-8, ...
    Clock clock


cdef class SearchThread:
    cdef Simulation* simulation         # that it descends, plays out or backs up
    cdef int at                         # level whose lock it holds
    cdef bint apart                     # as the tree was when the operation began
    cdef GameState work
    cdef GameState shadow               # a second position: worlds of opponents, moves tried out
    cdef BestTurn turns                 # None: no turns are foreseen
    cdef Rng rng
    cdef bint prepared                  # `work` is a world nobody has moved in
    cdef bint copied                    # `work` is a copy of the origin
    cdef Seen seen[MAX_SEATS]
    cdef move_t last                    # move of the path that is still to be played
    cdef bint to_play
    cdef move_t* moves                  # scratch: legal moves
    cdef float* prior                   # scratch: their priors
    cdef uint32_t* match                # scratch: edge of each legal move, 0 when it has none
    cdef double* sigma                  # scratch: a bid's strategy
    cdef uint32_t* slot_stamp
    cdef uint32_t* slot_edge
    cdef uint32_t stamp
    cdef Tally tally

    cdef tuple positions(self)
    cdef void prepare(self, Tree t, uint64_t number) noexcept nogil
    cdef void copy_ahead(self, Tree t) noexcept nogil


cdef inline void go_deeper(SearchThread thread, Tree t) noexcept nogil:
    """Take the lock of the next level, then give back that of this one."""
    if thread.apart and thread.at < LEVELS - 1:
        thread.at += 1
        acquire(&t.level[thread.at].lock)
        release(&t.level[thread.at - 1].lock)


cdef inline bint has_failed(SearchThread thread) noexcept nogil:
    """Whether a game in Python has raised in one of the thread's positions."""
    return thread.work.failed or thread.shadow.failed or (thread.turns is not None and thread.turns.failed())


cdef inline void leave(SearchThread thread, Tree t) noexcept nogil:
    """Give back the lock held."""
    release(&t.level[thread.at].lock)
    thread.at = 0
