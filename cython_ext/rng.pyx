"""Random streams: xoshiro256++ seeded by SplitMix64, keyed by the hash of numpy's `SeedSequence`.

References
----------
D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators" (2019).
D. Lemire, "Fast random integer generation in an interval" (2019).
M. O'Neill, "Developing a seed_seq alternative" (2015), the hash that numpy's `SeedSequence` uses.
"""

from operator import index

from libc.stdlib cimport free, malloc


def splitmix64(uint64_t seed, int count):
    """Return the first `count` outputs of SplitMix64 started at `seed`, as a list of int."""
    cdef uint64_t x = seed
    return [splitmix(&x) for _ in range(count)]


cdef inline uint32_t hashmix(uint32_t value, uint32_t* factor) noexcept nogil:
    """Hash one word; `factor` changes with every call."""
    value ^= factor[0]
    factor[0] *= <uint32_t> 0x931E8875
    value *= factor[0]
    return value ^ (value >> 16)


cdef inline uint32_t mix(uint32_t x, uint32_t y) noexcept nogil:
    cdef uint32_t both = <uint32_t> 0xCA01F9DD * x - <uint32_t> 0x4973F715 * y
    return both ^ (both >> 16)


cdef inline uint32_t output(uint32_t word, uint32_t* factor) noexcept nogil:
    """Return an output word of the pool."""
    word ^= factor[0]
    factor[0] *= <uint32_t> 0x58F38DED
    word *= factor[0]
    return word ^ (word >> 16)


cdef list words32(object number):
    """Return the 32-bit words of a non-negative integer, lowest first; raises ValueError if it is negative."""
    cdef list found = []
    number = index(number)
    if number < 0:
        raise ValueError(f"seeds and the numbers of streams are 0 or more, not {number}")
    while number >= 1 << 32:
        found.append(number & 0xFFFFFFFF)
        number >>= 32
    return [*found, number]


def derive(root, *key):
    """Return a 64-bit seed for the stream named by `key` under `root`.

    Parameters
    ----------
    root : int
        Non-negative root seed.
    *key : int
        Non-negative integers that name the stream, for example (game, seat, move number).

    Returns
    -------
    int
        Equal for equal arguments on every machine; different keys name independent streams. It is the first word of
        numpy's ``SeedSequence(root, spawn_key=key)``.

    Raises
    ------
    ValueError
        If a number is negative.
    """
    cdef list words = words32(root)
    cdef uint32_t* given
    cdef int i, n
    if key:
        words += [0] * (4 - len(words))         # so that no key continues a root
        for part in key:
            words += words32(part)
    n = len(words)
    given = <uint32_t*> malloc(n * sizeof(uint32_t))
    if given == NULL:
        raise MemoryError()
    for i in range(n):
        given[i] = words[i]
    seed = seed_of(given, n)
    free(given)
    return seed


cdef uint64_t seed_of(const uint32_t* words, int n) noexcept nogil:
    """Hash words: those of the root, and of a key from the fifth on."""
    cdef uint32_t pool[4]
    cdef uint32_t factor = 0x43B0D7E5
    cdef uint32_t low, high
    cdef int i, j
    for i in range(4):
        pool[i] = hashmix(words[i] if i < n else 0, &factor)
    for i in range(4):
        for j in range(4):
            if i != j:
                pool[j] = mix(pool[j], hashmix(pool[i], &factor))
    for i in range(4, n):
        for j in range(4):
            pool[j] = mix(pool[j], hashmix(words[i], &factor))
    factor = 0x8B51F9DD
    low = output(pool[0], &factor)
    high = output(pool[1], &factor)
    return <uint64_t> high << 32 | low


cdef uint64_t derive_one(uint64_t root, uint64_t key) noexcept nogil:
    cdef uint32_t words[6]
    words[0], words[1], words[2], words[3] = <uint32_t> root, <uint32_t> (root >> 32), 0, 0
    words[4], words[5] = <uint32_t> key, <uint32_t> (key >> 32)
    return seed_of(words, 6 if words[5] else 5)


cdef class Random:
    """One stream of random numbers.

    Parameters
    ----------
    seed : int
        64-bit seed; the four state words are SplitMix64 outputs of it.

    Examples
    --------
    >>> from sfida.cython_ext.rng import Random
    >>> dice = Random(1)
    >>> [1 + dice.below(6) for _ in range(5)]
    [5, 5, 1, 5, 2]
    """

    def __cinit__(self, uint64_t seed=0):
        rng_seed(&self.rng, seed)

    @staticmethod
    def from_state(words):
        """Build a stream from its four 64-bit state words (not all zero)."""
        cdef Random r = Random()
        if len(words) != 4 or not any(words):
            raise ValueError("the state is four 64-bit words, not all zero")
        for i in range(4):
            r.rng.s[i] = words[i]
        return r

    @property
    def state(self):
        """The four state words."""
        return tuple(self.rng.s[i] for i in range(4))

    def next(self):
        """Next 64 random bits as an int."""
        return rng_next(&self.rng)

    def below(self, uint32_t n):
        """Exactly uniform int in [0, n); `n` must be at least 1."""
        if n == 0:
            raise ValueError("below(n) needs n >= 1")
        return rng_below(&self.rng, n)

    def uniform(self):
        """Uniform float in [0, 1) with 53 random bits."""
        return rng_uniform(&self.rng)

    def shuffle(self, list items):
        """Shuffle a list in place, uniformly over permutations (Fisher and Yates)."""
        cdef Py_ssize_t i
        cdef uint32_t j
        for i in range(len(items) - 1, 0, -1):
            j = rng_below(&self.rng, <uint32_t> (i + 1))
            items[i], items[j] = items[j], items[i]

    def weighted(self, weights):
        """Index drawn with probability proportional to the non-negative integer `weights` (sum below 2**32)."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("weighted() needs a positive total weight")
        k = self.below(total)
        for i, w in enumerate(weights):
            if k < w:
                return i
            k -= w
        raise AssertionError("unreachable")

    def __reduce__(self):
        return Random.from_state, (self.state,)
