"""Clocks: one that stops while the process sleeps, and CPU time."""

from libc.stdint cimport int64_t


cdef int64_t awake_ns() noexcept nogil  # nanoseconds of the clock `awake`, which must be called once before
