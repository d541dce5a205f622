"""Carcassonne policy: worth of placements and deployments, and the choice of a playout."""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, ROAD, Board, cell_of, cell_step, root_of, tiles_around, x_of, y_of
)
from sfida.cython_ext.carcassonne.evaluation cimport (
    Rates, Weights, city_worth, hand_worth, monk_worth, open_city_for_farm, road_worth, tiles_to_come
)
from sfida.cython_ext.carcassonne.tables cimport MAX_TILES, NONE, SEATS, Face, Tables
from sfida.cython_ext.carcassonne.turn cimport completed_points, completed_value, count_of, most, tiles_in
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline double last_follower(const Rates* r, int n) noexcept nogil:
    """Worth of the last of `n` followers in hand."""
    return hand_worth(r, n) - hand_worth(r, n - 1) if n else 0.0


cdef struct Merge:                      # features that a city or road segment of a new tile would connect
    int roots[4]
    int n_roots
    int joined                          # sides with a neighbour


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
    cdef const Face* g
    cdef Merge merge[8]
    cdef double gain[SEATS]
    cdef double value, before, claim, best_claim = 0.0, follower
    cdef int cell = cell_of(x, y)
    cdef int d, c, seg, i, root, best, tiles, shields, open, seat, dx, dy
    cdef unsigned int who
    cdef uint32_t packed, mine
    for seg in range(f.n_segs):
        merge[seg].n_roots = 0
        merge[seg].joined = 0
    for seat in range(t.players):
        gain[seat] = 0.0
    p.done = 0.0
    follower = last_follower(r, b.supply[me])
    for d in range(4):
        seg = f.edge_seg[d]
        if seg == NONE:
            continue
        c = b.grid[(cell + cell_step(d)) & 4095]
        who = <unsigned int> c - 1
        if who >= MAX_TILES:
            continue
        g = &t.face[b.tile[who].face]
        root = root_of(b, b.tile[who].seg[g.edge_seg[d ^ 2]])
        merge[seg].joined += 1
        for i in range(merge[seg].n_roots):
            if merge[seg].roots[i] == root:
                break
        else:
            merge[seg].roots[merge[seg].n_roots] = root
            merge[seg].n_roots += 1
    for seg in range(f.n_segs):
        if f.kind[seg] != CITY and f.kind[seg] != ROAD:
            continue
        tiles = 1
        shields = f.shields[seg]
        open = f.n_edges[seg] - 2 * merge[seg].joined
        packed = 0
        for i in range(merge[seg].n_roots):
            root = merge[seg].roots[i]
            tiles += tiles_in(b, root)
            shields += b.node[root].shields
            open += b.node[root].open
            mine = b.node[root].followers
            packed += mine
            if mine:
                best = most(mine)
                if f.kind[seg] == CITY:
                    before = city_worth(r, tiles_in(b, root), b.node[root].shields, b.node[root].open)
                else:
                    before = road_worth(r, tiles_in(b, root), b.node[root].open)
                for seat in range(t.players):
                    if count_of(mine, seat) == best:
                        gain[seat] -= before
        if open <= 0:
            value = completed_points(t, f.kind[seg], tiles, shields)
        elif f.kind[seg] == CITY:
            value = city_worth(r, tiles, shields, open)
        else:
            value = road_worth(r, tiles, open)
        if packed:
            best = most(packed)
            for seat in range(t.players):
                i = count_of(packed, seat)
                if i == best:
                    gain[seat] += value
                    if open <= 0 and seat == me:
                        p.done += value
                if open <= 0 and i:
                    gain[seat] += hand_worth(r, b.supply[seat] + i) - hand_worth(r, b.supply[seat])
        elif b.supply[me]:
            claim = value if open <= 0 else value - follower
            if claim > best_claim:
                best_claim = claim
    if f.monastery != NONE and b.supply[me]:
        claim = monk_worth(r, 1 + tiles_around(b, x, y)) - follower
        if claim > best_claim:
            best_claim = claim
    for i in range(b.n_monks):
        dx = x - b.tile[b.monk[i].tile].x
        dy = y - b.tile[b.monk[i].tile].y
        if dx >= -1 and dx <= 1 and dy >= -1 and dy <= 1:
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
    cdef int n, root, city, me = b.seat
    cdef int i, k
    cdef double follower, value
    cdef uint64_t done[2]
    cdef uint64_t open[2]
    cdef const Face* f
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
            return city_worth(r, tiles_in(b, root), b.node[root].shields, b.node[root].open) - follower
        return road_worth(r, tiles_in(b, root), b.node[root].open) - follower
    done[0] = done[1] = open[0] = open[1] = 0
    for i in range(b.n_tiles):
        f = &t.face[b.tile[i].face]
        for k in range(f.n_contacts):
            if root_of(b, b.tile[i].seg[f.contact_field[k]]) != root:
                continue
            city = root_of(b, b.tile[i].seg[f.contact_city[k]])
            if b.node[city].open == 0:
                done[city >> 6] |= <uint64_t> 1 << (city & 63)
            else:
                open[city >> 6] |= <uint64_t> 1 << (city & 63)
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
    cdef int i
    for i in range(n if n < tries else tries):
        move = moves[i] if n <= tries else moves[rng_below(rng, n)]
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
