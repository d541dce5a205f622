"""A Carcassonne position as plain data: what drawing, observation and the recount read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the board. x grows east, y grows south; `rotation` counts quarter turns clockwise."""

    code: str
    x: int
    y: int
    rotation: int


@dataclass(frozen=True)
class Follower:
    """A follower on the board: index of its tile in `Position.tiles`, segment number, owner."""

    tile: int
    segment: int
    seat: int


@dataclass(frozen=True)
class Position:
    """Everything public about a state (the game hides nothing but the order of the stacks).

    Attributes
    ----------
    phase : str
        "first" (who starts is drawn), "draw", "place", "deploy" or "over".
    seat_on_turn : int
        Seat whose turn it is, also while the draw is pending.
    tiles : tuple of PlacedTile
        In the order they were laid.
    supply : tuple of int
        Followers in hand per seat.
    tile_in_hand : str or None
        Code of the drawn tile (phase "place"), or of the tile just laid (phase "deploy").
    open_places : tuple of (x, y)
        Empty cells next to the board.
    placements : tuple of (x, y, rotation)
        Legal placements of the tile in hand, sorted; only in phase "place".
    deploy_segments : tuple of int
        Segment numbers of the last tile that may take a follower; only in phase "deploy".
    remaining : dict of str to int
        Copies left in the land stack by tile code; codes with none left are absent.
    river_remaining : dict of str to int
        Likewise for the river stack, the lake included until it is drawn.
    discarded : tuple of str
        Tiles that could not be placed and left the game.
    """

    players: int
    phase: str
    seat_on_turn: int
    tiles: tuple[PlacedTile, ...]
    followers: tuple[Follower, ...]
    scores: tuple[int, ...]
    supply: tuple[int, ...]
    tile_in_hand: str | None = None
    open_places: tuple[tuple[int, int], ...] = ()
    placements: tuple[tuple[int, int, int], ...] = ()
    deploy_segments: tuple[int, ...] = ()
    remaining: dict[str, int] = field(default_factory=dict)
    river_remaining: dict[str, int] = field(default_factory=dict)
    discarded: tuple[str, ...] = ()
