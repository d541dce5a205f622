"""RisiKo!: setup, the phases of a turn, and the effects of moves and events (RIS-3, 4, 14)."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.board cimport (
    ATTACK, C_ASSAULT, C_CLOSE, C_DEAL, C_DRAW, C_OBJECTIVE, C_ROLL, CHANCE_ASSAULT, CHANCE_DEAL, CHANCE_OBJECTIVES,
    CHANCE_ROLL, CHANCE_START, DEFEND, DRAW, FORTIFY, GAME_OVER, HURRIED, K_ASSAULT, K_ATTACK, K_COLOR, K_DEFEND,
    K_END_ATTACK, K_END_TRADE, K_END_TURN, K_FORTIFY, K_OCCUPY, K_PLACE, K_SAFE_ASSAULT, K_TRADE, NO_ASSAULT, NOBODY,
    NOWHERE, OCCUPY, PICK_COLORS, PLACE, SDADATA, SETUP_PLACE, TO_THE_END, TRADE, TRUE_GAME, WITH_RESERVE, Game,
    amount_of, bit, draw, draw_is_due, kind_of, last_seat, origin_of, reinforcement, set_armies, spare, survivor_after,
    target_of, test_victory, trade, trade_is_due, within_cap
)
from sfida.cython_ext.risiko.moves cimport at_most, can_attack, is_one_event, next_throw, protected_targets
from sfida.cython_ext.risiko.tables cimport CONTINENTS, MAX_DICE, SEATS, TERRITORIES, Tables
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t


cdef enum:
    EVERY = 0xFFFFFFFF                  # all objectives


# ---- setup of the game ------------------------------------------------------------------------------------------


cdef inline void start(Game* g, const Tables* t) noexcept nogil:
    """Set the position before the first event."""
    cdef int i
    memset(g, 0, sizeof(Game))
    g.phase = CHANCE_START
    g.alive = (1 << t.players) - 1
    g.deck = t.all_cards
    g.current = t.all_cards
    g.winner = NOBODY
    g.origin = NOWHERE
    g.target = NOWHERE
    for i in range(TERRITORIES):
        g.owner[i] = NOBODY
    for i in range(SEATS):
        g.objective[i] = NOBODY
        g.eliminated_by[i] = NOBODY
        g.color[i] = NOBODY if t.choose_colors else i
        g.possible[i] = 0xFFFFFFFF if t.n_objectives == 32 else (<uint32_t> 1 << t.n_objectives) - 1


cdef inline void begin_deal(Game* g, const Tables* t) noexcept nogil:
    """Deal the territories; repeated after an inadmissible deal (RIS-3.7, 13.3)."""
    cdef int i
    g.phase = CHANCE_DEAL
    g.step = 0
    memset(g.own, 0, sizeof(g.own))
    for i in range(TERRITORIES):
        g.owner[i] = NOBODY


cdef inline bint deal_is_admissible(const Game* g, const Tables* t) noexcept nogil:
    cdef int i, c
    for i in range(t.players):
        for c in range(CONTINENTS):
            if t.half[c] and popcount(g.own[i] & t.continent[c]) > t.half[c]:
                return False
    return True


cdef inline void begin_batch(Game* g, const Tables* t, int seat) noexcept nogil:
    """Let the next seat with armies in stock, from `seat` on, place its batch (RIS-3.11)."""
    cdef int _k
    for _k in range(t.players):
        if g.stock[seat]:
            g.phase = SETUP_PLACE
            g.on_turn = seat
            g.mover = seat
            g.turns += 1
            g.left = at_most(g.stock[seat], t.batch)
            g.stock[seat] -= g.left
            return
        seat = seat_after(seat, t.players)
    g.round = 1
    g.on_turn = g.first
    begin_turn(g, t)


cdef inline void deal_territory(Game* g, const Tables* t, int i) noexcept nogil:
    """Deal the next territory card (RIS-3.7), counter-clockwise from the last player."""
    cdef int place = t.players - 1 - g.step % t.players
    cdef int seat = g.first + place
    if seat >= t.players:
        seat -= t.players
    g.owner[i] = seat
    g.own[seat] |= bit(i)
    g.step += 1
    if g.step < TERRITORIES:
        return
    if not deal_is_admissible(g, t):
        begin_deal(g, t)
        return
    g.step = 0
    for i in range(TERRITORIES):
        set_armies(g, i, 1)
    for i in range(t.players):
        g.total[i] = popcount(g.own[i])
        g.stock[i] = t.initial - g.total[i]
    begin_batch(g, t, g.first)


# ---- phases of a turn ---------------------------------------------------------------------------------------


cdef inline void begin_turn(Game* g, const Tables* t) noexcept nogil:
    """TURN_START: victory test, then reinforcements (RIS-10.3, 5)."""
    g.mover = g.on_turn
    g.turns += 1
    g.conquests = 0
    g.origin = NOWHERE
    g.target = NOWHERE
    g.left = 0
    if test_victory(g, t, EVERY):
        return
    g.left = within_cap(g, t, reinforcement(g, t, g.on_turn))
    if trade_is_due(g, t):
        g.phase = TRADE
    else:
        begin_placing(g, t)


cdef inline void begin_placing(Game* g, const Tables* t) noexcept nogil:
    g.phase = PLACE
    if g.left == 0:
        begin_attacks(g, t)


cdef inline void begin_attacks(Game* g, const Tables* t) noexcept nogil:
    """ATTACK, or the next phase when no attack is legal (RIS-7.14)."""
    g.mover = g.on_turn
    g.assault = NO_ASSAULT
    g.attack_dice = 0
    g.defence_dice = 0
    g.phase = ATTACK
    if g.world != HURRIED and not can_attack(g, t):
        begin_fortifying(g, t)


cdef inline bint can_fortify(const Game* g, const Tables* t) noexcept nogil:
    cdef uint64_t own = g.own[g.on_turn], mask = own & g.many
    cdef int i
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if t.adjacent[i] & own and spare(g, t, g.on_turn, i):
            return True
    return False


cdef inline void begin_fortifying(Game* g, const Tables* t) noexcept nogil:
    g.phase = FORTIFY
    if not can_fortify(g, t):
        finish_turn(g, t)


cdef inline void finish_turn(Game* g, const Tables* t) noexcept nogil:
    """Draw the card, then throw the closing dice or begin the next turn (RIS-6.1, 13.4)."""
    if draw_is_due(g, t):
        g.phase = DRAW
    else:
        after_draw(g, t)


cdef inline int threshold(const Game* g, const Tables* t) noexcept nogil:
    """Largest sum of the closing dice that ends the game now; 0: no throw (RIS-13.4)."""
    cdef int c = g.round - t.round_limit - (0 if g.on_turn == last_seat(g, t) else 1)
    if not t.sdadata or c < 0 or g.conquests > t.skip_above:
        return 0
    return at_most(t.first_threshold + t.step * c, t.max_threshold)


cdef inline void after_draw(Game* g, const Tables* t) noexcept nogil:
    if threshold(g, t):
        g.phase = SDADATA
    else:
        next_turn(g, t)


cdef inline void next_turn(Game* g, const Tables* t) noexcept nogil:
    """Begin the turn of the next surviving player; after the last one the next round, or the end (RIS-11.9, 17.3)."""
    if g.on_turn == last_seat(g, t):
        if g.round >= t.last_round:
            g.phase = GAME_OVER
            return
        g.round += 1
    g.on_turn = survivor_after(g, t, g.on_turn)
    begin_turn(g, t)


# ---- battles ----------------------------------------------------------------------------------------


cdef inline void throw_dice(Game* g, const Tables* t, int dice) noexcept nogil:
    """Let the attacker throw that many dice; the defender may have to choose its dice first (RIS-7.6, 11.3)."""
    g.attack_dice = dice
    g.defence_dice = at_most(g.armies[g.target], MAX_DICE)
    g.phase = CHANCE_ROLL
    if g.defence_dice > 1 and not t.forced_defence and g.world == TRUE_GAME:
        g.phase = DEFEND
        g.mover = g.owner[g.target]


cdef inline void go_on(Game* g, const Tables* t) noexcept nogil:
    """Begin the next throw of an assault, or end it."""
    cdef int dice = next_throw(t, g.assault, g.armies[g.origin], g.armies[g.target],
                               (protected_targets(g, t) >> g.target) & 1)
    if dice == 0:
        begin_attacks(g, t)
    elif is_one_event(g):
        g.attack_dice = dice
        g.defence_dice = at_most(g.armies[g.target], MAX_DICE)
        g.phase = CHANCE_ASSAULT
    else:
        throw_dice(g, t, dice)


cdef inline void eliminate(Game* g, const Tables* t, int seat) noexcept nogil:
    """Eliminate a player without territories; the conqueror receives the cards (RIS-9.1, 9.2)."""
    g.alive &= ~(1 << seat)
    g.eliminated_by[seat] = g.on_turn
    g.eliminated_round[seat] = g.round
    g.hand[g.on_turn] |= g.hand[seat]
    g.hand[seat] = 0


cdef inline void conquer(Game* g, const Tables* t) noexcept nogil:
    """Occupy the target with the dice of the last throw (RIS-7.10); test for elimination and victory."""
    cdef int loser = g.owner[g.target], seat = g.on_turn
    g.own[loser] &= ~bit(g.target)
    g.own[seat] |= bit(g.target)
    g.owner[g.target] = seat
    set_armies(g, g.target, g.attack_dice)
    set_armies(g, g.origin, g.armies[g.origin] - g.attack_dice)
    g.conquests += 1
    g.assault = NO_ASSAULT
    g.mover = seat
    if g.own[loser] == 0:
        eliminate(g, t, loser)
        if g.alive & (g.alive - 1) == 0:        # RIS-17.2
            g.phase = GAME_OVER
            g.winner = seat
            return
    if test_victory(g, t, EVERY):
        return
    if spare(g, t, seat, g.origin):
        g.phase = OCCUPY
    else:
        begin_attacks(g, t)


cdef inline void take_losses(Game* g, int attacker, int defender) noexcept nogil:
    set_armies(g, g.origin, g.armies[g.origin] - attacker)
    set_armies(g, g.target, g.armies[g.target] - defender)
    g.total[g.on_turn] -= attacker
    g.total[g.owner[g.target]] -= defender


cdef inline void after_throw(Game* g, const Tables* t, int attacker, int defender) noexcept nogil:
    take_losses(g, attacker, defender)
    if g.armies[g.target] == 0:
        conquer(g, t)
    elif g.assault:
        go_on(g, t)
    else:
        begin_attacks(g, t)


cdef inline void after_assault(Game* g, const Tables* t, int attackers, int defenders) noexcept nogil:
    """Apply the end of a whole assault, which left that many armies on both sides."""
    take_losses(g, g.armies[g.origin] - attackers, g.armies[g.target] - defenders)
    if defenders:
        begin_attacks(g, t)
    else:
        g.attack_dice = at_most(attackers - 1, MAX_DICE)  # dice of the last throw, without own losses (RIS-18.6)
        conquer(g, t)


# ---- moves applied ------------------------------------------------------------------------------------------


cdef inline void place(Game* g, const Tables* t, int i, int n) noexcept nogil:
    set_armies(g, i, g.armies[i] + n)
    g.total[g.on_turn] += n
    g.left -= n
    if g.phase == SETUP_PLACE:
        if g.left == 0:
            begin_batch(g, t, 0 if g.on_turn + 1 == t.players else g.on_turn + 1)
        return
    if t.by_armies and test_victory(g, t, t.by_armies):
        return
    if g.left == 0:
        begin_attacks(g, t)


cdef inline bint shift_armies(Game* g, const Tables* t, int origin, int target, int n) noexcept nogil:
    """Move armies between own territories; return whether that wins (RIS-10.6)."""
    set_armies(g, origin, g.armies[origin] - n)
    set_armies(g, target, g.armies[target] + n)
    return t.by_armies != 0 and test_victory(g, t, t.by_armies)


cdef inline void deal_objective(Game* g, const Tables* t, int which) noexcept nogil:
    """Deal the next objective, P1's first (RIS-3.6)."""
    cdef int seat = g.first + g.step
    if seat >= t.players:
        seat -= t.players
    g.objective[seat] = which
    g.step += 1
    if g.step == t.players:
        begin_deal(g, t)


