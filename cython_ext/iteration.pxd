"""One iteration of the search, in the steps that threads share: prepare, descend, play out, back up.

A `Flight` is an iteration under way: its path and what came of it. A thread has one `Pilot`, with a world, a random
stream and scratch memory that stay in its core's cache; he descends and plays out one flight, and may back up
another one, which he has not flown himself. `descend` and `back_up` read and write the tree; `prepare` and
`play_out` touch nothing shared. Between its descent and its backup a flight counts as a visit with the edge's mean
reward, which sends others that start meanwhile elsewhere without making the move look worse.

Descents and backups follow one another down the tree: each level has a lock, both walk from the root, and who
takes the lock of the next level before giving back his own is never overtaken. So every node sees them one after
another in the order in which they passed the root, while they are in different levels at the same time. Trees
that are read across levels (`Tree.apart` is False) are left to one at a time: it stays on the first level.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.arena cimport Arena, Node
from sfida.cython_ext.lock cimport WideLock
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
    LEVELS = 32                         # of the tree with a lock of their own; what is deeper shares the last one


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


cdef struct Tally:                      # sums over iterations
    uint64_t playout_moves              # of seats
    uint64_t depth_sum
    int depth_max
    uint64_t depths[DEPTH_BINS]         # iterations by decisions inside the tree; the last bin has the rest
    uint64_t branchings[BRANCH_BINS]    # tree decisions by candidates: 1, 2, 3-4, 5-8, ...
    Clock clock


cdef struct Flight:                     # an iteration between its descent and its backup
    int hand                            # which of the arena's lists of blocks it uses
    int landed                          # played out, not backed up yet; read by other threads
    int in_tree                         # its backup is under way; read by other threads
    Step path[MAX_DEPTH + 1]            # the leaf's choice comes on top
    int depth
    BidStep bids[MAX_BIDS]
    int n_bids
    Played* trace
    int traced
    uint32_t leaf                       # node reached that had no edges yet; 0: none
    int leaf_actor
    int leaf_rank                       # flights that reached it before and are not back yet
    bint leaf_exact
    bint leaf_in_shadow                 # its mover decides in the pilot's `shadow`
    double leaf_width                   # edges it may have
    int leaf_k                          # its moves, best first, filled in by play_out()
    move_t leaf_choice
    move_t* leaf_moves
    float* leaf_prior
    int played                          # moves of the playout
    double win[MAX_SEATS]
    double score[MAX_SEATS]
    double reward[MAX_SEATS]
    double heuristic[MAX_SEATS]         # evaluation of the leaf


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
    # Threads
    cdef bint separable                 # nothing is read or written across levels
    cdef bint apart                     # they may be in different levels of the tree at the same time
    cdef WideLock level[LEVELS]

    cdef int plant(self) except -1
    cdef void forget_moves(self) noexcept nogil
    cdef void freeze(self, uint64_t backed_up) noexcept nogil
    cdef void make_room(self, int threads) noexcept nogil


cdef class Pilot:
    cdef Flight* flight                 # that he descends, plays out or backs up
    cdef int at                         # level whose lock he holds
    cdef bint apart                     # as the tree was when the operation began
    cdef GameState work
    cdef GameState shadow               # a second position: worlds of opponents, moves tried out
    cdef Rng rng
    cdef bint prepared                  # `work` is a world nobody has moved in
    cdef bint copied                    # `work` is a copy of the origin
    cdef Seen seen[MAX_SEATS]
    cdef int table                      # which frozen copy the playout reads
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

    cdef void prepare(self, Tree t, uint64_t number) noexcept nogil
    cdef void copy_ahead(self, Tree t) noexcept nogil
    cdef void go_deeper(self, Tree t) noexcept nogil
    cdef void leave(self, Tree t) noexcept nogil
    cdef void descend(self, Tree t, Flight* flight) noexcept nogil
    cdef void play_out(self, Tree t) noexcept nogil
    cdef void back_up(self, Tree t, Flight* flight) noexcept nogil
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
    cdef void credit_step(self, Tree t, const Step* step) noexcept nogil
    cdef void back_up_heuristic(self, Tree t) noexcept nogil
    cdef void back_up_bid(self, Tree t, const Step* step, double u) noexcept nogil
    cdef int sure_win(self, GameState s, const move_t* moves, int k, int actor) noexcept nogil
    cdef int match_edges(self, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil
    cdef int play_by_table(self, Tree t) noexcept nogil
    cdef void note_move(self, int seat, move_t code) noexcept nogil

cdef int flight_init(Flight* f, Tree t, int hand) noexcept nogil
cdef void flight_free(Flight* f) noexcept nogil
