"""Attila knowledge: how good each move is for who makes it, in points beyond the others'.

Where a move starts a conflict, holds a scoring or ends the game it is tried out on a copy in which nobody lays a card;
elsewhere the changes are added up. Only the mover's own hand is read.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from sfida.cython_ext.attila.board cimport (
    COMMIT, GIVE, HURRIED, INF_A, INF_B, M_AT, M_COMMIT, M_DONE, M_DOUBLE, M_DUMP, M_EXCHANGE, M_GIVE, M_GIVEN,
    M_INFLUENCE, M_SECOND, M_STEP_A, M_STEP_B, M_TILE_INFLUENCE, ORDER, PLACE, PLAY, PRESCORE, TRIBES, Game, Tables,
    allowed, gain, tokens_at
)
from sfida.cython_ext.attila.commitments cimport weigh_commitments
from sfida.cython_ext.attila.outlook cimport Outlook, fill_outlook, relative_points
from sfida.cython_ext.attila.stakes cimport Stakes, best_steps, find_stakes, step_worth, token_worth
from sfida.cython_ext.attila.turn cimport advance, after_placing, next_conflict, put_token, score_century, stop_laying
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.state cimport move_t


cdef struct Judge:                      # a seat that weighs its moves
    int seat
    Outlook outlook
    Stakes stakes
    double base                         # expected points now, beyond the others'
    bint known                          # `base` has been found


cdef inline void set_judge(Judge* j, const Game* g, const Tables* t, const Weights* w, int seat) noexcept nogil:
    j.seat = seat
    j.known = False
    fill_outlook(g, t, w, &j.outlook)
    find_stakes(t, w, &j.outlook, seat, &j.stakes)


cdef inline double base_of(Judge* j, const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    if not j.known:
        j.base = relative_points(g, t, w, j.seat)
        j.known = True
    return j.base


cdef inline void pass_through(Game* g, const Tables* t) noexcept nogil:
    """Nobody lays a card, and scorings are held."""
    while True:
        if g.phase == COMMIT:
            stop_laying(g, t)
        elif g.phase == PRESCORE:
            score_century(g, t)
        elif g.phase == ORDER:
            next_conflict(g, t)
        else:
            return


cdef inline double tried(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe, int p, int second,
                         bint follow) noexcept nogil:
    """A token in `p`, then one in `second`, then influence; p or second -1: not, follow False: neither."""
    cdef Game twin
    memcpy(&twin, g, sizeof(Game))
    twin.world = HURRIED
    twin.card_tribe = tribe
    if p >= 0:
        twin.queued = 0                 # conflicts still to come are those of an earlier card (ATT-9.3)
        put_token(&twin, t, p)
    if second >= 0:
        put_token(&twin, t, second)
    elif follow:
        advance(&twin, t, tribe, gain(&twin, t))
    after_placing(&twin, t)
    pass_through(&twin, t)
    return relative_points(&twin, t, w, j.seat) - base_of(j, g, t, w)


cdef inline bint ends_game(const Game* g, const Tables* t, int seat, int tribe, int steps) noexcept nogil:
    """Steps bring a marker to the last space."""
    cdef int here = count_of(g.influence[seat], tribe)
    return here < t.last_space and here + steps >= t.last_space


cdef inline double influence_worth(Judge* j, const Game* g, const Tables* t, const Weights* w,
                                   int tribe) noexcept nogil:
    """The gain of a card's influence, where no conflict waits."""
    cdef int steps = gain(g, t)
    if ends_game(g, t, j.seat, tribe, steps) and g.end_reasons == 0:
        return tried(j, g, t, w, tribe, -1, -1, True)
    return step_worth(g, t, w, &j.outlook, &j.stakes, tribe, steps)


cdef inline double second_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe,
                                int p) noexcept nogil:
    """A second token, where no conflict waits."""
    cdef int count = tokens_at(g, p)
    if count + 1 == t.fight_at or count_of(g.supply, tribe) == 1:
        return tried(j, g, t, w, tribe, -1, p, False)
    return token_worth(g, w, &j.outlook, &j.stakes, tribe, p)


cdef inline double follow_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe) noexcept nogil:
    """The better of influence and a second token that starts no conflict, after a first one."""
    cdef uint32_t mask = allowed(g, tribe)
    cdef double x, best = influence_worth(j, g, t, w, tribe), second = -1e9
    cdef int p
    while mask:
        p = lowest(mask)
        mask &= mask - 1
        if tokens_at(g, p) + 1 < t.fight_at:
            x = token_worth(g, w, &j.outlook, &j.stakes, tribe, p)
            if x > second:
                second = x
    return best if best > second else second


cdef inline double place_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe, int p,
                               double follow) noexcept nogil:
    """A first token with the best that may follow."""
    cdef int count = tokens_at(g, p)
    cdef double x, best
    if count + 1 == t.fight_at:
        return tried(j, g, t, w, tribe, p, -1, True)
    best = token_worth(g, w, &j.outlook, &j.stakes, tribe, p) + follow
    if count + 2 == t.fight_at and count_of(g.supply, tribe) > 1:
        x = tried(j, g, t, w, tribe, p, p, False)
        if x > best:
            best = x
    return best


