"""Checks of the debug build: a position and each step to it against a plain recount.

Nothing here shares code with the core: the map, the cards and the prices come from the data, chains are walked site
by site.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from sfida.cython_ext.acres.core import SIDES
from sfida.engines.acres.position import NO_CARD, Position, decode, position_of
from sfida.engines.acres.tables import LOCATION_CARDS, load_data
from sfida.engines.position_game import same

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


@cache
def neighbours() -> tuple[frozenset[int], ...]:
    """Return the sites connected to each site, also by sea and lakes (FAS-6.4, 6.5)."""
    board = load_data()["board"]
    number = {row["id"]: row["index"] for row in board["locations"]}
    found: list[set[int]] = [set() for _ in number]
    groups = [(edge["a"], edge["b"]) for edge in board["edges"] if edge["connect"]]
    groups += [tuple(lake) for lake in board["lakes"].values()]
    groups.append(tuple(row["id"] for row in board["locations"] if row["sea"]))
    for group in groups:
        for a in group:
            found[number[a]] |= {number[b] for b in group if b != a}
    return tuple(map(frozenset, found))


def chain(own: set[int], homes: set[int]) -> set[int]:
    """Return the homes and the own sites that a chain of own sites joins to a home (FAS-6.4, R-3)."""
    seen, front = set(homes), list(homes)
    while front:
        for site in neighbours()[front.pop()]:
            if site in own and site not in seen:
                seen.add(site)
                front.append(site)
    return seen


@cache
def _location_sites(seat: int) -> frozenset[int]:
    number = {row["id"]: row["index"] for row in load_data()["board"]["locations"]}
    return frozenset(number[row["location"]] for row in load_data()["cards"]["location_cards"]
                     if row["side"] == SIDES[seat])


def check_position(position: Position) -> None:
    """Recount a position and compare all figures that follow from the position alone.

    Raises
    ------
    AssertionError
        If pieces or cards are too many, or points, leads or usable cards differ from the recount.
    """
    data = load_data()
    rows, scoring = data["board"]["locations"], data["scoring"]
    number = {row["id"]: row["index"] for row in rows}
    besieged = {siege.site for siege in position.sieges if position.owner[siege.site] == 1 - siege.attacker}
    for seat, one in enumerate(position.seats):
        own = {i for i, owner in enumerate(position.owner) if owner == seat}
        villages = sum(not position.town[i] for i in own)
        points = sum(rows[i]["vp"] * (scoring["town_multiplier"] if position.town[i] else 1) for i in own)
        points += scoring["captured_cube"] * one.captured_villages + scoring["captured_disc"] * one.captured_towns
        same("points", one.points, points)
        other = position.seats[1 - seat]
        supply = data["supply"]
        if one.villages + villages + other.captured_villages > supply["village_cubes"][SIDES[seat]]:
            raise AssertionError("there are too many cubes (FAS-1.5)")
        if one.towns + len(own) - villages + other.captured_towns > supply["town_discs"][SIDES[seat]]:
            raise AssertionError("there are too many discs (FAS-1.5)")
        homes = {number[name] for name in data["setup"]["home_for_location_cards"][SIDES[seat]]}
        usable = chain(own, homes) & own & _location_sites(seat) - besieged
        same("usable cards", set(one.usable), usable)
        if len(one.reserve) > data["setup"]["max_reserve"]:
            raise AssertionError("the reserve is too large (FAS-15.7)")
        if one.hand is not None:
            same("hand size", len(one.hand), one.hand_size)
            if Counter(one.known) - Counter(one.hand):
                raise AssertionError("a known card is not in hand")
    same("forts", position.forts_left + sum(position.fort), data["supply"]["fortification_discs"])
    if any(fort and position.owner[i] < 0 for i, fort in enumerate(position.fort)):
        raise AssertionError("a neutral site is fortified")
    for siege in position.sieges:
        if siege.site in besieged:
            same("lead", siege.lead, recount_lead(position, siege.site, siege.attacker, siege.cards))


def recount_lead(position: Position, site: int, attacker: int, cards: tuple[tuple[int, ...], ...]) -> int:
    """Return a besieger's lead (FAS-10.9)."""
    data = load_data()
    row, siege = data["board"]["locations"][site], data["siege"]
    lead = -int(siege["intrinsic_defence"] + row["defence"]
                + siege["fortification_defence"] * position.fort[site])
    for seat in range(2):
        force = 0
        for card in cards[seat]:
            if card < LOCATION_CARDS:
                symbols = data["cards"]["location_cards"][card]["symbols"]
                mine = siege["military_symbol_on_location_card"] * ("military" in symbols)
            else:
                symbols = data["cards"]["empire_cards"][card - LOCATION_CARDS]["symbols"]
                mine = data["cards"]["empire_cards"][card - LOCATION_CARDS]["strength"]
            if "ship" in symbols and (row["ship_in_siege"] or (position.every_ship and row["sea"])):
                mine = max(mine, siege["ship_symbol_strength"])
            force += mine
        lead += force if seat == attacker else -force
    return lead


