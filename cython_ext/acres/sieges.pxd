"""A Few Acres of Snow: sieges from the first card to the last (FAS-10 to 12, 15.14, 15.15)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport (
    BY_SIEGE, FRENCH, GAME_OVER, NONE, SHIP, SIEGE_LOSS, SIEGE_SETTLE, Game, Hold, Side, Tables, site_bit,
)
from sfida.cython_ext.acres.cards cimport into, one_each, out_of, send_home, tidy_all
from sfida.cython_ext.acres.map cimport lose_site, retrace, settle_site
from sfida.cython_ext.bits cimport lowest


cdef inline uint64_t fighters(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Cards with strength at a site that the side can pay for; of location cards the usable ones."""
    cdef const Hold* h = &t.hold[s]
    cdef const Side* p = &g.side[s]
    cdef uint64_t cards = h.military
    cdef uint64_t paid = p.hand & h.paid
    if t.ship_siege & site_bit(site):
        cards |= h.symbol[SHIP]
    if defends:
        cards |= h.fort
    if paid and p.money < h.siege_pay[lowest(paid)]:
        cards &= ~h.paid
    return cards & p.usable


cdef inline int strength_at(const Tables* t, int s, int slot, int site) noexcept nogil:
    """Strength of a card in a siege: one of its symbols, the better one (FAS-3.8)."""
    cdef const Hold* h = &t.hold[s]
    cdef int force = h.strength[slot]
    if t.ship_siege & site_bit(site) and (h.symbol[SHIP] >> slot) & 1:
        force = max(force, t.ship_strength)
    return force


cdef inline void open_siege(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Put the siege marker; the lead starts at the site's defence (FAS-10.7)."""
    g.target[s] = site
    g.lead[s] = -(t.intrinsic + t.defence[site] + (t.fort_defence if g.forts & site_bit(site) else 0))
    g.besieged |= site_bit(site)
    g.french_siege |= t.siege_waits and s == FRENCH
    retrace(g, t, 1 - s)


cdef inline void send_to_siege(Game* g, const Tables* t, int s, int which, uint64_t bit) noexcept nogil:
    """Put a card out of the hand into a siege (FAS-12.1, 10.5)."""
    cdef Side* p = &g.side[s]
    cdef int slot = lowest(bit)
    cdef int force = strength_at(t, s, slot, g.target[which])
    g.lead[which] += force if s == which else -force
    p.money -= t.hold[s].siege_pay[slot]
    into(p, &t.hold[s], &p.siege[which], bit)


cdef inline uint64_t loss_choices(const Game* g, const Tables* t) noexcept nogil:
    """Empire cards of the loser in the siege that is resolved, one a type."""
    cdef const Hold* h = &t.hold[g.loser]
    return one_each(h, g.side[g.loser].siege[g.which] & h.empire)


cdef inline void lose_card(Game* g, const Tables* t, int card) noexcept nogil:
    """The loser returns a card from the siege (FAS-11.12)."""
    cdef Side* p = &g.side[g.loser]
    send_home(g, t, g.loser, out_of(&t.hold[g.loser], &p.siege[g.which], card))


cdef inline void close_siege(Game* g, const Tables* t, int which) noexcept nogil:
    """All cards to their owners' discard piles, the marker off the board (FAS-11.12, 11.14)."""
    cdef uint64_t bit = site_bit(g.target[which]), moved
    cdef int s
    for s in range(2):
        moved = g.side[s].siege[which]
        if moved:
            g.side[s].discard |= moved
            g.side[s].siege[which] = 0
            tidy_all(&g.side[s], &t.hold[s], moved)
    g.target[which] = NONE
    g.lead[which] = 0
    g.besieged &= ~bit
    retrace(g, t, 1 - which)


cdef inline void take_site(Game* g, const Tables* t, int s) noexcept nogil:
    """The besieger captures the piece (FAS-11.5)."""
    cdef int site = g.target[s]
    cdef uint64_t bit = site_bit(site)
    if g.side[1 - s].towns & bit:
        g.side[s].got_discs += 1
    else:
        g.side[s].got_cubes += 1
    g.besieged &= ~bit
    lose_site(g, t, 1 - s, site)


cdef inline bint end_siege(Game* g, const Tables* t, int which, int loser, bint lose_first,
                           bint at_start) noexcept nogil:
    """Begin to resolve a siege; True: done at once (see `go_on_ending`)."""
    g.which = which
    g.loser = loser
    g.to_lose = 1
    g.to_settle = loser != which
    g.lose_first = lose_first
    g.at_start = at_start
    if loser != which:
        if t.hold[which].victory & site_bit(g.target[which]):   # at once, whatever becomes of the site (FAS-11.15)
            g.phase = GAME_OVER
            g.winner = which
            g.reason = BY_SIEGE
            return False
        take_site(g, t, which)
    return go_on_ending(g, t)


cdef inline bint go_on_ending(Game* g, const Tables* t) noexcept nogil:
    """Go on to the next decision of a siege's end; True: there is none left, and the siege is closed."""
    cdef uint64_t choices
    cdef int site = g.target[g.which]
    while g.to_settle or g.to_lose:
        if g.to_settle and not (g.lose_first and g.to_lose):
            g.to_settle = 0
            if g.side[g.which].cubes == 0:
                continue                # FAS-11.9
            if t.optional_place or t.settler_sites & site_bit(site):
                g.phase = SIEGE_SETTLE
                g.mover = g.which
                return False
            settle_site(g, t, g.which, site)
            continue
        g.to_lose = 0
        choices = loss_choices(g, t)
        if choices & (choices - 1):
            g.phase = SIEGE_LOSS
            g.mover = g.loser
            return False
        if choices:
            lose_card(g, t, t.hold[g.loser].type_of[lowest(choices)])
    close_siege(g, t, g.which)
    return True
