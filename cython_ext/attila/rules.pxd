"""Attila: what is fixed for a game, taken from arrays."""

from sfida.cython_ext.attila.board cimport Tables
from sfida.cython_ext.attila.weights cimport Weights


cdef class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef readonly tuple features        # names
    cdef int take_land(self, tables) except -1
    cdef int take_components(self, tables) except -1
    cdef int take_options(self, tables) except -1
