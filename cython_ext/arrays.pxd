"""Helpers with which generated code (generate.py) fills the structs of a rules core: checked names and numbers."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t


cdef inline int check_names(object given, object known, str name) except -1:
    """Raise ValueError unless a table by name has exactly the known names."""
    lacking, unknown = sorted(set(known) - set(given)), sorted(set(given) - set(known))
    if lacking or unknown:
        raise ValueError(f"the table of {name} lacks {', '.join(lacking) or 'nothing'}"
                         + (f", and does not know {', '.join(unknown)}" if unknown else ""))
    return 0


cdef inline object number(object value, object low, object high, str name):
    """Return `value` if it is within low..high; raises ValueError."""
    if not low <= value <= high:
        raise ValueError(f"{name}: the number is {low}..{high}, not {value}")
    return value


cdef inline list flat(object value, tuple shape, str name):
    """Return the members of nested sequences of this shape as one list; raises ValueError for another shape."""
    if not shape:
        return [value]
    if len(value) != shape[0]:
        raise ValueError(f"the table of {name} has {shape[0]} rows, not {len(value)}")
    return [one for row in value for one in flat(row, shape[1:], name)]


ctypedef fused cell:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    int
    float
    double


cdef inline int fill_numbers(cell* places, object value, tuple shape, object low, object high, str name) except -1:
    """Fill an array from nested sequences of this shape, each number within low..high; raises ValueError."""
    cdef list found = flat(value, shape, name)
    cdef int i
    for i in range(len(found)):
        if not low <= found[i] <= high:
            raise ValueError(f"{name}: the numbers are {low}..{high}, not {found[i]}")
        places[i] = found[i]
    return 0


cdef inline uint64_t all_of(int n) noexcept nogil:
    """Return the set of the numbers below n."""
    return ~<uint64_t> 0 >> (64 - n) if n else 0