cdef inline double card_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe) noexcept nogil:
    """The best that a card can do now."""
    cdef uint32_t mask = allowed(g, tribe)
    cdef double x, best = -1e9, follow = follow_worth(j, g, t, w, tribe)
    while mask:
        x = place_worth(j, g, t, w, tribe, lowest(mask), follow)
        mask &= mask - 1
        if x > best:
            best = x
    return best


cdef inline void weigh_hand(Judge* j, const Game* g, const Tables* t, const Weights* w, double* worth) noexcept nogil:
    """By tribe what a card of it can do; 0 for dead ones."""
    cdef int tribe
    for tribe in range(TRIBES):
        worth[tribe] = card_worth(j, g, t, w, tribe) if allowed(g, tribe) else 0.0


cdef inline double exchange_worth(const Game* g, const Weights* w, const Outlook* o, const double* hand) noexcept nogil:
    """New cards for those below the mean."""
    cdef double mean = 0.0, sum = 0.0
    cdef int tribe
    for tribe in range(TRIBES):
        mean += hand[tribe] / TRIBES
    for tribe in range(TRIBES):
        if hand[tribe] < mean:
            sum += (mean - hand[tribe]) * count_of(g.hand[g.active], tribe)
    return 0.25 * sum - 1.5 - w.k.exchange * o.pace


cdef inline void weigh_moves(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                             double* worth) noexcept nogil:
    """Worth of each legal move of the seat to move."""
    cdef Judge j
    cdef double hand[TRIBES]
    cdef double each[TRIBES + 1]
    cdef double follow = 0.0, best = -1e9, mean = 0.0
    cdef int i, code, tribe, held, phase = g.phase
    set_judge(&j, g, t, w, g.mover)
    if phase == PLACE:
        follow = follow_worth(&j, g, t, w, g.card_tribe)
    elif phase == COMMIT:
        weigh_commitments(g, t, w, &j.outlook, &j.stakes, each)
        for i in range(TRIBES + 1):
            best = each[i] if each[i] > best else best
    elif phase == GIVE:
        weigh_hand(&j, g, t, w, hand)
        for i in range(TRIBES):
            mean += hand[i] / TRIBES
    elif phase == INF_A:
        best_steps(g, t, w, &j.outlook, &j.stakes, each)
    for i in range(n):
        code = <int> moves[i]
        worth[i] = 0.0
        if code < M_DUMP:
            held = count_of(g.hand[g.mover], code)
            worth[i] = card_worth(&j, g, t, w, code) + w.k.spare * (held - 1)
            if worth[i] > best:
                best = worth[i]
        elif code < M_AT:
            worth[i] = 0.5 * count_of(g.hand[g.mover], code - M_DUMP)
        elif code < M_SECOND:
            worth[i] = place_worth(&j, g, t, w, g.card_tribe, code - M_AT, follow)
        elif code < M_INFLUENCE:
            if g.queued:
                worth[i] = tried(&j, g, t, w, g.card_tribe, -1, code - M_SECOND, False)
            else:
                worth[i] = second_worth(&j, g, t, w, g.card_tribe, code - M_SECOND)
        elif code == M_INFLUENCE:
            if g.queued:
                worth[i] = tried(&j, g, t, w, g.card_tribe, -1, -1, True)
            else:
                worth[i] = influence_worth(&j, g, t, w, g.card_tribe)
        elif code < M_DONE:
            worth[i] = each[code - M_COMMIT]
        elif code == M_DONE:
            worth[i] = each[TRIBES]
        elif code == M_DOUBLE:
            weigh_hand(&j, g, t, w, hand)
            worth[i] = -1e9
            for tribe in range(TRIBES):
                if count_of(g.hand[g.mover], tribe) and allowed(g, tribe) and hand[tribe] > worth[i]:
                    worth[i] = hand[tribe]
            worth[i] -= w.k.double_turn * j.outlook.pace
        elif code == M_TILE_INFLUENCE:
            worth[i] = best_steps(g, t, w, &j.outlook, &j.stakes, hand)
            worth[i] -= w.k.influence_2 * j.outlook.pace
            if phase == COMMIT:
                worth[i] += best
        elif code == M_EXCHANGE:
            weigh_hand(&j, g, t, w, hand)
            worth[i] = exchange_worth(g, w, &j.outlook, hand)
            if phase == COMMIT:
                worth[i] += best
            elif phase == PLAY:
                worth[i] += best
        elif M_GIVE <= code < M_GIVEN:
            worth[i] = mean - 0.5 - hand[code - M_GIVE]
        elif M_STEP_A <= code < M_STEP_B:
            worth[i] = each[code - M_STEP_A]
        elif code >= M_STEP_B and phase == INF_B:
            worth[i] = step_worth(g, t, w, &j.outlook, &j.stakes, code - M_STEP_B, 1)


cdef inline void soften(const double* worth, int n, const Weights* w, float* out) noexcept nogil:
    """Shares by worth; the temperature grows with what is at stake, but small shares stay."""
    cdef double top = -1e300, low = 1e300, heat, sum = 0.0, x
    cdef int i
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
        if worth[i] < low and worth[i] > -1e5:
            low = worth[i]
    heat = w.k.heat + w.k.spread * (top - low if top > low else 0.0)
    for i in range(n):
        x = exp((worth[i] - top) / heat) + w.k.least
        out[i] = <float> x
        sum += x
    for i in range(n):
        out[i] = <float> (out[i] / sum)
