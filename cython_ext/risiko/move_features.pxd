"""RisiKo! knowledge: what learned priors read of a move, as its mover knows it."""

from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.risiko.board cimport (
    K_ASSAULT, K_ATTACK, K_END_ATTACK, K_END_TRADE, K_END_TURN, K_FORTIFY, K_OCCUPY, K_PLACE, K_SAFE_ASSAULT,
    MAX_LEGAL, SETUP_PLACE, Game, Tables, amount_of, kind_of, origin_of, target_of,
)
from sfida.cython_ext.risiko.odds cimport Odds, win_chance
from sfida.cython_ext.risiko.plans cimport Plan, make_plan
from sfida.cython_ext.risiko.policy cimport soften, weigh_moves
from sfida.cython_ext.risiko.weights cimport Weights
from sfida.cython_ext.state cimport move_t


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_ATTACK = M_OWN                    # kinds of moves: 1 or 0; one throw
    M_ASSAULT                           # to the end
    M_SAFE                              # with a reserve
    M_END_ATTACK
    M_END_TURN
    M_KEEP_CARDS
    M_CHANCE                            # of an attack, that its territory is conquered in the end
    M_CARD                              # an attack that would earn the card of the turn
    M_WANTED                            # an attack on what the objective asks for
    M_WORTH                             # an attack: what the territory is worth to the mover's plan
    M_SHARE                             # of the armies that can be placed, or moved: how many of them
    M_FRONT                             # armies placed or moved to the border
    M_ATTACK_LATE                       # any attack, times the stage of the game
    M_CHANCE_LATE
    MOVE_WIDTH


cdef inline void list_attack(const Plan* p, const Game* g, const Odds* k, move_t move, double late,
                             double* x) noexcept nogil:
    cdef int target = target_of(move)
    if not (p.protected >> target) & 1:
        x[M_CHANCE] = win_chance(k, g.armies[origin_of(move)], g.armies[target])
    x[M_CARD] = g.conquests == 0
    x[M_WANTED] = (p.goal.missing >> target) & 1
    x[M_WORTH] = p.worth[target]
    x[M_ATTACK_LATE] = late
    x[M_CHANCE_LATE] = x[M_CHANCE] * late


cdef inline void features_of_moves(const Game* g, const Tables* t, const Odds* k, const Weights* w,
                                   const move_t* moves, int n, double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef Plan plan
    cdef double late = <double> g.round / t.round_limit if t.round_limit else g.round / (g.round + 10.0)
    cdef double* x
    cdef int i, kind
    for i in range(n):
        worth[i] = 0.0
        prior[i] = <float> 1.0 / n
    if g.phase >= SETUP_PLACE:
        make_plan(&plan, g, t, k, w, g.mover, g.mover)
        weigh_moves(&plan, g, t, k, w, moves, n, worth)
        soften(worth, n, w, prior)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        kind = kind_of(moves[i])
        if kind == K_ATTACK or kind == K_ASSAULT or kind == K_SAFE_ASSAULT:
            x[M_ATTACK if kind == K_ATTACK else M_ASSAULT if kind == K_ASSAULT else M_SAFE] = 1.0
            list_attack(&plan, g, k, moves[i], late, x)
        elif kind == K_END_ATTACK:
            x[M_END_ATTACK] = 1.0
        elif kind == K_END_TURN:
            x[M_END_TURN] = 1.0
        elif kind == K_END_TRADE:
            x[M_KEEP_CARDS] = 1.0
        elif kind == K_PLACE:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.left)
            x[M_FRONT] = (t.adjacent[target_of(moves[i])] & ~g.own[g.mover]) != 0
        elif kind == K_OCCUPY:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.armies[g.origin])
        elif kind == K_FORTIFY:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.armies[origin_of(moves[i])])
            x[M_FRONT] = (t.adjacent[target_of(moves[i])] & ~g.own[g.mover]) != 0
