"""The Settlers of Zarahemla: what a position does not use, overwritten, so that nothing of the past stays in it.

Thefts that are not in the record, balances since the last one where there is none, and what only some phases read.
"""

from libc.string cimport memset

from sfida.cython_ext.zarahemla.board cimport (
    C_STOLEN_CARD, DISCARD, FREE_ROADS, INIT_CHOOSE, INIT_ROAD, MAX_THEFTS, RESOURCES, STOLEN, TAKE, TRADE_COMPOSE,
    Game, Theft,
)


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef int n = g.n_thefts if g.n_thefts <= MAX_THEFTS else 0, stolen = g.last - 1 - C_STOLEN_CARD
    memset(&g.theft[n], fill, (MAX_THEFTS - n) * sizeof(Theft))
    if n:                               # the balances since the last theft are in `low`
        memset(g.theft[n - 1].low, fill, sizeof(g.theft[n - 1].low))
    else:
        memset(g.low, fill, sizeof(g.low))
    if g.phase > INIT_CHOOSE:
        g.step = fill
    if g.phase != DISCARD and g.phase != TAKE:
        if g.phase != FREE_ROADS:
            g.left = fill
        if g.phase != TRADE_COMPOSE:
            g.floor = fill
    if g.phase != INIT_ROAD and g.phase != STOLEN and not 0 <= stolen < RESOURCES:
        g.corner = fill
