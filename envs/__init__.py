"""Sfida's games as environments for learning: PettingZoo, Gymnasium and OpenSpiel.

>>> from sfida.envs import aec_env
>>> env = aec_env("carcassonne")                    # needs the extra: pip install 'sfida[envs]'
>>> env.reset(seed=7)

See docs/measure/environments.md.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False       # `typing` is slow to import, see `sfida`
if TYPE_CHECKING:
    from typing import Any

    from sfida.envs.making import aec_env, one_seat_env, parallel_env, register_in_openspiel

__all__ = ["aec_env", "one_seat_env", "parallel_env", "register_in_openspiel"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'sfida.envs' has no attribute {name!r}")
    value = getattr(importlib.import_module("sfida.envs.making"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
