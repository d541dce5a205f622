"""A tree that threads share: its setup, and the order of the operations on it.

In an ordered run the operations on the tree are always the same, and every node meets them in the same sequence:
up to `batch` iterations are in flight, and the next one starts when the oldest is being backed up. Meanwhile all
threads play out, and descents and backups follow one another level by level. So the result depends on the
seed, the budget and `batch`, never on the number of threads or their speed. In an unordered run (time
budgets, more than one thread) each thread continues as soon as it can.

Every operation starts with the lock of the tree's first level: what is done under it has an order.
"""

from libc.math cimport exp
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.search.arena cimport (
    Node, acquire, add_edge, arena_clear, arena_init, load_flag, new_node, release, rest, store_flag
)
from sfida.cython_ext.search.iteration cimport (
    LEVELS, PLAYED, PREPARED, RootTotal, SearchThread, Simulation, Tally, back_up, copy_ahead, expand, has_failed,
    play_out, prepare, select, simulation_free, simulation_init
)
from sfida.cython_ext.search.params cimport BIDS_UCB, MAX_BATCH
from sfida.cython_ext.state cimport GameState, move_t, playout_params

from collections.abc import Mapping

from sfida.cython_ext.search.parameters import DECLARED


cdef uint64_t AT_WILL = <uint64_t> 1 << 40  # first random stream of unordered iterations


