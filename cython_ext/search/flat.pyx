"""Flat Monte Carlo: one bandit over the root's legal moves, no tree.

References
----------
Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits" (2013), for
sequential halving; P. Auer et al. (2002) for UCB1.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport log, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from sfida.cython_ext.rng cimport Rng, mix64, rng_seed
from sfida.cython_ext.search.iteration cimport blend_reward
from sfida.cython_ext.state cimport MAX_SEATS, GameState, PlayoutParams, View, move_t, playout_params

from sfida.cython_ext.measure import awake
from sfida.cython_ext.search.parameters import DEFAULTS


cdef struct Arm:
    move_t code
    uint64_t n
    int survived                        # rounds of sequential halving
    double square
    double reward
    double win[MAX_SEATS]


cdef class FlatSearch:
    """Playouts after each legal move of one seat's view.

    Parameters
    ----------
    view : View
    seed : int
    only : int, optional
        The only legal move to try; None: all that are worth searching.
    cutoff, informed, blend, tau
        As in `Search`.
    """

    cdef readonly object view
    cdef readonly int seat
    cdef readonly int n_arms
    cdef GameState origin
    cdef GameState work
    cdef Arm* arm
    cdef move_t* scratch
    cdef uint64_t seed
    cdef uint64_t done
    cdef double blend
    cdef double tau
    cdef PlayoutParams playout
    cdef volatile int cancelled

    def __init__(self, View view not None, uint64_t seed=0, *, object only=None, int cutoff=DEFAULTS["cutoff"],
                 int informed=DEFAULTS["informed"], double blend=DEFAULTS["blend"], double tau=DEFAULTS["tau"]):
        cdef int i
        if view.state.actor() != view.seat:
            raise ValueError("a search starts where its seat is to move")
        self.view = view
        self.seat = view.seat
        self.origin = view.state
        self.work = view.state.clone()
        self.seed = seed
        self.blend = blend
        self.tau = tau
        self.playout = playout_params(cutoff, informed)
        moves = view.candidate_moves() if only is None else [only]
        self.n_arms = len(moves)
        self.arm = <Arm*> calloc(self.n_arms, sizeof(Arm))
        self.scratch = <move_t*> malloc(view.state.max_legal * sizeof(move_t))
        if self.arm == NULL or self.scratch == NULL:
            raise MemoryError()
        for i in range(self.n_arms):
            self.arm[i].code = moves[i]

    def __dealloc__(self):
        free(self.arm)
        free(self.scratch)

    cdef void pull(self, int i) noexcept nogil:
        cdef Rng rng
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef double u[MAX_SEATS]
        cdef int p
        rng_seed(&rng, mix64(self.seed, self.done))
        self.done += 1
        self.work.copy_from(self.origin)
        self.work.determinize_for(self.seat, &rng)
        self.work.play(self.arm[i].code)
        self.work.playout(&rng, &self.playout, self.scratch, win, score)
        blend_reward(win, score, self.origin.players, self.blend, self.tau, u)
        self.arm[i].n += 1
        self.arm[i].reward += u[self.seat]
        self.arm[i].square += u[self.seat] * u[self.seat]
        for p in range(self.origin.players):
            self.arm[i].win[p] += win[p]

    cdef int best_ucb(self, double c) noexcept nogil:
        cdef int i, pick = 0
        cdef double value, best = -1e300
        for i in range(self.n_arms):
            if self.arm[i].n == 0:
                return i
            value = self.arm[i].reward / self.arm[i].n + c * sqrt(log(<double> self.done) / self.arm[i].n)
            if value > best:
                best = value
                pick = i
        return pick

    def halve(self, iterations, callback=None):
        """Spend `iterations` playouts by sequential halving; returns "iterations" or "cancelled"."""
        cdef int i, j
        cdef int64_t each
        self.cancelled = 0
        alive = list(range(self.n_arms))
        rounds = max(1, (self.n_arms - 1).bit_length())
        reported = awake()
        for r in range(rounds):
            left = iterations - <int64_t> self.done
            share = left // (rounds - r)
            for at, i in enumerate(alive):
                each = share // len(alive) + (at < share % len(alive))
                while each > 0:
                    j = <int> min(each, 256)
                    each -= j
                    with nogil:
                        while j > 0 and not self.cancelled and not self.work.failed:
                            self.pull(i)
                            j -= 1
                    PyErr_CheckSignals()
                    self.work.raise_failure()
                    if self.cancelled:
                        return "cancelled"
                    if callback is not None and awake() - reported >= 0.1:
                        reported = awake()
                        callback(self)
            alive.sort(key=lambda k: (-self._mean(k), k))
            alive = alive[:(len(alive) + 1) // 2]
            for i in alive:
                self.arm[i].survived += 1
        return "iterations"

    def bandit(self, seconds, iterations, double c, callback=None):
        """Pull arms by UCB1 until the budget ends; returns "seconds", "iterations" or "cancelled"."""
        cdef int64_t chunk = 16
        cdef int64_t _i
        self.cancelled = 0
        start = reported = awake()
        while True:
            elapsed = awake() - start
            if elapsed >= seconds and self.done:
                return "seconds"
            if iterations is not None:
                if <int64_t> self.done >= iterations:
                    return "iterations"
                chunk = min(chunk, iterations - <int64_t> self.done)
            with nogil:
                for _i in range(chunk):
                    if self.cancelled or self.work.failed:
                        break
                    self.pull(self.best_ucb(c))
            PyErr_CheckSignals()
            self.work.raise_failure()
            if self.cancelled:
                return "cancelled"
            elapsed = awake() - start
            rate = self.done / elapsed if elapsed > 0 else 1e9
            chunk = max(1, min(int(rate * min(0.02, max(0.0, seconds - elapsed))) + 1, 20000))
            if callback is not None and awake() - reported >= 0.1:
                reported = awake()
                callback(self)

    def cancel(self):
        """Stop after the current playout; may be called from another thread."""
        self.cancelled = 1

    def _mean(self, int i):
        return self.arm[i].reward / self.arm[i].n if self.arm[i].n else 0.0

    @property
    def iterations(self):
        """Number of playouts so far."""
        return self.done

    def rows(self):
        """Return the arms as dicts: move, visits, survived, mean, deviation, value (per seat)."""
        cdef int i, p
        out = []
        for i in range(self.n_arms):
            n = max(1, self.arm[i].n)
            mean = self.arm[i].reward / n
            out.append({"move": self.arm[i].code, "visits": self.arm[i].n, "survived": self.arm[i].survived,
                        "mean": mean, "deviation": sqrt(max(0.0, self.arm[i].square / n - mean * mean)),
                        "value": [self.arm[i].win[p] / n for p in range(self.origin.players)]})
        return out
