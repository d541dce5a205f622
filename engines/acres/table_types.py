"""The tables of A Few Acres of Snow that the compiled rules core copies: arrays, numbers and sets.

Sites, slots and types of cards are numbered as in cython_ext/acres/board.pxd; a set of sites or of slots is one
64-bit number, a bit each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Sets = NDArray[np.uint64]
Small = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class MapTables:
    """The board (FAS-2).

    Attributes
    ----------
    value, defence : array of uint8, one a site
    joined, raids : array of uint64, one a site
        Sites connected to it, sea and lakes included; sites one raid connection away.
    ship_siege, settler_sites : int
        Sites where ships count in sieges, and that need a settler.
    """

    value: Small
    defence: Small
    joined: Sets
    raids: Sets
    ship_siege: int
    settler_sites: int


@dataclass(frozen=True)
class NumberTables:
    """Costs, income, sieges, scoring and limits; named as in `Tables` of cython_ext/acres/board.pxd."""

    fortify_cost: int
    intendant_cost: int
    retrieve_cost: int
    discard_first: int
    discard_next: int
    fur_money: int
    piracy_money: int
    merchant_coins: int
    intrinsic: int
    fort_defence: int
    ship_strength: int
    attacker_wins: int
    defender_wins: int
    cube_points: int
    disc_points: int
    town_factor: int
    capture_end: int
    tie_winner: int
    hand_size: int
    max_reserve: int
    first_actions: int
    turn_actions: int
    first_player: int
    home_draws: int
    siege_waits_points: int


@dataclass(frozen=True)
class OptionTables:
    """What the options decide during play (FAS-18); named as in `Tables` of cython_ext/acres/board.pxd."""

    max_turns: int
    raid_bonus: int
    eager: bool
    check_after_sieges: bool
    location_reserve: bool
    lost_location_reserve: bool
    home_reshuffles: bool
    settling_wins: bool
    supply_waits: bool
    capture_waits: bool
    may_surrender: bool
    raid_from_besieged: bool
    raid_besieged: bool
    any_route: bool
    optional_place: bool
    governor_spares_start: bool
    siege_waits: bool
    free_blocked_raid: bool
    free_blocked_ambush: bool
    pick_extra: bool
    may_skip_refill: bool


@dataclass(frozen=True)
class CardSets:
    """Sets of slots of one side; named as in `Hold` of cython_ext/acres/board.pxd."""

    locations: int
    empire: int
    neutral: int
    start: int
    several: int
    later: int
    settler: int
    fur: int
    coin: int
    military: int
    fort: int
    leader: int
    paid: int
    raid: int
    raid_extra: int
    natives: int
    ambush: int
    convert: int
    block_raid: int
    block_ambush: int
    vulnerable: int
    trader: int
    governor: int
    intendant: int
    home_support: int
    piracy: int
    wanted: int


@dataclass(frozen=True)
class CardTables:
    """What the cards of one side are, by slot (see `Hold` of cython_ext/acres/board.pxd).

    Attributes
    ----------
    type_of, coins, strength, siege_pay, use_pay, cost : array of uint8, one a slot
        `type_of` is NONE where no card lies.
    of_type : array of uint64, one a type
        Slots of its copies; 0: this side cannot own it.
    link : array of uint64, sites by modes
        Sites that a location card reaches.
    symbol : array of uint64, one a mode
        Slots that offer it.
    afford : array of uint64, one an amount of money below PURSES
        Slots of own empire cards that cost as much or less.
    neutral_type, neutral_cost : arrays of uint64 and uint8, one a neutral type
    sets
        What the cards are good for.
    home, home_reinforce, victory : int
        Sites where chains end (FAS-6.2, 12.3), and whose siege wins.
    native_pay : int
        Money that Native Americans cost in a raid or an ambush; 0: the side cannot have any.
    """

    type_of: Small
    coins: Small
    strength: Small
    siege_pay: Small
    use_pay: Small
    cost: Small
    of_type: Sets
    link: Sets
    symbol: Sets
    afford: Sets
    neutral_type: Sets
    neutral_cost: Small
    sets: CardSets
    home: int
    home_reinforce: int
    victory: int
    native_pay: int


@dataclass(frozen=True)
class StartTables:
    """One side at the start: sets of sites, sets of slots, numbers (FAS-4)."""

    sites: int
    towns: int
    deck: int
    avail: int
    money: int
    cubes: int
    discs: int


@dataclass(frozen=True)
class Tables:
    """All of it.

    Attributes
    ----------
    map, numbers, options
    cards, start : pair
        By seat.
    neutral_of : array of uint8, one a type
        1 + number of a neutral type; 0: not neutral.
    display : array of uint8, one a neutral type
        Copies of neutral cards.
    forts, start_forts : int
        Fortification discs, and the set of sites that have one at the start.
    """

    map: MapTables
    numbers: NumberTables
    options: OptionTables
    cards: tuple[CardTables, CardTables]
    start: tuple[StartTables, StartTables]
    neutral_of: Small
    display: Small
    forts: int
    start_forts: int


@dataclass(frozen=True)
class Knowledge:
    """What the search is told (see `Weights` of cython_ext/acres/weights.pxd).

    Attributes
    ----------
    card : array of float32, strategies by seats by slots
    site : array of float32, strategies by seats by sites
    aims : array of uint64, strategies by seats
        Sets of sites.
    knobs : list of list of dict of str to float, strategies by seats
        Numbers of `Knobs`, by name.
    win : dict of str to float
        One a feature, by name.
    french, victory, heat, noise : float
    coefficients : dict of str to float
        Those of `coefficients`, by name.
    """

    card: Floats
    site: Floats
    aims: Sets
    knobs: Sequence[Sequence[Mapping[str, float]]]
    win: Mapping[str, float]
    french: float
    victory: float
    heat: float
    noise: float
    coefficients: Mapping[str, float]


def set_of(numbers: Iterable[int]) -> int:
    """Return the set of some numbers below 64."""
    found = 0
    for n in numbers:
        found |= 1 << n
    return found


def small(what: str, numbers: Iterable[int]) -> Small:
    """Return numbers as bytes; raises ValueError if one does not fit."""
    rows = list(numbers)
    for n in rows:
        if not 0 <= n <= 255:
            raise ValueError(f"the {what} must be 0..255, not {n}")
    return np.array(rows, dtype=np.uint8)


def sets(rows: Iterable[int] | Iterable[Iterable[int]]) -> Sets:
    """Return sets as an array."""
    return np.array(list(rows), dtype=np.uint64)
