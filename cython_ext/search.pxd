"""Single-tree information set Monte Carlo tree search (SO-ISMCTS) over the state contract."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from sfida.cython_ext.arena cimport Arena, Node
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.state cimport MAX_SEATS, GameState, PlayoutParams, move_t


cdef enum:
    MAX_DEPTH = 512                     # decisions an iteration may spend inside the tree
    SCRATCH = 4096                      # slots of the table that matches legal moves with edges


cdef struct Params:                     # constant during a search
    double c                            # exploration constant of UCB
    double c_prior                      # exploration constant of PUCT (with priors)
    double fpu                          # first-play urgency: an unvisited edge counts as the node's mean less this
    double blend                        # weight of the score margin in the reward, 0..1
    double tau                          # scale of the score margin, in points
    double widen_base                   # edges a node may have: base + factor * visits ** power
    double widen_factor
    double widen_power
    int use_priors
    int expand_at                       # visits a node waits before it grows edges
    int chance_depth                    # chance events keyed by their outcome on one path; -1: all
    int cheat                           # 1: search the state as it is (controls only)
    PlayoutParams playout


cdef struct Step:                       # one decision on the path of an iteration
    uint32_t node
    uint32_t edge
    int actor


cdef struct RootTotal:                  # sums over the iterations through one root edge, since it is the root
    uint64_t n
    double square                       # of the searching seat's reward
    double reward[MAX_SEATS]
    double win[MAX_SEATS]               # win shares


cdef struct Clock:                      # nanoseconds spent a step, when profiling
    int64_t determinize
    int64_t select
    int64_t expand
    int64_t playout
    int64_t backup


cdef class Search:
    # Constant during a search
    cdef readonly int seat
    cdef readonly object view
    cdef GameState origin               # the seat's redacted copy
    cdef Params params
    cdef uint64_t seed
    # Mutated by iterations
    cdef GameState work
    cdef Arena arena
    cdef uint32_t root_node
    cdef uint64_t done                  # iterations so far; also the number of the next random stream
    cdef uint64_t inherited             # visits the root had when it became the root
    cdef move_t* moves                  # scratch: legal moves
    cdef float* prior                   # scratch: their priors
    cdef uint32_t* slot_stamp
    cdef uint32_t* slot_edge
    cdef uint32_t* match                # scratch: edge of each legal move, 0 when it has none
    cdef uint32_t stamp
    cdef Step path[MAX_DEPTH]
    cdef RootTotal* root_total          # one per root edge
    cdef int root_room
    cdef uint64_t depth_sum
    cdef int depth_max
    cdef int profiling
    cdef Clock clock
    cdef volatile int cancelled
    cdef int decided                    # no root move can be overtaken within the budget any more

    cdef void iterate(self) noexcept nogil
    cdef uint32_t select(self, uint32_t v, int actor, bint exact, Rng* rng, bint* fresh) noexcept nogil
    cdef int match_edges(self, const Node* node, int k) noexcept nogil
    cdef int plant(self) except -1
    cdef int64_t ahead(self) noexcept nogil
    cdef tuple follow_chance(self, uint32_t v, uint32_t e, GameState s, uint64_t history, bint exact,
                             int chances, int most)
    cdef int64_t run_slice(self, int64_t n, int64_t target) noexcept nogil
