"""Attila knowledge: what the search asks for (win shares, priors, certain wins).

Scorings to come are in `attila_outlook`, places on the influence chart in `attila_claims`, the worth of tokens and
steps in `attila_stakes`, that of cards laid in `attila_commitments`, that of moves in `attila_policy`, the policy of
playouts in `attila_informed`, what a learned evaluation reads in `attila_features`. All of it reads public data and the
mover's own hand only.
"""

from libc.math cimport exp
from libc.string cimport memcpy

from sfida.cython_ext.attila.board cimport END, FOLLOW, GAME_OVER, HURRIED, INF_B, PRESCORE, SEATS, Game, Tables
from sfida.cython_ext.attila.features cimport FEATURES, features_of_seats
from sfida.cython_ext.attila.outlook cimport Outlook, fill_outlook, scale_of, seat_points
from sfida.cython_ext.attila.policy cimport soften, weigh_moves
from sfida.cython_ext.attila.score cimport hold_final_scoring
from sfida.cython_ext.attila.turn cimport apply_move
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.learned cimport Net, net_shares
from sfida.cython_ext.state cimport move_t


cdef inline void share_wins(const double* points, int n, double scale, double* win) noexcept nogil:
    cdef double top = -1e300, sum = 0.0
    cdef int i
    for i in range(n):
        top = points[i] if points[i] > top else top
    for i in range(n):
        win[i] = exp((points[i] - top) / scale)
        sum += win[i]
    for i in range(n):
        win[i] /= sum


cdef inline void evaluate_position(const Game* g, const Tables* t, const Weights* w, const Net* net, int viewer,
                                   double* win, double* score) noexcept nogil:
    """Win shares, and points in the end; `viewer` matters to a learned evaluation only."""
    cdef Outlook o
    cdef double x[SEATS * FEATURES]
    cdef int i
    if net != NULL:
        features_of_seats(g, t, w, viewer, score, x)
        net_shares(net, x, ~0U, win)
        return
    fill_outlook(g, t, w, &o)
    for i in range(t.players):
        score[i] = seat_points(g, t, w, &o, i)
    share_wins(score, t.players, scale_of(g, t, w, &o), win)


cdef inline void find_priors(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                             double* scratch, float* out) noexcept nogil:
    if n == 1:
        out[0] = 1.0
        return
    weigh_moves(g, t, w, moves, n, scratch)
    soften(scratch, n, w, out)


# ---- certain wins -----------------------------------------------------------------------------------


cdef inline bint wins_now(Game* g, const Tables* t, int seat) noexcept nogil:
    """The turn can be ended, and with it the game, alone in front."""
    cdef int i
    if g.phase == END and g.end_reasons and g.active == seat:
        hold_final_scoring(g, t)
    elif g.phase != GAME_OVER:
        return False
    for i in range(t.players):
        if i != seat and g.score[i] >= g.score[seat]:
            return False
    return True


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move after which ending the turn wins the game, -1: none; cards of others decide nothing there."""
    cdef Game twin
    cdef int i, phase = g.phase
    if g.mover != g.active or not (phase == END or phase == INF_B or phase == PRESCORE or phase == FOLLOW):
        return -1
    if phase != FOLLOW and not g.end_reasons and phase != INF_B:
        return -1
    for i in range(n):
        memcpy(&twin, g, sizeof(Game))
        twin.world = HURRIED
        apply_move(&twin, t, moves[i])
        if wins_now(&twin, t, g.active):
            return i
    return -1
