"""Learning from games without search: games whose seats look one move ahead, and gradients of a network.

The network reads sparse inputs and the features of all seats, counted from the front seat (`GameState.front`), and
gives the win shares in the same order. Here its numbers are floats, in one array:

| part | shape | |
|---|---|---|
| W1 | (sparse inputs, hidden) | from an input that is 1 to the hidden units |
| D1 | (seats * features, hidden) | from a feature |
| b1 | (hidden,) | |
| W2 | (hidden, second) | between hidden units, whose values are cut to 0..1 |
| b2 | (second,) | |
| W3 | (second, seats) | to the exponents of the win shares |
| L | (seats * features, seats) | from a feature directly |
| b3 | (seats,) | |

References
----------
G. Tesauro, "Temporal difference learning and TD-Gammon" (1995).
Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi" (2018).
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport exp, expf, log
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from sfida.cython_ext.columns cimport Column, append
from sfida.cython_ext.learned cimport MOST_ACTIVE, MOST_FEATURES, MOST_HIDDEN, MOST_SECOND, Learned, Net, wide_shares
from sfida.cython_ext.rng cimport Rng, mix64, rng_below, rng_seed, rng_uniform
from sfida.cython_ext.seats cimport MAX_SEATS
from sfida.cython_ext.state cimport CHANCE, EVERYBODY, ONLOOKER, TERMINAL, GameState, move_t


cdef enum:
    MOST_DENSE = MAX_SEATS * MOST_FEATURES
    LIMIT = 8                           # bound of a feature, in standard deviations
    LUCK = 1                            # random streams of a game
    CHOICE = 2
    SAMPLE = 3
    # columns of games
    INPUTS = 0
    ENDS = 1                            # end of each position's inputs
    DENSE = 2
    TARGETS = 3
    COLUMNS = 4


cdef double SEEN = 0.25                  # share of positions without the secrets of others


cdef struct Shape:
    int inputs
    int dense
    int hidden
    int second
    int seats


cdef struct Parts:                      # where each part begins
    float* W1
    float* D1
    float* b1
    float* W2
    float* b2
    float* W3
    float* L
    float* b3


cdef struct Layers:                     # values on the way to the exponents
    float one[MOST_HIDDEN]
    float two[MOST_SECOND]
    float win[MAX_SEATS]                # win shares


cdef struct Mark:                       # a position kept: the last decision before it, and its front seat
    int32_t decision
    int32_t front


cdef size_t numbers_of(const Shape* s) noexcept nogil:
    return ((<size_t> s.inputs + s.dense + 1) * s.hidden + (s.hidden + 1) * s.second + s.second * s.seats
            + s.dense * s.seats + s.seats)


cdef Parts parts_of(const Shape* s, float* numbers) noexcept nogil:
    cdef Parts p
    p.W1 = numbers
    p.D1 = p.W1 + <size_t> s.inputs * s.hidden
    p.b1 = p.D1 + s.dense * s.hidden
    p.W2 = p.b1 + s.hidden
    p.b2 = p.W2 + s.hidden * s.second
    p.W3 = p.b2 + s.second
    p.L = p.W3 + s.second * s.seats
    p.b3 = p.L + s.dense * s.seats
    return p


cdef inline float cut(float x) noexcept nogil:
    return 0.0 if x < 0.0 else 1.0 if x > 1.0 else x


cdef void forward(const Shape* s, const Parts* p, const uint16_t* active, int n, const float* x,
                  Layers* out) noexcept nogil:
    """Compute the layers of a position."""
    cdef int i, j, k, hidden = s.hidden, second = s.second
    cdef float* one = out.one
    cdef float* two = out.two
    cdef const float* row
    cdef float value, top = -1e30, sum = 0.0
    memcpy(one, p.b1, hidden * sizeof(float))
    for i in range(n):
        row = p.W1 + <size_t> active[i] * hidden
        for j in range(hidden):
            one[j] += row[j]
    for i in range(s.dense):
        value = x[i]
        row = p.D1 + i * hidden
        for j in range(hidden):
            one[j] += value * row[j]
    memcpy(two, p.b2, second * sizeof(float))
    for j in range(hidden):
        value = cut(one[j])
        one[j] = value
        row = p.W2 + j * second
        for k in range(second):
            two[k] += value * row[k]
    memcpy(out.win, p.b3, s.seats * sizeof(float))
    for k in range(second):
        two[k] = cut(two[k])
        for i in range(s.seats):
            out.win[i] += two[k] * p.W3[k * s.seats + i]
    for j in range(s.dense):
        for i in range(s.seats):
            out.win[i] += x[j] * p.L[j * s.seats + i]
    for i in range(s.seats):
        top = out.win[i] if out.win[i] > top else top
    for i in range(s.seats):
        out.win[i] = expf(out.win[i] - top)
        sum += out.win[i]
    for i in range(s.seats):
        out.win[i] /= sum


cdef void backward(const Shape* s, const Parts* p, const uint16_t* active, int n, const float* x, const Layers* at,
                   const float* target, const Parts* g) noexcept nogil:
    """Add the gradient of the cross entropy of a position."""
    cdef float out[MAX_SEATS]
    cdef float one[MOST_HIDDEN]
    cdef float two[MOST_SECOND]
    cdef int i, j, k, hidden = s.hidden, second = s.second
    cdef float value
    cdef float* row
    cdef const float* weights
    for i in range(s.seats):
        out[i] = at.win[i] - target[i]
        g.b3[i] += out[i]
    for j in range(s.dense):
        for i in range(s.seats):
            g.L[j * s.seats + i] += x[j] * out[i]
    for k in range(second):
        value = 0.0
        for i in range(s.seats):
            value += p.W3[k * s.seats + i] * out[i]
            g.W3[k * s.seats + i] += at.two[k] * out[i]
        two[k] = value if 0.0 < at.two[k] < 1.0 else 0.0
        g.b2[k] += two[k]
    for j in range(hidden):
        value = 0.0
        weights = p.W2 + j * second
        row = g.W2 + j * second
        for k in range(second):
            value += weights[k] * two[k]
        for k in range(second):
            row[k] += at.one[j] * two[k]
        one[j] = value if 0.0 < at.one[j] < 1.0 else 0.0
        g.b1[j] += one[j]
    for i in range(n):
        row = g.W1 + <size_t> active[i] * hidden
        for j in range(hidden):
            row[j] += one[j]
    for i in range(s.dense):
        value = x[i]
        row = g.D1 + i * hidden
        for j in range(hidden):
            row[j] += value * one[j]


cdef inline double log_of(float share) noexcept nogil:
    return log(share if share > 1e-9 else 1e-9)


cdef Shape shape_of(GameState start, int hidden, int second) except *:
    cdef Shape s
    s.inputs, s.seats, s.dense = start.sparse_inputs, start.players, start.players * len(start.feature_names)
    s.hidden, s.second = hidden, second
    if not start.sparse_inputs:
        raise ValueError("the game lists no sparse inputs")
    if not 1 <= hidden <= MOST_HIDDEN or not 1 <= second <= MOST_SECOND:
        raise ValueError(f"there are 1 to {MOST_HIDDEN} hidden units, and 1 to {MOST_SECOND} of the second layer")
    return s


def numbers(GameState start not None, int hidden, int second):
    """Return how many numbers a network has."""
    cdef Shape s = shape_of(start, hidden, second)
    return numbers_of(&s)


cdef class SelfPlay:
    """Plays games whose seats look one move ahead, and keeps positions with what they turned out to be worth.

    A seat imagines one world that fits its view, tries each move there, and draws one by a softmax of its win shares.

    Parameters
    ----------
    start : GameState
    hidden, second : int
        Units of the network.
    mean, gain : float array of shape (features,)
        A feature counts as `(feature - mean) * gain`, cut to 8 either way.
    """

    cdef GameState start
    cdef GameState state
    cdef GameState world
    cdef GameState twin
    cdef Shape shape
    cdef Parts parts
    cdef const float[::1] network
    cdef double mean[MOST_FEATURES]
    cdef double gain[MOST_FEATURES]
    cdef double* features
    cdef move_t* moves
    cdef float* worth                   # win share after each move, or its prior
    cdef int tried                      # most moves of a decision that are looked at
    cdef float* dense
    cdef uint16_t* active
    cdef Column[COLUMNS] columns
    cdef Column values                  # win shares after each decision of the game, by seat
    cdef Column marks                   # a `Mark` for each position kept
    cdef int32_t listed                 # inputs in the column so far
    cdef int n_active                   # inputs in `active`
    cdef bint full                      # memory has run out

    def __cinit__(self, GameState start not None, int hidden, int second, const double[::1] mean not None,
                  const double[::1] gain not None):
        cdef int i
        self.shape = shape_of(start, hidden, second)
        if mean.shape[0] != len(start.feature_names) or gain.shape[0] != mean.shape[0]:
            raise ValueError("mean and gain must have a number for each feature")
        self.start, self.state, self.world, self.twin = start, start.clone(), start.clone(), start.clone()
        for i in range(mean.shape[0]):
            self.mean[i], self.gain[i] = mean[i], gain[i]
        self.features = <double*> calloc(MOST_DENSE, sizeof(double))
        self.dense = <float*> calloc(MOST_DENSE, sizeof(float))
        self.active = <uint16_t*> malloc(MOST_ACTIVE * sizeof(uint16_t))
        self.moves = <move_t*> malloc(max(start.max_legal, start.max_listed) * sizeof(move_t))
        self.worth = <float*> malloc(max(start.max_legal, start.max_listed) * sizeof(float))
        if (self.features == NULL or self.dense == NULL or self.active == NULL or self.moves == NULL
                or self.worth == NULL):
            raise MemoryError()

    def __dealloc__(self):
        cdef int i
        for i in range(COLUMNS):
            free(self.columns[i].data)
        free(self.values.data)
        free(self.marks.data)
        free(self.features)
        free(self.dense)
        free(self.active)
        free(self.moves)
        free(self.worth)

    def play(self, const float[::1] network not None, const uint64_t[::1] seeds, int tried, double heat,
             double trace, double keep):
        """Play a game for each seed, without the interpreter's lock, and return the positions kept.

        Parameters
        ----------
        network : float32 array
            The numbers of the network.
        seeds : uint64 array
        tried : int
            Most moves that a seat tries, 2 or more: three quarters of them are the likeliest by the game's hand-written
            priors, the others are drawn from the rest.
        heat : float
            Temperature of the softmax, in win shares; above 0.
        trace : float
            Lambda of TD(lambda), 0 to 1: 1 learns from results alone.
        keep : float
            Share of positions that are kept, 0 to 1.

        Returns
        -------
        dict of str to bytes
            `inputs` (uint16), `ends` (int32, of each position's inputs), `dense` (float32, by position, seat and
            feature), `targets` (float32, by position and seat).
        """
        cdef int i
        if not heat > 0.0 or tried < 2:
            raise ValueError(f"the heat must be above 0, and 2 moves or more be tried, not {heat} and {tried}")
        self.tried = tried
        self.take(network)
        with nogil:
            for i in range(seeds.shape[0]):
                self.game(seeds[i], heat, trace, keep)
        if self.full:
            raise MemoryError()
        found = {}
        for i, name in enumerate(("inputs", "ends", "dense", "targets")):
            found[name] = PyBytes_FromStringAndSize(self.columns[i].data, self.columns[i].used)
            self.columns[i].used = 0
        self.listed = 0
        return found

    def largest_error(self, const float[::1] network not None, Learned learned not None, states):
        """Return the largest difference of a win share, at some positions, that whole numbers make.

        Parameters
        ----------
        network : float32 array
        learned : Learned
            The same network in whole numbers.
        states : iterable of GameState
            Positions of the game that are not over, with all secrets.
        """
        cdef float exact[MAX_SEATS]
        cdef double win[MAX_SEATS]
        cdef double worst = 0.0
        cdef GameState state
        cdef const Net* net = learned.net(self.shape.seats)
        cdef int i
        self.take(network)
        if net == NULL or net.wide == NULL or net.wide.inputs != self.shape.inputs:
            raise ValueError("the network in whole numbers is another one")
        for each in states:
            state = <GameState?> each
            self.evaluate(state, exact)
            wide_shares(net.wide, self.features, self.active, self.n_active, state.front(), ~<uint32_t> 0, win)
            for i in range(self.shape.seats):
                worst = max(worst, abs(win[i] - exact[i]))
        return worst

    cdef int take(self, const float[::1] network) except -1:
        if network.shape[0] != <Py_ssize_t> numbers_of(&self.shape):
            raise ValueError("the network must have the numbers of its shape")
        self.network = network
        self.parts = parts_of(&self.shape, <float*> &network[0])
        return 0

    cdef void read(self, GameState state, int viewer) noexcept nogil:
        """Find the inputs of a position, as far as `viewer` knows them."""
        cdef int front = state.front(), seats = self.shape.seats, n = self.shape.dense // seats, i, j, seat
        cdef double x
        self.n_active = state.list_inputs(viewer, self.active)
        state.fill_features(viewer, self.features)
        for i in range(seats):
            seat = front + i if front + i < seats else front + i - seats
            for j in range(n):
                x = (self.features[seat * n + j] - self.mean[j]) * self.gain[j]
                self.dense[i * n + j] = <float> (LIMIT if x > LIMIT else -LIMIT if x < -LIMIT else x)

    cdef void evaluate(self, GameState state, float* win) noexcept nogil:
        """Compute the win shares of a world, by seat."""
        cdef Layers layers
        cdef double result[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int i, seats = self.shape.seats, front = state.front()
        if state.actor() == TERMINAL:
            state.result(result, score)
            for i in range(seats):
                win[i] = <float> result[i]
            return
        self.read(state, EVERYBODY)
        forward(&self.shape, &self.parts, self.active, self.n_active, self.dense, &layers)
        for i in range(seats):
            win[front + i if front + i < seats else front + i - seats] = layers.win[i]

    cdef void keep_position(self, GameState state, int decision, Rng* rng) noexcept nogil:
        """Keep a position with all its secrets, or sometimes as `GameState.evaluate` sees it."""
        cdef Mark mark
        cdef int seat = state.actor()
        self.read(state, EVERYBODY if rng_uniform(rng) >= SEEN else ONLOOKER if seat == CHANCE else seat)
        self.listed += self.n_active
        mark.decision, mark.front = decision, state.front()
        if not (append(&self.columns[INPUTS], self.active, self.n_active * sizeof(uint16_t))
                and append(&self.columns[ENDS], &self.listed, sizeof(int32_t))
                and append(&self.columns[DENSE], self.dense, self.shape.dense * sizeof(float))
                and append(&self.marks, &mark, sizeof(Mark))):
            self.full = True

    cdef void game(self, uint64_t seed, double heat, double trace, double keep) noexcept nogil:
        cdef Rng luck, choice, sample
        cdef float win[MAX_SEATS]
        cdef int seat, n, decision = 0
        cdef move_t move
        rng_seed(&luck, mix64(seed, LUCK))
        rng_seed(&choice, mix64(seed, CHOICE))
        rng_seed(&sample, mix64(seed, SAMPLE))
        self.values.used = self.marks.used = 0
        self.state.copy_from(self.start)
        while not self.full:
            seat = self.state.actor()
            if seat == TERMINAL:
                break
            if seat == CHANCE:
                self.state.play(self.state.sample(&luck))
                continue
            n = self.state.candidates(self.moves)
            if n == 1:
                self.state.play(self.moves[0])
                continue
            if decision and rng_uniform(&sample) < 0.5 * keep:
                self.keep_position(self.state, decision - 1, &sample)
            if n > self.tried:
                self.select(n, &choice)
                n = self.tried
            move = self.choose(seat, n, heat, &choice)
            self.state.play(move)
            self.evaluate(self.state, win)
            if not append(&self.values, win, self.shape.seats * sizeof(float)):
                self.full = True
            if self.state.actor() != TERMINAL and rng_uniform(&sample) < keep:
                self.keep_position(self.state, decision, &sample)
            decision += 1
        self.finish(decision, trace)

    cdef void select(self, int n, Rng* rng) noexcept nogil:
        """Bring the moves to try to the front: the likeliest, then others at random."""
        cdef int i, j, best, likely = self.tried - self.tried // 4
        self.state.hand_priors(self.moves, n, self.worth)
        for i in range(self.tried):
            best = i
            if i < likely:
                for j in range(i + 1, n):
                    if self.worth[j] > self.worth[best]:
                        best = j
            else:
                best = i + <int> rng_below(rng, <uint32_t> (n - i))
            self.moves[i], self.moves[best] = self.moves[best], self.moves[i]
            self.worth[i], self.worth[best] = self.worth[best], self.worth[i]

    cdef move_t choose(self, int seat, int n, double heat, Rng* rng) noexcept nogil:
        """Draw a move by the softmax of the win shares after each."""
        cdef float win[MAX_SEATS]
        cdef double top = -1.0, total = 0.0, x
        cdef int i
        self.world.copy_from(self.state)
        if self.world.hidden:
            self.world.determinize_for(seat, rng)
        for i in range(n):
            self.twin.copy_from(self.world)
            self.twin.play(self.moves[i])
            self.evaluate(self.twin, win)
            self.worth[i] = win[seat]
            top = win[seat] if win[seat] > top else top
        for i in range(n):
            self.worth[i] = <float> exp((self.worth[i] - top) / heat)
            total += self.worth[i]
        x = rng_uniform(rng) * total
        for i in range(n - 1):
            x -= self.worth[i]
            if x < 0.0:
                return self.moves[i]
        return self.moves[n - 1]

    cdef void finish(self, int decisions, double trace) noexcept nogil:
        """Turn the marks of a game into targets: TD(lambda) from its end."""
        cdef float* values = <float*> self.values.data
        cdef const Mark* marks = <const Mark*> self.marks.data
        cdef int seats = self.shape.seats, i, m, seat, at, number
        cdef float row[MAX_SEATS]
        cdef float target[MAX_SEATS]
        cdef double result[MAX_SEATS]
        cdef double score[MAX_SEATS]
        number = <int> (self.marks.used / sizeof(Mark))
        self.state.result(result, score)
        for i in range(seats):
            target[i] = <float> result[i]
        # values[d] becomes the target of the position after decision d
        for at in range(decisions - 1, -1, -1):
            for i in range(seats):
                row[i] = values[at * seats + i]
                values[at * seats + i] = target[i]
                target[i] = <float> ((1.0 - trace) * row[i] + trace * target[i])
        for m in range(number):
            for i in range(seats):
                seat = marks[m].front + i
                row[i] = values[marks[m].decision * seats + (seat if seat < seats else seat - seats)]
            if not append(&self.columns[TARGETS], row, seats * sizeof(float)):
                self.full = True


cdef class Gradient:
    """The gradient of a network over positions.

    Parameters
    ----------
    start : GameState
    hidden, second : int
    """

    cdef Shape shape

    def __cinit__(self, GameState start not None, int hidden, int second):
        self.shape = shape_of(start, hidden, second)

    def add(self, const float[::1] network not None, const uint16_t[::1] inputs, const int32_t[::1] ends,
            const float[:, ::1] dense, const float[:, ::1] targets, const int32_t[::1] rows,
            float[::1] gradient not None):
        """Add the gradient of the cross entropy of some positions, without the interpreter's lock; return its sum.

        Parameters
        ----------
        network : float32 array
        inputs, ends, dense, targets
            Positions, as from `SelfPlay.play`.
        rows : int32 array
            The positions that count.
        gradient : float32 array
            Receives the sum; as long as the network.
        """
        cdef Parts p, g
        cdef Layers layers
        cdef int k, row, first, i
        cdef double loss = 0.0
        cdef Shape* s = &self.shape
        if network.shape[0] != numbers_of(s) or gradient.shape[0] != network.shape[0]:
            raise ValueError("network and gradient must have the numbers of the shape")
        if dense.shape[1] != s.dense or targets.shape[1] != s.seats or not (
                ends.shape[0] == dense.shape[0] == targets.shape[0]):
            raise ValueError("positions must have a row each")
        for k in range(rows.shape[0]):
            if not 0 <= rows[k] < ends.shape[0]:
                raise ValueError("a row is not one of the positions")
        p, g = parts_of(s, <float*> &network[0]), parts_of(s, &gradient[0])
        with nogil:
            for k in range(rows.shape[0]):
                row = rows[k]
                first = ends[row - 1] if row else 0
                forward(s, &p, &inputs[first], ends[row] - first, &dense[row, 0], &layers)
                for i in range(s.seats):
                    loss -= targets[row, i] * log_of(layers.win[i])
                backward(s, &p, &inputs[first], ends[row] - first, &dense[row, 0], &layers, &targets[row, 0], &g)
        return loss
