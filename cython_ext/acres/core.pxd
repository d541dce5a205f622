"""A Few Acres of Snow: the rules core (see docs/rules/a_few_acres_of_snow.md)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Tables
from sfida.cython_ext.acres.weights cimport Weights
from sfida.cython_ext.flat_state cimport FlatState


cdef class AcresState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef unsigned int stop              # turn at which the running playout ends on points
    cdef list types(self, int seat, uint64_t zone)
    cdef uint64_t take(self, int seat, uint64_t* stock, cards) except? 0
    cdef int put_sieges(self, sieges, uint64_t* stock) except -1
