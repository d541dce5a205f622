"""Attila: payments of tribes, conflicts and peace, and the course of a turn (part 3, ATT-6 to 8)."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.attila.board cimport (
    ALL_TILES, BY_CAP, BY_INFLUENCE, BY_PEACE, BY_STALEMATE, BY_TRIBE, COMMIT, DEAL, DOUBLE_TURN, DRAW, END, EXCHANGE,
    FIRST_PLAYER, FOLLOW, GAME_OVER, GIVE, INF_A, INF_B, INFLUENCE_2, LOG, M_AT, M_COMMIT, M_DONE, M_DOUBLE, M_DRAW,
    M_DUMP, M_END_TURN, M_EXCHANGE, M_FIGHT, M_FIRST, M_GIVE, M_GIVEN, M_INFLUENCE, M_SCORE, M_SECOND, M_SKIP, M_STEP_A,
    M_STEP_B, M_TILE_INFLUENCE, NONE, ORDER, PLACE, PLAY, PRESCORE, TURN_CAP, Game, bit, gain, live_tribes,
    log_reshuffle, note_dead, note_draw, note_leave, note_leaves, on_board, reached, spread, token, tokens_at
)
from sfida.cython_ext.attila.tables cimport SCORINGS, SEATS, TRIBES, Tables
from sfida.cython_ext.bits cimport count_of, lane, popcount
from sfida.cython_ext.lanes cimport kinds_of, size_of, top_kind
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t

# ---- scorings (ATT-8, 12.4 to 12.8) -----------------------------------------------------------------


cdef inline bint is_scored(const Game* g, const Tables* t, int closed) noexcept nogil:
    """Whether a century is scored besides the end of the game (ATT-11.6); `closed` as in `Tables.closes`, 0: none."""
    if closed == 0 or (t.merge_final and closed == t.closes[t.peace_tiles]):
        return False
    return not t.end_replaces or (g.end_reasons & ~BY_PEACE) == 0


cdef inline void share_out(const Tables* t, const int* markers, int tokens, int provinces,
                           int* points) noexcept nogil:
    """Write the points that one tribe pays each seat."""
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
        tokens += provinces             # alone in the column (ATT-8.8)
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
    """Write the points that a tribe would pay each seat now."""
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


# ---- conflicts and peace (ATT-6, 7) -----------------------------------------------------------------


cdef inline void begin_commitments(Game* g, const Tables* t) noexcept nogil:
    """Begin to lay cards; the active player lays first (ATT-6.2)."""
    g.present = kinds_of(spread(g.tokens[g.queue[0]]))
    g.mover = g.active
    g.least = 0
    g.phase = COMMIT


cdef inline void lay(Game* g, const Tables* t, int tribe) noexcept nogil:
    g.hand[g.mover] -= lane(tribe)
    g.laid[g.mover] += lane(tribe)
    g.least = tribe


cdef inline bint pass_on(Game* g, const Tables* t) noexcept nogil:
    """Let the next seat lay; False after the last one."""
    g.mover = seat_after(g.mover, t.players)
    if g.mover == g.active:
        return False
    g.least = top_kind(g.laid[g.mover])     # only a seat whose bids were kept has laid cards
    return True


cdef inline uint64_t weakest(uint64_t tokens, uint64_t strength) noexcept nogil:
    """The tokens of the tribes that lose (ATT-6.7 to 6.9)."""
    cdef uint64_t gone = 0
    cdef int tribe, n, least = 255
    for tribe in range(TRIBES):
        if count_of(tokens, tribe) == 0:
            continue
        n = count_of(strength, tribe)
        if n < least:
            least = n
            gone = 0
        if n == least:
            gone |= tokens & (lane(tribe) * 0xFF)
    return gone


cdef inline void turn_up(Game* g, const Tables* t, uint64_t* strength) noexcept nogil:
    """Show and discard all laid cards (ATT-6.5, 6.11)."""
    cdef int i
    for i in range(SEATS):
        g.shown[i] = g.laid[i]
        g.bound[i] = 0
        if g.laid[i]:
            strength[0] += g.laid[i]
            g.discard += g.laid[i]
            if not t.open_commitments:
                note_leaves(g, i, g.laid[i])
            g.laid[i] = 0


cdef inline bint fight(Game* g, const Tables* t) noexcept nogil:
    """Resolve the first conflict of the queue; return whether its tile was the last one of a century."""
    cdef int p = g.queue[0], tribe, losers
    cdef uint64_t tokens = spread(g.tokens[p]), strength = tokens, gone
    cdef bint laid = g.peace_used < t.peace_tiles
    turn_up(g, t, &strength)
    gone = weakest(tokens, strength)
    losers = kinds_of(gone)
    g.shown_at = p
    g.shown_tokens = g.tokens[p]
    g.shown_gone = losers
    g.revealed = 1
    if t.box:
        g.box += gone
    else:
        g.supply += gone
    for tribe in range(TRIBES):
        if (losers >> tribe) & 1:
            g.tokens[p] &= ~(<uint32_t> 15 << (4 * tribe))
            g.where[tribe] &= ~bit(p)
            g.reach[tribe] = reached(g, t, tribe)
    g.pacified |= bit(p)
    if laid:
        g.peace_used += 1
        if g.peace_used == t.peace_tiles:
            g.end_reasons |= BY_PEACE
    if g.last_tribe != NONE and g.last_province == p:
        if not (losers >> g.last_tribe) & 1:
            g.end_reasons |= BY_TRIBE   # the last token remains (ATT-11.4)
        g.last_tribe = NONE
    g.queue[0] = g.queue[1]
    g.queued -= 1
    return laid and t.closes[g.peace_used] != 0


# ---- initial position -----------------------------------------------------------------------------------------


cdef inline void start(Game* g, const Tables* t) noexcept nogil:
    """Set the position before the deal (ATT-2)."""
    cdef int i
    g.pile = t.all_cards
    g.base = t.all_cards
    g.supply = t.all_tokens
    g.open = t.all_provinces
    g.last_tribe = NONE
    g.shown_at = NONE
    g.last = NONE
    for i in range(TRIBES):
        g.reach[i] = t.start
    for i in range(t.players):
        g.tiles[i] = ALL_TILES
    g.phase = FIRST_PLAYER if t.random_start else DEAL


# ---- cards of a turn --------------------------------------------------------------------------------


cdef inline void next_play(Game* g, const Tables* t) noexcept nogil:
    """NEXT_PLAY: begin the next card of the turn, or its end (ATT-4.11, 4.12)."""
    g.mover = g.active
    g.live = live_tribes(g)
    g.phase = END
    if g.plays_left == 0:
        return
    if g.hand[g.active] == 0:
        g.plays_left = 0
    elif g.live == 0:
        g.end_reasons |= BY_STALEMATE
        g.plays_left = 0
    else:
        g.plays_left -= 1
        g.doubled = 0
        g.phase = PLAY


cdef inline void begin_turn(Game* g, const Tables* t) noexcept nogil:
    g.turns += 1
    g.idle += 1
    g.plays_left = t.plays
    g.tile_used = 0
    g.shown_at = NONE
    next_play(g, t)


cdef inline void play_card(Game* g, const Tables* t, int tribe) noexcept nogil:
    g.hand[g.active] -= lane(tribe)
    g.discard += lane(tribe)
    note_leave(g, g.active, tribe)
    g.card_tribe = tribe
    g.phase = PLACE


cdef inline void dump_card(Game* g, const Tables* t, int tribe) noexcept nogil:
    """Discard a dead card, which shows that the whole hand was dead (ATT-4.10, D5)."""
    g.hand[g.active] -= lane(tribe)
    g.discard += lane(tribe)
    note_leave(g, g.active, tribe)
    note_dead(g, g.active, ~g.live & 63)
    next_play(g, t)


cdef inline void play_nothing(Game* g, const Tables* t) noexcept nogil:
    """Play no card (option no_live_card = skip); the log keeps room for all entries before the next reshuffle."""
    if g.log_n + 128 < LOG:
        note_dead(g, g.active, ~g.live & 63)
    next_play(g, t)


cdef inline void put_token(Game* g, const Tables* t, int p) noexcept nogil:
    """Place one token of the card's tribe (ATT-4.1, 6.1, 11.2)."""
    cdef int tribe = g.card_tribe
    cdef bint full
    g.tokens[p] += token(tribe)
    g.supply -= lane(tribe)
    g.where[tribe] |= bit(p)
    g.reach[tribe] |= bit(p) | t.adjacent[p]
    full = tokens_at(g, p) == t.fight_at
    if full:
        g.open &= ~bit(p)
        g.queue[g.queued] = p
        g.queued += 1
    if count_of(g.supply, tribe) == 0 and not t.check_late:
        if full:
            g.last_tribe = tribe
            g.last_province = p
        else:
            g.end_reasons |= BY_TRIBE


