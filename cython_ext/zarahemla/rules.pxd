"""The Settlers of Zarahemla: what is fixed for a game, taken from arrays."""

from sfida.cython_ext.zarahemla.board cimport Tables
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef class ZarahemlaRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef readonly tuple resources       # names of what has numbers elsewhere: of resources,
    cdef readonly tuple cards           # development cards
    cdef readonly tuple features        # and features of the knowledge
    cdef int take_weights(self, weights) except -1
    cdef int take_map(self, tables) except -1
    cdef int take_layouts(self, tables) except -1
    cdef int take_costs(self, tables) except -1
    cdef int take_codes(self, tables) except -1
    cdef int take_options(self, tables) except -1