cdef inline uint64_t batch_at(uint64_t batch, uint64_t number) noexcept nogil:
    """Iterations that may be in flight when iteration `number` starts: few at first, when each one counts."""
    return min(1 + number // 16, batch)


cdef class SharedTree(Tree):
    """A tree with the threads that work in it; `search.Search` starts and ends them."""

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_BATCH):
            if self.simulation[i] != NULL:
                simulation_free(self.simulation[i])
                free(self.simulation[i])

    @property
    def parameters(self):
        """The parameters in force, by keyword: arguments and defaults, except those that do not apply.

        A game without evaluation or priors does not use them, and a single tree learns no bids.
        """
        return {name: DECLARED[name].shown(value) for name, value in (<dict> self.params).items()}

    cdef int take_parameters(self, dict parameters) except -1:
        """Fill the struct from keywords and defaults; the origin and the variant are already known."""
        for name in parameters:
            if name not in DECLARED:
                raise TypeError(f"a search has no parameter '{name}'")
        self.params = {name: declared.stored(parameters.get(name, declared.default))
                       for name, declared in DECLARED.items()}
        if not 1 <= self.params.batch <= MAX_BATCH:
            raise ValueError(f"the batch must be 1 to {MAX_BATCH}, not {self.params.batch}")
        self.params.priors = self.params.priors and self.origin.has_priors
        if not self.origin.has_evaluation:
            self.params.cutoff = -1
        if not self.multiple:           # in a single tree, other seats would see the hidden choice
            self.params.bids = BIDS_UCB
        self.multiple = self.multiple and not self.clairvoyant and self.origin.hidden       # otherwise all see the same
        self.playout = playout_params(self.params.cutoff, self.params.informed)
        self.separable = not (self.multiple or self.params.bids != BIDS_UCB)
        return 0

    cdef int take_memory(self) except -1:
        """Reserve the arena, with the parallel data of edges that the parameters require."""
        if arena_init(&self.arena, <uint64_t> self.params.memory << 20, self.params.bids != BIDS_UCB) != 0:
            raise MemoryError(f"the search tree cannot have {self.params.memory} MB here; give the agent a lower "
                              "limit, such as memory=64")
        self.root_room = self.origin.max_legal
        self.root_total = <RootTotal*> calloc(self.root_room, sizeof(RootTotal))
        if self.root_total == NULL:
            raise MemoryError()
        return 0

    cdef int take_worlds(self, object worlds) except -1:
        """Draw from these worlds from now on; None: from the game's determinization."""
        cdef int i
        self.worlds = list(worlds) if worlds else []
        self.n_worlds = len(self.worlds)
        free(self.world)
        self.world = NULL
        if self.n_worlds:
            for state in self.worlds:
                if type(state) is not type(self.origin) or state.to_move != self.seat:
                    raise ValueError("a world must be a state of the same game with the same seat to move")
            self.world = <void**> malloc(self.n_worlds * sizeof(void*))
            if self.world == NULL:
                raise MemoryError()
            for i in range(self.n_worlds):
                self.world[i] = <void*> self.worlds[i]
        return 0

    cdef int hold_to(self, object only, GameState origin) except -1:
        """Restrict the searcher to some root moves, as `Search.restart` describes; None: to no subset."""
        cdef int i
        cdef move_t* moves
        cdef double* error
        errors = {} if only is None else dict(only) if isinstance(only, Mapping) else {only: 0.0}
        if only is not None and not errors:
            raise ValueError("a search needs at least one move to be held to")
        legal = set(origin.legal_moves()) if errors else ()
        for move in errors:
            if move not in legal:
                raise ValueError(f"{move} is not a legal move here")
        moves = <move_t*> malloc((len(errors) + 1) * sizeof(move_t))
        error = <double*> malloc((len(errors) + 1) * sizeof(double))
        try:
            if moves == NULL or error == NULL:
                raise MemoryError()
            for i, move in enumerate(sorted(errors)):
                moves[i], error[i] = move, errors[move]
            if self.hold(moves, error, len(errors)) != 0:
                raise MemoryError()
        finally:
            free(moves)
            free(error)
        return 0

    cdef int hold(self, const move_t* moves, const double* errors, int n) noexcept nogil:
        """Restrict the searcher to moves, given in ascending order; to no subset if n is 0. Returns -1 without memory.

        `errors`, in log odds, are those of its judgement; NULL: none.
        """
        cdef int i
        cdef bint errs = False
        free(self.held)
        free(self.odds)
        self.held = NULL
        self.odds = NULL
        self.n_held = 0
        if n == 0:
            return 0
        for i in range(n):
            errs = errs or (errors != NULL and errors[i] != 0.0)
        self.held = <move_t*> malloc(n * sizeof(move_t))
        if errs:
            self.odds = <double*> malloc(n * sizeof(double))
        if self.held == NULL or (errs and self.odds == NULL):
            return -1
        for i in range(n):
            self.held[i] = moves[i]
            if errs:
                self.odds[i] = exp(errors[i])
        self.n_held = n
        return 0

    cdef void replant(self, int seat, uint64_t seed) noexcept nogil:
        """Empty the tree and start at `origin`, where `seat` is to move; the memory is used again."""
        cdef int i
        arena_clear(&self.arena)
        self.seat = seat
        self.seed = seed
        self.descended = 0
        self.backed_up = 0
        for i in range(self.n_made):
            memset(&(<SearchThread> self.thread[i]).tally, 0, sizeof(Tally))
        self.forget_prepared()
        self.clear()

    cdef void clear(self) noexcept nogil:
        """Start an empty tree at the root, in an empty arena."""
        cdef int k
        memset(self.root_total, 0, self.root_room * sizeof(RootTotal))
        self.root_node = new_node(&self.arena, self.seat)
        for k in range(self.origin.players):
            self.entry[k] = 0
            if self.multiple and k != self.seat:
                self.entry[k] = new_node(&self.arena, k)
                add_edge(&self.arena, self.entry[k], <move_t> k, 0.0, 0)

    cdef int reserve(self, int threads, int simulations) except -1:
        """Have at least that many threads and simulations."""
        cdef int i
        while len(self.threads) < threads:
            thread = SearchThread(self)
            self.thread[self.n_made] = <void*> thread
            self.n_made += 1
            self.threads.append(thread)
        for i in range(simulations):
            if self.simulation[i] == NULL:
                self.simulation[i] = <Simulation*> calloc(1, sizeof(Simulation))
                if (self.simulation[i] == NULL
                        or simulation_init(self.simulation[i], i, self.origin.max_legal) != 0):
                    raise MemoryError()
        return 0

    cdef void forget_prepared(self) noexcept nogil:
        """Discard the prepared worlds."""
        cdef int i
        for i in range(self.n_made):
            (<SearchThread> self.thread[i]).world = PLAYED

    cdef int raise_failure(self) except -1:
        """Raise an exception that a game raised in one of the threads."""
        failures = []
        for thread in self.threads:
            for state in (<SearchThread> thread).positions():
                try:
                    (<GameState> state).raise_failure()
                except BaseException as error:
                    failures.append(error)
        raise failures[0]

    # ---- ordered iterations ---------------------------------------------------------------

    cdef Simulation* start_next(self, SearchThread thread, uint64_t n) noexcept nogil:
        """Descend with iteration n; called with the lock held, releases it."""
        cdef Simulation* simulation = self.simulation[n % <uint64_t> self.params.batch]
        cdef int spins = 0
        while load_flag(&simulation.in_tree):  # another thread is about to finish its backup
            rest(spins)
            spins += 1
        prepare(thread, self, n)
        select(thread, self, simulation)
        return simulation

    cdef void back_up_oldest(self, SearchThread thread) noexcept nogil:
        """Back up the oldest simulation; called with the lock held, releases it."""
        cdef Simulation* simulation = self.simulation[self.backed_up % <uint64_t> self.params.batch]
        simulation.played_out = 0
        simulation.in_tree = 1
        self.backed_up += 1
        back_up(thread, self, simulation)
        store_flag(&simulation.in_tree, 0)

    cdef void check_decided(self) noexcept nogil:
        """Halt when the best move can no longer be overtaken; the lock is held.

        Checked at fixed iterations, so that slices, which depend on the clock, do not change the result.
        """
        cdef const Node* root = &self.arena.node[self.root_node]
        if self.target == 0 or self.backed_up & 63 or self.backed_up == self.judged:
            return
        self.judged = self.backed_up
        if root.n < self.target and self.ahead() > self.target - <int64_t> root.n:
            self.decided = 1
            self.halt = 1

    cdef int64_t ahead(self) noexcept nogil:
        """Return by how many visits the most visited root move leads the second."""
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

    # ---- work of a thread -------------------------------------------------------------------

    cdef void work(self, int64_t deadline) noexcept nogil:
        """Work as the thread that runs the search."""
        if self.ordered:
            self.work_in_order(<SearchThread> self.thread[0], deadline)
        else:
            self.work_at_will(<SearchThread> self.thread[0], self.simulation[0], deadline)

    cdef void work_in_order(self, SearchThread thread, int64_t deadline) noexcept nogil:
        """Work until the goal, a halt or the deadline; the lock is not held."""
        cdef Simulation* simulation
        cdef int failed, spins
        acquire(&self.level[0].lock)
        while not self.halt:
            if self.cancelled and self.arena.node[self.root_node].n_edges:  # a search ends with a move to play
                break
            self.check_decided()
            if self.halt:
                break
            if self.descended < self.goal and (
                    self.descended - self.backed_up < batch_at(self.params.batch, self.descended)):
                self.descended += 1
                simulation = self.start_next(thread, self.descended - 1)
                expand(thread, self)
                play_out(thread, self)
                failed = has_failed(thread)
                if not failed:
                    copy_ahead(thread, self)
                store_flag(&simulation.played_out, 1)
                acquire(&self.level[0].lock)
                if failed:
                    self.failed = 1
                    self.halt = 1
                if deadline and awake_ns() >= deadline:
                    break
            elif self.backed_up == self.descended:
                break                   # the goal is reached
            else:
                simulation = self.simulation[self.backed_up % <uint64_t> self.params.batch]
                if load_flag(&simulation.played_out):
                    self.back_up_oldest(thread)
                    acquire(&self.level[0].lock)
                    continue
                release(&self.level[0].lock)
                spins = 0
                while not load_flag(&simulation.played_out) and not load_flag(&self.halt):
                    rest(spins)
                    spins += 1
                    if spins & 63 == 0 and deadline and awake_ns() >= deadline:
                        return
                acquire(&self.level[0].lock)
        release(&self.level[0].lock)

    cdef void work_at_will(self, SearchThread thread, Simulation* simulation, int64_t deadline) noexcept nogil:
        """Work with the thread's own simulation; the lock is not held."""
        cdef uint64_t n
        cdef bint under_way = False
        while True:
            if thread.world != PREPARED:
                acquire(&self.level[0].lock)
                n = AT_WILL + self.drawn
                self.drawn += 1
                release(&self.level[0].lock)
                prepare(thread, self, n)
            acquire(&self.level[0].lock)
            if under_way:
                self.backed_up += 1
                back_up(thread, self, simulation)
                acquire(&self.level[0].lock)
            if self.halt or self.descended >= self.goal or (deadline and awake_ns() >= deadline) or (
                    self.cancelled and self.arena.node[self.root_node].n_edges):
                break
            self.descended += 1
            n = AT_WILL + self.drawn
            self.drawn += 1
            select(thread, self, simulation)
            under_way = True
            expand(thread, self)
            play_out(thread, self)
            if has_failed(thread):
                acquire(&self.level[0].lock)
                self.failed = 1
                self.halt = 1
                self.descended -= 1
                break
            prepare(thread, self, n)
        release(&self.level[0].lock)

    # ---- beginning and end of a run -----------------------------------------------------------

    cdef int expect_helpers(self, int threads, bint ordered) except -1:
        """Prepare for a run on that many threads, including the one that runs the search."""
        self.reserve(threads, self.params.batch if ordered else threads)
        self.expect(threads, ordered)
        return 0

    cdef void expect(self, int threads, bint ordered) noexcept nogil:
        """The part of `expect_helpers` that needs no Python: threads and simulations are there."""
        self.ordered = ordered
        self.n_threads = threads
        self.helpers = 0
        self.halt = 0
        self.open = EXPECTED

    cdef void open_run(self, int64_t iterations, bint early_stop) noexcept nogil:
        """Begin a run until the root has that many visits (-1: without such a goal), and let the helpers in."""
        self.cancelled = 0
        self.decided = 0
        self.failed = 0
        self.judged = self.backed_up
        self.target = iterations if early_stop and iterations >= 0 else 0
        self.goal = <uint64_t> -1
        if iterations >= 0:
            self.goal = self.descended + max(0, iterations - <int64_t> self.arena.node[self.root_node].n)
        acquire(&self.level[0].lock)
        store_flag(&self.open, RUNNING)
        release(&self.level[0].lock)

    cdef void take_part(self) noexcept nogil:
        """Work as a helper until the run ends; return at once if it has ended."""
        cdef int slot = 0, spins = 0
        while load_flag(&self.open) == EXPECTED:
            rest(spins)
            spins += 1
        acquire(&self.level[0].lock)
        if self.open == RUNNING:
            self.at_work += 1
            self.helpers += 1
            slot = self.helpers
        release(&self.level[0].lock)
        if slot == 0:
            return
        if slot < self.n_threads and self.ordered:
            self.work_in_order(<SearchThread> self.thread[slot], 0)
        elif slot < self.n_threads:
            self.work_at_will(<SearchThread> self.thread[slot], self.simulation[slot], 0)
        acquire(&self.level[0].lock)
        store_flag(&self.at_work, self.at_work - 1)
        release(&self.level[0].lock)

    cdef void lock_tree(self) noexcept nogil:
        """Take the lock of the first level and wait until no thread is in the tree."""
        cdef int d
        acquire(&self.level[0].lock)
        for d in range(1, LEVELS):
            acquire(&self.level[d].lock)
            release(&self.level[d].lock)

    cdef void finish(self) noexcept nogil:
        """Stop all threads, and back up the simulations in flight."""
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
            self.back_up_oldest(<SearchThread> self.thread[0])
