"""RisiKo!: uniformly random play without lists and codes, for playouts (RIS-21.3).

The distribution is that of the compact list with single throws: a territory and a number, a pair, or the end. One call
plays one decision, or the decisions of a whole row of throws, with the luck that follows.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.risiko.battle cimport at_most, most_dice, protected_targets, roll, targets_of
from sfida.cython_ext.risiko.board cimport (
    ATTACK, FORTIFY, MAX_DICE, OCCUPY, PLACE, SETUP_PLACE, TERRITORIES, Game, Tables, spare,
)
from sfida.cython_ext.risiko.moves cimport moves_of
from sfida.cython_ext.risiko.turn cimport (
    after_throw, apply_move, begin_attacks, begin_fortifying, finish_turn, place, shift_armies,
)
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline void place_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    cdef uint64_t own = g.own[g.mover]
    cdef int left = g.left
    cdef int amounts = at_most(left, 3)
    cdef int k = <int> rng_below(rng, <uint32_t> (popcount(own) * amounts))
    cdef int i = nth(own, k // amounts)
    k %= amounts
    place(g, t, i, 1 if k == 0 else left if k == amounts - 1 else (left + 1) >> 1)


cdef inline int attack_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Count the pairs by origin, draw one, throw; as long as attacks follow each other. Returns the decisions."""
    cdef uint64_t found[TERRITORIES]
    cdef uint8_t origin[TERRITORIES]
    cdef uint64_t enemies, mask, protected
    cdef bint plain
    cdef int f, n, pairs, x, k, m, decisions = 0
    while g.phase == ATTACK:
        mask = g.own[g.on_turn] & g.many
        enemies = t.all_territories & ~g.own[g.on_turn]
        protected = protected_targets(g, t)
        plain = protected == 0 and not t.no_inferior_attack
        n = 0
        pairs = 0
        while mask:
            f = lowest(mask)
            mask &= mask - 1
            found[n] = t.adjacent[f] & enemies if plain else targets_of(g, t, f, protected)
            origin[n] = f
            pairs += popcount(found[n])
            n += found[n] != 0
        if pairs == 0:
            begin_fortifying(g, t)
            return decisions
        decisions += 1
        x = <int> rng_below(rng, <uint32_t> (pairs + 1))
        if x == pairs:
            begin_fortifying(g, t)
            return decisions
        n = 0
        while x >= popcount(found[n]):
            x -= popcount(found[n])
            n += 1
        f = origin[n]
        x = nth(found[n], x)
        k = at_most(g.armies[f] - 1, MAX_DICE) if plain else most_dice(g, t, f, x)
        m = at_most(g.armies[x], MAX_DICE)
        g.origin = f
        g.target = x
        g.attack_dice = k
        x = roll(t, k, m, rng)
        after_throw(g, t, at_most(k, m) - x, x)
    return decisions


cdef inline void occupy_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    cdef int most = spare(g, t, g.on_turn, g.origin)
    cdef int k = <int> rng_below(rng, <uint32_t> (3 if most > 1 else 2))
    k = 0 if k == 0 else most if k == 2 or most == 1 else most >> 1
    if not shift_armies(g, t, g.origin, g.target, k):
        begin_attacks(g, t)


cdef inline void fortify_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Each neighbour once for all that can be spared, and once for half of it if that is less."""
    cdef uint64_t found[TERRITORIES]
    cdef uint16_t most[TERRITORIES]
    cdef uint8_t origin[TERRITORIES]
    cdef uint64_t own = g.own[g.mover], mask = own & g.many
    cdef int f, n = 0, pairs = 0, x, k
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found[n] = t.adjacent[f] & own
        origin[n] = f
        most[n] = spare(g, t, g.mover, f)
        if most[n]:
            pairs += popcount(found[n]) << (most[n] > 1)
            n += 1
    x = <int> rng_below(rng, <uint32_t> (pairs + 1))
    if x == pairs:
        finish_turn(g, t)
        return
    n = 0
    while True:
        k = popcount(found[n]) << (most[n] > 1)
        if x < k:
            break
        x -= k
        n += 1
    k = most[n]
    if k > 1:
        k = (k + 1) >> 1 if x & 1 else k
        x >>= 1
    if not shift_armies(g, t, origin[n], nth(found[n], x), k):
        finish_turn(g, t)


cdef inline int play_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Play at random where a seat decides; returns the number of decisions."""
    cdef int n
    if g.phase == ATTACK:
        return attack_at_random(g, t, rng)
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        place_at_random(g, t, rng)
    elif g.phase == OCCUPY:
        occupy_at_random(g, t, rng)
    elif g.phase == FORTIFY:
        fortify_at_random(g, t, rng)
    else:
        n = moves_of(g, t, True, scratch)
        apply_move(g, t, scratch[rng_below(rng, <uint32_t> n)])
    return 1
