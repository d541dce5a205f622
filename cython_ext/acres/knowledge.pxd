"""A Few Acres of Snow knowledge: what the search asks for (win shares, priors, moves of playouts, certain wins).

Siege arithmetic is in `odds`, what a side thinks of its position in `plans`, the worth of moves in
`policy`. All of it reads public data and the mover's own secrets only.
"""

from libc.math cimport sqrt
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.acres.board cimport (
    DEAL, GAME_OVER, K_END, K_LEADER, K_PASS, K_REINFORCE, K_SETTLE, K_SETTLER, K_TRANSPORT, MAIN, MAX_LEGAL, MODES,
    NONE, STRENGTH, VALUE_BITS, Game, Hold, Side, Tables, card_of, kind_of, place_of, site_bit,
)
from sfida.cython_ext.acres.features cimport fill_further
from sfida.cython_ext.acres.map cimport points
from sfida.cython_ext.acres.odds cimport (
    able, attack_odds, callable, decided, defence_odds, likely_reply, logistic, push, stock, strength_at,
)
from sfida.cython_ext.acres.plans cimport (
    arms, raid_reach, raid_strength, raid_worth, stake_of, turns_left, worth_of_money,
)
from sfida.cython_ext.acres.policy cimport rate_moves, soften
from sfida.cython_ext.acres.turn cimport apply_move, next_turn
from sfida.cython_ext.acres.weights cimport (
    ALL_FEATURES, ECONOMIC, FEATURES, F_CAPTURED, F_DEAD, F_EXPOSED, F_FOOTHOLD, F_FORCE, F_GROWTH, F_GUARD, F_HOME,
    F_MONEY, F_POINTS, F_RACE, F_SETTLERS, F_SIEGE, F_SIZE, F_SUPPORT, F_TURN, F_WALLS, Coefficients, Style, Weights,
)
from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.learned cimport Net, net_shares
from sfida.cython_ext.rng cimport Rng, rng_next
from sfida.cython_ext.state cimport EVERYBODY, move_t


cdef inline double siege_hope(const Game* g, const Tables* t, const Coefficients* c, int which,
                              int viewer) noexcept nogil:
    """Chance that a siege is won by its besieger.

    The side on turn has what it may still add, as far as `viewer` knows it; then the other side replies.
    """
    cdef int s = g.on_turn, site = g.target[which], lead = g.lead[which]
    cdef bint defends = s != which
    cdef const Side* me = &g.side[s]
    cdef double reply = likely_reply(g, t, 1 - s, site, not defends)
    cdef double edge = stock(g, t, s, site, defends) - stock(g, t, 1 - s, site, not defends)
    cdef double more = 0.0
    if g.phase <= MAIN or g.actions:
        if viewer == s or viewer == EVERYBODY:
            if me.reach & site_bit(site):
                more = push(t, s, site, (me.hand | callable(t, me)) & able(g, t, s, site, defends), g.actions)
        else:
            more = likely_reply(g, t, s, site, defends) * g.actions / t.turn_actions
    if defends:
        return 1.0 - defence_odds(t, c, lead - more, reply, edge)
    if g.lead[which] >= t.attacker_wins and decided(g, t, s, lead):
        return 1.0
    return attack_odds(t, c, lead + more, reply, edge)


