"""How a seat of Zarahemla stands: points, income, places to build, special cards and cards, as a viewer knows them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from sfida.cython_ext.zarahemla.parameters import STATION_NAMES
from sfida.engines.language import _
from sfida.engines.standing import Term
from sfida.engines.zarahemla.geometry import hexes_at, next_to, stations_at
from sfida.engines.zarahemla.looks import RESOURCES, ratio, resource_noun
from sfida.engines.zarahemla.options import Ruleset
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.rules import corners_of_edge, load_data
from sfida.engines.zarahemla.seen import position_of
from sfida.engines.zarahemla.tables import CARD_IDS

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

WORTH = {"settlement": 1, "city": 2}        # cards from a hex (ZAR-6)


class Field(NamedTuple):
    """A hex that yields something: its terrain, and its token."""

    terrain: str
    token: int


def yields_at(position: Position, corner: int) -> list[Field]:
    """Return the hexes at a corner that yield something now: not the one where the robber is (ZAR-7.12)."""
    return [Field(position.terrain[number], position.numbers[number]) for number in hexes_at()[corner]
            if position.numbers[number] and number != position.robber]


def open_sites(position: Position, corners: Collection[int]) -> set[int]:
    """Return those corners of some that are free and keep the distance (ZAR-8.4)."""
    taken = {corner for corner, _owner, _kind in position.buildings}
    return {corner for corner in corners if corner not in taken and not next_to()[corner] & taken}


def reached(position: Position, seat: int) -> tuple[set[int], set[int]]:
    """Return where a seat's roads lead: corners for a settlement now, and those that one more road would reach."""
    ends = {corner for edge, owner in position.roads if owner == seat for corner in corners_of_edge()[edge]}
    blocked = {corner for corner, owner, _kind in position.buildings if owner != seat}
    laid = {edge for edge, _owner in position.roads}
    further = {corner for edge, two in enumerate(corners_of_edge()) if edge not in laid
               for corner, start in (two, two[::-1]) if start in ends - blocked}
    return open_sites(position, ends), open_sites(position, further - ends)


def standing(state: ZarahemlaState, seat: int, viewer: int, rules: Ruleset) -> tuple[Term, ...]:
    """Return how a seat stands; of others only what lies open, of the viewer's own hand every card.

    Parameters
    ----------
    state : ZarahemlaState
        A world that is possible for the viewer.
    seat, viewer : int
    rules : Ruleset
    """
    position = position_of(state)
    one = position.seats[seat]
    yields = state.income(seat)
    now, further = reached(position, seat)
    known = state.dev_cards(seat)[0] if seat == viewer else None
    secret = 0 if known is None else known[CARD_IDS.index("victory_point")] * load_data()["scoring"]["vp_card"]
    risk = one.hand_size // 2 if one.hand_size > rules.discard_limit and position.phase != "discard" else 0
    terms = [Term(_("points"), one.points + secret, _("point")),
             Term(_("cards in 36 rolls"), sum(yields), _("card in 36 rolls"))]
    terms += [Term(_("{resource} supply").format(resource=resource_noun(name)), float(n > 0))
              for name, n in zip(RESOURCES, yields, strict=True)]
    owned = {stations_at()[corner] for corner, owner, _kind in position.buildings
             if owner == seat and corner in stations_at()}
    kinds = {position.stations[number][1] for number in owned}
    terms += [Term(_station(kind), float(kind in kinds)) for kind in STATION_NAMES]
    terms += [Term(_("places to settle"), len(now), _("place to settle")),
              Term(_("places to settle one road away"), len(further), _("place to settle one road away")),
              Term(_("roads in a row"), one.road_length, _("road in a row")),
              Term(_("Warriors played"), one.warriors, _("Warrior played")),
              Term(_("temple stones"), one.stones, _("temple stone")),
              Term(_("development cards"), one.card_count, _("development card"))]
    if seat == viewer:
        terms += [Term(resource_noun(name, 2), n, resource_noun(name))
                  for name, n in zip(RESOURCES, state.hand(seat), strict=True)]
    else:
        terms.append(Term(_("cards in hand"), one.hand_size, _("card in hand")))
    terms.append(Term(_("cards that a seven would cost"), risk, _("card that a seven would cost"), good=False))
    return tuple(terms)


def _station(kind: str) -> str:
    if kind == "any":
        return _("trading station ({ratio}:1)").format(ratio=ratio(kind))
    return _("trading station ({ratio}:1 for {resource})").format(ratio=ratio(kind), resource=resource_noun(kind))
