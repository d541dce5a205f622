"""What a search is told once and does not change: its variant, its formulas, its playouts."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.state cimport PlayoutParams


cdef enum:
    MAX_WINDOW = 64                     # iterations in flight
    # bids
    BIDS_UCB = 0
    BIDS_REGRET = 1
    BIDS_EXP3 = 2
    # redeterminize
    KEEP_WORLD = 0
    RESTORE_WORLD = 1
    STAY_IN_WORLD = 2
    # backup
    MAX_N = 0
    PARANOID = 1
    LEADER = 2
    # table
    TABLE_NONE = 0
    TABLE_MAST = 1
    TABLE_NST = 2


cdef struct Params:
    # ---- Variant
    int multiple                        # a tree a seat (MO) instead of one (SO)
    int keyed                           # opponents' roots are told apart by their private bucket (MO)
    int clairvoyant                     # the world is fixed and everybody sees all of it (one world of PIMC)
    int cheat                           # search the state as it is (controls only)
    int redeterminize                   # does an opponent decide in a world drawn anew from his own view
    # ---- Selection
    double c                            # exploration constant of UCB1 (without priors)
    double c_prior                      # exploration constant of PUCT (with priors)
    double fpu                          # first-play urgency: an unvisited edge counts as the node's mean less this
    int use_priors
    double widen_base                   # edges a node may have: base + factor * visits ** power
    double widen_factor
    double widen_power
    int expand_at                       # visits a node waits before it grows edges
    double history                      # weight of progressive history; 0: off
    double minimax                      # share of the implicit minimax value; 0: off
    int decisive                        # a move that wins for certain is the only one looked at
    # ---- Chance
    int chance_depth                    # chance events keyed by their outcome on one path; -1: all
    double chance_widen                 # children of an edge by chance: this * visits ** power; 0: any number
    double chance_power
    # ---- Hidden choices
    int bids
    double bid_explore                  # share of uniform exploration
    int bid_from                        # visits below which a bid that is not the root's goes by UCB1
    # ---- Playouts and rewards
    PlayoutParams playout
    int table                           # playout moves by what was good elsewhere
    double table_noise                  # share of random moves then
    double blend                        # weight of the score margin in the reward, 0..1
    double tau                          # scale of the score margin, in points
    int backup
    double leader_weight                # what others care about holding the leader back (LEADER)
    int leader                          # seat that leads at the root; -1: nobody clearly
    int second
    # ---- In flight
    int window                          # iterations between descent and backup at most


cdef inline int window_at(const Params* p, uint64_t number) noexcept nogil:
    """Iterations that may be in flight when number `number` starts: few at first, when each counts."""
    cdef uint64_t w = 1 + number // 16
    return <int> w if w < <uint64_t> p.window else p.window
