"""The facts of Attila that no map changes: tribes, colours, centuries, tiles, options; read from the data file."""

from __future__ import annotations

from typing import Any

from sfida.engines.data_files import packaged


def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; not to be changed."""
    return packaged("sfida.engines.attila")
