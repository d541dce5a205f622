"""A custom objective (RIS-11.8), apart from the file that it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOST_OBJECTIVES = 32                    # cards of a deck, copies counted (MAX_OBJECTIVES of the rules core)
TERRITORIES = 42


@dataclass(frozen=True)
class OwnObjective:
    """One card, or several alike.

    Attributes
    ----------
    id : str
        As it is typed in ``#objective=``.
    name : str
        What the card says.
    type : str
        "named" (all of `territories`), or as in the data file: "territories" (`count` of them, each with
        `min_armies`), "continents", "continents_plus" (and `extra` others) or "destroy" (`color`, or else `fallback`).
    territories, continents : tuple of str
        Ids of the data file, in its order.
    count, min_armies, extra : int
        0 where the type has none.
    color, fallback : str
        Ids of a colour and of another objective; "" where the type has none.
    copies : int
        Cards of it.
    name_it : str
        What the card says in Italian; "" for `name`.
    """

    id: str
    name: str
    type: str
    territories: tuple[str, ...] = ()
    continents: tuple[str, ...] = ()
    count: int = 0
    min_armies: int = 0
    extra: int = 0
    color: str = ""
    fallback: str = ""
    copies: int = 1
    name_it: str = ""

    def row(self) -> dict[str, Any]:
        """Return the table that the data file would have."""
        common = {"id": self.id, "name_en": self.name, "name_it": self.name_it, "copies": self.copies}
        if self.type == "named":
            return {**common, "territories": list(self.territories)}
        if self.type == "territories":
            return {**common, "type": self.type, "count": self.count, "min_armies": self.min_armies}
        if self.type == "destroy":
            return {**common, "type": self.type, "color": self.color, "fallback": self.fallback}
        row = {**common, "type": self.type, "continents": list(self.continents)}
        return {**row, "extra": self.extra} if self.type == "continents_plus" else row
