"""A Few Acres of Snow: the tables that all states of a game share, copied from arrays."""

from sfida.cython_ext.acres.board cimport Hold, Side, Tables
from sfida.cython_ext.acres.weights cimport Weights


cdef class AcresRules:
    """Tables, options and weights, immutable."""
    cdef Tables t
    cdef Weights w
    cdef int copy_map(self, board_tables) except -1
    cdef int copy_numbers(self, numbers) except -1
    cdef int copy_options(self, options) except -1
    cdef int copy_cards(self, Hold* h, cards) except -1
    cdef int copy_start(self, Side* p, const Hold* h, start) except -1
    cdef int copy_knowledge(self, knowledge) except -1
    cdef int check_cards(self, const Hold* h, dict sets) except -1
