"""The way down the tree."""

from sfida.cython_ext.search_thread cimport SearchThread
from sfida.cython_ext.simulation cimport Simulation
from sfida.cython_ext.tree cimport Tree


cdef void descend(SearchThread thread, Tree t, Simulation* simulation) noexcept nogil
