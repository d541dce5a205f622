"""RisiKo!: lists of legal moves, of those worth searching, and of chance outcomes (RIS-14, 15).

Everything that reads a hand reads that of the seat to move, so a list depends on what this seat knows alone.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.risiko.battle cimport (
    assault_outcomes, at_most, least_dice, most_dice, protected_targets, roll, roll_outcomes, sample_assault,
    targets_of,
)
from sfida.cython_ext.risiko.board cimport (
    ATTACK, CHANCE_ASSAULT, CHANCE_DEAL, CHANCE_OBJECTIVES, CHANCE_ROLL, CHANCE_START, COLORS, C_CLOSE, C_DEAL, C_DRAW,
    C_OBJECTIVE, C_ROLL, C_START, DEFEND, DRAW, FORTIFY, K_ASSAULT, K_ATTACK, K_COLOR, K_DEFEND, K_END_ATTACK,
    K_END_TRADE, K_END_TURN, K_FORTIFY, K_OCCUPY, K_PLACE, K_SAFE_ASSAULT, MAX_DICE, MAX_LEGAL, OCCUPY, PLACE, RESERVE,
    SDADATA, SETUP_PLACE, TRADE, Game, Tables, bit, code_of, spare,
)
from sfida.cython_ext.risiko.cards cimport all_sets, best_sets
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


# ---- players ----------------------------------------------------------------------------------------


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
    """Every own territory with every number, or with 1, half of what is left (rounded up) and all of it."""
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
    """Every throw and assault."""
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
    """Assaults with many armies; with few, one throw of most dice, and the assault if it can go on from there."""
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
    """Single throws of most dice: the compact list of the reference statistics (RIS-21.3)."""
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
    """Numbers of dice; the maximum is never worse against an attacker who goes on (RIS-14.9)."""
    cdef int k, most = at_most(g.armies[g.target], MAX_DICE)
    if compact:
        out[0] = code_of(K_DEFEND, 0, 0, most)
        return 1
    for k in range(most):
        out[k] = code_of(K_DEFEND, 0, 0, k + 1)
    return most


cdef inline int occupy_moves(const Game* g, const Tables* t, bint compact, move_t* out) noexcept nogil:
    """Any number that may be spared, or none, half (rounded down) and all."""
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
    """Every strategic move, or only those of all that can be spared and of half of it (rounded up); and none."""
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
    """The legal moves, or those worth searching."""
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
    """At least as many as the legal moves are."""
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


# ---- luck -------------------------------------------------------------------------------------------


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
    """Every outcome of the coming event with its integer weight (RIS-15)."""
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
    """One outcome drawn by its weight."""
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
