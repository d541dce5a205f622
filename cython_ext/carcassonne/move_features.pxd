"""Carcassonne knowledge: what learned priors read of a placement or a deployment."""

from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, MAX_OPEN, MAX_TILES, NONE, PHASE_DEPLOY, Board, Tables, cell_of, root_of,
)
from sfida.cython_ext.carcassonne.knowledge cimport (
    Promise, deploy_gain, place_promise, softmax, tiles_to_come, worth_of_promise,
)
from sfida.cython_ext.carcassonne.weights cimport Rates, Weights
from sfida.cython_ext.move_features cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.state cimport move_t


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_GAIN = M_OWN                      # a placement: what it adds to what the mover holds, in points
    M_CLAIM                             # the best claim on the tile
    M_RIVAL                             # what it gives the rival who gains most
    M_DONE                              # points of cities and roads that are completed for the mover
    M_NEIGHBOURS                        # tiles around it
    M_GAIN_LATE                         # times the stage of the game
    M_RIVAL_LATE
    M_KEEP                              # kinds of deployments: 1 or 0; none
    M_CITY
    M_ROAD
    M_MONK
    M_FARM
    M_CLOSED                            # on what is complete, so that the follower comes back at once
    M_KEEP_LATE
    M_CITY_LATE
    M_FARM_LATE
    MOVE_WIDTH

    MOST_MOVES = 4 * MAX_OPEN + 8


cdef inline void list_place(const Board* b, const Tables* t, const Promise* p, int x, int y, double late,
                            double* out) noexcept nogil:
    cdef int dx, dy, c
    out[M_GAIN] = p.own
    out[M_CLAIM] = p.claim
    out[M_RIVAL] = p.rival
    out[M_DONE] = p.done
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            c = b.grid[cell_of(x + dx, y + dy)]
            out[M_NEIGHBOURS] += c >= 1 and c <= MAX_TILES
    out[M_GAIN_LATE] = p.own * late
    out[M_RIVAL_LATE] = p.rival * late


cdef inline void list_deployment(const Board* b, move_t move, double late, double* out) noexcept nogil:
    cdef int seg = <int> (move & 15) - 1
    cdef int n, root
    if seg < 0:
        out[M_KEEP] = 1.0
        out[M_KEEP_LATE] = late
        return
    n = b.tile[b.n_tiles - 1].seg[seg]
    if n == NONE:
        out[M_MONK] = 1.0
        return
    root = root_of(b, n)
    if b.node[root].kind == FIELD:
        out[M_FARM] = 1.0
        out[M_FARM_LATE] = late
        return
    out[M_CITY if b.node[root].kind == CITY else M_ROAD] = 1.0
    out[M_CITY_LATE] = out[M_CITY] * late
    out[M_CLOSED] = b.node[root].open == 0


cdef inline void features_of_moves(const Board* b, const Tables* t, const Weights* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MOST_MOVES]
    cdef Promise promise[MOST_MOVES]
    cdef float prior[MOST_MOVES]
    cdef int left = tiles_to_come(b)
    cdef double late = <double> b.n_tiles / (b.n_tiles + left)
    cdef const Rates* r = &w.rates[left]
    cdef bint deploying = b.phase == PHASE_DEPLOY
    cdef int i, x, y
    for i in range(n):
        if deploying:
            worth[i] = deploy_gain(b, t, r, moves[i])
        else:
            x = <int> ((moves[i] >> 16) & 255) - 128
            y = <int> ((moves[i] >> 8) & 255) - 128
            place_promise(b, t, r, b.type * 4 + <int> (moves[i] & 3), x, y, b.seat, &promise[i])
            worth[i] = worth_of_promise(w, &promise[i])
        prior[i] = <float> worth[i]
    softmax(prior, n, w.k.deploy_heat if deploying else w.k.place_heat)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        if deploying:
            list_deployment(b, moves[i], late, out + i * MOVE_WIDTH)
        else:
            x = <int> ((moves[i] >> 16) & 255) - 128
            y = <int> ((moves[i] >> 8) & 255) - 128
            list_place(b, t, &promise[i], x, y, late, out + i * MOVE_WIDTH)