cdef inline void fill_features(const Game* g, const Tables* t, const Weights* w, int s, int viewer,
                               double* x) noexcept nogil:
    """What the win shares read of a side."""
    cdef const Side* me = &g.side[s]
    cdef const Side* foe = &g.side[1 - s]
    cdef const Hold* h = &t.hold[s]
    cdef const Style* style = &w.style[ECONOMIC][s]
    cdef const Coefficients* c = &w.k
    cdef uint64_t deck = me.hand | me.deck | me.discard | me.limbo, cards, sites
    cdef int n = popcount(deck), k, steps, site
    cdef double late, hope, hand = c.share_hand
    x[F_POINTS] = points(g, t, s)
    late = 1.0 / (1.0 + c.share_late * turns_left(g, t, c))
    x[F_RACE] = x[F_POINTS] * late
    sites = me.sites & ~me.towns
    x[F_GROWTH] = 0.0
    for k in range(VALUE_BITS):
        x[F_GROWTH] += popcount(sites & t.worth[k]) << k
    x[F_GROWTH] *= 1.0 - late
    x[F_CAPTURED] = max(0.0, t.cube_points * me.got_cubes + t.disc_points * me.got_discs
                        - t.capture_end / c.share_captured)
    x[F_MONEY] = worth_of_money(c, style, me.money)
    cards = deck | me.reserve | me.siege[0] | me.siege[1]
    x[F_FORCE] = sqrt(arms(t, s, cards))
    x[F_GUARD] = min(c.share_guard, popcount(deck & (h.block_raid | h.block_ambush)) * hand / max(c.share_hand, n))
    x[F_DEAD] = popcount(deck & h.locations & ~me.sites)
    x[F_SIZE] = max(0, n - c.share_size)
    x[F_SETTLERS] = popcount(deck & h.settler & me.usable) * hand / max(c.share_hand, n)
    x[F_SUPPORT] = (deck & h.home_support) != 0
    x[F_WALLS] = popcount(g.forts & me.sites)
    x[F_EXPOSED] = 0.0
    steps = raid_strength(t, c, 1 - s, foe)
    if steps:
        sites = raid_reach(g, t, 1 - s, steps)
        while sites:
            x[F_EXPOSED] += raid_worth(g, t, c, 1 - s, lowest(sites))
            sites &= sites - 1
    sites = me.sites & me.usable & h.locations
    x[F_FOOTHOLD] = 0.0
    while sites:
        site = lowest(sites)
        sites &= sites - 1
        for k in range(MODES):
            if h.link[site][k] & h.victory & foe.sites:
                x[F_FOOTHOLD] = 1.0
    x[F_SIEGE] = 0.0
    x[F_HOME] = 0.0
    if g.target[s] != NONE and g.besieged & site_bit(g.target[s]):
        hope = siege_hope(g, t, c, s, viewer)
        if h.victory & site_bit(g.target[s]):
            x[F_HOME] = hope
        else:
            x[F_SIEGE] = hope * stake_of(g, t, w, s, g.target[s])
    x[F_TURN] = g.on_turn == s


cdef inline void features_of_sides(const Game* g, const Tables* t, const Weights* w, int viewer,
                                   double* out) noexcept nogil:
    """All features of both sides, one after the other."""
    cdef int s
    for s in range(2):
        fill_features(g, t, w, s, viewer, out + s * ALL_FEATURES)
        fill_further(g, t, w, s, viewer, out + s * ALL_FEATURES)


cdef inline void evaluate_position(const Game* g, const Tables* t, const Weights* w, const Net* net, int viewer,
                                   double* win, double* score) noexcept nogil:
    """Win shares, and points with what the position promises, by what `viewer` may know."""
    cdef double x[2][ALL_FEATURES]
    cdef double sum = -w.french, hope
    cdef int i, s
    for s in range(2):
        fill_features(g, t, w, s, viewer, x[s])
        score[s] = x[s][F_POINTS] + x[s][F_SIEGE] + w.k.score_growth * x[s][F_GROWTH]
    if net != NULL:
        for s in range(2):
            fill_further(g, t, w, s, viewer, x[s])
        net_shares(net, &x[0][0], ~0U, win)
        return
    for i in range(FEATURES):
        sum += w.win[i] * (x[0][i] - x[1][i])
    # a siege of a victory site decides by itself as far as it is won
    if sum > w.k.share_range:
        sum = w.k.share_range
    elif sum < -w.k.share_range:
        sum = -w.k.share_range
    win[0] = logistic(sum)
    for s in range(2):
        hope = x[s][F_HOME]
        win[0] = win[0] * (1.0 - hope) + (1.0 - s) * hope
    win[1] = 1.0 - win[0]


