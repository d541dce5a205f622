"""How likely the other side is to hold a card, by what everybody knows of its hand (17.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import cache
from math import comb

from sfida.engines.acres.card_tables import card_rows
from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import cards
from sfida.engines.acres.position import SeatPosition

NATIVES = "natives"


@cache
def able(what: str) -> frozenset[int]:
    """Return the empire card types with an ability of the data, such as "block_raid"."""
    return frozenset(card for card, row in enumerate(card_rows(load_data())) if row.get(what))


def raid_blockers(victim: SeatPosition, site: int) -> frozenset[int]:
    """Return the types that block a raid on a site; its own card only while the victim may use it (FAS-13.8, R-9)."""
    own = {card.number for card in cards() if card.site == site} if site in victim.usable else set()
    return able("block_raid") | own


def no_card_of(side: SeatPosition, types: Collection[int]) -> float:
    """Return the chance that a side's hand holds no card of some types.

    Parameters
    ----------
    side : SeatPosition
        Only what is public of it is read.
    types : collection of int
    """
    if any(card in types for card in side.known):
        return 0.0
    hidden = Counter(side.unseen) - Counter(side.known)
    total, drawn = hidden.total(), side.hand_size - len(side.known)
    wanted = sum(hidden[card] for card in types)
    return comb(total - wanted, drawn) / comb(total, drawn)


def raid_succeeds(victim: SeatPosition, site: int) -> float:
    """Return the chance that nothing blocks a raid."""
    return no_card_of(victim, raid_blockers(victim, site))


def ambush_hits(victim: SeatPosition) -> float:
    """Return the chance that an ambush is not blocked and there is a card to lose (FAS-14.2, 14.3)."""
    blocks, prey = able("block_ambush"), able("vulnerable")
    open_ = no_card_of(victim, blocks)
    return open_ if prey.intersection(victim.reserve) else open_ - no_card_of(victim, blocks | prey)


def conversion_finds(victim: SeatPosition) -> float:
    """Return the chance that there are neutral Native Americans to hand over (FAS-14.7)."""
    wanted = {card.number for card in cards() if card.kind == NATIVES and card.side < 0}
    return 1.0 if wanted.intersection(victim.reserve) else 1.0 - no_card_of(victim, wanted)
