"""The Settlers of Zarahemla knowledge: what the search asks for (win shares, priors, candidates, certain wins).

Income and times are in `zarahemla_income`, corners in `zarahemla_sites`, purchases and the worth of a position in
`zarahemla_plans`, the robber in `zarahemla_robber`, offers in `zarahemla_deals`, the worth of moves in
`zarahemla_policy`, the policy of playouts in `zarahemla_quick`. All of it reads public data and the mover's own secrets
only.
"""

from libc.math cimport exp
from libc.string cimport memcpy

from sfida.cython_ext.learned cimport Net, net_shares
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    GAME_OVER, INIT_ROAD, INIT_SETTLEMENT, MAIN, M_BUY_DEV, M_END_TURN, M_ROLL, M_TRADE_COUNTER, M_TRADE_OPEN, PRE_ROLL,
    SEATS, TRADE_COMPOSE, TRADE_RESPOND, Game, Tables, secret_points,
)
from sfida.cython_ext.zarahemla.deals cimport Deals, find_deals, next_step, plans_of
from sfida.cython_ext.zarahemla.features cimport fill_further
from sfida.cython_ext.zarahemla.plans cimport (
    Plans, Scene, fill_features, set_scene, sum_features,
)
from sfida.cython_ext.zarahemla.policy cimport score_moves, soften
from sfida.cython_ext.zarahemla.turn cimport apply_move
from sfida.cython_ext.zarahemla.weights cimport ALL_FEATURES, FEATURES, Weights


cdef inline void features_of_seats(const Game* g, const Tables* t, const Weights* w, int viewer,
                                   double* out) noexcept nogil:
    """All features of every seat, one after the other, as far as `viewer` knows them."""
    cdef Plans p
    cdef Scene scene
    cdef int i
    set_scene(g, t, viewer, &scene)
    for i in range(t.players):
        fill_features(g, t, w, &scene, i, out + i * ALL_FEATURES, &p)
        fill_further(g, t, &scene, i, out + i * ALL_FEATURES)


cdef inline void evaluate_position(const Game* g, const Tables* t, const Weights* w, const Net* net, int viewer,
                                   double* win, double* score) noexcept nogil:
    """Win shares, and points with what the position promises, by what `viewer` may know."""
    cdef double x[SEATS * ALL_FEATURES]
    cdef double top = -1e300, sum = 0.0
    cdef Plans p
    cdef Scene scene
    cdef int i
    set_scene(g, t, viewer, &scene)
    for i in range(t.players):
        fill_features(g, t, w, &scene, i, x + i * ALL_FEATURES, &p)
        score[i] = sum_features(w.worth, x + i * ALL_FEATURES)
    if net != NULL:
        for i in range(t.players):
            fill_further(g, t, &scene, i, x + i * ALL_FEATURES)
        net_shares(net, x, ~0U, win)
        return
    for i in range(t.players):
        win[i] = sum_features(w.win, x + i * ALL_FEATURES)
        top = win[i] if win[i] > top else top
    for i in range(t.players):
        win[i] = exp(win[i] - top)
        sum += win[i]
    for i in range(t.players):
        win[i] /= sum


cdef inline int keep_sensible(const Game* g, const Tables* t, const Weights* w, move_t* moves, int n) noexcept nogil:
    """Drop from the legal moves the offers that nobody would make or take (ZAR-13); the count left."""
    cdef Scene scene
    cdef Plans p
    cdef Deals d
    cdef int i, k, code, left = 0
    cdef move_t kept[16]
    if g.phase == MAIN:
        if n < 2 or moves[n - 1] != M_TRADE_OPEN:
            return n
    elif g.phase == TRADE_RESPOND:
        if moves[n - 1] != M_TRADE_COUNTER:
            return n
    elif g.phase != TRADE_COMPOSE:
        return n
    set_scene(g, t, g.mover, &scene)
    plans_of(g, t, w, &scene, g.mover, &p)
    find_deals(g, t, &p, g.mover, &d)
    if g.phase != TRADE_COMPOSE:
        return n if d.n else n - 1
    for i in range(n):
        for k in range(d.n):
            code = next_step(g, g.mover, d.give[k], d.want[k])
            if code == <int> moves[i]:
                kept[left] = moves[i]
                left += 1
                break
    if not left:
        return n
    for i in range(left):
        moves[i] = kept[i]
    return left


cdef inline void find_priors(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                             float* out) noexcept nogil:
    cdef double worth[80]
    if n == 1:
        out[0] = 1.0
        return
    score_moves(g, t, w, moves, n, worth)
    soften(worth, n, w.k.place_heat if g.phase == INIT_SETTLEMENT or g.phase == INIT_ROAD else w.k.heat, out)


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move that ends the game at once for the seat on turn, or -1."""
    cdef Game twin
    cdef int i, code
    if g.mover != g.on_turn or g.phase < PRE_ROLL:
        return -1
    # one move brings three points at most: a settlement, and the road that it cuts
    if g.seat[g.on_turn].points + secret_points(g, t, g.on_turn) + t.settlement_points + t.road_points < t.target:
        return -1
    for i in range(n):
        code = <int> moves[i]
        if code == M_ROLL or code == M_END_TURN or code == M_BUY_DEV or code >= M_TRADE_OPEN:
            continue
        memcpy(&twin, g, sizeof(Game))
        apply_move(&twin, t, moves[i])
        if twin.phase == GAME_OVER and twin.winner == g.on_turn:
            return i
    return -1
