"""Columns: buffers of bytes that grow, for what games leave behind."""

from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef struct Column:
    char* data
    size_t used                         # bytes
    size_t room


cdef inline bint append(Column* to, const void* data, size_t size) noexcept nogil:
    """Append bytes; returns whether there was memory for them."""
    cdef size_t room
    cdef void* larger
    if to.used + size > to.room:
        room = 2 * (to.used + size) + 4096
        larger = realloc(to.data, room)
        if larger == NULL:
            return False
        to.data, to.room = <char*> larger, room
    memcpy(to.data + to.used, data, size)
    to.used += size
    return True
