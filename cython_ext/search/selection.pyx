"""Which edge of a node is followed, and which edges a node gets.

References
----------
C. Rosin, "Multi-armed bandits with episode context" (2011), for PUCT.
"""

from libc.math cimport exp, log, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.search.arena cimport (
    NODE_COMPLETE, NODE_FORESEEN, ONE, Edge, add_edge, availability, complete_node, reserve_edges,
)
from sfida.cython_ext.search.bids cimport bid_sample, bid_strategy
from sfida.cython_ext.lookahead cimport MOST_STEPS
from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.rng cimport rng_below
from sfida.cython_ext.search.params cimport BIDS_UCB, SearchParams
from sfida.cython_ext.search.thread cimport BRANCH_BINS, SCRATCH
from sfida.cython_ext.search.simulation cimport MAX_BIDS, BidStep, Simulation


cdef inline uint32_t hash_slot(move_t code) noexcept nogil:
    return <uint32_t> ((code * <uint64_t> 0x9E3779B97F4A7C15) >> 52)


cdef inline void count_branching(SearchThread thread, int k) noexcept nogil:
    cdef int bin = 0
    while (1 << bin) < k and bin < BRANCH_BINS - 1:
        bin += 1
    thread.tally.branchings[bin] += 1


cdef uint32_t add_unseen(SearchThread thread, Tree t, uint32_t v, int k, int found) noexcept nogil:
    """Create an edge for a random one of the listed moves that have none; 0: no room."""
    cdef Simulation* simulation = thread.simulation
    cdef int i
    cdef int pick = rng_below(&thread.rng, k - found)
    for i in range(k):
        if thread.match[i] == 0:
            if pick == 0:
                return add_edge(&t.arena, v, thread.moves[i], 0.0, simulation.free_list)
            pick -= 1
    return 0


cdef int add_promising(SearchThread thread, Tree t, GameState s, uint32_t v, int k, int due) noexcept nogil:
    """Create edges for the `due` best listed moves that have none; returns how many now have one."""
    cdef Simulation* simulation = thread.simulation
    cdef int i, _j, pick
    cdef float top
    if t.params.priors:
        s.priors(thread.moves, k, thread.prior)
    else:
        for i in range(k):
            thread.prior[i] = 0.0
    if t.arena.node[v].first == 0:
        reserve_edges(&t.arena, v, due, simulation.free_list)
    for _j in range(due):
        pick = -1
        top = -1.0
        for i in range(k):
            if thread.match[i] == 0 and thread.prior[i] > top:
                top = thread.prior[i]
                pick = i
        if pick < 0 or add_edge(&t.arena, v, thread.moves[pick], thread.prior[pick], simulation.free_list) == 0:
            break
        thread.match[pick] = 1
    return match_edges(thread, &t.arena, &t.arena.node[v], thread.moves, k)


cdef void foresee(SearchThread thread, Arena* a, GameState s, Node* node, int actor, double scale) noexcept nogil:
    """Weigh the priors of a complete node by what the best turn that begins with each move is worth."""
    cdef Edge* edge = &a.edge[node.first]
    cdef double* worth = thread.sigma
    cdef double top = -1e300, sum = 0.0
    cdef int i
    node.size_class |= NODE_FORESEEN
    for i in range(node.n_edges):
        worth[i] = thread.turns.worth(s, edge[i].code, actor, MOST_STEPS - 1)
        top = max(top, worth[i])
    for i in range(node.n_edges):
        worth[i] = edge[i].prior * exp((worth[i] - top) / scale)
        sum += worth[i]
    if sum > 0.0:
        for i in range(node.n_edges):
            edge[i].prior = <float> (worth[i] / sum)


