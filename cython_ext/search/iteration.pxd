"""Data of one iteration of a search: the tree, the simulation in flight, and the thread that runs it.

Between its descent and its backup a simulation counts as a visit with the edge's mean reward. This diverts
simulations that start meanwhile without making the move look worse.

What a tree's owner sees between two of its decisions is folded into a 64-bit history, which picks the child: decisions
that the owner cannot distinguish are one node. The descent, the expected lines and the reuse of a subtree all fold
here.
"""

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from libc.math cimport exp
from libc.stdint cimport int64_t, uint32_t, uint64_t

from sfida.cython_ext.lookahead cimport BestTurn
from sfida.cython_ext.rng cimport Rng, mix64
from sfida.cython_ext.search.arena cimport Arena, WideLock, acquire, arena_relieve, arena_tight, release
from sfida.cython_ext.search.params cimport MAX_BATCH, SearchParams
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, GameState, PlayoutParams, move_t


cdef enum:
    LEVELS = 32                         # levels of the tree with their own lock; deeper ones share the last
    MAX_DEPTH = 512                     # decisions an iteration may spend inside the tree
    SCRATCH = 4096                      # slots of the table that matches legal moves with edges
    DEPTH_BINS = 64
    BRANCH_BINS = 12


cdef enum Passage:                      # how operations pass through the tree
    ONE_BY_ONE                          # each holds the lock of the first level until it ends
    LEVEL_BY_LEVEL                      # they follow one another in different levels


cdef enum Stage:                        # stage of a descent
    ABOVE_ROOT                          # the other seats' hidden bids are chosen again first; no descent ends here
    SAME_MOVES                          # from the root on, as long as a node has the same legal moves at every visit
    WORLD_MOVES                         # after that: legal moves depend on the world


cdef enum Ending:                       # end of a descent: the step before the playout
    AT_POSITION                         # none
    AT_MOVE                             # the last move of the path must still be played
    AT_LEAF                             # the moves of the leaf are listed, and one is chosen and played


cdef enum World:                        # content of a thread's position
    PLAYED                              # a world in which moves have been played
    COPIED                              # the position of the root
    PREPARED                            # a world in which no move has been played


cdef enum Phase:                        # phase of a thread, for profiling
    OTHER
    DETERMINIZE
    SELECT
    EXPAND
    PLAYOUT
    BACKUP
    PHASES


cdef struct RootTotal:                  # sums over the iterations through one root edge since the node became the root
    uint64_t n
    double square                       # square of the searching seat's reward
    double reward[MAX_SEATS]
    double win[MAX_SEATS]               # win probabilities


cdef class Tree:
    # Constants of a search
    cdef readonly object view
    cdef readonly int seat
    cdef GameState origin               # the seat's redacted copy
    cdef SearchParams params
    cdef PlayoutParams playout
    cdef bint multiple                  # one tree per seat (MO) instead of a single tree (SO)
    cdef bint clairvoyant               # the world is fixed and every seat sees all of it (one world of PIMC)
    cdef bint cheat                     # search the state as it is (controls only)
    cdef bint separable                 # no operation reads or writes across levels
    cdef bint profiling
    cdef uint64_t seed
    cdef list worlds                    # weighted worlds to draw from instead of determinization; may be empty
    cdef void** world                   # the same, borrowed
    cdef int n_worlds
    cdef int n_held                     # allowed root moves, ascending; 0: all
    cdef move_t* held
    cdef double* odds                   # factor of the searcher's error on the odds of each; NULL: none
    cdef int n_threads
    # Changed by iterations
    cdef Arena arena
    cdef uint32_t root_node
    cdef uint32_t entry[MAX_SEATS]      # roots of the other seats' trees (MO); 0: none
    cdef RootTotal* root_total          # one per root edge
    cdef int root_room
    cdef Passage passage
    cdef WideLock level[LEVELS]


cdef struct Step:                       # one decision on the path
    uint32_t node
    uint32_t offset                     # the edge's place in the node's block, which may move
    int actor
    double chance                       # probability of a bid under the learned strategy; 0: not chosen by one
    int64_t expected                    # reward credited to the edge at the descent, fixed point


