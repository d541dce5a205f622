"""Features of positions written into arrays for learners, and chance events played through."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from sfida.cython_ext.learned cimport MOST_FEATURES
from sfida.cython_ext.rng cimport Random
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, SFIDA_DEBUG_BUILD, GameState, move_t


def play_luck(GameState state not None, Random rng not None):
    """Play, in place, every chance event up to the next decision or the end.

    Parameters
    ----------
    state : GameState
    rng : Random
        Draws each outcome by its weight.
    """
    cdef move_t outcome
    while state.who() == CHANCE:
        outcome = state.sample(&rng.rng)
        if SFIDA_DEBUG_BUILD:
            state.apply(outcome)
            continue
        state.play(outcome)
        state.wipe(0)
        state.raise_failure()


def fill_seats(GameState state not None, GameState scratch not None, int viewer, float[:, ::1] out not None):
    """Write the features of all seats as a seat knows them; secrets are overwritten before the features are read.

    Parameters
    ----------
    state : GameState
    scratch : GameState
        A copy of any position of the same game; it is overwritten.
    viewer : int
        The observing seat.
    out : float32 array of shape (players, features)
        Row 0 receives the features of the viewer, the following rows those of the seats after it.
    """
    cdef double x[MAX_SEATS * MOST_FEATURES]
    cdef int n = len(state.feature_names), players = state.players, seat, i
    state.check_seat(viewer)
    if scratch.game is not state.game or out.shape[0] != players or out.shape[1] != n:
        raise ValueError(f"out must have {players} rows of {n} features, and scratch the same game")
    scratch.copy_from(state)
    scratch.redact(viewer)
    scratch.wipe(0)
    scratch.fill_features(viewer, x)
    scratch.raise_failure()
    for seat in range(players):
        for i in range(n):
            out[seat, i] = <float> x[((viewer + seat) % players) * n + i]


def fill_moves(GameState state not None, const uint64_t[::1] moves not None, float[:, ::1] out not None):
    """Write the features of moves of the seat to move, as that seat knows them.

    Parameters
    ----------
    state : GameState
    moves : uint64 array of shape (n,)
        Moves worth searching.
    out : float32 array of shape (at least n, features)
        Row i receives the features of move i; further rows are unchanged.
    """
    cdef int n = moves.shape[0], width = len(state.move_feature_names), i, j
    if out.shape[0] < n or out.shape[1] != width:
        raise ValueError(f"out must have at least {n} rows of {width} features")
    if n == 0 or width == 0:
        return
    cdef double* x = <double*> calloc(n * width, sizeof(double))
    if x == NULL:
        raise MemoryError()
    try:
        state.fill_move_features(&moves[0], n, x)
        state.raise_failure()
        for i in range(n):
            for j in range(width):
                out[i, j] = <float> x[i * width + j]
    finally:
        free(x)
