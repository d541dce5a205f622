"""Attila: what a position does not use, overwritten, so that nothing of the past stays in it.

The log beyond its end, conflicts that are not in the queue, the conflict shown last in an earlier turn, and what only
some phases read. Everything else means something in every phase.
"""

from libc.string cimport memset

from sfida.cython_ext.attila.board cimport COMMIT, DRAW, END, FOLLOW, GIVE, INF_B, LOG, NONE, PLACE, PLAY, Game, stage


cdef inline void overwrite_unused(Game* g, int players, int fill) noexcept nogil:
    cdef int here = stage(g)
    memset(g.log + g.log_n, fill, LOG - g.log_n)
    memset(g.queue + g.queued, fill, sizeof(g.queue) - g.queued)
    if g.shown_at == NONE:
        memset(g.shown, fill, players * sizeof(g.shown[0]))
        memset(&g.shown_tokens, fill, sizeof(g.shown_tokens))
        g.shown_gone = fill
    if g.last_tribe == NONE:
        g.last_province = fill
    if g.phase < GIVE or g.phase > DRAW:
        g.back = fill
    if g.phase != INF_B:
        g.first_tribe = fill
    if here != PLAY:
        g.doubled = fill
        if here != END:
            g.live = fill
    if here != PLACE and here != FOLLOW and g.queued == 0:
        g.card_tribe = fill
    if here != COMMIT:
        g.present = fill
        if g.phase != GIVE:
            g.least = fill
