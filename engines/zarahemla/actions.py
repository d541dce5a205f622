"""Moves of The Settlers of Zarahemla as numbers of a fixed action space: their codes (ZAR-15)."""

from __future__ import annotations

from sfida.engines.actions import Actions, SmallCodes
from sfida.engines.zarahemla.moves import MOVES

ACTIONS: Actions = SmallCodes(max(base + count for _name, base, count in MOVES))
