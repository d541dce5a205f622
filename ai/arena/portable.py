"""Sends games and agents to other processes."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import cloudpickle  # type: ignore[import-untyped]

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted


def portable(thing: object) -> bytes:
    """Pickle a game or an agent so that another process with the same `sys.path` can load it.

    A class that cannot be imported there (from a script, a notebook or a test) is pickled with it.

    Raises
    ------
    InvalidOption
        If it cannot be pickled.
    """
    module = sys.modules.get(type(thing).__module__)
    travels = module is not None and module.__name__ != "__main__" and not _found_again(module)
    try:
        if travels:
            cloudpickle.register_pickle_by_value(module)
        return bytes(cloudpickle.dumps(thing))
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise InvalidOption(f"{quoted(thing)} cannot be sent to the processes that play the games: {error}") from error
    finally:
        if travels:
            cloudpickle.unregister_pickle_by_value(module)


def _found_again(module: ModuleType) -> bool:
    """Return whether importing the module's name in another process would load the same file."""
    path, spec, name = None, None, ""
    for part in module.__name__.split("."):
        name = f"{name}.{part}" if name else part
        specs = (finder.find_spec(name, path) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        spec = next((found for found in specs if found is not None), None)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return spec is not None and spec.origin == getattr(module, "__file__", None)