cdef inline void advance(Game* g, const Tables* t, int tribe, int steps) noexcept nogil:
    """Move the active player's marker, at most to the last space (ATT-5.8, 11.3)."""
    cdef int here = count_of(g.influence[g.active], tribe)
    if steps > t.last_space - here:
        steps = t.last_space - here
    if steps > 0:
        g.influence[g.active] += lane(tribe) * <uint64_t> steps
        if here + steps == t.last_space:
            g.end_reasons |= BY_INFLUENCE


# ---- sequence of conflicts ------------------------------------------------------------------


cdef inline void check_supplies(Game* g, const Tables* t) noexcept nogil:
    """Find supplies that are empty after all conflicts of the card (exhaustion_check = after_conflicts)."""
    cdef int tribe
    if t.check_late and g.queued == 0:
        for tribe in range(TRIBES):
            if count_of(g.supply, tribe) == 0:
                g.end_reasons |= BY_TRIBE


cdef inline void next_conflict(Game* g, const Tables* t) noexcept nogil:
    if g.queued:
        begin_commitments(g, t)
        return
    check_supplies(g, t)
    g.mover = g.active
    if is_scored(g, t, g.scoring_due):
        g.phase = PRESCORE
        return
    g.scoring_due = 0
    next_play(g, t)


cdef inline void after_placing(Game* g, const Tables* t) noexcept nogil:
    if g.queued == 2 and t.choose_order:
        g.phase = ORDER
    else:
        next_conflict(g, t)


