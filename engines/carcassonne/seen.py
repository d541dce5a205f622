"""The position of a state as plain data; nothing of it is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.carcassonne.position import Feature, Follower, PlacedTile, Position

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState


def position_of(state: CarcassonneState, *, features: bool = True) -> Position:
    """Return a state as its engine reads it; `features`, which take most of the time, may be left out."""
    fields = state.snapshot(features)
    return Position(**{
        **fields, "tiles": tuple(PlacedTile(*one) for one in fields["tiles"]),
        "followers": tuple(Follower(*one) for one in fields["followers"]),
        "features": tuple(Feature(*one) for one in fields["features"])})
