"""A Few Acres of Snow: what a position does not use, overwritten, so that nothing of the past stays in it.

The cards of an action beyond its last, the lead of a siege that is not there, and what only some phases read.
"""

from libc.string cimport memset

from sfida.cython_ext.acres.board cimport (
    GOVERN, HOME, K_WITHDRAW, NONE, RAIDERS, SIEGE_LOSS, SIEGE_SETTLE, TRAIL, TRANSPORT, Game,
)


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef bint choosing = RAIDERS <= g.phase <= GOVERN
    cdef bint resolving = g.phase == SIEGE_SETTLE or g.phase == SIEGE_LOSS
    cdef int i
    for i in range(2):
        if g.target[i] == NONE:
            g.lead[i] = <signed char> fill
    if g.verb == 0:
        g.verb_by = fill
        g.site = fill
    if g.reply == 0:
        g.reply_card = fill
        g.reply_zone = fill
    memset(g.trail + g.trail_n, fill, TRAIL - g.trail_n)
    if g.phase != TRANSPORT:
        g.mode = fill
    if g.phase != RAIDERS:
        g.true_raid = fill
        if g.phase != HOME:
            g.need = fill
    if not choosing:
        g.count = fill
        g.floor = fill
    if not resolving:
        g.loser = fill
        g.to_settle = fill
        g.to_lose = fill
        g.lose_first = fill
        g.at_start = fill
        if g.verb != K_WITHDRAW:        # what is told of a withdrawal needs it
            g.which = fill