def check_step(before: AcresState, code: int, after: AcresState) -> None:
    """Check that a move conserved cards and pieces, and changed money correctly.

    Raises
    ------
    AssertionError
        If anything differs.
    """
    if before.viewer >= 0:
        return
    old, new = position_of(before), position_of(after)
    same("cards", _all_cards(new), _all_cards(old))
    for seat in range(2):
        same("pieces", _pieces(new, seat), _pieces(old, seat))
    move = decode(code)
    spent = _spent(old, move.kind, move.card)
    if spent is not None:
        mine, other = old.mover, 1 - old.mover
        same("money", new.seats[mine].money, old.seats[mine].money - spent)
        if move.kind == "piracy":
            left = max(0, old.seats[other].money - load_data()["income"]["piracy"])
            same("money of the victim", new.seats[other].money, left)
        else:
            same("money of the other side", new.seats[other].money, old.seats[other].money)


def _all_cards(position: Position) -> Counter[int]:
    return Counter((*position.neutral, *(card for seat, side in enumerate(position.seats)
                                         for card in (*position.owned(seat), *side.locations, *side.empire))))


def _pieces(position: Position, seat: int) -> tuple[int, int]:
    """Return the cubes and the discs of a side, on the map, in its supply and captured."""
    side, other = position.seats[seat], position.seats[1 - seat]
    mine = [town for owner, town in zip(position.owner, position.town, strict=True) if owner == seat]
    return (side.villages + len(mine) - sum(mine) + other.captured_villages,
            side.towns + sum(mine) + other.captured_towns)


def _spent(before: Position, kind: str, card: int) -> int | None:
    """Return the cost of a move to its mover; negative for income, None if not recounted here."""
    data = load_data()
    cost, income = data["cost"], data["income"]
    if card == NO_CARD:
        return 0
    price: dict[str, Any] = {} if card < LOCATION_CARDS else data["cards"]["empire_cards"][card - LOCATION_CARDS]
    coins = 0 if price else data["cards"]["location_cards"][card]["coins"]
    match kind:
        case "draft":
            return int(price["cost"])
        case "fortify":
            return int(cost["fortify"])
        case "intendant":
            return int(cost["intendant"])
        case "reinforce" | "strength":
            return int(price.get("siege_pay", 0))
        case "ambush":
            return int(price["use_pay"])
        case "retrieve":
            return int(cost["retrieve_reserve_per_card"]) * len(before.seats[before.mover].reserve)
        case "discard":
            return int(cost["discard_first_card"])
        case "money":
            return -int(coins)
        case "piracy":
            return -int(income["piracy"])
        case "also":
            return {"coins": -int(coins), "furs": -int(income["trader_per_fur_card"]), "govern": 0,
                    "discards": int(cost["discard_each_further_card"]), "raiders": int(price.get("use_pay", 0)),
                    }[before.phase]
    return 0
