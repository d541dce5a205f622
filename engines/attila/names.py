"""Names of tribes and provinces as people type and read them."""

from __future__ import annotations

import re
from functools import lru_cache

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.moves import LETTERS
from sfida.engines.language import _
from sfida.engines.spec import did_you_mean, quoted
from sfida.engines.typed import spelling

ITALIAN = {row["letter_it"]: row["index"] for row in load_data()["tribes"] if row["letter_it"] not in LETTERS}


def letters(text: str) -> list[int]:
    """Return the tribes of a row of letters, such as "HHG", or of names; U is the Italian letter of the Huns.

    Raises
    ------
    InvalidNotation
    """
    known = {letter: number for number, letter in enumerate(LETTERS)} | ITALIAN
    row = re.sub(r"[\s,]", "", text).upper()
    if all(letter in known for letter in row):
        return [known[letter] for letter in row]
    parts = re.split(r"[\s,]+", text.strip(" ,"))
    if all(len(part) > 1 and part.isalpha() for part in parts):
        return [tribe(part) for part in parts]
    raise InvalidNotation(_("{text}: tribes are written F Franks, H Huns, G Goths, S Saxons, T Teutons, V Vandals")
                          .format(text=quoted(text)))


def tribe(text: str) -> int:
    """Return the tribe that a letter or a name means, in English or Italian.

    Raises
    ------
    InvalidNotation
    """
    if text.strip().isalpha() and len(text.strip()) == 1:
        return letters(text)[0]
    known = {spelling(row[key]): row["index"] for row in load_data()["tribes"] for key in ("id", "name_en", "name_it")}
    name = spelling(text)
    near = [number for known_name, number in known.items() if len(name) > 1 and known_name.startswith(name)]
    if name in known:
        return int(known[name])
    if len(set(near)) == 1:
        return int(near[0])
    raise InvalidNotation(_("{text} is no tribe").format(text=quoted(text)) + did_you_mean(name, known))


def is_tribe(text: str) -> bool:
    """Say whether a text is the letter or the name of a tribe."""
    try:
        tribe(text)
    except InvalidNotation:
        return False
    return True


def seat(text: str) -> int:
    """Return the seat that a number or a colour means.

    Raises
    ------
    InvalidNotation
    """
    for number, row in enumerate(load_data()["player_colors"]):
        if spelling(text) in (str(number), spelling(row["name_en"]), spelling(row["name_it"])):
            return number
    raise InvalidNotation(_("{text} is no seat; right would be like #first=1").format(text=quoted(text.strip())))


@lru_cache(maxsize=64)
def _provinces(land: Land) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, one in enumerate(land.provinces):
        found.update({spelling(name): number for name in (one.name_it, one.name_en, one.id, one.code) if name})
    return found


def province(land: Land, text: str) -> int:
    """Return the province that a code or a name means, also by the beginning of its name.

    Raises
    ------
    InvalidNotation
    """
    known, name = _provinces(land), spelling(text)
    if name in known:
        return known[name]
    near = {number for one, number in known.items() if len(name) >= 3 and one.startswith(name)}
    if len(near) == 1:
        return near.pop()
    codes = {one.code for one in land.provinces} | {one.id for one in land.provinces}
    raise InvalidNotation(_("{text} is no province").format(text=quoted(text.strip())) + did_you_mean(text, codes))
