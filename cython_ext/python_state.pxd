"""Adapter for games written in plain Python."""

from sfida.cython_ext.rng cimport Random, Rng
from sfida.cython_ext.state cimport GameState, move_t


cdef class Hooks:
    cdef readonly str name              # of the game, for messages
    cdef readonly int max_moves         # longest list of moves or outcomes
    cdef readonly int max_plies         # longest playout
    cdef readonly bint hidden           # determinize() and redact() are to be called
    cdef readonly bint labels           # event_label() is defined; else every seat sees every move
    cdef readonly bint candidates       # candidate_moves() is defined
    cdef readonly bint priors           # priors() is defined
    cdef readonly bint playout          # playout_move() is defined
    cdef readonly bint evaluate         # evaluate() is defined
    cdef readonly bint bucket           # private_bucket() is defined
    cdef readonly bint bids             # is_bid() is defined
    cdef readonly bint retract          # retract_bids() is defined
    cdef readonly bint sure_win         # sure_win() is defined
    cdef readonly tuple features        # names of what features() lists; empty: it is not defined
    cdef readonly tuple move_features   # names of what move_features() lists, and the prior before them; likewise
    cdef readonly bint scores           # scores() is defined; else the win shares are the scores
    cdef dict known                     # label -> its 64-bit hash


cdef class PythonState(GameState):
    cdef readonly object position       # the author's object
    cdef Hooks hooks
    cdef Random random                  # lent to the position's own methods
    cdef move_t last                    # last move, for games without event_label()
    cdef bint moved                     # False until there is a last move
    cdef object error                   # what the game raised on the nogil side
    cdef int plies                      # of the running playout
    cdef int next_actor                 # what actor() returns once without asking
    cdef int held                       # PyGILState_STATE before it
    cdef void fail(self, object error, str where) noexcept
    cdef int write_moves(self, object moves, str method, move_t* out) except -1
    cdef int count_ply(self) except -1
    cdef list checked_outcomes(self)
    cdef int fill(self, object values, str method, double* out) except -1
    # The rules with the GIL held: these raise, their namesakes on the nogil side store the exception
    cdef int actor_gil(self) except -9
    cdef int moves_gil(self, move_t* out, bint candidates) except -1
    cdef int play_gil(self, move_t move) except -1
    cdef move_t sample_gil(self, Rng* rng) except? 0
    cdef int result_gil(self, double* win, double* score) except -1
    cdef int features_gil(self, double* out) except -1
    cdef int evaluate_gil(self, double* win, double* score) except -1
    cdef int move_features_gil(self, const move_t* moves, int n, double* out) except -1
    cdef int priors_gil(self, const move_t* moves, int n, float* out) except -1
    cdef move_t playout_move_gil(self, const move_t* moves, int n, Rng* rng) except? 0