cdef struct Leaf:                       # a node that had no edges when the descent reached it
    uint32_t node
    int actor
    int rank                            # simulations that reached it earlier and are still in flight
    bint same_moves                     # it has the same legal moves at every visit
    # filled before the playout
    int k                               # its moves, best first
    move_t* moves
    float* prior
    move_t choice


cdef struct Simulation:
    int free_list                       # its free list in the arena
    int played_out                      # played out but not backed up yet; read by other threads
    int in_tree                         # its backup is in progress; read by other threads
    Step path[MAX_DEPTH + 1]            # one more for the leaf's choice
    int depth
    int n_bids                          # bids on the path chosen by a learned strategy
    Ending ending
    move_t last                         # the move to play if the descent ended at a move
    Leaf leaf                           # the leaf if it ended at a leaf
    int played                          # moves of the playout
    double win[MAX_SEATS]
    double score[MAX_SEATS]
    double reward[MAX_SEATS]


cdef struct Seen:                       # observations of one tree's owner since its last decision on this path
    uint32_t node                       # node of that decision; 0: none yet
    uint32_t offset                     # its chosen edge
    uint64_t history


cdef struct Clock:                      # for profiling
    Phase phase
    int64_t since                       # nanoseconds
    int64_t spent[PHASES]


cdef struct Tally:                      # sums over iterations
    uint64_t playout_moves              # moves of seats in playouts
    uint64_t depth_sum
    int depth_max
    uint64_t depths[DEPTH_BINS]         # iterations by decisions inside the tree; the last bin has the rest
    uint64_t branchings[BRANCH_BINS]    # tree decisions by candidates: 1, 2, 3-4, 5-8, ...
    Clock clock


cdef class SearchThread:
    cdef Simulation* simulation         # the simulation that it descends, plays out or backs up
    cdef int at                         # level whose lock it holds
    cdef Passage passage                # mode of the tree when the operation began
    cdef GameState work
    cdef World world                    # content of `work`
    cdef GameState trial                # second position, to try out moves
    cdef BestTurn turns                 # None: no turn search
    cdef Rng rng
    cdef Seen seen[MAX_SEATS]
    cdef move_t* moves                  # scratch: legal moves
    cdef float* prior                   # scratch: their priors
    cdef uint32_t* match                # scratch: edge of each legal move, 0 when it has none
    cdef double* strategy               # scratch: a bid's strategy
    cdef uint32_t* slot_stamp
    cdef uint32_t* slot_edge
    cdef uint32_t stamp
    cdef Tally tally
    cdef bint profiling

    cdef tuple positions(self)


