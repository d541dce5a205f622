"""Attila policy: worth of each move for its mover, in points relative to the other seats; priors and playouts.

A move that starts a conflict, holds a scoring or ends the game is tried on a copy in which no cards are laid;
for other moves the changes are added up. Only the mover's own hand is read.

Playouts know the whole world that they play in and need no lists of moves. In a turn by worth the outlook is
computed once per card: first the card, by its influence and the token that it may place, then the best province for
it, then influence or a second token. Noise is added to the worths, so that playouts differ.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.attila.board cimport (
    COMMIT, DOUBLE_TURN, END, EXCHANGE, FOLLOW, GAME_OVER, GIVE, HURRIED, INF_A, INF_B, INFLUENCE_2, M_AT, M_COMMIT,
    M_DONE, M_DOUBLE, M_DUMP, M_EXCHANGE, M_GIVE, M_GIVEN, M_INFLUENCE, M_SCORE, M_SECOND, M_STEP_A, M_STEP_B,
    M_TILE_INFLUENCE, ORDER, PLACE, PLAY, PRESCORE, Game, allowed, bit, gain, spread, tokens_at
)
from sfida.cython_ext.attila.evaluation cimport (
    FIRSTS, NOW, SECONDS, Claims, Memory, Outlook, Stakes, Weights, against, best_steps, fill_outlook, find_claims,
    find_stakes, promise, read_markers, relative_points, step_worth, token_worth
)
from sfida.cython_ext.attila.moves cimport eligible, has_tile, may_double, may_step, moves_of, second_steps, steps_below
from sfida.cython_ext.attila.tables cimport PROVINCES, SEATS, TRIBES, Tables
from sfida.cython_ext.attila.turn cimport (
    advance, after_placing, apply_move, end_turn, hold_final_scoring, lay, next_conflict, play_card, put_token,
    score_century, stop_laying, use_tile
)
from sfida.cython_ext.bits cimport count_of, lane, lowest, nth, popcount
from sfida.cython_ext.lanes cimport kinds_of, size_of
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t

# ---- commitments: cards laid in a conflict (ATT-6) -------------------------------------------------------------


cdef inline double squashed(double x) noexcept nogil:
    """A sigmoid without exponentials."""
    return 0.5 + 0.5 * x / (1.0 + (x if x > 0.0 else -x))


cdef inline double doubt_of(const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    """Uncertainty of the strengths: other seats' cards face down, and those expected of later seats."""
    cdef double unknown = 0.0
    cdef int i
    for i in range(t.players):
        if i != g.mover and not t.open_commitments:
            unknown += size_of(g.laid[i])
    i = seat_after(g.mover, t.players)
    while i != g.active:
        unknown += w.k.rash
        i = seat_after(i, t.players)
    return w.k.doubt + w.k.unknown * unknown


cdef inline double conflict_worth(const Stakes* s, uint64_t tokens, uint64_t strength, double doubt) noexcept nogil:
    """Expected remains of a conflict with these strengths."""
    cdef double sum = 0.0, x, stay
    cdef int tribe, n, m, least = 127, other = 127
    for tribe in range(TRIBES):
        if count_of(tokens, tribe):
            m = count_of(strength, tribe)
            if m < least:
                other = least
                least = m
            elif m < other:
                other = m
    if other == 127:
        return 0.0                      # alone in the province, it is the weakest (ATT-6.9)
    for tribe in range(TRIBES):
        n = count_of(tokens, tribe)
        if n:
            m = count_of(strength, tribe)
            x = (m - other if m == least else m - least) - 0.5
            stay = squashed(x / doubt)
            sum += stay * (n * s.both[FIRSTS + tribe] + s.both[SECONDS + tribe])
    return sum


cdef inline double price_of(const Game* g, const Tables* t, const Weights* w, const Outlook* o) noexcept nogil:
    """Cost in points of laying a card; it grows with the time until new ones are drawn (part 11.9)."""
    cdef int turns = g.mover - g.active
    if turns < 0:
        turns += t.players
    if turns == 0:
        return w.k.price * o.pace
    return (w.k.price + w.k.wait * turns / (t.players - 1)) * o.pace


