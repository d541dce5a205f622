"""A Few Acres of Snow: features of both sides for learned evaluations, and of moves for learned priors."""

from sfida.cython_ext.acres.board cimport (
    K_ALLOW, K_AMBUSH, K_BESIEGE, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT, K_END, K_FORTIFY, K_GOVERN, K_INTENDANT,
    K_LEADER, K_LEAVE, K_MERCHANT, K_MONEY, K_PASS, K_PIRACY, K_PLACE, K_RAID, K_REINFORCE, K_RESERVE, K_RETRIEVE,
    K_SETTLE, K_STOP, K_STRENGTH, K_TRADER, K_WITHDRAW, MAX_LEGAL, Game, kind_of
)
from sfida.cython_ext.acres.evaluation cimport ECONOMIC, fill_features, fill_further, turns_left
from sfida.cython_ext.acres.policy cimport rate_moves, soften
from sfida.cython_ext.acres.tables cimport ALL_FEATURES, Coefficients, Tables
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.state cimport move_t


cdef inline void features_of_sides(const Game* g, const Tables* t, const Coefficients* w, int viewer,
                                   double* out) noexcept nogil:
    """Fill all features of both sides, one after the other."""
    cdef int s
    for s in range(2):
        fill_features(g, t, w, s, viewer, out + s * ALL_FEATURES)
        fill_further(g, t, w, s, viewer, out + s * ALL_FEATURES)


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_SETTLE = M_OWN                    # kinds of moves: 1 or 0
    M_DEVELOP
    M_FORTIFY
    M_SIEGE                             # opened, or reinforced
    M_RAID                              # a raid, an ambush or a conversion
    M_MONEY
    M_DRAFT
    M_DISCARD
    M_DECK                              # cards put away, fetched or removed
    M_STOP                              # no action, or no more cards
    M_WITHDRAW
    M_SETTLE_LATE                       # the same features times the stage of the game
    M_DRAFT_LATE
    M_DECK_LATE
    MOVE_WIDTH


cdef inline int column_of(int kind) noexcept nogil:
    """The feature that is 1 for a kind of move; -1: none."""
    if kind == K_SETTLE or kind == K_PLACE:
        return M_SETTLE
    if kind == K_DEVELOP:
        return M_DEVELOP
    if kind == K_FORTIFY:
        return M_FORTIFY
    if kind == K_BESIEGE or kind == K_REINFORCE or kind == K_LEADER or kind == K_STRENGTH:
        return M_SIEGE
    if kind == K_RAID or kind == K_AMBUSH or kind == K_CONVERT:
        return M_RAID
    if kind == K_MONEY or kind == K_MERCHANT or kind == K_TRADER or kind == K_PIRACY:
        return M_MONEY
    if kind == K_DRAFT:
        return M_DRAFT
    if kind == K_DISCARD:
        return M_DISCARD
    if kind == K_RESERVE or kind == K_GOVERN or kind == K_INTENDANT or kind == K_RETRIEVE:
        return M_DECK
    if kind == K_PASS or kind == K_END or kind == K_STOP or kind == K_ALLOW or kind == K_LEAVE:
        return M_STOP
    return M_WITHDRAW if kind == K_WITHDRAW else -1


cdef inline void features_of_moves(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef double late = 1.0 - min(1.0, turns_left(g, t, w) / w.late_turns)
    cdef double* x
    cdef int i, column
    rate_moves(g, t, w, &t.style[ECONOMIC][g.mover], moves, n, worth)
    soften(w, worth, n, w.heat, prior)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        column = column_of(kind_of(moves[i]))
        if column >= 0:
            x[column] = 1.0
        x[M_SETTLE_LATE] = x[M_SETTLE] * late
        x[M_DRAFT_LATE] = x[M_DRAFT] * late
        x[M_DECK_LATE] = x[M_DECK] * late
