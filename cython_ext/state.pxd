"""The contract of a game: what the search needs from every rules core.

A rules core is a subclass of `GameState` whose whole position is one flat block of memory (`data`,
`size` bytes, 64-byte aligned). Every nogil method is `noexcept`, allocates nothing and touches no
Python object. The Python names (clone, apply, legal_moves, ...) are in `state.pyx`.
"""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from sfida.cython_ext.learned cimport Learned, Net, PriorNet
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.seats cimport MAX_SEATS

ctypedef uint64_t move_t                # kind and parameters, as the core lays them out; world-independent


cpdef enum:
    CHANCE = -1                         # actor(): the next event is random
    TERMINAL = -4                       # actor(): the game is over
    ONLOOKER = -1                       # viewer of features who knows public information only
    EVERYBODY = -2                      # viewer of features who knows all secrets of a world; not for redacted copies


cdef extern from *:
    """
    #ifdef SFIDA_DEBUG
    #define SFIDA_DEBUG_BUILD 1
    #else
    #define SFIDA_DEBUG_BUILD 0
    #endif
    """
    const bint SFIDA_DEBUG_BUILD        # constant of the build: the compiler drops dead branches


cdef class GameState


cdef struct PlayoutParams:
    # Turns to play before the position is evaluated, including that of the first decision. A turn is a value of turn()
    # or, where that is -1, a change of the actor. The evaluation is made at the first decision of the next turn (0: at
    # the first decision of all); where evaluations are comparable only at some turns, at the next of those. -1: play to
    # the end of the game
    int cutoff
    int informed                        # 0: uniformly random moves; otherwise percent of moves by the game's policy


cdef inline PlayoutParams playout_params(int cutoff, int informed) noexcept nogil:
    cdef PlayoutParams params
    params.cutoff = cutoff
    params.informed = informed
    return params


