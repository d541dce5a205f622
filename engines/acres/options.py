"""The options of A Few Acres of Snow (FAS-18), and the rules that follow from options and preset.

Every rule that differs between presets is an option. An option that is not given takes the preset's value; presets
are columns of the data file's table of options.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from sfida.engines.game import GameOptions
from sfida.engines.language import N_
from sfida.engines.spec import as_preset, refuse_idle

COLUMNS = {"first": "value", "second": "second", "online": "online"}
PRESETS = tuple(COLUMNS)


def _flag(doc: str, **metadata: Any) -> Any:
    return as_preset(doc, values=(False, True), **metadata)


@dataclass(frozen=True)
class AcresOptions(GameOptions):
    """Options of a game; an option that is None takes the preset's value (FAS-18).

    Attributes
    ----------
    players : int
        Always 2: seat 0 is British, seat 1 French.
    preset : str
        "first" (the rulebook), "second" (Treefrog 2012) or "online" (the second edition, as played in the recorded
        games).
    max_turns : int or None
        Total turns of both sides until points decide, 1 to 60000; None: no limit (R-31).
    raid_routes : str
        "shortest", or "any": a raid may take a longer route, with more cards, than necessary (R-7); for recorded
        games.
    refill_may_be_skipped : bool
        A turn may end without refilling the hand, as one online client once allowed; for recorded games.
    """

    players: int = field(default=2, metadata={"low": 2, "high": 2, "doc": N_("number of seats"),
        "label": N_("Players")})
    preset: str = field(default="first", metadata={
        "values": PRESETS,
        "doc": N_("first edition (the rulebook), second edition, or the second edition as played online"),
        "label": N_("Edition"),
        "words": (N_("first edition, as in the rulebook"), N_("second edition"),
                  N_("second edition as played online"))})
    french_bateaux_in_initial_deck: bool | None = _flag(
        "the French deck starts with Bateaux; if not, that card is not in the game",
        label=N_("The French start with Bateaux"))
    location_cards_in_reserve: bool | None = _flag("location cards may be put in the reserve",
        label=N_("Location cards in the reserve"))
    home_support_reshuffles: bool | None = _flag("Home Support shuffles the discard pile when the deck runs out",
        label=N_("Home Support reshuffles the discards"))
    raid_range_bonus: int | None = as_preset("extra connections that a raid reaches beyond one per card", low=0, high=1,
        label=N_("Extra reach of raids"))
    settling_victory_target_wins: bool | None = _flag("settling the enemy's Quebec, Boston or New York wins the game",
        label=N_("Settling Quebec, Boston or New York wins"))
    supply_end_needs_no_siege: bool | None = _flag("an empty supply does not end the game while a siege is under way",
        label=N_("No end by supply during a siege"))
    capture_end_needs_no_siege: bool | None = _flag("12 captured points do not end the game while a siege is under way",
        label=N_("No end by captures during a siege"))
    reshuffle: str | None = as_preset(
        "reshuffle as soon as the deck is empty (eager), or only when a card must be drawn (lazy)",
        values=("eager", "lazy"),
        label=N_("When the deck is reshuffled"),
        words=(N_("as soon as it is empty"), N_("when a card must be drawn")))
    end_check: str | None = as_preset(
        "whether the end of the game is checked before or after sieges are resolved",
        values=("before_sieges", "after_sieges"),
        label=N_("The end is checked"), words=(N_("before sieges are resolved"), N_("after sieges are resolved")))
    defender_may_surrender: bool | None = _flag("a besieged side may surrender the site",
        label=N_("A besieged side may surrender"))
    raid_may_start_from_besieged_site: bool | None = _flag("raids may start from a besieged site",
        label=N_("Raids from besieged sites"))
    raid_may_target_besieged_site: bool | None = _flag("a besieged site may be raided",
        label=N_("Raids on besieged sites"))
    placement_after_siege_optional: bool | None = _flag(
        "the winner of a siege may leave the site empty even if it needs no settlers",
        label=N_("A siege's winner may leave the site empty"))
    max_turns: int | None = field(default=400, metadata={
        "low": 1, "high": 60000, "doc": N_("turns, both sides counted, after which points decide; none: no limit"),
        "label": N_("Turns until points decide")})
    british_regular_infantry_removed: int | None = as_preset(
        "number of British Regular Infantry cards removed", low=0, high=6,
        label=N_("Regular Infantry removed from the British"))
    governor_not_on_start_locations: bool | None = _flag(
        "the Governor cannot remove the cards of starting sites that are still held", needs={"no_governor": (False,)},
        label=N_("The Governor spares starting sites"))
    no_governor: bool | None = _flag("the game is played without the Governor cards",
        label=N_("Play without the Governor cards"))
    lost_location_cards_in_reserve: bool | None = _flag("the cards of lost sites may be put in the reserve",
                                                          needs={"location_cards_in_reserve": (False,)},
        label=N_("Cards of lost sites in the reserve"))
    start_fortification_louisbourg: bool | None = _flag("Louisbourg starts with a fort",
        label=N_("Louisbourg starts with a fort"))
    start_fortification_quebec: bool | None = _flag("Quebec starts with a fort",
        label=N_("Quebec starts with a fort"))
    british_bateaux_in_initial_deck: bool | None = _flag("the British deck starts with Bateaux",
        label=N_("The British start with Bateaux"))
    french_picks_extra_initial_empire_card: bool | None = _flag(
        "the French choose one extra empire card for their starting deck",
        label=N_("The French choose an extra empire card"))
    british_siege_needs_french_siege_or_25_points: bool | None = _flag(
        "the British may begin a siege only after the French have begun one, or with 25 points",
        label=N_("British sieges only after a French one, or with 25 points"))
    blocked_raid_costs_no_action: bool | None = _flag("a raid that is blocked does not use up an action",
        label=N_("A blocked raid costs no action"))
    blocked_ambush_costs_no_action: bool | None = _flag("an ambush that is blocked does not use up an action",
        label=N_("A blocked ambush costs no action"))
    fort_st_john_cards: str | None = as_preset(
        "links of the Fort St. John cards: as in the card list, or as on the board",
        values=("as_listed", "by_board"),
        label=N_("Links of the Fort St. John cards"), words=(N_("as in the card list"), N_("as on the board")))
    ships_in_every_sea_siege: bool | None = _flag("ships also count in sieges of Trois Rivieres and Fort Beausejour",
        label=N_("Ships also at Trois Rivieres and Fort Beausejour"))
    raid_routes: str = field(default="shortest", metadata={
        "values": ("shortest", "any"), "doc": N_("whether raids take the shortest route or any (for recorded games)"),
        "label": N_("Routes of raids"), "words": (N_("the shortest"), N_("any"))})
    refill_may_be_skipped: bool = field(default=False, metadata={
        "values": (False, True), "doc": N_("a turn may end without drawing cards (for recorded games)"),
        "label": N_("A turn may end without drawing")})


@dataclass(frozen=True)
class Ruleset:
    """The value of every option, the input of the rules core. Fields have the names of the data file."""

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
    """Return the rules that follow from options and preset."""
    column = COLUMNS[options.preset]
    preset = {name: row[column] for name, row in data["options"].items()}
    given = {f.name: getattr(options, f.name) for f in dataclasses.fields(Ruleset)}
    values = given | {name: value for name, value in preset.items() if given[name] is None}
    refuse_idle(options, values, vars(options) | preset)
    return Ruleset(**values)
