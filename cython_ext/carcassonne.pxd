"""Carcassonne with the River: the rules core (see docs/rules/carcassonne.md)."""

from sfida.cython_ext.carcassonne_board cimport Board, Tables
from sfida.cython_ext.state cimport GameState


cdef class CarcassonneRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef readonly tuple codes           # tile codes in the order of the data file


cdef class CarcassonneState(GameState):
    cdef readonly CarcassonneRules rules
    cdef const Tables* t                # == &rules.t
    cdef Board* b                       # == data
