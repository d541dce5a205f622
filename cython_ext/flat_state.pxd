"""What the rules cores share: a position in one flat block, and the names that Python uses for its parts.

A core is a subclass with typed pointers into the block and the tables. Its `__cinit__` calls `lay_out` first.
"""

from libc.stdint cimport uint8_t

from sfida.cython_ext.state cimport GameState


cdef class FlatState(GameState):
    cdef readonly object rules          # tables and options, immutable, shared by every state of a game
    cdef tuple phases                   # names
    cdef const uint8_t* phase_at        # in the block
    cdef const uint8_t* viewer_at       # in the block: 1 + seat whose view this copy is; NULL where nothing is hidden
    # allocate the block and set what all cores have: an evaluation and priors; returns the block
    cdef void* lay_out(self, size_t size, int players, int max_legal, tuple phases) except NULL
