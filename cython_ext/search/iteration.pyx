"""One iteration of a search, step by step: prepare, select, expand, play out, back up, record.

A thread runs one iteration at a time. Selecting, backing up and recording read and write the tree; preparing
and playing out touch nothing shared, and neither does most of expanding. A thread may back up a simulation
that another thread descended.

Descents and backups follow one another down the tree: each level has a lock, both walk from the root, and a thread
takes the lock of the next level before it releases that of this one, so none is overtaken. So every node sees
them in the order in which they passed the root, even though they are in different levels. Trees that are
read across levels admit one thread at a time: it stays on the first level.

References
----------
P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4:2 (2012).
C. Rosin, "Multi-armed bandits with episode context" (2011), for PUCT.
M. Lanctot, V. Lisy, M. Winands, "Monte Carlo tree search in simultaneous move games with applications to
Goofspiel", CCIS 408 (2014); P. Auer et al., "The nonstochastic multiarmed bandit problem" (2002), for EXP3.
A. Liu et al., "Watch the unobserved: a simple approach to parallelizing Monte Carlo tree search", ICLR 2020, for
iterations in flight.
"""

from libc.math cimport exp, log, sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from sfida.cython_ext.lookahead cimport MOST_STEPS, BestTurn
from sfida.cython_ext.rng cimport mix64, rng_below, rng_seed, rng_uniform
from sfida.cython_ext.search.arena cimport (
    NODE_COMPLETE, NODE_LOOKED_AHEAD, ONE, Arena, Edge, Node, add_edge, arena_free, availability, child_key,
    complete_node, find_child, make_child, reserve_edges
)
from sfida.cython_ext.search.params cimport BIDS_UCB, SearchParams
from sfida.cython_ext.state cimport CHANCE, TERMINAL, GameState, move_t


cdef enum:
    # hidden choices; those beyond these bounds are made by UCB1
    LEARNED_BIDS = 32                   # learned choices on a path
    LEARNED_MOVES = 256                 # moves of a learned choice


cdef class Tree:
    """The tree and its constants; `search.Search` builds and runs it."""

    def __cinit__(self, *args, **kwargs):
        memset(&self.arena, 0, sizeof(self.arena))

    def __dealloc__(self):
        arena_free(&self.arena)
        free(self.root_total)
        free(self.world)
        free(self.held)
        free(self.odds)


cdef class SearchThread:
    """Worker that runs one iteration at a time, with its own positions, random stream and scratch memory.

    Parameters
    ----------
    t : Tree
        Tree whose positions it plays.

    Raises
    ------
    MemoryError
    """

    def __init__(self, Tree t not None):
        cdef int n = t.origin.max_legal
        self.work = t.origin.clone()
        self.trial = t.origin.clone()
        self.turns = BestTurn(t.origin) if t.params.foresight > 0.0 else None
        self.profiling = t.profiling
        self.moves = <move_t*> malloc(n * sizeof(move_t))
        self.prior = <float*> malloc(n * sizeof(float))
        self.match = <uint32_t*> malloc(n * sizeof(uint32_t))
        self.strategy = <double*> malloc(n * sizeof(double))
        self.slot_stamp = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        self.slot_edge = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        if (self.moves == NULL or self.prior == NULL or self.match == NULL or self.strategy == NULL
                or self.slot_stamp == NULL or self.slot_edge == NULL):
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)
        free(self.prior)
        free(self.match)
        free(self.strategy)
        free(self.slot_stamp)
        free(self.slot_edge)

    cdef tuple positions(self):
        """All positions in which moves are played."""
        return (self.work, self.trial) + (() if self.turns is None else self.turns.positions())


cdef bint has_failed(SearchThread thread) noexcept nogil:
    """Whether a Python game has raised in one of the thread's positions."""
    return thread.work.failed or thread.trial.failed or (thread.turns is not None and thread.turns.failed())


