"""Carcassonne knowledge: the weights that everything goes by, and what open features and followers in hand promise.

What it all comes to by the tiles that are left is looked up.
"""

from sfida.cython_ext.carcassonne.board cimport MAX_TILES


cdef enum:
    HANDS = 8                           # followers in hand, and none; more are worth no more
    BLOCK = 10                          # cells around a monastery and its own, and none
    SIDES = 32                          # open sides of a feature; more count as so many


cdef struct Rates:                      # with so many tiles to come
    double hand[HANDS]                  # followers in hand
    double monastery[BLOCK]             # one with so many occupied cells
    double city[SIDES]                  # an incomplete city, by open sides: for each tile and shield,
    double city_more[SIDES]             # and besides
    double small_city                   # one tile with one open side, besides
    double road_more[SIDES]             # an incomplete road, besides its tiles
    double farm_city[SIDES]             # chance that an incomplete city is completed


cdef struct Knobs:                      # by name; meanings and values: engines/carcassonne/weights.py
    double city_close
    double city_per_side
    double city_growth
    double road_growth
    double monk_fill
    double farm_open
    double hand
    double rival
    double spread
    double floor
    double place_heat
    double deploy_heat
    double claim


cdef struct Weights:
    Knobs k
    # made of them, by tiles to come
    Rates rates[MAX_TILES + 1]


cdef inline double least(double a, double b) noexcept nogil:
    return a if a < b else b


cdef inline int up_to(int n, int size) noexcept nogil:
    return n if n < size else size - 1


cdef inline double hand_worth(const Rates* r, int n) noexcept nogil:
    """Worth of n followers in hand (rules, chapter 18.2)."""
    return r.hand[up_to(n, HANDS)]


cdef inline double city_worth(const Rates* r, int tiles, int shields, int open) noexcept nogil:
    """Expected points of an incomplete city (chapter 18.3)."""
    cdef double t = tiles + shields
    if tiles == 1 and open == 1:
        return t + r.small_city
    open = up_to(open, SIDES)
    return t * r.city[open] + r.city_more[open]


cdef inline double road_worth(const Rates* r, int tiles, int open) noexcept nogil:
    """Expected points of an incomplete road (chapter 18.4)."""
    return tiles + r.road_more[up_to(open, SIDES)]


cdef inline double monk_worth(const Rates* r, int around) noexcept nogil:
    """Expected points of a monastery with `around` occupied cells in its 3x3 block (chapter 18.5)."""
    return r.monastery[around]


cdef inline double open_city_for_farm(const Rates* r, int open) noexcept nogil:
    """Chance that an incomplete city is completed (chapter 18.6)."""
    return r.farm_city[up_to(open, SIDES)]


cdef inline void fill_rates(const Weights* w, double left, Rates* r) noexcept nogil:
    """What is expected with so many tiles to come."""
    cdef double[HANDS] hand = [0.0, 3.0, 4.6, 5.6, 6.2, 6.6, 6.9, 7.1]
    cdef double close
    cdef int n
    for n in range(HANDS):
        r.hand[n] = w.k.hand * hand[n] * least(1.0, 1.6 * left / 71.0)
    for n in range(BLOCK):
        r.monastery[n] = n + (9 - n) * w.k.monk_fill * least(1.0, 2.5 * left / 71.0)
    r.small_city = 0.9 * least(1.0, 4.0 * left / 71.0)
    for n in range(SIDES):
        close = w.k.city_close - w.k.city_per_side * (n - 1)
        if close < 0.0:
            close = 0.0
        r.city[n] = 1.0 + close * least(1.0, 4.0 * left / 71.0)
        r.city_more[n] = w.k.city_growth * n * left / 71.0
        r.road_more[n] = w.k.road_growth * n * least(1.0, 3.0 * left / 71.0)
        r.farm_city[n] = w.k.farm_open * least(1.0, 3.0 * left / 71.0) / n if n else 1.0
