"""Attila knowledge: what share of a tribe's tokens and provinces each seat can expect (ATT-8, 12.4).

A scoring pays by places on the influence chart, so small steps matter little until one changes a place. Before the
scoring is there a lead is worth the chance that it lasts; leads count in cards, not in spaces.
"""

from sfida.cython_ext.attila.board cimport SEATS, Tables
from sfida.cython_ext.attila.weights cimport NOW, SPAN, Race, Weights


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


cdef inline Race race_of_two(const Tables* t, const Weights* w, int used, int row, int lead) noexcept nogil:
    cdef Race r
    cdef double front = ahead(w, used, row, lead), back = ahead(w, used, row, -lead)
    cdef double half = 0.5 * (1.0 - front - back)
    r.tokens[0] = front + half
    r.tokens[1] = back + half
    r.provinces[0] = back - ahead(w, used, row, -lead - t.gap) + half
    r.provinces[1] = front - ahead(w, used, row, lead - t.gap) + half
    return r


cdef inline void claims_of_two(const Weights* w, int used, int row, const int* markers, Claims* c) noexcept nogil:
    cdef double here = 1.0 if markers[0] else w.enter[used][row], there = 1.0 if markers[1] else w.enter[used][row]
    cdef double both = here * there
    cdef const Race* r = &w.race[used][row][SPAN + within_span(markers[0] - markers[1])]
    c.tokens[0] = both * r.tokens[0] + here - both
    c.tokens[1] = both * r.tokens[1] + there - both
    c.provinces[0] = both * r.provinces[0] + here - both
    c.provinces[1] = both * r.provinces[1] + there - both


cdef inline void claims_of_many(const Tables* t, const Weights* w, int used, int row, const int* markers,
                                Claims* c) noexcept nogil:
    """Independent races of two at a time; ties count half."""
    cdef double stays[SEATS][SEATS]     # chance that i is not behind j
    cdef double there[SEATS]
    cdef double second[SEATS]
    cdef double x, sum, nobody
    cdef int i, j, k, n = t.players
    for i in range(n):
        there[i] = 1.0 if markers[i] else w.enter[used][row]
    nobody = 1.0
    sum = 1e-12
    for i in range(n):
        nobody *= 1.0 - there[i]
        for j in range(i):
            k = markers[i] - markers[j]
            x = 0.5 * (1.0 + ahead(w, used, row, k) - ahead(w, used, row, -k))
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
    if row == NOW:
        sure_claims(t, markers, c)
    elif t.players == 2:
        claims_of_two(w, used, row, markers, c)
    else:
        claims_of_many(t, w, used, row, markers, c)


cdef inline double against(const Tables* t, const Weights* w, const double* x, int seat) noexcept nogil:
    """What a seat has beyond the mean of the others."""
    cdef double sum = 0.0
    cdef int i
    if t.players == 2:                  # often asked: without a division
        return x[seat] - w.rival * (x[0] + x[1] - x[seat])
    for i in range(t.players):
        sum += x[i]
    return x[seat] - w.rival * (sum - x[seat]) / (t.players - 1)
