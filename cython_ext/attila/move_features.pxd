"""Attila knowledge: what learned priors read of a move, as its mover knows it."""

from sfida.cython_ext.attila.board cimport (
    M_AT, M_CARD, M_COMMIT, M_DONE, M_DOUBLE, M_DUMP, M_END_TURN, M_GIVE, M_INFLUENCE, M_SCORE, M_SECOND, MAX_LEGAL,
    Game, Tables, tokens_at
)
from sfida.cython_ext.attila.policy cimport soften, weigh_moves
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.bits cimport count_of
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.state cimport move_t


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_PLAYS = M_OWN                     # kinds of moves: 1 or 0
    M_DUMPS
    M_PLACES
    M_PLACES_MORE
    M_INFLUENCES
    M_COMMITS
    M_STOPS                             # lays no card
    M_ENDS
    M_TILES                             # uses a peace tile
    M_HELD                              # cards of the tribe in hand, where one is played or laid
    M_CROWD                             # tokens in the province
    M_FIGHTS                            # the token starts a conflict
    M_COMMITS_LATE                      # times the stage of the game
    M_TILES_LATE
    M_FIGHTS_LATE
    MOVE_WIDTH


cdef inline void list_token(const Game* g, const Tables* t, int p, double* x) noexcept nogil:
    x[M_CROWD] = tokens_at(g, p)
    x[M_FIGHTS] = x[M_CROWD] + 1 == t.fight_at


cdef inline void features_of_moves(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef double late = g.turns / (g.turns + 6.0 * t.players)
    cdef double* x
    cdef int i, code
    weigh_moves(g, t, w, moves, n, worth)
    soften(worth, n, w, prior)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        code = <int> moves[i]
        if code < M_DUMP:
            x[M_PLAYS] = 1.0
            x[M_HELD] = count_of(g.hand[g.mover], code - M_CARD)
        elif code < M_AT:
            x[M_DUMPS] = 1.0
        elif code < M_SECOND:
            x[M_PLACES] = 1.0
            list_token(g, t, code - M_AT, x)
        elif code < M_INFLUENCE:
            x[M_PLACES_MORE] = 1.0
            list_token(g, t, code - M_SECOND, x)
        elif code == M_INFLUENCE:
            x[M_INFLUENCES] = 1.0
        elif code < M_DONE:
            x[M_COMMITS] = 1.0
            x[M_HELD] = count_of(g.hand[g.mover], code - M_COMMIT)
        elif code == M_DONE:
            x[M_STOPS] = 1.0
        elif code == M_SCORE or code == M_END_TURN:
            x[M_ENDS] = 1.0
        elif M_DOUBLE <= code < M_GIVE:
            x[M_TILES] = 1.0
        x[M_COMMITS_LATE] = x[M_COMMITS] * late
        x[M_TILES_LATE] = x[M_TILES] * late
        x[M_FIGHTS_LATE] = x[M_FIGHTS] * late
