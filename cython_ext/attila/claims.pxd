"""Attila knowledge: what share of a tribe's tokens and provinces each seat can expect (ATT-8, 12.4).

A scoring pays by places on the influence chart, so small steps matter little until one changes a place. Before the
scoring is there a lead is worth the chance that it lasts; leads count in cards, not in spaces.
"""

from sfida.cython_ext.attila.board cimport SEATS, Tables
from sfida.cython_ext.attila.weights cimport NOW, SPAN, Race, Races, Weights


cdef struct Claims:
    double tokens[SEATS]                # points a token on the board
    double provinces[SEATS]             # points a province with one


cdef inline int within_span(int lead) noexcept nogil:
    return SPAN if lead > SPAN else -SPAN if lead < -SPAN else lead


cdef inline double ahead(const Weights* w, int used, int row, int lead) noexcept nogil:
    """Chance that who leads by so many spaces now is ahead when it counts."""
    return w.ahead[used][row][SPAN + within_span(lead)]


cdef inline void sure_claims(const Tables* t, const int* markers, Claims* c) noexcept nogil:
    """As the rules have it, but for rounding up."""
    cdef int i, n = t.players, k = 0, m = 0, first = 0, second = 0
    for i in range(n):
        c.tokens[i] = 0.0
        c.provinces[i] = 0.0
        if markers[i] > first:
            first = markers[i]
    if first == 0:
        return
    for i in range(n):
        k += markers[i] == first
        if markers[i] < first and markers[i] > second:
            second = markers[i]
    for i in range(n):
        m += markers[i] == second
    for i in range(n):
        if markers[i] == first:
            c.tokens[i] = 1.0 / k
            if k > 1 or second == 0:
                c.provinces[i] = 1.0 / k
        elif k == 1 and second and markers[i] == second and not (n == 2 and first - second > t.gap):
            c.provinces[i] = 1.0 / m


cdef inline Race race_of_two(const Tables* t, const Weights* w, int used, int row, bint both_in,
                             int lead) noexcept nogil:
    """What is looked up: a race where both are in the column, or not both, so that who is behind is at the bottom."""
    cdef Race r
    cdef Claims c
    cdef int markers[2]
    cdef int low = both_in
    cdef double front, back, half, here, there, both
    markers[0] = low + (lead if lead > 0 else 0)
    markers[1] = low - (lead if lead < 0 else 0)
    if row == NOW:
        sure_claims(t, markers, &c)
        for low in range(2):
            r.tokens[low] = c.tokens[low]
            r.provinces[low] = c.provinces[low]
        return r
    front = ahead(w, used, row, lead)
    back = ahead(w, used, row, -lead)
    half = 0.5 * (1.0 - front - back)
    here = 1.0 if markers[0] else w.enter[used][row]
    there = 1.0 if markers[1] else w.enter[used][row]
    both = here * there
    r.tokens[0] = both * (front + half) + here - both
    r.tokens[1] = both * (back + half) + there - both
    r.provinces[0] = both * (back - ahead(w, used, row, -lead - t.gap) + half) + here - both
    r.provinces[1] = both * (front - ahead(w, used, row, lead - t.gap) + half) + there - both
    return r


cdef inline const Race* find_race(const Races* races, int here, int there) noexcept nogil:
    """The claims of two players, by their markers."""
    cdef int lead = SPAN + within_span(here - there)
    return &races.both[lead] if here and there else &races.other[lead]


cdef inline void claims_of_many(const Weights* w, int used, int row, const int* markers, int n,
                                Claims* c) noexcept nogil:
    """Independent races of two at a time; ties count half. Written for each number of players, `n`, by the compiler."""
    cdef double stays[SEATS][SEATS]     # chance that i is not behind j
    cdef double there[SEATS]
    cdef double second[SEATS]
    cdef const double* level = &w.level[used][row][SPAN]
    cdef double x, sum, nobody
    cdef int i, j, k
    for i in range(n):
        there[i] = 1.0 if markers[i] else w.enter[used][row]
    nobody = 1.0
    sum = 1e-12
    for i in range(n):
        nobody *= 1.0 - there[i]
        for j in range(i):
            x = level[within_span(markers[i] - markers[j])]
            stays[i][j] = 1.0 - there[j] * (1.0 - x)
            stays[j][i] = 1.0 - there[i] * x
    for i in range(n):
        x = there[i]
        for j in range(n):
            if j != i:
                x *= stays[i][j]
        c.tokens[i] = x
        c.provinces[i] = 0.0
        sum += x
    sum = (1.0 - nobody) / sum
    for i in range(n):
        c.tokens[i] *= sum
    for j in range(n):                  # who is second when j is first
        nobody = 1.0
        sum = 1e-12
        for i in range(n):
            if i == j:
                continue
            nobody *= 1.0 - there[i]
            x = there[i]
            for k in range(n):
                if k != i and k != j:
                    x *= stays[i][k]
            second[i] = x
            sum += x
        c.provinces[j] += c.tokens[j] * nobody
        sum = (1.0 - nobody) / sum * c.tokens[j]
        for i in range(n):
            if i != j:
                c.provinces[i] += second[i] * sum


cdef inline void find_claims(const Tables* t, const Weights* w, int used, int row, const int* markers,
                             Claims* c) noexcept nogil:
    """The claims of all seats to a tribe at a scoring of the row, with so many peace tiles used."""
    cdef const Race* r
    cdef int i
    if t.players == 2:
        r = find_race(&w.races[used][row], markers[0], markers[1])
        for i in range(2):
            c.tokens[i] = r.tokens[i]
            c.provinces[i] = r.provinces[i]
    elif row == NOW:
        sure_claims(t, markers, c)
    elif t.players == 3:
        claims_of_many(w, used, row, markers, 3, c)
    elif t.players == 4:
        claims_of_many(w, used, row, markers, 4, c)
    else:
        claims_of_many(w, used, row, markers, 5, c)


cdef inline double against(const Tables* t, const Weights* w, const double* x, int seat) noexcept nogil:
    """What a seat has beyond the mean of the others."""
    cdef double sum = 0.0
    cdef int i
    if t.players == 2:                  # often asked: without a division
        return x[seat] - w.k.rival * (x[0] + x[1] - x[seat])
    for i in range(t.players):
        sum += x[i]
    return x[seat] - w.k.rival * (sum - x[seat]) / (t.players - 1)
