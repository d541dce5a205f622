"""The options of Carcassonne (CAR-13); the defaults are the rulebook's."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import GameOptions


@dataclass(frozen=True)
class CarcassonneOptions(GameOptions):
    """Options of a game of Carcassonne.

    Attributes
    ----------
    players : int
        Seats, 2 to 5 (CAR-1.1).
    river : bool
        Play with the 12 river tiles (CAR-13.1, CAR-11).
    farm_scoring : str
        "rulebook" (CAR-10.14), "per_farm" or "first_edition" (CAR-13.2).
    city2_scoring : str
        "half": a completed city of two tiles gives 2 points (CAR-7.9); "full": no exception (CAR-13.3).
    river_uturn : str
        "immediate" (CAR-11.5), "monotone" or "none" (CAR-13.4).
    river_start_tile : str
        What becomes of the ordinary start tile with the River: "removed" (CAR-11.14), "shuffled" or
        "after_lake" (CAR-13.5).
    farmers : bool
        False plays without farmers (CAR-13.6).
    first_player : str
        The number of a seat, "seat0" (the same as "0") or "random" (CAR-13.7, CAR-3.6).
    """

    players: int = field(default=2, metadata={
        "low": 2, "high": 5, "doc": "number of seats"})
    river: bool = field(default=False, metadata={
        "values": (False, True), "doc": "play with the 12 river tiles"})
    farm_scoring: str = field(default="rulebook", metadata={
        "values": ("rulebook", "per_farm", "first_edition"),
        "doc": "each city once per player; again from every farm; or majority around each city, 4 points"})
    city2_scoring: str = field(default="half", metadata={
        "values": ("half", "full"),
        "doc": "a completed city of two tiles gives 2 points, or 4 like any other"})
    river_uturn: str = field(default="immediate", metadata={
        "values": ("immediate", "monotone", "none"),
        "doc": "no two bends in a row the same way; the river never runs back; or no limit"})
    river_start_tile: str = field(default="removed", metadata={
        "values": ("removed", "shuffled", "after_lake"),
        "doc": "with the River the start tile is out, shuffled into the stack, or laid after the lake"})
    farmers: bool = field(default=True, metadata={
        "values": (True, False), "doc": "followers may be deployed on fields"})
    first_player: str = field(default="seat0", metadata={
        "values": ("seat0", "random"), "also": ("0", "1", "2", "3", "4"),
        "doc": "who starts: seat 0, any seat by its number, or by lot"})

    def require_seat(self) -> None:
        """Refuse a first player that is none of the seats; raises InvalidOption."""
        if self.first_player.isdecimal() and int(self.first_player) >= self.players:
            raise InvalidOption(f"first_player={self.first_player}: there is no such seat with {self.players} players, "
                                f"whose seats are 0 to {self.players - 1}")
