"""Carcassonne policy: worth of placements and deployments, and the choice of a playout."""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, HOLDERS, NOTHING, PLACEMENT_WORDS, Board, Feature, Gap, both, count_of, figures_of, root_of,
    tiles_around, x_of, y_of
)
from sfida.cython_ext.carcassonne.evaluation cimport (
    Rates, Weights, city_worth, hand_worth, monk_worth, open_city_for_farm, road_worth, tiles_to_come
)
from sfida.cython_ext.carcassonne.moves cimport Spot
from sfida.cython_ext.carcassonne.tables cimport NONE, SEATS, Face, Tables
from sfida.cython_ext.carcassonne.turn cimport cities_beside, completed_points, completed_value
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline double last_follower(const Rates* r, int n) noexcept nogil:
    """Worth of the last of `n` followers in hand."""
    return hand_worth(r, n) - hand_worth(r, n - 1) if n else 0.0


cdef enum:
    TRIES = 8                           # placements that a playout compares


cdef struct Promise:                    # effect of a placement, in expected points
    double own                          # on features that the mover holds or will share
    double claim                        # value of the best claim on the tile
    double rival                        # for the rival who gains most
    double done                         # part of `own` on completed features


cdef inline double worth_of_promise(const Weights* w, const Promise* p) noexcept nogil:
    """Worth of a placement for the mover, minus its worth for the best rival."""
    return p.own + w.k.claim * p.claim - w.k.rival * p.rival


cdef inline void make_promises(const Board* b, const Tables* t, const Rates* r, const Spot* spots, int n_spots,
                               Promise* promises) noexcept nogil:
    """Estimate the effect of placements of the tile in hand without laying it.

    Considers the cities, roads and monasteries that the tile touches and the best claim on it; farms
    are left to the full evaluation.
    """
    cdef const Face* f
    cdef const Gap* gap
    cdef const Feature* node
    cdef double gain[SEATS]
    cdef double value, before, claim, best_claim, done, rival
    cdef int me = b.seat, supply = b.supply[me]
    cdef double follower = last_follower(r, supply)
    cdef int number, i, k, n, root, kind, tiles, shields, open, seat
    cdef unsigned int sides, dx, dy
    cdef uint32_t packed, holders, sum
    cdef int roots[4]
    for number in range(n_spots):
        gap = &b.gap[spots[number] >> 2]
        f = &t.face[b.type * 4 + (spots[number] & 3)]
        for seat in range(SEATS):
            gain[seat] = 0.0
        done = best_claim = 0.0
        for i in range(f.n_claims):
            kind = f.claim_kind[i]
            sum = f.claim_figures[i]
            sides = f.claim_sides[i]
            open = -2 * popcount(sides)
            packed = 0
            n = 0
            while sides:
                root = root_of(b, gap.edge[lowest(sides)])
                sides &= sides - 1
                for k in range(n):
                    if roots[k] == root:
                        break
                else:
                    roots[n] = root
                    n += root != NOTHING    # which may be on several sides
                    node = &b.node[root]
                    sum += figures_of(node)
                    if node.followers:
                        packed = both(packed, node.followers)
                        if kind == CITY:
                            before = city_worth(r, node.tiles, node.shields, node.open)
                        else:
                            before = road_worth(r, node.tiles, node.open)
                        holders = node.followers >> HOLDERS
                        while holders:
                            gain[lowest(holders)] -= before
                            holders &= holders - 1
            if packed == 0 and supply == 0:
                continue
            open += sum & 255
            shields = (sum >> 8) & 255
            tiles = (sum >> 16) & 255
            if open <= 0:
                value = completed_points(t, kind, tiles, shields)
            elif kind == CITY:
                value = city_worth(r, tiles, shields, open)
            else:
                value = road_worth(r, tiles, open)
            if packed == 0:
                claim = value if open <= 0 else value - follower
                if claim > best_claim:
                    best_claim = claim
                continue
            holders = packed >> HOLDERS
            if open <= 0 and (holders >> me) & 1:
                done += value
            while holders:
                gain[lowest(holders)] += value
                holders &= holders - 1
            for seat in range(t.players if open <= 0 else 0):
                k = count_of(packed, seat)
                if k:
                    gain[seat] += hand_worth(r, b.supply[seat] + k) - hand_worth(r, b.supply[seat])
        if f.monastery != NONE and supply:
            claim = monk_worth(r, 1 + tiles_around(b, x_of(gap.place), y_of(gap.place))) - follower
            if claim > best_claim:
                best_claim = claim
        for i in range(b.n_monks):
            dx = x_of(gap.place) - b.tile[b.monk[i].tile].x + 1
            dy = y_of(gap.place) - b.tile[b.monk[i].tile].y + 1
            if dx <= 2 and dy <= 2:
                seat = b.monk[i].seat
                gain[seat] += monk_worth(r, b.monk[i].around + 1) - monk_worth(r, b.monk[i].around)
                if b.monk[i].around == 8:
                    gain[seat] += hand_worth(r, b.supply[seat] + 1) - hand_worth(r, b.supply[seat])
        rival = 0.0
        for seat in range(t.players):
            if seat != me and (gain[seat] > rival or rival == 0.0):
                rival = gain[seat]
        promises[number].own = gain[me]
        promises[number].claim = best_claim
        promises[number].rival = rival
        promises[number].done = done


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


cdef inline Spot best_spot(const Board* b, const Tables* t, const Weights* w, const Spot* spots, int n,
                           Rng* rng) noexcept nogil:
    """The best of TRIES placements drawn at random (of all if there are no more)."""
    cdef Spot tried[TRIES]
    cdef Promise promise[TRIES]
    cdef uint64_t drawn[PLACEMENT_WORDS]
    cdef uint64_t bit
    cdef double gain, best = -1e300
    cdef int i, _i, k, n_tried = n, pick = 0
    if n > TRIES:
        n_tried = 0
        memset(drawn, 0, sizeof(drawn))
        for _i in range(TRIES):
            k = <int> rng_below(rng, n)
            tried[n_tried] = spots[k]
            bit = <uint64_t> 1 << (k & 63)
            n_tried += (drawn[k >> 6] & bit) == 0       # one drawn again cannot be better
            drawn[k >> 6] |= bit
        spots = tried
    if n_tried == 1:
        return spots[0]
    make_promises(b, t, &w.rates[tiles_to_come(b)], spots, n_tried, promise)
    for i in range(n_tried):
        gain = worth_of_promise(w, &promise[i])
        if gain > best:
            best = gain
            pick = i
    return spots[pick]


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
