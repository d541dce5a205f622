"""Attila: what tribes pay (ATT-8, 12.4 to 12.8)."""

from sfida.cython_ext.attila.board cimport BY_PEACE, SCORINGS, SEATS, TRIBES, Game, Tables, on_board
from sfida.cython_ext.bits cimport count_of, popcount


cdef inline bint is_scored(const Game* g, const Tables* t, int closed) noexcept nogil:
    """A century is scored besides the end of the game (ATT-11.6); `closed` as in `Tables.closes`, 0: no century."""
    if closed == 0 or (t.merge_final and closed == t.closes[t.peace_tiles]):
        return False
    return not t.end_replaces or (g.end_reasons & ~BY_PEACE) == 0


cdef inline void share_out(const Tables* t, const int* markers, int tokens, int provinces,
                           int* points) noexcept nogil:
    """Write what one tribe pays each seat."""
    cdef int i, k = 0, m = 0, first = 0, second = 0
    for i in range(t.players):
        points[i] = 0
        if markers[i] > first:
            first = markers[i]
    if first == 0:
        return
    for i in range(t.players):
        k += markers[i] == first
        if markers[i] < first and markers[i] > second:
            second = markers[i]
    if second:
        for i in range(t.players):
            m += markers[i] == second
    if k == 1 and second == 0:
        tokens += provinces             # alone (ATT-8.8)
    if t.players == 2 and first - second > t.gap:
        m = 0                           # too far behind (ATT-12.4)
    for i in range(t.players):
        if markers[i] == first:
            points[i] = tokens if k == 1 else (tokens + provinces + k - 1) // k
        elif m and k == 1 and markers[i] == second:
            points[i] = (provinces + m - 1) // m
    if t.difference and t.players == 2:
        k = points[0] if points[0] < points[1] else points[1]
        points[0] -= k
        points[1] -= k


cdef inline void tribe_points(const Game* g, const Tables* t, int tribe, int* points) noexcept nogil:
    """What a tribe would pay each seat now."""
    cdef int markers[SEATS]
    cdef int i
    for i in range(t.players):
        markers[i] = count_of(g.influence[i], tribe)
    share_out(t, markers, on_board(g, t, tribe), popcount(g.where[tribe]), points)


cdef inline void hold_scoring(Game* g, const Tables* t, int number) noexcept nogil:
    """Score all tribes; `number` of the scoring: centuries, then the final one (ATT-8.1)."""
    cdef int points[SEATS]
    cdef int tribe, i
    for tribe in range(TRIBES):
        tribe_points(g, t, tribe, points)
        for i in range(t.players):
            g.score[i] += points[i]
            g.gained[number][i] += points[i]


cdef inline void hold_final_scoring(Game* g, const Tables* t) noexcept nogil:
    hold_scoring(g, t, SCORINGS - 1)
