"""Hidden choices learned without looking: regret matching and EXP3 over the moves available.

A deterministic choice cannot mix, so bounds on means never settle where everybody chooses unseen. Here a
strategy is sampled, and the average of all strategies is what is played.

References
----------
M. Lanctot, V. Lisy, M. Winands, "Monte Carlo tree search in simultaneous move games with applications to
Goofspiel", CCIS 408 (2014); P. Auer et al., "The nonstochastic multiarmed bandit problem" (2002), EXP3.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t

from sfida.cython_ext.search.arena cimport Bid, Edge
from sfida.cython_ext.rng cimport Rng, rng_uniform
from sfida.cython_ext.search.params cimport BIDS_EXP3


cdef enum:
    HEAD_START = 4                      # regret that a game's priors count as, shared out by them


cdef inline void bid_strategy(const Bid* bid, const Edge* edge, const uint32_t* edges, int k, int kind,
                              double explore, double* sigma) noexcept nogil:
    """Write the current strategy over k edges into `sigma` (sums to 1); it begins at the priors where there are any.

    A fifth of the beginning is uniform, so that priors that err are soon outweighed.
    """
    cdef int i
    cdef double total = 0.0, top = -1e300, priors = 0.0, x
    for i in range(k):
        priors += edge[edges[i]].prior
        x = bid[edges[i]].regret
        if x > top:
            top = x
    for i in range(k):
        x = bid[edges[i]].regret
        sigma[i] = 1.0 / k if priors <= 0.0 else 0.2 / k + 0.8 * edge[edges[i]].prior / priors
        if kind == BIDS_EXP3:
            sigma[i] *= exp(explore / k * (x - top))
        else:
            x += HEAD_START * sigma[i] if priors > 0.0 else 0.0
            sigma[i] = x if x > 0.0 else 0.0
        total += sigma[i]
    for i in range(k):
        sigma[i] = sigma[i] / total if total > 0.0 else 1.0 / k


cdef inline int bid_sample(const double* sigma, int k, double explore, Rng* rng, double* chance) noexcept nogil:
    """Draw an index by the strategy mixed with uniform exploration; `chance` gets its probability."""
    cdef double x = rng_uniform(rng), share = 0.0
    cdef int i
    for i in range(k):
        share += (1.0 - explore) * sigma[i] + explore / k
        if x < share or i == k - 1:
            chance[0] = (1.0 - explore) * sigma[i] + explore / k
            return i
    return k - 1
