"""RisiKo! knowledge: the policy of playouts, without lists.

A plan is made once a turn and after each conquest; a worth is taken with some noise, so that playouts differ.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport lowest
from sfida.cython_ext.risiko.battle cimport protected_targets, targets_of
from sfida.cython_ext.risiko.board cimport (
    ATTACK, FORTIFY, K_ASSAULT, OCCUPY, PLACE, SETUP_PLACE, TRADE, Game, Tables, code_of, spare,
)
from sfida.cython_ext.risiko.cards cimport best_sets
from sfida.cython_ext.risiko.moves cimport moves_of
from sfida.cython_ext.risiko.odds cimport Odds
from sfida.cython_ext.risiko.plans cimport Plan, make_plan
from sfida.cython_ext.risiko.policy cimport attack_worth, occupy_worth, placed_worth, to_lift, trade_worth
from sfida.cython_ext.risiko.turn cimport (
    apply_move, begin_attacks, begin_fortifying, finish_turn, place, shift_armies,
)
from sfida.cython_ext.risiko.weights cimport Weights
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport EVERYBODY, move_t


cdef struct Mind:                       # of a playout: the plan, and for what it was made
    Plan plan
    int turn
    int conquests


cdef inline double blurred(const Weights* w, double x, Rng* rng) noexcept nogil:
    return x * (1.0 + w.k.noise * ((<int> rng_below(rng, 1024) - 512) / 512.0))


cdef inline void keep_plan(Mind* m, const Game* g, const Tables* t, const Odds* k, const Weights* w) noexcept nogil:
    if m.turn != g.turns or m.conquests != g.conquests:
        make_plan(&m.plan, g, t, k, w, g.mover, EVERYBODY)
        m.turn = g.turns
        m.conquests = g.conquests


cdef inline void place_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k, const Weights* w,
                               Rng* rng) noexcept nogil:
    """All armies where they are worth most; in the setup, too."""
    cdef const Plan* p = &m.plan
    cdef uint64_t mask = g.own[g.mover]
    cdef int i, pick, later = 3 + g.stock[g.mover] // 3 if g.phase == SETUP_PLACE else 0
    cdef int lift = to_lift(g, t, g.mover) if g.phase == PLACE else 0
    cdef double x, best = -1e9
    if lift and lift <= g.left:
        place(g, t, lowest(mask & ~g.many), 1)
        return
    pick = lowest(mask)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if not t.adjacent[i] & ~g.own[p.seat]:
            continue
        x = blurred(w, placed_worth(p, g, t, k, w, i, g.left, later), rng)
        if x > best:
            best = x
            pick = i
    place(g, t, pick, g.left)


cdef inline void attack_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k, const Weights* w,
                                Rng* rng) noexcept nogil:
    """The attack worth most, or none."""
    cdef uint64_t protected = protected_targets(g, t), mask = g.own[g.mover] & g.many, found
    cdef int f, x
    cdef double worth, best = 0.0
    cdef move_t pick = 0
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, f, protected)
        while found:
            x = lowest(found)
            found &= found - 1
            if g.armies[f] <= g.armies[x]:
                continue
            worth = attack_worth(&m.plan, g, t, k, w, f, x, K_ASSAULT, 0)
            if worth > best:
                worth = blurred(w, worth, rng)
            if worth > best:
                best = worth
                pick = code_of(K_ASSAULT, f, x, 0)
    if pick:
        apply_move(g, t, pick)
    else:
        begin_fortifying(g, t)


cdef inline void occupy_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k,
                                const Weights* w) noexcept nogil:
    cdef int most = spare(g, t, g.mover, g.origin), n = most
    cdef double all = occupy_worth(&m.plan, g, t, k, w, most)
    if occupy_worth(&m.plan, g, t, k, w, 0) > all:
        n = 0
    if not shift_armies(g, t, g.origin, g.target, n):
        begin_attacks(g, t)


cdef inline void fortify_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k,
                                 const Weights* w) noexcept nogil:
    """Of the largest idle stack, towards the field."""
    cdef const Plan* p = &m.plan
    cdef uint64_t own = g.own[g.mover], mask = own & g.many, found
    cdef int f, x, n, to = -1, origin = -1, most = 0
    cdef double best = 0.0, worth
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        if t.adjacent[f] & ~own:
            continue
        n = spare(g, t, g.mover, f)
        if n > most and t.adjacent[f] & own:
            most = n
            origin = f
    if origin >= 0:
        found = t.adjacent[origin] & own
        while found:
            x = lowest(found)
            found &= found - 1
            worth = p.field[x] - p.field[origin] + (1.0 if t.adjacent[x] & ~own else 0.0)
            if worth > best:
                best = worth
                to = x
    if to < 0 or not shift_armies(g, t, origin, to, most):
        finish_turn(g, t)


cdef inline void trade_by_plan(Game* g, const Tables* t, const Weights* w, move_t* scratch) noexcept nogil:
    cdef int i, n = best_sets(g, t, scratch), pick = n - 1
    cdef double x, best = 0.0
    for i in range(n - 1):
        x = trade_worth(g, t, w, scratch[i])
        if x > best:
            best = x
            pick = i
    apply_move(g, t, scratch[pick])


cdef inline void play_by_plan(Mind* m, Game* g, const Tables* t, const Odds* k, const Weights* w, move_t* scratch,
                              Rng* rng) noexcept nogil:
    """Play one decision of a world in which nobody needs to hide anything."""
    if g.phase == TRADE:
        trade_by_plan(g, t, w, scratch)
        return
    if g.phase < SETUP_PLACE or g.phase > FORTIFY:
        moves_of(g, t, True, scratch)
        apply_move(g, t, scratch[0])
        return
    keep_plan(m, g, t, k, w)
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        place_by_plan(m, g, t, k, w, rng)
    elif g.phase == ATTACK:
        attack_by_plan(m, g, t, k, w, rng)
    elif g.phase == OCCUPY:
        occupy_by_plan(m, g, t, k, w)
    elif g.phase == FORTIFY:
        fortify_by_plan(m, g, t, k, w)
    else:
        moves_of(g, t, True, scratch)
        apply_move(g, t, scratch[0])
