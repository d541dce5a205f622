"""What a game has learned: an evaluation, from features of the seats to shares of the win, and priors of moves.

The evaluation is a small network for each number of players, shared by the seats. For a seat with features x:

1. q[i] = floor((x[i] - mean[i]) * gain[i] + 0.5), within -2047..2047.
2. u = q, then for each feature the sum of q over the other seats: the inputs.
3. hidden[j] = (sum of W1[j, i] * u[i] + b1[j]) >> s1, within 0..1023.
4. z = sum of W2[j] * hidden[j] + sum of L[i] * u[i].
5. win = softmax over the seats of z / 2**s2, its exponential function read from a table.

The priors are linear: the features of a move become q in the same way, z = sum of W[i] * q[i], and the softmax over the
moves of z / 2**s, from the same table, is their prior.

Everything after the first step is done in whole numbers, so it is the same on every machine and in every build.
"""

from libc.stdint cimport int16_t, int32_t

from sfida.cython_ext.seats cimport MAX_SEATS


cdef enum:
    MOST_FEATURES = 256
    MOST_MOVE_FEATURES = 32
    MOST_HIDDEN = 1024
    MOST_SHIFT = 40                     # of s2 and s
    Q_LIMIT = 2047                      # of a quantised feature, either way
    HIDDEN_LIMIT = 1023


cdef struct Net:                        # in memory that a `Learned` owns
    int players
    int features
    int width                           # 2 * features and zeros after them, so that loops are whole vectors
    int hidden
    int s1
    int s2
    const double* mean                  # by feature
    const double* gain
    const int16_t* w1                   # by hidden unit, then input
    const int32_t* b1
    const int32_t* w2                   # by hidden unit
    const int32_t* direct               # L, by input


cdef struct PriorNet:                   # likewise
    int features
    int shift
    const double* mean                  # by feature
    const double* gain
    const int32_t* weight


# shares of the win: x[seat * features + i] is feature i of a seat; only seats whose bit is set win anything
cdef void net_shares(const Net* net, const double* x, unsigned int seats, double* win) noexcept nogil
# priors of n moves, positive: x[move * features + i] is feature i of a move
cdef void net_priors(const PriorNet* net, const double* x, int n, float* out) noexcept nogil


cdef class Learned:
    cdef readonly str game              # name of the game that it is for
    cdef readonly int rules             # version of its rules
    cdef readonly tuple features        # names
    cdef readonly tuple move_features   # names of what the priors read of a move; empty: there are none
    # by number of players: mean, gain, W1, b1, s1, W2, L, s2 as plain numbers; moves: mean, gain, W, s of the priors
    cdef readonly dict tables
    cdef readonly dict made             # how it was made
    cdef readonly str digest            # of all of it but `made`
    cdef Net* nets[MAX_SEATS + 1]       # by number of players; NULL: it has none
    cdef PriorNet* prior_nets[MAX_SEATS + 1]
    cdef int add(self, int players, dict table) except -1
    cdef int add_priors(self, int players, dict table) except -1
    # the network for a number of players, or NULL
    cdef const Net* net(self, int players) noexcept nogil
    # the priors for a number of players, or NULL
    cdef const PriorNet* prior_net(self, int players) noexcept nogil
    cdef const Net* need(self, int players) except NULL
