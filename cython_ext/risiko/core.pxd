"""RisiKo!: the rules core (see docs/rules/risiko.md)."""

from sfida.cython_ext.risiko.board cimport Game, Tables
from sfida.cython_ext.risiko.odds cimport Odds
from sfida.cython_ext.risiko.rules cimport RisikoRules
from sfida.cython_ext.risiko.weights cimport Weights
from sfida.cython_ext.state cimport GameState


cdef class RisikoState(GameState):
    cdef readonly RisikoRules rules
    cdef const Tables* t                # == &rules.t
    cdef const Odds* k                  # == &rules.k
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef int put_players(self, eliminated) except -1
    cdef int put_cards(self, hands, discards, cycles) except -1
