"""Carcassonne: set-up and the steps of a turn (chapters 3 to 6, 10 and 11)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.carcassonne.board cimport (
    FIELD, KIND_DEPLOY, KIND_DRAW, KIND_PLACE, KIND_SHIFT, LAKE_STACK, LAND_STACK, MAX_TILES, MONASTERY, NONE,
    PHASE_DEPLOY, PHASE_DRAW, PHASE_FIRST, PHASE_OVER, PHASE_PLACE, RIVER_STACK, SEATS, START_AFTER_LAKE,
    START_SHUFFLED, START_STACK, TYPE_WORDS, Board, Face, Tables, cell_of, ctz, find, lay, placeable,
    river_turn_of, unlikely,
)
from sfida.cython_ext.carcassonne.score cimport count_farms, count_incomplete, score_completed
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t


cdef inline bint on_land(const Board* b) noexcept nogil:
    return b.n_left[RIVER_STACK] + b.n_left[LAKE_STACK] + b.n_left[START_STACK] == 0


cdef inline void choose_stack(Board* b, const Tables* t) noexcept nogil:
    """Which stack comes next (CAR-11.2, 11.7, 11.12; CAR-13.5)."""
    if on_land(b):
        b.stack = LAND_STACK
    elif b.n_left[RIVER_STACK]:
        b.stack = RIVER_STACK
    elif b.n_left[LAKE_STACK]:
        b.stack = LAKE_STACK
    elif b.n_left[START_STACK]:
        b.stack = START_STACK
    else:
        b.stack = LAND_STACK


cdef inline void start(Board* b, const Tables* t) noexcept nogil:
    """Set-up (chapter 3; chapter 11 with the River)."""
    cdef int i
    cdef uint8_t* left = <uint8_t*> b.left
    memset(b, 0, sizeof(Board))
    for i in range(t.players):
        b.supply[i] = t.supply
    for i in range(t.n_types):
        if t.face[i * 4].river_sides == 0:
            left[i] = t.copies[i]
        elif t.river and i != t.source_type:
            left[i] = t.copies[i]
    if not t.river:
        left[t.start_type] -= 1
        lay(b, t, t.start_type * 4 + t.start_rotation, 0, 0)
    else:
        if t.river_start != START_SHUFFLED:
            left[t.start_type] -= 1
        lay(b, t, t.source_type * 4 + t.source_rotation, 0, 0)
        b.river_dirs = 1 << b.river_dir
        b.n_left[LAKE_STACK] = 1
        if t.river_start == START_AFTER_LAKE:
            b.n_left[START_STACK] = 1
    for i in range(t.n_types):
        if (<const uint8_t*> t.stack_mask[RIVER_STACK])[i]:
            b.n_left[RIVER_STACK] += left[i]
        if (<const uint8_t*> t.stack_mask[LAND_STACK])[i]:
            b.n_left[LAND_STACK] += left[i]
    b.type = NONE
    if t.first_player < 0:
        b.phase = PHASE_FIRST
    else:
        b.phase = PHASE_DRAW
        b.seat = t.first_player
    choose_stack(b, t)


cdef inline int sample_type(const Board* b, const Tables* t, Rng* rng) noexcept nogil:
    """Draw a tile type with probability copies left / tiles left (CAR-5.1)."""
    cdef uint64_t ones = <uint64_t> 0x0101010101010101
    cdef uint64_t high = <uint64_t> 0x8080808080808080
    cdef uint64_t word, sums, hit
    cdef uint32_t k = rng_below(rng, b.n_left[b.stack])
    cdef uint32_t total
    cdef int w
    for w in range(TYPE_WORDS):
        word = b.left[w] & t.stack_mask[b.stack][w]
        if b.stack == START_STACK:
            word = t.stack_mask[b.stack][w] & ones
        sums = word * ones              # running sums of the eight counts, a byte each (all below 128)
        total = <uint32_t> (sums >> 56)
        if k < total:
            hit = ((sums | high) - (k + 1) * ones) & high
            return 8 * w + (ctz(hit) >> 3)
        k -= total
    return 0


cdef inline void take(Board* b, int type) noexcept nogil:
    """Remove a tile from its stack; it is now in hand, or, not placeable, discarded."""
    if b.stack != START_STACK:
        (<uint8_t*> b.left)[type] -= 1
    b.n_left[b.stack] -= 1
    b.type = type


cdef inline void finish(Board* b, const Tables* t) noexcept nogil:
    """Final count (chapter 10). Followers stay where they are, for the picture (CAR-10.15)."""
    cdef int points[SEATS]
    cdef int i
    for i in range(SEATS):
        points[i] = 0
    count_incomplete(b, t, points)
    count_farms(b, t, t.farm_scoring, points)
    for i in range(t.players):
        b.score_before_final[i] = b.score[i]
        b.score[i] += points[i]
    b.phase = PHASE_OVER
    b.type = NONE


cdef inline void discard(Board* b, const Tables* t) noexcept nogil:
    """The tile in hand cannot be placed: it leaves the game and the same seat draws again (CAR-5.9)."""
    b.discarded[b.type] += 1
    b.type = NONE
    b.phase = PHASE_DRAW
    choose_stack(b, t)
    if b.n_left[b.stack] == 0:
        finish(b, t)                    # CAR-12.6


cdef inline void end_turn(Board* b, const Tables* t) noexcept nogil:
    """Score, pass the turn on, and end the game when no tile is left (CAR-4.4, 4.5, 10.1)."""
    score_completed(b, t)
    b.type = NONE
    b.free_segs = 0
    b.seat = seat_after(b.seat, t.players)
    b.phase = PHASE_DRAW
    choose_stack(b, t)
    if b.n_left[b.stack] == 0:
        finish(b, t)


cdef inline void put(Board* b, const Tables* t, move_t move) noexcept nogil:
    """Place the tile in hand and find the segments that may take a follower (chapters 5 and 6)."""
    cdef int face = b.type * 4 + <int> (move & 3)
    cdef const Face* f = &t.face[face]
    cdef int seg, turn
    cdef uint32_t free_segs = 0
    cdef const uint8_t* nodes
    if unlikely(f.river_sides != 0):
        turn = river_turn_of(b, f)
        b.river_turn = turn
        b.river_on = 0
        if f.river_sides & (f.river_sides - 1):
            b.river_dirs |= 1 << ((b.river_dir + turn) & 3)
    lay(b, t, face, <int> ((move >> 16) & 255) - 128, <int> ((move >> 8) & 255) - 128)
    if b.supply[b.seat]:
        nodes = b.tile[b.n_tiles - 1].seg
        for seg in range(f.n_segs):
            if nodes[seg] == NONE:
                free_segs |= (f.kind[seg] == MONASTERY) << seg
            elif b.node[find(b, nodes[seg])].followers == 0:
                free_segs |= (f.kind[seg] != FIELD or t.farmers) << seg
    b.free_segs = free_segs
    if free_segs:
        b.phase = PHASE_DEPLOY
    else:
        end_turn(b, t)


cdef inline void deploy(Board* b, const Tables* t, int seg) noexcept nogil:
    """Deploy a follower of the seat on turn on segment `seg` of the last tile (chapter 6)."""
    cdef int last = b.n_tiles - 1
    cdef int n = b.tile[last].seg[seg]
    cdef int k = b.n_followers
    cdef int dx, dy, c, around
    b.supply[b.seat] -= 1
    b.follower[k].tile = last
    b.follower[k].seg = seg
    b.follower[k].seat = b.seat
    b.n_followers = k + 1
    if n != NONE:
        b.node[find(b, n)].followers += <uint32_t> 1 << (4 * b.seat)
        return
    around = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            c = b.grid[cell_of(b.tile[last].x + dx, b.tile[last].y + dy)]
            around += c >= 1 and c <= MAX_TILES
    b.monk[b.n_monks].tile = last
    b.monk[b.n_monks].seat = b.seat
    b.monk[b.n_monks].around = around
    b.n_monks += 1


cdef inline void apply_move(Board* b, const Tables* t, move_t move) noexcept nogil:
    cdef int kind = <int> (move >> KIND_SHIFT)
    b.last_move = move
    if kind == KIND_PLACE:
        put(b, t, move)
    elif kind == KIND_DEPLOY:
        if move & 15:
            deploy(b, t, <int> (move & 15) - 1)
        end_turn(b, t)
    elif kind == KIND_DRAW:
        take(b, <int> (move & 255))
        if placeable(b, t, b.type):
            b.phase = PHASE_PLACE
        else:
            discard(b, t)
    else:
        b.seat = <uint8_t> (move & 15)
        b.phase = PHASE_DRAW


cdef inline int deploy_moves(const Board* b, move_t* out) noexcept nogil:
    cdef uint32_t mask = b.free_segs
    cdef int n = 1
    out[0] = <move_t> KIND_DEPLOY << KIND_SHIFT
    while mask:
        out[n] = (<move_t> KIND_DEPLOY << KIND_SHIFT) | <move_t> (ctz(mask) + 1)
        mask &= mask - 1
        n += 1
    return n


cdef inline void win_shares(const Board* b, const Tables* t, double* win, double* score) noexcept nogil:
    """Result of a finished game (CAR-10.16 to 10.18)."""
    cdef int i, best = -1, n = 0
    for i in range(t.players):
        score[i] = b.score[i]
        if b.score[i] > best:
            best = b.score[i]
    for i in range(t.players):
        n += b.score[i] == best
    for i in range(t.players):
        win[i] = 1.0 / n if b.score[i] == best else 0.0
