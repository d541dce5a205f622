"""A Few Acres of Snow: the rules core (see docs/rules/a_few_acres_of_snow.md)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Hold, Tables
from sfida.cython_ext.acres.weights cimport Weights
from sfida.cython_ext.flat_state cimport FlatState


cdef class AcresRules:
    """Tables and options, immutable, shared by every state of a game."""
    cdef Tables t
    cdef Weights w
    cdef readonly tuple copies          # of each card type in the game
    cdef int read_map(self, data, rules) except -1
    cdef int read_cards(self, data, rules) except -1
    cdef int read_empire(self, Hold* h, int seat, rows, dict slots) except -1
    cdef int read_setup(self, data, rules) except -1
    cdef int read_costs(self, data) except -1
    cdef int read_options(self, rules) except -1
    cdef int read_knowledge(self, knowledge) except -1


cdef class AcresState(FlatState):
    cdef const Tables* t                # == &rules.t
    cdef const Weights* w               # == &rules.w
    cdef Game* g                        # == data
    cdef unsigned int stop              # turn at which the running playout ends on points
    cdef list types(self, int seat, uint64_t zone)
    cdef uint64_t take(self, int seat, uint64_t* stock, cards) except? 0
    cdef int put_sieges(self, sieges, uint64_t* stock) except -1
