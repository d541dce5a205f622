"""Carcassonne: the legal placements and deployments (chapters 5, 6 and 11)."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount, rarely
from sfida.cython_ext.carcassonne.board cimport (
    KIND_DEPLOY, KIND_PLACE, KIND_SHIFT, MAX_OPEN, OPEN_BASE, RIVER_SLOT, UTURN_IMMEDIATE, UTURN_MONOTONE, Board,
    cell_of, x_of, y_of
)
from sfida.cython_ext.carcassonne.tables cimport Face, Tables
from sfida.cython_ext.state cimport move_t


cdef enum:
    MOST_SPOTS = 4 * MAX_OPEN + 8       # room for a list of placements and what `store4` writes beyond its end


ctypedef uint16_t Spot                  # a placement of a given tile: number of its open cell in `gap` * 4 + rotation


cdef extern from *:
    """
    /* four 16-bit numbers at once */
    #define sf_store4(out, four) do { uint64_t sf_all = (four); memcpy(out, &sf_all, sizeof sf_all); } while (0)
    """
    void store4 "sf_store4"(Spot* out, uint64_t four) noexcept nogil


cdef inline Spot spot_of(const Board* b, move_t placement) noexcept nogil:
    cdef int slot = <int> b.grid[cell_of(x_of(placement), y_of(placement))] - OPEN_BASE
    return <Spot> (4 * slot + <int> (placement & 3))


cdef inline move_t placement_at(const Board* b, int type, Spot spot) noexcept nogil:
    return (<move_t> KIND_PLACE << KIND_SHIFT) | (<move_t> type << 24) | b.gap[spot >> 2].place | (spot & 3)


cdef inline int land_spots(const Board* b, const Tables* t, int type, Spot* out) noexcept nogil:
    """Write the legal placements of a land tile and return their count; up to 4 more are overwritten."""
    cdef const uint8_t* fit = t.fit[type]
    cdef uint64_t first = 0             # spot of the open cell without a turn, four times
    cdef Spot* end = out
    cdef int i, m, n_open = b.n_open
    for i in range(n_open):             # without branches: write four entries, advance by the true count
        m = fit[b.code[i]]
        store4(end, t.rotations[m] + first)
        first += <uint64_t> 0x0004000400040004
        end += popcount(<uint64_t> m)
    return <int> (end - out)


cdef inline int river_turn_of(const Board* b, const Face* f) noexcept nogil:
    """Turn that a river tile would make at the open end: 0 straight or end, 1 right, 3 left."""
    cdef int back = b.river_dir ^ 2
    cdef int rest = f.river_sides & ~(1 << back)
    if rest == 0:
        return 0
    return (lowest(<uint64_t> rest) - b.river_dir) & 3


cdef inline bint river_fits(const Board* b, const Tables* t, int face) noexcept nogil:
    """Whether this river tile may continue the river at its open end (CAR-11.4, 11.5, 11.8)."""
    cdef const Face* f = &t.face[face]
    cdef int back = b.river_dir ^ 2
    cdef int d, need, turn, out
    if not (f.river_sides >> back) & 1:
        return False
    for d in range(4):
        need = (b.river_code >> (2 * d)) & 3
        if need and f.side[d] != need:
            return False
    if f.river_sides & ~(1 << back):
        turn = river_turn_of(b, f)
        if t.uturn == UTURN_IMMEDIATE and turn != 0 and turn == b.river_turn:
            return False
        if t.uturn == UTURN_MONOTONE:
            out = (b.river_dir + turn) & 3
            if (b.river_dirs >> (out ^ 2)) & 1:
                return False
    return True


cdef inline int river_spots(const Board* b, const Tables* t, int type, Spot* out) noexcept nogil:
    cdef int k, n = 0
    if not b.river_on:
        return 0
    for k in range(t.n_rotations[type]):
        if river_fits(b, t, type * 4 + k):
            out[n] = 4 * RIVER_SLOT + k
            n += 1
    return n


cdef inline int list_spots(const Board* b, const Tables* t, int type, Spot* out) noexcept nogil:
    """Write every legal placement of a tile type and return the count; `out` has room for MOST_SPOTS."""
    if rarely(t.face[type * 4].river_sides != 0):
        return river_spots(b, t, type, out)
    return land_spots(b, t, type, out)


cdef inline int placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    """Write every legal placement of a tile type as a move and return the count."""
    cdef Spot spots[MOST_SPOTS]
    cdef int i, n = list_spots(b, t, type, spots)
    for i in range(n):
        out[i] = placement_at(b, type, spots[i])
    return n


cdef inline bint placeable(const Board* b, const Tables* t, int type) noexcept nogil:
    """Whether the tile has a legal placement (CAR-5.9)."""
    cdef int i
    cdef const uint8_t* fit = t.fit[type]
    cdef Spot scratch[8]
    if rarely(t.face[type * 4].river_sides != 0):
        return river_spots(b, t, type, scratch) > 0
    for i in range(b.n_open):
        if fit[b.code[i]]:
            return True
    return False


cdef inline int deploy_moves(const Board* b, move_t* out) noexcept nogil:
    cdef uint32_t mask = b.free_segs
    cdef int n = 1
    out[0] = <move_t> KIND_DEPLOY << KIND_SHIFT
    while mask:
        out[n] = (<move_t> KIND_DEPLOY << KIND_SHIFT) | <move_t> (lowest(mask) + 1)
        mask &= mask - 1
        n += 1
    return n
