"""Attila: the flat state, the log of hands, and what all other parts share.

Sets of provinces are words of 32 bits, cards and markers counts by tribe in the lanes of one word (`lanes.pxd`), the
tokens of a province six counts of four bits. A move code is one byte (ATT part 4):

    0 card T      6 dump T     12 at P       44 second P   76 influence   77 commit T   83 done     84 score a century
    85 end turn   86 Double turn   87 Exchange   88 Influence 2   89 give T   95 have given   96 step A T   102 step B T
    108 draw T    114 a hidden card drawn   115 a hidden card laid   116 play nothing   120 first player   128 fight P

The log records who drew from which pile, and what left a hand (part 6). It is public except for the tribes drawn. An
entry is ``kind << 6 | seat << 3 | tribe``; a LOG_DEAD is followed by its mask. The pile of a card follows from the
entries: a draw from an empty pile reshuffles the discards.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.attila.tables cimport PROVINCES, SCORINGS, SEATS, TRIBES, Tables
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.lanes cimport size_of


cdef extern from *:
    """
    #define SF_NIBBLES 0x111111U                /* one token of each tribe in a province */
    """
    const uint32_t NIBBLES "SF_NIBBLES"


cdef enum:
    LOG = 480                           # size of the log of hands in bytes
    GENERATION = 216                    # most bytes that one pile adds to it: 54 draws, 54 cards that leave with a mask
    MAX_LEGAL = 40

    NONE = 255
    ALL_TRIBES = 63
    TURN_CAP = 600                      # turns after which the game ends (Q26)


cdef enum:                              # phases (part 3)
    FIRST_PLAYER = 0
    DEAL = 1
    PLAY = 2
    PLACE = 3
    FOLLOW = 4
    ORDER = 5                           # choice of the first of two conflicts
    COMMIT = 6
    PRESCORE = 7
    END = 8
    GIVE = 9
    INF_A = 10
    INF_B = 11
    DRAW = 12
    GAME_OVER = 13
    LUCK = 0x1003                       # the phases of chance events, one bit each
    OPEN_MOVES = 0x0CB8                 # the phases of decisions whose moves are public


cdef enum:                              # move codes; those with a tribe or a province are the first of their row
    M_CARD = 0
    M_DUMP = 6
    M_AT = 12
    M_SECOND = 44
    M_INFLUENCE = 76
    M_COMMIT = 77
    M_DONE = 83
    M_SCORE = 84
    M_END_TURN = 85
    M_DOUBLE = 86
    M_EXCHANGE = 87
    M_TILE_INFLUENCE = 88
    M_GIVE = 89
    M_GIVEN = 95
    M_STEP_A = 96
    M_STEP_B = 102
    M_DRAW = 108
    M_DRAW_HIDDEN = 114
    M_COMMIT_HIDDEN = 115
    M_SKIP = 116
    M_FIRST = 120
    M_FIGHT = 128


cdef enum:                              # tiles and end reasons, one bit each
    DOUBLE_TURN = 1
    EXCHANGE = 2
    INFLUENCE_2 = 4
    ALL_TILES = 7
    BY_PEACE = 1
    BY_TRIBE = 2
    BY_INFLUENCE = 4
    BY_STALEMATE = 8
    BY_CAP = 16


cdef enum:                              # Game.world
    TRUE_GAME = 0
    HURRIED = 1                         # in a playout: the log of hands is not needed


cdef enum:                              # kinds of log entries, in the two high bits; then seat and tribe
    LOG_DRAW = 0                        # only the seat knows the tribe; 7 in the views of other seats
    LOG_LEAVE = 1
    LOG_DEAD = 2                        # every card in hand is of the tribes in the next byte (D5)
    UNSEEN = 7


cdef struct Game:
    uint64_t hand[SEATS]                # without cards laid face down or given
    uint64_t laid[SEATS]                # face down, in the current conflict
    uint64_t shown[SEATS]               # turned up in the last conflict
    uint64_t influence[SEATS]
    uint64_t pile
    uint64_t discard
    uint64_t given                      # chosen for an exchange
    uint64_t supply
    uint64_t box                        # tokens out of the game
    uint64_t base                       # cards of the oldest pile in the log
    uint32_t tokens[PROVINCES]
    uint32_t shown_tokens               # tokens of the province before the last conflict
    uint32_t where[TRIBES]              # provinces with a token
    uint32_t reach[TRIBES]              # provinces that the tribe may reach, ignoring their tokens (ATT-4.3)
    uint32_t open                       # provinces that may receive a token: not pacified, not full
    uint32_t pacified
    uint16_t score[SEATS]
    uint16_t gained[SCORINGS][SEATS]    # points by scoring
    uint16_t turns                      # begun
    uint16_t log_n
    uint16_t reshuffles
    uint8_t log_piles                   # reshuffles in the log
    uint8_t log_dumps                   # masks in the log
    uint8_t phase
    uint8_t back                        # phase after an exchange or a tile, or NONE: the next turn
    uint8_t active
    uint8_t mover                       # seat that decides
    uint8_t first                       # seat of the first turn
    uint8_t step                        # number of cards dealt
    uint8_t to_draw
    uint8_t plays_left
    uint8_t tile_used
    uint8_t doubled                     # the current card is played by a Double turn
    uint8_t idle                        # turns begun since the last draw (ATT-4.13)
    uint8_t end_reasons
    uint8_t peace_used
    uint8_t live                        # tribes with an allowed province: in PLAY and END
    uint8_t card_tribe
    uint8_t queue[2]
    uint8_t queued
    uint8_t last_tribe                  # tribe whose last token awaits its conflict, or NONE (ATT-11.4)
    uint8_t last_province
    uint8_t scoring_due                 # 1 + number of the century to be scored, or 0
    uint8_t present                     # tribes in the contested province
    uint8_t least                       # lowest tribe that may be laid or given next
    uint8_t first_tribe                 # tribe of the first step of Influence 2
    uint8_t shown_at                    # province of the last conflict of the turn, or NONE
    uint8_t shown_gone                  # tribes that left it
    uint8_t revealed                    # the last event revealed cards
    uint8_t doer                        # seat that saw all of the last event
    uint8_t last                        # code of the last event
    uint8_t tiles[SEATS]
    uint8_t bound[SEATS]                # 1 + number of cards that the seat must lay again; 0: any number
    uint8_t world
    uint8_t viewer                      # 1 + seat of this view; 0: a whole state
    uint8_t log[LOG]


# ---- basic lookups -----------------------------------------------------------------------------------


cdef inline uint32_t bit(int i) noexcept nogil:
    return <uint32_t> 1 << i


cdef inline bint is_luck(int phase) noexcept nogil:
    """Whether a chance event comes next."""
    return (LUCK >> phase) & 1


cdef inline int stage(const Game* g) noexcept nogil:
    """The phase of the turn, or the one it returns to after a tile or an exchange; NONE: the next turn."""
    return g.back if GIVE <= g.phase <= DRAW else g.phase


cdef inline uint32_t token(int tribe) noexcept nogil:
    """One token of a tribe, as part of a province's tokens."""
    return <uint32_t> 1 << (4 * tribe)


