"""Rewards of the search: win share blended with the squashed score margin, one per seat, in [0, 1]."""

from libc.math cimport exp

from sfida.cython_ext.state cimport MAX_SEATS


cdef inline void blend(const double* win, const double* score, int players, double weight, double tau,
                       double* out) noexcept nogil:
    """out[p] = (1 - weight) * win[p] + weight / (1 + exp(-(score[p] - best other) / tau))."""
    cdef int p, q
    cdef double best, x
    for p in range(players):
        if weight <= 0.0 or players < 2:
            out[p] = win[p]
            continue
        best = -1e300
        for q in range(players):
            if q != p and score[q] > best:
                best = score[q]
        x = (score[p] - best) / tau
        x = -30.0 if x < -30.0 else 30.0 if x > 30.0 else x
        out[p] = (1.0 - weight) * win[p] + weight / (1.0 + exp(-x))
