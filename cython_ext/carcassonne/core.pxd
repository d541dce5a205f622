"""Carcassonne with the River: the rules core (see docs/rules/carcassonne.md)."""

from sfida.cython_ext.carcassonne.board cimport Board, Tables
from sfida.cython_ext.carcassonne.weights cimport Weights
from sfida.cython_ext.flat_state cimport FlatState


cdef class CarcassonneState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Board* b                       # == data
    cdef bint room_for(self, int tile_type)
