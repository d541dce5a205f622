"""Attila knowledge: the tokens of a province as a pattern, numbered, so that what depends on all of them is looked up.

A half of the tokens, those of three tribes, is twelve bits. Halves are ordered by their sizes: the second ones that a
first one leaves room for are then the first so many, and patterns are numbered without a gap.
"""

from libc.stdint cimport uint16_t, uint32_t

from sfida.cython_ext.attila.tables cimport MOST_TOKENS


cdef enum:
    HALF = 12                           # bits
    HALVES = 4096
    PATTERNS = 462                      # multisets of at most so many tokens of six tribes


cdef struct Patterns:
    uint16_t first[HALVES]              # by the tokens of the first three tribes: its pattern without others
    uint16_t then[HALVES]               # by those of the last three: what they add


cdef inline int pattern_of(const Patterns* n, uint32_t tokens) noexcept nogil:
    """The number of the tokens of a province, at most MOST_TOKENS."""
    return n.first[tokens & (HALVES - 1)] + n.then[tokens >> HALF]


cdef inline int size_of_half(int half) noexcept nogil:
    """Tokens of three tribes."""
    return (half & 15) + (half >> 4 & 15) + (half >> 8)


cdef inline void number_patterns(Patterns* n) noexcept nogil:
    """Number every multiset of at most MOST_TOKENS tokens, from 0, the empty one, to PATTERNS - 1."""
    cdef int fits[MOST_TOKENS + 1]      # halves of at most so many tokens
    cdef int size, half, next = 0
    for size in range(MOST_TOKENS + 1):
        for half in range(HALVES):
            if size_of_half(half) == size:
                n.then[half] = next
                next += 1
        fits[size] = next
    next = 0
    for half in range(HALVES):
        size = size_of_half(half)
        if size <= MOST_TOKENS:
            n.first[half] = next
            next += fits[MOST_TOKENS - size]
