"""Learned knowledge of a game: an evaluation from features of the seats to win probabilities, and priors of moves."""

import base64
import hashlib
import json
import math
import operator
import zlib
from array import array

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from sfida.cython_ext.seats cimport MAX_SEATS

from sfida.cython_ext.errors import InvalidOption


cdef extern from *:
    """
    /* Rows of a layer for SF_UNITS units at a time: w holds pairs of weights by pair of inputs, then unit. */
    #define SF_UNITS 16
    #if defined(__AVX2__)
    #include <immintrin.h>
    typedef __m256i sf_ints;
    #define sf_get(x) _mm256_loadu_si256((const __m256i*) (x))
    #define sf_put(x, v) _mm256_storeu_si256((__m256i*) (x), v)
    #define sf_same(x) _mm256_set1_epi32(x)
    #define sf_weigh(sum, w, u) _mm256_add_epi32(sum, _mm256_madd_epi16(w, u))
    #define SF_VECTORS 2
    #elif defined(__SSE2__)
    #include <emmintrin.h>
    typedef __m128i sf_ints;
    #define sf_get(x) _mm_loadu_si128((const __m128i*) (x))
    #define sf_put(x, v) _mm_storeu_si128((__m128i*) (x), v)
    #define sf_same(x) _mm_set1_epi32(x)
    #define sf_weigh(sum, w, u) _mm_add_epi32(sum, _mm_madd_epi16(w, u))
    #define SF_VECTORS 4
    #endif
    static void sf_layer(int32_t* to, const int32_t* from, const int16_t* w, const int16_t* u, int pairs, int hidden) {
        int j, p, k;
        for (j = 0; j < hidden; j += SF_UNITS) {
            const int16_t* row = w + 2 * j;
    #ifdef SF_VECTORS
            sf_ints sum[SF_VECTORS];
            for (k = 0; k < SF_VECTORS; k++)
                sum[k] = sf_get(from + j + SF_UNITS / SF_VECTORS * k);
            for (p = 0; p < pairs; p++, row += 2 * hidden) {
                int32_t two;
                memcpy(&two, u + 2 * p, sizeof two);
                for (k = 0; k < SF_VECTORS; k++)
                    sum[k] = sf_weigh(sum[k], sf_get(row + 2 * SF_UNITS / SF_VECTORS * k), sf_same(two));
            }
            for (k = 0; k < SF_VECTORS; k++)
                sf_put(to + j + SF_UNITS / SF_VECTORS * k, sum[k]);
    #else
            uint32_t sum[SF_UNITS];         /* they may pass 32 bits on the way to a sum that does not */
            for (k = 0; k < SF_UNITS; k++)
                sum[k] = (uint32_t) from[j + k];
            for (p = 0; p < pairs; p++, row += 2 * hidden)
                for (k = 0; k < SF_UNITS; k++)
                    sum[k] += (uint32_t) (row[2 * k] * u[2 * p] + row[2 * k + 1] * u[2 * p + 1]);
            for (k = 0; k < SF_UNITS; k++)
                to[j + k] = (int32_t) sum[k];
    #endif
        }
    }
    """
    # to = from + w * u
    void weigh "sf_layer"(int32_t* to, const int32_t* start, const int16_t* w, const int16_t* u, int pairs,
                          int hidden) noexcept nogil
    enum:
        UNITS "SF_UNITS"


cdef enum:
    STEPS = 256                         # exp(-d) is COARSE[steps of 1/16] * FINE[further steps of 1/4096]
    FINE_BITS = 12
    ONE_BITS = 20
    LARGEST_LOGIT = 16                  # exp(-16) and less count as 0
    BLOCK = 16                          # hidden units whose sparse inputs are summed at a time: SF_UNITS
    KEPT = 512                          # moves whose worth is kept between the two passes

PY_MOST_FEATURES = MOST_FEATURES
PY_MOST_ACTIVE = MOST_ACTIVE
PY_MOST_MOVE_FEATURES = MOST_MOVE_FEATURES
cdef object INT16 = 2 ** 15             # exclusive bound of a 16-bit number
cdef object INT32 = 2 ** 31
PACKED = ("S1", "D1", "b1", "W2", "b2", "W3", "L", "b3")
WIDE_KEYS = ("mean", "gain", "inputs", "hidden", "second", "shift", "s1", "s2", "s3", *PACKED)
TABLE_KEYS = ("mean", "gain", "W1", "b1", "s1", "W2", "L", "s2")
PRIOR_KEYS = ("mean", "gain", "W", "s")
MOVES = "moves"                         # key of the priors in a table

