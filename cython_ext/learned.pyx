"""Learned knowledge of a game: an evaluation from features of the seats to win probabilities, and priors of moves."""

import hashlib
import json
import math
import operator

from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from sfida.cython_ext.seats cimport MAX_SEATS

from sfida.cython_ext.errors import InvalidOption


cdef extern from *:
    """
    #define SF_UNITS 32
    #define SF_EIGHTS(n) (((n) + 7) & ~7)       /* loops over whole vectors; what lies beyond n is not used */
    #if defined(__SSE4_1__)
    typedef short sf_shorts __attribute__((vector_size(16)));
    typedef int sf_ints __attribute__((vector_size(16)));
    typedef double sf_pair __attribute__((vector_size(16)));
    static inline sf_pair sf_two(const double* x) {
        sf_pair found;
        memcpy(&found, x, sizeof found);
        return found;
    }
    static inline void sf_quantise(int16_t* q, const double* x, const double* mean, const double* gain, double limit,
                                   int n) {
        sf_pair half = {0.5, 0.5}, least = {-limit, -limit}, most = {limit, limit};
        int i = 0;
        for (; i + 1 < n; i += 2) {
            sf_pair scaled = (sf_two(x + i) - sf_two(mean + i)) * sf_two(gain + i) + half;
            scaled = __builtin_ia32_minpd(__builtin_ia32_maxpd(scaled, least), most);   /* NaN: the least */
            sf_ints whole = __builtin_ia32_cvttpd2dq(__builtin_ia32_roundpd(scaled, 1));
            q[i] = (int16_t) whole[0];
            q[i + 1] = (int16_t) whole[1];
        }
        for (; i < n; i++) {
            double scaled = (x[i] - mean[i]) * gain[i] + 0.5;
            scaled = scaled > -limit ? scaled : -limit;
            scaled = scaled < limit ? scaled : limit;
            q[i] = (int16_t) __builtin_floor(scaled);
        }
    }
    /* one instruction multiplies two inputs by their weights for four units, and adds the products */
    static inline void sf_add_inputs(int32_t* sums, const int16_t* weights, const int16_t* inputs, int pairs) {
        sf_ints sum[SF_UNITS / 4];
        memcpy(sum, sums, sizeof sum);
        for (int i = 0; i < pairs; i++, weights += 2 * SF_UNITS) {
            int two;
            memcpy(&two, inputs + 2 * i, sizeof two);
            sf_shorts both = (sf_shorts) (sf_ints) {two, two, two, two};
            for (int k = 0; k < SF_UNITS / 4; k++) {
                sf_shorts weight;
                memcpy(&weight, weights + 8 * k, sizeof weight);
                sum[k] += (sf_ints) __builtin_ia32_pmaddwd128(weight, both);
            }
        }
        memcpy(sums, sum, sizeof sum);
    }
    #else
    static inline void sf_quantise(int16_t* q, const double* x, const double* mean, const double* gain, double limit,
                                   int n) {
        for (int i = 0; i < n; i++) {
            double scaled = (x[i] - mean[i]) * gain[i] + 0.5;
            scaled = scaled > -limit ? scaled : -limit;     /* NaN too */
            scaled = scaled < limit ? scaled : limit;
            q[i] = (int16_t) __builtin_floor(scaled);
        }
    }
    static inline void sf_add_inputs(int32_t* sums, const int16_t* weights, const int16_t* inputs, int pairs) {
        for (int i = 0; i < pairs; i++, weights += 2 * SF_UNITS)
            for (int j = 0; j < SF_UNITS; j++)
                sums[j] += weights[2 * j] * inputs[2 * i] + weights[2 * j + 1] * inputs[2 * i + 1];
    }
    #endif
    static inline void sf_add_shorts(int16_t* restrict to, const int16_t* restrict x, int n) {
        for (int i = 0; i < SF_EIGHTS(n); i++)
            to[i] += x[i];
    }
    static inline void sf_rest(int16_t* restrict to, const int16_t* restrict all, const int16_t* restrict x, int n) {
        for (int i = 0; i < SF_EIGHTS(n); i++)
            to[i] = all[i] - x[i];
    }
    static inline int64_t sf_product(const int32_t* restrict a, const int16_t* restrict b, int n) {
        int64_t sum = 0;
        for (int i = 0; i < SF_EIGHTS(n); i++)              /* a is padded with zeros */
            sum += (int64_t) a[i] * b[i];
        return sum;
    }
    static inline int64_t sf_weighted(const int32_t* restrict sums, const int32_t* restrict w, int shift, int limit) {
        int64_t z = 0;
        for (int j = 0; j < SF_UNITS; j++) {
            int32_t sum = sums[j] >> shift;
            sum = sum > 0 ? sum : 0;
            sum = sum < limit ? sum : limit;
            z += (int64_t) w[j] * sum;
        }
        return z;
    }
    """
    enum:
        UNITS "SF_UNITS"                # hidden units in a block
    # add the weighted inputs to the sums of a block; weights by pair of inputs, then unit, then input of the pair
    void add_inputs "sf_add_inputs"(int32_t* sums, const int16_t* weights, const int16_t* inputs,
                                    int pairs) noexcept nogil
    # step 1 for all features of a seat
    void quantise "sf_quantise"(int16_t* q, const double* x, const double* mean, const double* gain, double limit,
                                int n) noexcept nogil
    void add_shorts "sf_add_shorts"(int16_t* to, const int16_t* x, int n) noexcept nogil        # to += x
    void rest_of "sf_rest"(int16_t* to, const int16_t* all, const int16_t* x, int n) noexcept nogil     # to = all - x
    int64_t product "sf_product"(const int32_t* a, const int16_t* b, int n) noexcept nogil
    # steps 3 and 4 for a block, from the sums of its inputs
    int64_t weighted "sf_weighted"(const int32_t* sums, const int32_t* w, int shift, int limit) noexcept nogil


