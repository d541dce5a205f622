"""The Settlers of Zarahemla: the rules core (see docs/rules/settlers_of_zarahemla.md)."""

from sfida.cython_ext.state cimport GameState
from sfida.cython_ext.zarahemla.board cimport Game, Tables
from sfida.cython_ext.zarahemla.rules cimport ZarahemlaRules
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef class ZarahemlaState(GameState):
    cdef readonly ZarahemlaRules rules
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef list five(self, unsigned long long lanes)
    cdef int put_pieces(self, buildings, roads) except -1
