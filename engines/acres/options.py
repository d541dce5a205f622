"""The options of A Few Acres of Snow (FAS-18) and what a preset makes of them.

Every rule that differs between presets is an option of its own. One that is not given is as the preset has it, and
the presets are columns of the data file's table of options.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from sfida.engines.game import GameOptions
from sfida.engines.spec import as_preset

COLUMNS = {"first": "value", "second": "second", "online": "online"}
PRESETS = tuple(COLUMNS)


def _flag(doc: str) -> Any:
    return as_preset(doc, values=(False, True))


@dataclass(frozen=True)
class AcresOptions(GameOptions):
    """Options of a game; those left None are as the preset has them (FAS-18).

    Attributes
    ----------
    players : int
        Always 2: seat 0 is British, seat 1 French.
    preset : str
        "first" (the rulebook), "second" (Treefrog 2012) or "online" (the second edition as played in the recorded
        games).
    max_turns : int or None
        Turns of both sides together until points decide, 1 to 60000; None: no limit (R-31).
    raid_routes : str
        "shortest" or "any": whether a raid may take a longer route, and more cards, than it needs (R-7); for
        recorded games.
    refill_may_be_skipped : bool
        A turn may end without drawing up to five, as a client once let happen; for recorded games.
    """

    players: int = field(default=2, metadata={"low": 2, "high": 2, "doc": "number of seats"})
    preset: str = field(default="first", metadata={
        "values": PRESETS, "doc": "the rulebook, the second edition, or that as recorded online"})
    french_bateaux_in_initial_deck: bool | None = _flag("the French start with Bateaux; else the card is out")
    location_cards_in_reserve: bool | None = _flag("location cards may go to the reserve")
    home_support_reshuffles: bool | None = _flag("Home Support goes on with the discard pile")
    raid_range_bonus: int | None = as_preset("connections a raid goes beyond its cards", low=0, high=1)
    settling_victory_target_wins: bool | None = _flag("settling Quebec, Boston or New York wins")
    supply_end_needs_no_siege: bool | None = _flag("an empty supply ends the game only without sieges")
    capture_end_needs_no_siege: bool | None = _flag("12 captured points end the game only without sieges")
    reshuffle: str | None = as_preset("when the deck runs out, or when a card is needed", values=("eager", "lazy"))
    end_check: str | None = as_preset("the end is tested before sieges are resolved, or after",
                                      values=("before_sieges", "after_sieges"))
    defender_may_surrender: bool | None = _flag("a besieged side may withdraw")
    raid_may_start_from_besieged_site: bool | None = _flag("raids may start at a besieged site")
    raid_may_target_besieged_site: bool | None = _flag("a besieged site may be raided")
    placement_after_siege_optional: bool | None = _flag("the winner may leave a site empty that needs no settler")
    max_turns: int | None = field(default=400, metadata={
        "low": 1, "high": 60000, "doc": "turns of both sides together until points decide; none: no limit"})
    british_regular_infantry_removed: int | None = as_preset("British Regular Infantry left out", low=0, high=6)
    governor_not_on_start_locations: bool | None = _flag("the Governor spares cards of initial sites still held")
    no_governor: bool | None = _flag("there is no Governor")
    lost_location_cards_in_reserve: bool | None = _flag("cards of lost sites may go to the reserve")
    start_fortification_louisbourg: bool | None = _flag("Louisbourg is fortified at the start")
    start_fortification_quebec: bool | None = _flag("Quebec is fortified at the start")
    british_bateaux_in_initial_deck: bool | None = _flag("the British start with Bateaux")
    french_picks_extra_initial_empire_card: bool | None = _flag("the French choose a card more to start with")
    british_siege_needs_french_siege_or_25_points: bool | None = _flag(
        "the British besiege only after a French siege or with 25 points")
    blocked_raid_costs_no_action: bool | None = _flag("a blocked raid costs no action")
    blocked_ambush_costs_no_action: bool | None = _flag("a blocked ambush costs no action")
    fort_st_john_cards: str | None = as_preset("the links of the Fort St. John cards", values=("as_listed", "by_board"))
    ships_in_every_sea_siege: bool | None = _flag("ships count in sieges of Trois Rivieres and Fort Beausejour, too")
    raid_routes: str = field(default="shortest", metadata={
        "values": ("shortest", "any"), "doc": "whether raids may take longer routes, for recorded games"})
    refill_may_be_skipped: bool = field(default=False, metadata={
        "values": (False, True), "doc": "a turn may end without drawing, for recorded games"})


@dataclass(frozen=True)
class Ruleset:
    """Every option settled: what the rules core is built from. Fields are named as in the data file."""

    french_bateaux_in_initial_deck: bool
    location_cards_in_reserve: bool
    home_support_reshuffles: bool
    raid_range_bonus: int
    settling_victory_target_wins: bool
    supply_end_needs_no_siege: bool
    capture_end_needs_no_siege: bool
    reshuffle: str
    end_check: str
    defender_may_surrender: bool
    raid_may_start_from_besieged_site: bool
    raid_may_target_besieged_site: bool
    placement_after_siege_optional: bool
    max_turns: int | None
    british_regular_infantry_removed: int
    governor_not_on_start_locations: bool
    no_governor: bool
    lost_location_cards_in_reserve: bool
    start_fortification_louisbourg: bool
    start_fortification_quebec: bool
    british_bateaux_in_initial_deck: bool
    french_picks_extra_initial_empire_card: bool
    british_siege_needs_french_siege_or_25_points: bool
    blocked_raid_costs_no_action: bool
    blocked_ambush_costs_no_action: bool
    fort_st_john_cards: str
    ships_in_every_sea_siege: bool
    raid_routes: str
    refill_may_be_skipped: bool


def settle(options: AcresOptions, data: dict[str, Any]) -> Ruleset:
    """Return the rules that options and preset make together."""
    column = COLUMNS[options.preset]
    preset = {name: row[column] for name, row in data["options"].items()}
    given = {f.name: getattr(options, f.name) for f in dataclasses.fields(Ruleset)}
    return Ruleset(**given | {name: value for name, value in preset.items() if given[name] is None})
