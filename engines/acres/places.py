"""What names the places of A Few Acres of Snow that can be pointed at."""

from __future__ import annotations

from sfida.engines.acres.looks import cards, sites

HAND, RESERVE, SUPPLY, DISCARDS = "card", "reserve", "supply", "discards"   # piles of the mover; supplies are open


def site_key(site: int) -> str:
    """Return what names a site."""
    return f"site:{sites()[site].code}"


def card_key(pile: str, card: int) -> str:
    """Return what names the cards of a type in a pile."""
    return f"{pile}:{cards()[card].code}"


def siege_pile(site: int) -> str:
    """Return what names the cards that the mover has played into a siege of a site."""
    return f"siege-{sites()[site].code}"
