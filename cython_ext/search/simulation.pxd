"""An iteration under way: its path and what came of it.

Between its descent and its backup a simulation counts as a visit with the edge's mean reward, which sends others
that start meanwhile elsewhere without making the move look worse.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from sfida.cython_ext.state cimport MAX_SEATS, move_t


cdef enum:
    MAX_DEPTH = 512                     # decisions an iteration may spend inside the tree
    MAX_BIDS = 32                       # hidden choices on a path that are learned by regrets; further ones by UCB1


cdef struct Step:                       # one decision on the path of an iteration
    uint32_t node
    uint32_t offset                     # of the edge in the node's block, which may move
    int actor
    int bid                             # index into `bids`, -1: not a bid
    int64_t expected                    # reward the edge was credited with at the descent, fixed point


cdef struct BidStep:
    double chance                       # of the choice
    uint64_t available[4]               # offsets of the moves available, of the first 256


cdef struct Simulation:
    int free_list                       # of the arena that it uses
    int played_out                      # and not backed up yet; read by other threads
    int in_tree                         # its backup is under way; read by other threads
    Step path[MAX_DEPTH + 1]            # the leaf's choice comes on top
    int depth
    BidStep bids[MAX_BIDS]
    int n_bids
    uint32_t leaf                       # node reached that had no edges yet; 0: none
    int leaf_actor
    int leaf_rank                       # simulations that reached it before and are not back yet
    bint leaf_exact
    bint leaf_in_shadow                 # its mover decides in the thread's `shadow`
    int leaf_k                          # its moves, best first, filled in by play_out()
    move_t leaf_choice
    move_t* leaf_moves
    float* leaf_prior
    int played                          # moves of the playout
    double win[MAX_SEATS]
    double score[MAX_SEATS]
    double reward[MAX_SEATS]


cdef inline int simulation_init(Simulation* simulation, int free_list, int max_legal) noexcept nogil:
    """Allocate what a simulation of a game needs; returns 0, or -1 when there is no memory."""
    memset(simulation, 0, sizeof(Simulation))
    simulation.free_list = free_list
    simulation.leaf_moves = <move_t*> malloc(max_legal * sizeof(move_t))
    simulation.leaf_prior = <float*> malloc(max_legal * sizeof(float))
    if simulation.leaf_moves == NULL or simulation.leaf_prior == NULL:
        return -1
    return 0


cdef inline void simulation_free(Simulation* simulation) noexcept nogil:
    free(simulation.leaf_moves)
    free(simulation.leaf_prior)
