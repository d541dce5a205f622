"""The weights of the knowledge of Carcassonne."""

from __future__ import annotations

from sfida.cython_ext.carcassonne.parameters import VALUES

WEIGHTS: dict[str, float] = VALUES
