"""The data file of A Few Acres of Snow and settled options as tables, weights and the rules object of the core.

`economic` is the default strategy of the search: settle, develop, keep the deck small, fight when it pays. `hammer` is
the siege rush of the British through Halifax and Louisbourg to Quebec, and for the French the best defence against it:
ambushes, and raids of Halifax. `raider` relies on raids and ambushes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from sfida.cython_ext.acres.core import SIDES, AcresRules
from sfida.cython_ext.acres.parameters import LOCATIONS, MODES, NEUTRALS, NO_LIMIT, NONE, PURSES, SITES, SLOTS
from sfida.cython_ext.acres.parameters import STRATEGIES as STRATEGY_NAMES
from sfida.cython_ext.acres.parameters import TYPES, VALUES
from sfida.engines.acres.options import Ruleset
from sfida.engines.data_files import packaged
from sfida.engines.learned import changed

# ---- The facts of A Few Acres of Snow: sites, connections, cards, prices and options, read from the data file


def load_data() -> dict[str, Any]:
    """Return the data file of the game as tables; do not change them."""
    return packaged("sfida.engines.acres")


# ---- The cards of A Few Acres of Snow as tables by slot, and the place of each card at the start (FAS-3, 4)

MODE_NAMES = ("bateau", "wagon", "ship")            # in the order of the modes of board.pxd

Row = Mapping[str, Any]
Test = Callable[[Row], Any]


def _of_kind(kind: str) -> Test:
    return lambda row: row["kind"] == kind


def _with_symbol(name: str) -> Test:
    return lambda row: name in row["symbols"]


# Conditions for location cards, and for empire and neutral cards, in a set of slots (`HOLD` of the declaration).
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

    The slot of a location card is its site's number. Other types lie behind the sites; if there is not enough room,
    single cards lie at sites without a location card of this side.

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
    """Return the sets of slots by use; `types` by slot, and rows of location cards and of all other cards by slot."""
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
    """Return the tables of the cards of a side.

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


# ---- The weights of the strategies of A Few Acres of Snow

# Worth of empire cards by kind: British, French. An expensive card must also be worth its price.
_CARDS = {
    "military_leader": (2.6, 2.6), "regular_infantry": (3.0, 2.9), "siege_artillery": (3.6, 3.2),
    "militia": (1.1, 1.5), "irregulars": (3.0, 2.2), "fortification": (0.9, 1.1), "natives": (0.7, 0.9),
    "convert": (0.7, 0.7), "home_support": (4.6, 4.6), "trader": (-0.2, 0.6), "transport": (0.5, 0.7),
    "settlers": (3.0, 4.2), "governor": (1.6, 1.4), "intendant": (0.0, 1.1),
}
# Worth of a symbol on a location card: British, French.
_SYMBOLS = {"ship": (0.4, 0.4), "bateau": (0.2, 0.2), "wagon": (0.15, 0.0), "settler": (1.3, 1.6),
            "fur": (0.1, 0.4), "military": (0.4, 0.4)}
_COIN = (0.35, 0.35)
_PLAIN = -0.65                          # a location card without any symbol


Pair = float | tuple[float, float]      # both sides, or British and French


@dataclass(frozen=True)
class Strategy:
    """The settings of one strategy.

    Attributes
    ----------
    cards : dict of str to (float, float)
        Worth of empire cards by kind, in points: British, French.
    sites : dict of str to (float, float)
        Worth of controlling a site beyond its points.
    places : dict of str to (float, float)
        Worth of location cards beyond the worth of their symbols.
    aims : (tuple of str, tuple of str)
        Sites that the strategy aims to besiege: British, French.
    develop, settle, siege, defend, raid, ambush, purse, lean, reserve : float or (float, float)
        See `STYLE` in cython_ext/acres/parameters.py.
    """

    cards: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    sites: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    aims: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    develop: Pair = 1.0
    settle: Pair = 0.9
    siege: Pair = 1.0
    defend: Pair = 1.0
    raid: Pair = 1.0
    ambush: Pair = 1.0
    purse: Pair = 9.0
    lean: Pair = 1.0
    reserve: Pair = 0.12


