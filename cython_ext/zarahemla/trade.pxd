"""The Settlers of Zarahemla: trade with the bank and between players (ZAR-12, ZAR-13).

An offer is composed card by card, first what is given, then what is wanted, each in the order of the resources.
`Game.give` and `Game.want` of the seat on turn hold the offer, those of another seat its counter-offer.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport count_of, covers, filled, lowest
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, COUNTERED, MAIN, M_BANK_TRADE, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE, M_TRADE_NO_DEAL,
    M_TRADE_PICK, M_TRADE_REJECT, M_TRADE_SUBMIT, M_TRADE_WANT, NO_ANSWER, REJECTED, RESOURCES, TRADE_COMPOSE,
    TRADE_FULL, TRADE_NONE, TRADE_PICK, TRADE_RESPOND, Game, Seat, Tables, answer_of, bundle, card, in_side,
    outstanding, side_of, side_size, total,
)
from sfida.cython_ext.zarahemla.thefts cimport note_proof, pay, receive
from sfida.cython_ext.state cimport move_t


cdef enum:
    NO_RESOURCE = -1


# ---- the bank ---------------------------------------------------------------------------------------


cdef inline int bank_trades(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """One lot for one card each, at the best ratio (ZAR-12.4)."""
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t rate = t.rate[s.stations]
    cdef uint64_t stock = filled(g.bank), wanted
    cdef int give, n = 0
    for give in range(RESOURCES):
        if count_of(s.hand, give) >= count_of(rate, give):
            wanted = stock & ~(<uint64_t> 0x80 << (8 * give))
            while wanted:
                out[n] = M_BANK_TRADE + 5 * give + (lowest(wanted) >> 3)
                n += 1
                wanted &= wanted - 1
    return n


cdef inline void bank_trade(Game* g, const Tables* t, int give, int get) noexcept nogil:
    cdef int lot = count_of(t.rate[g.seat[g.on_turn].stations], give)
    pay(g, g.on_turn, card(give) * <uint64_t> lot)
    receive(g, g.on_turn, card(get))


# ---- composing --------------------------------------------------------------------------------------


cdef inline bint can_want(const Game* g, const Tables* t, int seat, unsigned int given, int besides) noexcept nogil:
    """Some resource other than those given may be wanted (ZAR-13.9)."""
    cdef int r
    for r in range(RESOURCES):
        if r != besides and side_of(given, r) == 0 and outstanding(g, t, seat, r) > 0:
            return True
    return False


cdef inline int largest_partner(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Cards of the largest hand that the offer may go to."""
    cdef int i, n, best = 0
    if seat != g.on_turn:
        return total(g.seat[g.on_turn].hand)
    for i in range(t.players):
        n = total(g.seat[i].hand)
        if i != seat and n > best:
            best = n
    return best


cdef inline bint can_compose(const Game* g, const Tables* t, int seat) noexcept nogil:
    """An offer of the seat can be completed (ZAR-13.8); with gifts, any card on either side will do (ZAR-13.17)."""
    cdef int r
    if t.gifts:
        return total(g.seat[seat].hand) > 0 or (
            largest_partner(g, t, seat) > 0 and can_want(g, t, seat, 0, NO_RESOURCE))
    for r in range(RESOURCES):
        if count_of(g.seat[seat].hand, r) and can_want(g, t, seat, 0, r):
            return True
    return False


