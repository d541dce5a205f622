"""Attila: the rules core (see docs/rules/attila.md)."""

from sfida.cython_ext.attila.board cimport Game, Tables
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.flat_state cimport FlatState


cdef class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef int read_land(self, land) except -1
    cdef int read_data(self, data) except -1
    cdef int read_options(self, options) except -1
    cdef int read_weights(self, weights) except -1
    cdef void fill_tables(self) noexcept


cdef class AttilaState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef int put_cards(self, hands, discards) except -1
