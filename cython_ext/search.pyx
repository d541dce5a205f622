"""Information set Monte Carlo tree search: one tree (SO) or a tree a seat (MO), on one thread or many.

With nothing hidden it is plain UCT. Nodes are decisions as the tree's owner can tell them apart: what he
saw between two decisions is folded into a hash that picks the child, so keyed ("closed loop") and averaged
("open loop") chance events are the same code. Iteration i draws from its own stream, seeded by (seed, i).

In order, the operations on the tree are always the same ones, and every node meets them in the same sequence:
up to `window` iterations are in flight; the next one starts when the oldest is being backed up. Playouts run
meanwhile, on as many threads as there are, and descents and backups follow one another level by level. So the
result depends on the seed, the budget and the window, never on the number of threads or their speed. At will
(time budgets, more than one thread), each thread goes on as soon as it can.
"""


from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from sfida.cython_ext.arena cimport (
    ONE, SIDE_BIDS, SIDE_HEURISTIC, SIDE_OUTCOMES, Arena, Edge, Node, arena_bytes, arena_clear, arena_init,
    availability, child_key, count_edges, find_child,
)
from sfida.cython_ext.iteration cimport (
    BRANCH_BINS, DEPTH_BINS, LEVELS, SCRATCH, Flight, Pilot, RootTotal, Seen, Tally, flight_free, flight_init,
)
from sfida.cython_ext.lock cimport acquire, load_flag, now, release, rest, store_flag
from sfida.cython_ext.move_tables cimport TABLE_SLOTS, Worth
from sfida.cython_ext.rng cimport Random, mix64
from sfida.cython_ext.search_params cimport (
    BIDS_EXP3, BIDS_REGRET, BIDS_UCB, KEEP_WORLD, LEADER, MAX_N, MAX_WINDOW, PARANOID, RESTORE_WORLD, STAY_IN_WORLD,
    TABLE_MAST, TABLE_NONE, TABLE_NST, window_at,
)
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, TERMINAL, View, move_t

BIDS = {"ucb": BIDS_UCB, "regret": BIDS_REGRET, "exp3": BIDS_EXP3}
REDETERMINIZE = {"off": KEEP_WORLD, "restore": RESTORE_WORLD, "stay": STAY_IN_WORLD}
BACKUPS = {"maxn": MAX_N, "paranoid": PARANOID, "leader": LEADER}
TABLES = {"game": TABLE_NONE, "mast": TABLE_MAST, "nst": TABLE_NST}
cdef enum:                              # to helpers
    CLOSED = 0
    EXPECTED = 1                        # a run will begin
    RUNNING = 2

cdef uint64_t AT_WILL = <uint64_t> 1 << 40      # random streams of iterations without an order start here
cdef int64_t SLICE = 20_000_000         # nanoseconds between looks at signals and the clock
cdef double CLEAR_LEAD = 0.1            # of the win, to be held back as a leader


class SearchError(RuntimeError):
    """A contract violation found during a search: the message has what is needed to repeat it."""


