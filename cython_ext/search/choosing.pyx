"""The move to play after a search, from the statistics of the root's moves."""

from libc.math cimport INFINITY, pow, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.rng cimport Rng, derive_one, rng_seed, rng_uniform


cdef double CONFIDENCE = 1.7            # standard errors between the mean and the lower bound
cdef double WELL_VISITED = 0.15         # share of the most visits from which a move can be chosen for its bound
cdef double FLOOR = 0.05                # share of the best share below which a move is not drawn
cdef uint64_t DRAW = 0x0D1CE            # separates the draw from the iterations' random streams
FINALS = ("lcb", "visits", "sample")


cdef Final final_named(str name) except *:
    return <Final> <int> FINALS.index(name)


cdef inline double bound_of(double visits, double reward, double deviation) noexcept nogil:
    if visits <= 0.0:
        return -INFINITY
    return reward - CONFIDENCE * sqrt((deviation * deviation + 1.0 / visits) / visits)


cdef inline bint before(const RootMove* one, const RootMove* other) noexcept nogil:
    """Whether a move comes before another in their order."""
    if one.strategy != other.strategy:
        return one.strategy > other.strategy
    if one.strategy < 0.0 and one.visits != other.visits:
        return one.visits > other.visits
    if one.strategy < 0.0 and one.reward != other.reward:
        return one.reward > other.reward
    return one.code < other.code


cdef void put_in_order(RootMove* rows, int n) noexcept nogil:
    cdef RootMove row
    cdef int i, j
    for i in range(1, n):
        row = rows[i]
        j = i
        while j > 0 and before(&row, &rows[j - 1]):
            rows[j] = rows[j - 1]
            j -= 1
        rows[j] = row


cdef inline double weight_of(const RootMove* row, double most, double temperature) noexcept nogil:
    """Weight of a move in a draw."""
    return row.strategy if row.strategy >= 0.0 else pow(row.visits / most, 1.0 / temperature)


cdef int draw(const RootMove* rows, int n, double temperature, uint64_t seed) noexcept nogil:
    cdef Rng rng
    cdef double most = 0.0, best = 0.0, total = 0.0, weight, x
    cdef int i, likeliest = -1
    for i in range(n):
        most = rows[i].visits if rows[i].visits > most else most
    for i in range(n):
        weight = weight_of(&rows[i], most, temperature)
        best = weight if weight > best else best
    for i in range(n):
        weight = weight_of(&rows[i], most, temperature)
        if weight >= FLOOR * best:
            total += weight
        if weight == best and likeliest < 0:
            likeliest = i
    rng_seed(&rng, derive_one(seed, DRAW))
    x = rng_uniform(&rng) * total
    for i in range(n):
        weight = weight_of(&rows[i], most, temperature)
        if weight < FLOOR * best or weight == 0.0:
            continue
        x -= weight
        if x < 0.0:
            return i
    return likeliest


cdef int choice(const RootMove* rows, int n, Final final, double temperature, uint64_t seed) noexcept nogil:
    cdef double most = 0.0, bound, highest = -INFINITY
    cdef int i, best = 0
    if n == 0:
        return -1
    for i in range(n):
        most = rows[i].visits if rows[i].visits > most else most
    if most == 0.0:
        return 0
    if rows[0].strategy >= 0.0 or final == SAMPLE:
        return draw(rows, n, temperature, seed)
    if final == LCB:
        for i in range(n):
            if rows[i].visits >= WELL_VISITED * most:
                bound = bound_of(rows[i].visits, rows[i].reward, rows[i].deviation)
                if bound > highest:
                    highest = bound
                    best = i
    return best


def lower_bound(visits, double reward, double deviation):
    """Return the lower confidence bound of a move's mean reward; -inf without visits."""
    return bound_of(visits, reward, deviation)


def index_of_choice(rows, final, double temperature, uint64_t seed):
    """Return the index of the move to play among rows in the order of `ai.search.final_order`."""
    cdef int i, n = len(rows)
    cdef RootMove* out = <RootMove*> malloc((n + 1) * sizeof(RootMove))
    if out == NULL:
        raise MemoryError()
    try:
        for i, row in enumerate(rows):
            out[i].code, out[i].visits = row["move"], row["visits"]
            out[i].reward, out[i].deviation = row["reward"], row["deviation"]
            strategy = row.get("strategy")
            out[i].strategy = -1.0 if strategy is None else strategy
        return choice(out, n, final_named(final), temperature, seed)
    finally:
        free(out)
