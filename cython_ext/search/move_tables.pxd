"""What moves were worth wherever they were played: progressive history, and playouts by MAST and NST.

References
----------
Y. Björnsson, H. Finnsson, "CadiaPlayer: a simulation-based general game player", IEEE TCIAIG 1:1 (2009), MAST.
M. Tak, M. Winands, Y. Björnsson, "N-grams and the last-good-reply policy", IEEE TCIAIG 4:2 (2012), NST.
J. Nijssen, M. Winands, "Enhancements for multi-player MCTS", CG 2010, progressive history.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.rng cimport mix64
from sfida.cython_ext.state cimport move_t


cdef enum:
    TABLE_SLOTS = 16384                 # moves that share a slot share their statistics
    TABLE_TRUST = 5                     # a pair of moves counts once it was seen so often


cdef struct Worth:                      # 8 bytes
    float sum                           # of the rewards of who played it
    uint32_t n


cdef inline uint32_t move_slot(int seat, move_t code) noexcept nogil:
    return <uint32_t> (mix64(code, <uint64_t> (seat + 1)) & (TABLE_SLOTS - 1))


cdef inline uint32_t pair_slot(int seat, move_t before, move_t code) noexcept nogil:
    return <uint32_t> (mix64(mix64(code, <uint64_t> (seat + 101)), before) & (TABLE_SLOTS - 1))


cdef inline void credit(Worth* w, double reward) noexcept nogil:
    w.sum += <float> reward
    w.n += 1


cdef inline double mean_worth(const Worth* w) noexcept nogil:
    """Mean reward, drawn to one half while little is known."""
    return (w.sum + 0.5) / (w.n + 1.0)