cdef int64_t COARSE[STEPS]
cdef int64_t FINE[STEPS]
for _k in range(STEPS):
    COARSE[_k] = round((1 << ONE_BITS) * math.exp(-_k / 16))
    FINE[_k] = round((1 << ONE_BITS) * math.exp(-_k / 4096))


cdef inline double scaled(double x, double mean, double gain) noexcept nogil:
    """Step 1 without rounding. A loop of each half of the step becomes vectors, which one of both does not."""
    cdef double found = (x - mean) * gain + 0.5
    found = found if found > -<double> Q_LIMIT else -<double> Q_LIMIT   # NaN too
    return found if found < <double> Q_LIMIT else <double> Q_LIMIT


cdef inline int rounded_down(double x) noexcept nogil:
    cdef int whole = <int> x
    return whole - (<double> whole > x)


cdef void fill_outputs(const Net* net, const double* x, int64_t* z) noexcept nogil:
    """Steps 1 to 4: the output of every seat, times 2**s2."""
    cdef double at[MOST_FEATURES]
    cdef int32_t q[MAX_SEATS][MOST_FEATURES]
    cdef int32_t sum[MOST_FEATURES]
    cdef int16_t u[MOST_FEATURES + 1]
    cdef int32_t start[MOST_HIDDEN + UNITS]
    cdef int32_t hidden[MOST_HIDDEN + UNITS]
    cdef int seat, i, n = net.features
    cdef int64_t total
    memset(sum, 0, n * sizeof(int32_t))
    u[n] = 0                            # where the last pair needs one
    for seat in range(net.players):
        for i in range(n):
            at[i] = scaled(x[seat * n + i], net.mean[i], net.gain[i])
        for i in range(n):
            q[seat][i] = rounded_down(at[i])
            sum[i] += q[seat][i]
    for seat in range(net.players):
        if seat == 0 or not net.together:
            for i in range(n):
                u[i] = <int16_t> (sum[i] if net.together else sum[i] - q[seat][i])
            weigh(start, net.b1, net.rest, u, net.pairs, net.hidden)
        for i in range(n):
            u[i] = <int16_t> q[seat][i]
        weigh(hidden, start, net.own, u, net.pairs, net.hidden)
        total = 0
        for i in range(n):
            total += <int64_t> net.direct[i] * q[seat][i] + <int64_t> net.direct[n + i] * (sum[i] - q[seat][i])
        for i in range(net.hidden):
            hidden[i] = min(max(hidden[i] >> net.s1, 0), HIDDEN_LIMIT)
            total += <int64_t> net.w2[i] * hidden[i]
        z[seat] = total


cdef int64_t fading(int64_t behind, int shift) noexcept nogil:
    """2**20 * exp(-behind / 2**shift)."""
    cdef int64_t step
    if behind >> shift >= LARGEST_LOGIT:
        return 0
    step = (behind << FINE_BITS) >> shift
    return (COARSE[step >> 8] * FINE[step & 255]) >> ONE_BITS


cdef void shares_of(const int64_t* z, int players, unsigned int seats, int shift, double* win) noexcept nogil:
    """Step 5: the softmax over some seats."""
    cdef int64_t weight[MAX_SEATS]
    cdef int64_t top = 0, total = 0
    cdef int seat
    cdef bint any = False
    for seat in range(players):
        if (seats >> seat) & 1 and (not any or z[seat] > top):
            top = z[seat]
            any = True
    for seat in range(players):
        weight[seat] = fading(top - z[seat], shift) if (seats >> seat) & 1 else 0
        total += weight[seat]
    for seat in range(players):
        win[seat] = <double> weight[seat] / <double> total


