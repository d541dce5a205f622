"""Timing of the contract's nogil calls."""

from libc.stdint cimport int64_t


cdef int64_t cpu_ns() noexcept nogil    # CPU time of the calling thread