cdef inline int compose_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Cards that may be added to the offer, and its end."""
    cdef int seat = g.mover, r, n = 0, wanted = side_size(g.want[seat]), most
    if wanted == 0 and side_size(g.give[seat]) < t.max_side:
        for r in range(g.floor if g.give[seat] else 0, RESOURCES):
            if count_of(g.seat[seat].hand, r) > side_of(g.give[seat], r) and (
                    t.gifts or can_want(g, t, seat, g.give[seat], r)):
                out[n] = M_TRADE_GIVE + r
                n += 1
    if g.give[seat] or t.gifts:
        most = largest_partner(g, t, seat)
        if wanted < (t.max_side if t.max_side < most else most):
            for r in range(g.floor if wanted else 0, RESOURCES):
                if side_of(g.give[seat], r) == 0 and side_of(g.want[seat], r) < outstanding(g, t, seat, r):
                    out[n] = M_TRADE_WANT + r
                    n += 1
    if wanted or (t.gifts and g.give[seat]):
        out[n] = M_TRADE_SUBMIT
        n += 1
    return n


cdef inline void start_composing(Game* g, int seat) noexcept nogil:
    g.phase = TRADE_COMPOSE
    g.mover = seat
    g.floor = 0
    g.give[seat] = 0
    g.want[seat] = 0


cdef inline void add_given(Game* g, int r) noexcept nogil:
    """The offering seat shows that it has the card (ZAR-13.7)."""
    g.give[g.mover] += in_side(r)
    g.floor = r
    note_proof(g, g.mover, bundle(g.give[g.mover]))


cdef inline void add_wanted(Game* g, int r) noexcept nogil:
    g.want[g.mover] += in_side(r)
    g.floor = r


# ---- answers ----------------------------------------------------------------------------------------


cdef inline void end_trade(Game* g) noexcept nogil:
    cdef int i
    for i in range(4):
        g.give[i] = 0
        g.want[i] = 0
    g.answers = 0
    g.floor = 0
    g.mover = g.on_turn
    g.phase = MAIN


cdef inline void next_answer(Game* g, const Tables* t, int seat) noexcept nogil:
    """The next opponent with cards answers; after the last one the seat on turn picks (ZAR-13.10, 13.11).

    With gifts an empty hand answers too (ZAR-13.17).
    """
    cdef int i
    g.floor = 0
    while seat != g.on_turn:
        if t.gifts or total(g.seat[seat].hand):
            g.phase = TRADE_RESPOND
            g.mover = seat
            return
        seat = seat_after(seat, t.players)
    for i in range(t.players):
        if answer_of(g, i) >= ACCEPTED:
            g.phase = TRADE_PICK
            g.mover = g.on_turn
            return
    end_trade(g)


cdef inline int answer_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int seat = g.mover, n = 0
    if covers(g.seat[seat].hand, bundle(g.want[g.on_turn])):
        out[n] = M_TRADE_ACCEPT
        n += 1
    out[n] = M_TRADE_REJECT
    n += 1
    if t.trade_mode == TRADE_FULL and can_compose(g, t, seat):
        out[n] = M_TRADE_COUNTER
        n += 1
    return n


cdef inline void answer(Game* g, const Tables* t, int reply) noexcept nogil:
    """An answer is given, a counter-offer being complete."""
    cdef int seat = g.mover
    g.answers |= reply << (2 * seat)
    if reply == ACCEPTED:
        note_proof(g, seat, bundle(g.want[g.on_turn]))
    next_answer(g, t, seat_after(seat, t.players))


cdef inline int pick_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int i, reply, n = 0
    for i in range(t.players):
        reply = answer_of(g, i)
        if reply == ACCEPTED or (reply == COUNTERED and covers(g.seat[g.on_turn].hand, bundle(g.want[i]))):
            out[n] = M_TRADE_PICK + i
            n += 1
    out[n] = M_TRADE_NO_DEAL
    return n + 1


cdef inline void deal(Game* g, int other) noexcept nogil:
    """The cards of the offer, or of the other's counter-offer, change hands (ZAR-13.12)."""
    cdef int seat = g.on_turn
    cdef uint64_t out, back
    if answer_of(g, other) == ACCEPTED:
        out = bundle(g.give[seat])
        back = bundle(g.want[seat])
    else:
        out = bundle(g.want[other])
        back = bundle(g.give[other])
        note_proof(g, seat, out)
    g.seat[seat].hand += back - out
    g.seat[other].hand += out - back
    end_trade(g)