cdef void wide_shares(const SparseNet* net, const double* x, const uint16_t* active, int n, int front,
                      unsigned int seats, double* win) noexcept nogil:
    cdef double at[MOST_FEATURES]
    cdef int16_t u[MAX_SEATS * MOST_FEATURES + 1]
    cdef int32_t start[MOST_HIDDEN + UNITS]
    cdef int32_t one[MOST_HIDDEN + UNITS]
    cdef int16_t cut[MOST_HIDDEN + UNITS]
    cdef int32_t two[MOST_SECOND + UNITS]
    cdef int64_t sum[MAX_SEATS]
    cdef int64_t z[MAX_SEATS]
    cdef int32_t units[BLOCK]
    cdef const int16_t* row
    cdef int i, j, seat, first = 0, wide = net.features
    while first < net.hidden:
        for j in range(BLOCK):          # sums of so few units stay in registers
            units[j] = 0
        for i in range(n):
            row = net.sparse + <size_t> active[i] * net.hidden + first
            for j in range(BLOCK):
                units[j] += row[j]
        for j in range(BLOCK):
            start[first + j] = <int32_t> (<uint32_t> units[j] << net.shift) + net.b1[first + j]
        first += BLOCK
    for i in range(net.players):
        seat = front + i if front + i < net.players else front + i - net.players
        for j in range(wide):
            at[j] = scaled(x[seat * wide + j], net.mean[j], net.gain[j])
        for j in range(wide):
            u[i * wide + j] = <int16_t> rounded_down(at[j])
    u[net.players * wide] = 0
    weigh(one, start, net.dense, u, net.pairs, net.hidden)
    for j in range(net.hidden):
        cut[j] = <int16_t> min(max(one[j] >> net.s1, 0), HIDDEN_LIMIT)
    weigh(two, net.b2, net.between, cut, net.hidden // 2, net.second)
    for i in range(net.players):
        sum[i] = net.b3[i]
    for j in range(net.second):
        two[j] = min(max(two[j] >> net.s2, 0), HIDDEN_LIMIT)
        for i in range(net.players):
            sum[i] += <int64_t> two[j] * net.last[j * net.players + i]
    for j in range(net.players * wide):
        for i in range(net.players):
            sum[i] += <int64_t> u[j] * net.direct[j * net.players + i]
    for i in range(net.players):
        z[front + i if front + i < net.players else front + i - net.players] = sum[i]
    shares_of(z, net.players, seats, net.s3, win)


cdef void net_shares(const Net* net, const double* x, unsigned int seats, double* win) noexcept nogil:
    cdef int64_t z[MAX_SEATS]
    fill_outputs(net, x, z)
    shares_of(z, net.players, seats, net.s2, win)


cdef int64_t worth_of(const PriorNet* net, const double* x) noexcept nogil:
    """Return the linear score of a move, times 2**s."""
    cdef int64_t z = 0
    cdef int i
    for i in range(net.features):
        z += <int64_t> net.weight[i] * rounded_down(scaled(x[i], net.mean[i], net.gain[i]))
    return z


cdef void net_priors(const PriorNet* net, const double* x, int n, float* out) noexcept nogil:
    cdef int64_t worth[KEPT]
    cdef int64_t top = 0, total = 0, z
    cdef int i
    for i in range(n):
        z = worth_of(net, x + i * net.features)
        if i < KEPT:
            worth[i] = z
        top = z if i == 0 or z > top else top
    for i in range(n):                  # plus 1, so that no move is ruled out
        z = worth[i] if i < KEPT else worth_of(net, x + i * net.features)
        z = fading(top - z, net.shift) + 1
        total += z
        out[i] = <float> z
    for i in range(n):
        out[i] = <float> (out[i] / <double> total)


# ---- checks of plain tables ------------------------------------------------------------------------------

cdef list reals(object values, int n, str name):
    try:
        found = [float(value) for value in _row(values, n, name)]
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large") from None
    for value in found:
        if not math.isfinite(value):
            raise ValueError(f"{name} holds {value}")
    return found


cdef list wholes(object values, int n, object limit, str name):
    return [whole(value, -limit, limit - 1, name) for value in _row(values, n, name)]


cdef object whole(object value, object low, object high, str name):
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} holds {value!r:.40}, which is not a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name} holds a number that is not within {low}..{high}")
    return number


def _row(values, n, name):
    try:
        found = list(values)
    except TypeError:
        raise ValueError(f"{name} is not a list of numbers") from None
    for value in found:
        if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
            raise ValueError(f"{name} is not a list of numbers")
    if n >= 0 and len(found) != n:
        raise ValueError(f"{name} has {len(found)} numbers, not {n}")
    return found


cdef int check_keys(table, keys, str what) except -1:
    if not hasattr(table, "keys"):
        raise ValueError(f"{what} is a mapping")
    missing = [key for key in keys if key not in table]
    unknown = sorted(str(key) for key in table if key not in keys)
    if missing or unknown:
        raise ValueError(f"'{missing[0]}' is missing" if missing else f"{unknown[0]!r:.40} is unknown")
    return 0


def plain_priors(table, int features):
    """Return the priors of moves for a number of players as plain numbers.

    Parameters
    ----------
    table : mapping
        `mean`, `gain` and `W` by feature of a move, and the shift `s`.
    features : int

    Raises
    ------
    ValueError
        If something is missing or out of range.
    """
    check_keys(table, PRIOR_KEYS, "a set of them")
    return {"mean": reals(table["mean"], features, "mean"), "gain": reals(table["gain"], features, "gain"),
            "W": wholes(table["W"], features, INT32, "W"), "s": whole(table["s"], 0, MOST_SHIFT, "s")}


