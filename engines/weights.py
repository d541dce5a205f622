"""Weights of a game's knowledge: the table of an engine, with what a caller changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Weight = TypeVar("Weight")


def changed(table: Mapping[str, Weight], changes: Mapping[str, Weight]) -> dict[str, Weight]:
    """Return the table in its order, with the changes.

    Raises
    ------
    ValueError
        If a change is to no weight of the table.
    """
    unknown = set(changes) - set(table)
    if unknown:
        raise ValueError(f"unknown weights: {sorted(unknown)}")
    return {**table, **changes}
