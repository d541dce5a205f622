"""Single-tree information set Monte Carlo tree search (SO-ISMCTS).

With nothing hidden it is plain UCT. Nodes are decisions as the searching seat can tell them apart: what
it saw between two decisions is folded into a hash that picks the child, so keyed ("closed loop") and
averaged ("open loop") chance events are the same code. Iteration i draws from its own stream, seeded
by (seed, i): it sees the same world whatever ran before it.

References
----------
P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4:2 (2012).
C. Rosin, "Multi-armed bandits with episode context" (2011), for PUCT.
"""

import time

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport log, pow, sqrt
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from sfida.cython_ext.arena cimport (
    NODE_COMPLETE, ONE, Edge, Node, add_edge, arena_bytes, arena_clear, arena_free, arena_init,
    child_key, find_child, make_child, new_node,
)
from sfida.cython_ext.reward cimport blend as blend_reward
from sfida.cython_ext.rng cimport Random, mix64, rng_below, rng_seed
from sfida.cython_ext.state cimport CHANCE, TERMINAL, View


class SearchError(RuntimeError):
    """A contract violation found during a search: the message has what is needed to repeat it."""


cdef inline int64_t now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <int64_t> t.tv_sec * 1000000000 + t.tv_nsec


cdef inline uint32_t hash_slot(move_t code) noexcept nogil:
    return <uint32_t> ((code * <uint64_t> 0x9E3779B97F4A7C15) >> 52)


