"""Attila knowledge: the weights that everything goes by, and the tables made of them (part 11)."""

from sfida.cython_ext.attila.board cimport MOST_TILES


cdef enum:                              # how sure the influence of a coming scoring is
    NOW = 0                             # it is held before anybody plays another card
    NEXT = 1                            # the next one
    LATER = 2                           # those after it
    ROWS = 3
    SPAN = 48                           # a lead of more spaces counts as so many
    MARGINS = 6


cdef struct Weights:
    # the unit of all that follows is a point
    double later                        # a scoring after the next one, against it
    double growth                       # tokens that a tribe gains by a conflict and the cards before it
    double breadth                      # provinces likewise
    double plays                        # cards played a conflict
    double wander                       # spread of a lead, against that of a random walk
    double fight_few                    # chance that a province of one or two tokens is fought over before a scoring,
    double fight_three                  # of three
    double fight_four                   # of four
    double fight_later                  # how much more before a later one, as a share of the rest
    double lose_tied                    # chance of a tribe to lose where it is tied for weakest,
    double lose_near                    # one stronger than the weakest,
    double lose_far                     # two stronger
    double rival                        # points of others against own ones
    double double_turn                  # tiles in hand
    double exchange
    double influence_2
    double spare                        # a second card of a tribe in hand
    double card                         # a card short of a full hand
    double turn                         # the turn of who is next, against that of who has just been
    double price                        # a card laid by who refills at once
    double wait                         # and by who refills last, besides
    double doubt                        # spread of a conflict when all cards are known
    double unknown                      # that each card adds which is not
    double rash                         # cards that a seat is expected to lay
    double heat                         # temperature of the priors: this, and a share of what is at stake
    double spread
    double least                        # prior of any move, of that of the best one
    double noise                        # of playouts, either way
    double scale                        # points of a win share's softmax at the end
    double scale_tile                   # and for each square root of a peace tile left
    # tables, by peace tiles used
    double scale_at[MOST_TILES + 1]     # by peace tiles left: of the softmax
    double left[MOST_TILES + 1]         # scorings to come
    double ahead[MOST_TILES + 1][ROWS][2 * SPAN + 1]        # chance to be ahead with a lead now
    double enter[MOST_TILES + 1][ROWS]  # chance to enter a column
    double grown[MOST_TILES + 1][ROWS]  # conflicts until then
    double fight[ROWS][8]               # by tokens of the province
    double lose[MARGINS]                # by margin over the weakest
