"""What a search is told once and does not change.

Written by generate_params.py from the table in parameters.py: not to be edited.
"""


cdef enum:
    MAX_WINDOW = 64
    PLAYOUT_GAME = 0
    PLAYOUT_MAST = 1
    PLAYOUT_NST = 2
    BACKUP_MAXN = 0
    BACKUP_PARANOID = 1
    BACKUP_LEADER = 2
    REDETERMINIZE_OFF = 0
    REDETERMINIZE_RESTORE = 1
    REDETERMINIZE_STAY = 2
    BIDS_UCB = 0
    BIDS_REGRET = 1
    BIDS_EXP3 = 2


cdef struct SearchParams:
    # turns a playout lasts, that of its first decision included, before the position is evaluated at the first
    # decision of the next one; 0: at once; -1: to the end
    int cutoff
    # share of playout moves by the game's own policy
    int informed
    # weight of the score margin in the reward
    double blend
    # score margin that counts as large
    double tau
    # iterations in flight at most, reached step by step; part of what a result depends on
    int window
    # exploration constant of UCB1 (moves without priors)
    double c
    # let the game's priors guide the tree (PUCT)
    bint priors
    # exploration constant of PUCT
    double c_prior
    # an unvisited move counts as its node's mean less this
    double fpu
    # moves a node opens at first, in order of prior
    double widen_base
    # further moves it opens: factor * sqrt(visits)
    double widen_factor
    # visits a node waits before it grows
    int expand_at
    # weight of progressive history: what a move was worth elsewhere; 0: off
    double history
    # share of the evaluation backed up by best reply (implicit minimax); 0: off
    double minimax
    # where a move wins for certain, look at no other
    bint decisive
    # chance events on a path kept apart by outcome, deeper ones are averaged; -1: all
    int chance_depth
    # outcomes kept apart after a move: this * sqrt(visits); 0: all
    double chance_widen
    # other playout moves: random, by what a move was worth elsewhere (mast), or after the move before (nst)
    int playout
    # share of random moves in playouts by mast or nst
    double noise
    # others strive for their own reward (maxn), our loss (paranoid), or also to hold a clear leader back
    int backup
    # weight of the leader's loss
    double leader_weight
    # megabytes the tree may take
    int memory
    # opponents decide in a world drawn anew from their own view: off, restore (ours goes on then), or stay in it
    int redeterminize
    # tell opponents' trees apart by what the game says of their secret
    bint keyed
    # hidden simultaneous choices: ucb, or learned by regret matching or exp3 and played by their average
    int bids
    # their share of uniform exploration
    double bid_explore
    # visits below which later ones go by UCB1
    int bid_from
