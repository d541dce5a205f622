"""RisiKo! knowledge: exact odds of whole assaults, in tables made once for the options (RIS-7.5 to 7.8, 9.6, 11.4).

Both sides throw the maximum. Larger stacks than the tables hold are scaled down together.
"""

from libc.string cimport memset

from sfida.cython_ext.risiko.battle cimport at_most, next_throw
from sfida.cython_ext.risiko.board cimport MAX_DICE, TO_THE_END, WITH_RESERVE, Tables


cdef enum:
    STACK = 32                          # largest stack of the tables
    FORMS = 4                           # to the end, with a reserve; both against a protected territory (RIS-9.6)
    SHIELDED = 2                        # added to the form for that


cdef struct Odds:
    float win[FORMS][STACK + 1][STACK + 1]      # chance of conquest, by armies of origin and target
    float lost[FORMS][STACK + 1][STACK + 1]     # armies that the attacker is expected to lose
    float slain[FORMS][STACK + 1][STACK + 1]    # and the defender
    float price[STACK + 1]              # armies that so many defenders are expected to cost who has plenty


cdef inline void fill_form(const Tables* t, Odds* k, int form) noexcept nogil:
    cdef int assault = WITH_RESERVE if form & 1 else TO_THE_END
    cdef int a, d, i, dice, m, both
    cdef double p, win, lost, slain
    for a in range(STACK + 1):
        k.win[form][a][0] = 1.0
    for d in range(1, STACK + 1):
        for a in range(2, STACK + 1):
            dice = next_throw(t, assault, a, d, form >= SHIELDED)
            if dice == 0:
                continue
            m = at_most(d, MAX_DICE)
            both = at_most(dice, m)
            win = 0.0
            lost = 0.0
            slain = 0.0
            for i in range(both + 1):
                p = <double> t.ways[dice][m][i] / t.throws[dice][m]
                win += p * k.win[form][a - both + i][d - i]
                lost += p * (both - i + k.lost[form][a - both + i][d - i])
                slain += p * (i + k.slain[form][a - both + i][d - i])
            k.win[form][a][d] = <float> win
            k.lost[form][a][d] = <float> lost
            k.slain[form][a][d] = <float> slain


cdef inline void fill_odds(const Tables* t, Odds* k) noexcept nogil:
    """Make the tables from those of single throws."""
    cdef int d, i, m, form
    cdef double p, x, stay
    memset(k, 0, sizeof(Odds))
    for form in range(FORMS):
        fill_form(t, k, form)
    for d in range(1, STACK + 1):
        m = at_most(d, MAX_DICE)
        x = 0.0
        stay = 0.0
        for i in range(m + 1):
            p = <double> t.ways[MAX_DICE][m][i] / t.throws[MAX_DICE][m]
            x += p * (m - i)
            if i == 0:
                stay = p
            else:
                x += p * k.price[d - i]
        k.price[d] = <float> (x / (1.0 - stay))


cdef inline void fit_stacks(int* a, int* d) noexcept nogil:
    """Scale two stacks down to what the tables hold."""
    cdef int most = a[0] if a[0] > d[0] else d[0]
    if most > STACK:
        a[0] = a[0] * STACK // most
        d[0] = d[0] * STACK // most
        if d[0] == 0:
            d[0] = 1


cdef inline double win_chance(const Odds* k, int a, int d) noexcept nogil:
    """Chance that `a` armies conquer a territory with `d` when they fight to the end."""
    fit_stacks(&a, &d)
    return k.win[0][a][d]


cdef inline double chance_after(const Tables* t, const Odds* k, int form, int a, int d, int dice) noexcept nogil:
    """Chance that `a` armies conquer a territory with `d` by a throw of `dice` and then as the form says.

    Of scaled stacks the first throw is one like the others.
    """
    cdef int m = at_most(d, MAX_DICE), both = at_most(dice, m), i
    cdef double sum = 0.0
    if dice == 0 or a > STACK or d > STACK:
        fit_stacks(&a, &d)
        return k.win[form][a][d]
    for i in range(both + 1):
        sum += k.win[form][a - both + i][d - i] * t.ways[dice][m][i] / t.throws[dice][m]
    return sum


cdef inline double price_of(const Odds* k, int d) noexcept nogil:
    """Armies that conquering a territory with `d` armies takes: expected losses, and one that stays there."""
    if d <= STACK:
        return 1.0 + k.price[d]
    return 1.0 + k.price[STACK] + (d - STACK) * (k.price[STACK] - k.price[STACK - 1])
