"""What the threads of a search share: its constants and the tree."""

from libc.math cimport exp
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from sfida.cython_ext.search.arena cimport add_edge, arena_free, arena_init, arena_relieve, arena_tight, new_node
from sfida.cython_ext.search.lock cimport acquire, release
from sfida.cython_ext.search.params cimport BIDS_UCB, MAX_WINDOW, REDETERMINIZE_OFF
from sfida.cython_ext.state cimport playout_params

from collections.abc import Mapping

from sfida.cython_ext.search.parameters import DECLARED


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

    @property
    def parameters(self):
        """The parameters in force, by keyword: those given, the defaults of the others, less what does not apply.

        Nothing is evaluated or weighed by priors in a game without them, and one tree learns no bids.
        """
        return {name: DECLARED[name].shown(value) for name, value in (<dict> self.params).items()}

    cdef int take_parameters(self, dict parameters) except -1:
        """Fill the struct from keywords and defaults; the origin and the variant are known already."""
        for name in parameters:
            if name not in DECLARED:
                raise TypeError(f"a search has no parameter '{name}'")
        self.params = {name: declared.stored(parameters.get(name, declared.default))
                       for name, declared in DECLARED.items()}
        if not 1 <= self.params.window <= MAX_WINDOW:
            raise ValueError(f"the window must be 1 to {MAX_WINDOW}, not {self.params.window}")
        self.params.priors = self.params.priors and self.origin.has_priors
        if not self.origin.has_evaluation:
            self.params.cutoff = -1
        if not self.multiple:           # in one tree, others would see the hidden choice
            self.params.bids = BIDS_UCB
        self.multiple = self.multiple and not self.clairvoyant and self.origin.hidden       # else all see the same
        if self.clairvoyant or not self.origin.hidden:
            self.params.redeterminize = REDETERMINIZE_OFF
        self.playout = playout_params(self.params.cutoff, self.params.informed)
        self.separable = not (self.multiple or self.params.bids != BIDS_UCB)
        return 0

    cdef int take_memory(self) except -1:
        """Reserve the arena with what the parameters ask for beside the edges."""
        if arena_init(&self.arena, <uint64_t> self.params.memory << 20, self.params.bids != BIDS_UCB) != 0:
            raise MemoryError(f"the search tree cannot have {self.params.memory} MB here; give the agent a lower "
                              "limit, such as memory=64")
        return 0

    cdef int take_worlds(self, object worlds) except -1:
        """Draw from these worlds from now on; None: from the game's determinizer."""
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
        """Hold the searcher to some root moves, as `Search.restart` describes; None: to none."""
        cdef int i
        errors = {} if only is None else dict(only) if isinstance(only, Mapping) else {only: 0.0}
        if only is not None and not errors:
            raise ValueError("a search needs at least one move to be held to")
        legal = set(origin.legal_moves()) if errors else ()
        for move in errors:
            if move not in legal:
                raise ValueError(f"{move} is not a legal move here")
        free(self.held)
        free(self.odds)
        self.held = NULL
        self.odds = NULL
        self.n_held = 0
        if not errors:
            return 0
        self.held = <move_t*> malloc(len(errors) * sizeof(move_t))
        if any(errors.values()):
            self.odds = <double*> malloc(len(errors) * sizeof(double))
        if self.held == NULL or (any(errors.values()) and self.odds == NULL):
            raise MemoryError()
        for i, move in enumerate(sorted(errors)):
            self.held[i] = move
            if self.odds != NULL:
                self.odds[i] = exp(errors[move])
        self.n_held = len(errors)
        return 0

    cdef int clear(self) except -1:
        """Start an empty tree at the root; the arena is empty."""
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
            if self.multiple and k != self.seat:
                self.entry[k] = new_node(&self.arena, k)
                add_edge(&self.arena, self.entry[k], <move_t> k, 0.0, 0)
        return 0

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
