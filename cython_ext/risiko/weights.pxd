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
    FEATURES = 17


cdef struct Weights:
    double win[FEATURES]                # in the exponent of the win shares
    # the unit of all that follows is an army
    double goal                         # the objective
    double step                         # any territory of it, besides
    double way[3]                       # share of the objective for what is one, two, three steps before it
    double land                         # any territory
    double link                         # an own neighbour of it, and an enemy one negated
    double bonus                        # an army of a continent bonus
    double deny                         # the same, of somebody else's
    double stop                         # share of the objective for what an enemy needs for his
    double card                         # the first conquest of a turn
    double prize                        # a card of who may be eliminated
    double rival                        # a rival less
    double army                         # an own army lost
    double slain                        # an enemy one
    double ahead                        # share of what lies beyond a conquest
    double keep                         # share of a worth for keeping instead of taking
    double fear                         # share of the chance with which the strongest neighbour attacks
    double points                       # a point in a tournament
    double patience                     # armies that a set must bring before there are five cards
    double heat                         # temperature of the priors: this, and a share of the best worth
    double spread
    double noise                        # of playouts: share of a worth, either way
    double hopeless                     # chance below which an assault needs the objective as a reason
    double least                        # prior of any move, of that of the best one
