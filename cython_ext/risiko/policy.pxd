"""RisiKo! knowledge: how good each move is for who makes it, in armies.

Only public things and the mover's own secrets are read, unless the plan was made for a world in which nobody decides
any more.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.battle cimport at_most
from sfida.cython_ext.risiko.board cimport (
    ATTACK, FORTIFY, K_ATTACK, K_END_ATTACK, K_END_TRADE, K_END_TURN, K_SAFE_ASSAULT, OCCUPY, PLACE, SETUP_PLACE,
    TERRITORIES, TERRITORY_COUNT, TRADE, Game, Objective, Tables, amount_of, kind_of, origin_of, target_of,
)
from sfida.cython_ext.risiko.cards cimport set_worth
from sfida.cython_ext.risiko.objectives cimport effective
from sfida.cython_ext.risiko.odds cimport Odds, fit_stacks, price_of, win_chance
from sfida.cython_ext.risiko.plans cimport Plan, danger, march
from sfida.cython_ext.risiko.weights cimport Weights
from sfida.cython_ext.state cimport move_t


cdef enum:
    SILLY = -1000000                    # worth of a move that nothing speaks for: it hardly counts among the priors


cdef inline double max_of(double a, double b) noexcept nogil:
    return a if a > b else b


# ---- armies -----------------------------------------------------------------------------------------


cdef inline bint counts_armies(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The seat's objective asks for more than one army on each territory."""
    return (t.by_armies >> g.objective[seat]) & 1 if g.objective[seat] < t.n_objectives else False


cdef inline int to_lift(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Single armies that lack a second one for an objective that is complete but for them (RIS-18.18); 0: none."""
    cdef const Objective* o
    cdef int n
    if g.objective[seat] >= t.n_objectives:
        return 0
    o = &t.objective[effective(g, t, seat, g.objective[seat])]
    if o.type != TERRITORY_COUNT or o.min_armies < 2 or popcount(g.own[seat]) < o.count:
        return 0
    n = o.count - popcount(g.own[seat] & g.many)
    return n if n > 0 else 0


cdef inline double placed_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int i,
                                int n, int later) noexcept nogil:
    """Worth of `n` more armies on an own territory, with as many as `later` to come besides (setup)."""
    cdef int a = g.armies[i]
    cdef double x = 0.02 * n * p.field[i]
    if n == 0:
        return 0.0
    if not t.adjacent[i] & ~g.own[p.seat]:
        return x
    x += march(p, g, t, k, w, i, a + n + later) - march(p, g, t, k, w, i, a + later)
    return x + p.worth[i] * (danger(p, g, t, k, w, i, a) - danger(p, g, t, k, w, i, a + n))


cdef inline void weigh_places(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w,
                              const move_t* moves, int n, double* out) noexcept nogil:
    """An amount counts with the best use of what it leaves."""
    cdef double worth[TERRITORIES][5]
    cdef double first[5]
    cdef double second[5]
    cdef int who[5]
    cdef int amount[5]
    cdef int left = g.left, i, j, s, m, later = 0, lift = to_lift(g, t, p.seat)
    cdef uint64_t mask = g.own[p.seat], lifts = 0
    cdef bint armies_count = counts_armies(g, t, p.seat)
    if g.phase == SETUP_PLACE:
        later = 3 + g.stock[p.seat] // 3
    elif lift and lift <= left:
        lifts = mask & ~g.many
    amount[0] = 1
    amount[1] = (left + 1) >> 1
    amount[2] = left
    amount[3] = left - 1
    amount[4] = left - amount[1]
    for s in range(5):
        first[s] = 0.0
        second[s] = 0.0
        who[s] = -1
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        for s in range(5):
            if s and amount[s] == amount[0]:
                worth[i][s] = worth[i][0]
            else:
                worth[i][s] = placed_worth(p, g, t, k, w, i, amount[s], later)
            if worth[i][s] > first[s]:
                second[s] = first[s]
                first[s] = worth[i][s]
                who[s] = i
            elif worth[i][s] > second[s]:
                second[s] = worth[i][s]
    for j in range(n):
        i = target_of(moves[j])
        m = amount_of(moves[j])
        if lifts:
            out[j] = w.k.goal if (lifts >> i) & 1 and m == 1 else 0.0
        elif not t.adjacent[i] & ~g.own[p.seat] and not (armies_count and g.armies[i] == 1):
            out[j] = SILLY
        elif m == left:
            out[j] = worth[i][2]
        elif m == 1:
            out[j] = worth[i][0] + (second[3] if who[3] == i else first[3])
        elif m == amount[1]:
            out[j] = worth[i][1] + (second[4] if who[4] == i else first[4])
        else:
            out[j] = placed_worth(p, g, t, k, w, i, m, later)


# ---- attacks ----------------------------------------------------------------------------------------


cdef inline double prize_of(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int f,
                            int x) noexcept nogil:
    """Worth of a conquest, with what may follow it."""
    cdef double prize = p.worth[x] + (w.k.card if g.conquests == 0 else 0.0)
    cdef int after = g.armies[f] - <int> (price_of(k, g.armies[x]) + 0.5)
    if (p.goal.missing >> x) & 1 and p.goal.steps <= 1.0:
        return prize + w.k.goal
    if after >= 3:
        prize += w.k.ahead * at_most(after, 6) / 6.0 * p.field[x]
    return prize


cdef inline double assault_worth(const Odds* k, const Weights* w, int form, int a, int d, double prize,
                                 double exposed) noexcept nogil:
    """An assault; who loses the stack leaves its territory open."""
    fit_stacks(&a, &d)
    return (k.win[form][a][d] * prize - w.k.army * k.lost[form][a][d] + w.k.slain * k.slain[form][a][d]
            - (1.0 - k.win[form][a][d]) * exposed)


cdef inline double throw_worth(const Tables* t, const Odds* k, const Weights* w, int a, int d, int dice, double prize,
                               double exposed) noexcept nogil:
    """One throw, and the assault afterwards where that pays."""
    cdef int m = at_most(d, 3), both = at_most(dice, m), i
    cdef double sum = 0.0, x
    for i in range(both + 1):
        x = i * w.k.slain - (both - i) * w.k.army
        if d == i:
            x += prize
        else:
            x += max_of(0.0, assault_worth(k, w, 0, a - both + i, d - i, prize, exposed))
        sum += x * t.ways[dice][m][i] / t.throws[dice][m]
    return sum


cdef inline double attack_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int f,
                                int x, int kind, int dice) noexcept nogil:
    cdef double prize = prize_of(p, g, t, k, w, f, x)
    cdef double exposed
    if (p.protected >> x) & 1:
        return SILLY
    if win_chance(k, g.armies[f], g.armies[x]) < w.k.hopeless and (
            p.goal.steps > 1.0 or not (p.goal.missing >> x) & 1):
        return SILLY
    exposed = p.worth[f] * (danger(p, g, t, k, w, f, 1) - danger(p, g, t, k, w, f, g.armies[f]))
    if kind == K_ATTACK:
        return throw_worth(t, k, w, g.armies[f], g.armies[x], dice, prize, exposed)
    return assault_worth(k, w, kind == K_SAFE_ASSAULT, g.armies[f], g.armies[x], prize, exposed)


# ---- movements --------------------------------------------------------------------------------------


cdef inline double stack_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int i,
                               int armies, bint now) noexcept nogil:
    """Worth of so many armies on an own territory: its safety, the field, and what they may conquer at once."""
    cdef double x = 0.05 * at_most(armies, 40) * p.field[i] - p.worth[i] * danger(p, g, t, k, w, i, armies)
    return x + march(p, g, t, k, w, i, armies) if now else x


cdef inline double occupy_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w,
                                int n) noexcept nogil:
    """Moving `n` armies on: both stacks' safety, the better of their marches and a share of the other."""
    cdef int f = g.origin, x = g.target, a = g.armies[g.origin] - n, b = g.armies[g.target] + n
    cdef double one = march(p, g, t, k, w, f, a), two = march(p, g, t, k, w, x, b)
    return (stack_worth(p, g, t, k, w, f, a, False) + stack_worth(p, g, t, k, w, x, b, False)
            + (one + 0.4 * two if one > two else two + 0.4 * one))


cdef inline double fortify_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int f,
                                 int x, int n) noexcept nogil:
    return (stack_worth(p, g, t, k, w, f, g.armies[f] - n, False)
            + stack_worth(p, g, t, k, w, x, g.armies[x] + n, False)
            - stack_worth(p, g, t, k, w, f, g.armies[f], False) - stack_worth(p, g, t, k, w, x, g.armies[x], False))


