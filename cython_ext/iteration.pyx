"""One iteration of the search: prepare a world, descend the tree, play out, back up.

References
----------
P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4:2 (2012).
C. Rosin, "Multi-armed bandits with episode context" (2011), for PUCT.
A. Liu et al., "Watch the unobserved: a simple approach to parallelizing Monte Carlo tree search", ICLR 2020, for
iterations in flight.
M. Lanctot et al., "Monte Carlo tree search with heuristic evaluations using implicit minimax backups" (2014).
"""

from libc.math cimport log, pow, sqrt
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from sfida.cython_ext.arena cimport (
    NODE_COMPLETE, ONE, Edge, add_edge, arena_free, arena_relieve, arena_tight, availability, child_key,
    complete_node, find_child, make_child, new_node, reserve_edges,
)
from sfida.cython_ext.bids cimport bid_sample, bid_strategy
from sfida.cython_ext.lock cimport acquire, now, release
from sfida.cython_ext.move_tables cimport (
    TABLE_SLOTS, TABLE_TRUST, credit, mean_worth, move_slot, pair_slot,
)
from sfida.cython_ext.reward cimport blend as blend_reward
from sfida.cython_ext.rng cimport mix64, rng_below, rng_seed, rng_uniform
from sfida.cython_ext.search_params cimport (
    BIDS_EXP3, BIDS_UCB, LEADER, MAX_WINDOW, PARANOID, STAY_IN_WORLD,
)
from sfida.cython_ext.state cimport CHANCE, TERMINAL, PlayoutParams

cdef uint64_t FREEZE_EVERY = 128        # backups; twice what can be in flight


cdef inline uint32_t hash_slot(move_t code) noexcept nogil:
    return <uint32_t> ((code * <uint64_t> 0x9E3779B97F4A7C15) >> 52)


cdef inline bint has_edge(const Arena* a, const Node* node, move_t code) noexcept nogil:
    cdef int i
    for i in range(node.n_edges):
        if a.edge[node.first + i].code == code:
            return True
    return False


cdef inline double worth_to(const Params* p, int searcher, const double* u, int actor) noexcept nogil:
    """Reward that a seat is taken to strive for."""
    cdef int rival
    if p.backup == PARANOID and actor != searcher:
        return 1.0 - u[searcher]
    if p.backup == LEADER and p.leader >= 0:
        rival = p.leader if actor != p.leader else p.second
        return (1.0 - p.leader_weight) * u[actor] + p.leader_weight * (1.0 - u[rival])
    return u[actor]


cdef class Tree:
    """The tree and its constants; `search.Search` builds and runs it."""

    def __cinit__(self, *args, **kwargs):
        memset(&self.arena, 0, sizeof(Arena))

    def __dealloc__(self):
        arena_free(&self.arena)
        free(self.root_total)
        free(self.worth)
        free(self.pairs)
        free(self.frozen[0])
        free(self.frozen[1])
        free(self.frozen_pairs[0])
        free(self.frozen_pairs[1])
        free(self.world)

    cdef int plant(self) except -1:
        """Start an empty tree at the root."""
        cdef int k
        free(self.root_total)
        self.root_room = self.origin.max_legal
        self.root_total = <RootTotal*> calloc(self.root_room, sizeof(RootTotal))
        if self.root_total == NULL:
            raise MemoryError()
        self.root_node = new_node(&self.arena, self.seat)
        self.inherited = 0
        for k in range(self.origin.players):
            self.entry[k] = 0
            if self.params.multiple and k != self.seat:
                self.entry[k] = new_node(&self.arena, k)
                add_edge(&self.arena, self.entry[k], <move_t> k, 0.0, 0)
        self.forget_moves()
        return 0

    cdef void forget_moves(self) noexcept nogil:
        """Empty the move tables."""
        cdef int i
        self.frozen_at = 0
        self.frozen_now = 0
        if self.worth != NULL:
            memset(self.worth, 0, TABLE_SLOTS * sizeof(Worth))
        if self.pairs != NULL:
            memset(self.pairs, 0, TABLE_SLOTS * sizeof(Worth))
        for i in range(2):
            if self.frozen[i] != NULL:
                memset(self.frozen[i], 0, TABLE_SLOTS * sizeof(Worth))
            if self.frozen_pairs[i] != NULL:
                memset(self.frozen_pairs[i], 0, TABLE_SLOTS * sizeof(Worth))

    cdef void freeze(self, uint64_t backed_up) noexcept nogil:
        """Now and then copy the move tables for the playouts: at fixed iterations, whatever threads do."""
        cdef int other = 1 - self.frozen_now
        if backed_up - self.frozen_at < FREEZE_EVERY:
            return
        self.frozen_at = backed_up
        if self.frozen[other] != NULL:
            memcpy(self.frozen[other], self.worth, TABLE_SLOTS * sizeof(Worth))
        if self.frozen_pairs[other] != NULL:
            memcpy(self.frozen_pairs[other], self.pairs, TABLE_SLOTS * sizeof(Worth))
        self.frozen_now = other

    cdef void make_room(self, int threads) noexcept nogil:
        """Before an operation, with the first level's lock held: have memory for all that may be under way.

        Where it might not suffice, wait until nobody else is in the tree: what fits and what does not must
        not depend on who comes first. An operation needs a node and the edges of one at most.
        """
        cdef int d
        cdef uint32_t most = 4 * self.origin.max_legal + 64
        self.apart = threads > 1 and self.separable
        if not arena_tight(&self.arena, most * threads, 2 * MAX_WINDOW):
            return
        if self.apart:
            self.apart = False
            for d in range(1, LEVELS):  # follow those before, who cannot be overtaken
                acquire(&self.level[d].lock)
                release(&self.level[d].lock)
        arena_relieve(&self.arena, MAX_WINDOW)


