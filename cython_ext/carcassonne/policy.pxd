"""Carcassonne policy: worth of placements and deployments, and the choice of a playout."""

from libc.math cimport exp
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, HOLDERS, NOTHING, OPEN_BASE, PLACEMENT_WORDS, Board, Feature, both, cell_of, count_of, root_of, tiles_around, x_of,
    y_of
)
from sfida.cython_ext.carcassonne.evaluation cimport (
    Rates, Weights, city_worth, hand_worth, monk_worth, open_city_for_farm, road_worth, tiles_to_come
)
from sfida.cython_ext.carcassonne.tables cimport NONE, SEATS, Face, Tables
from sfida.cython_ext.carcassonne.turn cimport cities_beside, completed_points, completed_value
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline double last_follower(const Rates* r, int n) noexcept nogil:
    """Worth of the last of `n` followers in hand."""
    return hand_worth(r, n) - hand_worth(r, n - 1) if n else 0.0


cdef struct Promise:                    # effect of a placement, in expected points
    double own                          # on features that the mover holds or will share
    double claim                        # value of the best claim on the tile
    double rival                        # for the rival who gains most
    double done                         # part of `own` on completed features


cdef inline double worth_of_promise(const Weights* w, const Promise* p) noexcept nogil:
    """Worth of a placement for the mover, minus its worth for the best rival."""
    return p.own + w.k.claim * p.claim - w.k.rival * p.rival


cdef inline void place_promise(const Board* b, const Tables* t, const Rates* r, int face, int x, int y, int me,
                               Promise* p) noexcept nogil:
    """Estimate the effect of a placement without laying the tile.

    Considers the cities, roads and monasteries that the tile touches and the best claim on it; farms
    are left to the full evaluation.
    """
    cdef const Face* f = &t.face[face]
    cdef const uint8_t* edge = b.gap[b.grid[cell_of(x, y)] - OPEN_BASE].edge
    cdef const Feature* node
    cdef double gain[SEATS]
    cdef double value, before, claim, best_claim = 0.0, follower
    cdef int i, k, n, root, kind, tiles, shields, open, seat, supply = b.supply[me]
    cdef unsigned int sides, dx, dy
    cdef uint32_t packed, holders
    cdef int roots[4]
    for seat in range(SEATS):
        gain[seat] = 0.0
    p.done = 0.0
    follower = last_follower(r, supply)
    for i in range(f.n_claims):
        kind = f.kind[f.claim[i]]
        tiles = 1
        shields = f.shields[f.claim[i]]
        open = f.n_edges[f.claim[i]]
        packed = 0
        sides = f.claim_sides[i]
        n = 0
        while sides:
            root = root_of(b, edge[lowest(sides)])
            sides &= sides - 1
            for k in range(n):
                if roots[k] == root:
                    break
            else:
                roots[n] = root
                n += root != NOTHING    # which may be on several sides
                node = &b.node[root]
                tiles += node.tiles
                shields += node.shields
                open += node.open
                holders = node.followers >> HOLDERS
                if holders:
                    packed = both(packed, node.followers)
                    if kind == CITY:
                        before = city_worth(r, node.tiles, node.shields, node.open)
                    else:
                        before = road_worth(r, node.tiles, node.open)
                    while holders:
                        gain[lowest(holders)] -= before
                        holders &= holders - 1
            open -= 2
        if packed == 0 and supply == 0:
            continue
        if open <= 0:
            value = completed_points(t, kind, tiles, shields)
        elif kind == CITY:
            value = city_worth(r, tiles, shields, open)
        else:
            value = road_worth(r, tiles, open)
        if packed:
            holders = packed >> HOLDERS
            if open <= 0 and (holders >> me) & 1:
                p.done += value
            while holders:
                gain[lowest(holders)] += value
                holders &= holders - 1
            for seat in range(t.players if open <= 0 else 0):
                k = count_of(packed, seat)
                if k:
                    gain[seat] += hand_worth(r, b.supply[seat] + k) - hand_worth(r, b.supply[seat])
        else:
            claim = value if open <= 0 else value - follower
            if claim > best_claim:
                best_claim = claim
    if f.monastery != NONE and supply:
        claim = monk_worth(r, 1 + tiles_around(b, x, y)) - follower
        if claim > best_claim:
            best_claim = claim
    for i in range(b.n_monks):
        dx = x - b.tile[b.monk[i].tile].x + 1
        dy = y - b.tile[b.monk[i].tile].y + 1
        if dx <= 2 and dy <= 2:
            seat = b.monk[i].seat
            gain[seat] += monk_worth(r, b.monk[i].around + 1) - monk_worth(r, b.monk[i].around)
            if b.monk[i].around == 8:
                gain[seat] += hand_worth(r, b.supply[seat] + 1) - hand_worth(r, b.supply[seat])
    before = 0.0
    for seat in range(t.players):
        if seat != me and (gain[seat] > before or before == 0.0):
            before = gain[seat]
    p.own = gain[me]
    p.claim = best_claim
    p.rival = before


