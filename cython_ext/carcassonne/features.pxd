"""Carcassonne features: of a seat for learned evaluations, and of a move for learned priors.

The features of all seats are computed in one pass. All information is public.

A gap is an empty cell that a road, city or monastery needs. Its chance is estimated from the number of remaining
land tiles that fit there, whatever else they would do; the river's end and empty cells without a neighbour are easy.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport popcount
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, HOLDERS, LAND_STACK, MAX_MONKS, MAX_OPEN, NOTHING, OPEN_BASE, PHASE_DEPLOY, PHASE_FIRST, RIVER_END,
    Board, cell_of, count_of, most, root_of, tiles_around, x_of, y_of
)
from sfida.cython_ext.carcassonne.evaluation cimport (
    Outlook, Rates, Weights, expected_cities, score_spread, tiles_to_come
)
from sfida.cython_ext.carcassonne.moves cimport MOST_SPOTS, Spot, spot_of
from sfida.cython_ext.carcassonne.policy cimport Promise, deploy_gain, make_promises, softmax, worth_of_promise
from sfida.cython_ext.carcassonne.tables cimport (
    ALL_FEATURES, F_AHEAD, F_BEATEN, F_CITIES, F_CLOSING, F_FARMERS, F_FARMS, F_FARMS_BEATEN, F_FARMS_TIED, F_FED,
    F_HAND, F_LEAD, F_LEFT, F_MONASTERIES, F_PENDING, F_POINTS, F_READY, F_ROADS, F_STUCK, F_THREATENED, F_TIED,
    F_TURNS, NONE, TYPE_WORDS, Tables
)
from sfida.cython_ext.carcassonne.turn cimport Farm, completed_value
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.state cimport move_t


cdef enum:
    EASY = 255                          # number of fitting tiles of an easy gap


cdef enum:                              # standing of a seat with followers in a feature
    ALONE = 0
    AHEAD = 1                           # others have fewer
    TIED = 2
    BEATEN = 3


cdef struct Gaps:
    uint64_t stock[TYPE_WORDS]          # land tiles left, including the one in hand, by type one byte each
    uint8_t here[MAX_OPEN]              # by open cell: tiles in stock that fit there
    uint8_t fits[NOTHING + 1]           # by root of a city or road: those of its hardest gap; EASY: no gap is known
    uint8_t monk[MAX_MONKS]             # by monastery: those of its hardest gap


cdef inline int tiles_for(const uint64_t* stock, const uint64_t* fitting) noexcept nogil:
    """Number of tiles in stock, by type one byte each, of these types."""
    cdef uint64_t sums = 0
    cdef int w
    for w in range(TYPE_WORDS):         # at most MAX_TILES in all, so that no byte overflows
        sums += stock[w] & fitting[w]
    return <int> ((sums * <uint64_t> 0x0101010101010101) >> 56)


cdef inline void find_gaps(const Board* b, const Tables* t, Gaps* g) noexcept nogil:
    cdef const uint8_t* edge
    cdef int i, d, at, x, y, fits, root, dx, dy
    for i in range(TYPE_WORDS):
        g.stock[i] = b.left[i]
    if b.type != NONE:
        (<uint8_t*> g.stock)[b.type] += 1
    for i in range(TYPE_WORDS):
        g.stock[i] &= t.stack_mask[LAND_STACK][i]
    memset(g.fits, EASY, sizeof(g.fits))
    for i in range(b.n_open):
        edge = b.gap[i].edge
        fits = tiles_for(g.stock, t.fitting[b.code[i]])
        g.here[i] = fits
        for d in range(4):
            root = root_of(b, edge[d])
            if fits < g.fits[root]:
                g.fits[root] = fits
    for i in range(b.n_monks):
        g.monk[i] = EASY
        x = b.tile[b.monk[i].tile].x
        y = b.tile[b.monk[i].tile].y
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                at = b.grid[cell_of(x + dx, y + dy)]
                if OPEN_BASE <= at < RIVER_END and g.here[at - OPEN_BASE] < g.monk[i]:
                    g.monk[i] = g.here[at - OPEN_BASE]


cdef inline int standing_of(uint32_t followers, int seat) noexcept nogil:
    """The standing of a seat that has followers in a feature."""
    cdef uint32_t holders = followers >> HOLDERS
    if not (holders >> seat) & 1:
        return BEATEN
    if holders & (holders - 1):
        return TIED
    return AHEAD if most(followers & ~(<uint32_t> 15 << (4 * seat))) else ALONE


cdef inline double chance_of(int fits) noexcept nogil:
    """Estimated probability that a gap is filled, by the number of tiles that fit it."""
    return fits / (fits + 2.0)


cdef inline void features_of_seats(const Board* b, const Tables* t, const Weights* w, const Outlook* o,
                                   const Gaps* g, double* out) noexcept nogil:
    """Write feature i of each seat to out[seat * ALL_FEATURES + i]."""
    cdef double* x
    cdef const Farm* farm
    cdef double share, value, rival, spread, total = 0.0
    cdef int i, seat, other, mine, root, kind, k, full, first, standing
    memset(out, 0, t.players * ALL_FEATURES * sizeof(double))
    spread = score_spread(w, o.left)
    for i in range(o.n_claims):
        root = o.claim[i].root
        kind = b.node[root].kind
        value = o.claim[i].worth
        full = completed_value(b, t, root)
        share = chance_of(g.fits[root])
        for seat in range(t.players):
            mine = count_of(o.claim[i].followers, seat)
            if mine == 0:
                continue
            x = out + seat * ALL_FEATURES
            if g.fits[root] == 0:
                x[F_STUCK] += mine
            standing = standing_of(o.claim[i].followers, seat)
            if standing == BEATEN:
                x[F_BEATEN] += value
                continue
            x[F_CITIES if kind == CITY else F_ROADS] += value
            if standing == TIED:
                x[F_TIED] += value
            elif standing == AHEAD:
                x[F_THREATENED] += value
            x[F_CLOSING] += full * share
            if b.node[root].open <= 1:
                x[F_READY] += full * share
    for i in range(b.n_monks):
        x = out + b.monk[i].seat * ALL_FEATURES
        share = chance_of(g.monk[i])
        x[F_MONASTERIES] += o.monk[i]
        x[F_STUCK] += g.monk[i] == 0
        x[F_CLOSING] += t.monastery_full * share
        if b.monk[i].around == 8:
            x[F_READY] += t.monastery_full * share
    for i in range(o.n_farms):
        farm = &o.farm[i]
        value = t.farm_city * expected_cities(b, &w.rates[<int> o.left], farm.done, farm.open)
        for seat in range(t.players):
            mine = count_of(farm.followers, seat)
            if mine == 0:
                continue
            x = out + seat * ALL_FEATURES
            x[F_FARMERS] += mine
            standing = standing_of(farm.followers, seat)
            if standing == BEATEN:
                x[F_FARMS_BEATEN] += value
            elif standing == TIED:
                x[F_FARMS_TIED] += value
    first = b.seat if b.phase != PHASE_DEPLOY else (b.seat + 1) % t.players
    for seat in range(t.players):
        total += o.expected[seat]
    for seat in range(t.players):
        x = out + seat * ALL_FEATURES
        x[F_POINTS] = b.score[seat]
        x[F_HAND] = b.supply[seat]
        x[F_FARMS] = t.farm_city * o.cities[seat]
        for k in range(2):
            x[F_FED] += popcount(o.fed[seat][k])
            x[F_PENDING] += popcount(o.pending[seat][k])
        x[F_AHEAD] = (o.expected[seat] - total / t.players) / spread
        rival = -1e9
        for other in range(t.players):
            if other != seat and o.expected[other] > rival:
                rival = o.expected[other]
        x[F_LEAD] = (o.expected[seat] - rival) / spread if t.players > 1 else 0.0
        if b.phase != PHASE_FIRST:
            k = (seat - first + t.players) % t.players
            i = <int> o.left
            x[F_TURNS] = (i - k + t.players - 1) // t.players - o.left / t.players if i > k else -o.left / t.players
        x[F_LEFT] = o.left


cdef enum:                              # names: MOVE_ALL_FEATURES of the core, in this order
    M_GAIN = M_OWN                      # a placement: points added to the mover's holdings
    M_CLAIM                             # worth of the best claim on the tile
    M_RIVAL                             # gain of the rival who gains most
    M_DONE                              # points of cities and roads completed for the mover
    M_NEIGHBOURS                        # number of tiles around it
    M_GAIN_LATE                         # the same features times the stage of the game
    M_RIVAL_LATE
    M_KEEP                              # kinds of deployments, 1 or 0; this one: none
    M_CITY
    M_ROAD
    M_MONK
    M_FARM
    M_CLOSED                            # on a completed feature, so that the follower returns at once
    M_KEEP_LATE
    M_CITY_LATE
    M_FARM_LATE
    MOVE_WIDTH


cdef inline void list_place(const Board* b, const Promise* p, move_t move, double late, double* out) noexcept nogil:
    out[M_GAIN] = p.own
    out[M_CLAIM] = p.claim
    out[M_RIVAL] = p.rival
    out[M_DONE] = p.done
    out[M_NEIGHBOURS] = tiles_around(b, x_of(move), y_of(move))
    out[M_GAIN_LATE] = p.own * late
    out[M_RIVAL_LATE] = p.rival * late


cdef inline void list_deployment(const Board* b, move_t move, double late, double* out) noexcept nogil:
    cdef int seg = <int> (move & 15) - 1
    cdef int n, root
    if seg < 0:
        out[M_KEEP] = 1.0
        out[M_KEEP_LATE] = late
        return
    n = b.tile[b.n_tiles - 1].seg[seg]
    if n == NONE:
        out[M_MONK] = 1.0
        return
    root = root_of(b, n)
    if b.node[root].kind == FIELD:
        out[M_FARM] = 1.0
        out[M_FARM_LATE] = late
        return
    out[M_CITY if b.node[root].kind == CITY else M_ROAD] = 1.0
    out[M_CITY_LATE] = out[M_CITY] * late
    out[M_CLOSED] = b.node[root].open == 0


cdef inline void features_of_moves(const Board* b, const Tables* t, const Weights* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MOST_SPOTS]
    cdef Spot spot[MOST_SPOTS]
    cdef Promise promise[MOST_SPOTS]
    cdef float prior[MOST_SPOTS]
    cdef int left = tiles_to_come(b)
    cdef double late = <double> b.n_tiles / (b.n_tiles + left)
    cdef const Rates* r = &w.rates[left]
    cdef bint deploying = b.phase == PHASE_DEPLOY
    cdef int i
    if not deploying:
        for i in range(n):
            spot[i] = spot_of(b, moves[i])
        make_promises(b, t, r, spot, n, promise)
    for i in range(n):
        worth[i] = deploy_gain(b, t, r, moves[i]) if deploying else worth_of_promise(w, &promise[i])
        prior[i] = <float> worth[i]
    softmax(prior, n, w.k.deploy_heat if deploying else w.k.place_heat)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        if deploying:
            list_deployment(b, moves[i], late, out + i * MOVE_WIDTH)
        else:
            list_place(b, &promise[i], moves[i], late, out + i * MOVE_WIDTH)