STRATEGIES: Mapping[str, Strategy] = {
    "economic": Strategy(),
    "hammer": Strategy(
        cards={"regular_infantry": (5.5, 3.0), "siege_artillery": (7.0, 3.2), "military_leader": (4.6, 3.0),
               "militia": (1.4, 1.5), "governor": (3.0, 1.4), "home_support": (5.6, 4.8), "settlers": (0.5, 2.0),
               "irregulars": (4.2, 6.0), "natives": (1.0, 3.2), "convert": (0.7, 1.5),
               "fortification": (0.4, 1.2), "transport": (1.0, 0.8)},
        sites={"halifax": (9.0, 14.0), "louisbourg": (14.0, 3.0), "kennebec": (0.0, 3.0),
               "fort_halifax": (0.0, 2.0), "fort_beausejour": (0.0, 5.0)},
        places={"halifax": (3.5, 0.6), "louisbourg": (3.0, 0.6), "norfolk": (-1.2, 0.0), "pemaquid": (-0.6, 0.0),
                "st_marys": (-0.6, 0.0), "gaspe": (0.0, -0.4)},
        aims=(("halifax", "louisbourg", "quebec"), ()),
        develop=(0.5, 1.0), settle=(0.1, 0.9), siege=(1.5, 1.0), defend=(1.7, 0.9), raid=(0.8, 1.6),
        ambush=(0.8, 1.2), purse=(14.0, 9.0), lean=(1.5, 1.0), reserve=(0.5, 0.15)),
    "raider": Strategy(
        cards={"irregulars": (5.0, 4.5), "natives": (2.4, 2.6), "convert": (2.2, 2.0), "militia": (0.9, 1.2),
               "home_support": (5.0, 5.0), "settlers": (1.5, 2.5)},
        sites={"kennebec": (1.0, 2.5), "fort_halifax": (2.0, 2.0), "ticonderoga": (1.5, 1.5),
               "fort_st_john": (1.0, 1.5), "fort_william_henry": (1.5, 1.5), "albany": (1.0, 1.5),
               "deerfield": (0.5, 1.0)},
        develop=0.8, settle=0.8, defend=0.8, raid=1.6, ambush=1.9, purse=8.0, reserve=0.05),
}
PREFERENCES = ("develop", "settle", "siege", "defend", "raid", "ambush", "purse", "lean", "reserve")
WEIGHTS: Mapping[str, float] = VALUES           # the weights that all strategies share


def worth_of_cards(data: Mapping[str, Any], strategy: Strategy, seat: int) -> list[float]:
    """Return the worth of one more card of each type, 0 for types that the side cannot own."""
    side = SIDES[seat]
    worth = []
    for row in data["cards"]["location_cards"]:
        found = 0.0
        if row["side"] == side:
            found = _COIN[seat] * row["coins"] + sum(_SYMBOLS[name][seat] for name in row["symbols"])
            found += _PLAIN if not row["symbols"] and not row["coins"] else -0.15
            found += strategy.places.get(row["location"], (0.0, 0.0))[seat]
        worth.append(found)
    for row in data["cards"]["empire_cards"]:
        given = {**_CARDS, **strategy.cards}[row["kind"]]
        worth.append(given[seat] if row["side"] in (side, "neutral") else 0.0)
    return worth


def _of(value: Pair, seat: int) -> float:
    return value[seat] if isinstance(value, tuple) else value


def styles(data: Mapping[str, Any], types: tuple[Sequence[int], Sequence[int]],
           leaning: str | None = None) -> list[list[dict[str, Any]]]:
    """Return the preferences of the strategies, by side, as tables; `types` are the card types by slot, per side.

    `leaning` takes the place of the first strategy, which the search follows.
    """
    ids = [row["id"] for row in data["board"]["locations"]]
    names = (leaning or STRATEGY_NAMES[0], *STRATEGY_NAMES[1:])
    return [[_style(data, ids, STRATEGIES[name], seat, types[seat]) for seat in range(2)] for name in names]