cdef int simulation_init(Simulation* simulation, int free_list, int max_legal) noexcept nogil
cdef void simulation_free(Simulation* simulation) noexcept nogil
cdef bint has_failed(SearchThread thread) noexcept nogil
# the steps; `select` and `back_up` are called with the lock of the first level held, and release it
cdef void copy_ahead(SearchThread thread, Tree t) noexcept nogil
cdef void prepare(SearchThread thread, Tree t, uint64_t number) noexcept nogil
cdef void select(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil
cdef void expand(SearchThread thread, Tree t) noexcept nogil
cdef void play_out(SearchThread thread, Tree t) noexcept nogil
cdef void back_up(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil
cdef double biased_value(Tree t, move_t code, double reward) noexcept nogil


cdef inline void clock_phase(Clock* clock, Phase phase) noexcept nogil:
    """Charge the time since the last call to the phase that ends."""
    cdef timespec t
    cdef int64_t now
    clock_gettime(CLOCK_MONOTONIC, &t)
    now = <int64_t> t.tv_sec * 1000000000 + t.tv_nsec
    clock.spent[<int> clock.phase] += now - clock.since
    clock.since = now
    clock.phase = phase


cdef inline void begin(SearchThread thread, Phase phase) noexcept nogil:
    """Begin a phase; without profiling this does nothing."""
    if thread.profiling:
        clock_phase(&thread.tally.clock, phase)


cdef inline void enter(SearchThread thread, Tree t) noexcept nogil:
    """Begin an operation on the tree, with the first level's lock held and memory for everything in flight.

    If memory might not suffice, wait until no other thread is in the tree: what fits must not depend on which
    thread comes first. An operation needs one node and the edges of one node at most.
    """
    cdef int d
    cdef uint32_t most = 4 * t.origin.max_legal + 64
    t.passage = LEVEL_BY_LEVEL if t.n_threads > 1 and t.separable else ONE_BY_ONE
    if arena_tight(&t.arena, most * t.n_threads, 2 * MAX_BATCH):
        if t.passage == LEVEL_BY_LEVEL:
            t.passage = ONE_BY_ONE
            for d in range(1, LEVELS):  # wait for those in front, which cannot be overtaken
                acquire(&t.level[d].lock)
                release(&t.level[d].lock)
        arena_relieve(&t.arena, MAX_BATCH)
    thread.passage = t.passage


cdef inline void go_down(SearchThread thread, Tree t, int level) noexcept nogil:
    """Take the lock of the next level, unless it is held already, then release that of this level."""
    if thread.passage == LEVEL_BY_LEVEL and thread.at < level and thread.at < LEVELS - 1:
        thread.at += 1
        acquire(&t.level[thread.at].lock)
        release(&t.level[thread.at - 1].lock)


cdef inline void leave(SearchThread thread, Tree t) noexcept nogil:
    """End an operation on the tree: release the lock."""
    cdef int level = thread.at
    thread.at = 0
    release(&t.level[level].lock)


cdef inline void blend_reward(const double* win, const double* score, int players, double weight, double tau,
                              double* out) noexcept nogil:
    """out[p] = (1 - weight) * win[p] + weight / (1 + exp(-(score[p] - best other) / tau)), in [0, 1]."""
    cdef int p, q
    cdef double best, x
    for p in range(players):
        if weight <= 0.0 or players < 2:
            out[p] = win[p]
            continue
        best = -1e300
        for q in range(players):
            if q != p and score[q] > best:
                best = score[q]
        x = (score[p] - best) / tau
        x = -30.0 if x < -30.0 else 30.0 if x > 30.0 else x
        out[p] = (1.0 - weight) * win[p] + weight / (1.0 + exp(-x))


cdef inline Stage stage_at_root(Tree t) noexcept nogil:
    return SAME_MOVES if t.clairvoyant or not t.origin.hidden else WORLD_MOVES


cdef inline void decide(Seen* seen, uint32_t node, uint32_t offset) noexcept nogil:
    """Reset the history at a decision of the owner."""
    seen.node = node
    seen.offset = offset
    seen.history = 0


cdef inline void fold(Seen* seen, uint64_t label) noexcept nogil:
    """Add an event; label 0 means that it was not seen."""
    if label:
        seen.history = mix64(seen.history, label)


cdef inline Stage fold_event(Tree t, GameState s, Seen* seen, int actor, move_t code, int chances,
                             Stage stage) noexcept nogil:
    """Fold the last event of a position into the histories of all trees whose owner sees it; return the next stage.

    Parameters
    ----------
    s : GameState
        The position after the event.
    seen : Seen*
        One per tree.
    actor : int
        Seat that moved, or CHANCE.
    code : move_t
        The move or the outcome.
    chances : int
        Chance events on the path so far, including this one.
    stage : Stage
        The stage before the event.
    """
    cdef uint64_t label
    cdef int k
    cdef Stage unseen = ABOVE_ROOT if stage == ABOVE_ROOT else WORLD_MOVES
    if actor == CHANCE and t.params.chance_depth >= 0 and chances > t.params.chance_depth:
        return unseen
    if t.multiple:
        for k in range(s.players):
            label = s.event_label(k)
            if label:
                fold(&seen[k], label)
        return unseen
    if actor == CHANCE:
        label = mix64(code, 1) | 1 if t.clairvoyant else s.event_label(t.seat)
        if label == 0:
            return unseen
        fold(seen, label)
    elif stage != SAME_MOVES:
        fold(seen, s.event_label(t.seat))
        if actor != t.seat:             # in a single tree the mover's own view of an unseen move still splits it
            fold(seen, s.event_label(actor))
    return stage


cdef inline uint32_t last_decision(Tree t, GameState s, const Seen* seen, int owner, int actor,
                                   uint64_t* history) noexcept nogil:
    """Return the node of the owner's last decision (or the tree's root), and the history since."""
    history[0] = seen.history
    if seen.node:
        return seen.node
    if t.params.keyed:
        history[0] = mix64(history[0], <uint64_t> s.private_bucket(actor) + 1)
    return t.entry[owner]
