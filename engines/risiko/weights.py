"""The weights of the knowledge of RisiKo!"""

from __future__ import annotations

from sfida.cython_ext.risiko.parameters import VALUES

WEIGHTS: dict[str, float] = VALUES
