"""RisiKo!: the rules core (see docs/rules/risiko.md)."""

from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.risiko.board cimport Game, Tables
from sfida.cython_ext.risiko.informed cimport Mind
from sfida.cython_ext.risiko.odds cimport Odds
from sfida.cython_ext.risiko.weights cimport Weights


cdef class RisikoRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Odds k
    cdef Weights w
    cdef readonly tuple colors          # ids, in the order of the data
    cdef readonly tuple objectives      # ids of the deck in use
    cdef int read_map(self, data) except -1
    cdef int read_cards(self, data, rules) except -1
    cdef int read_objectives(self, data, deck) except -1
    cdef int read_options(self, data, rules) except -1
    cdef int read_weights(self, weights) except -1


cdef class RisikoState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Odds* k                  # == &rules.k
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef Mind mind                      # of the running playout
    cdef int put_players(self, eliminated) except -1
    cdef int put_cards(self, hands, discards, cycles) except -1