cdef inline uint32_t present(uint32_t tokens) noexcept nogil:
    """The tribes with tokens in a province, as the lowest bits of their counts."""
    tokens |= tokens >> 2
    return (tokens | (tokens >> 1)) & NIBBLES


cdef inline int tokens_at(const Game* g, int p) noexcept nogil:
    """Tokens in a province."""
    return <int> (((g.tokens[p] * NIBBLES) >> 20) & 15)


cdef inline uint64_t spread(uint32_t nibbles) noexcept nogil:
    """Move six counts of four bits into lanes."""
    cdef uint64_t x = nibbles
    x = (x | (x << 16)) & <uint64_t> 0x000000FF0000FFFF
    x = (x | (x << 8)) & <uint64_t> 0x00FF00FF00FF00FF
    return (x | (x << 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F


cdef inline uint32_t reached(const Game* g, const Tables* t, int tribe) noexcept nogil:
    """The provinces of ATT-4.2 to 4.4: starts, those of the tribe, and their neighbours."""
    cdef uint32_t mask = g.where[tribe], found = t.start | mask
    while mask:
        found |= t.adjacent[lowest(mask)]
        mask &= mask - 1
    return found


cdef inline uint32_t allowed(const Game* g, int tribe) noexcept nogil:
    """The provinces where a token of the tribe may be placed; empty without supply (ATT-4)."""
    return g.reach[tribe] & g.open if count_of(g.supply, tribe) else 0


cdef inline int live_tribes(const Game* g) noexcept nogil:
    """The tribes with an allowed province (ATT-4.10), one bit each."""
    cdef int tribe, found = 0
    for tribe in range(TRIBES):
        found |= <int> (allowed(g, tribe) != 0) << tribe
    return found


cdef inline int gain(const Game* g, const Tables* t) noexcept nogil:
    """Steps of influence that a card brings now (ATT-5.1)."""
    return t.gain[g.peace_used]


cdef inline bint has_room(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Whether some marker of the seat is below the last space."""
    cdef int tribe
    for tribe in range(TRIBES):
        if count_of(g.influence[seat], tribe) < t.last_space:
            return True
    return False


cdef inline int on_board(const Game* g, const Tables* t, int tribe) noexcept nogil:
    """Tokens of a tribe on the board."""
    return count_of(t.all_tokens, tribe) - count_of(g.supply, tribe) - count_of(g.box, tribe)


cdef inline int cards_of(const Game* g, int seat) noexcept nogil:
    """Number of cards in a seat's hand, including those laid face down."""
    return size_of(g.hand[seat]) + size_of(g.laid[seat]) + (size_of(g.given) if seat == g.active else 0)


cdef inline uint64_t lanes_of(counts, int most) except? 0:
    """Pack six counts into the lanes of a word."""
    cdef inline uint64_t lanes = 0
    cdef int i = 0
    counts = tuple(counts)
    if len(counts) != TRIBES:
        raise ValueError(f"a count for each of the {TRIBES} tribes is needed, not {counts}")
    for count in counts:
        if not 0 <= count <= most:
            raise ValueError(f"a count is 0..{most}, not {count}")
        lanes |= <uint64_t> <int> count << (8 * i)
        i += 1
    return lanes


# ---- the log of hands (part 6) ----------------------------------------------------------------------


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
    """Record that all cards of the seat are of the tribes in `dead` (D5)."""
    if g.world != HURRIED:
        note(g, LOG_DEAD, seat, 0)
        if g.log_n < LOG:
            g.log[g.log_n] = dead
            g.log_n += 1
        g.log_dumps = 1


cdef inline void restart_log(Game* g, const Tables* t) noexcept nogil:
    """Restart the log with the current hands, as dealt from one pile that they have used up."""
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
    """Record an empty pile: forget entries that no longer distinguish hands (D4).

    With two players the hands are known; with more, at the first reshuffle every arrangement of the held cards is
    equally likely unless a dead hand was shown. A log that could overflow is restarted as well.
    """
    if g.world == HURRIED:
        return
    if t.players == 2 or (g.log_piles == 0 and g.log_dumps == 0) or g.log_n + GENERATION > LOG:
        restart_log(g, t)
    g.log_piles += 1


# ---- unused parts of a position -------------------------------------------------------------------


cdef inline void overwrite_unused(Game* g, int players, int fill) noexcept nogil:
    """Overwrite what a position does not use, so that nothing of the past remains in it.

    This is the log beyond its end, conflicts beyond the queue, the conflict shown in an earlier turn, and what only
    some phases read. Everything else is meaningful in every phase.
    """
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