cdef inline uint64_t strengths(const Game* g, const Tables* t, uint64_t tokens) noexcept nogil:
    """Strengths as the mover knows them, without its further cards."""
    cdef uint64_t found = tokens + g.laid[g.mover]
    cdef int i
    if t.open_commitments:
        for i in range(t.players):
            if i != g.mover:
                found += g.laid[i]
    return found


cdef inline void weigh_commitments(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                                   const Stakes* s, double* best) noexcept nogil:
    """Worth of the best whole commitment by its next card; the last entry is for no further card."""
    cdef int kinds[TRIBES]
    cdef int most[TRIBES]
    cdef int n[TRIBES]
    cdef int k, m = 0, set = eligible(g, g.mover), first
    cdef int need = g.bound[g.mover] - 1 - size_of(g.laid[g.mover]) if g.bound[g.mover] else -1
    cdef uint64_t tokens = spread(g.tokens[g.queue[0]]), strength = strengths(g, t, tokens), cards = 0
    cdef double doubt = doubt_of(g, t, w), price = price_of(g, t, w, o), x
    for k in range(TRIBES + 1):
        best[k] = -1e6
    for k in range(TRIBES):
        if (set >> k) & 1:
            kinds[m] = k
            most[m] = count_of(g.hand[g.mover], k)
            n[m] = 0
            m += 1
    while True:
        if need < 0 or size_of(cards) == need:
            x = conflict_worth(s, tokens, strength + cards, doubt) - price * size_of(cards)
            first = TRIBES
            for k in range(m):
                if n[k]:
                    first = kinds[k]
                    break
            if x > best[first]:
                best[first] = x
        k = 0
        while k < m:                    # the next multiset
            if n[k] < most[k]:
                n[k] += 1
                cards += lane(kinds[k])
                break
            cards -= lane(kinds[k]) * <uint64_t> n[k]
            n[k] = 0
            k += 1
        if k == m:
            return


# ---- worth of moves ------------------------------------------------------------------------------------------


cdef struct Judge:                      # the seat that chooses a move
    int seat
    Outlook outlook
    Stakes stakes
    double base                         # expected points now, relative to the other seats
    bint known                          # whether `base` is computed


cdef inline void set_judge(Judge* j, const Game* g, const Tables* t, const Weights* w, Memory* memory,
                           int seat) noexcept nogil:
    j.seat = seat
    j.known = False
    fill_outlook(g, t, w, memory, &j.outlook)
    find_stakes(t, w, &j.outlook, seat, &j.stakes)


cdef inline double base_of(Judge* j, const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    if not j.known:
        j.base = relative_points(g, t, w, j.outlook.memory, j.seat)
        j.known = True
    return j.base


cdef inline void pass_through(Game* g, const Tables* t) noexcept nogil:
    """Resolve conflicts without laid cards, and hold scorings."""
    while True:
        if g.phase == COMMIT:
            stop_laying(g, t)
        elif g.phase == PRESCORE:
            score_century(g, t)
        elif g.phase == ORDER:
            next_conflict(g, t)
        else:
            return


cdef inline double tried(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe, int p, int second,
                         bint follow) noexcept nogil:
    """Try a token in `p`, then one in `second` or, with `follow`, influence; p or second -1: no token."""
    cdef Game twin
    memcpy(&twin, g, sizeof(Game))
    twin.world = HURRIED
    twin.card_tribe = tribe
    if p >= 0:
        twin.queued = 0                 # remaining conflicts belong to an earlier card (ATT-9.3)
        put_token(&twin, t, p)
    if second >= 0:
        put_token(&twin, t, second)
    elif follow:
        advance(&twin, t, tribe, gain(&twin, t))
    after_placing(&twin, t)
    pass_through(&twin, t)
    return relative_points(&twin, t, w, j.outlook.memory, j.seat) - base_of(j, g, t, w)


cdef inline bint ends_game(const Game* g, const Tables* t, int seat, int tribe, int steps) noexcept nogil:
    """Whether the steps bring a marker to the last space."""
    cdef int here = count_of(g.influence[seat], tribe)
    return here < t.last_space and here + steps >= t.last_space


cdef inline double influence_worth(Judge* j, const Game* g, const Tables* t, const Weights* w,
                                   int tribe) noexcept nogil:
    """Worth of a card's influence, where no conflict waits."""
    cdef int steps = gain(g, t)
    if ends_game(g, t, j.seat, tribe, steps) and g.end_reasons == 0:
        return tried(j, g, t, w, tribe, -1, -1, True)
    return step_worth(g, t, w, &j.outlook, &j.stakes, tribe, steps)


cdef inline double second_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe,
                                int p) noexcept nogil:
    """Worth of a second token, where no conflict waits."""
    cdef int count = tokens_at(g, p)
    if count + 1 == t.fight_at or count_of(g.supply, tribe) == 1:
        return tried(j, g, t, w, tribe, -1, p, False)
    return token_worth(g, w, &j.outlook, &j.stakes, tribe, p)


