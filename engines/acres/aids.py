"""Aids at the board of A Few Acres of Snow: owners and points, ways to settle, sieges, raids, prices of cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfida.engines.acres.advice import raid_succeeds
from sfida.engines.acres.narration import siege_stands
from sfida.engines.acres.position import Position
from sfida.engines.acres.style import (
    HAND, RESERVE, SUPPLY, card_key, cards, home_sites, links_of, money_text, offer_text, offered, side_name, site_key,
    sites, the_side
)
from sfida.engines.acres.tables import load_data
from sfida.engines.language import _, chance_text, counted, listed
from sfida.engines.narration import Aid

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


def aids_of(state: AcresState, position: Position, viewer: int | None) -> tuple[Aid, ...]:
    """Return the aids; `position` is the position as the viewer sees it."""
    if position.phase == "deal":
        return ()
    owners = _owners(position)
    if position.is_over:
        return tuple(owners)
    return (*owners, *_ways(position, viewer), *_sieges(state, position), *_raids(position),
            *_cards(position, viewer))


def _site(number: int) -> tuple[str, str]:
    """Return the key and the name of a site."""
    return site_key(number), sites()[number].name


def _owners(position: Position) -> Iterator[Aid]:
    """Yield owner, pieces and points of each site."""
    factor = int(load_data()["scoring"]["town_multiplier"])
    for site in sites():
        owner, town = position.owner[site.number], position.town[site.number]
        said = (_("free; {points} for a village, {more} for a town") if owner < 0 else
                _("{side} town; {points}") if town else _("{side} village; {points}, {more} as a town"))
        words = said.format(side=side_name(owner) if owner >= 0 else "", more=factor * site.value,
                            points=counted(site.value * (factor if town else 1), "point", "points"))
        if not site.value:
            words = _("free; no points") if owner < 0 else _("{side} village; no points").format(side=side_name(owner))
        if position.fort[site.number]:
            words += "; " + _("fortified")
        yield Aid("owners", *_site(site.number), words)


def _ways(position: Position, viewer: int | None) -> Iterator[Aid]:
    """Yield the sites of each side, or of the viewer, whose cards lead to a free site, and what settling it takes."""
    for site in sites():
        if position.owner[site.number] >= 0:
            continue
        for seat in range(2) if viewer is None else (viewer,):
            ways = {card.site: way for card in cards(position.by_board)
                    if card.side == seat and card.site in position.seats[seat].usable
                    for way, places in card.links if site.number in places}
            if ways:
                said = (_("{side} settle it from {ways}; it takes settlers, too") if site.settler else
                        _("{side} settle it from {ways}"))
                yield Aid("ways", *_site(site.number), said.format(
                    side=the_side(seat), ways=listed([_("{site} by {way}").format(site=sites()[one].name,
                                                                                  way=offered(way))
                                                      for one, way in ways.items()])), tuple(map(site_key, ways)))


def _sieges(state: AcresState, position: Position) -> Iterator[Aid]:
    """Yield the course of each siege, and elsewhere the strength that takes a site."""
    for number, owner in enumerate(position.owner):
        siege = position.siege_at(number)
        if siege is not None:
            yield Aid("sieges", *_site(number), _("under siege: {stand}").format(stand=siege_stands(siege)))
        elif owner >= 0:
            defence = state.defence(number)
            words = _("in a siege strength {force} takes it, against defence {defence}").format(
                force=defence + load_data()["siege"]["attacker_wins_at"], defence=defence)
            if number in home_sites(1 - owner):
                words += "; " + _("whoever takes it wins the game")
            yield Aid("sieges", *_site(number), words)


def _raids(position: Position) -> Iterator[Aid]:
    """Yield the cards that a raid on each site takes, and the chance that it is not blocked."""
    near = [_distances(position, seat) for seat in range(2)]
    for number, owner in enumerate(position.owner):
        if owner < 0 or number in position.besieged:
            continue
        needed = near[1 - owner].get(number)
        if position.fort[number] or needed is None:
            yield Aid("odds", *_site(number), _("no raid reaches it"))
        else:
            chance = raid_succeeds(position.seats[owner], number)
            yield Aid("odds", *_site(number), _("a raid takes {cards}, and is unblocked with {chance}").format(
                cards=counted(needed, "card", "cards"), chance=chance_text(chance)))


def _distances(position: Position, seat: int) -> dict[int, int]:
    """Return the number of connections from a side's sites to each other site, through no fort (FAS-13.2 to 13.7)."""
    found = {number: 0 for number, owner in enumerate(position.owner) if owner == seat}
    queue = list(found)
    for here in queue:
        for _kind, there in links_of(here):
            if there not in found and not position.fort[there]:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def _cards(position: Position, viewer: int | None) -> Iterator[Aid]:
    """Yield prices and uses of the cards that the viewer may gain, and uses of those that it holds."""
    if viewer is None:                                  # the supplies are no places for spectators
        return
    own, again = position.seats[viewer], load_data()["cost"]["retrieve_reserve_per_card"]
    piles = ((SUPPLY, (*position.neutral, *own.empire, *own.locations)), (HAND, own.hand or ()), (RESERVE, own.reserve))
    for pile, held in piles:
        for number in sorted(set(held)):
            card = cards(position.by_board)[number]
            price = ""
            if pile == RESERVE:
                price = _("{price} to take it back").format(price=money_text(again))
            elif pile == SUPPLY and card.site < 0:
                price = _("price {price}").format(price=money_text(card.cost))
            elif pile == SUPPLY:
                price = _("comes with its site")
            yield Aid("prices", card_key(pile, number), card.name, "; ".join(filter(None, (price, offer_text(card)))))
