"""RisiKo!: whole games by the two policies of the reference statistics, counted (RIS-21.3, 21.4).

Lists are the compact ones with single throws. An answer of the defender, always the maximum, counts as a decision.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.battle cimport most_dice, protected_targets, targets_of
from sfida.cython_ext.risiko.board cimport (
    ATTACK, CHANCE_ROLL, CONTINENTS, DESTROY, FORTIFY, GAME_OVER, K_ATTACK, K_END_ATTACK, K_END_TURN, K_FORTIFY,
    K_OCCUPY, K_PLACE, OCCUPY, PLACE, REGIONS_PLUS, SETUP_PLACE, TERRITORY_COUNT, TRADE, Game, Objective, Tables, bit,
    code_of, is_front, is_luck, seat_of_color, spare,
)
from sfida.cython_ext.risiko.cards cimport set_worth
from sfida.cython_ext.risiko.moves cimport moves_of, sample_chance, throw_moves
from sfida.cython_ext.risiko.objectives cimport effective
from sfida.cython_ext.risiko.turn cimport apply_move
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef struct Tally:
    uint64_t decisions
    uint64_t throws
    uint64_t conquests
    uint64_t listed                     # lengths of the lists, summed
    int longest                         # list
    int most_cards                      # in a hand


# ---- what the greedy policy wants -------------------------------------------------------------------


cdef inline uint64_t needed(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Enemy territories that belong to what the seat's objective still lacks."""
    cdef const Objective* o = &t.objective[effective(g, t, seat, g.objective[seat])]
    cdef uint64_t own = g.own[seat], wanted = o.need
    cdef double share, best = -1.0
    cdef int i, pick = 0
    if o.type == TERRITORY_COUNT:
        return t.all_territories & ~own
    if o.type == DESTROY:
        return g.own[seat_of_color(g, t, o.color)]
    if o.type == REGIONS_PLUS:
        for i in range(CONTINENTS):
            if (o.others >> i) & 1:
                share = <double> popcount(own & t.continent[i]) / popcount(t.continent[i])
                if share > best:
                    best = share
                    pick = i
        wanted |= t.continent[pick]
    return wanted & ~own


cdef inline int best_front(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The own territory of the best pair with an enemy neighbour."""
    cdef uint64_t mask = g.own[seat], found, wanted = needed(g, t, seat)
    cdef int i, k, score, best = -100000, pick = lowest(mask)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        found = t.adjacent[i] & ~g.own[seat]
        while found:
            k = lowest(found)
            found &= found - 1
            score = 5 * <int> ((wanted >> k) & 1) + g.armies[i] - g.armies[k]
            if score > best:
                best = score
                pick = i
    return pick


cdef inline move_t greedy_place(const Game* g, const Tables* t) noexcept nogil:
    cdef const Objective* o = &t.objective[effective(g, t, g.mover, g.objective[g.mover])]
    cdef uint64_t own = g.own[g.mover], single = own & ~g.many
    if (o.type == TERRITORY_COUNT and o.min_armies == 2 and popcount(own) >= o.count
            and popcount(own & g.many) < o.count):
        return code_of(K_PLACE, 0, lowest(single), 1)
    return code_of(K_PLACE, 0, best_front(g, t, g.mover), g.left)


cdef inline move_t greedy_attack(const Game* g, const Tables* t) noexcept nogil:
    cdef uint64_t mask = g.own[g.mover] & g.many, found, wanted = needed(g, t, g.mover)
    cdef uint64_t protected = protected_targets(g, t)
    cdef int i, k, score, best = -100000
    cdef move_t pick = code_of(K_END_ATTACK, 0, 0, 0)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, i, protected)
        while found:
            k = lowest(found)
            found &= found - 1
            score = 5 * <int> ((wanted >> k) & 1) + g.armies[i] - g.armies[k]
            if g.armies[i] >= 4 and g.armies[i] - g.armies[k] >= 2 and score > best:
                best = score
                pick = code_of(K_ATTACK, i, k, most_dice(g, t, i, k))
    return pick


cdef inline move_t greedy_occupy(const Game* g, const Tables* t) noexcept nogil:
    cdef int most = spare(g, t, g.mover, g.origin)
    if is_front(g, t, g.mover, g.origin):
        most = most >> 1 if is_front(g, t, g.mover, g.target) else 0
    return code_of(K_OCCUPY, 0, 0, most)


cdef inline move_t greedy_fortify(const Game* g, const Tables* t) noexcept nogil:
    """The largest move out of an inner territory, towards the neighbour nearest to a front."""
    cdef uint64_t own = g.own[g.mover], mask = own & g.many, near = 0, found
    cdef int i, n, most = 0, pick = -1
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        n = spare(g, t, g.mover, i)
        if n > most and t.adjacent[i] & own and not is_front(g, t, g.mover, i):
            most = n
            pick = i
    if pick < 0:
        return code_of(K_END_TURN, 0, 0, 0)
    mask = own
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if is_front(g, t, g.mover, i):
            near |= bit(i)
    while near:                         # widen the front until it meets a neighbour
        found = near & t.adjacent[pick]
        if found:
            return code_of(K_FORTIFY, pick, lowest(found), most)
        mask = near
        found = near
        while mask:
            found |= t.adjacent[lowest(mask)] & own & ~bit(pick)
            mask &= mask - 1
        if found == near:
            break
        near = found
    return code_of(K_END_TURN, 0, 0, 0)


cdef inline move_t greedy_trade(const Game* g, const Tables* t, const move_t* sets, int n) noexcept nogil:
    """The set worth most; the last entry declines."""
    cdef int i, x, best = -1, pick = n - 1
    for i in range(n - 1):
        x = set_worth(g, t, <int> ((sets[i] >> 12) & 63), <int> ((sets[i] >> 6) & 63), <int> (sets[i] & 63))
        if x > best:
            best = x
            pick = i
    return sets[pick]


cdef inline move_t greedy_move(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        return greedy_place(g, t)
    if g.phase == ATTACK:
        return greedy_attack(g, t)
    if g.phase == OCCUPY:
        return greedy_occupy(g, t)
    if g.phase == FORTIFY:
        return greedy_fortify(g, t)
    return greedy_trade(g, t, moves, n) if g.phase == TRADE else moves[0]


# ---- games ------------------------------------------------------------------------------------------


cdef inline void reference_game(Game* g, const Tables* t, bint greedy, move_t* scratch, Tally* tally,
                                Rng* rng) noexcept nogil:
    """Play to the end. The caller makes the world one where nobody is asked for his dice."""
    cdef int n, i, phase, target, owner
    cdef move_t move
    memset(tally, 0, sizeof(Tally))
    while g.phase != GAME_OVER:
        phase = g.phase
        if is_luck(phase):
            if phase == CHANCE_ROLL:
                tally.throws += 1
                if g.defence_dice > 1 and not t.forced_defence:
                    tally.decisions += 1
                    tally.listed += 1
                target = g.target
                owner = g.owner[target]
                apply_move(g, t, sample_chance(g, t, rng))
                tally.conquests += g.owner[target] != owner
                continue
            apply_move(g, t, sample_chance(g, t, rng))
            for i in range(t.players):
                if popcount(g.hand[i]) > tally.most_cards:
                    tally.most_cards = popcount(g.hand[i])
            continue
        n = throw_moves(g, t, scratch) if phase == ATTACK else moves_of(g, t, True, scratch)
        tally.decisions += 1
        tally.listed += n
        if n > tally.longest:
            tally.longest = n
        move = greedy_move(g, t, scratch, n) if greedy else scratch[rng_below(rng, <uint32_t> n)]
        apply_move(g, t, move)
