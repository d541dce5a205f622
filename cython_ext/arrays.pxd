"""Filling the tables of a rules core from arrays: engines read data files, cores receive numbers."""

from libc.stdint cimport int64_t, uint8_t
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
