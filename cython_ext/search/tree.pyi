"""What the threads of a search share; the Python face is `search.Search`."""

from typing import Any

from sfida.cython_ext.state import View

class Tree:
    """The tree and its constants."""

    seat: int
    view: View

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters in force, by keyword."""
