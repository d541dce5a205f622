"""Carcassonne: what is fixed for a game, taken from arrays."""

from sfida.cython_ext.carcassonne.board cimport Tables
from sfida.cython_ext.carcassonne.weights cimport Weights


cdef class CarcassonneRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w                      # of the evaluation and the priors
    cdef readonly tuple codes           # tile codes in the order of the data file
    cdef readonly tuple features        # names of what a learned evaluation reads of a seat
    cdef int take_tiles(self, tables) except -1
    cdef int take_options(self, tables) except -1
    cdef int check_faces(self) except -1
    cdef int check_box(self) except -1
