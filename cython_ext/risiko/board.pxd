"""RisiKo!: tables, the flat state, what every other part shares.

Sets of territories and sets of cards are one word each; card `i` below 42 is the card of territory `i`. A move code is
``kind << 28 | origin << 22 | target << 16 | amount`` (see the kinds below); a set of cards is traded as
``kind << 28 | a << 12 | b << 6 | c`` with a < b < c.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport popcount
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t


cdef enum:
    TERRITORIES = 42
    CONTINENTS = 6
    SEATS = 6
    COLORS = 6
    CARDS = 44                          # of the territory deck, the jokers among them
    SYMBOLS = 4                         # infantry, cavalry, cannon, joker
    CLASSES = 7                         # of sets, see `cards.pxd`
    MAX_OBJECTIVES = 32                 # objective cards of a deck, copies counted (MOST_OBJECTIVES of the engine)
    MAX_DICE = 3
    MAX_LEGAL = 2048                    # candidates and outcomes (RIS-20.2)
    MOST_ARMIES = 60000                 # most armies of one seat; more are lost (RIS-20.3)
    MOST_ROUNDS = 10000                 # without a limit of its own a game ends after so many
    BIG = 250                           # larger stacks fight throw by throw, in every world
    TRADES = 4383                       # legal moves of a hand of all cards, and a spare one

    JOKER = 3
    NOBODY = 255
    NOWHERE = 63                        # territory or card that is none or hidden
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
    LUCK = 0x660D                       # the phases of chance events, a bit each


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
    C_ASSAULT = 20                      # armies left on both sides: origin << 8 | target
    C_DRAW = 21
    C_CLOSE = 22


cdef enum:                              # Game.assault
    NO_ASSAULT = 0
    TO_THE_END = 1
    WITH_RESERVE = 2                    # goes on only while more than three armies can throw
    RESERVE = 5                         # armies on the origin for that


cdef enum:                              # Game.world
    TRUE_GAME = 0
    IMAGINED = 1                        # the defender throws the maximum, assaults are one event
    UNWATCHED = 2                       # likewise; nobody asks what objectives are excluded or for sets not held
    HURRIED = 3                         # in a playout, which looks itself whether there is anything to attack


cdef enum:                              # options with names
    BOUNDED = 0                         # early_elimination
    NO_ATTACK = 1
    ANYTHING = 2
    TERRITORY_COUNT = 0                 # types of objectives (RIS-10.4, 11.7)
    REGIONS = 1                         # all territories of `Objective.need`
    REGIONS_PLUS = 2                    # and further whole continents
    DESTROY = 3


cdef struct Objective:
    uint64_t need                       # territories, of REGIONS and REGIONS_PLUS
    uint64_t others                     # REGIONS_PLUS: continents that are not named, a bit each
    uint32_t cards                      # its cards in the deck of objectives, a bit each
    uint8_t type
    uint8_t count                       # territories
    uint8_t min_armies                  # on each
    uint8_t extra                       # further continents
    uint8_t color                       # of DESTROY
    uint8_t fallback                    # objective that DESTROY turns into


cdef struct Tables:                     # immutable after construction, shared by all states of a game
    uint64_t adjacent[TERRITORIES]
    uint64_t continent[CONTINENTS]
    uint64_t all_territories
    uint64_t all_cards
    uint64_t symbol[SYMBOLS]            # cards that show it
    uint8_t symbol_of[CARDS]
    uint8_t value[TERRITORIES]
    uint8_t bonus[CONTINENTS]
    uint8_t class_value[CLASSES]
    uint8_t card_bonus                  # for each traded card whose territory is owned
    uint16_t initial                    # armies each player starts with
    uint8_t batch                       # armies placed at a time in the setup
    uint8_t half[CONTINENTS]            # most territories of a continent that may be dealt to a player; 0: any number
    uint32_t ways[MAX_DICE + 1][MAX_DICE + 1][MAX_DICE + 1]     # attack dice, defence dice, armies the defender loses
    uint32_t throws[MAX_DICE + 1][MAX_DICE + 1]                 # their sum
    Objective objective[MAX_OBJECTIVES]
    int n_objectives
    int n_cards                         # objective cards
    uint8_t objective_of[MAX_OBJECTIVES]    # by card
    uint32_t by_armies                  # objectives whose truth depends on numbers of armies
    # options (RIS-13)
    int players
    bint forced_defence
    bint no_inferior_attack
    int garrison
    bint points
    int completed                       # points for the objective
    int round_limit
    int last_round                      # when even sdadata has an end
    bint rank_by_points
    bint rtu_ties
    bint sdadata
    int first_threshold, step, max_threshold, skip_above
    int army_cap
    int early, early_rounds
    int min_reinforcement
    int extra_reinforcement
    int hand_limit
    bint lazy
    bint reveal
    bint choose_colors
    bint full_candidates


cdef struct Game:
    uint64_t own[SEATS]                 # territories
    uint64_t hand[SEATS]                # cards
    uint64_t many                       # territories with at least two armies
    uint64_t deck
    uint64_t discard
    uint64_t current                    # cards of the present draw cycle (RIS-16.2): those of the last shuffle
    uint64_t last                       # code of the last move or event, of hidden ones without what is hidden
    uint32_t possible[SEATS]            # objectives that victory tests have not excluded (RIS-16.4), public
    uint32_t total[SEATS]               # armies on the board
    uint16_t armies[TERRITORIES]
    uint16_t cycle[CARDS]               # number of the deck a card last entered
    uint8_t owner[TERRITORIES]
    uint8_t objective[SEATS]
    uint8_t color[SEATS]
    uint8_t eliminated_by[SEATS]        # or NOBODY
    uint16_t eliminated_round[SEATS]
    uint16_t left                       # armies to place
    uint16_t stock[SEATS]               # of the setup
    uint16_t round
    uint16_t turns                      # batches of the setup and turns begun
    uint16_t cycles                     # number of the present draw cycle
    uint8_t conquests                   # this turn
    uint8_t phase
    uint8_t on_turn
    uint8_t mover                       # seat that decides
    uint8_t first                       # P1
    uint8_t alive                       # seats, a bit each
    uint8_t step                        # chance events done in the phase
    uint8_t origin, target              # of the last attack of the turn, or NOWHERE
    uint8_t attack_dice, defence_dice
    uint8_t assault
    uint8_t drawer                      # of the last card
    uint8_t winner
    uint8_t world
    uint8_t viewer                      # 1 + seat whose view this copy is; 0: a whole state


# ---- small things -----------------------------------------------------------------------------------


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
    """A chance event comes next."""
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
    """The territory has an enemy neighbour."""
    return (t.adjacent[i] & ~g.own[seat]) != 0


cdef inline int spare(const Game* g, const Tables* t, int seat, int i) noexcept nogil:
    """Armies that may leave an own territory by a voluntary movement, at least 0 (RIS-7.12, 11.5)."""
    cdef int stay = t.garrison if is_front(g, t, seat, i) else 1
    return g.armies[i] - stay if g.armies[i] > stay else 0


cdef inline int reinforcement(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Armies of a reinforcement phase without sets and limits (RIS-5)."""
    cdef int n = popcount(g.own[seat]) // 3, i
    if n < t.min_reinforcement:
        n = t.min_reinforcement
    for i in range(CONTINENTS):
        if (g.own[seat] & t.continent[i]) == t.continent[i]:
            n += t.bonus[i]
    return n + t.extra_reinforcement


cdef inline int within_cap(const Game* g, const Tables* t, int left) noexcept nogil:
    """Of the armies due to the seat on turn, those that it may have (RIS-12.2)."""
    cdef int most = t.army_cap if t.army_cap else MOST_ARMIES
    cdef int room = most - <int> g.total[g.on_turn]
    if left > room:
        left = room
    return left if left > 0 else 0
