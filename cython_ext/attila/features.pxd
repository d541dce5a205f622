"""Attila features: of a seat for learned evaluations, and of a move for learned priors, as its mover knows it.

The first features of a seat are the parts of its expected points (evaluation.pxd). The viewer's own hand counts
exactly; of another hand, its expected content given its size and the cards that the viewer does not see.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.attila.board cimport (
    ALL_TRIBES, DOUBLE_TURN, EXCHANGE, GAME_OVER, INFLUENCE_2, M_AT, M_CARD, M_COMMIT, M_DONE, M_DOUBLE, M_DUMP,
    M_END_TURN, M_GIVE, M_INFLUENCE, M_SCORE, M_SECOND, MAX_LEGAL, Game, gain, live_tribes, tokens_at
)
from sfida.cython_ext.attila.evaluation cimport (
    FIRSTS, NOW, SECONDS, VIEWS, Outlook, Stakes, Weights, fill_outlook, find_stakes, promise, read_markers, scale_of,
    seat_points, short_cost, tiles_worth, turns_until, wait_cost
)
from sfida.cython_ext.attila.policy cimport soften, weigh_moves
from sfida.cython_ext.attila.tables cimport (
    F_AHEAD, F_DEAD, F_DOUBLE_TURN, F_ENDING, F_EXCHANGE, F_FIRSTS, F_HELD, F_INFLUENCE, F_INFLUENCE_2, F_LATER_FIRSTS,
    F_LEAD, F_NEXT_FIRSTS, F_PEACE, F_POINTS, F_PROSPECT, F_REST, F_SAFE, F_SHAKY, F_SHORT, F_SUPPLY, F_SURE, F_TIES,
    F_TOP, F_TURN, F_WAIT, F_WORTH, FEATURES, SEATS, TRIBES, Tables
)
from sfida.cython_ext.attila.turn cimport tribe_points
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.lanes cimport masked, size_of
from sfida.cython_ext.state cimport EVERYBODY, move_t

# ---- features of seats ------------------------------------------------------------------------------------------


cdef struct Table:                      # common input of the features of all seats
    Outlook o
    double points[SEATS]                # expected
    double scale
    int prospect[SEATS]
    int markers[TRIBES][SEATS]
    double safe[TRIBES]                 # tokens at peace
    uint64_t unseen                     # cards that the viewer does not see
    int dead                            # tribes without an allowed province, one bit each


cdef inline void read_table(const Game* g, const Tables* t, const Weights* w, int viewer, Table* table) noexcept nogil:
    cdef int points[SEATS]
    cdef uint32_t mask = g.pacified, tokens
    cdef int i, tribe
    fill_outlook(g, t, w, NULL, &table.o)
    table.scale = scale_of(g, t, w, &table.o)
    table.dead = ALL_TRIBES & ~live_tribes(g)
    table.unseen = t.all_cards - g.discard - g.given
    for i in range(t.players):
        table.points[i] = seat_points(g, t, w, &table.o, i)
        table.prospect[i] = 0
        if i == viewer:
            table.unseen -= g.hand[i]
        if i == viewer or t.open_commitments:
            table.unseen -= g.laid[i]
    for tribe in range(TRIBES):
        table.safe[tribe] = 0.0
        read_markers(g, t, tribe, table.markers[tribe])
        tribe_points(g, t, tribe, points)
        for i in range(t.players):
            table.prospect[i] += points[i]
    while mask:
        tokens = g.tokens[lowest(mask)]
        mask &= mask - 1
        tribe = 0
        while tokens:
            table.safe[tribe] += tokens & 15
            tokens >>= 4
            tribe += 1


cdef inline void fill_parts(const Game* g, const Tables* t, const Weights* w, const Outlook* o, int seat,
                            double* x) noexcept nogil:
    """Fill the terms that `seat_points` adds up."""
    cdef int tribe, k, at
    cdef double first, second
    x[F_POINTS] = g.score[seat]
    if g.phase == GAME_OVER:
        return
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            first = second = 0.0
            for tribe in range(TRIBES):
                first += o.expected[k][FIRSTS + tribe] * o.claims[k][seat][FIRSTS + tribe]
                second += o.expected[k][SECONDS + tribe] * o.claims[k][seat][SECONDS + tribe]
            if o.row[k] == NOW:
                x[F_SURE] += o.weight[k] * (first + second)
            else:
                at = F_LATER_FIRSTS if k else F_NEXT_FIRSTS
                x[at] = o.weight[k] * first
                x[at + 1] = o.weight[k] * second
    if seat != g.active:
        x[F_SHORT] = -short_cost(g, t, w, o, seat)
        x[F_TURN] = -wait_cost(g, t, w, o, seat)
    x[F_DOUBLE_TURN] = tiles_worth(g, w, o, seat, DOUBLE_TURN)
    x[F_EXCHANGE] = tiles_worth(g, w, o, seat, EXCHANGE)
    x[F_INFLUENCE_2] = tiles_worth(g, w, o, seat, INFLUENCE_2)


cdef inline void fill_stand(const Game* g, const Tables* t, const Table* table, int seat, double* x) noexcept nogil:
    """Fill points and expected points relative to the other seats."""
    cdef double sum = 0.0, best = -1e300
    cdef int i, top = 0
    for i in range(t.players):
        sum += table.points[i]
        if i != seat:
            best = table.points[i] if table.points[i] > best else best
            top = g.score[i] if g.score[i] > top else top
    x[F_WORTH] = (table.points[seat] - sum / t.players) / table.scale
    x[F_LEAD] = (table.points[seat] - best) / table.scale
    x[F_AHEAD] = g.score[seat] - top
    x[F_PROSPECT] = table.prospect[seat]


cdef inline void fill_chart(const Game* g, const Tables* t, const Table* table, int seat, double* x) noexcept nogil:
    """Fill the leads by kind."""
    cdef int tribe, i, mine, first, lead, step = gain(g, t)
    for tribe in range(TRIBES):
        mine = table.markers[tribe][seat]
        first = 0                       # best of the other seats
        for i in range(t.players):
            if i != seat and table.markers[tribe][i] > first:
                first = table.markers[tribe][i]
        lead = mine - first
        x[F_INFLUENCE] += mine
        x[F_TOP] = mine if mine > x[F_TOP] else x[F_TOP]
        if mine and lead >= 0:
            x[F_FIRSTS if lead else F_TIES] += 1.0
        if mine and 0 <= lead <= step:
            x[F_SHAKY] += table.o.expected[0][FIRSTS + tribe]


cdef inline void fill_hand(const Game* g, const Tables* t, const Weights* w, const Table* table, int viewer, int seat,
                           double* x) noexcept nogil:
    """Fill tokens and cards by their promised points."""
    cdef Stakes s
    cdef uint64_t cards = g.hand[seat] if viewer == seat or viewer == EVERYBODY else table.unseen
    cdef int tribe, n = size_of(g.hand[seat]), all = size_of(cards)
    for tribe in range(TRIBES):
        x[F_SAFE] += table.safe[tribe] * table.o.claims[0][seat][FIRSTS + tribe]
    if n == 0 or all == 0:
        return
    find_stakes(t, w, &table.o, seat, &s)
    for tribe in range(TRIBES):
        x[F_HELD] += count_of(cards, tribe) * promise(&s, tribe) * n / all
    x[F_DEAD] = <double> size_of(masked(cards, table.dead)) * n / all


cdef inline void features_of_seats(const Game* g, const Tables* t, const Weights* w, int viewer,
                                   double* points, double* out) noexcept nogil:
    """Fill the features of every seat, as far as `viewer` knows them, and the expected points."""
    cdef Table table
    cdef double* x
    cdef double left = <double> (t.peace_tiles - g.peace_used) / t.peace_tiles
    cdef int i, tribe, least = count_of(g.supply, 0)
    memset(out, 0, t.players * FEATURES * sizeof(double))
    read_table(g, t, w, viewer, &table)
    memcpy(points, table.points, t.players * sizeof(double))
    for tribe in range(1, TRIBES):
        if count_of(g.supply, tribe) < least:
            least = count_of(g.supply, tribe)
    for i in range(t.players):
        x = out + i * FEATURES
        fill_parts(g, t, w, &table.o, i, x)
        fill_stand(g, t, &table, i, x)
        fill_chart(g, t, &table, i, x)
        fill_hand(g, t, w, &table, viewer, i, x)
        x[F_PEACE] = left
        x[F_REST] = table.o.weight[1]
        x[F_ENDING] = g.end_reasons != 0
        x[F_SUPPLY] = least
        x[F_WAIT] = <double> turns_until(g, t, i) / t.players


# ---- features of moves ------------------------------------------------------------------------------------------


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
    M_COMMITS_LATE                      # the same features times the stage of the game
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
    weigh_moves(g, t, w, NULL, moves, n, worth)
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
