"""Features of moves that all rules cores list, before their own: how the game's policy by hand sees a move.

A core lists the features of move i at out[i * width]. A linear model of them can sharpen or soften that policy, also by
the stage of the game and the number of moves; with weight 1 for the first and 0 for the others it is that policy.
"""

from libc.math cimport log
from libc.string cimport memset


cdef enum:
    M_LOG = 0                           # logarithm of the prior by hand
    M_BEST = 1                          # 1 for the moves that are worth most
    M_BEHIND = 2                        # how much less a move is worth than those, in the units of the game's policy
    M_LATE = 3                          # the logarithm times the stage of the game
    M_MANY = 4                          # the logarithm times that of the number of moves
    M_OWN = 5                           # the first of the core's own

    FAR_BEHIND = 8                      # what is further behind counts as so much


cdef inline void list_worth(const double* worth, int n, int width, double* out) noexcept nogil:
    """What the worth of the moves says; all other features become 0."""
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
    """What the priors by hand say; `late` is the stage of the game, 0 at its start to 1 at its end."""
    cdef double many = log(<double> n)
    cdef int i
    for i in range(n):
        out[i * width + M_LOG] = log(prior[i])
        out[i * width + M_LATE] = out[i * width + M_LOG] * late
        out[i * width + M_MANY] = out[i * width + M_LOG] * many
