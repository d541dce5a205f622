"""Names of territories, cards, colours and objectives as people type and read them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import _, named
from sfida.engines.risiko.rules import codes, joker_names, load_data
from sfida.engines.spec import did_you_mean, quoted
from sfida.engines.typed import spelling


@cache
def _territories() -> dict[str, int]:
    """Codes, ids and names in both languages, in plain letters."""
    found: dict[str, int] = {}
    for i, row in enumerate(load_data()["territory"]):
        for name in (row["code"], row["id"], row["name_it"], row["name_en"]):
            found[spelling(name)] = i
        for part in re.split(r"[()]", row["name_en"]):
            if spelling(part):
                found[spelling(part)] = i
    return found


def territory(text: str) -> int:
    """Return the number of a territory given by its code or its Italian or English name.

    Raises
    ------
    InvalidNotation
        If there is no such territory.
    """
    number = _territories().get(spelling(text))
    if number is None:
        known = [*codes(), *(row["name_it"] for row in load_data()["territory"])]
        raise InvalidNotation(_("there is no territory {name}{hint}").format(
            name=quoted(text.strip()), hint=did_you_mean(text, known)))
    return number


def is_territory(text: str) -> bool:
    """Say whether a text is the code or name of a territory."""
    return spelling(text) in _territories()


def territory_name(number: int) -> str:
    """Return the name of a territory in the language that is spoken, without its other name in brackets."""
    return named(load_data()["territory"][number]).split(" (")[0]


def card(text: str) -> int:
    """Return the number of a card: a territory, or J1 or J2 for a joker.

    Raises
    ------
    InvalidNotation
        If there is no such card.
    """
    for number, name in joker_names().items():
        if spelling(text) == spelling(name):
            return number
    return territory(text)


def is_card(text: str) -> bool:
    """Say whether a text is the code or name of a territory, or that of a joker."""
    return is_territory(text) or spelling(text) in map(spelling, joker_names().values())


def color_row(number: int) -> dict[str, Any]:
    """Return the table of a colour."""
    row: dict[str, Any] = load_data()["color"][number]
    return row


@cache
def _colors() -> dict[str, int]:
    """Ids, letters and names in both languages, in plain letters."""
    return {spelling(row[key]): number for number, row in enumerate(load_data()["color"])
            for key in ("id", "letter", "name_it", "name_en")}


def is_color(text: str) -> bool:
    """Say whether a text is the id, letter or name of a colour."""
    return spelling(text) in _colors() and text.replace(" ", "").isalpha()


def color(text: str) -> int:
    """Return the number of a colour given by its id, letter or name.

    Raises
    ------
    InvalidNotation
        If there is no such colour.
    """
    number = _colors().get(spelling(text))
    if number is None:
        raise InvalidNotation(_("there is no colour {name}{hint}").format(
            name=quoted(text.strip()), hint=did_you_mean(text, [row["id"] for row in load_data()["color"]])))
    return number
