"""The playout of an iteration."""

from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.search.tree cimport Tree


cdef void play_out(SearchThread thread, Tree t) noexcept nogil
