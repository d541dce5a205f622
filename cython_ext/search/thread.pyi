"""A thread of a search; the Python face is `search.Search`."""

from sfida.cython_ext.search.tree import Tree

class SearchThread:
    """What carries iterations out, one at a time."""

    def __init__(self, t: Tree) -> None: ...
