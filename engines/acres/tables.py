"""The data file and settled options as the tables that the rules core takes (cython_ext/acres/parameters.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.acres.parameters import LOCATIONS, NEUTRALS, NO_LIMIT, SITES, TYPES
from sfida.engines.acres.card_tables import (
    card_rows,
    card_tables,
    neutral_types,
    numbers_of_sites,
    set_of,
    start_tables,
)
from sfida.engines.acres.options import Ruleset
from sfida.engines.acres.weights import styles

Data = Mapping[str, Any]

MOST_VALUE = 7                          # of a site: three bits
HOME_DRAWS = 3                          # FAS-15.12; the data have no entry for it
SIEGE_WAITS_POINTS = 25                 # named by the option itself
FORTIFIED = ("louisbourg", "quebec")    # sites that an option fortifies at the start


def check_size(data: Data) -> None:
    """Raise ValueError if the rules core has tables of another size."""
    if len(data["board"]["locations"]) != SITES:
        raise ValueError(f"the board has {SITES} sites, the data {len(data['board']['locations'])}")
    if sorted(numbers_of_sites(data).values()) != list(range(SITES)):
        raise ValueError(f"the sites are not numbered 0 to {SITES - 1}")
    locations, empire = data["cards"]["location_cards"], data["cards"]["empire_cards"]
    if len(locations) != LOCATIONS or len(locations) + len(empire) != TYPES:
        raise ValueError(f"there are {TYPES} types of cards, {LOCATIONS} of them location cards")
    if sum(row["side"] == "neutral" for row in empire) > NEUTRALS:
        raise ValueError(f"at most {NEUTRALS} types of neutral cards are supported")


def map_tables(data: Data, rules: Ruleset) -> dict[str, Any]:
    """Return the board as tables; raises ValueError if a value does not fit."""
    rows = sorted(data["board"]["locations"], key=lambda row: int(row["index"]))
    site_of = numbers_of_sites(data)
    for row in rows:
        if not 0 <= row["vp"] <= MOST_VALUE:
            raise ValueError(f"the value of {row['id']} must be 0..{MOST_VALUE}")
    sea = set_of(row["index"] for row in rows if row["sea"])
    joined = [sea & ~(1 << row["index"]) if row["sea"] else 0 for row in rows]
    raids = [0] * len(rows)
    pairs = [(edge["a"], edge["b"], edge["connect"], edge["raid"]) for edge in data["board"]["edges"]]
    pairs += [(a, b, True, True) for lake in data["board"]["lakes"].values() for a in lake for b in lake if a < b]
    for a, b, connect, raid in pairs:
        for here, there in ((site_of[a], site_of[b]), (site_of[b], site_of[a])):
            joined[here] |= connect << there
            raids[here] |= raid << there
    return {
        "value": [row["vp"] for row in rows], "defence": [row["defence"] for row in rows],
        "joined": joined, "raids": raids,
        "ship_siege": set_of(row["index"] for row in rows
                             if row["ship_in_siege"] or (row["sea"] and rules.ships_in_every_sea_siege)),
        "settler_sites": set_of(row["index"] for row in rows if row["settler"]),
    }


def number_tables(data: Data) -> dict[str, Any]:
    """Return costs, income, sieges, scoring and limits."""
    cost, income, siege, scoring, setup = (data[key] for key in ("cost", "income", "siege", "scoring", "setup"))
    return {
        "fortify_cost": cost["fortify"], "intendant_cost": cost["intendant"],
        "retrieve_cost": cost["retrieve_reserve_per_card"],
        "discard_first": cost["discard_first_card"], "discard_next": cost["discard_each_further_card"],
        "fur_money": income["trader_per_fur_card"], "piracy_money": income["piracy"],
        "merchant_coins": income["merchant_max_coin_cards"],
        "intrinsic": siege["intrinsic_defence"], "fort_defence": siege["fortification_defence"],
        "ship_strength": siege["ship_symbol_strength"],
        "attacker_wins": siege["attacker_wins_at"], "defender_wins": siege["defender_wins_at"],
        "cube_points": scoring["captured_cube"], "disc_points": scoring["captured_disc"],
        "town_factor": scoring["town_multiplier"], "capture_end": scoring["capture_points_to_end"],
        "tie_winner": SIDES.index(scoring["tie_winner"]),
        "hand_size": setup["hand_size"], "max_reserve": setup["max_reserve"],
        "first_actions": setup["first_turn_actions"], "turn_actions": setup["turn_actions"],
        "first_player": SIDES.index(setup["first_player"]),
        "home_draws": HOME_DRAWS, "siege_waits_points": SIEGE_WAITS_POINTS,
    }


def option_tables(rules: Ruleset) -> dict[str, Any]:
    """Return what the options decide during play."""
    return {
        "max_turns": NO_LIMIT if rules.max_turns is None else rules.max_turns,
        "raid_bonus": rules.raid_range_bonus,
        "eager": rules.reshuffle == "eager",
        "check_after_sieges": rules.end_check == "after_sieges",
        "location_reserve": rules.location_cards_in_reserve,
        "lost_location_reserve": rules.lost_location_cards_in_reserve,
        "home_reshuffles": rules.home_support_reshuffles,
        "settling_wins": rules.settling_victory_target_wins,
        "supply_waits": rules.supply_end_needs_no_siege,
        "capture_waits": rules.capture_end_needs_no_siege,
        "may_surrender": rules.defender_may_surrender,
        "raid_from_besieged": rules.raid_may_start_from_besieged_site,
        "raid_besieged": rules.raid_may_target_besieged_site,
        "any_route": rules.raid_routes == "any",
        "optional_place": rules.placement_after_siege_optional,
        "governor_spares_start": rules.governor_not_on_start_locations,
        "siege_waits": rules.british_siege_needs_french_siege_or_25_points,
        "free_blocked_raid": rules.blocked_raid_costs_no_action,
        "free_blocked_ambush": rules.blocked_ambush_costs_no_action,
        "pick_extra": rules.french_picks_extra_initial_empire_card,
        "may_skip_refill": rules.refill_may_be_skipped,
    }


def build_tables(data: Data, rules: Ruleset) -> dict[str, Any]:
    """Return the tables of settled options.

    Raises
    ------
    ValueError
        If the data do not fit the rules core.
    """
    check_size(data)
    neutrals, site_of = neutral_types(data), numbers_of_sites(data)
    copies = [card_rows(data)[card]["count"] for card in neutrals]
    forts = [name for name in FORTIFIED if getattr(rules, f"start_fortification_{name}")]
    hold = [card_tables(data, rules, seat) for seat in range(2)]
    return {
        **map_tables(data, rules), **number_tables(data), **option_tables(rules),
        "hold": hold, "start": [start_tables(data, rules, seat) for seat in range(2)],
        "style": styles(data, (hold[0]["type_of"], hold[1]["type_of"])),
        "neutral_of": [neutrals.index(card) + 1 if card in neutrals else 0 for card in range(TYPES)],
        "start_display": [*copies, *[0] * NEUTRALS][:NEUTRALS],
        "forts": data["supply"]["fortification_discs"],
        "start_forts": set_of(site_of[name] for name in forts),
    }