cdef inline double follow_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe) noexcept nogil:
    """Worth of the better of influence and a second token without a conflict, after the first token."""
    cdef uint32_t mask = allowed(g, tribe)
    cdef double x, best = influence_worth(j, g, t, w, tribe), second = -1e9
    cdef int p
    while mask:
        p = lowest(mask)
        mask &= mask - 1
        if tokens_at(g, p) + 1 < t.fight_at:
            x = token_worth(g, w, &j.outlook, &j.stakes, tribe, p)
            if x > second:
                second = x
    return best if best > second else second


cdef inline double place_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe, int p,
                               double follow) noexcept nogil:
    """Worth of a first token with the best continuation."""
    cdef int count = tokens_at(g, p)
    cdef double x, best
    if count + 1 == t.fight_at:
        return tried(j, g, t, w, tribe, p, -1, True)
    best = token_worth(g, w, &j.outlook, &j.stakes, tribe, p) + follow
    if count + 2 == t.fight_at and count_of(g.supply, tribe) > 1:
        x = tried(j, g, t, w, tribe, p, p, False)
        if x > best:
            best = x
    return best


cdef inline double card_worth(Judge* j, const Game* g, const Tables* t, const Weights* w, int tribe) noexcept nogil:
    """Worth of the best use of a card now."""
    cdef uint32_t mask = allowed(g, tribe)
    cdef double x, best = -1e9, follow = follow_worth(j, g, t, w, tribe)
    while mask:
        x = place_worth(j, g, t, w, tribe, lowest(mask), follow)
        mask &= mask - 1
        if x > best:
            best = x
    return best


cdef inline void weigh_hand(Judge* j, const Game* g, const Tables* t, const Weights* w, double* worth) noexcept nogil:
    """Fill the worth of a card of each tribe; 0 for dead ones."""
    cdef int tribe
    for tribe in range(TRIBES):
        worth[tribe] = card_worth(j, g, t, w, tribe) if allowed(g, tribe) else 0.0


cdef inline double exchange_worth(const Game* g, const Weights* w, const Outlook* o, const double* hand) noexcept nogil:
    """Worth of new cards for those below the mean."""
    cdef double mean = 0.0, sum = 0.0
    cdef int tribe
    for tribe in range(TRIBES):
        mean += hand[tribe] / TRIBES
    for tribe in range(TRIBES):
        if hand[tribe] < mean:
            sum += (mean - hand[tribe]) * count_of(g.hand[g.active], tribe)
    return 0.25 * sum - 1.5 - w.k.exchange * o.pace


