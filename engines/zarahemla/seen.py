"""The position of a state as plain data, as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.zarahemla.position import Position, SeatPosition

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

def position_of(state: ZarahemlaState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    fields = state.snapshot(-1 if seat is None else seat)
    return Position(**{**fields, "seats": tuple(SeatPosition(**one) for one in fields["seats"])})