def pack(numbers, str kind):
    """Return whole numbers as text: small ones take little space, and zeros nearly none.

    The sign goes to the lowest bit, the lowest bytes of all numbers come first, then the next; zlib, and base64.

    Parameters
    ----------
    numbers : iterable of int
    kind : {"h", "i"}
        Numbers of 16 or of 32 bits.
    """
    found = array(kind, numbers)
    return base64.b64encode(zlib.compress(planes(found.tobytes(), found.itemsize), 9)).decode()


def unpack(text, str kind, Py_ssize_t count):
    """Return the numbers that `pack` has packed.

    Parameters
    ----------
    text : str
    kind : {"h", "i"}
    count : int
        How many they must be.

    Returns
    -------
    array of int

    Raises
    ------
    ValueError
        If the text is something else, or has another number of them.
    """
    found = array(kind)
    reader = zlib.decompressobj()
    try:                                # a small text may hold very many: one byte too many is enough
        content = reader.decompress(base64.b64decode(text, validate=True), count * found.itemsize + 1)
    except (TypeError, ValueError, zlib.error):
        raise ValueError("is not packed numbers") from None
    if not reader.eof or len(content) != count * found.itemsize:
        raise ValueError(f"does not have {count} numbers")
    found.frombytes(numbers_of(content, found.itemsize))
    return found


cdef bytes planes(bytes numbers, int size):
    """Return numbers of 2 or 4 bytes with the sign in the lowest bit, byte by byte."""
    cdef Py_ssize_t n = len(numbers) // size, i
    cdef int k
    cdef bytearray out = bytearray(n * size)
    cdef unsigned char* to = out
    cdef const char* at = numbers
    cdef int32_t number
    cdef uint32_t bits
    for i in range(n):
        number = (<const int16_t*> at)[i] if size == 2 else (<const int32_t*> at)[i]
        bits = (<uint32_t> number << 1) ^ (0xFFFFFFFF if number < 0 else 0)
        for k in range(size):
            to[k * n + i] = (bits >> 8 * k) & 0xFF
    return bytes(out)


cdef bytes numbers_of(bytes content, int size):
    """Return the numbers of which `planes` made this."""
    cdef Py_ssize_t n = len(content) // size, i
    cdef int k
    cdef bytearray out = bytearray(n * size)
    cdef unsigned char* to = out
    cdef const unsigned char* at = content
    cdef uint32_t bits
    for i in range(n):
        bits = 0
        for k in range(size):
            bits |= <uint32_t> at[k * n + i] << 8 * k
        bits = (bits >> 1) ^ (0xFFFFFFFF if bits & 1 else 0)
        for k in range(size):
            to[i * size + k] = (bits >> 8 * k) & 0xFF
    return bytes(out)


cdef bytes packed(table, str name, Py_ssize_t count, int size):
    """Return the numbers of an array that is packed in text, `size` bytes each."""
    try:
        return unpack(table[name], "h" if size == 2 else "i", count).tobytes()
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None


cdef int fill(int32_t* to, bytes numbers) except -1:
    memcpy(to, <const char*> numbers, len(numbers))
    return 0


cdef int64_t size_of(int64_t number) noexcept nogil:
    return -number if number < 0 else number