cdef inline void weigh_moves(const Game* g, const Tables* t, const Weights* w, Memory* memory, const move_t* moves,
                             int n, double* worth) noexcept nogil:
    """Fill the worth of each legal move of the seat to move."""
    cdef Judge j
    cdef double hand[TRIBES]
    cdef double each[TRIBES + 1]
    cdef double follow = 0.0, best = -1e9, mean = 0.0
    cdef int i, code, tribe, held, phase = g.phase
    set_judge(&j, g, t, w, memory, g.mover)
    if phase == PLACE:
        follow = follow_worth(&j, g, t, w, g.card_tribe)
    elif phase == COMMIT:
        weigh_commitments(g, t, w, &j.outlook, &j.stakes, each)
        for i in range(TRIBES + 1):
            best = each[i] if each[i] > best else best
    elif phase == GIVE:
        weigh_hand(&j, g, t, w, hand)
        for i in range(TRIBES):
            mean += hand[i] / TRIBES
    elif phase == INF_A:
        best_steps(g, t, w, &j.outlook, &j.stakes, each)
    for i in range(n):
        code = <int> moves[i]
        worth[i] = 0.0
        if code < M_DUMP:
            held = count_of(g.hand[g.mover], code)
            worth[i] = card_worth(&j, g, t, w, code) + w.k.spare * (held - 1)
            if worth[i] > best:
                best = worth[i]
        elif code < M_AT:
            worth[i] = 0.5 * count_of(g.hand[g.mover], code - M_DUMP)
        elif code < M_SECOND:
            worth[i] = place_worth(&j, g, t, w, g.card_tribe, code - M_AT, follow)
        elif code < M_INFLUENCE:
            if g.queued:
                worth[i] = tried(&j, g, t, w, g.card_tribe, -1, code - M_SECOND, False)
            else:
                worth[i] = second_worth(&j, g, t, w, g.card_tribe, code - M_SECOND)
        elif code == M_INFLUENCE:
            if g.queued:
                worth[i] = tried(&j, g, t, w, g.card_tribe, -1, -1, True)
            else:
                worth[i] = influence_worth(&j, g, t, w, g.card_tribe)
        elif code < M_DONE:
            worth[i] = each[code - M_COMMIT]
        elif code == M_DONE:
            worth[i] = each[TRIBES]
        elif code == M_DOUBLE:
            weigh_hand(&j, g, t, w, hand)
            worth[i] = -1e9
            for tribe in range(TRIBES):
                if count_of(g.hand[g.mover], tribe) and allowed(g, tribe) and hand[tribe] > worth[i]:
                    worth[i] = hand[tribe]
            worth[i] -= w.k.double_turn * j.outlook.pace
        elif code == M_TILE_INFLUENCE:
            worth[i] = best_steps(g, t, w, &j.outlook, &j.stakes, hand)
            worth[i] -= w.k.influence_2 * j.outlook.pace
            if phase == COMMIT:
                worth[i] += best
        elif code == M_EXCHANGE:
            weigh_hand(&j, g, t, w, hand)
            worth[i] = exchange_worth(g, w, &j.outlook, hand)
            if phase == COMMIT:
                worth[i] += best
            elif phase == PLAY:
                worth[i] += best
        elif M_GIVE <= code < M_GIVEN:
            worth[i] = mean - 0.5 - hand[code - M_GIVE]
        elif M_STEP_A <= code < M_STEP_B:
            worth[i] = each[code - M_STEP_A]
        elif code >= M_STEP_B and phase == INF_B:
            worth[i] = step_worth(g, t, w, &j.outlook, &j.stakes, code - M_STEP_B, 1)


cdef inline void soften(const double* worth, int n, const Weights* w, float* out) noexcept nogil:
    """Turn worths into probabilities; the temperature grows with the stakes, but small probabilities remain."""
    cdef double top = -1e300, low = 1e300, heat, sum = 0.0, x
    cdef int i
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
        if worth[i] < low and worth[i] > -1e5:
            low = worth[i]
    heat = w.k.heat + w.k.spread * (top - low if top > low else 0.0)
    for i in range(n):
        x = exp((worth[i] - top) / heat) + w.k.least
        out[i] = <float> x
        sum += x
    for i in range(n):
        out[i] = <float> (out[i] / sum)


cdef inline void find_priors(const Game* g, const Tables* t, const Weights* w, Memory* memory, const move_t* moves,
                             int n, double* scratch, float* out) noexcept nogil:
    if n == 1:
        out[0] = 1.0
        return
    weigh_moves(g, t, w, memory, moves, n, scratch)
    soften(scratch, n, w, out)


