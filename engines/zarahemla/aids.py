"""Aids at the board of Zarahemla: yields and odds of hexes and corners, prices at the thing, rates, owners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfida.engines.language import _, listed
from sfida.engines.narration import Aid
from sfida.engines.zarahemla.advice import ROLLS, card_odds, corner_text, harvest, reached
from sfida.engines.zarahemla.map import board
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Position, SeatPosition
from sfida.engines.zarahemla.style import (
    DECK, DICE, RESOURCES, TEMPLE, bank_key, cards_text, costs, elsewhere, hand_key, has_temple, pips, place_key,
    resource_cards, resource_noun, seat_names, terrain_name
)
from sfida.engines.zarahemla.tables import corners_of_edge

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState
_LEFT = {"settlement": "settlements_left", "city": "cities_left", "road": "roads_left", "temple_stone": "stones_left"}


def aids_of(state: ZarahemlaState, position: Position, viewer: int | None, rules: Ruleset) -> tuple[Aid, ...]:
    """Return the aids; `position` is the position as the viewer sees it."""
    if position.phase.startswith("setup"):
        return ()
    found = [*_yields(position), *_owners(position)]
    if position.phase != "game_over":
        found += _prices(position, viewer)
        if viewer is not None:
            found += [*_rates(state, position, viewer), *_odds(state, position, viewer, rules)]
    return tuple(found)


def _corner(number: int) -> tuple[str, str]:
    """Return the key and the name of a corner."""
    return place_key("corner", number), _("corner {number}").format(number=number)


def _edge(number: int) -> tuple[str, str]:
    a, b = corners_of_edge()[number]
    return place_key("edge", number), _("path {a}-{b}").format(a=a, b=b)


def _yields(position: Position) -> Iterator[Aid]:
    """Yield what each corner and hex brings, with the number of rolls out of 36."""
    for number in range(len(board().corners)):
        yield Aid("yields", *_corner(number), corner_text(position, number))
    names = seat_names(position.players)
    for number, token in enumerate(position.numbers):
        if not position.terrain[number]:
            continue
        title = terrain_name(position.terrain[number])
        parts = [_("{token}: {chances} of {rolls} rolls").format(token=token, chances=pips(token), rolls=ROLLS)
                 if token else _("yields nothing")]
        if number == position.robber:
            parts.append(_("the robber stops it"))
        got = ", ".join(f"{names[seat]} {cards}" for seat, cards in harvest(position, number).items() if cards)
        if got:
            parts.append(_("cards in {rolls} rolls: {cards}").format(rolls=ROLLS, cards=got))
        yield Aid("yields", place_key("hex", number), title, "; ".join(parts))


def _owners(position: Position) -> Iterator[Aid]:
    """Yield the owners of buildings and roads; a road marks all roads of its owner."""
    names = seat_names(position.players)
    for corner, seat, kind in position.buildings:
        said = _("{seat}'s city") if kind == "city" else _("{seat}'s settlement")
        yield Aid("owners", *_corner(corner), said.format(seat=names[seat]))
    for edge, seat in position.roads:
        yield Aid("owners", *_edge(edge), _("{seat}'s road; at most {number} in a row").format(
            seat=names[seat], number=position.seats[seat].road_length),
            tuple(place_key("edge", other) for other, owner in position.roads if owner == seat))


def _prices(position: Position, viewer: int | None) -> Iterator[Aid]:
    """Yield the prices at the deck and the temple, and where the viewer might build."""
    who = None if viewer is None else position.seats[viewer]
    yield Aid("prices", DECK, _("development card"), _price("dev_card", who))
    if has_temple(position):
        yield Aid("prices", TEMPLE, _("temple stone"), _price("temple_stone", who))
    if viewer is None or position.phase.startswith("init"):
        return
    for corner in sorted(reached(position, viewer)[0]):
        yield Aid("prices", *_corner(corner), _price("settlement", who))
    for corner, owner, kind in position.buildings:
        if owner == viewer and kind == "settlement":
            yield Aid("prices", *_corner(corner), _price("city", who))
    laid = {edge for edge, _owner in position.roads}
    ends = {corner for edge, owner in position.roads if owner == viewer for corner in corners_of_edge()[edge]}
    ends -= {corner for corner, owner, _kind in position.buildings if owner != viewer}
    for edge, two in enumerate(corners_of_edge()):
        if edge not in laid and ends.intersection(two):
            yield Aid("prices", *_edge(edge), _price("road", who))


def _price(kind: str, who: SeatPosition | None) -> str:
    """Give the price of a thing, with the cards that a seat lacks for it."""
    thing = {"settlement": _("a settlement"), "city": _("a city"), "road": _("a road"),
             "dev_card": _("a card"), "temple_stone": _("a stone")}[kind]
    parts = [_("{thing} costs {cost}").format(thing=thing, cost=cards_text(costs()[kind]))]
    if who is not None and kind in _LEFT and not getattr(who, _LEFT[kind]):
        parts.append(_("you have none left"))
    elif who is not None and who.hand is not None:
        lacking = [max(0, cost - held) for cost, held in zip(costs()[kind], who.hand, strict=True)]
        parts.append(_("you lack {cards}").format(cards=cards_text(lacking)) if any(lacking) else _("you can pay it"))
    return "; ".join(parts)


def _rates(state: ZarahemlaState, position: Position, viewer: int) -> Iterator[Aid]:
    """Yield the rates of the bank for the viewer, and the cards that the others hold."""
    rates, others = state.rates(viewer), elsewhere(position, viewer)
    for number, name in enumerate(RESOURCES):
        yield Aid("prices", hand_key(number), resource_noun(name), _("{cards} for one card of the bank").format(
            cards=resource_cards(name, rates[number])))
        if others is not None:
            said = _("{number} in the bank, {others} in other hands")
            yield Aid("prices", bank_key(number), resource_noun(name), said.format(
                number=position.bank[number], others=others[number]))


def _odds(state: ZarahemlaState, position: Position, viewer: int, rules: Ruleset) -> Iterator[Aid]:
    """Yield what a roll brings the viewer on average, and the odds of the next development card."""
    income = state.income(viewer)
    brings = listed([f"{cards / ROLLS:.2f} {resource_noun(name)}"
                     for name, cards in zip(RESOURCES, income, strict=True) if cards])
    said = (_("a roll brings you {cards} on average").format(cards=brings) if brings else
            _("no roll brings you a card"))
    size = position.seats[viewer].hand_size
    if size > rules.discard_limit:
        said += "; " + _("a seven (1 in 6) takes {cards}").format(cards=size // 2)
    yield Aid("odds", DICE, _("dice"), said)
    if position.deck:
        yield Aid("odds", DECK, _("development card"), card_odds(state, viewer))