cdef int simulation_init(Simulation* simulation, int free_list, int max_legal) noexcept nogil:
    """Allocate what a simulation of a game needs; returns 0, or -1 when there is no memory."""
    memset(simulation, 0, sizeof(Simulation))
    simulation.free_list = free_list
    simulation.leaf.moves = <move_t*> malloc(max_legal * sizeof(move_t))
    simulation.leaf.prior = <float*> malloc(max_legal * sizeof(float))
    if simulation.leaf.moves == NULL or simulation.leaf.prior == NULL:
        return -1
    return 0


cdef void simulation_free(Simulation* simulation) noexcept nogil:
    free(simulation.leaf.moves)
    free(simulation.leaf.prior)


cdef void prepare(SearchThread thread, Tree t, uint64_t number) noexcept nogil:
    """1. Prepare: make a world that the seat cannot distinguish from the true one, by the iteration's number."""
    begin(thread, DETERMINIZE)
    rng_seed(&thread.rng, mix64(t.seed, number))
    if t.n_worlds:
        thread.work.copy_from(<GameState> t.world[number % <uint64_t> t.n_worlds])
    else:
        if thread.world != COPIED:
            thread.work.copy_from(t.origin)
        if not (t.cheat or t.clairvoyant):
            thread.work.determinize_for(t.seat, &thread.rng)
    if t.multiple and not t.cheat:
        thread.work.retract_bids(t.seat)
    thread.world = PREPARED
    begin(thread, OTHER)


cdef void copy_ahead(SearchThread thread, Tree t) noexcept nogil:
    """Do the part of `prepare` that needs no iteration number, while no other thread waits."""
    begin(thread, DETERMINIZE)
    if t.n_worlds == 0:
        thread.work.copy_from(t.origin)
        thread.world = COPIED
    begin(thread, OTHER)


