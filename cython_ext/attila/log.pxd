"""Attila: the log of hands: who drew from which pile, and what left a hand (part 6).

Everybody knows it but for the tribes drawn. An entry is ``kind << 6 | seat << 3 | tribe``; a LOG_DEAD is followed by
its mask. Which pile a card came from follows from the entries: a draw from an empty pile reshuffles the discards.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.attila.board cimport GENERATION, HURRIED, LOG, LOG_DEAD, LOG_DRAW, LOG_LEAVE, TRIBES, Game, Tables
from sfida.cython_ext.bits cimport count_of


cdef inline void note(Game* g, int kind, int seat, int tribe) noexcept nogil:
    if g.log_n < LOG:
        g.log[g.log_n] = kind << 6 | seat << 3 | tribe
        g.log_n += 1


cdef inline void note_draw(Game* g, int seat, int tribe) noexcept nogil:
    if g.world != HURRIED:
        note(g, LOG_DRAW, seat, tribe)


cdef inline void note_leave(Game* g, int seat, int tribe) noexcept nogil:
    if g.world != HURRIED:
        note(g, LOG_LEAVE, seat, tribe)


cdef inline void note_leaves(Game* g, int seat, uint64_t cards) noexcept nogil:
    cdef int tribe, _i
    if g.world == HURRIED:
        return
    for tribe in range(TRIBES):
        for _i in range(count_of(cards, tribe)):
            note(g, LOG_LEAVE, seat, tribe)


cdef inline void note_dead(Game* g, int seat, int dead) noexcept nogil:
    """Everything that the seat holds is of the tribes in `dead` (D5)."""
    if g.world != HURRIED:
        note(g, LOG_DEAD, seat, 0)
        if g.log_n < LOG:
            g.log[g.log_n] = dead
            g.log_n += 1
        g.log_dumps = 1


cdef inline void restart_log(Game* g, const Tables* t) noexcept nogil:
    """Begin a new log with the hands, as dealt from one pile that they have used up."""
    cdef int i, tribe, _i
    g.base = 0
    g.log_n = 0
    g.log_piles = 0
    g.log_dumps = 0
    for i in range(t.players):
        g.base += g.hand[i]
        for tribe in range(TRIBES):
            for _i in range(count_of(g.hand[i], tribe)):
                note(g, LOG_DRAW, i, tribe)


cdef inline void log_reshuffle(Game* g, const Tables* t) noexcept nogil:
    """The pile is empty: forget what no longer tells hands apart (D4).

    With two players the hands are known, else at the first reshuffle every arrangement of the cards held is equally
    likely unless somebody showed a dead hand. A log that could run over is begun anew as well.
    """
    if g.world == HURRIED:
        return
    if t.players == 2 or (g.log_piles == 0 and g.log_dumps == 0) or g.log_n + GENERATION > LOG:
        restart_log(g, t)
    g.log_piles += 1