cdef inline double trade_worth(const Game* g, const Tables* t, const Weights* w, move_t code) noexcept nogil:
    """A poor set waits for a better one, unless the hand is large anyway."""
    cdef double x = set_worth(g, t, <int> ((code >> 12) & 63), <int> ((code >> 6) & 63), <int> (code & 63))
    return x - (w.k.patience if popcount(g.hand[g.on_turn]) < 5 else 0.0)


# ---- all moves --------------------------------------------------------------------------------------


cdef inline void weigh_moves(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w,
                             const move_t* moves, int n, double* out) noexcept nogil:
    """The worth of every move of a list; doing nothing is worth 0 where it is a choice."""
    cdef int i, kind
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        weigh_places(p, g, t, k, w, moves, n, out)
        return
    for i in range(n):
        kind = kind_of(moves[i])
        out[i] = 0.0
        if kind == K_END_ATTACK or kind == K_END_TRADE or kind == K_END_TURN:
            continue
        if g.phase == ATTACK:
            out[i] = attack_worth(p, g, t, k, w, origin_of(moves[i]), target_of(moves[i]), kind, amount_of(moves[i]))
        elif g.phase == OCCUPY:
            out[i] = occupy_worth(p, g, t, k, w, amount_of(moves[i]))
        elif g.phase == FORTIFY:
            out[i] = fortify_worth(p, g, t, k, w, origin_of(moves[i]), target_of(moves[i]), amount_of(moves[i]))
        elif g.phase == TRADE:
            out[i] = trade_worth(g, t, w, moves[i])
        else:
            out[i] = amount_of(moves[i])        # dice of the defender: the more the better (RIS-14.9)


cdef inline void soften(const double* worth, int n, const Weights* w, float* out) noexcept nogil:
    """Shares by worth; the temperature grows with what is at stake, but small shares stay."""
    cdef double top = SILLY, low = -<double> SILLY, heat, sum = 0.0, x
    cdef int i
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
        if SILLY < worth[i] < low:
            low = worth[i]
    heat = w.k.heat + w.k.spread * max_of(top - low, 0.0)
    for i in range(n):
        x = exp((worth[i] - top) / heat) + w.k.least
        out[i] = <float> x
        sum += x
    for i in range(n):
        out[i] = <float> (out[i] / sum)
