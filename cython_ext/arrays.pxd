"""Filling the tables of a rules core from arrays: engines read data files, cores receive numbers."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
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


cdef inline tuple in_places(dict places):
    """Return names in the order of the places that C code has for them: 0, 1, 2 and so on, else ValueError."""
    if sorted(places.values()) != list(range(len(places))):
        raise ValueError(f"the places are no row: {places}")
    return tuple(sorted(places, key=places.get))


cdef inline int check_names(object given, object known, str name) except -1:
    """Refuse a table by name that lacks one of the known names or has another; raises ValueError."""
    lacking, unknown = sorted(set(known) - set(given)), sorted(set(given) - set(known))
    if lacking or unknown:
        raise ValueError(f"the table of {name} lacks {', '.join(lacking) or 'nothing'}"
                         + (f", and does not know {', '.join(unknown)}" if unknown else ""))
    return 0


cdef inline int fill_rows(void* table, size_t size, size_t row, object array, str name) except -1:
    """Copy an array into the first rows of a C array of `size` bytes, `row` bytes each; return how many they are.

    Raises
    ------
    ValueError
        If there are more rows than the C array has, or their shape or dtype is wrong.
    """
    cdef size_t rows = len(array)
    if rows * row > size:
        raise ValueError(f"at most {size // row} {name} are supported, the data has {rows}")
    if rows:
        fill(table, rows * row, array, name)
    return <int> rows


cdef inline int within(object array, int64_t low, int64_t high, str name) except -1:
    """Refuse numbers that are not low..high: indices which C code follows without looking; raises ValueError."""
    if array.size and not (low <= array.min() and array.max() <= high):
        raise ValueError(f"{name}: the numbers are {low}..{high}, not {array.min()}..{array.max()}")
    return 0


# ---- what generated code fills structs with (generate.py) -------------------------------------------


cdef inline object number(object value, object low, object high, str name):
    """Return a number, which must be from low to high; raises ValueError."""
    if not low <= value <= high:
        raise ValueError(f"{name}: the number is {low}..{high}, not {value}")
    return value


cdef inline list flat(object value, tuple shape, str name):
    """Return the members of nested sequences of a shape in one list; raises ValueError for another shape."""
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
    """Fill an array with the numbers of a table of a shape, each from low to high; raises ValueError."""
    cdef list found = flat(value, shape, name)
    cdef int i
    for i in range(len(found)):
        if not low <= found[i] <= high:
            raise ValueError(f"{name}: the numbers are {low}..{high}, not {found[i]}")
        places[i] = found[i]
    return 0


cdef inline uint64_t all_of(int n) noexcept nogil:
    """The set of the numbers below n."""
    return ~<uint64_t> 0 >> (64 - n) if n else 0
