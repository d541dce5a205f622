"""The Settlers of Zarahemla knowledge: the features of a seat's position, and the weights that everything goes by."""


cdef enum:
    F_POINTS = 0                        # seen by all, and the victory point cards held (others': expected)
    F_INCOME = 1                        # dots at their worth, times what is left of the game
    F_STEADY = 2                        # dots at their worth
    F_KINDS = 3                         # resources with an income
    F_SPECIAL = 4                       # dots of resources with their own station
    F_ANY = 5                           # 3:1 station
    F_SITE_NOW = 6                      # best corner for a settlement without, with one, with two roads: dots
    F_SITE_NEAR = 7
    F_SITE_FAR = 8
    F_ROAD = 9                          # segments of the road beyond two, five at most
    F_ROAD_LEAD = 10                    # over the longest of others, -2 to 2; from three segments on
    F_ARMY = 11                         # Warriors played, at most one more than the strongest other
    F_ARMY_LEAD = 12
    F_TEMPLE = 13                       # stones likewise
    F_TEMPLE_LEAD = 14
    F_CARDS = 15                        # other development cards held
    F_HAND = 16                         # resource cards up to the limit of a seven
    F_OVER = 17                         # beyond it
    F_PLAN = 18                         # the purchase nearest in time and worth
    F_PLANS = 19                        # the others together
    F_CITY = 20                         # dots of the settlement best made a city
    F_ROBBED = 21                       # dots under the robber
    F_CLOSE = 22                        # how near the target: 0 from six points away, 1 at one point away
    F_TURN = 23                         # seats that roll before this one, of all
    FEATURES = 24                       # those that have weights
    F_LEAD = 24                         # points beyond the best rival's
    F_LEFT = 25                         # share of the game that is left, the same for all
    ALL_FEATURES = 26


cdef struct Knobs:                      # by name; meanings and values: engines/zarahemla/weights.py
    double patience
    double rival
    double heat
    double place_heat
    double deal
    double spite
    double variety
    double first_variety
    double numbers
    double room
    double scarce


cdef struct Weights:
    Knobs k
    double worth[FEATURES]              # points per unit of each feature
    double win[FEATURES]                # in the exponent of the win shares