cdef inline void reveal(Game* g, const Tables* t) noexcept nogil:
    """REVEAL: resolve the conflict, use its tile, and hold a scoring if a century is over (ATT-8.11)."""
    g.mover = g.active
    if fight(g, t):
        g.scoring_due = t.closes[g.peace_used]
        check_supplies(g, t)
        if not t.score_late and is_scored(g, t, g.scoring_due):
            g.phase = PRESCORE
            return
        if not t.score_late:
            g.scoring_due = 0
    next_conflict(g, t)


cdef inline void stop_laying(Game* g, const Tables* t) noexcept nogil:
    if not pass_on(g, t):
        reveal(g, t)


cdef inline void score_century(Game* g, const Tables* t) noexcept nogil:
    if is_scored(g, t, g.scoring_due):
        hold_scoring(g, t, g.scoring_due - 1)
    g.scoring_due = 0
    next_conflict(g, t)


# ---- drawing cards ----------------------------------------------------------------------------------------


cdef inline void reshuffle(Game* g, const Tables* t) noexcept nogil:
    """Make the discards the pile (ATT-10.4)."""
    log_reshuffle(g, t)
    g.reshuffles += 1
    g.pile = g.discard
    g.discard = 0


cdef inline void next_draw(Game* g, const Tables* t) noexcept nogil:
    """Continue to draw, or return to the phase that caused the draws."""
    if g.to_draw:
        g.phase = DRAW
        if g.pile == 0:
            reshuffle(g, t)
    elif g.back == NONE:
        g.active = seat_after(g.active, t.players)
        begin_turn(g, t)
    else:
        g.phase = g.back


cdef inline void take_card(Game* g, const Tables* t, int seat, int tribe) noexcept nogil:
    g.pile -= lane(tribe)
    g.hand[seat] += lane(tribe)
    g.idle = 0
    g.doer = seat
    note_draw(g, seat, tribe)


