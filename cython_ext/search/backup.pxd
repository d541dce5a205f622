"""The backup of an iteration."""

from sfida.cython_ext.search.thread cimport SearchThread
from sfida.cython_ext.search.simulation cimport Simulation
from sfida.cython_ext.search.tree cimport Tree


cdef void back_up(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil
