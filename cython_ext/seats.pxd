"""Seats around the table, numbered clockwise from 0."""


cdef enum:
    MAX_SEATS = 6


cdef inline int seat_after(int seat, int players) noexcept nogil:
    """The next seat clockwise."""
    return 0 if seat + 1 == players else seat + 1