cdef int flight_init(Flight* f, Tree t, int hand) noexcept nogil:
    """Allocate what a flight of this tree needs; returns 0, or -1 when there is no memory."""
    cdef int n = t.origin.max_legal
    memset(f, 0, sizeof(Flight))
    f.hand = hand
    f.leaf_moves = <move_t*> malloc(n * sizeof(move_t))
    f.leaf_prior = <float*> malloc(n * sizeof(float))
    if t.worth != NULL:
        f.trace = <Played*> malloc(MAX_TRACE * sizeof(Played))
    if f.leaf_moves == NULL or f.leaf_prior == NULL or (t.worth != NULL and f.trace == NULL):
        return -1
    return 0


cdef void flight_free(Flight* f) noexcept nogil:
    free(f.leaf_moves)
    free(f.leaf_prior)
    free(f.trace)


cdef class Pilot:
    """Who carries iterations out, one at a time.

    Parameters
    ----------
    t : Tree
        Whose positions he plays.

    Raises
    ------
    MemoryError
    """

    def __init__(self, Tree t not None):
        cdef int n = t.origin.max_legal
        self.work = t.origin.clone()
        self.shadow = t.origin.clone()
        self.moves = <move_t*> malloc(n * sizeof(move_t))
        self.prior = <float*> malloc(n * sizeof(float))
        self.match = <uint32_t*> malloc(n * sizeof(uint32_t))
        self.sigma = <double*> malloc(n * sizeof(double))
        self.slot_stamp = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        self.slot_edge = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        if (self.moves == NULL or self.prior == NULL or self.match == NULL or self.sigma == NULL
                or self.slot_stamp == NULL or self.slot_edge == NULL):
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)
        free(self.prior)
        free(self.match)
        free(self.sigma)
        free(self.slot_stamp)
        free(self.slot_edge)

    # ---- Step 1. Prepare: a world that the seat cannot tell from the true one -----------------

    cdef void prepare(self, Tree t, uint64_t number) noexcept nogil:
        cdef int64_t t0 = now() if t.profiling else 0
        rng_seed(&self.rng, mix64(t.seed, number))
        if t.n_worlds:
            self.work.copy_from(<GameState> t.world[number % <uint64_t> t.n_worlds])
        else:
            if not self.copied:
                self.work.copy_from(t.origin)
            if not (t.params.cheat or t.params.clairvoyant):
                self.work.resample(t.seat, &self.rng)
        if t.params.multiple and not t.params.cheat:
            self.work.retract_bids(t.seat)
        self.copied = False
        self.prepared = True
        if t.profiling:
            self.tally.clock.determinize += now() - t0

    cdef void copy_ahead(self, Tree t) noexcept nogil:
        """Do what `prepare` can do before its iteration has a number, and nobody waits."""
        cdef int64_t t0 = now() if t.profiling else 0
        if t.n_worlds == 0:
            self.work.copy_from(t.origin)
            self.copied = True
        if t.profiling:
            self.tally.clock.determinize += now() - t0

    # ---- The way down the tree: one lock a level ----------------------------------------------

    cdef void go_deeper(self, Tree t) noexcept nogil:
        """Take the lock of the next level, then give back that of this one."""
        if self.apart and self.at < LEVELS - 1:
            self.at += 1
            acquire(&t.level[self.at].lock)
            release(&t.level[self.at - 1].lock)

    cdef void leave(self, Tree t) noexcept nogil:
        """Give back the lock held."""
        release(&t.level[self.at].lock)
        self.at = 0

    # ---- Step 2. Descend: choose by availability, fold what is seen into the histories --------

    cdef void descend(self, Tree t, Flight* flight) noexcept nogil:
        """Begin a flight in the world prepared."""
        cdef Arena* a = &t.arena
        cdef const Params* p = &t.params
        cdef int64_t t0 = now() if t.profiling else 0
        cdef int64_t expand0 = self.tally.clock.expand
        cdef int actor, owner, chances = 0
        cdef bint fresh = False
        cdef bint deeper = False        # the lock of the next node's level is held already
        cdef bint rooted = False        # retracted bids come before the root: nobody leaves the tree there
        cdef bint exact = p.clairvoyant or not self.work.hidden  # the legal set of a node is always the same
        cdef uint32_t v, e
        cdef move_t code
        cdef Step* step
        self.flight = flight
        flight.depth = 0
        flight.n_bids = 0
        flight.traced = 0
        self.prepared = False
        self.table = t.frozen_now
        flight.leaf = 0
        self.to_play = False
        self.apart = t.apart
        memset(self.seen, 0, sizeof(self.seen))
        while True:
            actor = self.work.actor()
            if actor == TERMINAL or self.work.failed or self.shadow.failed:
                break
            if actor == CHANCE:
                if flight.depth:
                    flight.path[flight.depth - 1].by_chance = True
                code = self.work.sample(&self.rng)
                self.work.play(code)
                chances += 1
                if p.chance_depth >= 0 and chances > p.chance_depth:
                    exact = False
                else:
                    exact = self.see(t, CHANCE, exact, code)
                continue
            owner = actor if p.multiple else 0
            if actor == t.seat and self.seen[owner].node == 0:
                v = t.root_node
                rooted = True
            else:
                v = self.next_node(t, owner, actor)
                if not deeper:
                    self.go_deeper(t)
                deeper = False
                if rooted:
                    if v == 0:
                        break
                    if a.node[v].n < <uint32_t> p.expand_at:
                        a.node[v].n += 1
                        break
            if flight.depth >= MAX_DEPTH:
                break
            if p.redeterminize and actor != t.seat:
                self.shadow.copy_from(self.work)
                self.shadow.resample(actor, &self.rng)
                if self.shadow.failed:
                    break
            if v == 0:
                self.play_aside(t, actor, exact)
                continue
            if p.use_priors and rooted and a.node[v].n_edges == 0 and not a.full and not (
                    p.bids != BIDS_UCB and self.work.is_bid()):
                # looking at its moves takes long and needs nobody else: play_out() does it
                flight.leaf = v
                flight.leaf_actor = actor
                flight.leaf_rank = <int> a.node[v].n - (0 if v == t.root_node else p.expand_at)
                flight.leaf_exact = exact
                flight.leaf_width = p.widen_base + p.widen_factor * pow(a.node[v].n, p.widen_power)
                flight.leaf_in_shadow = p.redeterminize and actor != t.seat
                a.node[v].n += 1
                break
            if p.redeterminize and actor != t.seat:
                e = self.select(t, self.shadow, v, actor, exact, &fresh)
                if p.redeterminize == STAY_IN_WORLD:
                    self.work.copy_from(self.shadow)
            else:
                e = self.select(t, self.work, v, actor, exact, &fresh)
            a.node[v].n += 1
            if e == 0 and rooted:
                break                   # no room for an edge: play out from here
            if e == 0:
                self.play_aside(t, actor, exact)
                continue
            step = &flight.path[flight.depth]
            # until the reward is known the edge's mean counts as its reward, and a first visit as a loss
            step.expected = a.edge[e].w // a.edge[e].n if a.edge[e].n else 0
            a.edge[e].w += step.expected
            a.edge[e].n += 1
            step.node = v
            step.offset = e - a.node[v].first
            step.actor = actor
            step.by_chance = self.work.hidden
            step.bid = flight.n_bids - 1 if flight.n_bids and flight.bids[flight.n_bids - 1].chance < 0.0 else -1
            if step.bid >= 0:
                flight.bids[step.bid].chance = -flight.bids[step.bid].chance
            flight.depth += 1
            self.seen[owner].node = v
            self.seen[owner].offset = step.offset
            self.seen[owner].history = 0
            self.seen[owner].by_chance = False
            code = a.edge[e].code
            if flight.trace != NULL:
                self.note_move(actor, code)
            if fresh and rooted:
                self.last = code        # played by play_out(): nobody need wait for it
                self.to_play = True
                break
            if a.node[v].size_class & NODE_COMPLETE and p.chance_widen == 0.0:
                self.go_deeper(t)       # its edges stay where they are, and only the next level looks at children
                deeper = True
            self.work.play(code)
            exact = self.see(t, actor, exact, code)
        if t.profiling:
            self.tally.clock.select += now() - t0 - (self.tally.clock.expand - expand0)

    cdef void play_aside(self, Tree t, int actor, bint exact) noexcept nogil:
        """Play any move without the tree: the arena is full, and the root is not reached yet."""
        cdef Flight* flight = self.flight
        cdef int k = self.work.candidates(self.moves)
        cdef move_t code = self.moves[rng_below(&self.rng, <uint32_t> k)]
        if flight.trace != NULL:
            self.note_move(actor, code)
        self.work.play(code)
        self.see(t, actor, exact, code)

    cdef bint see(self, Tree t, int actor, bint exact, uint64_t code) noexcept nogil:
        """Fold what is seen of an event into the histories; returns whether legal sets stay the same."""
        cdef uint64_t label
        cdef int k
        cdef Seen* seen
        if t.params.multiple:
            for k in range(self.work.players):
                label = self.work.event_label(k)
                if label:
                    seen = &self.seen[k]
                    seen.history = mix64(seen.history, label)
                    if actor == CHANCE:
                        seen.by_chance = True
            return False
        seen = &self.seen[0]
        if actor == CHANCE:
            label = mix64(code, 1) | 1 if t.params.clairvoyant else self.work.event_label(t.seat)
            if label == 0:
                return False
            seen.history = mix64(seen.history, label)
            seen.by_chance = True
            return exact
        if not exact:
            label = self.work.event_label(t.seat)
            if label:
                seen.history = mix64(seen.history, label)
            if actor != t.seat:         # in one tree the mover's own view of an unseen move still splits it
                label = self.work.event_label(actor)
                if label:
                    seen.history = mix64(seen.history, label)
        return exact

    cdef uint32_t next_node(self, Tree t, int owner, int actor) noexcept nogil:
        """Return the node of the decision reached, created when it is new; 0: not to be entered, or no room."""
        cdef Arena* a = &t.arena
        cdef Seen* seen = &self.seen[owner]
        cdef uint32_t v = seen.node
        cdef uint64_t history = seen.history, key
        cdef uint32_t child
        cdef Edge* edge
        if v == 0:                      # first decision of an opponent in his own tree
            v = t.entry[owner]
            if t.params.keyed:
                history = mix64(history, <uint64_t> self.work.private_bucket(actor) + 1)
        edge = &a.edge[a.node[v].first + seen.offset]
        key = child_key(v, edge.code, mix64(history, <uint64_t> actor))
        child = find_child(a, edge, key)
        if child or a.full:
            return child
        if seen.by_chance and t.params.chance_widen > 0.0 and (
                a.outcomes[edge - a.edge] >= t.params.chance_widen * pow(edge.n, t.params.chance_power)):
            return 0                    # leave the tree: another outcome's child would bias the value
        return make_child(a, edge, key, actor)

    # ---- Step 3. Select and expand ------------------------------------------------------------

    cdef uint32_t select(self, Tree t, GameState s, uint32_t v, int actor, bint exact, bint* fresh) noexcept nogil:
        """Pick an edge of node v among the moves available now, creating edges that are due; 0: no room."""
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef const Params* p = &t.params
        cdef Node* node = &a.node[v]
        cdef uint32_t e
        cdef int i, k, found, due, bin = 0
        cdef double width
        cdef bint bid
        cdef int64_t t0 = 0
        fresh[0] = False

        if exact and node.size_class & NODE_COMPLETE:
            k = node.n_edges
            while (1 << bin) < k and bin < BRANCH_BINS - 1:
                bin += 1
            self.tally.branchings[bin] += 1
            e = self.best_edge(t, v, k, actor, False)
            fresh[0] = a.edge[e].n == 0
            return e

        if t.profiling:
            t0 = now()
        k = s.candidates(self.moves)
        if t.only and v == t.root_node:
            self.moves[0] = t.only_move
            k = 1
        while (1 << bin) < k and bin < BRANCH_BINS - 1:
            bin += 1
        self.tally.branchings[bin] += 1
        if p.decisive and k > 1 and (s.has_sure_win or (exact and node.n_edges == 0)):
            i = self.sure_win(s, self.moves, k, actor)
            if i >= 0:
                self.moves[0] = self.moves[i]
                k = 1
        found = self.match_edges(a, node, self.moves, k)
        for i in range(k):              # before a new edge may move them
            if self.match[i]:
                a.edge[self.match[i]].available += 1
        bid = (p.bids != BIDS_UCB and k > 1 and k <= 256 and flight.n_bids < MAX_BIDS
               and (v == t.root_node or node.n >= <uint32_t> p.bid_from) and s.is_bid())
        if bid:
            width = k
        elif p.widen_base >= k:
            width = k
        else:
            width = p.widen_base + p.widen_factor * pow(node.n, p.widen_power)
        due = (k if width >= k else <int> width) - found
        if due > 0 and not a.full:
            if p.use_priors or bid:
                found = self.add_promising(t, s, v, k, due)
                if exact and found == k:
                    complete_node(a, node, node.n + 1)
            else:
                e = self.add_unseen(t, v, k, found)
                if e:
                    if exact and found + 1 == k:
                        complete_node(a, node, node.n + 1)
                    if t.profiling:
                        self.tally.clock.expand += now() - t0
                    fresh[0] = True
                    return e
        if t.profiling:
            self.tally.clock.expand += now() - t0
        if found == 0:
            return 0
        if bid and found == k:
            e = self.select_bid(t, v, k)
        else:
            e = self.best_edge(t, v, k, actor, True)
        fresh[0] = a.edge[e].n == 0
        return e

    cdef uint32_t add_unseen(self, Tree t, uint32_t v, int k, int found) noexcept nogil:
        """Create an edge for a random one of the listed moves that have none; 0: no room."""
        cdef Flight* flight = self.flight
        cdef int i
        cdef int pick = rng_below(&self.rng, k - found)
        for i in range(k):
            if self.match[i] == 0:
                if pick == 0:
                    return add_edge(&t.arena, v, self.moves[i], 0.0, flight.hand)
                pick -= 1
        return 0

    cdef int add_promising(self, Tree t, GameState s, uint32_t v, int k, int due) noexcept nogil:
        """Create edges for the `due` best listed moves that have none; returns how many now have one."""
        cdef Flight* flight = self.flight
        cdef int i, _j, pick
        cdef float top
        if t.params.use_priors:
            s.priors(self.moves, k, self.prior)
        else:
            for i in range(k):
                self.prior[i] = 0.0
        if t.arena.node[v].first == 0:
            reserve_edges(&t.arena, v, due, flight.hand)
        for _j in range(due):
            pick = -1
            top = -1.0
            for i in range(k):
                if self.match[i] == 0 and self.prior[i] > top:
                    top = self.prior[i]
                    pick = i
            if pick < 0 or add_edge(&t.arena, v, self.moves[pick], self.prior[pick], flight.hand) == 0:
                break
            self.match[pick] = 1
        return self.match_edges(&t.arena, &t.arena.node[v], self.moves, k)

    cdef uint32_t best_edge(self, Tree t, uint32_t v, int k, int actor, bint listed) noexcept nogil:
        """Return the edge with the best bound: those in `match`, or the first k of the node; ties at random."""
        cdef Arena* a = &t.arena
        cdef const Params* p = &t.params
        cdef const Node* node = &a.node[v]
        cdef const Edge* edge
        cdef const float* heuristic
        cdef uint32_t e, first = node.first, best_edge = 0
        cdef int i, ties = 0
        cdef uint64_t total = 0
        cdef int64_t sum_w = 0
        cdef double q, value, base = 0.5, bonus = 0.0, best = -1e300
        if p.use_priors:
            for i in range(k):
                e = self.match[i] if listed else first + i
                if e:
                    total += a.edge[e].n
                    sum_w += a.edge[e].w
            base = (<double> sum_w / ONE / total if total else 0.5) - p.fpu
            bonus = p.c_prior * sqrt(<double> total + 1.0)
        for i in range(k):
            e = self.match[i] if listed else first + i
            if e == 0:
                continue
            edge = &a.edge[e]
            q = <double> edge.w / ONE / edge.n if edge.n else base
            if p.minimax > 0.0:
                heuristic = &a.heuristic[<uint64_t> e * a.seats + actor]
                if heuristic[0] >= 0.0:
                    q = (1.0 - p.minimax) * q + p.minimax * heuristic[0]
            if p.use_priors:
                value = q + bonus * edge.prior / (1.0 + edge.n)
            elif edge.n:
                value = q + p.c * sqrt(log(<double> availability(node, edge, node.n + 1)) / edge.n)
            else:
                value = 1e9             # made for a bid, and not tried yet
            if p.history > 0.0:
                value += (p.history * mean_worth(&t.worth[move_slot(actor, edge.code)])
                          / (edge.n - <double> edge.w / ONE + 1.0))
            if value > best:
                best = value
                best_edge = e
                ties = 1
            elif value == best:
                ties += 1
                if rng_below(&self.rng, ties) == 0:
                    best_edge = e
        return best_edge

    cdef uint32_t select_bid(self, Tree t, uint32_t v, int k) noexcept nogil:
        """Sample a hidden choice from the strategy learned so far."""
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef const Params* p = &t.params
        cdef BidStep* step = &flight.bids[flight.n_bids]
        cdef double chance = 1.0
        cdef int i
        cdef uint32_t offset, first = a.node[v].first
        bid_strategy(a.bid, a.edge, self.match, k, p.bids, p.bid_explore, self.sigma)
        memset(step, 0, sizeof(BidStep))
        for i in range(k):
            a.bid[self.match[i]].average += self.sigma[i]
            offset = self.match[i] - first
            if offset < 256:
                step.available[offset >> 6] |= <uint64_t> 1 << (offset & 63)
        i = bid_sample(self.sigma, k, p.bid_explore, &self.rng, &chance)
        step.chance = -chance           # negative until `descend` has noted the step
        flight.n_bids += 1
        return self.match[i]

    cdef int sure_win(self, GameState s, const move_t* moves, int k, int actor) noexcept nogil:
        """Index of a move that wins for certain, or -1."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int i
        if s.has_sure_win:
            return s.sure_win(moves, k)
        for i in range(k):
            self.shadow.copy_from(s)
            self.shadow.play(moves[i])
            if self.shadow.failed:
                return -1
            if self.shadow.actor() == TERMINAL:
                self.shadow.result(win, score)
                if win[actor] > 0.999:
                    return i
        return -1

    cdef int match_edges(self, const Arena* a, const Node* node, const move_t* moves, int k) noexcept nogil:
        """Write each move's edge into `match` (0: none) and return how many have one."""
        cdef int i, found = 0
        cdef uint32_t slot, e
        self.stamp += 1
        if self.stamp == 0:
            memset(self.slot_stamp, 0, SCRATCH * sizeof(uint32_t))
            self.stamp = 1
        for i in range(node.n_edges):
            slot = hash_slot(a.edge[node.first + i].code)
            while self.slot_stamp[slot] == self.stamp:
                slot = (slot + 1) & (SCRATCH - 1)
            self.slot_stamp[slot] = self.stamp
            self.slot_edge[slot] = node.first + i
        for i in range(k):
            slot = hash_slot(moves[i])
            self.match[i] = 0
            while self.slot_stamp[slot] == self.stamp:
                e = self.slot_edge[slot]
                if a.edge[e].code == moves[i]:
                    self.match[i] = e
                    found += 1
                    break
                slot = (slot + 1) & (SCRATCH - 1)
        return found

    # ---- Step 4. Play out to the end, or to the cutoff and evaluate ---------------------------

    cdef void play_out(self, Tree t) noexcept nogil:
        cdef Flight* flight = self.flight
        cdef int64_t t0 = now() if t.profiling else 0, t1
        if self.to_play:
            self.work.play(self.last)
        if flight.leaf:
            if flight.leaf_in_shadow:
                self.grow_leaf(t, self.shadow)
                if t.params.redeterminize == STAY_IN_WORLD:
                    self.work.copy_from(self.shadow)
            else:
                self.grow_leaf(t, self.work)
            if flight.trace != NULL:
                self.note_move(flight.leaf_actor, flight.leaf_choice)
            self.work.play(flight.leaf_choice)
            if t.profiling:
                t1 = now()
                self.tally.clock.expand += t1 - t0
                t0 = t1
        if t.params.minimax > 0.0:
            if self.work.actor() == TERMINAL:
                self.work.result(flight.heuristic, flight.score)
            else:
                self.work.evaluate(flight.heuristic, flight.score)
        if t.params.table:
            flight.played = self.play_by_table(t)
        else:
            flight.played = self.work.playout(&self.rng, &t.params.playout, self.moves, flight.win, flight.score)
        blend_reward(flight.win, flight.score, t.origin.players, t.params.blend, t.params.tau, flight.reward)
        if t.profiling:
            self.tally.clock.playout += now() - t0

    cdef void grow_leaf(self, Tree t, GameState s) noexcept nogil:
        """List the leaf's moves, best prior first, and choose one: the best that no other flight is trying."""
        cdef Flight* flight = self.flight
        cdef int i, j, k, pick = 0, ties = 0, width
        cdef float prior, best = -1.0
        cdef move_t code
        k = s.candidates(flight.leaf_moves)
        if t.only and flight.leaf == t.root_node:
            flight.leaf_moves[0] = t.only_move
            k = 1
        if t.params.decisive and k > 1 and (s.has_sure_win or flight.leaf_exact):
            i = self.sure_win(s, flight.leaf_moves, k, flight.leaf_actor)
            if i >= 0:
                flight.leaf_moves[0] = flight.leaf_moves[i]
                k = 1
        flight.leaf_k = k
        s.priors(flight.leaf_moves, k, flight.leaf_prior)
        width = k if flight.leaf_width >= k else <int> flight.leaf_width
        if flight.leaf_rank == 0 and width == k:
            for i in range(k):
                if flight.leaf_prior[i] > best:
                    best = flight.leaf_prior[i]
                    pick = i
                    ties = 1
                elif flight.leaf_prior[i] == best:
                    ties += 1
                    if rng_below(&self.rng, ties) == 0:
                        pick = i
        flight.leaf_choice = flight.leaf_moves[pick]
        for i in range(1, k):           # insertion sort: stable, and lists are short
            prior = flight.leaf_prior[i]
            code = flight.leaf_moves[i]
            j = i
            while j > 0 and flight.leaf_prior[j - 1] < prior:
                flight.leaf_prior[j] = flight.leaf_prior[j - 1]
                flight.leaf_moves[j] = flight.leaf_moves[j - 1]
                j -= 1
            flight.leaf_prior[j] = prior
            flight.leaf_moves[j] = code
        if flight.leaf_rank or width < k:
            flight.leaf_choice = flight.leaf_moves[flight.leaf_rank % width]

    cdef int play_by_table(self, Tree t) noexcept nogil:
        """The common loop of `GameState.playout`, with moves by what was good elsewhere."""
        cdef Flight* flight = self.flight
        cdef const PlayoutParams* limits = &t.params.playout
        cdef const Worth* worth = t.frozen[self.table]
        cdef const Worth* pairs = t.frozen_pairs[self.table]
        cdef const Worth* pair
        cdef bint limited = limits.cutoff >= 0 and self.work.has_evaluation
        cdef int turns = 0, moves = 0, last = -9, seat, mark, n, i, ties, pick
        cdef double value, best
        cdef move_t code, before
        while True:
            seat = self.work.actor()
            if seat == TERMINAL or self.work.failed:
                self.work.result(flight.win, flight.score)
                return moves
            if seat == CHANCE:
                self.work.play(self.work.sample(&self.rng))
                continue
            mark = self.work.turn()
            if mark < 0:
                mark = seat
            if mark != last:
                if limited and turns >= limits.cutoff:
                    self.work.evaluate(flight.win, flight.score)
                    return moves
                turns += 1
                last = mark
            moves += 1
            n = self.work.candidates(self.moves)
            if limits.informed and rng_below(&self.rng, 100) < <uint32_t> limits.informed:
                code = self.work.playout_move(self.moves, n, &self.rng)
            elif rng_uniform(&self.rng) < t.params.table_noise:
                code = self.moves[rng_below(&self.rng, <uint32_t> n)]
            else:
                before = flight.trace[flight.traced - 1].code if flight.traced else 0
                best = -1.0
                pick = 0
                ties = 0
                for i in range(n):
                    value = mean_worth(&worth[move_slot(seat, self.moves[i])])
                    if pairs != NULL:
                        pair = &pairs[pair_slot(seat, before, self.moves[i])]
                        if pair.n >= TABLE_TRUST:
                            value = 0.5 * (value + mean_worth(pair))
                    if value > best:
                        best = value
                        pick = i
                        ties = 1
                    elif value == best:
                        ties += 1
                        if rng_below(&self.rng, ties) == 0:
                            pick = i
                code = self.moves[pick]
            self.note_move(seat, code)
            self.work.play(code)

    cdef void note_move(self, int seat, move_t code) noexcept nogil:
        cdef Flight* flight = self.flight
        if flight.traced < MAX_TRACE:
            flight.trace[flight.traced].code = code
            flight.trace[flight.traced].before = flight.trace[flight.traced - 1].code if flight.traced else 0
            flight.trace[flight.traced].seat = seat
            flight.traced += 1

    # ---- Step 5. Back up each mover's own reward ----------------------------------------------

    cdef void back_up(self, Tree t, Flight* flight) noexcept nogil:
        cdef int64_t t0 = now() if t.profiling else 0
        cdef const double* u = flight.reward
        cdef int i
        self.flight = flight
        self.apart = t.apart
        for i in range(flight.depth):
            if i:
                self.go_deeper(t)
            self.credit_step(t, &flight.path[i])
        if flight.leaf:
            if flight.depth:
                self.go_deeper(t)
            i = flight.depth
            self.plant_leaf(t)
            if flight.depth > i:
                self.credit_step(t, &flight.path[i])
        if t.params.minimax > 0.0:
            self.back_up_heuristic(t)
        for i in range(flight.traced):
            credit(&t.worth[move_slot(flight.trace[i].seat, flight.trace[i].code)], u[flight.trace[i].seat])
            if t.pairs != NULL:
                credit(&t.pairs[pair_slot(flight.trace[i].seat, flight.trace[i].before, flight.trace[i].code)],
                       u[flight.trace[i].seat])
        self.tally.playout_moves += flight.played
        self.tally.depth_sum += flight.depth
        if flight.depth > self.tally.depth_max:
            self.tally.depth_max = flight.depth
        self.tally.depths[flight.depth if flight.depth < DEPTH_BINS else DEPTH_BINS - 1] += 1
        if t.profiling:
            self.tally.clock.backup += now() - t0

    cdef void credit_step(self, Tree t, const Step* step) noexcept nogil:
        """Give the edge of one decision its mover's reward; the lock of its level is held."""
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef const double* u = flight.reward
        cdef double worth = worth_to(&t.params, t.seat, u, step.actor)
        cdef RootTotal* total
        cdef int i
        if step.bid >= 0:
            self.back_up_bid(t, step, worth)
        a.edge[a.node[step.node].first + step.offset].w += <int64_t> (worth * ONE + 0.5) - step.expected
        if step.node == t.root_node:
            total = &t.root_total[step.offset]
            total.n += 1
            total.square += u[t.seat] * u[t.seat]
            for i in range(t.origin.players):
                total.reward[i] += u[i]
                total.win[i] += flight.win[i]

    cdef void plant_leaf(self, Tree t) noexcept nogil:
        """Give the leaf its edges, unless another flight was first, and make the choice part of the path."""
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef Node* node = &a.node[flight.leaf]
        cdef Step* step
        cdef int i, k = flight.leaf_k
        cdef int width = k if flight.leaf_width >= k else <int> flight.leaf_width
        if node.n_edges == 0:
            if node.first == 0:
                reserve_edges(a, flight.leaf, width, flight.hand)
            for i in range(width):
                if add_edge(a, flight.leaf, flight.leaf_moves[i], flight.leaf_prior[i], flight.hand) == 0:
                    break
            if flight.leaf_exact and node.n_edges == k:
                complete_node(a, node, node.n)
        elif flight.leaf_exact:
            for i in range(node.n_edges):
                a.edge[node.first + i].available += 1
        else:
            self.match_edges(a, node, flight.leaf_moves, k)
            for i in range(k):
                if self.match[i]:
                    a.edge[self.match[i]].available += 1
        for i in range(k):              # the node may have grown for others, in another world, without this move
            if flight.leaf_moves[i] == flight.leaf_choice and not has_edge(a, node, flight.leaf_choice):
                add_edge(a, flight.leaf, flight.leaf_choice, flight.leaf_prior[i], flight.hand)
        for i in range(node.n_edges):
            if a.edge[node.first + i].code == flight.leaf_choice:
                a.edge[node.first + i].n += 1
                step = &flight.path[flight.depth]
                step.node = flight.leaf
                step.offset = i
                step.actor = flight.leaf_actor
                step.bid = -1
                step.by_chance = True
                step.expected = 0
                flight.depth += 1
                return

    cdef void back_up_bid(self, Tree t, const Step* step, double u) noexcept nogil:
        """Learn from the outcome of a hidden choice, weighted by how likely the choice was.

        Only what it is beyond the mean so far is weighted: choices that matter little would drown in the noise else.
        """
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef const BidStep* bid = &flight.bids[step.bid]
        cdef uint32_t first = a.node[step.node].first
        cdef uint64_t total = 0
        cdef int64_t sum_w = 0
        cdef int i
        for i in range(a.node[step.node].n_edges):
            total += a.edge[first + i].n
            sum_w += a.edge[first + i].w
        if total:
            u -= <double> sum_w / ONE / total
        if t.params.bids != BIDS_EXP3:
            for i in range(a.node[step.node].n_edges):
                if i < 256 and bid.available[i >> 6] >> (i & 63) & 1:
                    a.bid[first + i].regret -= u
        a.bid[first + step.offset].regret += u / bid.chance

    cdef void back_up_heuristic(self, Tree t) noexcept nogil:
        """Back up the leaf's evaluation: means over chance, the mover's best elsewhere."""
        cdef Flight* flight = self.flight
        cdef Arena* a = &t.arena
        cdef int seats = a.seats
        cdef float* mine
        cdef float* row
        cdef const Node* node
        cdef int i, j, s
        cdef double n
        cdef double value[MAX_SEATS]
        cdef double top
        for s in range(seats):
            value[s] = flight.heuristic[s]
        for i in range(flight.depth - 1, -1, -1):
            node = &a.node[flight.path[i].node]
            mine = &a.heuristic[<uint64_t> (node.first + flight.path[i].offset) * seats]
            n = a.edge[node.first + flight.path[i].offset].n
            for s in range(seats):
                if mine[s] < 0.0 or not flight.path[i].by_chance:
                    mine[s] = <float> value[s]
                else:
                    mine[s] += <float> ((value[s] - mine[s]) / n)
            top = -1.0
            for j in range(node.n_edges):
                row = &a.heuristic[<uint64_t> (node.first + j) * seats]
                if a.edge[node.first + j].n and row[flight.path[i].actor] > top:
                    top = row[flight.path[i].actor]
                    for s in range(seats):
                        value[s] = row[s]
