"""Moves of Attila as numbers of a fixed action space: their codes."""

from __future__ import annotations

from sfida.engines.actions import Actions, SmallCodes
from sfida.engines.attila.moves import ROWS

ACTIONS: Actions = SmallCodes(max(first + count for _kind, first, count in ROWS))
