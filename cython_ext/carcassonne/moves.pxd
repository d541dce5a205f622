"""Carcassonne: the legal placements and deployments (chapters 5, 6 and 11)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount, rarely
from sfida.cython_ext.carcassonne.board cimport (
    KIND_DEPLOY, KIND_PLACE, KIND_SHIFT, UTURN_IMMEDIATE, UTURN_MONOTONE, Board
)
from sfida.cython_ext.carcassonne.tables cimport Face, Tables
from sfida.cython_ext.state cimport move_t


cdef extern from *:
    """
    /* four 64-bit words at once: out[i] = rot[i] | here (lowered to what the target has) */
    typedef uint64_t sf_v4 __attribute__((vector_size(32), aligned(8), may_alias));
    #define sf_store4(out, rot, here) (*(sf_v4*) (out) = *(const sf_v4*) (rot) | (uint64_t) (here))
    """
    void store4 "sf_store4"(move_t* out, const move_t* rot, move_t here) noexcept nogil


cdef inline int land_placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    """Write the legal placements of a land tile and return their count; up to 4 more words are overwritten."""
    cdef const uint8_t* fit = t.fit[type]
    cdef move_t base = (<move_t> KIND_PLACE << KIND_SHIFT) | (<move_t> type << 24)
    cdef move_t here
    cdef int i, m
    cdef int n = 0
    for i in range(b.n_open):
        m = fit[b.code[i]]
        here = base | b.gap[i].place
        store4(out + n, t.rotations[m], here)   # without branches: write four entries, advance by the true count
        n += popcount(<uint64_t> m)
    return n


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


cdef inline int river_placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    cdef int k, n = 0
    cdef move_t base = ((<move_t> KIND_PLACE << KIND_SHIFT) | (<move_t> type << 24)
                        | (<move_t> (b.river_x + 128) << 16) | (<move_t> (b.river_y + 128) << 8))
    if not b.river_on:
        return 0
    for k in range(t.n_rotations[type]):
        if river_fits(b, t, type * 4 + k):
            out[n] = base | <move_t> k
            n += 1
    return n


cdef inline int placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    """Write every legal placement of a tile type and return the count; `out` has room for four more."""
    if rarely(t.face[type * 4].river_sides != 0):
        return river_placements(b, t, type, out)
    return land_placements(b, t, type, out)


cdef inline bint placeable(const Board* b, const Tables* t, int type) noexcept nogil:
    """Whether the tile has a legal placement (CAR-5.9)."""
    cdef int i
    cdef const uint8_t* fit = t.fit[type]
    cdef move_t scratch[8]
    if rarely(t.face[type * 4].river_sides != 0):
        return river_placements(b, t, type, scratch) > 0
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
