"""What the rules cores share: a position in one flat block, and Python names for its parts.

A core is a subclass with typed pointers into the block and the tables. Its `__cinit__` calls `lay_out` first.

All cores list a few common move features before their own: they describe how the game's hand-written policy rates the
move. The features of move i begin at out[i * width]. A linear model of them can sharpen or soften that policy, also by
the stage of the game and the number of moves; with weight 1 for the first and 0 for the others it is that policy.
"""

from libc.math cimport log
from libc.stdint cimport uint8_t
from libc.string cimport memset

from sfida.cython_ext.state cimport GameState


cdef class FlatState(GameState):
    cdef readonly object rules          # tables and options, immutable, shared by every state of a game
    cdef tuple phases                   # names
    cdef const uint8_t* phase_at        # in the block
    cdef const uint8_t* viewer_at       # in the block: 1 + seat whose view this copy is; NULL where nothing is hidden
    # allocate the block and set what all cores have (an evaluation and priors); returns the block
    cdef void* lay_out(self, size_t size, int players, int max_legal, tuple phases) except NULL


cdef enum:
    M_LOG = 0                           # logarithm of the hand-written prior
    M_BEST = 1                          # 1 for the best moves
    M_BEHIND = 2                        # how far a move is behind the best, in the units of the game's policy
    M_LATE = 3                          # the logarithm times the stage of the game
    M_MANY = 4                          # the logarithm times the logarithm of the number of moves
    M_OWN = 5                           # first of the core's own features

    FAR_BEHIND = 8                      # cap of M_BEHIND


cdef inline void list_worth(const double* worth, int n, int width, double* out) noexcept nogil:
    """Fill M_BEST and M_BEHIND from the worth of the moves; all other features become 0."""
    cdef double top = worth[0], gap
    cdef int i
    for i in range(1, n):
        top = worth[i] if worth[i] > top else top
    memset(out, 0, n * width * sizeof(double))
    for i in range(n):
        gap = top - worth[i]
        out[i * width + M_BEST] = gap == 0.0
        out[i * width + M_BEHIND] = gap if gap < FAR_BEHIND else FAR_BEHIND


cdef inline void list_priors(const float* prior, int n, double late, int width, double* out) noexcept nogil:
    """Fill the features of the hand-written priors; `late` is the stage of the game, 0 at its start to 1 at its end."""
    cdef double many = log(<double> n)
    cdef int i
    for i in range(n):
        out[i * width + M_LOG] = log(prior[i])
        out[i * width + M_LATE] = out[i * width + M_LOG] * late
        out[i * width + M_MANY] = out[i * width + M_LOG] * many
