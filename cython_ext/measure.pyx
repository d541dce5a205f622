"""Clocks: one that stops while the process sleeps, and the CPU time of the contract's nogil calls.

A process sleeps when the machine does, or when it is stopped (SIGSTOP, Ctrl-Z) and continued. That time is not
thinking time, so everything that limits thinking reads `awake`. The system's clock keeps running while a process is
stopped. Therefore a watcher thread, which needs no interpreter and takes no signals, reads that clock ten times a
second; when much more time has passed since its last reading, it counts the rest as sleep.
"""

from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from sfida.cython_ext.rng cimport Random, rng_below
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, TERMINAL, GameState, PlayoutParams, move_t, playout_params


cdef extern from *:
    """
    #include <pthread.h>
    #include <signal.h>
    #include <stdint.h>
    #include <time.h>

    #define SFIDA_TICK 100000000LL          /* nanoseconds between two looks of the watcher */
    #define SFIDA_TOLERANCE 300000000LL     /* most that is counted between two looks */
    #define SFIDA_STACK (1 << 16)

    static int64_t sfida_slept = 0;         /* nanoseconds slept, written by the watcher alone */
    static int64_t sfida_ceiling = INT64_MAX;   /* what the clock can show at most before the next look */
    static int sfida_watched = 0;

    static int64_t sfida_monotonic(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
    }

    static void *sfida_watch(void *unused) {
        struct timespec tick = {0, SFIDA_TICK};
        int64_t slept = __atomic_load_n(&sfida_slept, __ATOMIC_ACQUIRE);
        int64_t ceiling = __atomic_load_n(&sfida_ceiling, __ATOMIC_ACQUIRE), awake;
        for (;;) {
            awake = sfida_monotonic() - slept;
            if (awake > ceiling) {
                slept += awake - ceiling;
                awake = ceiling;
                __atomic_store_n(&sfida_slept, slept, __ATOMIC_RELEASE);    /* before the ceiling rises */
            }
            ceiling = awake + SFIDA_TOLERANCE;
            __atomic_store_n(&sfida_ceiling, ceiling, __ATOMIC_RELEASE);
            nanosleep(&tick, NULL);
        }
        return unused;
    }

    static void sfida_forked(void) {        /* a fork has no watcher until it starts one */
        sfida_ceiling = INT64_MAX;
        sfida_watched = 0;
    }

    /* Start the watcher, once; without it (no room for a thread) the clock is the system's. */
    static void sfida_start_watching(void) {
        static int told = 0;
        pthread_t thread;
        pthread_attr_t attributes;
        sigset_t all, before;
        if (__atomic_exchange_n(&sfida_watched, 1, __ATOMIC_ACQ_REL))
            return;
        if (!__atomic_exchange_n(&told, 1, __ATOMIC_ACQ_REL))
            pthread_atfork(NULL, NULL, sfida_forked);
        if (pthread_attr_init(&attributes))
            return;
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, SFIDA_STACK);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);        /* which the new thread inherits */
        __atomic_store_n(&sfida_ceiling, sfida_monotonic() - sfida_slept + SFIDA_TOLERANCE, __ATOMIC_RELEASE);
        if (pthread_create(&thread, &attributes, sfida_watch, NULL))
            __atomic_store_n(&sfida_ceiling, INT64_MAX, __ATOMIC_RELEASE);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }

    /*
     * The clock, and by how much the system's is ahead of it. A reading counts only if no sleep was added meanwhile;
     * otherwise a thread that lost its core between two of these lines would see the clock go back.
     */
    static int64_t sfida_awake(int64_t *slept) {
        int64_t before = __atomic_load_n(&sfida_slept, __ATOMIC_ACQUIRE), now, ceiling;
        for (;;) {
            now = sfida_monotonic();
            ceiling = __atomic_load_n(&sfida_ceiling, __ATOMIC_ACQUIRE);
            *slept = __atomic_load_n(&sfida_slept, __ATOMIC_ACQUIRE);
            if (*slept == before)
                break;
            before = *slept;
        }
        if (now - *slept > ceiling)             /* the watcher has not looked yet */
            *slept = now - ceiling;
        return now - *slept;
    }
    """
    int64_t awake_of "sfida_awake"(int64_t* slept) noexcept nogil
    void start_watching "sfida_start_watching"() noexcept nogil


