"""RisiKo!: the flat state, shared basics, territory cards, objectives and points (RIS-6, 10, 11, 17).

Sets of territories and sets of cards are one word each; card `i` below 42 is the card of territory `i`. A move code is
``kind << 28 | origin << 22 | target << 16 | amount`` (see the kinds below); a set of cards is traded as
``kind << 28 | a << 12 | b << 6 | c`` with a < b < c.

A set belongs to one of seven classes by its symbols: three infantry, three cavalry, three cannons, one of each, and a
joker with two infantry, two cavalry or two cannons.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.tables cimport (
    CARDS, CLASSES, CONTINENTS, MOST_ARMIES, SEATS, TERRITORIES, Objective, Tables
)
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t


cdef enum:
    MAX_LEGAL = 2048                    # candidates and outcomes (RIS-20.2)
    BIG = 250                           # larger stacks fight throw by throw in every world

    JOKER = 3
    NOBODY = 255
    NOWHERE = 63                        # no territory or card, or a hidden one
    UNSEEN = 0xDD


cdef enum:                              # phases (RIS-14)
    CHANCE_START = 0
    PICK_COLORS = 1
    CHANCE_OBJECTIVES = 2
    CHANCE_DEAL = 3
    SETUP_PLACE = 4
    TRADE = 5
    PLACE = 6
    ATTACK = 7
    DEFEND = 8
    CHANCE_ROLL = 9
    CHANCE_ASSAULT = 10                 # in sampled worlds only: a whole assault is one event
    OCCUPY = 11
    FORTIFY = 12
    DRAW = 13
    SDADATA = 14
    GAME_OVER = 15
    LUCK = 0x660D                       # the phases of chance events, one bit each


cdef enum:                              # kinds of moves and of chance events
    K_COLOR = 1
    K_PLACE = 2
    K_TRADE = 3
    K_END_TRADE = 4
    K_ATTACK = 5
    K_ASSAULT = 6
    K_SAFE_ASSAULT = 7
    K_END_ATTACK = 8
    K_DEFEND = 9
    K_OCCUPY = 10
    K_FORTIFY = 11
    K_END_TURN = 12
    C_START = 16
    C_OBJECTIVE = 17
    C_DEAL = 18
    C_ROLL = 19                         # losses: attacker << 2 | defender
    C_ASSAULT = 20                      # remaining armies of both sides: origin << 8 | target
    C_DRAW = 21
    C_CLOSE = 22


cdef enum:                              # Game.assault
    NO_ASSAULT = 0
    TO_THE_END = 1
    WITH_RESERVE = 2                    # continues only while more than three armies can throw
    RESERVE = 5                         # armies on the origin required for that


cdef enum:                              # Game.world
    TRUE_GAME = 0
    IMAGINED = 1                        # the defender throws the maximum, assaults are one event
    UNWATCHED = 2                       # no record of excluded objectives, no requests for sets not held
    HURRIED = 3                         # in a playout, which itself checks whether any attack is possible


cdef enum:                              # named options
    BOUNDED = 0                         # value of early_elimination
    NO_ATTACK = 1
    ANYTHING = 2
    TERRITORY_COUNT = 0                 # types of objectives (RIS-10.4, 11.7)
    REGIONS = 1                         # all territories of `Objective.need`
    REGIONS_PLUS = 2                    # named and further whole continents
    DESTROY = 3


cdef struct Game:
    uint64_t own[SEATS]                 # territories
    uint64_t hand[SEATS]                # cards
    uint64_t many                       # territories with at least two armies
    uint64_t deck
    uint64_t discard
    uint64_t current                    # cards of the current draw cycle (RIS-16.2), which is the last shuffle
    uint64_t last                       # code of the last move or event, without its hidden part
    uint32_t possible[SEATS]            # public: objectives that victory tests have not excluded (RIS-16.4)
    uint32_t total[SEATS]               # armies on the board
    uint16_t armies[TERRITORIES]
    uint16_t cycle[CARDS]               # number of the deck that each card last entered
    uint8_t owner[TERRITORIES]
    uint8_t objective[SEATS]
    uint8_t color[SEATS]
    uint8_t eliminated_by[SEATS]        # eliminating seat, or NOBODY
    uint16_t eliminated_round[SEATS]
    uint16_t left                       # armies to place
    uint16_t stock[SEATS]               # armies left to place in the setup
    uint16_t round
    uint16_t turns                      # batches of the setup and turns begun
    uint16_t cycles                     # number of the current draw cycle
    uint8_t conquests                   # in this turn
    uint8_t phase
    uint8_t on_turn
    uint8_t mover                       # seat that decides
    uint8_t first                       # P1
    uint8_t alive                       # surviving seats, one bit each
    uint8_t step                        # completed chance events of the phase
    uint8_t origin, target              # the last attack of the turn, or NOWHERE
    uint8_t attack_dice, defence_dice
    uint8_t assault
    uint8_t drawer                      # seat that drew the last card
    uint8_t winner
    uint8_t world
    uint8_t viewer                      # 1 + seat of this view; 0: a whole state


# ---- basic lookups -----------------------------------------------------------------------------------


cdef inline uint64_t bit(int i) noexcept nogil:
    return <uint64_t> 1 << i


cdef inline move_t code_of(int kind, int origin, int target, int amount) noexcept nogil:
    return (<move_t> kind << 28) | (<move_t> origin << 22) | (<move_t> target << 16) | <move_t> amount


cdef inline int kind_of(move_t code) noexcept nogil:
    return <int> (code >> 28)


cdef inline int origin_of(move_t code) noexcept nogil:
    return <int> ((code >> 22) & 63)


cdef inline int target_of(move_t code) noexcept nogil:
    return <int> ((code >> 16) & 63)


cdef inline int amount_of(move_t code) noexcept nogil:
    return <int> (code & 0xFFFF)


cdef inline bint is_luck(int phase) noexcept nogil:
    """Whether a chance event comes next."""
    return (LUCK >> phase) & 1


cdef inline void set_armies(Game* g, int i, int n) noexcept nogil:
    """Put `n` armies on a territory."""
    g.armies[i] = n
    g.many = (g.many & ~bit(i)) | (<uint64_t> (n > 1) << i)


cdef inline int order_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Place in the turn order, 0 for P1 (RIS-3.3)."""
    seat -= g.first
    return seat + t.players if seat < 0 else seat


