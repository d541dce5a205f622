"""A thread of a search, and the first step of its iterations: a world that the seat cannot tell from the true one."""

from libc.stdlib cimport calloc, free, malloc

from sfida.cython_ext.lookahead cimport BestTurn
from sfida.cython_ext.search.lock cimport now
from sfida.cython_ext.rng cimport mix64, rng_seed


cdef class SearchThread:
    """What carries iterations out, one at a time.

    Parameters
    ----------
    t : Tree
        Whose positions it plays.

    Raises
    ------
    MemoryError
    """

    def __init__(self, Tree t not None):
        cdef int n = t.origin.max_legal
        self.work = t.origin.clone()
        self.shadow = t.origin.clone()
        self.turns = BestTurn(t.origin) if t.params.foresight > 0.0 else None
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

    cdef tuple positions(self):
        """All positions in which something is played."""
        return (self.work, self.shadow) + (() if self.turns is None else self.turns.positions())

    cdef void prepare(self, Tree t, uint64_t number) noexcept nogil:
        """Make the world of an iteration; its number decides which."""
        cdef int64_t t0 = now() if t.profiling else 0
        rng_seed(&self.rng, mix64(t.seed, number))
        if t.n_worlds:
            self.work.copy_from(<GameState> t.world[number % <uint64_t> t.n_worlds])
        else:
            if not self.copied:
                self.work.copy_from(t.origin)
            if not (t.cheat or t.clairvoyant):
                self.work.determinize_for(t.seat, &self.rng)
        if t.multiple and not t.cheat:
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
