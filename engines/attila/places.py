"""What names the places of Attila that can be pointed at."""

from __future__ import annotations

from sfida.engines.attila.land import Land
from sfida.engines.attila.moves import LETTERS


def province_key(land: Land, number: int) -> str:
    """Return what names a province."""
    return f"province:{land.provinces[number].code}"


def card_key(tribe: int) -> str:
    """Return what names the cards of a tribe in the mover's hand."""
    return f"card:{LETTERS[tribe]}"


def column_key(tribe: int) -> str:
    """Return what names a column of the influence chart."""
    return f"column:{LETTERS[tribe]}"


def tile_key(name: str) -> str:
    """Return what names an action tile of the mover, given by its id in the data."""
    return f"tile:{name}"