cdef inline double placement_gain(const Board* b, const Tables* t, const Weights* w, int face, int x, int y,
                                  int me, const Rates* r) noexcept nogil:
    cdef Promise p
    place_promise(b, t, r, face, x, y, me, &p)
    return worth_of_promise(w, &p)


cdef inline double deploy_gain(const Board* b, const Tables* t, const Rates* r, move_t move) noexcept nogil:
    """Expected points of a deployment beyond the worth of the follower; 0 for none."""
    cdef int seg = <int> (move & 15) - 1
    cdef int last = b.n_tiles - 1
    cdef int n, k, root, me = b.seat
    cdef double follower, value
    cdef uint64_t done[2]
    cdef uint64_t open[2]
    if seg < 0:
        return 0.0
    follower = last_follower(r, b.supply[me])
    n = b.tile[last].seg[seg]
    if n == NONE:
        k = tiles_around(b, b.tile[last].x, b.tile[last].y)
        return monk_worth(r, k) - (follower if k < 9 else 0.0)
    root = root_of(b, n)
    if b.node[root].kind != FIELD:
        if b.node[root].open == 0:
            return completed_value(b, t, root)
        if b.node[root].kind == CITY:
            return city_worth(r, b.node[root].tiles, b.node[root].shields, b.node[root].open) - follower
        return road_worth(r, b.node[root].tiles, b.node[root].open) - follower
    cities_beside(b, root, done, open)
    value = popcount(done[0]) + popcount(done[1])
    for k in range(2):
        while open[k]:
            value += open_city_for_farm(r, b.node[64 * k + lowest(open[k])].open)
            open[k] &= open[k] - 1
    return t.farm_city * value - follower


cdef inline int sensible_deploy(const Board* b, const Tables* t, const Weights* w, const move_t* moves,
                                int n) noexcept nogil:
    """Index of the deployment with the largest gain."""
    cdef const Rates* r = &w.rates[tiles_to_come(b)]
    cdef double gain, best = 0.0
    cdef int i, pick = 0
    for i in range(1, n):
        gain = deploy_gain(b, t, r, moves[i])
        if gain > best:
            best = gain
            pick = i
    return pick


cdef inline move_t best_placement(const Board* b, const Tables* t, const Weights* w, const move_t* moves, int n,
                                  int tries, Rng* rng) noexcept nogil:
    """The best of a few placements drawn at random (of all if there are no more)."""
    cdef const Rates* r = &w.rates[tiles_to_come(b)]
    cdef double gain, best = -1e300
    cdef move_t move, pick = moves[0]
    cdef uint64_t drawn[PLACEMENT_WORDS]
    cdef uint64_t bit
    cdef int i, k
    memset(drawn, 0, sizeof(drawn))
    for i in range(n if n < tries else tries):
        k = i if n <= tries else <int> rng_below(rng, n)
        bit = <uint64_t> 1 << (k & 63)
        if drawn[k >> 6] & bit:
            continue
        drawn[k >> 6] |= bit
        move = moves[k]
        gain = placement_gain(b, t, w, b.type * 4 + <int> (move & 3), x_of(move),
                              y_of(move), b.seat, r)
        if gain > best:
            best = gain
            pick = move
    return pick


cdef inline void softmax(float* x, int n, double heat) noexcept nogil:
    """Replace gains by probabilities at a temperature, in place."""
    cdef int i
    cdef float top = x[0]
    cdef double total = 0.0, e
    for i in range(1, n):
        if x[i] > top:
            top = x[i]
    for i in range(n):
        e = exp((x[i] - top) / heat) + 0.001
        x[i] = <float> e
        total += e
    for i in range(n):
        x[i] = <float> (x[i] / total)
