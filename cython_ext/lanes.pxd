"""Counts of up to seven kinds of things in one word: lane `k` is byte `k`, each count and their sum below 128.

Multisets add and subtract as words do. `bits.pxd` has the single lane (`lane`, `count_of`).
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport count_of, lane, popcount
from sfida.cython_ext.rng cimport Rng, rng_below


cdef extern from *:
    """
    #define SF_SEVEN_ONES 0x01010101010101ULL
    #define SF_SEVEN_TOPS 0x80808080808080ULL
    #define SF_GATHER 0x0102040810204080ULL     /* low bits of the lanes to the top byte */
    """
    const uint64_t SEVEN_ONES "SF_SEVEN_ONES"
    const uint64_t SEVEN_TOPS "SF_SEVEN_TOPS"
    const uint64_t GATHER "SF_GATHER"


cdef inline int size_of(uint64_t lanes) noexcept nogil:
    """Number of things."""
    return <int> (((lanes * SEVEN_ONES) >> 48) & 0xFF)


cdef inline int kinds_of(uint64_t lanes) noexcept nogil:
    """Set of the kinds present, one bit each."""
    return <int> (((((lanes | SEVEN_TOPS) - SEVEN_ONES) & SEVEN_TOPS) >> 7) * GATHER >> 56)


cdef inline int kind_at(uint64_t lanes, int k) noexcept nogil:
    """Kind of the k-th thing, from 0, in the order of the kinds; k < size."""
    cdef uint64_t sums = lanes * SEVEN_ONES
    return 7 - popcount(((sums | SEVEN_TOPS) - SEVEN_ONES * <uint64_t> (k + 1)) & SEVEN_TOPS)


cdef inline int any_kind(uint64_t lanes, Rng* rng) noexcept nogil:
    """Kind of a random thing, each equally likely; the multiset is not empty."""
    return kind_at(lanes, <int> rng_below(rng, <uint32_t> size_of(lanes)))


cdef inline uint64_t masked(uint64_t lanes, int kinds) noexcept nogil:
    """Keep only these kinds."""
    cdef uint64_t low = ((<uint64_t> kinds & 0x7F) * <uint64_t> 0x02040810204081) & SEVEN_ONES
    return lanes & (low * 0xFF)


cdef inline uint64_t some_of(uint64_t lanes, int n, Rng* rng) noexcept nogil:
    """Draw `n` things without replacement, each choice equally likely; with `rng` NULL the first ones."""
    cdef uint64_t found = 0, one
    cdef int size = size_of(lanes)
    while n:
        one = lane(kind_at(lanes, 0 if rng == NULL else <int> rng_below(rng, <uint32_t> size)))
        lanes -= one
        found += one
        size -= 1
        n -= 1
    return found


cdef inline int top_kind(uint64_t lanes) noexcept nogil:
    """The last kind present; 0 for none."""
    cdef int k = 6
    while k > 0 and count_of(lanes, k) == 0:
        k -= 1
    return k
