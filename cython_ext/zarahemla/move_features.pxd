"""The Settlers of Zarahemla knowledge: what learned priors read of a move, as its mover knows it."""

from sfida.cython_ext.move_features cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    INIT_ROAD, INIT_SETTLEMENT, M_BANK_TRADE, M_BUY_DEV, M_CHOOSE_START, M_CITY, M_END_TURN, M_PLAY_WARRIOR,
    M_ROAD, M_ROLL, M_STEAL_NOTHING, M_TAKE, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_NO_DEAL,
    M_TRADE_PICK, M_TRADE_REJECT, MAX_LEGAL, Game, Tables,
)
from sfida.cython_ext.zarahemla.policy cimport score_moves, soften
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_SETTLES = M_OWN                   # kinds of moves: 1 or 0
    M_ROADS
    M_CITIES
    M_ENDS                              # ends the turn, or throws the dice
    M_BUYS                              # a development card
    M_PLAYS                             # one
    M_BANKS                             # trades with the bank
    M_OFFERS                            # opens, composes or counters an offer
    M_DEALS                             # accepts an offer, or picks one
    M_DECLINES
    M_ROADS_LATE                        # times the stage of the game
    M_CITIES_LATE
    M_BUYS_LATE
    M_BANKS_LATE
    M_DEALS_LATE
    MOVE_WIDTH


cdef inline double stage_of(const Game* g, const Tables* t) noexcept nogil:
    """The leader's share of the points that win, as all see them."""
    cdef int i, top = 0
    for i in range(t.players):
        top = g.seat[i].points if g.seat[i].points > top else top
    return <double> top / t.target


cdef inline int column_of(int code) noexcept nogil:
    """The feature that is 1 for a move; -1: none."""
    if code < M_ROAD:
        return M_SETTLES
    if code < M_CITY:
        return M_ROADS
    if code < M_CHOOSE_START:
        return M_CITIES
    if code < M_ROLL:
        return -1
    if code <= M_END_TURN:
        return M_ENDS
    if code == M_BUY_DEV:
        return M_BUYS
    if code == M_TEMPLE_STONE or M_PLAY_WARRIOR <= code < M_TAKE:
        return M_PLAYS
    if M_BANK_TRADE <= code < M_PLAY_WARRIOR:
        return M_BANKS
    if code <= M_STEAL_NOTHING:
        return -1
    if code == M_TRADE_ACCEPT or M_TRADE_PICK <= code < M_TRADE_NO_DEAL:
        return M_DEALS
    if code == M_TRADE_REJECT or code == M_TRADE_NO_DEAL:
        return M_DECLINES
    return M_OFFERS


cdef inline void features_of_moves(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef double late = stage_of(g, t)
    cdef double* x
    cdef int i, column
    score_moves(g, t, w, moves, n, worth)
    list_worth(worth, n, MOVE_WIDTH, out)
    soften(worth, n, w.k.place_heat if g.phase == INIT_SETTLEMENT or g.phase == INIT_ROAD else w.k.heat, prior)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        column = column_of(<int> moves[i])
        if column >= 0:
            x[column] = 1.0
        x[M_ROADS_LATE] = x[M_ROADS] * late
        x[M_CITIES_LATE] = x[M_CITIES] * late
        x[M_BUYS_LATE] = x[M_BUYS] * late
        x[M_BANKS_LATE] = x[M_BANKS] * late
        x[M_DEALS_LATE] = x[M_DEALS] * late
