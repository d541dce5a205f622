"""Bit tricks: sets as words, five small counts in one word."""

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #define sf_count(x) __builtin_popcountll(x)
    #define sf_first(x) __builtin_ctzll(x)
    #define sf_rarely(x) __builtin_expect(!!(x), 0)
    #define SF_LANES 0xFFFFFFFFFFULL            /* five 8-bit lanes */
    #define SF_ONES 0x0101010101ULL
    #define SF_TOPS 0x8080808080ULL             /* top bit of each of the five lanes */
    #define SF_MIDS 0x4040404040ULL
    #ifdef __BMI2__
    #include <immintrin.h>
    #define sf_nth(mask, k) __builtin_ctzll(_pdep_u64(1ULL << (k), mask))
    #else
    static inline int sf_nth(uint64_t mask, int k) {
        int i;
        for (i = 0; i < 7; i++) mask &= mask - (k > i);     /* no branch: k is mostly small and cannot be foreseen */
        for (; i < k; i++) mask &= mask - 1;
        return __builtin_ctzll(mask);
    }
    #endif
    """
    int popcount "sf_count"(uint64_t x) noexcept nogil
    int lowest "sf_first"(uint64_t x) noexcept nogil          # index of the lowest bit; x is not 0
    bint rarely "sf_rarely"(bint x) noexcept nogil
    int nth "sf_nth"(uint64_t mask, int k) noexcept nogil     # index of the k-th set bit, from 0
    const uint64_t LANES "SF_LANES"
    const uint64_t ONES "SF_ONES"
    const uint64_t TOPS "SF_TOPS"
    const uint64_t MIDS "SF_MIDS"


cdef inline uint64_t lane(int k) noexcept nogil:
    """One in lane `k`."""
    return <uint64_t> 1 << (8 * k)


cdef inline int count_of(uint64_t lanes, int k) noexcept nogil:
    """Count in lane `k`."""
    return <int> ((lanes >> (8 * k)) & 0xFF)


cdef inline bint covers(uint64_t have, uint64_t need) noexcept nogil:
    """Whether every lane of `have` (below 128) is at least that of `need`; lanes above the fifth are ignored."""
    return (((have | TOPS) - need) & TOPS) == TOPS          # borrows of the lanes above change none of the five


cdef inline uint64_t filled(uint64_t lanes) noexcept nogil:
    """Top bit of every lane that is not 0 (lanes below 128)."""
    return (((lanes & LANES) | TOPS) - ONES) & TOPS


cdef inline uint64_t lower(uint64_t a, uint64_t b) noexcept nogil:
    """The smaller of each pair of lanes (all below 128)."""
    cdef uint64_t pick = ((((a | TOPS) - b) & TOPS) >> 7) * 0xFF    # lanes where b is not above a
    return (b & pick) | (a & ~pick)


# ---- conversions from and to Python ----------------------------------------------------


cdef inline list bits_of(uint64_t mask):
    """Members of a set, ascending."""
    cdef list found = []
    while mask:
        found.append(lowest(mask))
        mask &= mask - 1
    return found


cdef inline uint64_t mask_of(indices) except? 0:
    """Set of distinct indices 0..63.

    Raises
    ------
    ValueError
        If an index is repeated or not within 0..63.
    """
    cdef uint64_t mask = 0
    for i in indices:
        if not 0 <= i < 64 or (mask >> <int> i) & 1:
            raise ValueError(f"{i} is listed twice or does not exist")
        mask |= <uint64_t> 1 << <int> i
    return mask
