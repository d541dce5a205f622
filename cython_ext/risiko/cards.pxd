"""RisiKo!: the territory cards, sets, the deck and its cycles (RIS-6, 16.1 to 16.3).

A set belongs to one of seven classes by its symbols: three infantry, three cavalry, three cannons, one of each, and a
joker with two infantry, two cavalry or two cannons.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.board cimport (
    CLASSES, JOKER, K_END_TRADE, K_TRADE, UNWATCHED, Game, Tables, bit, code_of, within_cap,
)
from sfida.cython_ext.state cimport move_t


cdef enum:
    ONE_OF_EACH = 3
    WITH_JOKER = 4                      # + symbol of the pair
    SURE_SET = 5                        # so many cards always hold a set (RIS-21.1)


cdef inline bint has_set(const Tables* t, uint64_t hand) noexcept nogil:
    """The hand holds a set (RIS-6.3, 6.4)."""
    cdef int a, b, c
    if popcount(hand) < 3:
        return False
    a = popcount(hand & t.symbol[0])
    b = popcount(hand & t.symbol[1])
    c = popcount(hand & t.symbol[2])
    if a > 2 or b > 2 or c > 2 or (a and b and c):
        return True
    return (hand & t.symbol[JOKER]) != 0 and (a > 1 or b > 1 or c > 1)


cdef inline int class_of(const Tables* t, int a, int b, int c) noexcept nogil:
    """Class of the set of three different cards, or -1."""
    cdef int x = t.symbol_of[a], y = t.symbol_of[b], z = t.symbol_of[c], most
    cdef int jokers = (x == JOKER) + (y == JOKER) + (z == JOKER)
    if jokers == 0:
        if x == y and y == z:
            return x
        return ONE_OF_EACH if x != y and y != z and x != z else -1
    if jokers > 1:
        return -1
    most = x if x == y or x == z else y
    if (x == y) + (y == z) + (x == z) == 0:
        return -1
    return WITH_JOKER + most


cdef inline uint64_t unseen_of_cycle(const Game* g, const Tables* t, int card) noexcept nogil:
    """The cards of a card's draw cycle that nobody has shown: any of them may lie in its place (RIS-16.2)."""
    cdef uint64_t rest = t.all_cards & ~g.discard & ~g.current, found = 0
    if bit(card) & g.current:
        return g.current & ~g.discard
    while rest:
        if g.cycle[lowest(rest)] == g.cycle[card]:
            found |= rest & (0 - rest)
        rest &= rest - 1
    return found


cdef inline bint any_set(const Tables* t, uint64_t first, uint64_t second, uint64_t third) noexcept nogil:
    """Some set has a card of each of three collections."""
    cdef uint64_t x = first, y, z
    cdef int a, b
    while x:
        a = lowest(x)
        x &= x - 1
        y = second & ~bit(a)
        while y:
            b = lowest(y)
            y &= y - 1
            z = third & ~bit(a) & ~bit(b)
            while z:
                if class_of(t, a, b, lowest(z)) >= 0:
                    return True
                z &= z - 1
    return False


