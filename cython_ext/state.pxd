"""The contract of a game: what the search needs of every rules core.

A rules core is a subclass of `GameState` whose whole position is one flat block of memory (`data`,
`size` bytes, 64-byte aligned). Every nogil method is `noexcept`, allocates nothing and touches no
Python object. The Python names (clone, apply, legal_moves, ...) are in `state.pyx`.
"""

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.learned cimport Learned, Net, PriorNet
from sfida.cython_ext.rng cimport Rng
from sfida.cython_ext.seats cimport MAX_SEATS

ctypedef uint64_t move_t                # kind and parameters, as the core lays them out; world-independent


cpdef enum:
    CHANCE = -1                         # actor(): the next event is random
    TERMINAL = -4                       # actor(): the game is over
    ONLOOKER = -1                       # a viewer of features: knows what everybody may know
    EVERYBODY = -2                      # likewise: knows all secrets of a world; not for redacted copies


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
    # Turns to play, that of the first decision included; turns are told by turn(), or by a change of the actor where
    # that is -1. The position is evaluated at the first decision of the turn after (0: at the first decision of all);
    # where evaluations compare only at some turns, at the next such turn. -1: play to the end of the game
    int cutoff
    int informed                        # 0: uniformly random moves; else percent of moves by the game's policy


cdef inline PlayoutParams playout_params(int cutoff, int informed) noexcept nogil:
    cdef PlayoutParams params
    params.cutoff = cutoff
    params.informed = informed
    return params


