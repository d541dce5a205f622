"""Information set Monte Carlo tree search: one tree (SO) or one tree per seat (MO), on one thread or many.

With nothing hidden it is plain UCT. Nodes are decisions as the tree's owner can distinguish them: the
observations between two decisions are folded into a hash that picks the child, so keyed ("closed loop") and averaged
("open loop") chance events share the same code. Iteration i draws from its own stream, seeded by (seed, i).

This module has the budgets, the results of a search, and the subtree kept for the next decision; `shared_tree` has
the threads, `iteration` the steps of an iteration, `arena` the memory, `parameters` the parameters.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.rng cimport Random
from sfida.cython_ext.search.arena cimport (
    ONE, Arena, Edge, Node, arena_bytes, availability, child_key, count_edges, find_child, release
)
from sfida.cython_ext.search.choosing cimport RootMove, put_in_order
from sfida.cython_ext.search.iteration cimport (
    BRANCH_BINS, DEPTH_BINS, DETERMINIZE, SCRATCH, WORLD_MOVES, RootTotal, SearchThread, Seen, Stage, Tally, Tree,
    biased_value, decide, fold_event, last_decision, stage_at_root
)
from sfida.cython_ext.search.params cimport MAX_BATCH
from sfida.cython_ext.search.shared_tree cimport EXPECTED, SharedTree
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, TERMINAL, GameState, View, move_t

from sfida.cython_ext.measure import awake


cdef int64_t SLICE = 20_000_000         # nanoseconds between checks of signals and the clock
cdef int64_t REPORT_EVERY = 50_000_000     # nanoseconds
cdef int MOST_CHANCES = 4               # chance events between two decisions whose outcomes an expected line follows


cdef class Search(SharedTree):
    """One search for one seat.

    Parameters
    ----------
    view : View
        What the seat may see; it must be the seat's turn.
    seed : int
        64-bit seed of all random choices.
    multiple : bool
        One tree per seat; opponents' roots are distinguished by `private_bucket`. Without hidden information all seats
        see the same, and a single tree is grown.
    world : GameState, optional
        Search this world, visible to every seat, instead of drawing a new one for each iteration.
    worlds : list of GameState, optional
        Draw worlds from this list, in turn.
    cheat : bool
        Search the state as it is, without determinization (only with `View.unredacted`).
    profiling : bool
        Measure the time of each step.
    **parameters
        See `sfida.cython_ext.search.parameters` for the meanings, ranges and defaults.

    Raises
    ------
    TypeError
        If there is no such parameter.
    ValueError
        If it is not the seat's turn, or a parameter is invalid.
    MemoryError
    """

    def __init__(self, View view not None, uint64_t seed=0, *, bint multiple=False, GameState world=None, worlds=None,
                 bint cheat=False, bint profiling=False, **parameters):
        cdef GameState origin = view.state if world is None else world
        if view.state.actor() != view.seat or origin.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        if cheat and view.redacted:
            raise ValueError("only an unredacted view can be searched without determinization")
        if origin.max_legal > SCRATCH // 2:
            raise ValueError(f"the search handles at most {SCRATCH // 2} legal moves, the game declares "
                             f"{origin.max_legal}")
        self.view = view
        self.seat = view.seat
        self.seed = seed
        self.origin = origin
        self.multiple = multiple
        self.clairvoyant = world is not None
        self.cheat = cheat
        self.profiling = profiling
        self.threads = []
        self.take_parameters(parameters)
        self.take_memory()
        self.take_worlds(worlds)
        self.clear()
        self.reserve(1, 1)

    def admit_helpers(self, int threads=1, bint ordered=True):
        """Prepare for `help` from other threads in the next run.

        Parameters
        ----------
        threads : int
            Number of threads, including the one that runs the search.
        ordered : bool
            Keep the order of the operations on the tree (see `shared_tree`), so that threads do not change the result.
        """
        if not 1 <= threads <= MAX_BATCH:
            raise ValueError(f"a search has 1 to {MAX_BATCH} threads, not {threads}")
        self.expect_helpers(threads, ordered)

    def help(self):
        """Work on the running search until it ends; for threads other than the one that runs it.

        Returns at once if the search has ended.
        """
        with nogil:
            self.take_part()

    def run(self, iterations=None, seconds=None, callback=None, bint early_stop=False):
        """Search until the first of the budgets is spent.

        Parameters
        ----------
        iterations : int, optional
            Total visits of the root, including those inherited from an earlier search.
        seconds : float, optional
            Wall time in seconds, excluding the time that the process sleeps.
        callback : callable, optional
            Called with this search between slices, at most twenty times a second.
        early_stop : bool
            Stop when the most visited move can no longer be overtaken within the budget.

        Returns
        -------
        str
            The reason for stopping: "iterations", "seconds", "decided" or "cancelled".
        """
        if seconds is not None:
            awake()                     # from now on the clock stops while the process sleeps
        cdef int64_t begin = awake_ns(), end = 0, deadline, reported = begin, visits
        if self.open != EXPECTED:
            self.admit_helpers()
        if iterations is None and seconds is None:
            with nogil:
                self.finish()
            raise ValueError("a search needs a budget: iterations or seconds")
        if seconds is not None:
            end = begin + <int64_t> max(0.0, min(seconds, 1e9) * 1e9)
        first = self.descended
        visits = -1 if iterations is None else max(0, iterations)
        with nogil:
            self.open_run(visits, early_stop)
        try:
            while True:
                if self.backed_up >= self.goal:
                    return "iterations"
                if seconds is not None and awake_ns() >= end and self.arena.node[self.root_node].n_edges:
                    return "seconds"
                deadline = awake_ns() + SLICE
                if seconds is not None and deadline > end:
                    deadline = end
                with nogil:
                    self.work(deadline)
                PyErr_CheckSignals()
                if self.failed:
                    break
                if self.cancelled and self.arena.node[self.root_node].n_edges:
                    return "cancelled"
                if callback is not None and awake_ns() - reported >= REPORT_EVERY:
                    reported = awake_ns()
                    self.report_to(callback)
                if self.decided:
                    return "decided"
                if early_stop and seconds is not None:
                    rate = (self.descended - first) / max(1e-9, <double> (awake_ns() - begin))
                    if self.ahead() > (end - awake_ns()) * rate * 1.1:
                        return "decided"
        finally:
            with nogil:
                self.finish()
        self.raise_failure()

    cdef int report_to(self, object callback) except -1:
        """Call back while no thread is in the tree."""
        with nogil:
            self.lock_tree()
        try:
            callback(self)
        finally:
            with nogil:
                release(&self.level[0].lock)
        return 0

    def cancel(self):
        """Stop a running search after the iterations in flight; may be called from another thread."""
        self.cancelled = 1

    @property
    def visits(self):
        """Visits of the root, inherited ones included."""
        return self.arena.node[self.root_node].n

    @property
    def iterations(self):
        """Iterations that this object has run in total."""
        return self.backed_up

    @property
    def arena_full(self):
        """Whether the memory limit stopped the tree from growing."""
        return bool(self.arena.full)

    def lead(self):
        """Return by how many visits the most visited root move leads the second."""
        return self.ahead()

    def root_edges(self):
        """Return the root's edges.

        Returns
        -------
        list of dict
            move, visits, availability, reward (mean of the searching seat, as it judges it), deviation (of its
            rewards), value (mean win probability per seat), prior, and strategy (average strategy of a bid, otherwise
            None), most visited first.
        """
        cdef Arena* a = &self.arena
        cdef Node* node = &a.node[self.root_node]
        cdef Edge* edge
        cdef RootTotal* total
        cdef RootMove row
        cdef int i, p
        out = []
        for i in range(node.n_edges):
            edge = &a.edge[node.first + i]
            total = &self.root_total[i]
            row = self.root_move(i)
            if total.n:
                value = [total.win[p] / <double> total.n for p in range(self.origin.players)]
            else:                       # all visits were before it became the root
                value = [(1.0 - row.reward) / max(1, self.origin.players - 1)] * self.origin.players
                value[self.seat] = row.reward
            out.append({
                "move": row.code,
                "visits": row.visits,
                "availability": availability(node, edge, node.n),
                "reward": row.reward,
                "deviation": row.deviation,
                "value": value,
                "prior": edge.prior,
                "strategy": None if row.strategy < 0.0 else row.strategy,
            })
        out.sort(key=lambda row: (-row["visits"], row["move"]))
        return out

    cdef RootMove root_move(self, int i) noexcept nogil:
        """Return the statistics of a root edge that the choice of the move reads."""
        cdef Arena* a = &self.arena
        cdef const Node* node = &a.node[self.root_node]
        cdef const Edge* edge = &a.edge[node.first + i]
        cdef const RootTotal* total = &self.root_total[i]
        cdef double n = total.n if total.n else 1.0, mean = total.reward[self.seat] / n, spread, averages = 0.0
        cdef RootMove row
        cdef int k
        row.code = edge.code
        row.visits = edge.n
        row.reward = <double> edge.w / ONE / edge.n if edge.n else 0.0
        if edge.n and self.odds != NULL:
            row.reward = biased_value(self, edge.code, row.reward)
        spread = total.square / n - mean * mean
        row.deviation = 0.5 if total.n <= 1 else sqrt(spread if spread > 0.0 else 0.0)
        row.strategy = -1.0
        if a.bid != NULL:
            for k in range(node.n_edges):
                averages += a.bid[node.first + k].average
            if averages > 0.0:
                row.strategy = a.bid[node.first + i].average / averages
        return row

    cdef int list_root(self, RootMove* out) noexcept nogil:
        """List the root's moves in the order of `put_in_order`; returns their number."""
        cdef int i, n = self.arena.node[self.root_node].n_edges
        for i in range(n):
            out[i] = self.root_move(i)
        put_in_order(out, n)
        return n

    def root(self):
        """Return (move, visits, availability, mean reward of the searching seat) of the root's edges."""
        return [(row["move"], row["visits"], row["availability"], row["reward"])
                for row in self.root_edges()]

    def line(self, move, int length=8):
        """Return the moves that the tree expects after a root move, chance outcomes included.

        Parameters
        ----------
        move : int
            A root move.
        length : int
            Most entries.

        Returns
        -------
        list of (GameState, int)
            The state before each move, and the move. The line follows the most visited children as long as they
            have at least two visits.
        """
        cdef GameState s
        if self.cheat or self.clairvoyant:
            s = self.origin.clone()
        else:
            s = (<View> self.view).sample(Random(self.seed))
        return line_of_many(self, s, move, length) if self.multiple else line_of_one(self, s, move, length)

    def statistics(self):
        """Return figures on the tree and the time spent.

        Returns
        -------
        dict
            nodes, edges, tree_bytes, bytes_per_node (per node and edge pair), depth_mean, depth_max, depths
            (iterations by decisions inside the tree), branchings (decisions by candidates: 1, 2, 3-4, ...),
            playout_moves (mean number of moves by seats in a playout), share (of the time, by step; only when
            profiling), arena_full.
        """
        cdef Arena* a = &self.arena
        cdef const Tally* tally
        cdef int i
        cdef uint64_t moves = 0, depths = 0, deepest = 0, edges = count_edges(a)
        spent = dict.fromkeys(("determinize", "select", "expand", "playout", "backup"), 0)
        by_depth = [0] * DEPTH_BINS
        by_branching = [0] * BRANCH_BINS
        for thread in self.threads:
            tally = &(<SearchThread> thread).tally
            moves += tally.playout_moves
            depths += tally.depth_sum
            deepest = max(deepest, tally.depth_max)
            for i in range(DEPTH_BINS):
                by_depth[i] += tally.depths[i]
            for i in range(BRANCH_BINS):
                by_branching[i] += tally.branchings[i]
            for i, step in enumerate(spent, DETERMINIZE):
                spent[step] += tally.clock.spent[i]
        used = arena_bytes(a)
        total = sum(spent.values())
        return {
            "nodes": edges + 1,         # every edge leads to a node; a node visited once is stored in its edge
            "decision_nodes": a.n_nodes - 1,
            "edges": edges,
            "tree_bytes": used,
            "bytes_per_node": used / (edges + 1),
            "map_load": a.n_map / (a.map_mask + 1.0),
            "arena_load": used / <double> a.budget,
            "depth_mean": depths / <double> max(1, self.backed_up),
            "depth_max": deepest,
            "depths": by_depth,
            "branchings": by_branching,
            "share": {step: each / total for step, each in spent.items()} if total else None,
            "playout_us": spent["playout"] / 1000.0 / max(1, self.backed_up),
            "playout_moves": moves / <double> max(1, self.backed_up),
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
                assert (edge.n <= availability(&a.node[v], edge, a.node[v].n) or self.params.priors
                        or v in self.entry), "more visits than availability"
                assert 0 <= edge.w <= <int64_t> edge.n * ONE, "a mean reward left [0, 1]"
                total += edge.n
            assert total <= a.node[v].n, "more edge visits than node visits"
            if not a.full:
                assert a.node[v].n - total <= <uint64_t> self.params.expand_at, "visits were lost"

    def advance(self, move, View view not None):
        """Make the position after one of the root's moves the new root, keeping its subtree.

        For a further decision of the same seat with nothing revealed in between.

        Returns
        -------
        bool
            False when the tree does not contain that position (the search is unchanged).
        """
        cdef GameState s = self.origin.clone()
        if (view.seat != self.seat or s.actor() != self.seat or move not in s.legal_moves()
                or not self.follow(move, view.state, s)):
            return False
        self.origin = view.state
        self.view = view
        return True

    cdef bint follow(self, move_t move, GameState after, GameState scratch) noexcept nogil:
        """`advance` by a legal move of the searching seat, to the view `after`; the caller makes that the origin."""
        cdef Arena* a = &self.arena
        cdef Seen seen
        cdef uint32_t e, child
        if after.actor() != self.seat:
            return False
        if self.multiple or self.clairvoyant or self.n_worlds or self.n_held:
            return False                # other trees begin at the old root; worlds and allowed moves belong to it
        e = edge_of(a, self.root_node, move)
        if e == 0:
            return False
        scratch.copy_from(self.origin)
        scratch.play(move)
        scratch.wipe(0)                 # views have zeros there
        if not scratch.same_position(after):
            return False
        decide(&seen, self.root_node, e - a.node[self.root_node].first)
        fold_event(self, scratch, &seen, self.seat, move, 0, stage_at_root(self))
        child = find_child(a, &a.edge[e], child_key(self.root_node, a.edge[e].code, seen.history, self.seat))
        if child == 0 or a.node[child].n_edges == 0:
            return False
        self.root_node = child
        self.forget_prepared()
        memset(self.root_total, 0, self.root_room * sizeof(RootTotal))
        return True

    def fits(self, View view not None):
        """Whether this search's memory can be reused for `view`: the same game, options and knowledge."""
        return (type(view.state) is type(self.origin) and view.state.game == self.origin.game
                and view.state.knowledge == self.origin.knowledge)

    def restart(self, View view not None, uint64_t seed, GameState world=None, worlds=None, only=None):
        """Empty the tree and start at another view of the same game, reusing the memory.

        Parameters
        ----------
        view, seed, world, worlds
            As in the constructor; a world is required exactly if the search was built with one.
        only : int or mapping of int to float, optional
            The only legal move that the searching seat may play at the root; or several, each with the error of the
            seat's judgement: by this much, in log odds, its reward looks better to the seat than it is.
        """
        cdef GameState origin = view.state if world is None else world
        if view.state.actor() != view.seat or origin.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        if (world is not None) != self.clairvoyant:
            raise ValueError("a search of one world stays one, and no other becomes one")
        self.hold_to(only, origin)
        self.view = view
        self.seat = view.seat           # whose worlds the next line checks
        self.origin = origin
        self.take_worlds(worlds)
        self.replant(view.seat, seed)


cdef inline uint32_t edge_of(const Arena* a, uint32_t v, move_t code) noexcept nogil:
    """Return the edge of a move in node v, or 0."""
    cdef uint32_t e
    for e in range(a.node[v].first, a.node[v].first + a.node[v].n_edges):
        if a.edge[e].code == code:
            return e
    return 0


cdef uint32_t most_visited(const Arena* a, uint32_t v, GameState s):
    """Return the most visited edge of node v among the moves legal in a state; 0: none was visited."""
    cdef uint32_t e, best = 0, visits = 0
    legal = set(s.legal_moves())
    for e in range(a.node[v].first, a.node[v].first + a.node[v].n_edges):
        if a.edge[e].n > visits and a.edge[e].code in legal:
            visits = a.edge[e].n
            best = e
    return best


cdef list line_of_one(Tree t, GameState s, move_t code, int length):
    """Return the line of a single tree: after a chance event, the most visited outcome."""
    cdef Arena* a = &t.arena
    cdef Seen seen
    cdef uint32_t v = t.root_node, e, child
    cdef int actor, chances = 0
    cdef Stage stage = stage_at_root(t)
    out = []
    while len(out) < length:
        if code not in s.legal_moves():
            break
        out.append((s.clone(), code))
        e = edge_of(a, v, code)
        actor = s.actor()
        s.play(code)
        s.wipe(0)
        if e == 0:
            break
        decide(&seen, v, e - a.node[v].first)
        fold_event(t, s, &seen, actor, code, chances, stage)
        steps, child, s, stage, chances = follow_chance(t, e, s, seen, stage, chances, chances + MOST_CHANCES)
        if child == 0 or a.node[child].n < 2:
            break
        out.extend(steps)
        v = child
        e = most_visited(a, v, s)
        if e == 0:
            break
        code = a.edge[e].code
    return out[:length]


cdef tuple follow_chance(Tree t, uint32_t e, GameState s, Seen seen, Stage stage, int chances, int most):
    """Follow the most visited outcomes behind an edge until the next decision.

    Returns (steps, child node, state, stage, number of chance events on the path).
    """
    cdef Arena* a = &t.arena
    cdef GameState trial
    cdef Seen now_seen
    cdef uint32_t child
    cdef Stage kept
    cdef int actor = s.actor()
    if actor == TERMINAL or chances > most:
        return [], 0, s, stage, chances
    if actor != CHANCE:
        child = find_child(a, &a.edge[e], child_key(seen.node, a.edge[e].code, seen.history, actor))
        return [], child, s, stage, chances
    best = ([], 0, s, stage, chances)
    visits = 0
    for outcome, _ in s.chance_outcomes():
        trial = s.clone()
        trial.play(outcome)
        trial.wipe(0)
        now_seen = seen
        kept = fold_event(t, trial, &now_seen, CHANCE, outcome, chances + 1, stage)
        steps, child, after, then, count = follow_chance(t, e, trial, now_seen, kept, chances + 1, most)
        if child and a.node[child].n > visits:
            visits = a.node[child].n
            best = ([(s, outcome), *steps], child, after, then, count)
    return best


cdef list line_of_many(Tree t, GameState s, move_t move, int length):
    """Return the line where every seat has its own tree, with the likeliest chance outcomes."""
    cdef Arena* a = &t.arena
    cdef Seen seen[MAX_SEATS]
    cdef uint32_t v = t.root_node, e
    cdef uint64_t history
    cdef int actor, chances = 0
    cdef move_t code = move
    memset(seen, 0, sizeof(seen))
    out = []
    while len(out) < length:
        actor = s.actor()
        if actor == TERMINAL or (actor == CHANCE and chances >= length):
            break
        if actor == CHANCE:
            chances += 1
            code = max(s.chance_outcomes(), key=lambda pair: (pair[1], -pair[0]))[0]
        elif out:
            v = last_decision(t, s, &seen[actor], actor, actor, &history)
            e = a.node[v].first + seen[actor].offset
            v = find_child(a, &a.edge[e], child_key(v, a.edge[e].code, history, actor))
            if v == 0 or a.node[v].n < 2:
                break
            e = most_visited(a, v, s)
            if e == 0:
                break
            code = a.edge[e].code
        elif move not in s.legal_moves():
            break
        out.append((s.clone(), code))
        s.play(code)
        s.wipe(0)
        if actor != CHANCE:
            e = edge_of(a, v, code)
            decide(&seen[actor], v, e - a.node[v].first if e else 0)
        fold_event(t, s, seen, actor, code, chances, WORLD_MOVES)
    while out and out[len(out) - 1][0].is_chance:  # trailing chance events say nothing
        out.pop()
    return out
