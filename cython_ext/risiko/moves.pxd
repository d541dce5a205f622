"""RisiKo!: legal attacks and dice, throws and assaults (RIS-7), legal moves and chance outcomes (RIS-14, 15).

An assault throws the largest legal number of dice repeatedly, until the target falls or no throw is legal; one with
a reserve stops as soon as three armies or fewer could throw. At a table every throw is a separate event. In a
sampled world a whole assault is one event: it is drawn throw by throw, and listed by `assault_outcomes`.

The only hand read is that of the seat to move, so a list depends only on what this seat knows.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.risiko.board cimport (
    ANYTHING, ATTACK, BIG, BOUNDED, C_ASSAULT, C_CLOSE, C_DEAL, C_DRAW, C_OBJECTIVE, C_ROLL, C_START, CHANCE_ASSAULT,
    CHANCE_DEAL, CHANCE_OBJECTIVES, CHANCE_ROLL, CHANCE_START, DEFEND, DRAW, FORTIFY, K_ASSAULT, K_ATTACK, K_COLOR,
    K_DEFEND, K_END_ATTACK, K_END_TRADE, K_END_TURN, K_FORTIFY, K_OCCUPY, K_PLACE, K_SAFE_ASSAULT, MAX_LEGAL, OCCUPY,
    PLACE, RESERVE, SDADATA, SETUP_PLACE, TRADE, TRUE_GAME, WITH_RESERVE, Game, all_sets, best_sets, bit, code_of,
    order_of, spare
)
from sfida.cython_ext.risiko.tables cimport COLORS, MAX_DICE, Tables
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t

# ---- legal attacks (RIS-7, 9.6, 11.3, 11.4) ---------------------------------------------------


cdef inline int at_most(int n, int most) noexcept nogil:
    return n if n < most else most


cdef inline bint forbids_elimination(const Tables* t, int round) noexcept nogil:
    """Whether eliminations are forbidden in a round (RIS-9.4)."""
    return round <= t.early_rounds and t.early != ANYTHING


cdef inline uint64_t only_territories(const Game* g, const Tables* t) noexcept nogil:
    """Territories of players who have no other territory."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(t.players):
        if g.own[i] & (g.own[i] - 1) == 0:
            found |= g.own[i]
    return found


cdef inline uint64_t protected_targets(const Game* g, const Tables* t) noexcept nogil:
    """Last territories of players while eliminations are forbidden: no legal throw conquers them (RIS-9.6)."""
    return only_territories(g, t) if forbids_elimination(t, g.round) else 0


