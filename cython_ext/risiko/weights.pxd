"""RisiKo! knowledge: the features of a seat's position, and the weights that everything goes by."""


cdef enum:
    F_DONE = 0                          # share of the objective that is there
    F_NEAR = 1                          # exp(-armies needed for the rest / armies at hand)
    F_READY = 2                         # how surely the armies at hand suffice for it, 0 to 1
    F_FIRST = 3                         # the same, times how soon the seat is on turn
    F_INCOME = 4                        # share of all reinforcements
    F_ARMIES = 5                        # share of all armies
    F_LAND = 6                          # share of all territories
    F_CARDS = 7                         # cards in hand, six at most
    F_SET = 8                           # armies that sets in hand are worth, in tens
    F_BONUS = 9                         # bonus of whole continents that survive a round, in fives
    F_ALMOST = 10                       # bonus of the best unfinished continent by how near it is, in fives
    F_THREAT = 11                       # share of own territories that would fall
    F_FRONT = 12                        # armies at the front of those of all who stand there
    F_STACK = 13                        # share of the largest stack of all armies
    F_POINTS = 14                       # share of the points that an objective has, of tournaments
    F_LEAD = 15                         # lead in points over the best other, the more the later
    F_TURN = 16                         # 1 on turn, down to 0 for who has just been
    FEATURES = 17                       # those that have weights
    F_FRESH = 17                        # armies to place in the coming turn, those of sets among them
    F_WHOLE = 18                        # whole continents
    F_COUNT = 19                        # chance that the objective counts territories,
    F_DESTROY = 20                      # that it is to destroy somebody
    F_HUNTED = 21                       # how many others are expected to have this seat to destroy
    F_RIVAL = 22                        # how ready the best rival is
    F_ROUND = 23                        # rounds played, 30 at most, the same for all
    F_ALIVE = 24                        # seats still in the game, likewise
    ALL_FEATURES = 25


cdef struct Knobs:                      # by name; meanings and values: engines/risiko/weights.py
    double goal
    double step
    double way_1
    double way_2
    double way_3
    double land
    double link
    double bonus
    double deny
    double stop
    double card
    double prize
    double rival
    double army
    double slain
    double ahead
    double keep
    double fear
    double points
    double patience
    double heat
    double spread
    double noise
    double hopeless
    double least


cdef struct Weights:
    Knobs k
    double win[FEATURES]                # in the exponent of the win shares
    double way[3]                       # the shares for one, two, three steps before it
