"""The weights of the knowledge of The Settlers of Zarahemla."""

from __future__ import annotations

from sfida.cython_ext.zarahemla.parameters import VALUES

WEIGHTS: dict[str, float] = VALUES