cdef class Search:
    """One search tree for one seat.

    Parameters
    ----------
    view : View
        What the seat may see; it must be the seat's turn.
    seed : int
        64-bit seed of all random choices.
    c : float
        Exploration constant of UCB1 (without priors).
    c_prior : float
        Exploration constant of PUCT (with priors).
    fpu : float
        An unvisited edge counts as the mean of its node less this (with priors).
    blend, tau : float
        Weight of the score margin in the reward, and its scale in points.
    priors : bool
        Use the game's priors where it has them.
    widen_base, widen_factor, widen_power : float
        A node may have base + factor * visits ** power edges, opened in order of prior.
    expand_at : int
        Visits a node waits before it grows edges.
    chance_depth : int
        Chance events keyed by their outcome on one path, the deeper ones are averaged; -1: all keyed.
    cutoff : int
        Turns a playout lasts before the position is evaluated; -1: to the end.
    informed : int
        Percentage of playout moves chosen by the game's own policy.
    memory : int
        Megabytes the tree may take.
    cheat : bool
        Search the state as it is, without determinization (only with `View.unredacted`).
    profiling : bool
        Measure the time of each step.

    Raises
    ------
    ValueError
        If it is not the seat's turn.
    MemoryError
    """

    def __cinit__(self):
        memset(&self.arena, 0, sizeof(Arena))

    def __init__(self, View view not None, uint64_t seed=0, *, double c=0.7, double c_prior=1.0,
                 double fpu=0.1, double blend=0.0, double tau=10.0, bint priors=False,
                 double widen_base=1e9, double widen_factor=0.0, double widen_power=0.5,
                 int expand_at=0, int chance_depth=-1, int cutoff=-1, int informed=0,
                 int memory=64, bint cheat=False, bint profiling=False):
        if view.state.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        if cheat and view.redacted:
            raise ValueError("only an unredacted view can be searched without determinization")
        self.view = view
        self.seat = view.seat
        self.seed = seed
        self.origin = view.state
        self.work = view.state.clone()
        self.params.c = c
        self.params.c_prior = c_prior
        self.params.fpu = fpu
        self.params.blend = blend
        self.params.tau = tau
        self.params.use_priors = priors and view.state.has_priors
        self.params.widen_base = widen_base
        self.params.widen_factor = widen_factor
        self.params.widen_power = widen_power
        self.params.expand_at = expand_at
        self.params.chance_depth = chance_depth
        self.params.cheat = cheat
        self.params.playout.cutoff = cutoff if view.state.has_evaluation else -1
        self.params.playout.informed = informed
        self.profiling = profiling
        if arena_init(&self.arena, <uint64_t> memory << 20) != 0:
            raise MemoryError(f"cannot allocate {memory} MB for the search tree")
        cdef int n = view.state.max_legal
        if n > SCRATCH // 2:
            raise ValueError(f"the search handles at most {SCRATCH // 2} legal moves, the game declares {n}")
        self.moves = <move_t*> malloc(n * sizeof(move_t))
        self.prior = <float*> malloc(n * sizeof(float))
        self.match = <uint32_t*> malloc(n * sizeof(uint32_t))
        self.slot_stamp = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        self.slot_edge = <uint32_t*> calloc(SCRATCH, sizeof(uint32_t))
        if (self.moves == NULL or self.prior == NULL or self.match == NULL or self.slot_stamp == NULL
                or self.slot_edge == NULL):
            raise MemoryError()
        self.plant()

    cdef int plant(self) except -1:
        """Start an empty tree at the root."""
        self.root_room = self.origin.max_legal
        free(self.root_total)
        self.root_total = <RootTotal*> calloc(self.root_room, sizeof(RootTotal))
        if self.root_total == NULL:
            raise MemoryError()
        self.root_node = new_node(&self.arena, self.seat)
        self.inherited = 0
        return 0

    def __dealloc__(self):
        arena_free(&self.arena)
        free(self.moves)
        free(self.prior)
        free(self.match)
        free(self.slot_stamp)
        free(self.slot_edge)
        free(self.root_total)

    # ---- one iteration ------------------------------------------------------------------------

    cdef void iterate(self) noexcept nogil:
        cdef Arena* a = &self.arena
        cdef Rng rng
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef double u[MAX_SEATS]
        cdef uint32_t v = self.root_node
        cdef uint32_t last_node = 0, e = 0, child
        cdef Edge* edge = NULL
        cdef uint64_t history = 0, label, key
        cdef int depth = 0, chances = 0, actor, i, seats = self.origin.players
        cdef bint fresh = False
        cdef bint exact = not self.work.hidden  # the legal set here is the same in every iteration
        cdef int64_t t0 = 0, t1
        cdef int64_t expand0 = self.clock.expand
        cdef move_t move
        cdef RootTotal* total

        # Step 1. Determinize: a world the seat cannot tell from the true one
        if self.profiling:
            t0 = now()
        rng_seed(&rng, mix64(self.seed, self.done))
        self.work.copy_from(self.origin)
        if not self.params.cheat:
            self.work.resample(self.seat, &rng)
        if self.profiling:
            t1 = now()
            self.clock.determinize += t1 - t0
            t0 = t1

        # Step 2. Select: walk down by availability, folding what the seat sees into the history
        while True:
            actor = self.work.actor()
            if actor == TERMINAL or self.work.failed:
                break
            if actor == CHANCE:
                self.work.play(self.work.sample(&rng))
                chances += 1
                if self.params.chance_depth >= 0 and chances > self.params.chance_depth:
                    exact = False
                    continue
                label = self.work.event_label(self.seat)
                if label:
                    history = mix64(history, label)
                else:
                    exact = False
                continue
            if depth:
                edge = &a.edge[e]
                key = child_key(last_node, edge.code, mix64(history, <uint64_t> actor))
                child = find_child(a, edge, key)
                if child == 0:
                    # Step 3. Expand: a second visit turns the edge's end into a node
                    child = 0 if a.full else make_child(a, edge, key, actor)
                    if child == 0:
                        break
                v = child
                history = 0
                if a.node[v].n < <uint32_t> self.params.expand_at:
                    a.node[v].n += 1
                    break
            if depth >= MAX_DEPTH:
                break
            e = self.select(v, actor, exact, &rng, &fresh)
            if e == 0:
                a.node[v].n += 1        # no room for an edge: play out from here
                break
            self.path[depth].node = v
            self.path[depth].edge = e
            self.path[depth].actor = actor
            depth += 1
            last_node = v
            move = a.edge[e].code
            self.work.play(move)
            if not exact:
                label = self.work.event_label(self.seat)
                if label:
                    history = mix64(history, label)
                if actor != self.seat:  # in one tree the mover's own view of an unseen move still splits it
                    label = self.work.event_label(actor)
                    if label:
                        history = mix64(history, label)
            if fresh:
                break
        self.depth_sum += depth
        if depth > self.depth_max:
            self.depth_max = depth
        if self.profiling:
            t1 = now()
            self.clock.select += t1 - t0 - (self.clock.expand - expand0)
            t0 = t1

        # Step 4. Play out to the end, or to the cutoff and evaluate
        self.work.playout(&rng, &self.params.playout, self.moves, win, score)
        blend_reward(win, score, seats, self.params.blend, self.params.tau, u)
        if self.profiling:
            t1 = now()
            self.clock.playout += t1 - t0
            t0 = t1

        # Step 5. Back up each mover's own reward
        for i in range(depth):
            a.node[self.path[i].node].n += 1
            edge = &a.edge[self.path[i].edge]
            edge.n += 1
            edge.w += <int64_t> (u[self.path[i].actor] * ONE + 0.5)
        if depth:
            total = &self.root_total[self.path[0].edge - a.node[self.root_node].first]
            total.n += 1
            total.square += u[self.seat] * u[self.seat]
            for i in range(seats):
                total.reward[i] += u[i]
                total.win[i] += win[i]
        self.done += 1
        if self.profiling:
            self.clock.backup += now() - t0

    cdef uint32_t select(self, uint32_t v, int actor, bint exact, Rng* rng, bint* fresh) noexcept nogil:
        """Pick an edge of node v among the moves available now, creating edges that are due; 0: no room."""
        cdef Arena* a = &self.arena
        cdef Node* node = &a.node[v]
        cdef Edge* edge
        cdef uint32_t e = 0, best_edge = 0
        cdef int i, _j, k, found, due, pick
        cdef int ties = 0
        cdef uint64_t total = 0
        cdef int64_t sum_w = 0
        cdef double q, bonus, value, best = -1e300, base, width
        cdef float top
        cdef bint listed = False
        cdef int64_t t0 = 0
        fresh[0] = False

        if exact and node.size_class & NODE_COMPLETE:
            k = node.n_edges
            for i in range(k):
                a.edge[node.first + i].available += 1
        else:
            if self.profiling:
                t0 = now()
            # match the moves available now with the edges
            k = self.work.candidates(self.moves)
            listed = True
            found = self.match_edges(node, k)
            for i in range(k):          # before a new edge may move them
                if self.match[i]:
                    a.edge[self.match[i]].available += 1
            if self.params.widen_base >= k:
                width = k
            else:
                width = self.params.widen_base + self.params.widen_factor * pow(node.n, self.params.widen_power)
            due = (k if width >= k else <int> width) - found
            if due > 0 and not a.full:
                if self.params.use_priors:
                    self.work.priors(self.moves, k, self.prior)
                    for _j in range(due):
                        pick = -1
                        top = -1.0
                        for i in range(k):
                            if self.match[i] == 0 and self.prior[i] > top:
                                top = self.prior[i]
                                pick = i
                        if pick < 0 or add_edge(a, v, self.moves[pick], self.prior[pick]) == 0:
                            break
                        self.match[pick] = 1
                    found = self.match_edges(node, k)
                    if exact and found == k:
                        node.size_class |= NODE_COMPLETE
                else:
                    pick = rng_below(rng, k - found)
                    for i in range(k):
                        if self.match[i] == 0:
                            if pick == 0:
                                e = add_edge(a, v, self.moves[i], 0.0)
                                break
                            pick -= 1
                    if e:
                        if exact and found + 1 == k:
                            node.size_class |= NODE_COMPLETE
                        if self.profiling:
                            self.clock.expand += now() - t0
                        fresh[0] = True
                        return e
            if self.profiling:
                self.clock.expand += now() - t0
            if found == 0:
                return 0

        if self.params.use_priors:
            for i in range(k):
                e = self.match[i] if listed else node.first + i
                if e:
                    total += a.edge[e].n
                    sum_w += a.edge[e].w
            base = (<double> sum_w / ONE / total if total else 0.5) - self.params.fpu
            bonus = self.params.c_prior * sqrt(<double> total + 1.0)
            for i in range(k):
                e = self.match[i] if listed else node.first + i
                if e == 0:
                    continue
                edge = &a.edge[e]
                q = <double> edge.w / ONE / edge.n if edge.n else base
                value = q + bonus * edge.prior / (1.0 + edge.n)
                if value > best:
                    best = value
                    best_edge = e
                    ties = 1
                elif value == best:
                    ties += 1
                    if rng_below(rng, ties) == 0:
                        best_edge = e
            fresh[0] = a.edge[best_edge].n == 0
            return best_edge
        for i in range(k):
            e = self.match[i] if listed else node.first + i
            if e == 0:
                continue
            edge = &a.edge[e]
            value = (<double> edge.w / ONE / edge.n
                     + self.params.c * sqrt(log(<double> edge.available) / edge.n))
            if value > best:
                best = value
                best_edge = e
                ties = 1
            elif value == best:
                ties += 1
                if rng_below(rng, ties) == 0:
                    best_edge = e
        return best_edge

    cdef int match_edges(self, const Node* node, int k) noexcept nogil:
        """Write each listed move's edge into `match` (0: none) and return how many have one."""
        cdef Arena* a = &self.arena
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
            slot = hash_slot(self.moves[i])
            self.match[i] = 0
            while self.slot_stamp[slot] == self.stamp:
                e = self.slot_edge[slot]
                if a.edge[e].code == self.moves[i]:
                    self.match[i] = e
                    found += 1
                    break
                slot = (slot + 1) & (SCRATCH - 1)
        return found

    cdef int64_t run_slice(self, int64_t n, int64_t target) noexcept nogil:
        """Run up to n iterations; returns how many ran.

        With a positive target (root visits) it sets `decided` as soon as no move can be overtaken before.
        """
        cdef const Node* node = &self.arena.node[self.root_node]
        cdef int64_t i
        for i in range(n):
            if self.work.failed or (self.cancelled and node.n_edges):   # a search ends with a move to play
                return i
            self.iterate()
            # asked at fixed iterations, so that slices, which depend on the clock, change nothing
            if self.done & 63 == 0 and node.n < target and self.ahead() > target - node.n:
                self.decided = 1
                return i + 1
        return n

    cdef int64_t ahead(self) noexcept nogil:
        """Visits the most visited root move is ahead of the second."""
        cdef const Node* node = &self.arena.node[self.root_node]
        cdef uint32_t first = 0, second = 0, n
        cdef int i
        for i in range(node.n_edges):
            n = self.arena.edge[node.first + i].n
            if n > first:
                second = first
                first = n
            elif n > second:
                second = n
        return first - second

    # ---- running and reading ------------------------------------------------------------------

    def run(self, iterations=None, seconds=None, callback=None, bint early_stop=False):
        """Search until a budget is spent, whichever ends first.

        Parameters
        ----------
        iterations : int, optional
            Visits the root shall have in all, those inherited from an earlier search included.
        seconds : float, optional
            Wall-clock seconds.
        callback : callable, optional
            Called between slices, at most ten times a second, with this search.
        early_stop : bool
            Stop when the most visited move can no longer be overtaken within the budget.

        Returns
        -------
        str
            Why it stopped: "iterations", "seconds", "decided" or "cancelled".
        """
        cdef int64_t chunk = 16
        cdef int64_t left
        cdef int64_t ran
        cdef int64_t target = iterations if early_stop and iterations is not None else 0
        if iterations is None and seconds is None:
            raise ValueError("a search needs a budget: iterations or seconds")
        self.cancelled = 0
        self.decided = 0
        start = time.perf_counter()
        reported = start
        count = 0
        while True:
            elapsed = time.perf_counter() - start
            if seconds is not None and elapsed >= seconds and self.arena.node[self.root_node].n_edges:
                return "seconds"
            left = chunk
            if iterations is not None:
                remaining = iterations - self.visits
                if remaining <= 0:
                    return "iterations"
                left = min(left, remaining)
            with nogil:
                ran = self.run_slice(left, target)
            PyErr_CheckSignals()
            self.work.raise_failure()
            count += ran
            if self.cancelled:
                return "cancelled"
            elapsed = time.perf_counter() - start
            rate = count / elapsed if elapsed > 0 else 1e9
            chunk = max(1, min(int(rate * 0.02), 20000))
            if seconds is not None:
                chunk = max(1, min(chunk, int(rate * max(seconds - elapsed, 0.0)) + 1))
            if callback is not None and time.perf_counter() - reported >= 0.1:
                reported = time.perf_counter()
                callback(self)
            if self.decided:
                return "decided"
            if early_stop and seconds is not None and self.ahead() > (seconds - elapsed) * rate * 1.1:
                return "decided"

    def cancel(self):
        """Stop a running search after the current iteration; may be called from another thread."""
        self.cancelled = 1

    def lead(self):
        """Return how many visits the most visited root move is ahead of the second."""
        return self.ahead()

    @property
    def visits(self):
        """Visits of the root, inherited ones included."""
        return self.arena.node[self.root_node].n

    @property
    def iterations(self):
        """Iterations this object ran in all."""
        return self.done

    @property
    def arena_full(self):
        """True when the memory cap stopped the tree from growing."""
        return bool(self.arena.full)

    def root_edges(self):
        """Return the root's edges.

        Returns
        -------
        list of dict
            move, visits, availability, reward (mean of the searching seat), deviation (of its rewards),
            value (mean win share per seat) and prior, most visited first.
        """
        cdef Arena* a = &self.arena
        cdef Node* node = &a.node[self.root_node]
        cdef Edge* edge
        cdef RootTotal* total
        cdef int i, p
        cdef double mean, n
        out = []
        for i in range(node.n_edges):
            edge = &a.edge[node.first + i]
            total = &self.root_total[i]
            n = total.n if total.n else 1.0
            mean = total.reward[self.seat] / n
            reward = <double> edge.w / ONE / edge.n if edge.n else 0.0
            if total.n:
                value = [total.win[p] / n for p in range(self.origin.players)]
            else:                       # visited only before it became the root
                value = [(1.0 - reward) / max(1, self.origin.players - 1)] * self.origin.players
                value[self.seat] = reward
            out.append({
                "move": edge.code,
                "visits": edge.n,
                "availability": edge.available,
                "reward": reward,
                "deviation": sqrt(max(0.0, total.square / n - mean * mean)) if total.n > 1 else 0.5,
                "value": value,
                "prior": edge.prior,
            })
        out.sort(key=lambda row: (-row["visits"], row["move"]))
        return out

    def root(self):
        """Return (move, visits, availability, mean reward of the searching seat) of the root's edges."""
        return [(row["move"], row["visits"], row["availability"], row["reward"])
                for row in self.root_edges()]

    def line(self, move, int length=8):
        """Return the moves the tree expects from a root move on, chance outcomes included.

        Parameters
        ----------
        move : int
            A root move.
        length : int
            Entries at most.

        Returns
        -------
        list of (GameState, int)
            The state before each move, and the move; most visited children first, as long as they have
            at least two visits.
        """
        cdef GameState s
        cdef uint32_t v = self.root_node, e, child
        cdef Arena* a = &self.arena
        cdef Edge* edge
        cdef uint64_t history, label
        cdef int i, actor, chances = 0
        cdef bint exact = not self.origin.hidden
        s = self.view.sample(Random(self.seed)) if not self.params.cheat else self.origin.clone()
        out = []
        code = move
        while len(out) < length:
            e = 0
            for i in range(a.node[v].n_edges):
                if a.edge[a.node[v].first + i].code == <move_t> code:
                    e = a.node[v].first + i
            if code not in s.legal_moves():
                break
            out.append((s.clone(), code))
            actor = s.actor()
            s.play(code)
            if e == 0:
                break
            history = 0
            if not exact:
                label = s.event_label(self.seat)
                if label:
                    history = mix64(history, label)
                if actor != self.seat:
                    label = s.event_label(actor)
                    if label:
                        history = mix64(history, label)
            steps, child, s, exact, chances = self.follow_chance(v, e, s, history, exact, chances, chances + 4)
            if child == 0 or a.node[child].n < 2:
                break
            out.extend(steps)
            v = child
            best = 0
            code = -1
            legal = set(s.legal_moves())
            for i in range(a.node[v].n_edges):
                edge = &a.edge[a.node[v].first + i]
                if edge.n > best and edge.code in legal:
                    best = edge.n
                    code = edge.code
            if code < 0:
                break
        return out[:length]

    cdef tuple follow_chance(self, uint32_t v, uint32_t e, GameState s, uint64_t history, bint exact,
                             int chances, int most):
        """Follow the most visited outcomes until the next decision, as `iterate` folds them.

        Returns (steps, child node, state, exact, chance events on the path so far).
        """
        cdef GameState trial
        cdef uint64_t key, label, h
        cdef uint32_t child
        cdef bint kept
        cdef int actor = s.actor()
        if actor == TERMINAL or chances > most:
            return [], 0, s, exact, chances
        if actor != CHANCE:
            key = child_key(v, self.arena.edge[e].code, mix64(history, <uint64_t> actor))
            return [], find_child(&self.arena, &self.arena.edge[e], key), s, exact, chances
        best = ([], 0, s, exact, chances)
        visits = 0
        for outcome, _ in s.chance_outcomes():
            trial = s.clone()
            trial.play(outcome)
            h = history
            kept = False
            if self.params.chance_depth < 0 or chances < self.params.chance_depth:
                label = trial.event_label(self.seat)
                if label:
                    h = mix64(h, label)
                    kept = exact
            steps, child, after, then, count = self.follow_chance(v, e, trial, h, kept, chances + 1, most)
            if child and self.arena.node[child].n > visits:
                visits = self.arena.node[child].n
                best = ([(s, outcome), *steps], child, after, then, count)
        return best

    def advance(self, move, View view not None):
        """Make the position after one of the root's moves the new root, keeping its subtree.

        Only for a further decision of the same seat with nothing revealed in between.

        Returns
        -------
        bool
            False when the tree does not hold that position (the search is unchanged).
        """
        cdef Arena* a = &self.arena
        cdef uint32_t e = 0, child
        cdef uint64_t history = 0, label
        cdef int i
        cdef GameState s = self.origin.clone()
        if view.seat != self.seat or view.state.actor() != self.seat or s.actor() != self.seat:
            return False
        for i in range(a.node[self.root_node].n_edges):
            if a.edge[a.node[self.root_node].first + i].code == <move_t> move:
                e = a.node[self.root_node].first + i
        if e == 0 or move not in s.legal_moves():
            return False
        s.play(move)
        if s.to_bytes() != view.state.to_bytes():
            return False
        if self.origin.hidden:
            label = s.event_label(self.seat)
            if label:
                history = mix64(history, label)
        child = find_child(a, &a.edge[e], child_key(self.root_node, a.edge[e].code,
                                                    mix64(history, <uint64_t> self.seat)))
        if child == 0 or a.node[child].n_edges == 0:
            return False
        self.root_node = child
        self.origin = view.state
        self.view = view
        self.inherited = a.node[child].n
        memset(self.root_total, 0, self.root_room * sizeof(RootTotal))
        return True

    def fits(self, View view not None):
        """True when this search's memory can be reused for `view`: the same game with the same options."""
        return type(view.state) is type(self.origin) and view.state.game == self.origin.game

    def restart(self, View view not None, uint64_t seed):
        """Forget the tree and start at another view of the same game, reusing the memory."""
        if view.state.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        arena_clear(&self.arena)
        self.view = view
        self.seat = view.seat
        self.origin = view.state
        self.seed = seed
        self.done = 0
        self.depth_sum = 0
        self.depth_max = 0
        memset(&self.clock, 0, sizeof(Clock))
        self.plant()

    def statistics(self):
        """Return figures about the tree and the time spent.

        Returns
        -------
        dict
            nodes, edges, tree_bytes, bytes_per_node (per node and edge pair), depth_mean, depth_max, share
            (of the time, by step; only when profiling), arena_full.
        """
        cdef Arena* a = &self.arena
        used = arena_bytes(a)
        spent = {"determinize": self.clock.determinize, "select": self.clock.select,
                 "expand": self.clock.expand, "playout": self.clock.playout, "backup": self.clock.backup}
        total = sum(spent.values())
        return {
            "nodes": a.n_edges + 1,     # every edge leads to a node; one visited once lives in its edge
            "decision_nodes": a.n_nodes - 1,
            "edges": a.n_edges,
            "tree_bytes": used,
            "bytes_per_node": used / (a.n_edges + 1),
            "map_load": a.n_map / (a.map_mask + 1.0),
            "arena_load": a.edge_top / <double> a.edge_cap,
            "depth_mean": self.depth_sum / <double> max(1, self.done),
            "depth_max": self.depth_max,
            "share": {k: t / total for k, t in spent.items()} if total else None,
            "playout_us": self.clock.playout / 1000.0 / max(1, self.done),
            "arena_full": bool(a.full),
        }

    def check_tree(self):
        """Check the invariants of the tree; raise AssertionError on a violation."""
        cdef Arena* a = &self.arena
        cdef uint32_t v
        cdef uint64_t total
        cdef int i
        cdef Edge* edge
        for v in range(1, a.n_nodes):
            total = 0
            for i in range(a.node[v].n_edges):
                edge = &a.edge[a.node[v].first + i]
                assert edge.n <= edge.available or self.params.use_priors, "more visits than availability"
                assert 0 <= edge.w <= <int64_t> edge.n * ONE, "a mean reward left [0, 1]"
                total += edge.n
            assert total <= a.node[v].n, "more edge visits than node visits"
            if not a.full:
                assert a.node[v].n - total <= <uint64_t> self.params.expand_at, "visits were lost"
