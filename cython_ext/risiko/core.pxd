"""RisiKo!: the rules core (see docs/rules/risiko.md)."""

from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.risiko.board cimport Game, Tables
from sfida.cython_ext.risiko.informed cimport Mind
from sfida.cython_ext.risiko.odds cimport Odds
from sfida.cython_ext.risiko.weights cimport Weights


cdef class RisikoState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Odds* k                  # == &rules.k
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef Mind mind                      # of the running playout
    cdef int put_players(self, eliminated) except -1
    cdef int put_cards(self, hands, discards, cycles) except -1
