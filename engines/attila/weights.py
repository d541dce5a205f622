"""The weights of the knowledge of Attila."""

from __future__ import annotations

from sfida.cython_ext.attila.parameters import VALUES

WEIGHTS: dict[str, float] = VALUES
