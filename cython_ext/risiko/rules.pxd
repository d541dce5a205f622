"""RisiKo!: what is fixed for a game, taken from arrays."""

from sfida.cython_ext.risiko.board cimport Tables
from sfida.cython_ext.risiko.odds cimport Odds
from sfida.cython_ext.risiko.weights cimport Weights


cdef class RisikoRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Odds k
    cdef Weights w
    cdef readonly tuple colors          # ids, in the order of the data
    cdef readonly tuple objectives      # ids of the deck in use
    cdef readonly tuple features        # names of the features of the knowledge
    cdef int take_weights(self, weights) except -1
    cdef int take_map(self, tables) except -1
    cdef int take_cards(self, tables) except -1
    cdef int take_objectives(self, tables) except -1
    cdef int take_options(self, tables) except -1