cdef inline int coming_round(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Round of a seat's next attack."""
    if g.round == 0:
        return 1
    if seat == g.on_turn:
        return g.round + (g.phase >= FORTIFY)
    return g.round + (order_of(g, t, seat) < order_of(g, t, g.on_turn))


cdef inline int dice_limit(const Tables* t, int attackers, int defenders, bint protected) noexcept nogil:
    """Most dice of a legal throw with that many armies on the two territories; 0: none is legal."""
    cdef int k = at_most(attackers - 1, MAX_DICE)
    if protected:
        if t.early != BOUNDED:
            return 0
        k = at_most(k, defenders - 1)
    if t.no_inferior_attack and k < at_most(defenders, MAX_DICE):
        return 0
    return k


cdef inline int least_dice(const Tables* t, int defenders) noexcept nogil:
    """Fewest dice of a legal throw, where any is legal (RIS-11.4)."""
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
    """Whether some attack is legal (RIS-7.14)."""
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


# ---- single throws --------------------------------------------------------------------------------------


cdef inline int roll(const Tables* t, int attack, int defence, Rng* rng) noexcept nogil:
    """Armies that the defender loses in a throw, drawn by the exact odds (RIS-15.3)."""
    cdef uint32_t x = rng_below(rng, t.throws[attack][defence])
    cdef const uint32_t* upto = t.upto[attack][defence]
    return (x >= upto[0]) + (x >= upto[1]) + (x >= upto[2])


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
    """Whether the current assault is one event: in sampled worlds, unless the stacks are too big to be listed."""
    return g.world != TRUE_GAME and g.armies[g.origin] <= BIG and g.armies[g.target] <= BIG


cdef inline move_t sample_assault(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Draw the end of an assault with maximal throws on both sides."""
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
    """Write every end of an assault; weights are its probability in units of 2**-30, rounded, at least 1."""
    cdef double p[MAX_DICE + 1][BIG + 1]
    cdef double x
    cdef int attackers = g.armies[g.origin], a, d, k, m, i, n = 0
    cdef bint protected = (protected_targets(g, t) >> g.target) & 1
    memset(p, 0, sizeof(p))
    p[attackers & 3][g.armies[g.target]] = 1.0
    for a in range(attackers, 0, -1):   # no throw adds armies, so all ways to `a` attackers are complete here
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
    """Class of assault outcomes that the search distinguishes: the success, and roughly the armies left."""
    cdef int a = <int> ((code >> 8) & 0xFF), d = <int> (code & 0xFF)
    cdef int left = d if d else a, size = 0
    while left > 1:                     # 1, 2-3, 4-7, ...
        left >>= 1
        size += 1
    return 1 + size * 2 + (d == 0)


# ---- moves of players (RIS-14) ------------------------------------------------------------------


cdef inline int color_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int c, i, n = 0
    cdef bint free
    for c in range(COLORS):
        free = True
        for i in range(t.players):
            if g.color[i] == c:
                free = False
        if free:
            out[n] = code_of(K_COLOR, 0, 0, c)
            n += 1
    return n


cdef inline int place_moves(const Game* g, bint compact, move_t* out) noexcept nogil:
    """Write every own territory with every number, or with 1, half of the rest (rounded up) and all of it."""
    cdef uint64_t mask = g.own[g.mover]
    cdef int i, k, n = 0, left = g.left
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if compact:
            out[n] = code_of(K_PLACE, 0, i, 1)
            n += 1
            if left > 2:
                out[n] = code_of(K_PLACE, 0, i, (left + 1) >> 1)
                n += 1
            if left > 1:
                out[n] = code_of(K_PLACE, 0, i, left)
                n += 1
            continue
        for k in range(1, left + 1):
            out[n] = code_of(K_PLACE, 0, i, k)
            n += 1
    return n


cdef inline int trade_moves(const Game* g, const Tables* t, bint compact, move_t* out) noexcept nogil:
    cdef int n
    if compact:
        return best_sets(g, t, out)
    n = all_sets(t, g.hand[g.mover], out)
    out[n] = code_of(K_END_TRADE, 0, 0, 0)
    return n + 1


cdef inline int attack_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write every throw and assault."""
    cdef uint64_t protected = protected_targets(g, t), mask = g.own[g.mover] & g.many, found
    cdef int f, x, k, n = 0
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, f, protected)
        while found:
            x = lowest(found)
            found &= found - 1
            for k in range(least_dice(t, g.armies[x]), most_dice(g, t, f, x) + 1):
                out[n] = code_of(K_ATTACK, f, x, k)
                n += 1
            out[n] = code_of(K_ASSAULT, f, x, 0)
            n += 1
            if g.armies[f] >= RESERVE:
                out[n] = code_of(K_SAFE_ASSAULT, f, x, 0)
                n += 1
    out[n] = code_of(K_END_ATTACK, 0, 0, 0)
    return n + 1


cdef inline int attack_candidates(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write assaults with many armies; with few, one throw of most dice, and the assault if it can continue."""
    cdef uint64_t protected = protected_targets(g, t), mask = g.own[g.mover] & g.many, found
    cdef int f, x, n = 0
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, f, protected)
        while found:
            x = lowest(found)
            found &= found - 1
            if g.armies[f] >= RESERVE:
                out[n] = code_of(K_SAFE_ASSAULT, f, x, 0)
                n += 1
            else:
                out[n] = code_of(K_ATTACK, f, x, most_dice(g, t, f, x))
                n += 1
                if g.armies[f] == 2 and g.armies[x] == 1:
                    continue
            out[n] = code_of(K_ASSAULT, f, x, 0)
            n += 1
    out[n] = code_of(K_END_ATTACK, 0, 0, 0)
    return n + 1


cdef inline int throw_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write single throws of most dice: the compact list of the reference statistics (RIS-21.3)."""
    cdef uint64_t protected = protected_targets(g, t), mask = g.own[g.mover] & g.many, found
    cdef int f, x, n = 0, k
    out[n] = code_of(K_END_ATTACK, 0, 0, 0)
    n = 1
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, f, protected)
        if not found:
            continue
        k = at_most(g.armies[f] - 1, MAX_DICE)
        while found:
            x = lowest(found)
            found &= found - 1
            out[n] = code_of(K_ATTACK, f, x, most_dice(g, t, f, x) if protected & bit(x) else k)
            n += 1
    return n


cdef inline int defend_moves(const Game* g, bint compact, move_t* out) noexcept nogil:
    """Write numbers of dice; the maximum is never worse against an attacker who continues (RIS-14.9)."""
    cdef int k, most = at_most(g.armies[g.target], MAX_DICE)
    if compact:
        out[0] = code_of(K_DEFEND, 0, 0, most)
        return 1
    for k in range(most):
        out[k] = code_of(K_DEFEND, 0, 0, k + 1)
    return most


cdef inline int occupy_moves(const Game* g, const Tables* t, bint compact, move_t* out) noexcept nogil:
    """Write any number that may be spared, or none, half (rounded down) and all."""
    cdef int k, most = spare(g, t, g.mover, g.origin)
    if compact:
        out[0] = code_of(K_OCCUPY, 0, 0, 0)
        out[1] = code_of(K_OCCUPY, 0, 0, most >> 1 if most > 1 else most)
        out[2] = code_of(K_OCCUPY, 0, 0, most)
        return 3 if most > 1 else 2
    for k in range(most + 1):
        out[k] = code_of(K_OCCUPY, 0, 0, k)
    return most + 1


cdef inline int fortify_moves(const Game* g, const Tables* t, bint compact, move_t* out) noexcept nogil:
    """Write every strategic move, or only those of all spare armies and of half of them (rounded up); and none."""
    cdef uint64_t own = g.own[g.mover], mask = own & g.many, found
    cdef int f, x, k, most, n = 0
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = t.adjacent[f] & own
        most = spare(g, t, g.mover, f) if found else 0
        if most == 0:
            continue
        while found:
            x = lowest(found)
            found &= found - 1
            if compact:
                if most > 1:
                    out[n] = code_of(K_FORTIFY, f, x, (most + 1) >> 1)
                    n += 1
                out[n] = code_of(K_FORTIFY, f, x, most)
                n += 1
                continue
            for k in range(1, most + 1):
                out[n] = code_of(K_FORTIFY, f, x, k)
                n += 1
    out[n] = code_of(K_END_TURN, 0, 0, 0)
    return n + 1


cdef inline int moves_of(const Game* g, const Tables* t, bint compact, move_t* out) noexcept nogil:
    """Write the legal moves, or those worth searching; returns the count."""
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        return place_moves(g, compact, out)
    if g.phase == ATTACK:
        return attack_candidates(g, t, out) if compact else attack_moves(g, t, out)
    if g.phase == OCCUPY:
        return occupy_moves(g, t, compact, out)
    if g.phase == FORTIFY:
        return fortify_moves(g, t, compact, out)
    if g.phase == DEFEND:
        return defend_moves(g, compact, out)
    if g.phase == TRADE:
        return trade_moves(g, t, compact, out)
    return color_moves(g, t, out)


cdef inline int count_full(const Game* g, const Tables* t) noexcept nogil:
    """Upper bound on the number of legal moves."""
    cdef uint64_t own = g.own[g.mover], mask = own & g.many
    cdef int i, n = 1
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        return popcount(own) * g.left
    if g.phase == OCCUPY:
        return g.armies[g.origin]
    if g.phase == TRADE:
        i = popcount(g.hand[g.mover])
        return i * (i - 1) * (i - 2) // 6 + 1
    if g.phase == FORTIFY:
        while mask:
            i = lowest(mask)
            mask &= mask - 1
            n += popcount(t.adjacent[i] & own) * (g.armies[i] - 1)
        return n
    return MAX_LEGAL


# ---- outcomes of chance events (RIS-15) -------------------------------------------------------------


cdef inline int objective_cards_left(const Game* g, const Tables* t, int which) noexcept nogil:
    cdef int i, n = popcount(t.objective[which].cards)
    for i in range(t.players):
        n -= g.objective[i] == which
    return n


cdef inline uint64_t undealt(const Game* g, const Tables* t) noexcept nogil:
    cdef uint64_t mask = t.all_territories
    cdef int i
    for i in range(t.players):
        mask &= ~g.own[i]
    return mask


cdef inline int chance_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    """Write every outcome of the coming event with its integer weight (RIS-15); returns the count."""
    cdef uint64_t mask
    cdef int i, k, n = 0
    if g.phase == CHANCE_ROLL:
        return roll_outcomes(g, t, out, weights)
    if g.phase == CHANCE_ASSAULT:
        return assault_outcomes(g, t, out, weights)
    if g.phase == SDADATA:
        for i in range(11):
            out[i] = code_of(C_CLOSE, 0, 0, i + 2)
            weights[i] = 6 - (i - 5 if i > 5 else 5 - i)
        return 11
    if g.phase == CHANCE_START:
        for i in range(t.players):
            out[i] = code_of(C_START, 0, 0, i)
            weights[i] = 1
        return t.players
    if g.phase == CHANCE_OBJECTIVES:
        for i in range(t.n_objectives):
            k = objective_cards_left(g, t, i)
            if k > 0:
                out[n] = code_of(C_OBJECTIVE, 0, 0, i)
                weights[n] = k
                n += 1
        return n
    mask = g.deck if g.phase == DRAW else undealt(g, t)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        out[n] = code_of(C_DRAW, 0, 0, i) if g.phase == DRAW else code_of(C_DEAL, 0, i, 0)
        weights[n] = 1
        n += 1
    return n


cdef inline move_t sample_chance(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Draw one outcome by its weight."""
    cdef uint64_t mask
    cdef int i, k
    if g.phase == CHANCE_ROLL:
        i = roll(t, g.attack_dice, g.defence_dice, rng)
        return code_of(C_ROLL, 0, 0, (at_most(g.attack_dice, g.defence_dice) - i) << 2 | i)
    if g.phase == CHANCE_ASSAULT:
        return sample_assault(g, t, rng)
    if g.phase == DRAW:
        return code_of(C_DRAW, 0, 0, nth(g.deck, rng_below(rng, <uint32_t> popcount(g.deck))))
    if g.phase == CHANCE_DEAL:
        mask = undealt(g, t)
        return code_of(C_DEAL, 0, nth(mask, rng_below(rng, <uint32_t> popcount(mask))), 0)
    if g.phase == CHANCE_START:
        return code_of(C_START, 0, 0, rng_below(rng, <uint32_t> t.players))
    if g.phase == SDADATA:
        return code_of(C_CLOSE, 0, 0, 2 + rng_below(rng, 6) + rng_below(rng, 6))
    k = <int> rng_below(rng, <uint32_t> (t.n_cards - g.step))
    i = 0
    while k >= objective_cards_left(g, t, i):
        k -= objective_cards_left(g, t, i)
        i += 1
    return code_of(C_OBJECTIVE, 0, 0, i)
