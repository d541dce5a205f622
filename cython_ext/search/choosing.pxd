"""The move to play after a search, from the statistics of the root's moves."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.state cimport move_t


cdef enum Final:                        # how the move is chosen; the order of FINALS
    LCB
    VISITS
    SAMPLE


# by its name; raises ValueError
cdef Final final_named(str name) except *


cdef struct RootMove:
    move_t code
    uint32_t visits
    double reward                       # mean of the searching seat, as it judges it
    double deviation                    # of its rewards
    double strategy                     # average strategy of a bid; -1: none


# order the moves as `choice` reads them
cdef void put_in_order(RootMove* rows, int n) noexcept nogil
# index of the move to play; -1 without moves
cdef int choice(const RootMove* rows, int n, Final final, double temperature, uint64_t seed) noexcept nogil