cdef void select(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil:
    """2. Select: in the prepared world, follow the best edge of every node to the end of the tree."""
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef Stage stage = ABOVE_ROOT
    cdef int actor, owner, chances = 0
    cdef uint32_t v, e
    cdef move_t code
    cdef bint fresh
    begin(thread, SELECT)
    enter(thread, t)
    thread.simulation = simulation
    thread.world = PLAYED
    simulation.depth = 0
    simulation.n_bids = 0
    simulation.ending = AT_POSITION
    memset(thread.seen, 0, sizeof(thread.seen))
    while True:
        actor = thread.work.actor()
        if actor == TERMINAL or thread.work.failed or thread.trial.failed:
            break
        if actor == CHANCE:
            code = thread.work.sample(&thread.rng)
            thread.work.play(code)
            chances += 1
            stage = fold_event(t, thread.work, thread.seen, CHANCE, code, chances, stage)
            continue
        owner = actor if t.multiple else 0
        if actor == t.seat and thread.seen[owner].node == 0:
            v = t.root_node
            stage = stage_at_root(t)
        else:
            v = next_node(thread, t, owner, actor)
            go_down(thread, t, simulation.depth)
            if stage != ABOVE_ROOT:
                if v == 0:
                    break
                if a.node[v].n < <uint32_t> p.expand_at:
                    a.node[v].n += 1
                    break
        if simulation.depth >= MAX_DEPTH:
            break
        if v == 0:
            play_outside_tree(thread, t, actor, stage)
            continue
        if p.priors and stage != ABOVE_ROOT and a.node[v].n_edges == 0 and not a.full and not (
                p.bids != BIDS_UCB and thread.work.is_bid()):
            meet_leaf(t, simulation, v, actor, stage)   # listing its moves takes long and needs no lock
            break
        e = select_edge(thread, t, v, actor, stage)
        a.node[v].n += 1
        if e == 0 and stage != ABOVE_ROOT:
            break                       # no room for an edge: play out from here
        if e == 0:
            play_outside_tree(thread, t, actor, stage)
            continue
        code = a.edge[e].code
        fresh = a.edge[e].n == 0
        take_edge(a, simulation, v, e, actor)
        if fresh and stage != ABOVE_ROOT:
            simulation.ending = AT_MOVE
            simulation.last = code      # expand() plays it, outside the lock
            break
        decide(&thread.seen[owner], v, e - a.node[v].first)
        if a.node[v].size_class & NODE_COMPLETE:
            go_down(thread, t, simulation.depth)    # its edges stay where they are; children belong to the next level
        thread.work.play(code)
        stage = fold_event(t, thread.work, thread.seen, actor, code, chances, stage)
    leave(thread, t)
    begin(thread, OTHER)


cdef uint32_t next_node(SearchThread thread, Tree t, int owner, int actor) noexcept nogil:
    """Return the node of the decision reached, created if new; 0: not to be entered, or no room."""
    cdef Arena* a = &t.arena
    cdef Seen* seen = &thread.seen[owner]
    cdef uint64_t history
    cdef uint32_t v = last_decision(t, thread.work, seen, owner, actor, &history)
    cdef Edge* edge = &a.edge[a.node[v].first + seen.offset]
    cdef uint64_t key = child_key(v, edge.code, history, actor)
    cdef uint32_t child = find_child(a, edge, key)
    if child or a.full:
        return child
    return make_child(a, edge, key, actor)


cdef inline void meet_leaf(Tree t, Simulation* simulation, uint32_t v, int actor, Stage stage) noexcept nogil:
    """End the descent at node v, which has no edges yet."""
    cdef Node* node = &t.arena.node[v]
    simulation.ending = AT_LEAF
    simulation.leaf.node = v
    simulation.leaf.actor = actor
    simulation.leaf.rank = <int> node.n - (0 if v == t.root_node else t.params.expand_at)
    simulation.leaf.same_moves = stage == SAME_MOVES
    node.n += 1


cdef inline void take_edge(Arena* a, Simulation* simulation, uint32_t v, uint32_t e, int actor) noexcept nogil:
    """Append an edge of node v to the path.

    Until the reward is known, the edge's mean counts as its reward; a first visit counts as a loss.
    """
    cdef Step* step = &simulation.path[simulation.depth]
    step.node = v
    step.offset = e - a.node[v].first
    step.actor = actor
    step.expected = a.edge[e].w // a.edge[e].n if a.edge[e].n else 0
    a.edge[e].w += step.expected
    a.edge[e].n += 1
    simulation.depth += 1


cdef void play_outside_tree(SearchThread thread, Tree t, int actor, Stage stage) noexcept nogil:
    """Play any move outside the tree: the arena is full, and the root is not reached yet."""
    cdef int k = thread.work.candidates(thread.moves)
    cdef move_t code = thread.moves[rng_below(&thread.rng, <uint32_t> k)]
    thread.work.play(code)
    fold_event(t, thread.work, thread.seen, actor, code, 0, stage)


cdef uint32_t select_edge(SearchThread thread, Tree t, uint32_t v, int actor, Stage stage) noexcept nogil:
    """Return an edge of node v among the available moves, after creating those that are due; 0: no room."""
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef Node* node = &a.node[v]
    cdef uint32_t fresh = 0
    cdef int i, k, found
    cdef bint bid
    thread.simulation.path[thread.simulation.depth].chance = 0.0
    if stage == SAME_MOVES and node.size_class & NODE_COMPLETE:
        if p.foresight > 0.0 and p.priors and not node.size_class & NODE_LOOKED_AHEAD and (
                v == t.root_node or 0 <= p.foresee_at <= <int64_t> node.n):
            turn_lookahead(thread, a, node, actor, p.foresight)
        count_branching(thread, node.n_edges)
        return best_edge(thread, t, v, node.n_edges, False)
    begin(thread, EXPAND)
    k = list_moves(t, thread.work, v, thread.moves)
    count_branching(thread, k)
    if thread.work.has_sure_win or (stage == SAME_MOVES and node.n_edges == 0):
        k = keep_win(thread, t, thread.moves, k)
    found = match_edges(thread, a, node, thread.moves, k)
    for i in range(k):                  # read before a new edge may move them
        if thread.match[i]:
            a.edge[thread.match[i]].available += 1
    bid = (p.bids != BIDS_UCB and 1 < k <= LEARNED_MOVES and thread.simulation.n_bids < LEARNED_BIDS
           and thread.work.is_bid())
    if found < k and not a.full:
        if p.priors or bid:
            found = add_promising(thread, t, v, k, k - found)
        else:
            fresh = add_unseen(thread, t, v, k, found)
            found += fresh != 0
        if stage == SAME_MOVES and found == k:
            complete_node(a, node, node.n + 1)
    begin(thread, SELECT)
    if fresh or found == 0:
        return fresh
    if bid and found == k:
        return select_bid(thread, t, v, k)
    return best_edge(thread, t, v, k, True)


cdef inline void count_branching(SearchThread thread, int k) noexcept nogil:
    cdef int bin = 0
    while (1 << bin) < k and bin < BRANCH_BINS - 1:
        bin += 1
    thread.tally.branchings[bin] += 1


cdef inline int list_moves(Tree t, GameState s, uint32_t v, move_t* moves) noexcept nogil:
    """List the moves of node v: those worth searching, or at the root the allowed ones."""
    cdef int k = s.candidates(moves)
    if t.n_held and v == t.root_node:
        k = t.n_held
        memcpy(moves, t.held, k * sizeof(move_t))
    return k


cdef inline int keep_win(SearchThread thread, Tree t, move_t* moves, int k) noexcept nogil:
    """Keep only a move that wins for certain, if there is one; returns the number of remaining moves."""
    cdef int i
    if t.params.decisive and k > 1:
        i = thread.work.find_win(thread.trial, moves, k)
        if i >= 0:
            moves[0] = moves[i]
            return 1
    return k


cdef inline uint32_t hash_slot(move_t code) noexcept nogil:
    return <uint32_t> ((code * <uint64_t> 0x9E3779B97F4A7C15) >> 52)


cdef int match_edges(SearchThread thread, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil:
    """Write each move's edge into `match` (0: none) and return how many have one."""
    cdef int i, found = 0
    cdef uint32_t slot, e
    thread.stamp += 1
    if thread.stamp == 0:
        memset(thread.slot_stamp, 0, SCRATCH * sizeof(uint32_t))
        thread.stamp = 1
    for i in range(node.n_edges):
        slot = hash_slot(a.edge[node.first + i].code)
        while thread.slot_stamp[slot] == thread.stamp:
            slot = (slot + 1) & (SCRATCH - 1)
        thread.slot_stamp[slot] = thread.stamp
        thread.slot_edge[slot] = node.first + i
    for i in range(k):
        slot = hash_slot(moves[i])
        thread.match[i] = 0
        while thread.slot_stamp[slot] == thread.stamp:
            e = thread.slot_edge[slot]
            if a.edge[e].code == moves[i]:
                thread.match[i] = e
                found += 1
                break
            slot = (slot + 1) & (SCRATCH - 1)
    return found


cdef uint32_t best_edge(SearchThread thread, Tree t, uint32_t v, int k, bint listed) noexcept nogil:
    """Return the edge with the best bound: those in `match`, or the first k of the node; ties at random."""
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef const Node* node = &a.node[v]
    cdef const Edge* edge
    cdef uint32_t e, first = node.first, chosen = 0
    cdef int i, ties = 0
    cdef uint64_t total = 0
    cdef int64_t sum_w = 0
    cdef double q, value, base = 0.5, bonus = 0.0, best = -1e300
    cdef bint biased = t.odds != NULL and v == t.root_node
    if p.priors:
        for i in range(k):
            e = thread.match[i] if listed else first + i
            if e:
                total += a.edge[e].n
                sum_w += a.edge[e].w
        base = (<double> sum_w / ONE / total if total else 0.5) - p.fpu
        bonus = p.c_prior * sqrt(<double> total + 1.0)
    for i in range(k):
        e = thread.match[i] if listed else first + i
        if e == 0:
            continue
        edge = &a.edge[e]
        q = <double> edge.w / ONE / edge.n if edge.n else base
        if biased:
            q = biased_value(t, edge.code, q)
        if p.priors:
            value = q + bonus * edge.prior / (1.0 + edge.n)
        elif edge.n:
            value = q + p.c * sqrt(log(<double> availability(node, edge, node.n + 1)) / edge.n)
        else:
            value = 1e9                 # created for a bid, not tried yet
        if value > best:
            best = value
            chosen = e
            ties = 1
        elif value == best:
            ties += 1
            if rng_below(&thread.rng, ties) == 0:
                chosen = e
    return chosen


cdef double biased_value(Tree t, move_t code, double reward) noexcept nogil:
    """Return the reward of a root move as the searcher misjudges it."""
    cdef int low = 0, high = t.n_held - 1, middle
    while low < high:
        middle = (low + high) >> 1
        if t.held[middle] < code:
            low = middle + 1
        else:
            high = middle
    reward = min(max(reward, 0.0), 1.0)         # the value of an untried move may lie outside 0..1
    return reward * t.odds[low] / (1.0 - reward + reward * t.odds[low])


cdef void turn_lookahead(SearchThread thread, Arena* a, Node* node, int actor, double scale) noexcept nogil:
    """Weight the priors of a complete node by the worth of the best turn that begins with each move."""
    cdef Edge* edge = &a.edge[node.first]
    cdef double* worth = thread.strategy
    cdef double top = -1e300, sum = 0.0
    cdef int i
    node.size_class |= NODE_LOOKED_AHEAD
    for i in range(node.n_edges):
        worth[i] = thread.turns.worth(thread.work, edge[i].code, actor, MOST_STEPS - 1)
        top = max(top, worth[i])
    for i in range(node.n_edges):
        worth[i] = edge[i].prior * exp((worth[i] - top) / scale)
        sum += worth[i]
    if sum > 0.0:
        for i in range(node.n_edges):
            edge[i].prior = <float> (worth[i] / sum)


cdef uint32_t select_bid(SearchThread thread, Tree t, uint32_t v, int k) noexcept nogil:
    """Sample a hidden choice from the strategy learned so far, mixed with uniform exploration.

    A deterministic choice cannot mix, so bounds on means never settle where all seats choose unseen. Here the move
    played follows the average of all strategies.
    """
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef const double* strategy = thread.strategy
    cdef double explore = t.params.bid_explore, x, chance = 1.0, share = 0.0
    cdef int i, pick = k - 1
    bid_strategy(a, thread.match, k, explore, thread.strategy)
    for i in range(k):
        a.bid[thread.match[i]].average += strategy[i]
    x = rng_uniform(&thread.rng)
    for i in range(k):
        chance = (1.0 - explore) * strategy[i] + explore / k
        share += chance
        if x < share:
            pick = i
            break
    simulation.path[simulation.depth].chance = chance
    simulation.n_bids += 1
    return thread.match[pick]


cdef void bid_strategy(const Arena* a, const uint32_t* edges, int k, double explore, double* strategy) noexcept nogil:
    """Write the strategy over k edges that EXP3 has learned (sums to 1); it begins at the priors, if any.

    A fifth of the initial strategy is uniform, so that wrong priors are soon outweighed.
    """
    cdef int i
    cdef double total = 0.0, top = -1e300, priors = 0.0
    for i in range(k):
        priors += a.edge[edges[i]].prior
        top = max(top, a.bid[edges[i]].reward)
    for i in range(k):
        strategy[i] = 1.0 / k if priors <= 0.0 else 0.2 / k + 0.8 * a.edge[edges[i]].prior / priors
        strategy[i] *= exp(explore / k * (a.bid[edges[i]].reward - top))
        total += strategy[i]
    for i in range(k):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / k


cdef uint32_t add_unseen(SearchThread thread, Tree t, uint32_t v, int k, int found) noexcept nogil:
    """3. Expand without priors: create an edge for a random listed move that has none; 0: no room."""
    cdef int i
    cdef int pick = rng_below(&thread.rng, k - found)
    for i in range(k):
        if thread.match[i] == 0:
            if pick == 0:
                return add_edge(&t.arena, v, thread.moves[i], 0.0, thread.simulation.free_list)
            pick -= 1
    return 0


cdef int add_promising(SearchThread thread, Tree t, uint32_t v, int k, int due) noexcept nogil:
    """Expand a node of a bid, or one that has edges: create edges for the `due` best listed moves without one.

    Returns the number of listed moves that have an edge now.
    """
    cdef int free_list = thread.simulation.free_list
    cdef int i, _j, pick
    cdef float top
    if t.params.priors:
        thread.work.priors(thread.moves, k, thread.prior)
    else:
        memset(thread.prior, 0, k * sizeof(float))
    if t.arena.node[v].first == 0:
        reserve_edges(&t.arena, v, due, free_list)
    for _j in range(due):
        pick = k
        top = -1.0
        for i in range(k):
            if thread.match[i] == 0 and thread.prior[i] > top:
                top = thread.prior[i]
                pick = i
        if pick == k or add_edge(&t.arena, v, thread.moves[pick], thread.prior[pick], free_list) == 0:
            break
        thread.match[pick] = 1
    return match_edges(thread, &t.arena, &t.arena.node[v], thread.moves, k)


cdef void expand(SearchThread thread, Tree t) noexcept nogil:
    """Play the move that leads out of the tree; at a leaf, list its moves and choose one.

    The leaf receives its edges when the simulation is backed up.
    """
    cdef Simulation* simulation = thread.simulation
    if simulation.ending == AT_MOVE:
        thread.work.play(simulation.last)
    elif simulation.ending == AT_LEAF:
        begin(thread, EXPAND)
        list_leaf(thread, t, &simulation.leaf)
        thread.work.play(simulation.leaf.choice)


cdef void list_leaf(SearchThread thread, Tree t, Leaf* leaf) noexcept nogil:
    """List the leaf's moves, best prior first, and choose the best that no other simulation is trying."""
    cdef int i, j, k, pick = 0, ties = 0
    cdef float prior, best = -1.0
    cdef move_t code
    k = list_moves(t, thread.work, leaf.node, leaf.moves)
    if thread.work.has_sure_win or leaf.same_moves:
        k = keep_win(thread, t, leaf.moves, k)
    leaf.k = k
    thread.work.priors(leaf.moves, k, leaf.prior)
    if leaf.rank == 0:
        for i in range(k):
            if leaf.prior[i] > best:
                best = leaf.prior[i]
                pick = i
                ties = 1
            elif leaf.prior[i] == best:
                ties += 1
                if rng_below(&thread.rng, ties) == 0:
                    pick = i
    leaf.choice = leaf.moves[pick]
    for i in range(1, k):               # insertion sort: stable, and lists are short
        prior = leaf.prior[i]
        code = leaf.moves[i]
        j = i
        while j > 0 and leaf.prior[j - 1] < prior:
            leaf.prior[j] = leaf.prior[j - 1]
            leaf.moves[j] = leaf.moves[j - 1]
            j -= 1
        leaf.prior[j] = prior
        leaf.moves[j] = code
    if leaf.rank:
        leaf.choice = leaf.moves[leaf.rank % k]


cdef bint add_leaf(SearchThread thread, Tree t) noexcept nogil:
    """Give the leaf its edges, unless another simulation was first, and append the choice to the path.

    Returns False if there is no room for the choice.
    """
    cdef Simulation* simulation = thread.simulation
    cdef const Leaf* leaf = &simulation.leaf
    cdef Arena* a = &t.arena
    cdef Node* node = &a.node[leaf.node]
    cdef Step* step
    cdef int i, k = leaf.k, free_list = simulation.free_list
    if node.n_edges == 0:
        if node.first == 0:
            reserve_edges(a, leaf.node, k, free_list)
        for i in range(k):
            if add_edge(a, leaf.node, leaf.moves[i], leaf.prior[i], free_list) == 0:
                break
        if leaf.same_moves and node.n_edges == k:
            complete_node(a, node, node.n)
    elif leaf.same_moves:
        for i in range(node.n_edges):
            a.edge[node.first + i].available += 1
    else:
        match_edges(thread, a, node, leaf.moves, k)
        for i in range(k):
            if thread.match[i]:
                a.edge[thread.match[i]].available += 1
    for i in range(k):                  # the node may have grown in another world, without this move
        if leaf.moves[i] == leaf.choice and not has_edge(a, node, leaf.choice):
            add_edge(a, leaf.node, leaf.choice, leaf.prior[i], free_list)
    for i in range(node.n_edges):
        if a.edge[node.first + i].code == leaf.choice:
            a.edge[node.first + i].n += 1
            step = &simulation.path[simulation.depth]
            step.node = leaf.node
            step.offset = i
            step.actor = leaf.actor
            step.chance = 0.0
            step.expected = 0
            simulation.depth += 1
            return True
    return False


cdef inline bint has_edge(const Arena* a, const Node* node, move_t code) noexcept nogil:
    cdef int i
    for i in range(node.n_edges):
        if a.edge[node.first + i].code == code:
            return True
    return False


cdef void play_out(SearchThread thread, Tree t) noexcept nogil:
    """4. Play out to the end, or to the cutoff and evaluate; the rewards are those of the whole iteration."""
    cdef Simulation* simulation = thread.simulation
    begin(thread, PLAYOUT)
    simulation.played = thread.work.playout(&thread.rng, &t.playout, thread.moves, simulation.win, simulation.score)
    blend_reward(simulation.win, simulation.score, t.origin.players, t.params.blend, t.params.tau, simulation.reward)
    begin(thread, OTHER)


cdef void back_up(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil:
    """5. Back up: every edge on the path receives its mover's reward, and the leaf its edges."""
    cdef int i
    begin(thread, BACKUP)
    enter(thread, t)
    thread.simulation = simulation
    for i in range(simulation.depth):
        go_down(thread, t, i)
        credit_step(thread, t, &simulation.path[i])
    if simulation.ending == AT_LEAF:
        go_down(thread, t, simulation.depth)
        if add_leaf(thread, t):
            credit_step(thread, t, &simulation.path[simulation.depth - 1])
    record(thread, simulation)
    leave(thread, t)
    begin(thread, OTHER)


cdef void credit_step(SearchThread thread, Tree t, const Step* step) noexcept nogil:
    """Credit the edge of one decision with its mover's reward; the lock of its level is held."""
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef double worth = simulation.reward[step.actor]
    if step.chance > 0.0:
        credit_bid(a, step, worth)
    a.edge[a.node[step.node].first + step.offset].w += <int64_t> (worth * ONE + 0.5) - step.expected
    if step.node == t.root_node:
        record_at_root(t, simulation, &t.root_total[step.offset])


cdef void credit_bid(Arena* a, const Step* step, double reward) noexcept nogil:
    """Learn from the outcome of a hidden choice, weighted by the inverse probability of the choice.

    Only the difference from the mean so far is weighted; otherwise noise would drown choices that matter little.
    """
    cdef uint32_t first = a.node[step.node].first
    cdef uint64_t total = 0
    cdef int64_t sum_w = 0
    cdef int i
    for i in range(a.node[step.node].n_edges):
        total += a.edge[first + i].n
        sum_w += a.edge[first + i].w
    if total:
        reward -= <double> sum_w / ONE / total
    a.bid[first + step.offset].reward += reward / step.chance


cdef void record_at_root(Tree t, const Simulation* simulation, RootTotal* total) noexcept nogil:
    """6. Record the result of an iteration through a root edge for every seat; the lock of the root's level is held."""
    cdef const double* u = simulation.reward
    cdef int i
    total.n += 1
    total.square += u[t.seat] * u[t.seat]
    for i in range(t.origin.players):
        total.reward[i] += u[i]
        total.win[i] += simulation.win[i]


cdef void record(SearchThread thread, const Simulation* simulation) noexcept nogil:
    """Record the iteration in the thread's statistics."""
    cdef Tally* tally = &thread.tally
    tally.playout_moves += simulation.played
    tally.depth_sum += simulation.depth
    tally.depth_max = max(tally.depth_max, simulation.depth)
    tally.depths[min(simulation.depth, DEPTH_BINS - 1)] += 1