cdef inline void find_priors(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                             float* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    if n == 1:
        out[0] = 1.0
        return
    rate_moves(g, t, w, &w.style[ECONOMIC][g.mover], moves, n, worth)
    soften(&w.k, worth, n, w.heat, out)


cdef inline move_t quick_move(const Game* g, const Tables* t, const Weights* w, const Style* style,
                              const move_t* moves, int n, Rng* rng) noexcept nogil:
    """The best move by its worth and a little luck."""
    cdef double worth[MAX_LEGAL]
    cdef double best = -1e300, v
    cdef int i, pick = 0
    cdef uint64_t luck = 0
    if n == 1:
        return moves[0]
    rate_moves(g, t, w, style, moves, n, worth)
    for i in range(n):
        if i & 3 == 0:
            luck = rng_next(rng)
        v = worth[i] + w.noise * <double> (luck & 0xFFFF) / 65536.0
        luck >>= 16
        if v > best:
            best = v
            pick = i
    return moves[pick]


cdef inline bint has_won(const Game* g, int s) noexcept nogil:
    return g.phase == GAME_OVER and g.winner == s


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move that ends the game won, leads to a certain win of a siege, or settles a victory site; or -1.

    A siege of a victory site is won for certain once its lead holds out against all that the other side could add in
    its turn. The strongest cards go first; then nothing more can go wrong.
    """
    cdef int s = g.mover, i, kind, slot, best = -1, force, top = -1
    cdef const Side* me = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef Game twin
    if g.phase > DEAL and g.phase < MAIN:
        for i in range(n):
            memcpy(&twin, g, sizeof(Game))
            apply_move(&twin, t, moves[i])
            if has_won(&twin, s):
                return i
        return -1
    if g.mover != g.on_turn or g.phase < MAIN:
        return -1
    if g.phase == MAIN:
        memcpy(&twin, g, sizeof(Game))
        next_turn(&twin, t)
        if has_won(&twin, s):       # whatever is drawn before
            for i in range(n):
                if kind_of(moves[i]) == K_END:
                    return i
    if t.settling_wins and (g.phase == MAIN or g.verb == K_SETTLE):
        for i in range(n):
            kind = kind_of(moves[i])
            if kind == K_SETTLE and h.victory & site_bit(place_of(moves[i])):
                return i
            if (kind == K_TRANSPORT or kind == K_SETTLER) and h.victory & site_bit(g.site):
                return i
    if g.phase == STRENGTH and h.victory & site_bit(g.site):
        for i in range(n):
            memcpy(&twin, g, sizeof(Game))
            apply_move(&twin, t, moves[i])
            cards = twin.side[s].hand & able(&twin, t, s, g.site, False)
            if not twin.side[s].reach & site_bit(g.site):
                cards = 0
            if decided(&twin, t, s, twin.lead[s] + push(t, s, g.site, cards, twin.actions)):
                return i
        return -1
    if g.phase != MAIN or g.target[s] == NONE or not h.victory & site_bit(g.target[s]):
        return -1
    if decided(g, t, s, g.lead[s]):
        for i in range(n):
            kind = kind_of(moves[i])
            if kind == K_END or kind == K_PASS:
                return i
    if not me.reach & site_bit(g.target[s]):
        return -1
    cards = me.hand & able(g, t, s, g.target[s], False)
    if not decided(g, t, s, g.lead[s] + push(t, s, g.target[s], cards, g.actions)):
        return -1
    for i in range(n):
        kind = kind_of(moves[i])
        if place_of(moves[i]) != s:
            continue
        if kind == K_LEADER:
            return i
        if kind == K_REINFORCE:
            slot = lowest(h.of_type[card_of(moves[i])])
            force = strength_at(t, s, slot, g.target[s])
            if force > top:
                top = force
                best = i
    return best
