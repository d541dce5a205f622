"""What the threads of a search share: its constants and the tree."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.search.arena cimport Arena
from sfida.cython_ext.search.lock cimport WideLock
from sfida.cython_ext.search.params cimport SearchParams
from sfida.cython_ext.state cimport MAX_SEATS, GameState, PlayoutParams, move_t


cdef enum:
    LEVELS = 32                         # of the tree with a lock of their own; what is deeper shares the last one


cdef struct RootTotal:                  # sums over the iterations through one root edge, since it is the root
    uint64_t n
    double square                       # of the searching seat's reward
    double reward[MAX_SEATS]
    double win[MAX_SEATS]               # win shares


cdef class Tree:
    # Constant during a search
    cdef readonly object view
    cdef readonly int seat
    cdef GameState origin               # the seat's redacted copy
    cdef SearchParams params
    cdef PlayoutParams playout
    cdef bint multiple                  # one tree per seat (MO) instead of one in all (SO)
    cdef bint clairvoyant               # the world is fixed and everybody sees all of it (one world of PIMC)
    cdef bint cheat                     # search the state as it is (controls only)
    cdef uint64_t seed
    cdef int profiling
    cdef list worlds                    # weighted worlds to draw from instead of the determinizer; may be empty
    cdef void** world                   # the same, borrowed
    cdef int n_worlds
    # Mutated by iterations
    cdef Arena arena
    cdef uint32_t root_node
    cdef int n_held                     # root moves that the searcher is held to, ascending; 0: to none
    cdef move_t* held
    cdef double* odds                   # by what the odds of each look multiplied to the searcher; NULL: as they are
    cdef uint32_t entry[MAX_SEATS]      # where the other seats' trees begin (MO); 0: none
    cdef uint64_t inherited             # visits the root had when it became the root
    cdef RootTotal* root_total          # one per root edge
    cdef int root_room
    # Threads
    cdef bint separable                 # nothing is read or written across levels
    cdef bint apart                     # they may be in different levels of the tree at the same time
    cdef WideLock level[LEVELS]

    cdef int take_parameters(self, dict parameters) except -1
    cdef int take_memory(self) except -1
    cdef int take_worlds(self, object worlds) except -1
    cdef int hold_to(self, object only, GameState origin) except -1
    cdef int clear(self) except -1
    cdef void make_room(self, int threads) noexcept nogil
