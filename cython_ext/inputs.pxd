"""Lists of sparse inputs of learned evaluations: the numbers of those that are 1, one after the other."""

from libc.stdint cimport uint16_t, uint64_t

from sfida.cython_ext.bits cimport lowest


cdef inline uint16_t* put(uint16_t* out, int number) noexcept nogil:
    """List an input."""
    out[0] = <uint16_t> number
    return out + 1


cdef inline uint16_t* step_of(uint16_t* out, int first, int n, int most) noexcept nogil:
    """List the input of a number: 1 to `most`, which stands for more, too; none for 0."""
    return put(out, first + (n if n < most else most) - 1) if n > 0 else out


cdef inline uint16_t* members(uint16_t* out, int first, uint64_t set) noexcept nogil:
    """List an input for each member of a set."""
    while set:
        out = put(out, first + lowest(set))
        set &= set - 1
    return out
