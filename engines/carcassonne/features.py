"""What a learned evaluation of Carcassonne reads of a seat: names and meanings."""

from __future__ import annotations

from sfida.cython_ext.carcassonne import parameters

FEATURES: dict[str, str] = {name: one.doc for name, one in parameters.FEATURES.items()}