cdef inline void deal_card(Game* g, const Tables* t, int tribe) noexcept nogil:
    """Deal six cards in a row to each seat (part 5)."""
    take_card(g, t, g.step // t.hand_size, tribe)
    g.step += 1
    if g.step == t.players * t.hand_size:
        g.active = g.first
        begin_turn(g, t)


cdef inline void draw_card(Game* g, const Tables* t, int tribe) noexcept nogil:
    take_card(g, t, g.active, tribe)
    g.to_draw -= 1
    next_draw(g, t)


cdef inline void end_turn(Game* g, const Tables* t) noexcept nogil:
    """Refill the hand, or end the game (ATT-3.2, 4.13, 11.5)."""
    cdef int due = t.hand_size - size_of(g.hand[g.active])
    if due == 0 and g.idle >= t.players:
        g.end_reasons |= BY_STALEMATE
    if g.turns >= TURN_CAP:
        g.end_reasons |= BY_CAP
    if g.end_reasons:
        hold_final_scoring(g, t)
        g.phase = GAME_OVER
        return
    g.to_draw = due
    g.back = NONE
    next_draw(g, t)


# ---- tile effects ------------------------------------------------------------------------------------------


cdef inline void use_tile(Game* g, const Tables* t, int tile) noexcept nogil:
    g.tiles[g.active] &= ~tile
    g.tile_used = 1
    g.back = g.phase


cdef inline void double_turn(Game* g, const Tables* t) noexcept nogil:
    use_tile(g, t, DOUBLE_TURN)
    g.plays_left = 1
    next_play(g, t)
    g.doubled = 1


cdef inline void give(Game* g, const Tables* t, int tribe) noexcept nogil:
    g.hand[g.active] -= lane(tribe)
    g.given += lane(tribe)
    g.least = tribe
    note_leave(g, g.active, tribe)


cdef inline void exchange(Game* g, const Tables* t) noexcept nogil:
    """Begin an exchange; the discards come before the first draw (ATT-9.5)."""
    g.to_draw = size_of(g.given)
    g.discard += g.given
    g.given = 0
    g.least = 0
    next_draw(g, t)


# ---- moves applied -------------------------------------------------------------------------------------


cdef inline void apply_draw(Game* g, const Tables* t, int code) noexcept nogil:
    """Apply a chance event."""
    g.revealed = 0
    g.last = code
    if code >= M_FIRST:
        g.first = code - M_FIRST
        g.doer = NONE
        g.phase = DEAL
    elif g.phase == DEAL:
        deal_card(g, t, code - M_DRAW)
    else:
        draw_card(g, t, code - M_DRAW)


cdef inline void apply_move(Game* g, const Tables* t, move_t move) noexcept nogil:
    """Play a legal move or a chance event."""
    cdef int code = <int> move
    if M_DRAW <= code < M_SKIP or M_FIRST <= code < M_FIGHT:
        apply_draw(g, t, code)
        return
    g.revealed = 0
    g.last = code
    g.doer = NONE
    if code < M_DUMP:
        play_card(g, t, code)
    elif code < M_AT:
        dump_card(g, t, code - M_DUMP)
    elif code < M_SECOND:
        put_token(g, t, code - M_AT)
        g.phase = FOLLOW
    elif code < M_INFLUENCE:
        put_token(g, t, code - M_SECOND)
        after_placing(g, t)
    elif code == M_INFLUENCE:
        advance(g, t, g.card_tribe, gain(g, t))
        after_placing(g, t)
    elif code < M_DONE:
        if t.open_commitments:
            note_leave(g, g.mover, code - M_COMMIT)
        else:
            g.doer = g.mover
        lay(g, t, code - M_COMMIT)
    elif code == M_DONE:
        stop_laying(g, t)
    elif code == M_SCORE:
        score_century(g, t)
    elif code == M_END_TURN:
        end_turn(g, t)
    elif code == M_DOUBLE:
        double_turn(g, t)
    elif code == M_EXCHANGE:
        use_tile(g, t, EXCHANGE)
        g.least = 0
        g.phase = GIVE
    elif code == M_TILE_INFLUENCE:
        use_tile(g, t, INFLUENCE_2)
        g.phase = INF_A
    elif code < M_GIVEN:
        give(g, t, code - M_GIVE)
    elif code == M_GIVEN:
        exchange(g, t)
    elif code < M_STEP_B:
        g.first_tribe = code - M_STEP_A
        advance(g, t, g.first_tribe, 1)
        g.phase = INF_B
    elif code < M_DRAW:
        advance(g, t, code - M_STEP_B, 1)
        g.phase = g.back
    elif code == M_SKIP:
        play_nothing(g, t)
    else:                               # M_FIGHT
        if g.queue[0] != code - M_FIGHT:
            g.queue[1] = g.queue[0]
            g.queue[0] = code - M_FIGHT
        next_conflict(g, t)
