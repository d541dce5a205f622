"""The Settlers of Zarahemla: the rules core (see docs/rules/settlers_of_zarahemla.md)."""

from sfida.cython_ext.flat_state cimport FlatState
from sfida.cython_ext.zarahemla.board cimport Game, Tables
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef class ZarahemlaRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef readonly tuple station_edges   # edge of each station, in the order of the data
    cdef int read_map(self, data) except -1
    cdef int read_layouts(self, data, rules) except -1
    cdef int read_costs(self, data, rules) except -1
    cdef int read_options(self, data, rules) except -1
    cdef int read_weights(self, weights) except -1


cdef class ZarahemlaState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef list five(self, unsigned long long lanes)
    cdef int put_pieces(self, buildings, roads) except -1