cdef inline int survivor_after(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Next surviving seat clockwise."""
    while True:
        seat = seat_after(seat, t.players)
        if (g.alive >> seat) & 1:
            return seat


cdef inline int last_seat(const Game* g, const Tables* t) noexcept nogil:
    """The last surviving seat in the turn order."""
    cdef int seat = g.first
    while True:
        seat = t.players - 1 if seat == 0 else seat - 1
        if (g.alive >> seat) & 1:
            return seat


cdef inline int seat_of_color(const Game* g, const Tables* t, int color) noexcept nogil:
    cdef int i
    for i in range(t.players):
        if g.color[i] == color:
            return i
    return NOBODY


cdef inline bint is_front(const Game* g, const Tables* t, int seat, int i) noexcept nogil:
    """Whether the territory has an enemy neighbour."""
    return (t.adjacent[i] & ~g.own[seat]) != 0


cdef inline int spare(const Game* g, const Tables* t, int seat, int i) noexcept nogil:
    """Armies that may leave an own territory voluntarily, at least 0 (RIS-7.12, 11.5)."""
    cdef int stay = t.garrison if t.garrison > 1 and is_front(g, t, seat, i) else 1
    return g.armies[i] - stay if g.armies[i] > stay else 0


cdef inline int reinforcement(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Armies of a reinforcement phase, without sets and limits (RIS-5)."""
    cdef int n = popcount(g.own[seat]) // 3, i
    if n < t.min_reinforcement:
        n = t.min_reinforcement
    for i in range(CONTINENTS):
        if (g.own[seat] & t.continent[i]) == t.continent[i]:
            n += t.bonus[i]
    return n + t.extra_reinforcement


cdef inline int within_cap(const Game* g, const Tables* t, int left) noexcept nogil:
    """Number of the `left` armies that the seat on turn may actually receive (RIS-12.2)."""
    cdef int most = t.army_cap if t.army_cap else MOST_ARMIES
    cdef int room = most - <int> g.total[g.on_turn]
    if left > room:
        left = room
    return left if left > 0 else 0


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef bint fighting = g.phase == DEFEND or g.phase == CHANCE_ROLL or g.phase == CHANCE_ASSAULT
    if not fighting:
        g.defence_dice = fill
        if g.phase != OCCUPY:           # OCCUPY shows the dice that moved in
            g.attack_dice = fill
        if g.phase != ATTACK:
            g.assault = fill
    if g.phase > CHANCE_DEAL:
        g.step = fill
    if kind_of(g.last) != C_DRAW:
        g.drawer = fill


# ---- territory cards: sets, the deck and its cycles (RIS-6, 16.1 to 16.3) -----------------------


cdef enum:
    ONE_OF_EACH = 3
    WITH_JOKER = 4                      # + symbol of the pair
    SURE_SET = 5                        # this many cards always contain a set (RIS-21.1)


cdef inline bint has_set(const Tables* t, uint64_t hand) noexcept nogil:
    """Whether the hand has a set (RIS-6.3, 6.4)."""
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
    """The unshown cards of a card's draw cycle: any of them may be in its place (RIS-16.2)."""
    cdef uint64_t rest = t.all_cards & ~g.discard & ~g.current, found = 0
    if bit(card) & g.current:
        return g.current & ~g.discard
    while rest:
        if g.cycle[lowest(rest)] == g.cycle[card]:
            found |= rest & (0 - rest)
        rest &= rest - 1
    return found


cdef inline bint any_set(const Tables* t, uint64_t first, uint64_t second, uint64_t third) noexcept nogil:
    """Whether some set has a card from each of three collections."""
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
    """Whether the seat may hold a set by public information: its number of cards and what was shown (RIS-14.2)."""
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
    """Whether the seat on turn is asked for sets; without one too, unless other seats can deduce that (RIS-14.2).

    In a playout only a seat with a set is asked.
    """
    if g.world >= UNWATCHED:
        return has_set(t, g.hand[g.on_turn])
    return may_hold_set(g, t, g.on_turn)


cdef inline int set_worth(const Game* g, const Tables* t, int a, int b, int c) noexcept nogil:
    """Armies for a set of the seat on turn (RIS-6.3, 6.5)."""
    cdef uint64_t shown = (bit(a) | bit(b) | bit(c)) & g.own[g.on_turn]     # jokers are not territories
    return t.class_value[class_of(t, a, b, c)] + t.card_bonus * popcount(shown)


cdef inline int all_sets(const Tables* t, uint64_t hand, move_t* out) noexcept nogil:
    """Write every set of a hand, by ascending cards; returns the count."""
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
    """Take `count` of the cards, owned ones first, then the lowest; empty if there are too few."""
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
    """Write the set with most armies of each class in hand, with the lowest cards; returns the count."""
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
    """Turn the discarded cards into the deck of a new cycle (RIS-6.8)."""
    cdef uint64_t cards = g.discard
    g.cycles += 1
    g.deck = g.discard
    g.current = g.discard
    g.discard = 0
    while cards:
        g.cycle[lowest(cards)] = g.cycles
        cards &= cards - 1


cdef inline bint has_room(const Game* g, const Tables* t, int more) noexcept nogil:
    """Whether the seat on turn may draw a card after `more` further cards (RIS-13.7), and one is available."""
    if t.hand_limit and popcount(g.hand[g.on_turn]) + more >= t.hand_limit:
        return False
    return (g.deck | g.discard) != 0


cdef inline bint draw_is_due(Game* g, const Tables* t) noexcept nogil:
    """Whether the seat on turn draws a card (RIS-6.1, 13.7); an empty deck is rebuilt if possible."""
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


# ---- objectives and victory (RIS-10, 11.7 to 11.9, 16.4) --------------------------------------------


cdef inline int held_territories(const Game* g, const Tables* t, int seat, int least) noexcept nogil:
    """Number of a seat's territories with at least `least` armies."""
    cdef uint64_t mask = g.own[seat]
    cdef int n = 0
    if least <= 1:
        return popcount(mask)
    if least == 2:
        return popcount(mask & g.many)
    while mask:
        n += g.armies[lowest(mask)] >= least
        mask &= mask - 1
    return n


cdef inline int whole_continents(const Game* g, const Tables* t, int seat, uint64_t among) noexcept nogil:
    cdef int i, n = 0
    for i in range(CONTINENTS):
        if (among >> i) & 1 and (g.own[seat] & t.continent[i]) == t.continent[i]:
            n += 1
    return n


cdef inline int effective(const Game* g, const Tables* t, int seat, int which) noexcept nogil:
    """The objective that counts for the seat: an impossible `destroy` is replaced by its fall-back (RIS-10.5)."""
    cdef const Objective* o = &t.objective[which]
    cdef int victim
    if o.type != DESTROY:
        return which
    victim = seat_of_color(g, t, o.color)
    if victim == NOBODY or victim == seat:
        return o.fallback
    if g.eliminated_by[victim] == NOBODY or g.eliminated_by[victim] == seat:
        return which
    return o.fallback


cdef inline bint is_true(const Game* g, const Tables* t, int seat, int which) noexcept nogil:
    """Whether the seat would have fulfilled this objective if it held it."""
    cdef const Objective* o
    if which >= t.n_objectives:         # hidden in a view
        return False
    which = effective(g, t, seat, which)
    o = &t.objective[which]
    if o.type == TERRITORY_COUNT:
        return held_territories(g, t, seat, o.min_armies) >= o.count
    if o.type == DESTROY:
        return g.eliminated_by[seat_of_color(g, t, o.color)] == seat
    if (g.own[seat] & o.need) != o.need:
        return False
    return o.type == REGIONS or whole_continents(g, t, seat, o.others) >= o.extra


cdef inline bint test_victory(Game* g, const Tables* t, uint32_t among) noexcept nogil:
    """Test the seat on turn (RIS-10.6): either the game ends, or true objectives in the set are excluded (RIS-16.4)."""
    cdef int seat = g.on_turn, i
    cdef uint32_t left
    i = g.objective[seat]
    if i < t.n_objectives and (among >> i) & 1 and is_true(g, t, seat, i):
        g.phase = GAME_OVER
        g.winner = seat
        return True
    if g.world < UNWATCHED:
        left = g.possible[seat] & among
        while left:
            i = lowest(left)
            left &= left - 1
            if is_true(g, t, seat, i):
                g.possible[seat] &= ~(<uint32_t> 1 << i)
    return False


# ---- results (RIS-11.10, 11.11, 17) -----------------------------------------------------------------


cdef inline int worth(const Tables* t, uint64_t territories) noexcept nogil:
    """Sum of the values of territories."""
    cdef int sum = 0
    while territories:
        sum += t.value[lowest(territories)]
        territories &= territories - 1
    return sum


cdef inline int points_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Points of a seat at the end (RIS-11.10, 11.11)."""
    if seat == g.winner:
        return t.completed
    if g.objective[seat] >= t.n_objectives:
        return 0
    return worth(t, g.own[seat] & t.objective[g.objective[seat]].need)


cdef inline uint64_t standing(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Sort key of the final ranks: larger is better, equal keys share a rank (RIS-17)."""
    cdef uint64_t key
    cdef bint lives = (g.alive >> seat) & 1
    if not t.rank_by_points:
        if g.winner != NOBODY:
            return seat == g.winner
        return lives
    key = <uint64_t> points_of(g, t, seat) + (<uint64_t> (seat == g.winner) << 40)
    if not t.rtu_ties:
        return key
    if not lives:
        return g.eliminated_round[seat]
    key = (key << 16) + <uint64_t> worth(t, g.own[seat] & ~t.objective[g.objective[seat]].need)
    return (key << 4) + <uint64_t> order_of(g, t, seat) + bit(20)
