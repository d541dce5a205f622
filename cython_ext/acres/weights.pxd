"""A Few Acres of Snow knowledge: the weights that everything goes by.

The values are in engines/acres/strategies.py and coefficients.py.
"""

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
    FEATURES = 17                       # those that have weights
    F_FRENCH = 17                       # the side
    F_LEFT = 18                         # turns that each side may expect, the same for both
    F_CUBES = 19                        # in supply
    F_DISCS = 20
    F_HAND_FORCE = 21                   # strength of the cards in hand, as far as known
    ALL_FEATURES = 22


cdef struct Knobs:                      # by name; values: engines/acres/strategies.py
    float develop                       # weight of points by developing
    float settle
    float siege                         # weight of gains by sieges
    float defend                        # weight of preparing for the enemy's
    float raid
    float ambush
    float purse                         # money worth saving
    float lean                          # weight of a thin deck
    float reserve                       # worth of a point of strength in reserve


cdef struct Style:                      # weights of one side
    float card[SLOTS]                   # one more card of this kind in the deck, in points
    float site[SITES]                   # to control a site, beyond its points
    uint64_t aims                       # sites whose sieges the strategy is about: cards that lead there are kept
    Knobs k


cdef struct Coefficients:               # by name, meaning and origin in engines/acres/coefficients.py
    # the odds of a siege (evaluation.pxd)
    double odds_lost, odds_least, odds_span, odds_slope, odds_attack, odds_defence, odds_edge
    # what a side thinks of its position (evaluation.pxd)
    double money_first, money_saved, money_idle, turns_most, turns_least, turns_a_piece, stake_value
    double stake_base, late_turns, threat_slope, threat_base, raid_base
    int money_first_coins, raid_most, settler_force
    # verbs (policy.pxd)
    double card_dead, burden_most, burden_turns, key_price, ending, ending_lead, race_slope, race_behind
    double race_least, settle_again, settle_late, settle_wins, draft_arms, draft_copy, draft_governor
    double draft_home, draft_size, reinforce_pay, reinforce_force, fort_base, fort_threat, fort_raid, fort_town
    double fort_always, fort_late, siege_odds, siege_cost, raid_site, raid_card, raid_blocked, ambush_hit
    double ambush_blocked, ambush_cost, convert_hit, convert_cost, retrieve_action, retrieve_odds
    double retrieve_more, retrieve_dead, reserve_cost, reserve_dead, reserve_lying, reserve_key
    double reserve_exposed, reserve_poor_below, reserve_poor, idle_bad, idle_bad_below, idle_poor
    double idle_poor_below, idle_good, intendant_card, intendant_home, merchant_cost, merchant_ship
    double leader_cost, piracy_loss, piracy_cost, govern_base, home_first, withdraw, surrender_home, surrender
    int draft_copies, draft_governor_most, draft_free, fort_steps
    # what a card in hand could still be used for (policy.pxd)
    double held_card, held_dead, held_settler, held_develop, held_coin, held_strength, held_siege
    # further cards of an action, and answers (policy.pxd)
    double open_strength, open_pay, open_settler, step_base, step_longer, fur_card, fur_order, govern_more
    double loss_price, block_card, block_hit, block_miss, resolve_defence, place_base, place_card
    # priors (policy.pxd) and win shares (evaluation.pxd)
    double prior_floor, prior_least, score_growth, share_range, share_late, share_captured, share_guard
    int share_hand, share_size


cdef struct Weights:
    Style style[STYLES][2]
    double win[FEATURES]                # in the exponent of the win shares
    double french                       # the same for being French
    double victory                      # points that a siege of a victory site counts as
    double heat                         # temperature of the priors, in points
    double noise                        # likewise of the moves of playouts
    Coefficients k
