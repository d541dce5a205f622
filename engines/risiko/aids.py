"""Aids at the board of RisiKo!: owners, continents and their armies, the odds of attacks, what sets of cards bring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from sfida.engines.language import _, counted, listed
from sfida.engines.narration import Aid
from sfida.engines.risiko.advice import chance_text
from sfida.engines.risiko.options import Ruleset
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.style import (
    JOKERS, card_key, card_symbol, continents, is_over, neighbours, seat_name, set_worth, sets_in, symbol_name,
    territories, territory_key, territory_name
)
from sfida.engines.risiko.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState
_SET = 3                                # cards


def aids_of(state: RisikoState, position: Position, viewer: int | None, rules: Ruleset) -> tuple[Aid, ...]:
    """Return the aids; `position` is the position as the viewer sees it."""
    if any(owner < 0 for owner in position.owner):      # territories are still being dealt
        return ()
    cards = position.seats[viewer].cards if viewer is not None else None
    return (*_owners(position), *(() if is_over(position) else _odds(state, position, viewer)),
            *_cards(position, viewer, cards or (), rules))


def _owners(position: Position) -> Iterator[Aid]:
    """Yield the owner of each territory, and what its continent brings to whom."""
    for one in territories():
        continent = continents()[one.continent]
        held: dict[int, int] = {}
        for other in continent.territories:
            held[position.owner[other]] = held.get(position.owner[other], 0) + 1
        owner = position.owner[one.number]
        yield Aid("owners", territory_key(one.number), territory_name(one.number), _("{seat}, {armies}").format(
            seat=seat_name(position, owner), armies=counted(position.armies[one.number], "army", "armies")))
        parts = ", ".join(f"{seat_name(position, seat)} {number}"
                          for seat, number in sorted(held.items(), key=lambda one: -one[1]))
        said = (_("{continent} brings {seat} {armies} a turn") if len(held) == 1 else
                _("{continent}, {armies} a turn to whoever holds all {number}: {parts}"))
        yield Aid("continents", territory_key(one.number), territory_name(one.number), said.format(
            continent=continent.name, seat=seat_name(position, owner), parts=parts, number=len(continent.territories),
            armies=counted(continent.bonus, "army", "armies")))


def _odds(state: RisikoState, position: Position, viewer: int | None) -> Iterator[Aid]:
    """Yield the chance of each attack that its owner's neighbours could carry through, the viewer's own first."""
    for number, owner in enumerate(position.owner):
        attackers = [other for other in neighbours()[number]
                     if position.owner[other] != owner and position.armies[other] > 1]
        chances = sorted(((position.owner[other] != viewer, -chance, told, other) for other in attackers
                          for chance, told in (chance_text(state, position, other, number),)))
        if not chances:
            continue
        told = listed([_("from {place} ({seat}, {armies}) {chance}").format(
            place=territory_name(other), seat=seat_name(position, position.owner[other]),
            armies=position.armies[other], chance=chance) for _foreign, _less, chance, other in chances])
        yield Aid("odds", territory_key(number), territory_name(number), _("falls to an attack {attacks}").format(
            attacks=told), tuple(territory_key(other) for *_rest, other in chances))


def _cards(position: Position, viewer: int | None, cards: tuple[int, ...], rules: Ruleset) -> Iterator[Aid]:
    """Yield the best set that each card of the viewer's hand is part of."""
    extra = load_data()["cards"]["owned_territory_bonus"]
    own = {card for card in cards if card not in JOKERS and position.owner[card] == viewer}
    for card in cards:
        sets = [three for three in combinations(sorted(cards), _SET) if card in three and sets_in(three)]
        worth = [(set_worth(one, rules.trade_table) + extra * len(own.intersection(one)), one) for one in sets]
        title = symbol_name(card_symbol(card)) if card in JOKERS else territory_name(card)
        if worth:
            most, best = max(worth)
            said = _("the best set with it brings {armies}").format(armies=counted(most, "army", "armies"))
            yield Aid("prices", card_key(card), title, said, tuple(card_key(other) for other in best if other != card))
        else:
            yield Aid("prices", card_key(card), title, _("no set with it yet"))
        if card in own:
            yield Aid("prices", card_key(card), title, _("you hold its territory: {armies} more in a set").format(
                armies=extra), (territory_key(card),))
