"""Random streams: xoshiro256++ (Blackman and Vigna 2019), seeded by SplitMix64."""

from libc.stdint cimport uint32_t, uint64_t


cdef struct Rng:
    uint64_t s[4]                       # never all zero


cdef inline uint64_t splitmix(uint64_t* x) noexcept nogil:
    """Advance the SplitMix64 state `x` and return its next output."""
    x[0] += <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t z = x[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t mix64(uint64_t a, uint64_t b) noexcept nogil:
    """Hash of the ordered pair (a, b)."""
    cdef uint64_t x = a ^ (b * <uint64_t> 0xD6E8FEB86659FD93)
    x = (x ^ (x >> 32)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 29)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 32)


cdef inline void rng_seed(Rng* rng, uint64_t seed) noexcept nogil:
    """Fill the state with four SplitMix64 outputs of `seed`."""
    cdef uint64_t x = seed
    cdef int i
    for i in range(4):
        rng.s[i] = splitmix(&x)


cdef inline uint64_t rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """Next 64 random bits."""
    cdef uint64_t* s = rng.s
    cdef uint64_t result = rotl(s[0] + s[3], 23) + s[0]
    cdef uint64_t t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotl(s[3], 45)
    return result


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Exactly uniform integer in [0, n), n >= 1 (Lemire 2019: multiply, reject the biased rest)."""
    cdef uint64_t m = (rng_next(rng) >> 32) * n
    cdef uint32_t low = <uint32_t> m
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t> (0 - n)) % n
        while low < threshold:
            m = (rng_next(rng) >> 32) * n
            low = <uint32_t> m
    return <uint32_t> (m >> 32)


cdef inline double rng_uniform(Rng* rng) noexcept nogil:
    """Uniform double in [0, 1) with 53 random bits."""
    return <double> (rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef class Random:
    cdef Rng rng


cdef uint64_t derive_one(uint64_t root, uint64_t key) noexcept nogil    # `derive(root, key)`