def _style(data: Mapping[str, Any], ids: list[str], one: Strategy, seat: int,
           types: Sequence[int]) -> dict[str, Any]:
    worth = worth_of_cards(data, one, seat)
    return {"card": [0.0 if card == NONE else worth[card] for card in types],
            "site": [one.sites.get(name, (0.0, 0.0))[seat] for name in ids],
            "aims": set_of(ids.index(name) for name in one.aims[seat]),
            **{name: _of(getattr(one, name), seat) for name in PREFERENCES}}


# ---- The tables for the core (cython_ext/acres/parameters.py)

Data = Mapping[str, Any]

MOST_VALUE = 7                          # largest value of a site: three bits
HOME_DRAWS = 3                          # FAS-15.12; not in the data
SIEGE_WAITS_POINTS = 25                 # as in the name of the option
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
    """Return the options that matter during play."""
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


def build_tables(data: Data, rules: Ruleset, leaning: str | None = None) -> dict[str, Any]:
    """Return the tables of settled options; the search follows the strategy `leaning`, or the first.

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
        "style": styles(data, (hold[0]["type_of"], hold[1]["type_of"]), leaning),
        "neutral_of": [neutrals.index(card) + 1 if card in neutrals else 0 for card in range(TYPES)],
        "start_display": [*copies, *[0] * NEUTRALS][:NEUTRALS],
        "forts": data["supply"]["fortification_discs"],
        "start_forts": set_of(site_of[name] for name in forts),
    }


# ---- The compiled rules, built from the data file and the options; names of sites and cards

LOCATION_CARDS = LOCATIONS              # card types 0..58; then the rows of empire cards


@lru_cache(maxsize=64)
def build_rules(rules: Ruleset, weights: tuple[tuple[str, float], ...] = (),
                leaning: str | None = None) -> AcresRules:
    """Return the immutable rules object for settled options, shared by all states.

    `weights` changes some of `WEIGHTS`, as (name, value) pairs; the search follows the strategy `leaning`.

    Raises
    ------
    ValueError
        If the data are inconsistent or do not fit the tables.
    """
    data = load_data()
    check_doubles(data)
    return AcresRules(build_tables(data, rules, leaning), changed(WEIGHTS, dict(weights)))


def check_doubles(data: dict[str, Any]) -> None:
    """Compare facts that the data contain twice, in a table and in a card's row, which counts; raises ValueError."""
    for row in data["cards"]["empire_cards"]:
        for concerned, column, table, key in (
                (row["defender_only"], "strength", "siege", "fortification_card_strength"),
                (row["kind"] == "siege_artillery", "siege_pay", "cost", "siege_artillery_when_played_in_a_siege"),
                (row["kind"] == "natives", "use_pay", "cost", "native_americans_per_card_in_raid_or_ambush")):
            if concerned and row[column] != data[table][key]:
                raise ValueError(f"{column} of {row['id']} is {row[column]}, but {key} in [{table}] is "
                                 f"{data[table][key]}: they must agree")


@cache
def site_codes() -> tuple[str, ...]:
    """Return the three letters of each site."""
    return tuple(row["code"] for row in load_data()["board"]["locations"])


@cache
def card_codes() -> tuple[str, ...]:
    """Return the short name of each card type: the site's code for location cards."""
    data = load_data()
    code_of = {row["id"]: row["code"] for row in data["board"]["locations"]}
    return (*(code_of[row["location"]] for row in data["cards"]["location_cards"]),
            *(row["code"] for row in data["cards"]["empire_cards"]))


@cache
def card_of(seat: int) -> dict[str, int]:
    """Return the card types that a side can own, by short name."""
    data = load_data()
    rows = [*data["cards"]["location_cards"], *data["cards"]["empire_cards"]]
    return {code: card for card, (code, row) in enumerate(zip(card_codes(), rows, strict=True))
            if row["side"] in (SIDES[seat], "neutral")}
