"""Attila: the rules core (see docs/rules/attila.md)."""

from sfida.cython_ext.attila.board cimport Game, Tables
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.flat_state cimport FlatState


cdef class AttilaState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    # evaluate(), as far as `viewer` may know
    cdef void judge(self, int viewer, double* win, double* score) noexcept nogil
    cdef int put_cards(self, hands, discards) except -1
