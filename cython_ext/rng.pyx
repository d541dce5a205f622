"""Random streams: xoshiro256++ seeded by SplitMix64, keyed through numpy `SeedSequence`.

References
----------
D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators" (2019).
D. Lemire, "Fast random integer generation in an interval" (2019).
"""

import numpy as np


def splitmix64(uint64_t seed, int count):
    """Return the first `count` outputs of SplitMix64 started at `seed`, as a list of int."""
    cdef uint64_t x = seed
    return [splitmix(&x) for _ in range(count)]


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
        Equal for equal arguments on every machine; different keys name independent streams.
    """
    sequence = np.random.SeedSequence(entropy=root, spawn_key=tuple(key))
    return int(sequence.generate_state(1, np.uint64)[0])


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
