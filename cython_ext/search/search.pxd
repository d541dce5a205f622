"""A search: its budgets and its Python face."""

from sfida.cython_ext.search.shared_tree cimport SharedTree


cdef class Search(SharedTree):
    cdef int report_to(self, object callback) except -1