cdef int64_t awake_ns() noexcept nogil:
    cdef int64_t asleep
    return awake_of(&asleep)


def awake():
    """Return the seconds of a monotonic clock that stops while this process sleeps."""
    start_watching()
    return awake_ns() * 1e-9


def slept():
    """Return the seconds that this process has slept since the first call of `awake` or `slept`."""
    cdef int64_t asleep
    start_watching()
    awake_of(&asleep)
    return asleep * 1e-9


cdef int64_t cpu_ns() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
    return <int64_t> t.tv_sec * 1000000000 + t.tv_nsec


def time_playouts(GameState state not None, Random rng not None, double seconds):
    """Play uniformly random games from `state` for about `seconds` of CPU time.

    Returns
    -------
    (int, float)
        Number of games and the seconds they took, including the copies of the start.
    """
    cdef GameState work = state.clone()
    cdef PlayoutParams params = playout_params(-1, 0)
    cdef double win[MAX_SEATS]
    cdef double score[MAX_SEATS]
    cdef int64_t start, spent = 0
    cdef int64_t limit = <int64_t> (seconds * 1e9)
    cdef uint64_t games = 0
    cdef int _i
    cdef move_t* scratch = <move_t*> malloc(state.max_legal * sizeof(move_t))
    if scratch == NULL:
        raise MemoryError()
    with nogil:
        start = cpu_ns()
        while spent < limit and not work.failed:
            for _i in range(16):
                work.copy_from(state)
                work.playout(&rng.rng, &params, scratch, win, score)
                games += 1
            spent = cpu_ns() - start
    free(scratch)
    work.raise_failure()
    return games, spent / 1e9


def count_moves(GameState state not None, Random rng not None, int games):
    """Play random games step by step; return (decisions, chance events, largest legal list)."""
    cdef GameState work = state.clone()
    cdef uint64_t decisions = 0, chances = 0
    cdef int _i, n, who, largest = 0
    cdef move_t* scratch = <move_t*> malloc(max(state.max_legal, state.max_listed) * sizeof(move_t))
    if scratch == NULL:
        raise MemoryError()
    with nogil:
        for _i in range(games):
            work.copy_from(state)
            while not work.failed:
                who = work.actor()
                if who == TERMINAL:
                    break
                if who == CHANCE:
                    work.play(work.sample(&rng.rng))
                    chances += 1
                    continue
                n = work.legal(scratch)
                if n > largest:
                    largest = n
                decisions += 1
                work.play(scratch[rng_below(&rng.rng, <uint32_t> n)])
    free(scratch)
    work.raise_failure()
    return decisions, chances, largest


def count_playout_moves(GameState state not None, Random rng not None, int games):
    """Return the mean number of decisions of uniformly random playouts from `state`."""
    cdef GameState work = state.clone()
    cdef PlayoutParams params = playout_params(-1, 0)
    cdef double win[MAX_SEATS]
    cdef double score[MAX_SEATS]
    cdef uint64_t moves = 0
    cdef int _i
    cdef move_t* scratch = <move_t*> malloc(state.max_legal * sizeof(move_t))
    if scratch == NULL:
        raise MemoryError()
    with nogil:
        for _i in range(games):
            work.copy_from(state)
            moves += work.playout(&rng.rng, &params, scratch, win, score)
    free(scratch)
    work.raise_failure()
    return <double> moves / games


