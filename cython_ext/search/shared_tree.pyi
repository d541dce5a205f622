"""The threads that share one tree; the Python face is `search.Search`."""

from sfida.cython_ext.search.tree import Tree

class SharedTree(Tree):
    """A tree with the threads that work in it."""
