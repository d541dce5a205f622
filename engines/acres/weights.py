"""The preferences of the strategies of A Few Acres of Snow: worth of cards and sites in points, and some weights.

`economic` is the play that the search starts from: settle, develop, keep the deck lean, fight when it pays. `hammer`
is the siege rush of the British through Halifax and Louisbourg to Quebec, and for the French what troubles it most:
ambushes, and raids of Halifax. `raider` lives by raids and ambushes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfida.cython_ext.acres.core import SIDES
from sfida.cython_ext.acres.parameters import NONE, VALUES
from sfida.cython_ext.acres.parameters import STRATEGIES as STRATEGY_NAMES
from sfida.engines.acres.card_tables import set_of

# Worth of empire cards by kind: British, French. A dear card must be worth its price besides.
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
    """How one strategy differs from the rest.

    Attributes
    ----------
    cards : dict of str to (float, float)
        Worth of empire cards by kind, in points: British, French.
    sites : dict of str to (float, float)
        Worth of controlling a site beyond its points.
    places : dict of str to (float, float)
        Worth of location cards beyond that of their symbols.
    aims : (tuple of str, tuple of str)
        Sites whose sieges it is about: British, French.
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
KNOBS = ("develop", "settle", "siege", "defend", "raid", "ambush", "purse", "lean", "reserve")
WEIGHTS: Mapping[str, float] = VALUES           # all that is the same for every strategy


def worth_of_cards(data: Mapping[str, Any], strategy: Strategy, seat: int) -> list[float]:
    """Return the worth of one more card of each type, 0 for those that the side cannot own."""
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


def styles(data: Mapping[str, Any], types: tuple[Sequence[int], Sequence[int]]) -> list[list[dict[str, Any]]]:
    """Return the preferences of the strategies, by side, as tables; `types` are those of the cards by slot, by side."""
    ids = [row["id"] for row in data["board"]["locations"]]
    return [[_style(data, ids, STRATEGIES[name], seat, types[seat]) for seat in range(2)] for name in STRATEGY_NAMES]


def _style(data: Mapping[str, Any], ids: list[str], one: Strategy, seat: int,
           types: Sequence[int]) -> dict[str, Any]:
    worth = worth_of_cards(data, one, seat)
    return {"card": [0.0 if card == NONE else worth[card] for card in types],
            "site": [one.sites.get(name, (0.0, 0.0))[seat] for name in ids],
            "aims": set_of(ids.index(name) for name in one.aims[seat]),
            **{knob: _of(getattr(one, knob), seat) for knob in KNOBS}}