cdef double as_judged(Tree t, move_t code, double reward) noexcept nogil:
    """Return the reward of a root move as it looks to a searcher who misjudges it."""
    cdef int low = 0, high = t.n_held - 1, middle
    while low < high:
        middle = (low + high) >> 1
        if t.held[middle] < code:
            low = middle + 1
        else:
            high = middle
    reward = min(max(reward, 0.0), 1.0)         # what an untried move counts as may lie beyond
    return reward * t.odds[low] / (1.0 - reward + reward * t.odds[low])


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
    cdef bint misjudged = t.odds != NULL and v == t.root_node
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
        if misjudged:
            q = as_judged(t, edge.code, q)
        if p.priors:
            value = q + bonus * edge.prior / (1.0 + edge.n)
        elif edge.n:
            value = q + p.c * sqrt(log(<double> availability(node, edge, node.n + 1)) / edge.n)
        else:
            value = 1e9                 # made for a bid, and not tried yet
        if value > best:
            best = value
            chosen = e
            ties = 1
        elif value == best:
            ties += 1
            if rng_below(&thread.rng, ties) == 0:
                chosen = e
    return chosen


cdef uint32_t select_bid(SearchThread thread, Tree t, uint32_t v, int k) noexcept nogil:
    """Sample a hidden choice from the strategy learned so far."""
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef BidStep* step = &simulation.bids[simulation.n_bids]
    cdef double chance = 1.0
    cdef int i
    cdef uint32_t offset, first = a.node[v].first
    bid_strategy(a.bid, a.edge, thread.match, k, p.bids, p.bid_explore, thread.sigma)
    memset(step, 0, sizeof(BidStep))
    for i in range(k):
        a.bid[thread.match[i]].average += thread.sigma[i]
        offset = thread.match[i] - first
        if offset < 256:
            step.available[offset >> 6] |= <uint64_t> 1 << (offset & 63)
    i = bid_sample(thread.sigma, k, p.bid_explore, &thread.rng, &chance)
    step.chance = -chance               # negative until `descend` has noted the step
    simulation.n_bids += 1
    return thread.match[i]


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


cdef uint32_t select(SearchThread thread, Tree t, GameState s, uint32_t v, int actor, bint exact,
                     bint* fresh) noexcept nogil:
    """Pick an edge of node v among the moves available now, creating edges that are due; 0: no room."""
    cdef Simulation* simulation = thread.simulation
    cdef Arena* a = &t.arena
    cdef const SearchParams* p = &t.params
    cdef Node* node = &a.node[v]
    cdef uint32_t e
    cdef int i, k, found, due
    cdef bint bid
    cdef int64_t t0 = 0
    fresh[0] = False

    if exact and node.size_class & NODE_COMPLETE:
        k = node.n_edges
        if p.foresight > 0.0 and p.priors and not node.size_class & NODE_FORESEEN and (
                v == t.root_node or 0 <= p.foresee_at <= <int64_t> node.n):
            foresee(thread, a, s, node, actor, p.foresight)
        count_branching(thread, k)
        e = best_edge(thread, t, v, k, False)
        fresh[0] = a.edge[e].n == 0
        return e

    if t.profiling:
        t0 = now()
    k = s.candidates(thread.moves)
    if t.n_held and v == t.root_node:
        k = t.n_held
        memcpy(thread.moves, t.held, k * sizeof(move_t))
    count_branching(thread, k)
    if p.decisive and k > 1 and (s.has_sure_win or (exact and node.n_edges == 0)):
        i = s.find_win(thread.shadow, thread.moves, k)
        if i >= 0:
            thread.moves[0] = thread.moves[i]
            k = 1
    found = match_edges(thread, a, node, thread.moves, k)
    for i in range(k):                  # before a new edge may move them
        if thread.match[i]:
            a.edge[thread.match[i]].available += 1
    bid = p.bids != BIDS_UCB and k > 1 and k <= 256 and simulation.n_bids < MAX_BIDS and s.is_bid()
    due = k - found
    if due > 0 and not a.full:
        if p.priors or bid:
            found = add_promising(thread, t, s, v, k, due)
            if exact and found == k:
                complete_node(a, node, node.n + 1)
        else:
            e = add_unseen(thread, t, v, k, found)
            if e:
                if exact and found + 1 == k:
                    complete_node(a, node, node.n + 1)
                if t.profiling:
                    thread.tally.clock.expand += now() - t0
                fresh[0] = True
                return e
    if t.profiling:
        thread.tally.clock.expand += now() - t0
    if found == 0:
        return 0
    if bid and found == k:
        e = select_bid(thread, t, v, k)
    else:
        e = best_edge(thread, t, v, k, True)
    fresh[0] = a.edge[e].n == 0
    return e
