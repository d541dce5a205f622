"""What names the places of Zarahemla that can be pointed at."""

from __future__ import annotations

from sfida.engines.zarahemla.looks import RESOURCES

DICE, DECK, TEMPLE = "dice", "deck", "temple"   # the plates in the corners of the frame


def place_key(kind: str, number: int) -> str:
    """Return what names a "corner", an "edge", a "hex" or a "seat"."""
    return f"{kind}:{number}"


def hand_key(resource: int) -> str:
    """Return what names a resource in the mover's hand."""
    return f"hand:{RESOURCES[resource]}"


def bank_key(resource: int) -> str:
    """Return what names a resource in the bank."""
    return f"bank:{RESOURCES[resource]}"


def card_key(name: str) -> str:
    """Return what names a development card of the mover, given by its id in the data."""
    return f"card:{name}"