cdef inline bint may_hold_set(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The seat holds a set for all that everybody knows: the numbers of its cards and what was shown (RIS-14.2)."""
    cdef uint64_t slot[SURE_SET]
    cdef uint64_t hand = g.hand[seat]
    cdef int n = 0, i, k, m
    if popcount(hand) < 3 or popcount(hand) >= SURE_SET:
        return popcount(hand) >= SURE_SET
    while hand:
        slot[n] = unseen_of_cycle(g, t, lowest(hand))
        hand &= hand - 1
        n += 1
    for i in range(n - 2):
        for k in range(i + 1, n - 1):
            for m in range(k + 1, n):
                if any_set(t, slot[i], slot[k], slot[m]):
                    return True
    return False


cdef inline bint trade_is_due(const Game* g, const Tables* t) noexcept nogil:
    """The seat on turn is asked for sets, also without one as long as nobody else can tell (RIS-14.2).

    In a playout nobody watches, and only who holds one is asked.
    """
    if g.world >= UNWATCHED:
        return has_set(t, g.hand[g.on_turn])
    return may_hold_set(g, t, g.on_turn)


cdef inline int set_worth(const Game* g, const Tables* t, int a, int b, int c) noexcept nogil:
    """Armies for a set of the seat on turn (RIS-6.3, 6.5)."""
    cdef uint64_t shown = (bit(a) | bit(b) | bit(c)) & g.own[g.on_turn]     # jokers are no territories
    return t.class_value[class_of(t, a, b, c)] + t.card_bonus * popcount(shown)


cdef inline int all_sets(const Tables* t, uint64_t hand, move_t* out) noexcept nogil:
    """Every set of a hand, by cards ascending."""
    cdef uint64_t x, y, z
    cdef int a, b, c, n = 0
    x = hand
    while x:
        a = lowest(x)
        x &= x - 1
        y = x
        while y:
            b = lowest(y)
            y &= y - 1
            z = y
            while z:
                c = lowest(z)
                z &= z - 1
                if class_of(t, a, b, c) >= 0:
                    out[n] = code_of(K_TRADE, 0, 0, 0) | <move_t> (a << 12 | b << 6 | c)
                    n += 1
    return n


cdef inline uint64_t best_of(uint64_t cards, uint64_t own, int count) noexcept nogil:
    """So many of the cards: owned ones first, the lowest of each; empty if there are too few."""
    cdef uint64_t left = cards & own, found = 0
    if popcount(cards) < count:
        return 0
    while count:
        if not left:
            left = cards & ~own
        found |= left & (0 - left)
        left &= left - 1
        count -= 1
    return found


cdef inline int best_sets(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Of each class in hand the set with most armies, the lowest cards of equals."""
    cdef uint64_t hand = g.hand[g.on_turn], own = g.own[g.on_turn], found, part
    cdef int i, k, n = 0, a, b
    for i in range(CLASSES):
        if i < ONE_OF_EACH:
            found = best_of(hand & t.symbol[i], own, 3)
        elif i == ONE_OF_EACH:
            found = 0
            for k in range(3):
                part = best_of(hand & t.symbol[k], own, 1)
                if not part:
                    found = 0
                    break
                found |= part
        else:
            found = best_of(hand & t.symbol[JOKER], own, 1)
            part = best_of(hand & t.symbol[i - WITH_JOKER], own, 2)
            found = found | part if found and part else 0
        if found:
            a = lowest(found)
            found &= found - 1
            b = lowest(found)
            found &= found - 1
            out[n] = code_of(K_TRADE, 0, 0, 0) | <move_t> (a << 12 | b << 6 | lowest(found))
            n += 1
    out[n] = code_of(K_END_TRADE, 0, 0, 0)
    return n + 1


cdef inline void trade(Game* g, const Tables* t, move_t code) noexcept nogil:
    """Trade a set for armies (RIS-6.3 to 6.7)."""
    cdef int a = <int> ((code >> 12) & 63), b = <int> ((code >> 6) & 63), c = <int> (code & 63)
    cdef uint64_t cards = bit(a) | bit(b) | bit(c)
    g.left = within_cap(g, t, g.left + set_worth(g, t, a, b, c))
    g.hand[g.on_turn] &= ~cards
    g.discard |= cards


cdef inline void reshuffle(Game* g) noexcept nogil:
    """Make the discarded cards the deck of a new cycle (RIS-6.8)."""
    cdef uint64_t cards = g.discard
    g.cycles += 1
    g.deck = g.discard
    g.current = g.discard
    g.discard = 0
    while cards:
        g.cycle[lowest(cards)] = g.cycles
        cards &= cards - 1


cdef inline bint has_room(const Game* g, const Tables* t, int more) noexcept nogil:
    """The seat on turn may draw a card with so many more cards in hand (RIS-13.7), and there is one to draw."""
    if t.hand_limit and popcount(g.hand[g.on_turn]) + more >= t.hand_limit:
        return False
    return (g.deck | g.discard) != 0


cdef inline bint draw_is_due(Game* g, const Tables* t) noexcept nogil:
    """The seat on turn draws a card (RIS-6.1, 13.7); an empty deck is rebuilt if it can be."""
    if g.conquests == 0 or not has_room(g, t, 0):
        return False
    if g.deck == 0 and g.discard:
        reshuffle(g)
    return g.deck != 0


cdef inline void draw(Game* g, const Tables* t, int card) noexcept nogil:
    g.drawer = g.on_turn
    g.hand[g.on_turn] |= bit(card)
    g.deck &= ~bit(card)
    if g.deck == 0 and g.discard and not t.lazy:
        reshuffle(g)
