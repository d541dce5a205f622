"""What names the places of RisiKo! that can be pointed at."""

from __future__ import annotations

from sfida.engines.risiko.rules import card_name, codes


def territory_key(number: int) -> str:
    """Return what names a territory."""
    return f"territory:{codes()[number]}"


def card_key(card: int) -> str:
    """Return what names a territory card of the mover."""
    return f"card:{card_name(card)}"