cdef class GameState:
    # Constants of the object
    cdef readonly object game           # engine object (engines.game.Game): options, notation, drawing
    cdef readonly int players           # seats, 1..MAX_SEATS
    cdef readonly int max_legal         # bound on candidates(), outcomes() and, without max_listed, legal()
    cdef readonly int max_listed        # bound on the output of legal(), where it is longer than a search can take
    cdef readonly bint hidden           # some seat cannot see everything
    cdef readonly bint has_evaluation   # evaluate() is meaningful
    cdef readonly bint has_priors       # priors() is meaningful
    cdef readonly bint has_sure_win     # sure_win() is meaningful
    cdef readonly tuple feature_names   # features of a seat for learned evaluations; empty: none
    cdef readonly tuple input_names     # groups of sparse inputs of learned evaluations; empty: none
    cdef readonly int sparse_inputs     # their number, for all seats and the table
    cdef readonly tuple move_feature_names  # features of a move for learned priors; empty: none
    # How positions are evaluated; copies and worlds inherit this, copy_from() leaves it alone
    cdef readonly Learned knowledge     # None: the hand-written evaluation
    cdef const Net* net                 # network of `knowledge` for this many players; NULL: hand-written
    cdef const PriorNet* prior_net      # the priors of `knowledge` in the same way
    cdef double* move_room              # where priors() lists the features of moves; NULL: it lists none
    # The position
    cdef void* data                     # flat block, 64-byte aligned; NULL when the position is a Python object
    cdef size_t size                    # its bytes
    cdef void* raw                      # pointer to free
    cdef int failed                     # set when a Python game raised; the search stops at the next step
    cdef int allocate(self, size_t size) except -1
    cdef int judge_like(self, GameState other) except -1
    cdef int make_room(self) except -1
    cdef int who(self) except -9
    cdef list moves_list(self, bint candidates)

    # ---- Rules
    # seat, CHANCE or TERMINAL
    cdef int actor(self) noexcept nogil
    # public number of the turn, including responses of other seats; -1: a turn is a change of actor
    cdef int turn(self) noexcept nogil
    # every legal move of the actor, each once, in an order that depends only on what the actor knows; returns the
    # count, >= 1
    cdef int legal(self, move_t* out) noexcept nogil
    # the legal moves worth searching, a non-empty subset, under the same conditions
    cdef int candidates(self, move_t* out) noexcept nogil
    # apply a legal move or a chance outcome, without checking it
    cdef void play(self, move_t move) noexcept nogil

    # ---- Chance (only when actor() == CHANCE)
    # outcomes with exact integer weights >= 1; returns the count
    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil
    # one outcome, drawn by its weight
    cdef move_t sample(self, Rng* rng) noexcept nogil
    # number of the source that it is drawn from, in the game's `chance_sources`
    cdef int source(self) noexcept nogil

    # ---- Information
    # what `seat` saw of the last event; 0: nothing
    cdef uint64_t event_label(self, int seat) noexcept nogil
    # whether `seat` saw all of the last event, not only that something happened
    cdef bint sees_event(self, int seat) noexcept nogil
    # determinize: redraw everything that `seat` cannot know; reads only what redact() leaves
    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil
    # overwrite everything that `seat` cannot know with 0xDD; the copy stays usable, public sizes and counts stay
    cdef void redact(self, int seat) noexcept nogil
    # overwrite with the byte `fill` what the position does not use: lists beyond their ends, data of other phases,
    # scratch. Nothing else changes: no list, no text, no future move
    cdef void wipe(self, int fill) noexcept nogil
    # coarse summary of the seat's secret, 0..19
    cdef int private_bucket(self, int seat) noexcept nogil
    # whether the actor's choice stays hidden from other seats that choose before it is revealed (bids)
    cdef bint is_bid(self) noexcept nogil
    # take back the other seats' unrevealed bids, so that they can be chosen again; what `seat` saw of them still
    # constrains the choices
    cdef void retract_bids(self, int seat) noexcept nogil

    # ---- Result: win[players] sums to 1; score[players] in points. Exact at the end; before it, `score` holds the
    # public points, also in a redacted copy. At the end nothing is hidden, and redact() does nothing.
    cdef void result(self, double* win, double* score) noexcept nogil

    # ---- Copies
    # new object with the same rules and knowledge; its position is unspecified
    cdef GameState blank(self)
    # same rules; all that the position uses
    cdef void copy_from(self, GameState other) noexcept nogil
    # whether both positions are equal
    cdef bint same_position(self, GameState other) noexcept nogil

    # ---- Knowledge: may read public information and the actor's own secrets, nothing else
    # expected result, on the scale of result(); win probabilities by `net` where that is set
    cdef void evaluate(self, double* win, double* score) noexcept nogil
    # features of every seat for a learned evaluation, as far as `viewer` knows them: feature i of a seat goes to
    # out[seat * len(feature_names) + i]. Features of the whole table are the same for all seats
    cdef void fill_features(self, int viewer, double* out) noexcept nogil
    # the sparse inputs that are 1, as far as `viewer` knows, at most MOST_ACTIVE; returns their number. Seats are
    # counted from front()
    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil
    # the seat from which learned evaluations with sparse inputs count the seats
    cdef int front(self) noexcept nogil
    # win probabilities of an unfinished game by `net`, from the features alone
    cdef void learned_shares(self, int viewer, double* win) noexcept nogil
    # hand-written priors: positive, summing to 1, for the actor
    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil
    # features of the actor's moves for learned priors: feature i of a move goes to
    # out[index * len(move_feature_names) + i]. The first is the logarithm of its hand-written prior
    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil

    # the priors that the search uses: by `prior_net` where that is set, otherwise hand-written
    @cython.final
    cdef void priors(self, const move_t* moves, int n, float* out) noexcept nogil
    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil
    # index of a move that wins for certain as far as the actor knows, or -1
    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil
    cdef int find_win(self, GameState twin, const move_t* moves, int n) noexcept nogil      # final

    # ---- Playouts
    # play to the end or the cutoff, in place; returns the number of moves of seats, forced ones included. `scratch`
    # holds max_legal moves. The loop is the same for all games; they override its parts below
    @cython.final
    cdef int playout(self, Rng* rng, const PlayoutParams* params, move_t* scratch,
                     double* win, double* score) noexcept nogil
    # called once at the start
    cdef void begin_playout(self, Rng* rng) noexcept nogil
    # called once at the end
    cdef void end_playout(self) noexcept nogil
    # play the coming chance event: sample() and play()
    cdef void play_luck(self, Rng* rng) noexcept nogil
    # one step of the rollout policy where a seat decides: a decision, or several of its turn with the chance events
    # between and after them, at most to the first decision of the next turn, or to the end where cutoff is -1; returns
    # the number of moves
    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil
    # whether evaluations at this turn are comparable with those of other playouts
    cdef bint comparable(self) noexcept nogil
    # evaluate() of a world in which no more moves are made: its secrets may count like its result
    cdef void evaluate_world(self, double* win, double* score) noexcept nogil

    # ---- Debug build
    cdef int check(self) except -1                                      # recompute every incremental structure


cdef class View:
    cdef readonly int seat              # the seat that sees it
    cdef readonly bint redacted         # False only for test controls that cheat on purpose
    cdef GameState state                # redacted copy; not reachable from Python
