"""Attila: what is fixed for a game, taken from arrays."""

from sfida.cython_ext.attila.tables cimport Tables
from sfida.cython_ext.attila.weights cimport Weights


cdef class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef readonly tuple features        # names
