"""One iteration of the search, in the steps that threads share: prepare, descend, play out, back up.

A `Flight` is an iteration under way, with its own world, random stream and scratch memory. `descend` and
`back_up` read and write the tree, so they run one at a time; `prepare` and `play_out` touch nothing shared.
Between its descent and its backup a flight counts as a visit with the edge's mean reward, which sends others
that start meanwhile elsewhere without making the move look worse.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.arena cimport Arena, Node
from sfida.cython_ext.move_tables cimport Worth
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.search_params cimport Params
from sfida.cython_ext.state cimport MAX_SEATS, GameState, move_t


cdef enum:
    MAX_DEPTH = 512                     # decisions an iteration may spend inside the tree
    MAX_BIDS = 32                       # hidden choices on a path that are learned by regrets; further ones by UCB1
    MAX_TRACE = 4096                    # moves of an iteration that the move tables learn from
    SCRATCH = 4096                      # slots of the table that matches legal moves with edges
    DEPTH_BINS = 64
    BRANCH_BINS = 12


cdef struct Step:                       # one decision on the path of an iteration
    uint32_t node
    uint32_t offset                     # of the edge in the node's block, which may move
    int actor
    int bid                             # index into `bids`, -1: not a bid
    int64_t expected                    # reward the edge was credited with at the descent, fixed point
    bint by_chance                      # what follows differs from visit to visit: luck, or another world


cdef struct BidStep:
    double chance                       # of the choice
    uint64_t available[4]               # offsets of the moves available, of the first 256


cdef struct Seen:                       # what one tree's owner has seen since his last decision on this path
    uint32_t node
    uint32_t offset
    uint64_t history
    bint by_chance                      # a chance event is part of it


cdef struct Played:                     # a move as the tables learn from it
    move_t code
    move_t before                       # the move before, whoever played it
    int seat


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


cdef class Tree:
    # Constant during a search
    cdef readonly int seat
    cdef GameState origin               # the seat's redacted copy
    cdef Params params
    cdef uint64_t seed
    cdef int profiling
    cdef list worlds                    # weighted worlds to draw from instead of the determinizer; may be empty
    cdef void** world                   # the same, borrowed
    cdef int n_worlds
    # Mutated by iterations
    cdef Arena arena
    cdef uint32_t root_node
    cdef bint only                      # the searcher is held to one move at the root
    cdef move_t only_move
    cdef uint32_t entry[MAX_SEATS]      # where the other seats' trees begin (MO); 0: none
    cdef uint64_t inherited             # visits the root had when it became the root
    cdef RootTotal* root_total          # one per root edge
    cdef int root_room
    cdef Worth* worth                   # progressive history, MAST: by seat and move; NULL when unused
    cdef Worth* pairs                   # NST
    cdef Worth* frozen[2]               # copies that playouts read, so that threads change nothing
    cdef Worth* frozen_pairs[2]
    cdef int frozen_now
    cdef uint64_t frozen_at
    cdef uint64_t playout_moves         # of seats, in all playouts
    cdef uint64_t depth_sum
    cdef int depth_max
    cdef uint64_t depths[DEPTH_BINS]    # iterations by decisions inside the tree; the last bin has the rest
    cdef uint64_t branchings[BRANCH_BINS]  # tree decisions by candidates: 1, 2, 3-4, 5-8, ...
    cdef Clock clock

    cdef int plant(self) except -1
    cdef void forget_moves(self) noexcept nogil
    cdef void freeze(self, uint64_t backed_up) noexcept nogil


cdef class Flight:
    cdef GameState work
    cdef GameState shadow               # a second position: worlds of opponents, moves tried out
    cdef Rng rng
    cdef uint64_t number                # of the iteration
    cdef bint prepared                  # the world of `number` is there
    cdef int landed                     # played out, not backed up yet; read by other threads
    cdef Step path[MAX_DEPTH + 1]       # the leaf's choice comes on top
    cdef int depth
    cdef int root_step                  # where on the path the searcher's own decision stands; -1: not reached
    cdef BidStep bids[MAX_BIDS]
    cdef int n_bids
    cdef Seen seen[MAX_SEATS]
    cdef Played* trace
    cdef int traced
    cdef int table                      # which frozen copy the playout reads
    cdef move_t last                    # move of the path that is still to be played
    cdef bint to_play
    cdef uint32_t leaf                  # node reached that had no edges yet; 0: none
    cdef int leaf_actor
    cdef int leaf_rank                  # flights that reached it before and are not back yet
    cdef bint leaf_exact
    cdef bint leaf_in_shadow            # its mover decides in `shadow`
    cdef double leaf_width              # edges it may have
    cdef int leaf_k                     # its moves, best first, filled in by play_out()
    cdef move_t leaf_choice
    cdef move_t* leaf_moves
    cdef float* leaf_prior
    cdef int played                     # moves of the playout
    cdef double win[MAX_SEATS]
    cdef double score[MAX_SEATS]
    cdef double reward[MAX_SEATS]
    cdef double heuristic[MAX_SEATS]    # evaluation of the leaf
    cdef move_t* moves                  # scratch: legal moves
    cdef float* prior                   # scratch: their priors
    cdef uint32_t* match                # scratch: edge of each legal move, 0 when it has none
    cdef double* sigma                  # scratch: a bid's strategy
    cdef uint32_t* slot_stamp
    cdef uint32_t* slot_edge
    cdef uint32_t stamp
    cdef Clock clock

    cdef void prepare(self, Tree t, uint64_t number) noexcept nogil
    cdef void descend(self, Tree t) noexcept nogil
    cdef void play_out(self, Tree t) noexcept nogil
    cdef void back_up(self, Tree t) noexcept nogil
    cdef void play_aside(self, Tree t, int actor, bint exact) noexcept nogil
    cdef uint32_t next_node(self, Tree t, int owner, int actor) noexcept nogil
    cdef bint see(self, Tree t, int actor, bint exact, uint64_t code) noexcept nogil
    cdef uint32_t select(self, Tree t, GameState s, uint32_t v, int actor, bint exact, bint* fresh) noexcept nogil
    cdef uint32_t select_bid(self, Tree t, uint32_t v, int k) noexcept nogil
    cdef uint32_t best_edge(self, Tree t, uint32_t v, int k, int actor, bint listed) noexcept nogil
    cdef uint32_t add_unseen(self, Tree t, uint32_t v, int k, int found) noexcept nogil
    cdef void grow_leaf(self, Tree t, GameState s) noexcept nogil
    cdef void plant_leaf(self, Tree t) noexcept nogil
    cdef int add_promising(self, Tree t, GameState s, uint32_t v, int k, int due) noexcept nogil
    cdef void back_up_heuristic(self, Tree t) noexcept nogil
    cdef void back_up_bid(self, Tree t, const Step* step, double u) noexcept nogil
    cdef int sure_win(self, GameState s, const move_t* moves, int k, int actor) noexcept nogil
    cdef int match_edges(self, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil
    cdef int play_by_table(self, Tree t) noexcept nogil
    cdef void note_move(self, int seat, move_t code) noexcept nogil
