"""What a search has found, as plain data."""

from sfida.cython_ext.search.shared_tree cimport SharedTree
from sfida.cython_ext.search.tree cimport Tree


cdef list root_edges(Tree t)
cdef dict statistics(SharedTree t)
cdef int check_tree(Tree t) except -1