# ---- certain wins -----------------------------------------------------------------------------------


cdef inline bint wins_now(Game* g, const Tables* t, int seat) noexcept nogil:
    """Whether the turn can be ended, and with it the game, alone in front."""
    cdef int i
    if g.phase == END and g.end_reasons and g.active == seat:
        hold_final_scoring(g, t)
    elif g.phase != GAME_OVER:
        return False
    for i in range(t.players):
        if i != seat and g.score[i] >= g.score[seat]:
            return False
    return True


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move after which ending the turn wins the game, or -1; other seats' cards do not matter there."""
    cdef Game twin
    cdef int i, phase = g.phase
    if g.mover != g.active or not (phase == END or phase == INF_B or phase == PRESCORE or phase == FOLLOW):
        return -1
    if phase != FOLLOW and not g.end_reasons and phase != INF_B:
        return -1
    for i in range(n):
        memcpy(&twin, g, sizeof(Game))
        twin.world = HURRIED
        apply_move(&twin, t, moves[i])
        if wins_now(&twin, t, g.active):
            return i
    return -1


# ---- uniformly random playouts: every legal move equally likely (part 9) --------------------------------


cdef inline int any_move(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Make one decision from the list."""
    cdef int n = moves_of(g, t, scratch)
    apply_move(g, t, scratch[0 if n == 1 else <int> rng_below(rng, <uint32_t> n)])
    return 1


cdef inline int card_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Choose a card, its province, and influence or a second token."""
    cdef int held = kinds_of(g.hand[g.active]) & g.live, n = popcount(held), k
    cdef uint32_t mask
    if n == 0:
        return any_move(g, t, scratch, rng)
    k = <int> rng_below(rng, <uint32_t> (n + has_tile(g, EXCHANGE)))
    if k == n:
        use_tile(g, t, EXCHANGE)
        g.least = 0
        g.phase = GIVE
        return 1
    play_card(g, t, nth(held, k))
    mask = allowed(g, g.card_tribe)
    put_token(g, t, nth(mask, <int> rng_below(rng, <uint32_t> popcount(mask))))
    mask = allowed(g, g.card_tribe)
    n = popcount(mask)
    k = <int> rng_below(rng, <uint32_t> (n + 1)) if n else 0
    if k == n:
        advance(g, t, g.card_tribe, gain(g, t))
    else:
        put_token(g, t, nth(mask, k))
    after_placing(g, t)
    return 3


cdef inline int lay_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Lay cards for all seats, as long as the conflict lasts and no tile can be used."""
    cdef int kinds, n, k, moves = 0
    while g.phase == COMMIT:
        moves += 1
        if g.bound[g.mover] or (g.mover == g.active and not g.tile_used and g.tiles[g.active] & ~DOUBLE_TURN):
            return moves - 1 + any_move(g, t, scratch, rng)
        kinds = eligible(g, g.mover)
        n = popcount(kinds)
        k = <int> rng_below(rng, <uint32_t> (n + 1)) if n else 0
        if k == n:
            stop_laying(g, t)
        else:
            lay(g, t, nth(kinds, k))
    return moves


cdef inline int play_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Play at random where a seat decides; returns the number of decisions."""
    if t.every_decision or t.open_commitments:
        return any_move(g, t, scratch, rng)
    if g.phase == PLAY:
        return card_at_random(g, t, scratch, rng)
    if g.phase == COMMIT:
        return lay_at_random(g, t, scratch, rng)
    if g.phase == END and (g.tile_used or g.tiles[g.active] == 0):
        end_turn(g, t)
        return 1
    return any_move(g, t, scratch, rng)


# ---- playouts by worth ----------------------------------------------------------------------------------


cdef inline double blur(const Weights* w, Rng* rng) noexcept nogil:
    return w.k.noise * ((<int> rng_below(rng, 1024) - 512) / 512.0)


cdef struct Spots:                      # worth of a token of the card's tribe, by province
    uint32_t known                      # provinces in `gain`; remove those whose tokens change
    double gain[PROVINCES]


cdef inline double closing_gain(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                                const Stakes* s) noexcept nogil:
    """Worth of holding the next scoring at the current standing, if a conflict triggers it."""
    cdef int markers[SEATS]
    cdef Claims c
    cdef double sum = 0.0
    cdef int tribe
    if o.row[0] == NOW or g.peace_used >= t.peace_tiles or not t.closes[g.peace_used + 1]:
        return 0.0
    for tribe in range(TRIBES):         # the next scoring has weight 1 in `s.worth`
        read_markers(g, t, tribe, markers)
        find_claims(t, w, o.used, NOW, markers, &c)
        sum += o.expected[0][FIRSTS + tribe] * (against(t, w, c.tokens, s.seat) - s.worth[0][FIRSTS + tribe])
        sum += o.expected[0][SECONDS + tribe] * (against(t, w, c.provinces, s.seat) - s.worth[0][SECONDS + tribe])
    return sum


cdef inline int best_place(const Game* g, const Tables* t, const Weights* w, const Outlook* o, Stakes* s,
                           Spots* spots, double closing, Rng* rng, double* worth) noexcept nogil:
    """The province where a token of the card's tribe is worth most; -1: none."""
    cdef uint32_t mask = allowed(g, g.card_tribe)
    cdef double x, best = -1e9
    cdef int p, pick = -1
    while mask:
        p = lowest(mask)
        mask &= mask - 1
        if not (spots.known >> p) & 1:
            spots.gain[p] = token_worth(g, w, o, s, g.card_tribe, p)
            if tokens_at(g, p) + 1 == t.fight_at:
                spots.gain[p] += closing
            spots.known |= bit(p)
        x = spots.gain[p] + blur(w, rng)
        if x > best:
            best = x
            pick = p
    worth[0] = best
    return pick


cdef inline int follow_by_worth(Game* g, const Tables* t, const Weights* w, const Outlook* o, Stakes* s,
                                Spots* spots, double closing, Rng* rng) noexcept nogil:
    """Play influence or a second token."""
    cdef int p, steps = gain(g, t)
    cdef double worth
    p = best_place(g, t, w, o, s, spots, closing, rng, &worth)
    if p >= 0 and worth > step_worth(g, t, w, o, s, g.card_tribe, steps) + blur(w, rng):
        put_token(g, t, p)
    else:
        advance(g, t, g.card_tribe, steps)
    after_placing(g, t)
    return 1


cdef inline int card_by_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              Rng* rng) noexcept nogil:
    """The live card that is worth most in influence and tokens; -1: none."""
    cdef int held = kinds_of(g.hand[g.active]) & g.live, tribe, pick = -1, steps = gain(g, t)
    cdef double x, y, best = -1e9
    while held:
        tribe = lowest(held)
        held &= held - 1
        x = promise(s, tribe)
        y = step_worth(g, t, w, o, s, tribe, steps)
        x += y if y > x else x
        x += w.k.spare * count_of(g.hand[g.active], tribe) + 2.0 * blur(w, rng)
        if x > best:
            best = x
            pick = tribe
    return pick


