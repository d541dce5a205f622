"""Carcassonne: what a position does not use, overwritten, so that equal positions have equal bytes.

Lists beyond their ends, the figures of features that have been joined to others, and what only some phases read.
"""

from libc.string cimport memset

from sfida.cython_ext.carcassonne.board cimport (
    MAX_FOLLOWERS, MAX_MONKS, MAX_NODES, MAX_OPEN, MAX_SETS, MAX_TILES, PHASE_DEPLOY, PHASE_OVER, Board, Feature,
    Follower, Monk, Tile,
)


cdef inline void overwrite_joined(Board* b, int n, int fill) noexcept nogil:
    """A node that is no root has nothing but its parent."""
    cdef int parent = b.node[n].parent
    if parent == n:
        return
    memset(&b.node[n], fill, sizeof(Feature))
    b.node[n].parent = parent
    if n < b.n_sets:
        memset(b.tiles_of[n], fill, sizeof(b.tiles_of[n]))


cdef inline void overwrite_unused(Board* b, int players, int fill) noexcept nogil:
    cdef int n
    for n in range(b.n_sets):
        overwrite_joined(b, n, fill)
    for n in range(MAX_NODES - b.n_fields, MAX_NODES):
        overwrite_joined(b, n, fill)
    memset(&b.node[b.n_sets], fill, (MAX_NODES - b.n_fields - b.n_sets) * sizeof(Feature))
    memset(b.tiles_of[b.n_sets], fill, (MAX_SETS - b.n_sets) * sizeof(b.tiles_of[0]))
    memset(b.place + b.n_open, fill, sizeof(b.place) - b.n_open * sizeof(b.place[0]))
    memset(b.code + b.n_open, fill, sizeof(b.code) - b.n_open)
    memset(b.tile + b.n_tiles, fill, (MAX_TILES - b.n_tiles) * sizeof(Tile))
    memset(b.follower + b.n_followers, fill, (MAX_FOLLOWERS - b.n_followers) * sizeof(Follower))
    memset(b.monk + b.n_monks, fill, (MAX_MONKS - b.n_monks) * sizeof(Monk))
    if b.phase != PHASE_DEPLOY:
        b.free_segs = fill
    if b.phase != PHASE_OVER:
        memset(b.score_before_final, fill, players * sizeof(b.score_before_final[0]))
    if not b.river_on:
        b.river_x = <signed char> fill
        b.river_y = <signed char> fill
        b.river_dir = fill
        b.river_code = fill
        b.river_turn = fill
        b.river_dirs = fill
