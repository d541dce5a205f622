"""The Settlers of Zarahemla: the rules core (see docs/rules/settlers_of_zarahemla.md)."""

from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.zarahemla.board cimport Game, Tables
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef class ZarahemlaState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef list five(self, unsigned long long lanes)
    cdef int put_pieces(self, buildings, roads) except -1