def plain_wide(table, int features, int players):
    """Return a network with sparse inputs as plain data.

    Parameters
    ----------
    table : mapping
        `mean` and `gain` by feature; the sizes `inputs`, `hidden` and `second`; the shifts `shift`, `s1`, `s2` and
        `s3`; packed in text, 16 bits a number, `S1` by sparse input and hidden unit, `D1` by feature of a seat and
        hidden unit, `W2` by hidden unit and second unit, and 32 bits a number `b1`, `b2`, `W3` by second unit and
        seat, `L` by feature of a seat and seat, `b3`.
    features, players : int

    Raises
    ------
    ValueError
        If something is missing or out of range, or a sum could leave 32 bits.
    """
    check_keys(table, WIDE_KEYS, "a network")
    cdef int inputs = whole(table["inputs"], 1, MOST_INPUTS, "inputs")
    cdef int hidden = whole(table["hidden"], 1, MOST_HIDDEN, "hidden")
    cdef int second = whole(table["second"], 1, MOST_SECOND, "second")
    cdef int shift = whole(table["shift"], 0, 16, "shift"), dense = players * features, i, j
    cdef bytes S1 = packed(table, "S1", inputs * hidden, 2), D1 = packed(table, "D1", dense * hidden, 2)
    cdef bytes W2 = packed(table, "W2", hidden * second, 2)
    cdef bytes b1 = packed(table, "b1", hidden, 4), b2 = packed(table, "b2", second, 4)
    cdef const int16_t* sparse = <const int16_t*> <const char*> S1
    cdef const int16_t* first = <const int16_t*> <const char*> D1
    cdef const int16_t* between = <const int16_t*> <const char*> W2
    cdef const int32_t* start = <const int32_t*> <const char*> b1
    cdef const int32_t* later = <const int32_t*> <const char*> b2
    cdef int64_t sum, largest
    for name, count in (("W3", second * players), ("L", dense * players), ("b3", players)):
        packed(table, name, count, 4)
    for j in range(hidden):
        largest = sum = 0
        for i in range(inputs):
            largest = max(largest, size_of(sparse[i * hidden + j]))
            sum += size_of(sparse[i * hidden + j])
        sum = min(sum, largest * MOST_ACTIVE) << shift
        for i in range(dense):
            sum += Q_LIMIT * size_of(first[i * hidden + j])
        if sum + size_of(start[j]) >= <int64_t> 1 << 31:
            raise ValueError(f"the sum of hidden unit {j} could leave 32 bits")
    for j in range(second):
        sum = size_of(later[j])
        for i in range(hidden):
            sum += HIDDEN_LIMIT * size_of(between[i * second + j])
        if sum >= <int64_t> 1 << 31:
            raise ValueError(f"the sum of second unit {j} could leave 32 bits")
    return {"mean": reals(table["mean"], features, "mean"), "gain": reals(table["gain"], features, "gain"),
            "inputs": inputs, "hidden": hidden, "second": second, "shift": shift,
            **{name: whole(table[name], 0, most, name) for name, most in (("s1", 30), ("s2", 30), ("s3", MOST_SHIFT))},
            **{name: str(table[name]) for name in PACKED}}


def plain_table(table, int features, int players, int move_features=0):
    """Return the network and priors for a number of players as plain numbers.

    Parameters
    ----------
    table : mapping
        `mean` and `gain` by feature, `W1` by hidden unit and input, `b1` and `W2` by hidden unit, `L` by input, and the
        shifts `s1` and `s2`; under `moves` the priors (see `plain_priors`). Either the priors or the rest may be
        missing.
        features, players, move_features : int

    Raises
    ------
    ValueError
        If something is missing or out of range, or a sum could leave 32 bits.
    """
    cdef int inputs = 2 * features
    if hasattr(table, "keys") and MOVES in table:
        try:
            priors = {MOVES: plain_priors(table[MOVES], move_features)}
        except ValueError as error:
            raise ValueError(f"priors: {error}") from None
        rest = {key: value for key, value in table.items() if key != MOVES}
        return {**plain_table(rest, features, players), **priors} if rest else priors
    if hasattr(table, "keys") and "S1" in table:
        return plain_wide(table, features, players)
    check_keys(table, TABLE_KEYS, "a network")
    b1 = wholes(table["b1"], -1, INT32, "b1")
    if len(b1) > MOST_HIDDEN:
        raise ValueError(f"{len(b1)} hidden units are more than {MOST_HIDDEN}")
    try:
        rows = list(table["W1"])
    except TypeError:
        raise ValueError("W1 is not a list of rows") from None
    if len(rows) != len(b1):
        raise ValueError(f"W1 has {len(rows)} rows, not {len(b1)}")
    found = {
        "mean": reals(table["mean"], features, "mean"), "gain": reals(table["gain"], features, "gain"),
        "W1": [wholes(row, inputs, INT16, "W1") for row in rows], "b1": b1, "s1": whole(table["s1"], 0, 30, "s1"),
        "W2": wholes(table["W2"], len(b1), INT32, "W2"), "L": wholes(table["L"], inputs, INT32, "L"),
        "s2": whole(table["s2"], 0, MOST_SHIFT, "s2"),
    }
    largest = Q_LIMIT * max(1, players - 1)
    for j, row in enumerate(found["W1"]):
        if sum(map(abs, row)) * largest + abs(b1[j]) >= INT32:
            raise ValueError(f"the sum of hidden unit {j} could leave 32 bits")
    return found


