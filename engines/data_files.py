"""The data files that games bring along."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def packaged(package: str, name: str = "data.toml") -> dict[str, Any]:
    """Return a TOML file of a package, such as "sfida.engines.attila", as tables; not to be changed."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))