cdef enum:
    STEPS = 256                         # exp(-d) is COARSE[steps of 1/16] * FINE[further steps of 1/4096]
    FINE_BITS = 12
    ONE_BITS = 20
    LARGEST_LOGIT = 16                  # exp(-16) and less count as 0
    KEPT = 512                          # moves whose worth is kept between the two passes

PY_MOST_FEATURES = MOST_FEATURES
PY_MOST_MOVE_FEATURES = MOST_MOVE_FEATURES
cdef object INT16 = 2 ** 15             # exclusive bound of a 16-bit number
cdef object INT32 = 2 ** 31
TABLE_KEYS = ("mean", "gain", "W1", "b1", "s1", "W2", "L", "s2")
PRIOR_KEYS = ("mean", "gain", "W", "s")
MOVES = "moves"                         # key of the priors in a table

cdef int64_t COARSE[STEPS]
cdef int64_t FINE[STEPS]
for _k in range(STEPS):
    COARSE[_k] = round((1 << ONE_BITS) * math.exp(-_k / 16))
    FINE[_k] = round((1 << ONE_BITS) * math.exp(-_k / 4096))


cdef inline int quantised(double x, double mean, double gain) noexcept nogil:
    """Step 1, without branches."""
    cdef double scaled = (x - mean) * gain + 0.5
    cdef int whole
    scaled = scaled if scaled > -Q_LIMIT else -<double> Q_LIMIT     # NaN too
    scaled = scaled if scaled < Q_LIMIT else <double> Q_LIMIT
    whole = <int> scaled
    return whole - (whole > scaled)


cdef struct Inputs:                     # of one seat, with room for the ends of vectors
    int16_t q[2 * MOST_FEATURES + 8]


cdef void fill_inputs(const Net* net, const double* x, Inputs* u) noexcept nogil:
    """Steps 1 and 2: the inputs of every seat."""
    cdef int16_t sum[MOST_FEATURES]
    cdef int seat, n = net.features
    memset(sum, 0, n * sizeof(int16_t))
    for seat in range(net.players):
        quantise(u[seat].q, x + seat * n, net.mean, net.gain, Q_LIMIT, n)
        add_shorts(sum, u[seat].q, n)
    for seat in range(net.players):
        rest_of(u[seat].q + n, sum, u[seat].q, n)


