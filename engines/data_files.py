"""The data files that games bring along."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def packaged(package: str, name: str = "data.toml") -> dict[str, Any]:
    """Return a TOML file of a package, such as "sfida.engines.attila", as tables; not to be changed."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def tables_beside(game_class: type, name: str, key: str = "table") -> list[Any]:
    """Return the tables ``[[key]]`` of a TOML file in the package of a game; none if there is no such file.

    Raises
    ------
    ValueError
        If the file is not TOML.
    """
    package = sys.modules[game_class.__module__].__package__
    if not package or not resources.files(package).joinpath(name).is_file():
        return []
    tables = packaged(package, name).get(key, [])
    return tables if isinstance(tables, list) else [tables]


def wrong_table(error: Exception) -> str:
    """Return in one line what is wrong with a table of such a file."""
    return f"{error} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
