"""Attila knowledge: the policy of playouts, without lists; worths are taken with some noise, so that playouts differ.

A turn looks at the outlook once a card: the card by the influence it brings and the token it may place, the best of the
provinces for it, then influence or a second token. Playouts know all of the world they play in.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.attila.board cimport (
    COMMIT, DOUBLE_TURN, END, FOLLOW, INF_A, INF_B, INFLUENCE_2, M_DOUBLE, M_SCORE, M_STEP_A, M_STEP_B,
    M_TILE_INFLUENCE, PLACE, PLAY, PRESCORE, PROVINCES, SEATS, TRIBES, Game, Tables, allowed, bit, gain, spread,
    tokens_at
)
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims
from sfida.cython_ext.attila.commitments cimport conflict_worth, doubt_of, price_of, strengths
from sfida.cython_ext.attila.conflict cimport eligible, lay
from sfida.cython_ext.attila.moves cimport may_double, may_step, second_steps, steps_below
from sfida.cython_ext.attila.outlook cimport Outlook, fill_outlook, read_markers
from sfida.cython_ext.attila.quick cimport any_move
from sfida.cython_ext.attila.stakes cimport Stakes, best_steps, find_stakes, promise, step_worth, token_worth
from sfida.cython_ext.attila.turn cimport (
    advance, after_placing, apply_move, end_turn, play_card, put_token, stop_laying
)
from sfida.cython_ext.attila.weights cimport FIRSTS, NOW, SECONDS, Weights
from sfida.cython_ext.bits cimport count_of, lane, lowest
from sfida.cython_ext.lanes cimport kinds_of
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline double blur(const Weights* w, Rng* rng) noexcept nogil:
    return w.k.noise * ((<int> rng_below(rng, 1024) - 512) / 512.0)


cdef struct Spots:                      # what a token of the card's tribe is worth, by province
    uint32_t known                      # provinces in `gain`: forget those whose tokens change
    double gain[PROVINCES]


cdef inline double closing_gain(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                                const Stakes* s) noexcept nogil:
    """What it is worth that the coming scoring is held with the standing as it is, if a conflict brings it."""
    cdef int markers[SEATS]
    cdef Claims c
    cdef double sum = 0.0
    cdef int tribe
    if o.row[0] == NOW or g.peace_used >= t.peace_tiles or not t.closes[g.peace_used + 1]:
        return 0.0
    for tribe in range(TRIBES):         # the next scoring weighs 1 in `s.worth`
        read_markers(g, t, tribe, markers)
        find_claims(t, w, o.used, NOW, markers, &c)
        sum += o.expected[0][FIRSTS + tribe] * (against(t, w, c.tokens, s.seat) - s.worth[0][FIRSTS + tribe])
        sum += o.expected[0][SECONDS + tribe] * (against(t, w, c.provinces, s.seat) - s.worth[0][SECONDS + tribe])
    return sum


cdef inline int best_place(const Game* g, const Tables* t, const Weights* w, const Outlook* o, Stakes* s,
                           Spots* spots, double closing, Rng* rng, double* worth) noexcept nogil:
    """The province where a token of the card's tribe is worth most; -1: none."""
    cdef uint32_t mask = allowed(g, g.card_tribe)
    cdef double x, best = -1e9
    cdef int p, pick = -1
    while mask:
        p = lowest(mask)
        mask &= mask - 1
        if not (spots.known >> p) & 1:
            spots.gain[p] = token_worth(g, w, o, s, g.card_tribe, p)
            if tokens_at(g, p) + 1 == t.fight_at:
                spots.gain[p] += closing
            spots.known |= bit(p)
        x = spots.gain[p] + blur(w, rng)
        if x > best:
            best = x
            pick = p
    worth[0] = best
    return pick


cdef inline int follow_by_worth(Game* g, const Tables* t, const Weights* w, const Outlook* o, Stakes* s,
                                Spots* spots, double closing, Rng* rng) noexcept nogil:
    """Influence or a second token."""
    cdef int p, steps = gain(g, t)
    cdef double worth
    p = best_place(g, t, w, o, s, spots, closing, rng, &worth)
    if p >= 0 and worth > step_worth(g, t, w, o, s, g.card_tribe, steps) + blur(w, rng):
        put_token(g, t, p)
    else:
        advance(g, t, g.card_tribe, steps)
    after_placing(g, t)
    return 1


cdef inline int card_by_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              Rng* rng) noexcept nogil:
    """The live card with the most in influence and tokens; -1: none."""
    cdef int held = kinds_of(g.hand[g.active]) & g.live, tribe, pick = -1, steps = gain(g, t)
    cdef double x, y, best = -1e9
    while held:
        tribe = lowest(held)
        held &= held - 1
        x = promise(s, tribe)
        y = step_worth(g, t, w, o, s, tribe, steps)
        x += y if y > x else x
        x += w.k.spare * count_of(g.hand[g.active], tribe) + 2.0 * blur(w, rng)
        if x > best:
            best = x
            pick = tribe
    return pick


