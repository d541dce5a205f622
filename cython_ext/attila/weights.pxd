"""Attila knowledge: the weights that everything goes by, and the tables made of them (part 11)."""

from sfida.cython_ext.attila.patterns cimport PATTERNS, Patterns
from sfida.cython_ext.attila.tables cimport MOST_TILES, Coefficients


cdef enum:                              # how sure the influence of a coming scoring is
    NOW = 0                             # it is held before anybody plays another card
    NEXT = 1                            # the next one
    LATER = 2                           # those after it
    ROWS = 3
    PEACE = 3                           # of a province's tokens: nothing happens to them any more
    FATES = 4
    SPAN = 48                           # a lead of more spaces counts as so many


cdef enum:                              # what a tribe pays for, by tribe; one array holds both
    FIRSTS = 0                          # to first places: its tokens
    SECONDS = 6                         # to second places: its provinces
    PAID = 12


cdef struct Race:                       # of two players for a column: points of each
    double tokens[2]                    # a token on the board
    double provinces[2]                 # a province with one


cdef struct Races:                      # by the lead of the first, -SPAN to SPAN: both are in the column, and not both
    Race both[2 * SPAN + 1]
    Race other[2 * SPAN + 1]


cdef struct Weights:
    Coefficients k
    # made of them, by peace tiles used
    double scale_at[MOST_TILES + 1]     # by peace tiles left: of the softmax
    double left[MOST_TILES + 1]         # scorings to come
    double ahead[MOST_TILES + 1][ROWS][2 * SPAN + 1]        # chance to be ahead with a lead now
    double level[MOST_TILES + 1][ROWS][2 * SPAN + 1]        # chance not to be behind, ties count half
    double enter[MOST_TILES + 1][ROWS]  # chance to enter a column
    double grown[MOST_TILES + 1][ROWS]  # conflicts until then
    Races races[MOST_TILES + 1][ROWS]   # with two players
    Patterns patterns
    double stay[FATES][PATTERNS][PAID]  # of a province's tokens, what is expected to be there then
