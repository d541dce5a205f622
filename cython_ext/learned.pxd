"""Learned knowledge of a game: an evaluation from features of the seats to win probabilities, and priors of moves.

The evaluation is one small network per number of players, shared by the seats. For a seat with features x:

1. q[i] = floor((x[i] - mean[i]) * gain[i] + 0.5), within -2047..2047.
2. u = q, then for each feature the sum of q over the other seats: the inputs.
3. hidden[j] = (sum of W1[j, i] * u[i] + b1[j]) >> s1, within 0..1023.
4. z = sum of W2[j] * hidden[j] + sum of L[i] * u[i].
5. win = softmax over the seats of z / 2**s2; the exponential function is read from a table.

The priors are linear: the features of a move are quantised to q in the same way, and z = sum of W[i] * q[i]. The prior
is the softmax over the moves of z / 2**s, from the same table.

After the first step all arithmetic is in integers, so the result is the same on every machine and in every build.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t

from sfida.cython_ext.seats cimport MAX_SEATS


cdef enum:
    MOST_FEATURES = 256
    MOST_MOVE_FEATURES = 32
    MOST_HIDDEN = 1024
    MOST_SECOND = 64
    MOST_INPUTS = 32768                 # sparse inputs
    MOST_ACTIVE = 1024                  # sparse inputs of a position that are 1
    MOST_SHIFT = 40                     # bound of s2 and s
    Q_LIMIT = 2047                      # bound of a quantised feature, both ways
    HIDDEN_LIMIT = 1023


cdef struct SparseNet:                  # owned like a Net; arrays as in `learning.pyx`, seats from the front one
    int players
    int features                        # features of a seat
    int inputs
    int pairs                           # pairs of features of all seats; a zero pads the last one
    int hidden                          # whole vectors, like `second`
    int second
    int shift                           # a weight of a sparse input has so many bits less than the sum
    int s1
    int s2
    int s3
    const double* mean                  # by feature
    const double* gain
    const int16_t* sparse               # by input, then hidden unit
    const int16_t* dense                # by pair of features, then hidden unit, then feature
    const int32_t* b1
    const int16_t* between              # by pair of hidden units, then second unit, then hidden unit
    const int32_t* b2
    const int32_t* last                 # by second unit, then seat
    const int32_t* direct               # by feature of a seat, then seat
    const int32_t* b3


cdef struct Net:                        # one block of memory that a `Learned` owns
    const SparseNet* wide               # a network with sparse inputs, or NULL; then nothing else counts
    int players
    int features
    int pairs                           # pairs of features; a zero pads the last one
    int hidden                          # padded with units that do nothing, so that loops are whole vectors
    int s1
    int s2
    const double* mean                  # by feature
    const double* gain
    # W1 for the seat's own inputs and for those of the others, by pair of inputs, then hidden unit, then input
    const int16_t* own
    const int16_t* rest
    # the same sums from other terms: `own` is what an own input weighs more than one of the others, and `rest` weighs
    # the sum of all seats, so that its product is the same for every seat
    bint together
    const int32_t* b1
    const int32_t* w2                   # by hidden unit
    const int32_t* direct               # L, by input


cdef struct PriorNet:                   # owned in the same way
    int features
    int shift
    const double* mean                  # by feature
    const double* gain
    const int32_t* weight


# win probabilities: x[seat * features + i] is feature i of a seat; seats whose bit is not set get 0
cdef void net_shares(const Net* net, const double* x, unsigned int seats, double* win) noexcept nogil
# the same by a network with sparse inputs: n of them are 1, and seats are counted from `front`
cdef void wide_shares(const SparseNet* net, const double* x, const uint16_t* active, int n, int front,
                      unsigned int seats, double* win) noexcept nogil
# priors of n moves, positive: x[move * features + i] is feature i of a move
cdef void net_priors(const PriorNet* net, const double* x, int n, float* out) noexcept nogil


cdef class Learned:
    cdef readonly str game              # name of the game
    cdef readonly int rules             # version of its rules
    cdef readonly tuple features        # names
    cdef readonly tuple move_features   # names of the move features; empty: there are no priors
    cdef readonly tuple inputs          # names of the groups of sparse inputs; empty: no network has any
    # by number of players: mean, gain, W1, b1, s1, W2, L, s2 as plain numbers; moves: mean, gain, W, s of the priors
    cdef readonly dict tables
    cdef readonly dict made             # provenance
    cdef readonly str digest            # digest of everything except `made`
    cdef Net* nets[MAX_SEATS + 1]       # by number of players; NULL: there is none
    cdef PriorNet* prior_nets[MAX_SEATS + 1]
    cdef int add(self, int players, dict table) except -1
    cdef int add_wide(self, int players, dict table) except -1
    cdef int add_priors(self, int players, dict table) except -1
    # the network for a number of players, or NULL
    cdef const Net* net(self, int players) noexcept nogil
    # the priors for a number of players, or NULL
    cdef const PriorNet* prior_net(self, int players) noexcept nogil
    cdef const Net* need(self, int players) except NULL