cdef inline int turn_by_worth(Game* g, const Tables* t, const Weights* w, Memory* memory, move_t* scratch,
                              Rng* rng) noexcept nogil:
    """Play the rest of a card: the card, its province, influence or a second token."""
    cdef Outlook o
    cdef Stakes s
    cdef Spots spots
    cdef double closing, worth
    cdef int tribe, p, moves = 0
    fill_outlook(g, t, w, memory, &o)
    find_stakes(t, w, &o, g.active, &s)
    if g.phase == PLAY:
        tribe = card_by_worth(g, t, w, &o, &s, rng)
        if tribe < 0:
            return any_move(g, t, scratch, rng)
        play_card(g, t, tribe)
        moves = 1
    closing = closing_gain(g, t, w, &o, &s)
    spots.known = 0
    if g.phase == PLACE:
        p = best_place(g, t, w, &o, &s, &spots, closing, rng, &worth)
        put_token(g, t, p)
        s.known &= ~bit(p)
        spots.known &= ~bit(p)
        moves += 1
    return moves + follow_by_worth(g, t, w, &o, &s, &spots, closing, rng)


cdef inline int lay_by_worth(Game* g, const Tables* t, const Weights* w, Memory* memory, Rng* rng) noexcept nogil:
    """Lay cards of at most one tribe for each seat, as long as the conflict lasts."""
    cdef Outlook o
    cdef Stakes s
    cdef uint64_t tokens = spread(g.tokens[g.queue[0]]), strength
    cdef double doubt, price, x, best
    cdef int kinds, tribe, k, n, pick, moves = 0, at = g.queue[0], _i
    fill_outlook(g, t, w, memory, &o)
    while g.phase == COMMIT and g.queue[0] == at:
        moves += 1
        kinds = eligible(g, g.mover)
        n = 0
        pick = 0
        if kinds:
            find_stakes(t, w, &o, g.mover, &s)
            doubt = doubt_of(g, t, w)
            price = price_of(g, t, w, &o)
            strength = strengths(g, t, tokens)
            best = conflict_worth(&s, tokens, strength, doubt) + blur(w, rng)
            while kinds:
                tribe = lowest(kinds)
                kinds &= kinds - 1
                for k in range(1, count_of(g.hand[g.mover], tribe) + 1):
                    x = conflict_worth(&s, tokens, strength + lane(tribe) * <uint64_t> k, doubt) - price * k
                    x += blur(w, rng)
                    if x > best:
                        best = x
                        pick = tribe
                        n = k
        for _i in range(n):
            lay(g, t, pick)
        moves += n
        stop_laying(g, t)
    return moves


