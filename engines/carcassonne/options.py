"""The options of Carcassonne (CAR-13); the defaults are the rulebook's."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _
from sfida.engines.spec import refuse_idle


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
        "rulebook": a completed city pays each player once (CAR-10.14); "per_farm": once for every farm beside it;
        "first_edition": a city pays the players with the most farmers around it (CAR-13.2).
    city2_scoring : str
        "half": a completed city of two tiles gives 2 points (CAR-7.9); "full": no exception (CAR-13.3).
    river_uturn : str
        "immediate": two bends in a row never turn the same way (CAR-11.5); "monotone": the river never runs back;
        "none": no limit (CAR-13.4).
    river_start_tile : str
        The use of the ordinary start tile in a game with the River: "removed" from the game (CAR-11.14), "shuffled"
        into the land stack, or placed right "after_lake" (CAR-13.5).
    farmers : bool
        Whether followers may be deployed in fields (CAR-13.6).
    first_player : str
        First player: "seat0", the number of any seat, or "random", a seat drawn at the start (CAR-13.7, CAR-3.6).
    """

    players: int = field(default=2, metadata={
        "low": 2, "high": 5, "doc": N_("number of seats"),
        "label": N_("Players")})
    river: bool = field(default=False, metadata={
        "values": (False, True), "doc": N_("play with the 12 river tiles"),
        "label": N_("The River"), "words": (N_("without"), N_("with the 12 river tiles"))})
    farm_scoring: str = field(default="rulebook", metadata={
        "values": ("rulebook", "per_farm", "first_edition"),
        "needs": {"farmers": (True,)},
        "doc": N_("each completed city pays a player once; once for every farm beside it; or whoever has most farmers "
                  "around it, 4 points"),
        "label": N_("Scoring of fields"),
        "words": (N_("each city pays a player once"), N_("each city pays once for every field beside it"),
                  N_("whoever has most farmers around a city"))})
    city2_scoring: str = field(default="half", metadata={
        "values": ("half", "full"),
        "doc": N_("a completed city of two tiles scores 2 points, or 4 like any other"),
        "label": N_("Cities of two tiles"), "words": (N_("2 points"), N_("4 points, like any other"))})
    river_uturn: str = field(default="immediate", metadata={
        "values": ("immediate", "monotone", "none"), "only_with": {"river": (True,)},
        "doc": N_("two bends in a row never turn the same way; the river never runs back; or no limit"),
        "label": N_("Bends of the river"),
        "words": (N_("never two the same way in a row"), N_("the river never runs back"), N_("no limit"))})
    river_start_tile: str = field(default="removed", metadata={
        "values": ("removed", "shuffled", "after_lake"), "only_with": {"river": (True,)},
        "doc": N_("with the River, the ordinary start tile stays in the box, is shuffled into the stack, or follows "
                  "the lake"),
        "label": N_("Ordinary start tile with the River"),
        "words": (N_("stays in the box"), N_("shuffled into the stack"), N_("follows the lake"))})
    farmers: bool = field(default=True, metadata={
        "values": (True, False), "doc": N_("followers may be deployed in fields, as farmers"),
        "label": N_("Farmers in the fields")})
    first_player: str = field(default="seat0", metadata={
        "values": ("seat0", "random"), "also": ("0", "1", "2", "3", "4"),
        "doc": N_("who starts: seat 0, any other seat by its number, or a random seat"),
        "label": N_("First player"), "words": (N_("the first seat"), N_("drawn at random"))})

    def check(self) -> None:
        """Raise InvalidOption if the first player is not one of the seats, or an option has no meaning."""
        refuse_idle(self, vars(self), vars(type(self)()))
        if self.first_player.isdecimal() and int(self.first_player) >= self.players:
            raise InvalidOption(_("first_player={value}: with {players} players, the seats are 0 to {last}").format(
                value=self.first_player, players=self.players, last=self.players - 1))
