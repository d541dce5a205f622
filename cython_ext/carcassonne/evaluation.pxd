"""Carcassonne evaluation: worth of open features and followers in hand, and win probabilities from it.

Only public data is read (the game has no other). Points are expected final points; their dependence on the number of
tiles left is in tables.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.carcassonne.board cimport CITY, HOLDERS, MAX_FOLLOWERS, MAX_MONKS, Board
from sfida.cython_ext.carcassonne.tables cimport MAX_TILES, NONE, SEATS, STACKS, Coefficients, Tables
from sfida.cython_ext.carcassonne.turn cimport Farm, claimed_roots, collect_farms


cdef enum:
    HANDS = 8                           # followers in hand, from none; more are worth no more
    BLOCK = 10                          # occupied cells around a monastery, including its own, from none
    SIDES = 32                          # open sides of a feature; larger numbers count as the largest


cdef struct Rates:                      # for one number of tiles to come
    double hand[HANDS]                  # followers in hand
    double monastery[BLOCK]             # by its occupied cells
    double city[SIDES]                  # an incomplete city, by open sides: per tile and shield,
    double city_more[SIDES]             # extra term
    double small_city                   # in addition for a single tile with one open side
    double road_more[SIDES]             # an incomplete road, in addition to its tiles
    double farm_city[SIDES]             # probability that an incomplete city is completed


cdef struct Weights:
    Coefficients k
    Rates rates[MAX_TILES + 1]          # derived, by tiles to come


cdef inline double least(double a, double b) noexcept nogil:
    return a if a < b else b


cdef inline int up_to(int n, int size) noexcept nogil:
    return n if n < size else size - 1


cdef inline double hand_worth(const Rates* r, int n) noexcept nogil:
    """Worth of n followers in hand (rules, chapter 18.2)."""
    return r.hand[up_to(n, HANDS)]


cdef inline double city_worth(const Rates* r, int tiles, int shields, int open) noexcept nogil:
    """Expected points of an incomplete city (chapter 18.3)."""
    cdef double t = tiles + shields
    if tiles == 1 and open == 1:
        return t + r.small_city
    open = up_to(open, SIDES)
    return t * r.city[open] + r.city_more[open]


cdef inline double road_worth(const Rates* r, int tiles, int open) noexcept nogil:
    """Expected points of an incomplete road (chapter 18.4)."""
    return tiles + r.road_more[up_to(open, SIDES)]


cdef inline double monk_worth(const Rates* r, int around) noexcept nogil:
    """Expected points of a monastery with `around` occupied cells in its 3x3 block (chapter 18.5)."""
    return r.monastery[around]


cdef inline double open_city_for_farm(const Rates* r, int open) noexcept nogil:
    """Probability that an incomplete city is completed (chapter 18.6)."""
    return r.farm_city[up_to(open, SIDES)]


cdef inline void fill_rates(const Weights* w, double left, Rates* r) noexcept nogil:
    """Fill the table for `left` tiles to come."""
    cdef double[HANDS] hand = [0.0, 3.0, 4.6, 5.6, 6.2, 6.6, 6.9, 7.1]
    cdef double close
    cdef int n
    for n in range(HANDS):
        r.hand[n] = w.k.hand * hand[n] * least(1.0, 1.6 * left / 71.0)
    for n in range(BLOCK):
        r.monastery[n] = n + (9 - n) * w.k.monk_fill * least(1.0, 2.5 * left / 71.0)
    r.small_city = 0.9 * least(1.0, 4.0 * left / 71.0)
    for n in range(SIDES):
        close = w.k.city_close - w.k.city_per_side * (n - 1)
        if close < 0.0:
            close = 0.0
        r.city[n] = 1.0 + close * least(1.0, 4.0 * left / 71.0)
        r.city_more[n] = w.k.city_growth * n * left / 71.0
        r.road_more[n] = w.k.road_growth * n * least(1.0, 3.0 * left / 71.0)
        r.farm_city[n] = w.k.farm_open * least(1.0, 3.0 * left / 71.0) / n if n else 1.0


cdef inline int tiles_to_come(const Board* b) noexcept nogil:
    """Number of tiles still to be laid, including the one in hand."""
    cdef int i, n = b.type != NONE
    for i in range(STACKS):
        n += b.n_left[i]
    return n


cdef struct Claim:                      # a city or road that holds followers
    int root
    uint32_t followers                  # a bit for each follower, like `Feature.followers`
    double worth                        # expected points


cdef struct Outlook:                    # assessment of a position
    double left                         # tiles still to be laid
    Claim claim[MAX_FOLLOWERS]
    int n_claims
    double monk[MAX_MONKS]              # expected points of each monastery in the board's list
    Farm farm[36]                       # with the cities that they border
    int n_farms
    uint64_t fed[SEATS][2]              # completed cities next to farms that a seat would score, one bit per city node
    uint64_t pending[SEATS][2]          # incomplete cities next to those farms
    double cities[SEATS]                # number of both expected to be complete at the end
    double expected[SEATS]              # final score: points now, open features, farms, followers in hand


cdef inline double expected_cities(const Board* b, const Rates* r, const uint64_t* done,
                                   const uint64_t* open) noexcept nogil:
    """Expected number of these cities, one bit per city node, that are complete at the end."""
    cdef double n = 0.0
    cdef uint64_t bits
    cdef int k
    for k in range(2):
        n += popcount(done[k])
        bits = open[k]
        while bits:
            n += open_city_for_farm(r, b.node[64 * k + lowest(bits)].open)
            bits &= bits - 1
    return n


cdef inline void look_out(const Board* b, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    cdef uint8_t roots[MAX_FOLLOWERS]
    cdef const Rates* r
    cdef Claim* c
    cdef uint32_t holders
    cdef int i, k, root, seat
    i = tiles_to_come(b)
    r = &w.rates[i]
    o.left = i
    for seat in range(t.players):
        o.expected[seat] = b.score[seat] + hand_worth(r, b.supply[seat])
        o.cities[seat] = 0.0
        for k in range(2):
            o.fed[seat][k] = o.pending[seat][k] = 0
    o.n_claims = claimed_roots(b, roots)
    for i in range(o.n_claims):
        c = &o.claim[i]
        root = roots[i]
        c.root = root
        c.followers = b.node[root].followers
        if b.node[root].kind == CITY:
            c.worth = city_worth(r, b.node[root].tiles, b.node[root].shields, b.node[root].open)
        else:
            c.worth = road_worth(r, b.node[root].tiles, b.node[root].open)
        holders = c.followers >> HOLDERS
        while holders:
            o.expected[lowest(holders)] += c.worth
            holders &= holders - 1
    for i in range(b.n_monks):
        o.monk[i] = monk_worth(r, b.monk[i].around)
        o.expected[b.monk[i].seat] += o.monk[i]
    o.n_farms = collect_farms(b, o.farm)
    if o.n_farms == 0:
        return
    for i in range(o.n_farms):
        holders = o.farm[i].followers >> HOLDERS
        while holders:
            seat = lowest(holders)
            holders &= holders - 1
            for k in range(2):
                o.fed[seat][k] |= o.farm[i].done[k]
                o.pending[seat][k] |= o.farm[i].open[k]
    for seat in range(t.players):
        o.cities[seat] = expected_cities(b, r, o.fed[seat], o.pending[seat])
        o.expected[seat] += t.farm_city * o.cities[seat]


cdef inline double score_spread(const Weights* w, double left) noexcept nogil:
    """Scale of the win probabilities: the spread of a score over the rest of the game, in points."""
    return w.k.floor + w.k.spread * sqrt(left)


cdef inline void win_estimate(const Weights* w, double left, int players, const double* score,
                              double* win) noexcept nogil:
    """Compute win probabilities from expected scores: a softmax whose scale shrinks with the tiles left."""
    cdef double scale = score_spread(w, left)
    cdef double top = score[0], total = 0.0
    cdef int i
    for i in range(1, players):
        if score[i] > top:
            top = score[i]
    for i in range(players):
        win[i] = exp((score[i] - top) / scale)
        total += win[i]
    for i in range(players):
        win[i] /= total