cdef inline int best_step(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                          int tribes, int steps) noexcept nogil:
    cdef double x, best = -1e300
    cdef int a, pick = 0
    for a in range(TRIBES):
        if (tribes >> a) & 1:
            x = step_worth(g, t, w, o, s, a, steps)
            if x > best:
                best = x
                pick = a
    return pick


cdef inline int tile_by_worth(Game* g, const Tables* t, const Weights* w, Memory* memory, Rng* rng) noexcept nogil:
    """Use Influence 2 or a Double turn at a scoring or the end of a turn if worth it, otherwise continue."""
    cdef double each[TRIBES]
    cdef Outlook o
    cdef Stakes s
    if g.tile_used == 0 and g.tiles[g.active] & (INFLUENCE_2 | DOUBLE_TURN):
        fill_outlook(g, t, w, memory, &o)
        if may_step(g, t):
            find_stakes(t, w, &o, g.active, &s)
            if best_steps(g, t, w, &o, &s, each) > w.k.influence_2 * o.pace + blur(w, rng):
                apply_move(g, t, M_TILE_INFLUENCE)
                return 1
        if g.phase == END and may_double(g) and rng_below(rng, 1024) > <uint32_t> (1000 * o.pace):
            apply_move(g, t, M_DOUBLE)
            return 1
    if g.phase == END:
        end_turn(g, t)
    else:
        apply_move(g, t, M_SCORE)
    return 1


cdef inline int play_by_worth(Game* g, const Tables* t, const Weights* w, Memory* memory, move_t* scratch,
                              Rng* rng) noexcept nogil:
    """Play where a seat decides; returns the number of decisions."""
    cdef Outlook o
    cdef Stakes s
    cdef int phase = g.phase
    if phase == PLAY or phase == PLACE or phase == FOLLOW:
        return turn_by_worth(g, t, w, memory, scratch, rng)
    if phase == COMMIT and not g.bound[g.mover]:
        return lay_by_worth(g, t, w, memory, rng)
    if phase == END or phase == PRESCORE:
        return tile_by_worth(g, t, w, memory, rng)
    if phase == INF_A or phase == INF_B:
        fill_outlook(g, t, w, memory, &o)
        find_stakes(t, w, &o, g.active, &s)
        if phase == INF_A:
            apply_move(g, t, M_STEP_A + best_step(g, t, w, &o, &s, steps_below(g, t), 2))
        else:
            apply_move(g, t, M_STEP_B + best_step(g, t, w, &o, &s, second_steps(g, t), 1))
        return 1
    return any_move(g, t, scratch, rng)
