"""Information set Monte Carlo tree search: one tree (SO) or one tree per seat (MO), on one thread or many.

With nothing hidden it is plain UCT. Nodes are decisions as the tree's owner can tell them apart: what it
saw between two decisions is folded into a hash that picks the child, so keyed ("closed loop") and averaged
("open loop") chance events are the same code. Iteration i draws from its own stream, seeded by (seed, i).

Here are the budgets and the Python face. What is behind it: `shared_tree` (threads and their order), `thread`,
`descent`, `selection`, `playout` and `backup` (the steps of an iteration), `history` (what picks the child), `tree` and
`arena` (memory), `results` and `lines` (what was found), `reuse` (what is kept), `parameters` (the parameters).
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.search.lock cimport acquire, release, store_flag
from sfida.cython_ext.search cimport lines, results, reuse
from sfida.cython_ext.search.params cimport MAX_WINDOW
from sfida.cython_ext.search.thread cimport SCRATCH
from sfida.cython_ext.search.shared_tree cimport EXPECTED, RUNNING
from sfida.cython_ext.state cimport GameState, View

from sfida.cython_ext.measure import awake

cdef int64_t SLICE = 20_000_000         # nanoseconds between looks at signals and the clock
cdef int64_t REPORT_EVERY = 100_000_000     # nanoseconds


cdef class Search(SharedTree):
    """One search for one seat.

    Parameters
    ----------
    view : View
        What the seat may see; it must be the seat's turn.
    seed : int
        64-bit seed of all random choices.
    multiple : bool
        One tree per seat; opponents' roots are told apart by `private_bucket`. Where nothing is hidden all see the
        same, and one tree is grown.
    world : GameState, optional
        Search this world, seen by everybody, instead of drawing a new one for each iteration.
    worlds : list of GameState, optional
        Draw worlds from these, in turn.
    cheat : bool
        Search the state as it is, without determinization (only with `View.unredacted`).
    profiling : bool
        Measure the time of each step.
    **parameters
        Those of `sfida.cython_ext.search.parameters`, which has their meanings, ranges and defaults; `batch` is called
        `window` here.

    Raises
    ------
    TypeError
        If there is no such parameter.
    ValueError
        If it is not the seat's turn, or a parameter makes no sense.
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

    # ---- control ------------------------------------------------------------------------------

    def welcome(self, int threads=1, bint ordered=True):
        """Get ready for `help` from other threads during the next run.

        Parameters
        ----------
        threads : int
            Threads that will work, the one that runs the search included.
        ordered : bool
            Keep the order of the operations on the tree (see `shared_tree`), so that threads change nothing.
        """
        if not 1 <= threads <= MAX_WINDOW:
            raise ValueError(f"a search has 1 to {MAX_WINDOW} threads, not {threads}")
        self.expect_helpers(threads, ordered)

    def help(self):
        """Work on the running search until it ends; for threads besides the one that runs it.

        Returns at once when the search has ended.
        """
        with nogil:
            self.take_part()

    def run(self, iterations=None, seconds=None, callback=None, bint early_stop=False):
        """Search until a budget is spent, whichever ends first.

        Parameters
        ----------
        iterations : int, optional
            Visits the root shall have in all, those inherited from an earlier search included.
        seconds : float, optional
            Seconds by the clock, without those that the process sleeps.
        callback : callable, optional
            Called between slices, at most ten times a second, with this search.
        early_stop : bool
            Stop when the most visited move can no longer be overtaken within the budget.

        Returns
        -------
        str
            Why it stopped: "iterations", "seconds", "decided" or "cancelled".
        """
        if seconds is not None:
            awake()                     # from now on the clock stands still while the process sleeps
        cdef int64_t begin = awake_ns(), end = 0, deadline, reported = begin
        if self.open != EXPECTED:
            self.welcome()
        if iterations is None and seconds is None:
            with nogil:
                self.finish()
            raise ValueError("a search needs a budget: iterations or seconds")
        self.cancelled = 0
        self.decided = 0
        self.failed = 0
        self.judged = self.backed_up
        self.target = iterations if early_stop and iterations is not None else 0
        self.goal = <uint64_t> -1
        if iterations is not None:
            self.goal = self.descended + max(0, iterations - <int64_t> self.visits)
        if seconds is not None:
            end = begin + <int64_t> max(0.0, min(seconds, 1e9) * 1e9)
        first = self.descended
        with nogil:
            acquire(&self.level[0].lock)
            store_flag(&self.open, RUNNING)
            release(&self.level[0].lock)
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
        """Call back with nobody in the tree."""
        with nogil:
            self.lock_tree()
        try:
            callback(self)
        finally:
            with nogil:
                release(&self.level[0].lock)
        return 0

    def cancel(self):
        """Stop a running search after the iterations under way; may be called from another thread."""
        self.cancelled = 1

    # ---- results ------------------------------------------------------------------------------

    @property
    def visits(self):
        """Visits of the root, inherited ones included."""
        return self.arena.node[self.root_node].n

    @property
    def iterations(self):
        """Iterations this object ran in all."""
        return self.backed_up

    @property
    def arena_full(self):
        """True when the memory cap stopped the tree from growing."""
        return bool(self.arena.full)

    def lead(self):
        """Return how many visits the most visited root move is ahead of the second."""
        return self.ahead()

    def root_edges(self):
        """Return the root's edges.

        Returns
        -------
        list of dict
            move, visits, availability, reward (mean of the searching seat, as it judges it), deviation (of its
            rewards), value (mean win share per seat), prior, and strategy (a bid's average, else None), most
            visited first.
        """
        return results.root_edges(self)

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
        return lines.expected_line(self, move, length)

    def statistics(self):
        """Return figures about the tree and the time spent.

        Returns
        -------
        dict
            nodes, edges, tree_bytes, bytes_per_node (per node and edge pair), depth_mean, depth_max, depths
            (iterations by decisions inside the tree), branchings (decisions by candidates: 1, 2, 3-4, ...),
            playout_moves (mean moves of seats in a playout), share (of the time, by step; only when profiling),
            arena_full.
        """
        return results.statistics(self)

    def check_tree(self):
        """Check the invariants of the tree; raise AssertionError on a violation."""
        results.check_tree(self)

    # ---- reuse --------------------------------------------------------------------------------

    def advance(self, move, View view not None):
        """Make the position after one of the root's moves the new root, keeping its subtree.

        Only for a further decision of the same seat with nothing revealed in between.

        Returns
        -------
        bool
            False when the tree does not hold that position (the search is unchanged).
        """
        return reuse.advance(self, move, view)

    def fits(self, View view not None):
        """True when this search's memory can be reused for `view`: the same game and options, judged alike."""
        return (type(view.state) is type(self.origin) and view.state.game == self.origin.game
                and view.state.knowledge == self.origin.knowledge)

    def restart(self, View view not None, uint64_t seed, GameState world=None, worlds=None, only=None):
        """Forget the tree and start at another view of the same game, reusing the memory.

        Parameters
        ----------
        view, seed, world, worlds
            As of the search; a world is needed exactly if the search was built with one.
        only : int or mapping of int to float, optional
            Legal move that the searching seat is held to at the root; or several, each with the error of the seat's
            judgement: by so much, in log odds, its reward looks better to the seat than it is.
        """
        reuse.restart(self, view, seed, world, worlds, only)
