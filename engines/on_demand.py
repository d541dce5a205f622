"""Modules that are imported when one of their names is first used, so that a start loads only what it needs."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


class OnDemand:
    """A module that is imported when it is first used.

    The names of a module stand in for it where it is used, and its import for the type checker stands beside it::

        if TYPE_CHECKING:
            from sfida.engines.attila import advice
        else:
            advice = OnDemand("sfida.engines.attila.advice")

    Parameters
    ----------
    name : str
        Full name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: ModuleType | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):               # asked for by tools that look at objects, which need no module
            raise AttributeError(name)
        if self._module is None:
            self._module = importlib.import_module(self._name)
        return getattr(self._module, name)


def on_demand(package: str, *names: str) -> tuple[OnDemand, ...]:
    """Return modules of a package that are imported when they are first used."""
    return tuple(OnDemand(f"{package}.{name}") for name in names)
