"""The position of a state as plain data; nothing of it is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.carcassonne.position import Follower, PlacedTile, Position

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState


def position_of(state: CarcassonneState) -> Position:
    """Return the state as plain data."""
    raw = state.snapshot()
    placements: tuple[tuple[int, int, int], ...] = ()
    if raw["phase"] == "place":
        placements = tuple(sorted((((m >> 16) & 255) - 128, ((m >> 8) & 255) - 128, m & 3)
                                  for m in state.legal_moves()))
    return Position(
        players=state.players,
        phase=raw["phase"],
        seat_on_turn=raw["seat_on_turn"],
        tiles=tuple(PlacedTile(*tile) for tile in raw["tiles"]),
        followers=tuple(Follower(*follower) for follower in raw["followers"]),
        scores=tuple(raw["scores"]),
        supply=tuple(raw["supply"]),
        tile_in_hand=raw["tile_in_hand"],
        open_places=tuple(raw["open_places"]),
        placements=placements,
        deploy_segments=tuple(raw["deploy_segments"]),
        remaining=raw["remaining"],
        river_remaining=raw["river_remaining"],
        discarded=tuple(raw["discarded"]),
    )
