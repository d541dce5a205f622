"""A Few Acres of Snow knowledge: the weights that everything goes by (values in engines/acres/strategies.py)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport SITES, SLOTS


cdef enum:                              # strategies
    ECONOMIC = 0
    HAMMER = 1
    RAIDER = 2
    STYLES = 3


cdef enum:                              # features of a side; a win share compares those of both
    F_POINTS = 0
    F_RACE = 1                          # points, times how near the end of the game is
    F_GROWTH = 2                        # points that developing would still bring, as discs and settlers allow
    F_CAPTURED = 3                      # captured points beyond a third of those that end the game
    F_MONEY = 4                         # worth of the money held
    F_FORCE = 5                         # strength of empire cards owned, square root
    F_GUARD = 6                         # share of cards that block, in the deck
    F_DEAD = 7                          # location cards of sites not held, and others of no use
    F_SIZE = 8                          # cards in the deck beyond ten
    F_SETTLERS = 9                      # usable settler cards, against the size of the deck
    F_SUPPORT = 10                      # Home Support owned
    F_WALLS = 11                        # fortified sites
    F_EXPOSED = 12                      # points that raids could take
    F_FOOTHOLD = 13                     # held sites whose cards lead to the enemy's victory sites
    F_SIEGE = 14                        # expected points of sieges of other sites
    F_HOME = 15                         # chance to win the siege of a victory site
    F_TURN = 16                         # to move
    FEATURES = 17


cdef struct Style:                      # of one side
    float card[SLOTS]                   # one more card of this kind in the deck, in points
    float site[SITES]                   # to control a site, beyond its points
    uint64_t aims                       # sites whose sieges the strategy is about: cards that lead there are kept
    float develop                       # weight of points by developing
    float settle
    float siege                         # weight of gains by sieges
    float defend                        # weight of preparing for the enemy's
    float raid
    float ambush
    float purse                         # money worth saving
    float lean                          # weight of a thin deck
    float reserve                       # worth of a point of strength in reserve


cdef struct Weights:
    Style style[STYLES][2]
    double win[FEATURES]                # in the exponent of the win shares
    double french                       # the same for being French
    double victory                      # points that a siege of a victory site counts as
    double heat                         # temperature of the priors, in points
    double noise                        # likewise of the moves of playouts
    int mix                             # percent of playouts in which a side follows any of the strategies