cdef class GameState:
    # Constant over the life of the object
    cdef readonly object game           # engine object (engines.game.Game): options, notation, drawing
    cdef readonly int players           # seats, 1..MAX_SEATS
    cdef readonly int max_legal         # bound on what candidates(), outcomes() and, without max_listed, legal() write
    cdef readonly int max_listed        # bound on what legal() writes, where it is longer than a search can take
    cdef readonly bint hidden           # some seat cannot see everything
    cdef readonly bint has_evaluation   # evaluate() means something
    cdef readonly bint has_priors       # priors() means something
    cdef readonly bint has_sure_win     # sure_win() means something
    cdef readonly tuple feature_names   # what a learned evaluation can read of a seat; empty: the game lists nothing
    cdef readonly tuple move_feature_names  # what learned priors can read of a move, likewise
    # How positions are judged; copies and worlds take it along, copy_from() leaves it as it is
    cdef readonly Learned knowledge     # None: by the game's hand-made evaluation
    cdef const Net* net                 # the network of `knowledge` for so many players; NULL: hand-made
    cdef const PriorNet* prior_net      # its priors of moves, likewise
    cdef double* move_room              # where priors() lists the features of moves; NULL where it lists none
    # The position
    cdef void* data                     # flat block, 64-byte aligned; NULL when the position is a Python object
    cdef size_t size                    # its bytes
    cdef void* raw                      # what to free
    cdef int failed                     # set when a Python game raised; the search stops at the next step
    cdef int allocate(self, size_t size) except -1
    cdef int judge_like(self, GameState other) except -1
    cdef int make_room(self) except -1
    cdef int who(self) except -9
    cdef list moves_list(self, bint candidates)

    # ---- Rules
    # seat, CHANCE or TERMINAL
    cdef int actor(self) noexcept nogil
    # public number of the turn, responses of others included; -1: a turn is a change of actor
    cdef int turn(self) noexcept nogil
    # every legal move of the actor, each once, in an order that only what the actor knows decides; the count, >= 1
    cdef int legal(self, move_t* out) noexcept nogil
    # the legal moves worth searching, a non-empty subset, likewise
    cdef int candidates(self, move_t* out) noexcept nogil
    # apply a legal move or a chance outcome; trusts the caller
    cdef void play(self, move_t move) noexcept nogil

    # ---- Chance (only when actor() == CHANCE)
    # outcomes with exact integer weights >= 1; the count
    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil
    # one outcome, drawn by its weight
    cdef move_t sample(self, Rng* rng) noexcept nogil

    # ---- Information
    # what `seat` saw of the last event; 0: nothing
    cdef uint64_t event_label(self, int seat) noexcept nogil
    # `seat` saw all of the last event, not only that something happened
    cdef bint sees_event(self, int seat) noexcept nogil
    # determinize: redraw all that `seat` cannot know; reads only what redact() leaves
    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil
    # overwrite all that `seat` cannot know with 0xDD; the copy stays usable, public sizes and counts stay
    cdef void redact(self, int seat) noexcept nogil
    # overwrite with the byte `fill` what the position does not use: lists beyond their ends, what belongs to other
    # phases, scratch. Nothing else changes: no list, no text, no move to come
    cdef void wipe(self, int fill) noexcept nogil
    # coarse summary of the seat's secret, 0..19
    cdef int private_bucket(self, int seat) noexcept nogil
    # the actor's choice stays hidden from others who choose before it is revealed, as in simultaneous bids
    cdef bint is_bid(self) noexcept nogil
    # take back others' bids that are not revealed yet, so that they can be chosen again; what `seat` saw of them
    # goes on to bind their choices
    cdef void retract_bids(self, int seat) noexcept nogil

    # ---- Result: win[players] sums to 1; score[players] in points. Exact at the end; before it `score` holds
    # what is public, also on a redacted copy. At the end nothing is hidden: redact() does nothing then.
    cdef void result(self, double* win, double* score) noexcept nogil

    # ---- Copies
    # new object of the same rules and knowledge, position unspecified
    cdef GameState blank(self)
    # same rules; one memcpy
    cdef void copy_from(self, GameState other) noexcept nogil

    # ---- Knowledge: may read public data and the actor's own secrets, nothing else
    # expected result, on the scale of result(); win shares by `net` where that is set
    cdef void evaluate(self, double* win, double* score) noexcept nogil
    # what a learned evaluation reads of every seat, as far as `viewer` knows it: feature i of a seat goes to
    # out[seat * len(feature_names) + i]. Things of the whole table are the same for all seats
    cdef void fill_features(self, int viewer, double* out) noexcept nogil
    # win shares of an unfinished game by `net`, from the features alone
    cdef void learned_shares(self, int viewer, double* win) noexcept nogil
    # priors by hand: positive, summing to 1, for the actor
    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil
    # what learned priors read of moves of the actor: feature i of a move goes to
    # out[index * len(move_feature_names) + i]. The first is the logarithm of its prior by hand
    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil

    # the priors that the search goes by: by `prior_net` where that is set, else by hand
    @cython.final
    cdef void priors(self, const move_t* moves, int n, float* out) noexcept nogil
    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil
    # index of a move that wins for certain as far as the actor knows, or -1
    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil
    cdef int find_win(self, GameState twin, const move_t* moves, int n) noexcept nogil      # final

    # ---- Playouts
    # play on to the end or the cutoff, in place; the moves of seats it took, forced ones included. `scratch` holds
    # max_legal moves. The loop is the same for all games; they override its parts below
    @cython.final
    cdef int playout(self, Rng* rng, const PlayoutParams* params, move_t* scratch,
                     double* win, double* score) noexcept nogil
    # once at the start
    cdef void begin_playout(self, Rng* rng) noexcept nogil
    # once at the end
    cdef void end_playout(self) noexcept nogil
    # play the coming luck: sample() and play()
    cdef void play_luck(self, Rng* rng) noexcept nogil
    # one step of the rollout policy where a seat decides: a decision, or several of its turn with the luck between and
    # after them, at most to the first decision of the next turn, or to the end where cutoff is -1; how many
    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil
    # evaluations at this turn compare with those of other playouts
    cdef bint comparable(self) noexcept nogil
    # evaluate() of a world in which nobody moves any more: its secrets may count like its result
    cdef void evaluate_world(self, double* win, double* score) noexcept nogil

    # ---- Debug build
    cdef int check(self) except -1                                      # recompute every incremental structure


cdef class View:
    cdef readonly int seat              # whose view it is
    cdef readonly bint redacted         # False only for test controls that cheat on purpose
    cdef GameState state                # redacted copy; not reachable from Python