def time_calls(list states, Random rng not None, int rounds):
    """Time the calls of the contract over a list of states at decisions.

    Returns
    -------
    dict of str to float
        Nanoseconds per call: copy, memcpy (of as many bytes, between the same places), legal, candidates, play,
        determinize, label (event_label of the mover) and, if the game has them, evaluate and priors (of the
        candidates). The preparation of a call (a copy or the candidates) is measured and subtracted.

    Raises
    ------
    Exception
        Any exception that a Python game raised.
    """
    cdef int n = len(states), i, _r, k
    cdef GameState first = states[0]
    cdef GameState work = first.clone()
    cdef GameState s
    cdef int64_t t0, copy_ns = 0, memcpy_ns = 0, legal_ns = 0, play_ns = 0, determinize_ns = 0
    cdef int64_t candidates_ns = 0, label_ns = 0, evaluate_ns = 0, priors_ns = 0
    cdef double win[MAX_SEATS]
    cdef double score[MAX_SEATS]
    cdef PyObject** ptr = <PyObject**> PyMem_Malloc(n * sizeof(PyObject*))
    cdef move_t* chosen = <move_t*> malloc(n * sizeof(move_t))
    cdef move_t* scratch = <move_t*> malloc(max(first.max_legal, first.max_listed) * sizeof(move_t))
    cdef float* prior = <float*> malloc(first.max_legal * sizeof(float))
    if ptr == NULL or chosen == NULL or scratch == NULL or prior == NULL:
        raise MemoryError()
    for i in range(n):
        s = states[i]
        ptr[i] = <PyObject*> s
        k = s.legal(scratch)
        chosen[i] = scratch[rng_below(&rng.rng, <uint32_t> k)]
    with nogil:
        for _r in range(rounds):
            t0 = cpu_ns()
            for i in range(n):
                work.copy_from(<GameState> ptr[i])
            copy_ns += cpu_ns() - t0
            if first.data != NULL:
                t0 = cpu_ns()
                for i in range(n):
                    memcpy(work.data, (<GameState> ptr[i]).data, work.size)
                memcpy_ns += cpu_ns() - t0
            t0 = cpu_ns()
            for i in range(n):
                (<GameState> ptr[i]).legal(scratch)
            legal_ns += cpu_ns() - t0
            t0 = cpu_ns()
            for i in range(n):
                k = (<GameState> ptr[i]).candidates(scratch)
            candidates_ns += cpu_ns() - t0
            t0 = cpu_ns()
            for i in range(n):
                (<GameState> ptr[i]).event_label((<GameState> ptr[i]).actor())
            label_ns += cpu_ns() - t0
            if first.has_evaluation:
                t0 = cpu_ns()
                for i in range(n):
                    (<GameState> ptr[i]).evaluate(win, score)
                evaluate_ns += cpu_ns() - t0
            if first.has_priors:
                t0 = cpu_ns()
                for i in range(n):
                    k = (<GameState> ptr[i]).candidates(scratch)
                    (<GameState> ptr[i]).priors(scratch, k, prior)
                priors_ns += cpu_ns() - t0
            t0 = cpu_ns()
            for i in range(n):
                work.copy_from(<GameState> ptr[i])
                work.play(chosen[i])
            play_ns += cpu_ns() - t0
            t0 = cpu_ns()
            for i in range(n):
                work.copy_from(<GameState> ptr[i])
                work.determinize_for((<GameState> ptr[i]).actor(), &rng.rng)
            determinize_ns += cpu_ns() - t0
    PyMem_Free(ptr)
    free(chosen)
    free(scratch)
    free(prior)
    for s in (work, *states):
        s.raise_failure()
    calls = float(n * rounds)
    spent = {"copy": copy_ns / calls, "memcpy": memcpy_ns / calls, "legal": legal_ns / calls,
             "candidates": candidates_ns / calls, "play": max(0.0, (play_ns - copy_ns) / calls),
             "determinize": max(0.0, (determinize_ns - copy_ns) / calls), "label": label_ns / calls}
    if first.has_evaluation:
        spent["evaluate"] = evaluate_ns / calls
    if first.has_priors:
        spent["priors"] = max(0.0, (priors_ns - candidates_ns) / calls)
    return spent
