"""Filling the tables of a rules core from arrays: engines read data files, cores receive numbers."""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy


cdef inline int fill(void* table, size_t size, object array, str name) except -1:
    """Copy a contiguous array of any shape into a C array of `size` bytes.

    Raises
    ------
    ValueError
        If the array is not contiguous or has another number of bytes: its shape or its dtype is wrong.
    """
    view = memoryview(array)
    if not view.c_contiguous or view.nbytes != size:
        raise ValueError(f"the table of {name} has {size} bytes in one piece, not {view.nbytes}")
    cdef const uint8_t[::1] raw = view.cast("B")
    memcpy(table, &raw[0], size)
    return 0