cdef int64_t output_of(const Net* net, const int16_t* u) noexcept nogil:
    """Steps 3 and 4: the output for one seat, times 2**s2."""
    cdef int32_t sums[UNITS]
    cdef int64_t z = product(net.direct, u, 2 * net.features)
    cdef int first, block
    for block in range(net.hidden // UNITS):
        first = block * UNITS
        memcpy(sums, net.b1 + first, sizeof(sums))
        add_inputs(sums, net.w1 + 2 * first * net.features, u, net.features)
        z += weighted(sums, net.w2 + first, net.s1, HIDDEN_LIMIT)
    return z


cdef int64_t fading(int64_t behind, int shift) noexcept nogil:
    """2**20 * exp(-behind / 2**shift)."""
    cdef int64_t step
    if behind >> shift >= LARGEST_LOGIT:
        return 0
    step = (behind << FINE_BITS) >> shift
    return (COARSE[step >> 8] * FINE[step & 255]) >> ONE_BITS


cdef void fill_outputs(const Net* net, const double* x, int64_t* z) noexcept nogil:
    cdef Inputs u[MAX_SEATS]
    cdef int seat
    fill_inputs(net, x, u)
    for seat in range(net.players):
        z[seat] = output_of(net, u[seat].q)


cdef void net_shares(const Net* net, const double* x, unsigned int seats, double* win) noexcept nogil:
    cdef int64_t z[MAX_SEATS]
    cdef int64_t weight[MAX_SEATS]
    cdef int64_t top = 0, total = 0
    cdef int seat
    cdef bint any = False
    fill_outputs(net, x, z)
    for seat in range(net.players):
        if (seats >> seat) & 1 and (not any or z[seat] > top):
            top = z[seat]
            any = True
    for seat in range(net.players):
        weight[seat] = fading(top - z[seat], net.s2) if (seats >> seat) & 1 else 0
        total += weight[seat]
    for seat in range(net.players):
        win[seat] = <double> weight[seat] / <double> total


cdef int64_t worth_of(const PriorNet* net, const double* x) noexcept nogil:
    """Return the linear score of a move, times 2**s."""
    cdef int64_t z = 0
    cdef int i
    for i in range(net.features):
        z += <int64_t> net.weight[i] * quantised(x[i], net.mean[i], net.gain[i])
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

    def __init__(self, str game not None, int rules, features, tables, made=None, move_features=()):
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
            if "mean" in self.tables[players]:
                self.add(players, self.tables[players])
            if MOVES in self.tables[players]:
                self.add_priors(players, self.tables[players][MOVES])
        content = json.dumps([game, rules, self.features, list(self.tables.items()),
                              *([self.move_features] if self.move_features else [])])
        self.digest = hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_SEATS + 1):
            free(self.nets[i])
            free(self.prior_nets[i])

    cdef int add(self, int players, dict table) except -1:
        """Lay out a network in one block of memory."""
        cdef int n = len(self.features), used = len(table["b1"]), i, j, at
        cdef int hidden = (used + UNITS - 1) // UNITS * UNITS
        cdef size_t reals = 2 * n * sizeof(double), words = (2 * hidden + 2 * n + 8) * sizeof(int32_t)
        cdef Net* net = <Net*> calloc(1, sizeof(Net) + reals + words + hidden * 2 * n * sizeof(int16_t))
        if net == NULL:
            raise MemoryError()
        self.nets[players] = net
        cdef double* mean = <double*> (net + 1)
        cdef double* gain = mean + n
        cdef int32_t* b1 = <int32_t*> (gain + n)
        cdef int32_t* w2 = b1 + hidden
        cdef int32_t* direct = w2 + hidden
        cdef int16_t* w1 = <int16_t*> (direct + 2 * n + 8)
        for i in range(n):
            mean[i] = table["mean"][i]
            gain[i] = table["gain"][i]
        for i in range(2 * n):
            direct[i] = table["L"][i]
        for j in range(used):
            b1[j] = table["b1"][j]
            w2[j] = table["W2"][j]
            at = j // UNITS * UNITS * 2 * n + j % UNITS * 2
            for i in range(2 * n):
                w1[at + i // 2 * UNITS * 2 + i % 2] = table["W1"][j][i]
        net.players, net.features, net.hidden = players, n, hidden
        net.s1, net.s2 = table["s1"], table["s2"]
        net.mean, net.gain, net.w1, net.b1, net.w2, net.direct = mean, gain, w1, b1, w2, direct
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

    def check(self, game, str name, tuple features, tuple move_features=()):
        """Raise InvalidOption unless the knowledge is for a game with these features.

        Parameters
        ----------
        game : object
            The engine, whose `rules_version` must be the same.
        name : str
        features, move_features : tuple of str
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

    def __reduce__(self):
        return Learned, (self.game, self.rules, self.features, self.tables, self.made, self.move_features)

    def __eq__(self, other):
        return self.digest == (<Learned> other).digest if isinstance(other, Learned) else NotImplemented

    def __hash__(self):
        return hash(self.digest)

    def __repr__(self):
        return f"<learned evaluation of {self.game} {self.digest[:8]}>"
