"""RisiKo!: who may attack whom with how many dice, throws, and whole assaults (RIS-7, 9.6, 11.3, 11.4, 15.3).

An assault throws the largest legal number of dice again and again, until the target falls or nothing legal is left to
throw; one with a reserve stops as soon as three armies or fewer could throw. At a table every throw is an event of its
own. In a sampled world a whole assault is one event: it is drawn throw by throw, and listed by `assault_outcomes`.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest
from sfida.cython_ext.risiko.board cimport (
    ANYTHING, BIG, BOUNDED, C_ASSAULT, C_ROLL, FORTIFY, MAX_DICE, RESERVE, TRUE_GAME, WITH_RESERVE, Game, Tables, bit,
    code_of, order_of,
)
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline int at_most(int n, int most) noexcept nogil:
    return n if n < most else most


cdef inline bint forbids_elimination(const Tables* t, int round) noexcept nogil:
    """Nobody may be eliminated in a round (RIS-9.4)."""
    return round <= t.early_rounds and t.early != ANYTHING


cdef inline uint64_t only_territories(const Game* g, const Tables* t) noexcept nogil:
    """Territories of players who have no other."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(t.players):
        if g.own[i] & (g.own[i] - 1) == 0:
            found |= g.own[i]
    return found


cdef inline uint64_t protected_targets(const Game* g, const Tables* t) noexcept nogil:
    """Only territories of a player, while nobody may be eliminated: no legal throw conquers them (RIS-9.6)."""
    return only_territories(g, t) if forbids_elimination(t, g.round) else 0


cdef inline int coming_round(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Round in which a seat may attack next."""
    if g.round == 0:
        return 1
    if seat == g.on_turn:
        return g.round + (g.phase >= FORTIFY)
    return g.round + (order_of(g, t, seat) < order_of(g, t, g.on_turn))


cdef inline int dice_limit(const Tables* t, int attackers, int defenders, bint protected) noexcept nogil:
    """Most dice of a legal throw with so many armies on the two territories; 0: none is legal."""
    cdef int k = at_most(attackers - 1, MAX_DICE)
    if protected:
        if t.early != BOUNDED:
            return 0
        k = at_most(k, defenders - 1)
    if t.no_inferior_attack and k < at_most(defenders, MAX_DICE):
        return 0
    return k


cdef inline int least_dice(const Tables* t, int defenders) noexcept nogil:
    """Fewest dice of a legal throw where any is legal (RIS-11.4)."""
    return at_most(defenders, MAX_DICE) if t.no_inferior_attack else 1


cdef inline uint64_t targets_of(const Game* g, const Tables* t, int origin, uint64_t protected) noexcept nogil:
    """Territories that may be attacked from an own territory with at least two armies."""
    cdef uint64_t found = t.adjacent[origin] & ~g.own[g.on_turn], some
    cdef int i
    some = found if t.no_inferior_attack and g.armies[origin] <= MAX_DICE else found & protected
    while some:
        i = lowest(some)
        some &= some - 1
        if dice_limit(t, g.armies[origin], g.armies[i], (protected >> i) & 1) == 0:
            found &= ~bit(i)
    return found


cdef inline bint can_attack(const Game* g, const Tables* t) noexcept nogil:
    """Some attack is legal (RIS-7.14)."""
    cdef uint64_t mask = g.own[g.on_turn] & g.many
    cdef uint64_t protected = protected_targets(g, t)
    cdef int i
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if targets_of(g, t, i, protected):
            return True
    return False


cdef inline int most_dice(const Game* g, const Tables* t, int origin, int target) noexcept nogil:
    """Most dice of a legal throw between two neighbours; 0: none is legal."""
    return dice_limit(t, g.armies[origin], g.armies[target], (protected_targets(g, t) >> target) & 1)


# ---- one throw --------------------------------------------------------------------------------------


cdef inline int roll(const Tables* t, int attack, int defence, Rng* rng) noexcept nogil:
    """Armies that the defender loses in a throw, drawn by the exact odds (RIS-15.3)."""
    cdef uint32_t x = rng_below(rng, t.throws[attack][defence])
    cdef int lost = 0
    while x >= t.ways[attack][defence][lost]:
        x -= t.ways[attack][defence][lost]
        lost += 1
    return lost


cdef inline int roll_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    cdef int i, m = at_most(g.attack_dice, g.defence_dice)
    for i in range(m + 1):
        out[i] = code_of(C_ROLL, 0, 0, (m - i) << 2 | i)
        weights[i] = t.ways[g.attack_dice][g.defence_dice][i]
    return m + 1


# ---- whole assaults ---------------------------------------------------------------------------------


cdef inline int next_throw(const Tables* t, int assault, int attackers, int defenders,
                           bint protected) noexcept nogil:
    """Dice of the next throw of an assault; 0: it is over."""
    if assault == WITH_RESERVE and attackers < RESERVE:
        return 0
    return dice_limit(t, attackers, defenders, protected)


cdef inline bint is_one_event(const Game* g) noexcept nogil:
    """The assault that goes on is one event: in sampled worlds, unless the stacks are too big to be listed."""
    return g.world != TRUE_GAME and g.armies[g.origin] <= BIG and g.armies[g.target] <= BIG


cdef inline move_t sample_assault(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """The end of an assault of maximal throws on both sides."""
    cdef int a = g.armies[g.origin], d = g.armies[g.target], k, m, lost
    cdef bint protected = (protected_targets(g, t) >> g.target) & 1
    while d:
        k = next_throw(t, g.assault, a, d, protected)
        if k == 0:
            break
        m = at_most(d, MAX_DICE)
        lost = roll(t, k, m, rng)
        d -= lost
        a -= at_most(k, m) - lost
    return code_of(C_ASSAULT, 0, 0, a << 8 | d)


cdef inline int assault_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    """Every end of an assault; weights are its probability in units of 2**-30, rounded, at least 1."""
    cdef double p[MAX_DICE + 1][BIG + 1]
    cdef double x
    cdef int attackers = g.armies[g.origin], a, d, k, m, i, n = 0
    cdef bint protected = (protected_targets(g, t) >> g.target) & 1
    memset(p, 0, sizeof(p))
    p[attackers & 3][g.armies[g.target]] = 1.0
    for a in range(attackers, 0, -1):   # no throw adds armies: all ways to `a` attackers are known by now
        for d in range(g.armies[g.target], -1, -1):
            x = p[a & 3][d]
            if x == 0.0:
                continue
            p[a & 3][d] = 0.0
            k = next_throw(t, g.assault, a, d, protected) if d else 0
            if k == 0:
                out[n] = code_of(C_ASSAULT, 0, 0, a << 8 | d)
                weights[n] = 1 + <uint32_t> (x * 1073741824.0)
                n += 1
                continue
            m = at_most(d, MAX_DICE)
            for i in range(at_most(k, m) + 1):
                p[(a - at_most(k, m) + i) & 3][d - i] += (
                    x * t.ways[k][m][i] / t.throws[k][m])
    return n


cdef inline int class_of_assault(move_t code) noexcept nogil:
    """What the search tells apart of how an assault ended: whether it succeeded, and the armies left, roughly."""
    cdef int a = <int> ((code >> 8) & 0xFF), d = <int> (code & 0xFF)
    cdef int left = d if d else a, size = 0
    while left > 1:                     # 1, 2-3, 4-7, ...
        left >>= 1
        size += 1
    return 1 + size * 2 + (d == 0)
