"""Seeds and chance outcomes by key: BLAKE2b, the seeds of a game, and the race of its chance outcomes.

`ai/chance.py` describes both, and gives the same seeds by Python's hashlib.

References
----------
M.-J. Saarinen, J.-P. Aumasson, "The BLAKE2 Cryptographic Hash and MAC", RFC 7693 (2015).
"""

from libc.math cimport log
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from sfida.cython_ext.rng cimport splitmix
from sfida.cython_ext.state cimport GameState, move_t


cdef enum:
    BLOCK = 128                         # bytes

cdef uint64_t ODD = <uint64_t> 0xD1342543DE82EF95       # spreads neighbouring outcome codes over the 64 bits
cdef const char* DECISION = b"sfida.decision\0"         # with the zero that ends every C string
cdef const char* LUCK = b"sfida.luck\0\0\0\0\0"
cdef uint64_t[8] START = [
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179]
cdef uint8_t[10][16] SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0]]


cdef inline uint64_t turned(uint64_t x, int k) noexcept nogil:
    return (x >> k) | (x << (64 - k))


cdef inline void stir(uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y) noexcept nogil:
    v[a] += v[b] + x
    v[d] = turned(v[d] ^ v[a], 32)
    v[c] += v[d]
    v[b] = turned(v[b] ^ v[c], 24)
    v[a] += v[b] + y
    v[d] = turned(v[d] ^ v[a], 16)
    v[c] += v[d]
    v[b] = turned(v[b] ^ v[c], 63)


cdef void compress(uint64_t* h, const void* block, uint64_t length, bint last) noexcept nogil:
    """Add a block; `length`: bytes so far, those of this block included."""
    cdef uint64_t v[16]
    cdef uint64_t m[16]
    cdef const uint8_t* s
    cdef int i
    memcpy(m, block, BLOCK)             # every machine that Sfida runs on is little-endian
    for i in range(8):
        v[i] = h[i]
        v[i + 8] = START[i]
    v[12] ^= length
    if last:
        v[14] = ~v[14]
    for i in range(12):
        s = SIGMA[i % 10]
        stir(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
        stir(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
        stir(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
        stir(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
        stir(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
        stir(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
        stir(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
        stir(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
    for i in range(8):
        h[i] ^= v[i] ^ v[i + 8]


cdef void blake2b(void* out, int size, const void* key, int key_size, const char* person, const void* message,
                  size_t length) noexcept nogil:
    cdef uint64_t h[8]
    cdef uint64_t words[2]
    cdef uint8_t block[BLOCK]
    cdef size_t done = 0, part
    cdef uint64_t before = BLOCK if key_size else 0
    memcpy(h, START, sizeof(h))
    memcpy(words, person, sizeof(words))
    h[0] ^= 0x01010000 ^ (<uint64_t> key_size << 8) ^ <uint64_t> size
    h[6] ^= words[0]
    h[7] ^= words[1]
    if key_size:
        memset(block, 0, BLOCK)
        memcpy(block, key, key_size)
        compress(h, block, BLOCK, length == 0)
    while done < length or (length == 0 and key_size == 0):
        part = length - done if length - done < BLOCK else BLOCK
        memset(block, 0, BLOCK)
        memcpy(block, <const uint8_t*> message + done, part)
        done += part
        compress(h, block, before + done, done == length)
        if length == 0:
            break
    memcpy(out, h, size)


cdef uint64_t decision_seed(const Root* root, int seat, int ply) noexcept nogil:
    return keyed(root, DECISION, seat, ply)


cdef uint64_t keyed(const Root* root, const char* person, uint64_t first, uint64_t second) noexcept nogil:
    """Return the seed of a place in a domain of a game."""
    cdef uint64_t place[2]
    cdef uint64_t found
    place[0], place[1] = first, second
    blake2b(&found, sizeof(found), root, sizeof(Root), person, place, sizeof(place))
    return found


cdef class SeededDraws:
    """The chance outcomes of one game after the other, as `ai.chance.SeededChance` draws them.

    Parameters
    ----------
    start : GameState
        Any position of the game.
    """

    def __cinit__(self, GameState start not None):
        self.outcomes = <move_t*> malloc(start.max_legal * sizeof(move_t))
        self.weights = <uint32_t*> malloc(start.max_legal * sizeof(uint32_t))
        if self.outcomes == NULL or self.weights == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.outcomes)
        free(self.weights)

    cdef void begin(self, Root root) noexcept nogil:
        """Begin a game with the seed of its luck."""
        self.root = root
        memset(self.drawn, 0, sizeof(self.drawn))

    cdef move_t draw(self, GameState state) noexcept nogil:
        """Return the outcome of the coming chance event, and count the draw."""
        cdef int source = state.source(), i, best = 0
        cdef int n = state.outcomes(self.outcomes, self.weights)
        cdef uint64_t key = keyed(&self.root, LUCK, source, self.drawn[source])
        cdef double arrival, first = 0.0
        self.drawn[source] += 1
        for i in range(n):
            arrival = arrival_of(key, self.outcomes[i], self.weights[i])
            if i == 0 or arrival < first or (arrival == first and self.outcomes[i] < self.outcomes[best]):
                first = arrival
                best = i
        return self.outcomes[best]


cdef inline double arrival_of(uint64_t key, move_t code, uint32_t weight) noexcept nogil:
    """Return the exponential arrival time of an outcome."""
    cdef uint64_t x = key ^ (code * ODD)
    return -log((<double> (splitmix(&x) >> 11) + 0.5) * 2.0**-53) / weight


def first_to_arrive(uint64_t key, outcomes):
    """Return the code that a draw selects among (code, weight) pairs.

    Parameters
    ----------
    key : int
        Seed of the draw.
    outcomes : sequence of (int, int)
        At least one.
    """
    return min([(arrival_of(key, code, weight), code) for code, weight in outcomes])[1]