cdef inline void begin_colors(Game* g, const Tables* t) noexcept nogil:
    g.step = 0
    g.phase = PICK_COLORS if t.choose_colors else CHANCE_OBJECTIVES


cdef inline void choose_color(Game* g, const Tables* t, int color) noexcept nogil:
    """Give the next player a colour (RIS-3.5)."""
    g.color[g.mover] = color
    g.mover = 0 if g.mover + 1 == t.players else g.mover + 1
    g.on_turn = g.mover
    if g.mover == g.first:
        g.step = 0
        g.phase = CHANCE_OBJECTIVES


cdef inline void apply_move(Game* g, const Tables* t, move_t code) noexcept nogil:
    """Play a legal move or a possible outcome."""
    cdef int kind = kind_of(code)
    g.last = code
    if kind == K_PLACE:
        place(g, t, target_of(code), amount_of(code))
    elif kind == K_ATTACK:
        g.origin = origin_of(code)
        g.target = target_of(code)
        throw_dice(g, t, amount_of(code))
    elif kind == C_ROLL:
        after_throw(g, t, (amount_of(code) >> 2) & 3, amount_of(code) & 3)
    elif kind == K_ASSAULT or kind == K_SAFE_ASSAULT:
        g.origin = origin_of(code)
        g.target = target_of(code)
        g.assault = TO_THE_END if kind == K_ASSAULT else WITH_RESERVE
        go_on(g, t)
    elif kind == C_ASSAULT:
        after_assault(g, t, amount_of(code) >> 8, amount_of(code) & 0xFF)
    elif kind == K_OCCUPY:
        if not shift_armies(g, t, g.origin, g.target, amount_of(code)):
            begin_attacks(g, t)
    elif kind == K_FORTIFY:
        g.origin = origin_of(code)
        g.target = target_of(code)
        if not shift_armies(g, t, g.origin, g.target, amount_of(code)):
            finish_turn(g, t)
    elif kind == K_END_ATTACK:
        begin_fortifying(g, t)
    elif kind == K_END_TURN:
        finish_turn(g, t)
    elif kind == K_DEFEND:
        g.defence_dice = amount_of(code)
        g.mover = g.on_turn
        g.phase = CHANCE_ROLL
    elif kind == K_TRADE:
        trade(g, t, code)
        if not trade_is_due(g, t):
            begin_placing(g, t)
    elif kind == K_END_TRADE:
        begin_placing(g, t)
    elif kind == C_DRAW:
        draw(g, t, amount_of(code))
        after_draw(g, t)
    elif kind == C_CLOSE:
        if amount_of(code) <= threshold(g, t):
            g.phase = GAME_OVER
        else:
            next_turn(g, t)
    elif kind == C_DEAL:
        deal_territory(g, t, target_of(code))
    elif kind == C_OBJECTIVE:
        deal_objective(g, t, amount_of(code))
    elif kind == K_COLOR:
        choose_color(g, t, amount_of(code))
    else:                               # C_START
        g.first = amount_of(code)
        g.on_turn = g.first
        g.mover = g.first
        begin_colors(g, t)