cdef inline int turn_by_worth(Game* g, const Tables* t, const Weights* w, move_t* scratch, Rng* rng) noexcept nogil:
    """The rest of a card: which, where, influence or a second token."""
    cdef Outlook o
    cdef Stakes s
    cdef Spots spots
    cdef double closing, worth
    cdef int tribe, p, moves = 0
    fill_outlook(g, t, w, &o)
    find_stakes(t, w, &o, g.active, &s)
    if g.phase == PLAY:
        tribe = card_by_worth(g, t, w, &o, &s, rng)
        if tribe < 0:
            return any_move(g, t, scratch, rng)
        play_card(g, t, tribe)
        moves = 1
    closing = closing_gain(g, t, w, &o, &s)
    spots.known = 0
    if g.phase == PLACE:
        p = best_place(g, t, w, &o, &s, &spots, closing, rng, &worth)
        put_token(g, t, p)
        s.known &= ~bit(p)
        spots.known &= ~bit(p)
        moves += 1
    return moves + follow_by_worth(g, t, w, &o, &s, &spots, closing, rng)


cdef inline int lay_by_worth(Game* g, const Tables* t, const Weights* w, Rng* rng) noexcept nogil:
    """All seats lay cards of at most one tribe each, as long as the conflict lasts."""
    cdef Outlook o
    cdef Stakes s
    cdef uint64_t tokens = spread(g.tokens[g.queue[0]]), strength
    cdef double doubt, price, x, best
    cdef int kinds, tribe, k, n, pick, moves = 0, at = g.queue[0], _i
    fill_outlook(g, t, w, &o)
    while g.phase == COMMIT and g.queue[0] == at:
        moves += 1
        kinds = eligible(g, g.mover)
        n = 0
        pick = 0
        if kinds:
            find_stakes(t, w, &o, g.mover, &s)
            doubt = doubt_of(g, t, w)
            price = price_of(g, t, w, &o)
            strength = strengths(g, t, tokens)
            best = conflict_worth(&s, tokens, strength, doubt) + blur(w, rng)
            while kinds:
                tribe = lowest(kinds)
                kinds &= kinds - 1
                for k in range(1, count_of(g.hand[g.mover], tribe) + 1):
                    x = conflict_worth(&s, tokens, strength + lane(tribe) * <uint64_t> k, doubt) - price * k
                    x += blur(w, rng)
                    if x > best:
                        best = x
                        pick = tribe
                        n = k
        for _i in range(n):
            lay(g, t, pick)
        moves += n
        stop_laying(g, t)
    return moves


cdef inline int best_step(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                          int tribes, int steps) noexcept nogil:
    cdef double x, best = -1e300
    cdef int a, pick = 0
    for a in range(TRIBES):
        if (tribes >> a) & 1:
            x = step_worth(g, t, w, o, s, a, steps)
            if x > best:
                best = x
                pick = a
    return pick


cdef inline int tile_by_worth(Game* g, const Tables* t, const Weights* w, Rng* rng) noexcept nogil:
    """At a scoring or the end of a turn: Influence 2 or a Double turn where they are worth it, or go on."""
    cdef double each[TRIBES]
    cdef Outlook o
    cdef Stakes s
    if g.tile_used == 0 and g.tiles[g.active] & (INFLUENCE_2 | DOUBLE_TURN):
        fill_outlook(g, t, w, &o)
        if may_step(g, t):
            find_stakes(t, w, &o, g.active, &s)
            if best_steps(g, t, w, &o, &s, each) > w.k.influence_2 * o.pace + blur(w, rng):
                apply_move(g, t, M_TILE_INFLUENCE)
                return 1
        if g.phase == END and may_double(g) and rng_below(rng, 1024) > <uint32_t> (1000 * o.pace):
            apply_move(g, t, M_DOUBLE)
            return 1
    if g.phase == END:
        end_turn(g, t)
    else:
        apply_move(g, t, M_SCORE)
    return 1


cdef inline int play_by_worth(Game* g, const Tables* t, const Weights* w, move_t* scratch, Rng* rng) noexcept nogil:
    """Play where a seat decides; returns the number of decisions."""
    cdef Outlook o
    cdef Stakes s
    cdef int phase = g.phase
    if phase == PLAY or phase == PLACE or phase == FOLLOW:
        return turn_by_worth(g, t, w, scratch, rng)
    if phase == COMMIT and not g.bound[g.mover]:
        return lay_by_worth(g, t, w, rng)
    if phase == END or phase == PRESCORE:
        return tile_by_worth(g, t, w, rng)
    if phase == INF_A or phase == INF_B:
        fill_outlook(g, t, w, &o)
        find_stakes(t, w, &o, g.active, &s)
        if phase == INF_A:
            apply_move(g, t, M_STEP_A + best_step(g, t, w, &o, &s, steps_below(g, t), 2))
        else:
            apply_move(g, t, M_STEP_B + best_step(g, t, w, &o, &s, second_steps(g, t), 1))
        return 1
    return any_move(g, t, scratch, rng)