cdef class Search(Tree):
    """One search for one seat.

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
    chance_widen, chance_power : float
        Children an edge may have by chance: chance_widen * visits ** chance_power; an iteration that meets a
        further one is played out from there. 0: any number.
    cutoff : int
        Turns a playout lasts before the position is evaluated; -1: to the end.
    informed : int
        Percentage of playout moves chosen by the game's own policy.
    playout : str
        The other playout moves: "game" random ones, "mast" by what a move was worth wherever it was played,
        "nst" by that and what it was worth after the move before.
    noise : float
        Share of random moves in playouts by tables.
    history : float
        Weight of progressive history: what a move was worth elsewhere, until the edge knows better. 0: off.
    minimax : float
        Share of the implicit minimax value, the leaf evaluations backed up by best reply, in an edge's
        value (games with an evaluation). 0: off.
    decisive : bool
        Where a move wins for certain, look at no other.
    bids : str
        Hidden choices (`GameState.is_bid`): "ucb", "regret" (regret matching) or "exp3".
    bid_explore : float
        Their share of uniform exploration.
    bid_from : int
        Visits below which a bid that is not the root's goes by UCB1.
    backup : str
        What a seat strives for: "maxn" its own reward, "paranoid" (others) the searcher's loss, "leader" its
        own reward and, when one seat leads clearly, that one's loss.
    leader_weight : float
        Weight of the leader's loss.
    multiple, keyed : bool
        A tree a seat; opponents' roots told apart by `private_bucket`.
    redeterminize : str
        Whether an opponent decides in a world drawn anew from his own view: "off", "restore" (the old world
        goes on after his decision) or "stay".
    window : int
        Iterations in flight at most.
    memory : int
        Megabytes the tree may take.
    world : GameState, optional
        Search this world, seen by everybody, instead of drawing one an iteration.
    worlds : list of GameState, optional
        Draw worlds from these, in turn.
    cheat : bool
        Search the state as it is, without determinization (only with `View.unredacted`).
    profiling : bool
        Measure the time of each step.

    Raises
    ------
    ValueError
        If it is not the seat's turn, or a parameter makes no sense.
    MemoryError
    """

    def __init__(self, View view not None, uint64_t seed=0, *, double c=0.7, double c_prior=1.0,
                 double fpu=0.1, double blend=0.0, double tau=10.0, bint priors=False,
                 double widen_base=1e9, double widen_factor=0.0, double widen_power=0.5,
                 int expand_at=0, int chance_depth=-1, double chance_widen=0.0, double chance_power=0.5,
                 int cutoff=-1, int informed=0, str playout="game", double noise=0.2, double history=0.0,
                 double minimax=0.0, bint decisive=False, str bids="ucb", double bid_explore=0.1, int bid_from=0,
                 str backup="maxn", double leader_weight=0.2, bint multiple=False, bint keyed=False,
                 str redeterminize="off", int window=1, int memory=64, GameState world=None, worlds=None,
                 bint cheat=False, bint profiling=False):
        cdef GameState origin = view.state if world is None else world
        if view.state.actor() != view.seat or origin.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        if cheat and view.redacted:
            raise ValueError("only an unredacted view can be searched without determinization")
        if not 1 <= window <= MAX_WINDOW:
            raise ValueError(f"the window must be 1 to {MAX_WINDOW}, not {window}")
        if origin.max_legal > SCRATCH // 2:
            raise ValueError(f"the search handles at most {SCRATCH // 2} legal moves, the game declares "
                             f"{origin.max_legal}")
        self.view = view
        self.seat = view.seat
        self.seed = seed
        self.origin = origin
        self.params.c = c
        self.params.c_prior = c_prior
        self.params.fpu = fpu
        self.params.blend = blend
        self.params.tau = tau
        self.params.use_priors = priors and origin.has_priors
        self.params.widen_base = widen_base
        self.params.widen_factor = widen_factor
        self.params.widen_power = widen_power
        self.params.expand_at = expand_at
        self.params.chance_depth = chance_depth
        self.params.chance_widen = chance_widen
        self.params.chance_power = chance_power
        self.params.playout.cutoff = cutoff if origin.has_evaluation else -1
        self.params.playout.informed = informed
        self.params.table = TABLES[playout]
        self.params.table_noise = noise
        self.params.history = history
        self.params.minimax = minimax if origin.has_evaluation else 0.0
        self.params.decisive = decisive
        self.params.bids = BIDS[bids]
        self.params.bid_explore = bid_explore
        self.params.bid_from = bid_from
        self.params.backup = BACKUPS[backup]
        self.params.leader_weight = leader_weight
        self.params.multiple = multiple and world is None and origin.hidden     # else all see the same
        self.params.keyed = keyed
        self.params.clairvoyant = world is not None
        self.params.cheat = cheat
        self.params.redeterminize = REDETERMINIZE[redeterminize] if world is None and origin.hidden else KEEP_WORLD
        self.params.window = window
        self.profiling = profiling
        sides = ((SIDE_BIDS if self.params.bids != BIDS_UCB else 0)
                 | (SIDE_HEURISTIC if self.params.minimax > 0.0 else 0)
                 | (SIDE_OUTCOMES if chance_widen > 0.0 else 0))
        if arena_init(&self.arena, <uint64_t> memory << 20, sides, origin.players) != 0:
            raise MemoryError(f"cannot allocate {memory} MB for the search tree")
        self.pilots = []
        self.separable = not (self.params.multiple or self.params.bids != BIDS_UCB or self.params.table
                              or self.params.history > 0.0 or self.params.minimax > 0.0)
        self.take_tables()
        self.take_worlds(worlds)
        self.plant()
        self.find_leader()
        self.board(1, 1)

    def take_tables(self):
        """Allocate the tables of moves that the parameters ask for."""
        cdef int i
        if self.params.table or self.params.history > 0.0:
            self.worth = <Worth*> calloc(TABLE_SLOTS, sizeof(Worth))
            if self.worth == NULL:
                raise MemoryError()
        if self.params.table:
            for i in range(2):
                self.frozen[i] = <Worth*> calloc(TABLE_SLOTS, sizeof(Worth))
                if self.frozen[i] == NULL:
                    raise MemoryError()
        if self.params.table == TABLE_NST:
            self.pairs = <Worth*> calloc(TABLE_SLOTS, sizeof(Worth))
            for i in range(2):
                self.frozen_pairs[i] = <Worth*> calloc(TABLE_SLOTS, sizeof(Worth))
            if self.pairs == NULL or self.frozen_pairs[0] == NULL or self.frozen_pairs[1] == NULL:
                raise MemoryError()

    def take_worlds(self, worlds):
        """Draw from these worlds from now on; None: from the game's determinizer."""
        cdef int i
        self.worlds = list(worlds) if worlds else []
        self.n_worlds = len(self.worlds)
        free(self.world)
        self.world = NULL
        self.unprepare()
        if self.n_worlds:
            for state in self.worlds:
                if type(state) is not type(self.origin) or state.to_move != self.seat:
                    raise ValueError("a world must be a state of the same game with the same seat to move")
            self.world = <void**> malloc(self.n_worlds * sizeof(void*))
            if self.world == NULL:
                raise MemoryError()
            for i in range(self.n_worlds):
                self.world[i] = <void*> self.worlds[i]

    def find_leader(self):
        """Note who leads clearly by the evaluation, for the backup that holds him back."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int p
        self.params.leader = -1
        if self.params.backup != LEADER or self.origin.players < 3 or not self.origin.has_evaluation:
            return
        self.origin.evaluate(win, score)
        order = sorted(range(self.origin.players), key=lambda p: -win[p])
        if win[order[0]] >= win[order[1]] + CLEAR_LEAD:
            self.params.leader = order[0]
            self.params.second = order[1]

    def unprepare(self):
        """Forget the worlds made ready."""
        for pilot in self.pilots:
            (<Pilot> pilot).prepared = False
            (<Pilot> pilot).copied = False

    def board(self, int pilots, int flights):
        """Have so many at least."""
        cdef int i
        while len(self.pilots) < pilots:
            pilot = Pilot(self)
            self.pilot[len(self.pilots)] = <void*> pilot
            self.pilots.append(pilot)
        for i in range(flights):
            if self.flight[i] == NULL:
                self.flight[i] = <Flight*> calloc(1, sizeof(Flight))
                if self.flight[i] == NULL or flight_init(self.flight[i], self, i) != 0:
                    raise MemoryError()

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_WINDOW):
            if self.flight[i] != NULL:
                flight_free(self.flight[i])
                free(self.flight[i])

    # ---- the threads --------------------------------------------------------------------------

    # The lock of the tree's first level is the one everybody starts with: what is done under it has an order.

    cdef Flight* take_off(self, Pilot pilot, uint64_t n) noexcept nogil:
        """Descend with iteration n; takes over the lock and gives it back."""
        cdef Flight* flight = self.flight[n % <uint64_t> self.params.window]
        cdef int spins = 0
        while load_flag(&flight.in_tree):       # another thread is about to finish its backup
            rest(spins)
            spins += 1
        pilot.prepare(self, n)
        self.make_room(self.threads)
        pilot.descend(self, flight)
        pilot.leave(self)
        return flight

    cdef void land(self, Pilot pilot) noexcept nogil:
        """Back up the oldest flight; takes over the lock and gives it back."""
        cdef Flight* flight = self.flight[self.backed_up % <uint64_t> self.params.window]
        flight.landed = 0
        flight.in_tree = 1
        self.backed_up += 1
        self.make_room(self.threads)
        pilot.back_up(self, flight)
        if self.params.table:
            self.freeze(self.backed_up)
        pilot.leave(self)
        store_flag(&flight.in_tree, 0)

    cdef void judge(self) noexcept nogil:
        """Halt once the best move cannot be overtaken; the lock is held.

        Asked at fixed iterations, so that slices, which depend on the clock, change nothing.
        """
        cdef const Node* root = &self.arena.node[self.root_node]
        if self.target == 0 or self.backed_up & 63 or self.backed_up == self.judged:
            return
        self.judged = self.backed_up
        if root.n < self.target and self.ahead() > self.target - <int64_t> root.n:
            self.decided = 1
            self.halt = 1

    cdef void hold(self) noexcept nogil:
        """Take the lock and wait until nobody is in the tree."""
        cdef int d
        acquire(&self.level[0].lock)
        for d in range(1, LEVELS):
            acquire(&self.level[d].lock)
            release(&self.level[d].lock)

    cdef void work_in_order(self, Pilot pilot, int64_t deadline) noexcept nogil:
        """Take part until the goal, a halt or the deadline; the lock is not held."""
        cdef Flight* flight
        cdef int failed, spins
        acquire(&self.level[0].lock)
        while not self.halt:
            if self.cancelled and self.arena.node[self.root_node].n_edges:      # a search ends with a move to play
                break
            self.judge()
            if self.halt:
                break
            if self.descended < self.goal and (
                    self.descended - self.backed_up < <uint64_t> window_at(&self.params, self.descended)):
                self.descended += 1
                flight = self.take_off(pilot, self.descended - 1)
                pilot.play_out(self)
                failed = pilot.work.failed or pilot.shadow.failed
                if not failed:
                    pilot.copy_ahead(self)
                store_flag(&flight.landed, 1)
                acquire(&self.level[0].lock)
                if failed:
                    self.failed = 1
                    self.halt = 1
                if deadline and now() >= deadline:
                    break
            elif self.backed_up == self.descended:
                break                   # the goal
            else:
                flight = self.flight[self.backed_up % <uint64_t> self.params.window]
                if load_flag(&flight.landed):
                    self.land(pilot)
                    acquire(&self.level[0].lock)
                    continue
                release(&self.level[0].lock)
                spins = 0
                while not load_flag(&flight.landed) and not load_flag(&self.halt):
                    rest(spins)
                    spins += 1
                    if spins & 63 == 0 and deadline and now() >= deadline:
                        return
                acquire(&self.level[0].lock)
        release(&self.level[0].lock)

    cdef void work_at_will(self, Pilot pilot, Flight* flight, int64_t deadline) noexcept nogil:
        """Take part with a flight of one's own; the lock is not held."""
        cdef uint64_t n
        cdef bint flying = False
        while True:
            if not pilot.prepared:
                acquire(&self.level[0].lock)
                n = AT_WILL + self.drawn
                self.drawn += 1
                release(&self.level[0].lock)
                pilot.prepare(self, n)
            acquire(&self.level[0].lock)
            if flying:
                self.backed_up += 1
                self.make_room(self.threads)
                pilot.back_up(self, flight)
                if self.params.table:
                    self.freeze(self.backed_up)
                pilot.leave(self)
                acquire(&self.level[0].lock)
            if self.halt or self.descended >= self.goal or (deadline and now() >= deadline) or (
                    self.cancelled and self.arena.node[self.root_node].n_edges):
                break
            self.descended += 1
            n = AT_WILL + self.drawn
            self.drawn += 1
            self.make_room(self.threads)
            pilot.descend(self, flight)
            pilot.leave(self)
            flying = True
            pilot.play_out(self)
            if pilot.work.failed or pilot.shadow.failed:
                acquire(&self.level[0].lock)
                self.failed = 1
                self.halt = 1
                self.descended -= 1
                break
            pilot.prepare(self, n)
        release(&self.level[0].lock)

    cdef void settle(self) noexcept nogil:
        """Have everybody stop, and back up what is in flight."""
        cdef int spins = 0
        acquire(&self.level[0].lock)
        store_flag(&self.halt, 1)
        store_flag(&self.open, CLOSED)
        release(&self.level[0].lock)
        while load_flag(&self.at_work):
            rest(spins)
            spins += 1
        self.target = 0
        while self.ordered and self.backed_up < self.descended:
            acquire(&self.level[0].lock)
            self.land(<Pilot> self.pilot[0])

    def help(self):
        """Work on the running search until it ends; for threads besides the one that runs it.

        Returns at once when the search has ended.
        """
        with nogil:
            self.take_part()

    cdef void take_part(self) noexcept nogil:
        cdef int slot = -1, spins = 0
        while load_flag(&self.open) == EXPECTED:
            rest(spins)
            spins += 1
        acquire(&self.level[0].lock)
        if self.open == RUNNING:
            self.at_work += 1
            self.helpers += 1
            slot = self.helpers
        release(&self.level[0].lock)
        if slot < 0:
            return
        if slot < self.threads and self.ordered:
            self.work_in_order(<Pilot> self.pilot[slot], 0)
        elif slot < self.threads:
            self.work_at_will(<Pilot> self.pilot[slot], self.flight[slot], 0)
        acquire(&self.level[0].lock)
        store_flag(&self.at_work, self.at_work - 1)
        release(&self.level[0].lock)

    def welcome(self, int threads=1, bint ordered=True):
        """Get ready for `help` from other threads during the next run.

        Parameters
        ----------
        threads : int
            Threads that will work, the one that runs the search included.
        ordered : bool
            Keep the order of the operations on the tree (see the module), so that threads change nothing.
        """
        if not 1 <= threads <= MAX_WINDOW:
            raise ValueError(f"a search has 1 to {MAX_WINDOW} threads, not {threads}")
        self.board(threads, self.params.window if ordered else threads)
        self.ordered = ordered
        self.threads = threads
        self.helpers = 0
        self.halt = 0
        self.open = EXPECTED

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
        cdef int64_t begin = now(), end = 0, deadline, reported = begin
        if self.open != EXPECTED:
            self.welcome()
        if iterations is None and seconds is None:
            with nogil:
                self.settle()
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
                if seconds is not None and now() >= end and self.arena.node[self.root_node].n_edges:
                    return "seconds"
                deadline = now() + SLICE
                if seconds is not None and deadline > end:
                    deadline = end
                with nogil:
                    if self.ordered:
                        self.work_in_order(<Pilot> self.pilot[0], deadline)
                    else:
                        self.work_at_will(<Pilot> self.pilot[0], self.flight[0], deadline)
                PyErr_CheckSignals()
                if self.failed:
                    break
                if self.cancelled and self.arena.node[self.root_node].n_edges:
                    return "cancelled"
                if callback is not None and now() - reported >= 100_000_000:
                    reported = now()
                    self.report_to(callback)
                if self.decided:
                    return "decided"
                if early_stop and seconds is not None:
                    rate = (self.descended - first) / max(1e-9, <double> (now() - begin))
                    if self.ahead() > (end - now()) * rate * 1.1:
                        return "decided"
        finally:
            with nogil:
                self.settle()
        failures = []
        for pilot in self.pilots:
            for state in ((<Pilot> pilot).work, (<Pilot> pilot).shadow):
                try:
                    state.raise_failure()
                except BaseException as error:
                    failures.append(error)
        raise failures[0]

    def report_to(self, callback):
        """Call back with nobody in the tree."""
        with nogil:
            self.hold()
        try:
            callback(self)
        finally:
            with nogil:
                release(&self.level[0].lock)

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

    def cancel(self):
        """Stop a running search after the iterations under way; may be called from another thread."""
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
        return self.backed_up

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
            value (mean win share per seat), prior, and strategy (a bid's average, else None), most visited
            first.
        """
        cdef Arena* a = &self.arena
        cdef Node* node = &a.node[self.root_node]
        cdef Edge* edge
        cdef RootTotal* total
        cdef int i, p
        cdef double mean, n, averages = 0.0
        out = []
        if a.bid != NULL:
            for i in range(node.n_edges):
                averages += a.bid[node.first + i].average
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
                "availability": availability(node, edge, node.n),
                "reward": reward,
                "deviation": sqrt(max(0.0, total.square / n - mean * mean)) if total.n > 1 else 0.5,
                "value": value,
                "prior": edge.prior,
                "strategy": a.bid[node.first + i].average / averages if averages > 0.0 else None,
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
        cdef bint exact = self.params.clairvoyant or not self.origin.hidden
        if self.params.multiple:
            return self.line_of_many(move, length)
        if self.params.cheat or self.params.clairvoyant:
            s = self.origin.clone()
        else:
            s = self.view.sample(Random(self.seed))
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
            s.wipe(0)
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

    cdef list line_of_many(self, move_t move, int length):
        """Return the line of `line` where every seat has its own tree; luck as it is likeliest."""
        cdef Arena* a = &self.arena
        cdef GameState s = self.origin.clone() if self.params.cheat else self.view.sample(Random(self.seed))
        cdef Seen seen[MAX_SEATS]
        cdef const Node* node
        cdef uint32_t v = self.root_node, best
        cdef uint64_t history, label
        cdef int i, k, actor, chances = 0
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
                history = seen[actor].history
                if seen[actor].node:
                    v = seen[actor].node
                else:
                    v = self.entry[actor]
                    if self.params.keyed:
                        history = mix64(history, <uint64_t> s.private_bucket(actor) + 1)
                i = a.node[v].first + seen[actor].offset
                v = find_child(a, &a.edge[i], child_key(v, a.edge[i].code, mix64(history, <uint64_t> actor)))
                if v == 0 or a.node[v].n < 2:
                    break
                legal = set(s.legal_moves())
                best = 0
                node = &a.node[v]
                for i in range(node.n_edges):
                    if a.edge[node.first + i].n > best and a.edge[node.first + i].code in legal:
                        best = a.edge[node.first + i].n
                        code = a.edge[node.first + i].code
                if best == 0:
                    break
            elif move not in s.legal_moves():
                break
            out.append((s.clone(), code))
            s.play(code)
            s.wipe(0)
            if actor != CHANCE:
                seen[actor].node = v
                seen[actor].history = 0
                seen[actor].offset = 0
                node = &a.node[v]
                for i in range(node.n_edges):
                    if a.edge[node.first + i].code == code:
                        seen[actor].offset = i
            elif self.params.chance_depth >= 0 and chances > self.params.chance_depth:
                continue
            for k in range(s.players):
                label = s.event_label(k)
                if label:
                    seen[k].history = mix64(seen[k].history, label)
        while out and out[len(out) - 1][0].is_chance:     # luck that nobody answers tells nothing
            out.pop()
        return out

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
            trial.wipe(0)
            h = history
            kept = False
            if self.params.chance_depth < 0 or chances < self.params.chance_depth:
                label = mix64(outcome, 1) | 1 if self.params.clairvoyant else trial.event_label(self.seat)
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
        if self.params.multiple or self.params.clairvoyant or self.n_worlds or self.only:
            return False                # others' trees begin at the old root; worlds and the move were for it alone
        for i in range(a.node[self.root_node].n_edges):
            if a.edge[a.node[self.root_node].first + i].code == <move_t> move:
                e = a.node[self.root_node].first + i
        if e == 0 or move not in s.legal_moves():
            return False
        s.play(move)
        s.wipe(0)                       # as in every view
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
        self.unprepare()
        memset(self.root_total, 0, self.root_room * sizeof(RootTotal))
        return True

    def fits(self, View view not None):
        """True when this search's memory can be reused for `view`: the same game with the same options."""
        return type(view.state) is type(self.origin) and view.state.game == self.origin.game

    def restart(self, View view not None, uint64_t seed, GameState world=None, worlds=None, only=None):
        """Forget the tree and start at another view of the same game, reusing the memory.

        Parameters
        ----------
        view, seed, world, worlds
            As of the search; a world is needed exactly if the search was built with one.
        only : int, optional
            Legal move that the searching seat is held to at the root.
        """
        cdef GameState origin = view.state if world is None else world
        if view.state.actor() != view.seat or origin.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        if (world is not None) != bool(self.params.clairvoyant):
            raise ValueError("a search of one world stays one, and no other becomes one")
        if only is not None and only not in origin.legal_moves():
            raise ValueError(f"{only} is not a legal move here")
        self.only = only is not None
        self.only_move = only if only is not None else 0
        arena_clear(&self.arena)
        self.view = view
        self.seat = view.seat
        self.origin = origin
        self.seed = seed
        self.take_worlds(worlds)
        self.descended = 0
        self.backed_up = 0
        for pilot in self.pilots:
            memset(&(<Pilot> pilot).tally, 0, sizeof(Tally))
        self.unprepare()
        self.plant()
        self.find_leader()

    def statistics(self):
        """Return figures about the tree and the time spent.

        Returns
        -------
        dict
            nodes, edges, tree_bytes, bytes_per_node (per node and edge pair), depth_mean, depth_max, depths
            (iterations by decisions inside the tree), branchings (decisions by candidates: 1, 2, 3-4, ...),
            playout_moves (mean moves of seats a playout), share (of the time, by step; only when profiling),
            arena_full.
        """
        cdef Arena* a = &self.arena
        cdef const Tally* tally
        cdef int i
        cdef uint64_t moves = 0, depths = 0, deepest = 0, edges = count_edges(a)
        spent = {"determinize": 0, "select": 0, "expand": 0, "playout": 0, "backup": 0}
        by_depth = [0] * DEPTH_BINS
        by_branching = [0] * BRANCH_BINS
        for pilot in self.pilots:
            tally = &(<Pilot> pilot).tally
            moves += tally.playout_moves
            depths += tally.depth_sum
            deepest = max(deepest, tally.depth_max)
            for i in range(DEPTH_BINS):
                by_depth[i] += tally.depths[i]
            for i in range(BRANCH_BINS):
                by_branching[i] += tally.branchings[i]
            spent["determinize"] += tally.clock.determinize
            spent["select"] += tally.clock.select
            spent["expand"] += tally.clock.expand
            spent["playout"] += tally.clock.playout
            spent["backup"] += tally.clock.backup
        used = arena_bytes(a)
        total = sum(spent.values())
        return {
            "nodes": edges + 1,         # every edge leads to a node; one visited once lives in its edge
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
            "share": {k: t / total for k, t in spent.items()} if total else None,
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
                assert (edge.n <= availability(&a.node[v], edge, a.node[v].n) or self.params.use_priors
                        or v in self.entry), "more visits than availability"
                assert 0 <= edge.w <= <int64_t> edge.n * ONE, "a mean reward left [0, 1]"
                total += edge.n
            assert total <= a.node[v].n, "more edge visits than node visits"
            if not a.full:
                assert a.node[v].n - total <= <uint64_t> self.params.expand_at, "visits were lost"
