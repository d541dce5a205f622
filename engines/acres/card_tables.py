"""The cards of A Few Acres of Snow as tables by slot, and where each one lies at the start (FAS-3, 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.acres.parameters import LOCATIONS, MODES, NEUTRALS, NONE, PURSES, SITES, SLOTS, TYPES
from sfida.engines.acres.options import Ruleset

MODE_NAMES = ("bateau", "wagon", "ship")            # in the order of the modes of board.pxd

Row = Mapping[str, Any]
Test = Callable[[Row], Any]


def _of_kind(kind: str) -> Test:
    return lambda row: row["kind"] == kind


def _with_symbol(name: str) -> Test:
    return lambda row: name in row["symbols"]


# Which location cards, and which empire and neutral cards, belong to a set of slots (`HOLD` of the declaration).
ON_LOCATIONS: Mapping[str, Test] = {
    "locations": lambda row: True,
    "settler": _with_symbol("settler"),
    "fur": _with_symbol("fur"),
    "military": _with_symbol("military"),
    "coin": lambda row: row["coins"],
    "start": lambda row: row["deck"] == "initial",
    "piracy": lambda row: row["side"] == "french" and row["location"] == "louisbourg",     # FAS-15.4
}
ON_EMPIRE: Mapping[str, Test] = {
    "empire": lambda row: True,
    "neutral": lambda row: row["side"] == "neutral",
    "several": lambda row: row["count"] > 1,
    "settler": _with_symbol("settler"),
    "military": lambda row: "military" in row["symbols"] and not row["defender_only"],
    "fort": lambda row: row["defender_only"],
    "leader": lambda row: row["free_action"] and "military" in row["symbols"],
    "paid": lambda row: row["siege_pay"],
    "raid": lambda row: row["raid"],
    "raid_extra": lambda row: row["raid_extra"],
    "natives": lambda row: row["ambush"] and row["use_pay"],
    "ambush": lambda row: row["ambush"],
    "block_raid": lambda row: row["block_raid"],
    "block_ambush": lambda row: row["block_ambush"],
    "vulnerable": lambda row: row["vulnerable"],
    "convert": _of_kind("convert"),
    "trader": _of_kind("trader"),
    "governor": _of_kind("governor"),
    "intendant": _of_kind("intendant"),
    "home_support": _of_kind("home_support"),
    "wanted": lambda row: row["side"] == "neutral" and row["kind"] == "natives",
}


def set_of(numbers: Iterable[int]) -> int:
    """Return the set of some numbers below 64."""
    found = 0
    for n in numbers:
        found |= 1 << n
    return found


def numbers_of_sites(data: Row) -> dict[str, int]:
    """Return the number of each site by its name in the data."""
    return {row["id"]: row["index"] for row in data["board"]["locations"]}


def card_rows(data: Row) -> list[Row]:
    """Return the rows of all types of cards, in the order of the types."""
    return [*data["cards"]["location_cards"], *data["cards"]["empire_cards"]]


def neutral_types(data: Row) -> list[int]:
    """Return the neutral types."""
    return [card for card, row in enumerate(card_rows(data)) if row["side"] == "neutral"]


def first_slots(data: Row, side: str) -> dict[int, int]:
    """Return the first slot of each type that a side can own.

    A location card lies at its site's number. Of the other types as many single cards as need be lie at sites that
    have no location card of this side, all others behind the sites.

    Raises
    ------
    ValueError
        If there are too few slots.
    """
    site_of, rows = numbers_of_sites(data), card_rows(data)
    found = {card: site_of[row["location"]] for card, row in enumerate(rows[:LOCATIONS]) if row["side"] == side}
    gaps = [slot for slot in range(SITES) if slot not in found.values()]
    mine = [card for card in range(LOCATIONS, TYPES) if rows[card]["side"] in (side, "neutral")]
    singles = [card for card in mine if rows[card]["count"] == 1]
    for card in singles[:max(0, sum(rows[card]["count"] for card in mine) - (SLOTS - SITES))]:
        if not gaps:
            break
        found[card] = gaps.pop(0)
    free = SITES
    for card in mine:
        if card not in found:
            found[card] = free
            free += rows[card]["count"]
    if free > SLOTS:
        raise ValueError(f"the {side} cards do not fit into {SLOTS} slots")
    return found


def card_sets(types: Mapping[int, int], located: Mapping[int, Row], others: Mapping[int, Row]) -> dict[str, int]:
    """Return what the cards are good for: types by slot, rows of location cards and of all others by slot."""
    named = {name: set_of(slot for slot, row in located.items() if test(row)) for name, test in ON_LOCATIONS.items()}
    for name, test in ON_EMPIRE.items():
        named[name] = named.get(name, 0) | set_of(slot for slot, row in others.items() if test(row))
    return {**named, "later": set_of(slot for slot in others if types.get(slot - 1) == types[slot])}


def links_of(data: Row, rules: Ruleset, located: Mapping[int, Row]) -> list[list[int]]:
    """Return the sites that the location card at each site reaches by each mode."""
    site_of, found = numbers_of_sites(data), [[0] * MODES for _ in range(SITES)]
    for slot, row in located.items():
        if rules.fort_st_john_cards == "by_board" and row["location"] == "fort_st_john":
            row = {**row, **data["alternative"]["fort_st_john_cards"]}
        found[slot] = [set_of(site_of[name] for name in row[mode]) for mode in MODE_NAMES]
    return found


def card_tables(data: Row, rules: Ruleset, seat: int) -> dict[str, Any]:
    """Return what the cards of a side are.

    Raises
    ------
    ValueError
        If the cards do not fit into the slots.
    """
    side, rows, site_of = SIDES[seat], card_rows(data), numbers_of_sites(data)
    types = {first + i: card for card, first in first_slots(data, side).items()
             for i in range(rows[card].get("count", 1))}
    row_of = {slot: rows[card] for slot, card in types.items()}
    located = {slot: row for slot, row in row_of.items() if types[slot] < LOCATIONS}
    others = {slot: row for slot, row in row_of.items() if types[slot] >= LOCATIONS}
    own = {slot: row for slot, row in others.items() if row["side"] == side}
    for row in own.values():
        if not 0 <= row["cost"] < PURSES:
            raise ValueError(f"the price of {row['id']} must be 0..{PURSES - 1}")
    of_type = [set_of(slot for slot in types if types[slot] == card) for card in range(TYPES)]
    neutrals = neutral_types(data)

    def column(name: str, among: Mapping[int, Row]) -> list[int]:
        return [among[slot][name] if slot in among else 0 for slot in range(SLOTS)]

    force = data["siege"]["military_symbol_on_location_card"]
    strength = column("strength", others)
    for slot, row in located.items():
        strength[slot] = force * ("military" in row["symbols"])
    setup = data["setup"]
    return {
        **card_sets(types, located, others),
        "type_of": [types.get(slot, NONE) for slot in range(SLOTS)],
        "coins": column("coins", located), "strength": strength, "siege_pay": column("siege_pay", others),
        "use_pay": column("use_pay", others), "cost": column("cost", others),
        "of_type": of_type, "link": links_of(data, rules, located),
        "symbol": [set_of(slot for slot, row in row_of.items() if mode in row["symbols"]) for mode in MODE_NAMES],
        "afford": [set_of(slot for slot, row in own.items() if row["cost"] <= money) for money in range(PURSES)],
        "neutral_type": [*(of_type[card] for card in neutrals), *[0] * NEUTRALS][:NEUTRALS],
        "neutral_cost": [*(rows[card]["cost"] for card in neutrals), *[0] * NEUTRALS][:NEUTRALS],
        "home": set_of(site_of[name] for name in setup["home_for_location_cards"][side]),
        "home_reinforce": set_of(site_of[name] for name in setup["home_for_reinforcement"][side]),
        "victory": set_of(site_of[name] for name in setup["victory_siege_targets"][side]),
        "native_pay": max((row["use_pay"] for row in others.values() if row["ambush"]), default=0),
    }


def start_tables(data: Row, rules: Ruleset, seat: int) -> dict[str, int]:
    """Return a side's sites, cards, money and supply at the start."""
    side = SIDES[seat]
    sites = {row["index"]: row["start_piece"] for row in data["board"]["locations"] if row["start_owner"] == side}
    towns = [site for site, piece in sites.items() if piece == "town"]
    decks = {True: 0, False: 0}         # in the deck, available
    for card, first in first_slots(data, side).items():
        row = card_rows(data)[card]
        if row["side"] != side:
            continue
        initial, count = row["deck"] == "initial", row.get("count", 1)
        if row["id"] == "f_bateaux" and not rules.french_bateaux_in_initial_deck:
            count = 0
        elif row["id"] == "b_bateaux" and rules.british_bateaux_in_initial_deck:
            initial = True
        elif row["id"] == "b_regular_infantry":
            count = max(0, count - rules.british_regular_infantry_removed)
        elif row.get("kind") == "governor" and rules.no_governor:
            count = 0
        decks[initial] |= set_of(range(first, first + count))
    return {
        "sites": set_of(sites), "towns": set_of(towns), "deck": decks[True], "avail": decks[False],
        "money": data["setup"]["money"][side],
        "cubes": data["supply"]["village_cubes"][side] - len(sites) + len(towns),
        "discs": data["supply"]["town_discs"][side] - len(towns),
    }
