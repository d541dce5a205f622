"""The Settlers of Zarahemla: cards that move, and what everybody learns from it (ZAR-17.5).

Every payment, proof and theft goes through here. What a payment or proof says is drawn from one hand and resource
at a time; that resolves nearly all thefts in the end, and only when the record is full everything is compared.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport LANES, MIDS, count_of, filled, lane, lower, lowest, popcount, rarely
from sfida.cython_ext.zarahemla.board cimport (
    FORGOTTEN, MAX_THEFTS, NOBODY, RESOURCES, SEATS, UNWATCHED, Game, Seat, Tables, Theft,
    card, total,
)
from sfida.cython_ext.zarahemla.worlds cimport (
    MAX_WORLDS, World, Worlds, balance, fill_worlds, find_world, spread, squeeze, take_from, tracked,
)


cdef enum:
    FEW_WORLDS = 512
    MANY_THEFTS = 6                     # more are kept only as long as nobody can tell them


cdef inline void forget_thefts(Game* g, int n) noexcept nogil:
    """No theft is left to tell (0), or too many are (FORGOTTEN)."""
    cdef int i
    memset(g.theft, 0, sizeof(g.theft))
    memset(g.low, 0, sizeof(g.low))
    for i in range(SEATS):
        g.seat[i].drift = 0
    g.n_thefts = n


cdef inline void drop_theft(Game* g, int j) noexcept nogil:
    """Everybody can tell what theft `j` took: it joins the public balance."""
    cdef int r = lowest(g.theft[j].may)
    cdef int a = g.theft[j].thief, b = g.theft[j].victim
    cdef int i, k, n = g.n_thefts
    if n == 1:
        forget_thefts(g, 0)
        return
    for k in range(j, n):
        if k == n - 1:
            g.low[a] += lane(r)
            g.low[b] -= lane(r)
        else:
            g.theft[k].low[a] += 1 << (6 * r)
            g.theft[k].low[b] -= 1 << (6 * r)
        if k > j:
            if g.theft[k].victim == a:
                g.theft[k].held += 1 << (6 * r)
            elif g.theft[k].victim == b:
                g.theft[k].held -= 1 << (6 * r)
    g.seat[a].drift -= <int64_t> lane(r)
    g.seat[b].drift += <int64_t> lane(r)
    if j > 0:                           # what held after it, held after the one before
        for i in range(SEATS):
            if j == n - 1:
                g.low[i] = lower(g.low[i], spread(g.theft[j - 1].low[i]))
            else:
                g.theft[j - 1].low[i] = squeeze(lower(spread(g.theft[j - 1].low[i]), spread(g.theft[j].low[i])))
    for k in range(j, n - 1):
        g.theft[k] = g.theft[k + 1]
    memset(&g.theft[n - 1], 0, sizeof(Theft))
    memset(g.theft[n - 2].low, 0, sizeof(g.theft[n - 2].low))       # those of the last are in g.low
    g.n_thefts = n - 1


cdef inline bint tells_more(const Game* g, int j) noexcept nogil:
    """The card of theft `j`, which everybody can tell, says something of earlier thefts from or by its victim.

    The chance that it was this card depends on what they took, so it has to stay in the record.
    """
    cdef int k
    for k in range(j):
        if (g.theft[k].may & g.theft[j].may and g.theft[k].may != g.theft[j].may
                and (g.theft[k].thief == g.theft[j].victim or g.theft[k].victim == g.theft[j].victim)):
            return True
    return False


cdef inline void drop_known(Game* g) noexcept nogil:
    """Drop the thefts that everybody can tell."""
    cdef int j = 0
    while j < g.n_thefts:
        if (g.theft[j].may & (g.theft[j].may - 1)) == 0 and not tells_more(g, j):
            drop_theft(g, j)
            j = 0
        else:
            j += 1


cdef inline bint make_room(Game* g) noexcept nogil:
    """Drop every theft that everybody can tell, though it says more, and so a little of the odds; whether any was."""
    cdef int j, n = g.n_thefts
    for j in range(n - 1, -1, -1):
        if (g.theft[j].may & (g.theft[j].may - 1)) == 0:
            drop_theft(g, j)
    return g.n_thefts < n


cdef inline int deduce(Game* g, int seat) noexcept nogil:
    """Draw what the lowest balance of one hand says of each resource; whether a theft can be told by it.

    A hand whose balance needs every card that thefts may have brought it has got them all, and nothing that may
    still be elsewhere was taken from it.
    """
    cdef int r, j, bit, slack, found = 0
    cdef Theft* theft
    for r in range(RESOURCES):
        slack = count_of(g.low[seat], r) - 64
        if slack > g.n_thefts:
            continue
        bit = 1 << r
        for j in range(g.n_thefts):
            theft = &g.theft[j]
            if theft.may & bit:
                if theft.thief == seat:
                    slack += 1
                elif theft.victim == seat and theft.may == bit:
                    slack -= 1
        if slack:
            continue
        for j in range(g.n_thefts):
            theft = &g.theft[j]
            if theft.may & bit and theft.may != bit:
                if theft.thief == seat:
                    theft.may = bit
                    found = 1
                elif theft.victim == seat:
                    theft.may &= ~bit
                    found |= (theft.may & (theft.may - 1)) == 0
    return found


cdef inline void deduce_all(Game* g, int seat) noexcept nogil:
    """Follow what the lowest balance of a hand says until nothing more is resolved."""
    cdef int i
    cdef bint again = deduce(g, seat)
    while again and g.n_thefts:
        drop_known(g)
        again = False
        for i in range(SEATS):
            if g.n_thefts and deduce(g, i):
                again = True


cdef inline void note_low(Game* g, int seat, uint64_t lanes) noexcept nogil:
    """The balance of a hand was at least this (64 added) when all its cards were there."""
    cdef uint64_t low = lower(g.low[seat], lanes)
    if low != g.low[seat]:
        g.low[seat] = low
        deduce_all(g, seat)


cdef inline void note_proof(Game* g, int seat, uint64_t shown) noexcept nogil:
    """A seat has shown that it holds at least these cards (ZAR-13.7)."""
    if tracked(g):
        note_low(g, seat, balance(g, seat) - (shown & LANES))


cdef inline void note_loss(Game* g, int seat) noexcept nogil:
    """A seat has given cards away: it had them."""
    if tracked(g):
        note_low(g, seat, balance(g, seat))


cdef inline void pay(Game* g, int seat, uint64_t cost) noexcept nogil:
    """Cards to the bank, with their total."""
    g.seat[seat].hand -= cost
    g.bank += cost
    note_loss(g, seat)


cdef inline void receive(Game* g, int seat, uint64_t cards) noexcept nogil:
    """Cards from the bank, with their total."""
    g.seat[seat].hand += cards
    g.bank -= cards


# ---- thefts -----------------------------------------------------------------------------------------


cdef inline void compare_worlds(Game* g, const Tables* t) noexcept nogil:
    """Resolve all that the public can tell, from all its worlds; give the record up if a seat has too many."""
    cdef Worlds w
    cdef World after
    cdef uint8_t seen[MAX_THEFTS]
    cdef int j, k, r, at
    fill_worlds(g, t, NOBODY, FEW_WORLDS, &w)
    if w.cut and make_room(g):
        fill_worlds(g, t, NOBODY, FEW_WORLDS, &w)
    if w.cut:                           # nothing to learn in a reasonable time; but every seat must be able to count
        for j in range(t.players):
            fill_worlds(g, t, j, MAX_WORLDS, &w)
            if w.cut:
                forget_thefts(g, FORGOTTEN)
                return
        return
    if w.begin[w.n + 1] - w.begin[w.n] == 1:
        forget_thefts(g, 0)             # one set of hands
        return
    for j in range(w.n - 1, -1, -1):    # from the last step back: a weight below 0 marks a world that leads on
        seen[j] = 0
        for k in range(w.begin[j], w.begin[j + 1]):
            for r in range(RESOURCES):
                if take_from(&w, j, r, &w.pool[k], &after):
                    at = find_world(&w, j + 1, &after)
                    if at >= 0 and (j == w.n - 1 or w.pool[at].weight < 0):
                        seen[j] |= 1 << r
                        w.pool[k].weight = -1.0
    for j in range(w.n - 1, -1, -1):
        g.theft[j].may = seen[j]
    drop_known(g)


cdef inline int may_hold(const Game* g, int seat) noexcept nogil:
    """Resources that the public thinks possible in a hand now, a bit each."""
    cdef uint64_t lanes = balance(g, seat)
    cdef int r, j, n, may = 0
    for r in range(RESOURCES):
        n = count_of(lanes, r) - 64
        for j in range(g.n_thefts):
            if (g.theft[j].may >> r) & 1:
                if g.theft[j].thief == seat:
                    n += 1
                elif g.theft[j].victim == seat and g.theft[j].may == 1 << r:
                    n -= 1
        may |= (n > 0) << r
    return may


cdef inline void record_theft(Game* g, const Tables* t, int thief, int victim, int r) noexcept nogil:
    """Remember a theft that is about to happen, unless everybody can tell what it takes."""
    cdef int i, may, holders = 0
    cdef Theft* theft
    if t.players == 2 or g.n_thefts == UNWATCHED:                   # both see it; nobody asks
        return
    if rarely(g.n_thefts == FORGOTTEN):
        for i in range(t.players):
            holders += total(g.seat[i].hand) != 0
        if holders > 1:
            return
        forget_thefts(g, 0)             # one hand holds all that is out
    if rarely(g.n_thefts >= MANY_THEFTS):
        make_room(g)
        if g.n_thefts == MAX_THEFTS:
            forget_thefts(g, FORGOTTEN)
            return
    may = may_hold(g, victim)
    if (may & (may - 1)) == 0:          # one kind: it joins the balance at once
        return
    if g.n_thefts:
        theft = &g.theft[g.n_thefts - 1]
        for i in range(SEATS):
            theft.low[i] = squeeze(g.low[i])
    theft = &g.theft[g.n_thefts]
    theft.held = squeeze(balance(g, victim))
    theft.thief = thief
    theft.victim = victim
    theft.card = r
    theft.may = may
    for i in range(SEATS):              # the card is not part of the balance
        g.low[i] = balance(g, i)
    g.seat[thief].drift += <int64_t> lane(r)
    g.seat[victim].drift -= <int64_t> lane(r)
    g.n_thefts += 1
    if g.n_thefts > 1:
        compare_worlds(g, t)
