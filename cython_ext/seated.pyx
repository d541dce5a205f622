"""One game of players without Python, noted on a page that another process watches."""

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.keyed cimport Root
from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.players cimport Seating, root_of
from sfida.cython_ext.state cimport CHANCE, TERMINAL, GameState, move_t


cdef enum:
    # words of the page
    PLIES = 0                           # events so far
    SEAT = 1                            # the seat that decides, or NOBODY
    SINCE = 2                           # start of its decision, nanoseconds of the monotonic clock
    DECISIONS = 3                       # of each seat
    PAGE_SEATS = 16
    NANOSECONDS = DECISIONS + PAGE_SEATS    # time taken by each seat
    CODES = NANOSECONDS + PAGE_SEATS    # the moves so far
    PAGE_MOVES = 65536                  # most moves that are noted
    NOBODY = -1

PAGE = {"plies": PLIES, "seat": SEAT, "since": SINCE, "decisions": DECISIONS, "nanoseconds": NANOSECONDS,
        "codes": CODES, "seats": PAGE_SEATS, "moves": PAGE_MOVES}


cdef class SeatedGame:
    """A game that players play without the interpreter's lock.

    Parameters
    ----------
    start : GameState
        Initial position; it is not changed.
    """

    cdef GameState start
    cdef GameState state
    cdef move_t* legal
    cdef uint64_t* codes                # moves and chance outcomes
    cdef int64_t* times                 # nanoseconds of each
    cdef int n

    def __cinit__(self, GameState start not None):
        self.start, self.state = start, start.clone()
        self.legal = <move_t*> malloc(max(start.max_legal, start.max_listed) * sizeof(move_t))
        self.codes = <uint64_t*> malloc(PAGE_MOVES * sizeof(uint64_t))
        self.times = <int64_t*> malloc(PAGE_MOVES * sizeof(int64_t))
        if self.legal == NULL or self.codes == NULL or self.times == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.legal)
        free(self.codes)
        free(self.times)

    def play(self, Seating seating not None, seed, luck, int64_t[::1] page not None, double limit):
        """Play a game.

        Parameters
        ----------
        seating : Seating
        seed, luck : int
            Seeds of the decisions and of the chance events, 0 to 2**128 - 1.
        page : int64 array
            Receives what the other process reads; `PAGE` names its words. A decision that takes too long is left there
            as if it were still being made.
        limit : float
            Most seconds of a decision.

        Returns
        -------
        codes : list of int
            All moves and chance outcomes, without one that took too long.
        seconds : list of float
            The time of each; 0 for chance.
        late : int
            The seat that decided for longer than `limit`, -1: none.
        """
        cdef Root root = root_of(seed), chance = root_of(luck)
        cdef int late, i
        cdef int64_t most = <int64_t> (limit * 1e9)
        with nogil:
            late = self.game(seating, root, chance, &page[0], most)
        seating.check()
        return [self.codes[i] for i in range(self.n)], [self.times[i] * 1e-9 for i in range(self.n)], late

    cdef int game(self, Seating seating, Root root, Root luck, int64_t* page, int64_t limit) noexcept nogil:
        cdef timespec t
        cdef move_t move
        cdef int seat, n
        cdef int64_t began, took
        self.state.copy_from(self.start)
        seating.begin(root, luck)
        self.n = 0
        while self.n < PAGE_MOVES and not seating.interrupts.ended():
            seat = self.state.actor()
            if seat == TERMINAL:
                break
            took = 0
            if seat == CHANCE:
                move = seating.luck.draw(self.state)
            else:
                clock_gettime(CLOCK_MONOTONIC, &t)
                page[SINCE] = <int64_t> t.tv_sec * 1000000000 + t.tv_nsec
                page[SEAT] = seat
                began = awake_ns()
                n = self.state.legal(self.legal)
                move = seating.decide(self.state, seat, self.legal, n, self.n)
                took = awake_ns() - began
                if took > limit:
                    return seat
                page[DECISIONS + seat] += 1
                page[SEAT] = NOBODY
                page[NANOSECONDS + seat] += took
            self.state.play(move)
            self.codes[self.n] = move
            self.times[self.n] = took
            page[CODES + self.n] = <int64_t> move
            self.n += 1
            page[PLIES] = self.n
        return -1