cdef class Learned:
    """Learned knowledge of one game: networks and priors of moves for some numbers of players.

    Parameters
    ----------
    game : str
        Name of the game.
    rules : int
        Version of its rules.
    features : sequence of str
        Names of the features of a seat, in the networks' order (see `GameState.features`).
    tables : mapping
        The network and the priors for each number of players (see `plain_table`).
    made : mapping, optional
        Provenance, as plain data.
    move_features : sequence of str
        Names of the features of a move, in the priors' order (see `GameState.move_features`).
    inputs : sequence of str
        Names of the groups of sparse inputs (see `GameState.input_names`).

    Raises
    ------
    ValueError
        If a network does not fit the features, or could overflow.
    """

    def __cinit__(self, *args, **kwargs):
        cdef int i
        for i in range(MAX_SEATS + 1):
            self.nets[i] = NULL
            self.prior_nets[i] = NULL

    def __init__(self, str game not None, int rules, features, tables, made=None, move_features=(), inputs=()):
        cdef int i
        for i in range(MAX_SEATS + 1):
            if self.nets[i] != NULL or self.prior_nets[i] != NULL:
                raise TypeError("a learned evaluation does not change")
        self.game = game
        self.rules = rules
        self.features = tuple(features)
        if not 1 <= len(self.features) <= MOST_FEATURES or len(set(self.features)) < len(self.features):
            raise ValueError(f"there must be 1 to {MOST_FEATURES} different features")
        self.move_features = tuple(move_features)
        if len(self.move_features) > MOST_MOVE_FEATURES or len(set(self.move_features)) < len(self.move_features):
            raise ValueError(f"there must be at most {MOST_MOVE_FEATURES} different features of moves")
        self.inputs = tuple(inputs)
        self.made = dict(made or {})
        self.tables = {}
        for players in sorted(tables):
            if not 1 <= players <= MAX_SEATS:
                raise ValueError(f"a game has 1 to {MAX_SEATS} players, not {players}")
            try:
                self.tables[players] = plain_table(tables[players], len(self.features), players,
                                                   len(self.move_features))
            except ValueError as error:
                raise ValueError(f"network for {players} players: {error}") from None
            if "S1" in self.tables[players]:
                if not self.inputs:
                    raise ValueError(f"network for {players} players: the groups of its sparse inputs are not named")
                self.add_wide(players, self.tables[players])
            elif "mean" in self.tables[players]:
                self.add(players, self.tables[players])
            if MOVES in self.tables[players]:
                self.add_priors(players, self.tables[players][MOVES])
        content = json.dumps([game, rules, self.features, list(self.tables.items()),
                              *([self.move_features] if self.move_features else []),
                              *([["inputs", *self.inputs]] if self.inputs else [])])
        self.digest = hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_SEATS + 1):
            free(self.nets[i])
            free(self.prior_nets[i])

    cdef int add_wide(self, int players, dict table) except -1:
        """Lay out a network with sparse inputs in one block of memory."""
        cdef int n = len(self.features), hidden = table["hidden"], second = table["second"], inputs = table["inputs"]
        cdef int dense = players * n, pairs = (dense + 1) // 2, i, j
        cdef int one = (hidden + UNITS - 1) // UNITS * UNITS, two = (second + UNITS - 1) // UNITS * UNITS
        cdef size_t words = one + two + (two + dense + 1) * players
        cdef size_t halves = <size_t> inputs * one + 2 * pairs * one + one * two
        cdef bytes S1 = packed(table, "S1", inputs * hidden, 2), D1 = packed(table, "D1", dense * hidden, 2)
        cdef bytes W2 = packed(table, "W2", hidden * second, 2)
        cdef const int16_t* from_sparse = <const int16_t*> <const char*> S1
        cdef const int16_t* from_dense = <const int16_t*> <const char*> D1
        cdef const int16_t* from_hidden = <const int16_t*> <const char*> W2
        cdef Net* net = <Net*> calloc(1, sizeof(Net) + sizeof(SparseNet) + 2 * n * sizeof(double)
                                      + words * sizeof(int32_t) + halves * sizeof(int16_t))
        if net == NULL:
            raise MemoryError()
        self.nets[players] = net
        cdef SparseNet* wide = <SparseNet*> (net + 1)
        cdef double* mean = <double*> (wide + 1)
        cdef double* gain = mean + n
        cdef int32_t* b1 = <int32_t*> (gain + n)
        cdef int32_t* b2 = b1 + one
        cdef int32_t* last = b2 + two
        cdef int32_t* direct = last + two * players
        cdef int32_t* b3 = direct + dense * players
        cdef int16_t* sparse = <int16_t*> (b3 + players)
        cdef int16_t* first = sparse + <size_t> inputs * one
        cdef int16_t* between = first + 2 * pairs * one
        for i in range(n):
            mean[i], gain[i] = table["mean"][i], table["gain"][i]
        for i in range(inputs):
            memcpy(sparse + <size_t> i * one, from_sparse + <size_t> i * hidden, hidden * sizeof(int16_t))
        for j in range(hidden):
            for i in range(dense):
                first[2 * (i // 2 * one + j) + i % 2] = from_dense[i * hidden + j]
            for i in range(second):
                between[2 * (j // 2 * two + i) + j % 2] = from_hidden[j * second + i]
        fill(b1, packed(table, "b1", hidden, 4))
        fill(b2, packed(table, "b2", second, 4))
        fill(last, packed(table, "W3", second * players, 4))
        fill(direct, packed(table, "L", dense * players, 4))
        fill(b3, packed(table, "b3", players, 4))
        wide.players, wide.features, wide.inputs, wide.pairs = players, n, inputs, pairs
        wide.hidden, wide.second, wide.shift = one, two, table["shift"]
        wide.s1, wide.s2, wide.s3 = table["s1"], table["s2"], table["s3"]
        wide.mean, wide.gain, wide.sparse, wide.dense, wide.b1 = mean, gain, sparse, first, b1
        wide.between, wide.b2, wide.last, wide.direct, wide.b3 = between, b2, last, direct, b3
        net.wide, net.players, net.features = wide, players, n
        return 0

    cdef int add(self, int players, dict table) except -1:
        """Lay out a network in one block of memory."""
        cdef int n = len(self.features), hidden = len(table["b1"]), i, j
        cdef int pairs = (n + 1) // 2, k, more
        cdef int units = (hidden + UNITS - 1) // UNITS * UNITS
        cdef size_t reals = 2 * n * sizeof(double), words = (2 * units + 2 * n) * sizeof(int32_t)
        cdef size_t half = 2 * pairs * units
        cdef Net* net = <Net*> calloc(1, sizeof(Net) + reals + words + 2 * half * sizeof(int16_t))
        if net == NULL:
            raise MemoryError()
        self.nets[players] = net
        cdef double* mean = <double*> (net + 1)
        cdef double* gain = mean + n
        cdef int32_t* b1 = <int32_t*> (gain + n)
        cdef int32_t* w2 = b1 + units
        cdef int32_t* direct = w2 + units
        cdef int16_t* own = <int16_t*> (direct + 2 * n)
        cdef int16_t* rest = own + half
        for i in range(n):
            mean[i] = table["mean"][i]
            gain[i] = table["gain"][i]
        for i in range(2 * n):
            direct[i] = table["L"][i]
        net.together = True
        for row in table["W1"]:
            for i in range(n):
                more = row[i] - row[n + i]
                net.together = net.together and -0x8000 <= more <= 0x7FFF
        for j in range(hidden):
            b1[j] = table["b1"][j]
            w2[j] = table["W2"][j]
            for i in range(n):
                k = 2 * (i // 2 * units + j) + i % 2
                rest[k] = table["W1"][j][n + i]
                own[k] = table["W1"][j][i] - (rest[k] if net.together else 0)
        net.players, net.features, net.pairs, net.hidden = players, n, pairs, units
        net.s1, net.s2 = table["s1"], table["s2"]
        net.mean, net.gain, net.own, net.rest, net.b1, net.w2, net.direct = mean, gain, own, rest, b1, w2, direct
        return 0

    cdef int add_priors(self, int players, dict table) except -1:
        """Lay out priors in one block of memory."""
        cdef int n = len(self.move_features), i
        cdef PriorNet* net = <PriorNet*> calloc(1, sizeof(PriorNet) + n * (2 * sizeof(double) + sizeof(int32_t)))
        if net == NULL:
            raise MemoryError()
        self.prior_nets[players] = net
        cdef double* mean = <double*> (net + 1)
        cdef double* gain = mean + n
        cdef int32_t* weight = <int32_t*> (gain + n)
        for i in range(n):
            mean[i], gain[i], weight[i] = table["mean"][i], table["gain"][i], table["W"][i]
        net.features, net.shift = n, table["s"]
        net.mean, net.gain, net.weight = mean, gain, weight
        return 0

    cdef const Net* net(self, int players) noexcept nogil:
        return self.nets[players]

    cdef const PriorNet* prior_net(self, int players) noexcept nogil:
        return self.prior_nets[players]

    cdef const Net* need(self, int players) except NULL:
        if not 1 <= players <= MAX_SEATS or self.nets[players] == NULL:
            raise ValueError(f"there is no network for {players} players")
        if self.nets[players].wide != NULL:
            raise ValueError(f"the network for {players} players reads more than features")
        return self.nets[players]

    @property
    def players(self):
        """Numbers of players for which there is a network, ascending."""
        return tuple([players for players in self.tables if self.nets[players] != NULL])

    @property
    def prior_players(self):
        """Numbers of players for which there are priors of moves, ascending."""
        return tuple([players for players in self.tables if self.prior_nets[players] != NULL])

    def outputs(self, const double[:, ::1] x):
        """Return the network's output for each seat before the softmax, times 2**s2.

        Parameters
        ----------
        x : float array of shape (players, features)

        Returns
        -------
        list of int
        """
        cdef int64_t z[MAX_SEATS]
        cdef const Net* net = self.need(<int> x.shape[0])
        self.check_width(x.shape[1])
        fill_outputs(net, &x[0, 0], z)
        return [z[i] for i in range(net.players)]

    def shares(self, const double[:, :, ::1] x, double[:, ::1] out):
        """Write the win probabilities of many positions.

        Parameters
        ----------
        x : float array of shape (n, players, features)
        out : float array of shape (n, players)
        """
        cdef Py_ssize_t i
        cdef const Net* net = self.need(<int> x.shape[1])
        self.check_width(x.shape[2])
        if out.shape[0] != x.shape[0] or out.shape[1] != x.shape[1]:
            raise ValueError("out must have a row for each position and a column for each seat")
        with nogil:
            for i in range(x.shape[0]):
                net_shares(net, &x[i, 0, 0], ~(<uint32_t> 0), &out[i, 0])

    def position_shares(self, const double[:, ::1] x, inputs, int front=0):
        """Return the win probabilities of a position by a network with sparse inputs.

        Parameters
        ----------
        x : float array of shape (players, features)
        inputs : sequence of int
            The sparse inputs that are 1.
        front : int
            The seat from which they count the seats.

        Returns
        -------
        list of float
        """
        cdef uint16_t active[MOST_ACTIVE]
        cdef double win[MAX_SEATS]
        cdef int players = <int> x.shape[0], n = len(inputs), i
        cdef const Net* net = self.nets[players] if 1 <= players <= MAX_SEATS else NULL
        if net == NULL or net.wide == NULL:
            raise ValueError(f"there is no network with sparse inputs for {players} players")
        self.check_width(x.shape[1])
        if n > MOST_ACTIVE or not 0 <= front < players:
            raise ValueError(f"there are at most {MOST_ACTIVE} inputs, and the front seat is a seat")
        for i in range(n):
            if not 0 <= inputs[i] < net.wide.inputs:
                raise ValueError(f"there is no input {inputs[i]}")
            active[i] = inputs[i]
        wide_shares(net.wide, &x[0, 0], active, n, front, ~<uint32_t> 0, win)
        return [win[i] for i in range(players)]

    def priors(self, int players, const double[:, ::1] x):
        """Return the priors of the moves of a position.

        Parameters
        ----------
        players : int
        x : float array of shape (moves, features of a move)

        Returns
        -------
        list of float
        """
        cdef float* out
        if not 1 <= players <= MAX_SEATS or self.prior_nets[players] == NULL:
            raise ValueError(f"there are no priors for {players} players")
        if x.shape[1] != len(self.move_features):
            raise ValueError(f"there are {len(self.move_features)} features of a move, not {x.shape[1]}")
        if x.shape[0] == 0:
            return []
        out = <float*> calloc(x.shape[0], sizeof(float))
        if out == NULL:
            raise MemoryError()
        net_priors(self.prior_nets[players], &x[0, 0], <int> x.shape[0], out)
        found = [out[i] for i in range(x.shape[0])]
        free(out)
        return found

    def check_width(self, Py_ssize_t n):
        """Raise ValueError unless n is the number of features."""
        if n != len(self.features):
            raise ValueError(f"there are {len(self.features)} features, not {n}")

    def check(self, game, str name, tuple features, tuple move_features=(), tuple inputs=()):
        """Raise InvalidOption unless the knowledge is for a game with these features.

        Parameters
        ----------
        game : object
            The engine, whose `rules_version` must be the same.
        name : str
        features, move_features, inputs : tuple of str
        """
        cdef str what = "this learned evaluation"
        if self.game != name:
            raise InvalidOption(f"{what} is for the game {self.game!r:.60}, not for '{name}'")
        version = getattr(game, "rules_version", 1)
        if self.rules != version:
            raise InvalidOption(f"{what} is for the rules of '{name}' in version {self.rules}, not {version}")
        if self.features != features:
            raise InvalidOption(f"{what} reads other features than '{name}' has now: it must be trained again")
        if self.move_features and self.move_features != move_features:
            raise InvalidOption(f"{what} reads other features of moves than '{name}' has now: it must be trained again")
        if self.inputs and self.inputs != inputs:
            raise InvalidOption(f"{what} reads other inputs than '{name}' has now: it must be trained again")

    def __reduce__(self):
        return Learned, (self.game, self.rules, self.features, self.tables, self.made, self.move_features,
                         self.inputs)

    def __eq__(self, other):
        return self.digest == (<Learned> other).digest if isinstance(other, Learned) else NotImplemented

    def __hash__(self):
        return hash(self.digest)

    def __repr__(self):
        return f"<learned evaluation of {self.game} {self.digest[:8]}>"
