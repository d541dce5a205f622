"""Names, letters, colours and places shared by the texts and pictures of Attila."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.attila.map import Land
from sfida.engines.attila.position import LETTERS, Position, Six
from sfida.engines.attila.tables import load_data
from sfida.engines.language import N_, _, counted, listed, named
from sfida.engines.moves import spelling
from sfida.engines.spec import did_you_mean, quoted

# ---- Names, letters, colours and counts, from the data file

OVER = -4
PLACED = frozenset({"at", "second"})                # kinds of the last move whose argument is a province
_FIGHTING = frozenset({"commit", "give", "inf_a", "inf_b"})  # phases within a conflict; a tile may precede laying cards


@dataclass(frozen=True)
class Tribe:
    """The data of a tribe: number, letter, names, colour, number of cards and number of tokens."""

    number: int
    letter: str
    name_en: str
    name_it: str
    rgb: str
    cards: int
    tokens: int

    @property
    def name(self) -> str:
        """The name in the current language, such as "Franks"."""
        return named({"name_en": self.name_en, "name_it": self.name_it})


@dataclass(frozen=True)
class Century:
    """The data of a century: number, peace tiles at the start, influence for a card."""

    number: int
    tiles: int
    gain: int


@cache
def tribes() -> tuple[Tribe, ...]:
    """Return the six tribes in their order."""
    return tuple(Tribe(number, row["letter"], row["name_en"], row["name_it"], row["color_hex"], row["cards"],
                       row["tokens"])
                 for number, row in enumerate(load_data()["tribes"]))


@cache
def centuries() -> tuple[Century, ...]:
    """Return the centuries in their order (ATT-2.2)."""
    return tuple(Century(row["number"], row["peace_tiles"], row["influence_gain"]) for row in load_data()["centuries"])


def tile_names() -> dict[str, str]:
    """Return the names of the action tiles by their ids."""
    return {row["id"]: named(row) for row in load_data()["action_tiles"]}


@cache
def tile_letters() -> dict[str, str]:
    """Return the letter of each action tile: D, X and I as in moves."""
    return dict(zip((row["id"] for row in load_data()["action_tiles"]), "DXI", strict=True))


def track_spaces() -> int:
    """Return the number of spaces in the drawing of the score track."""
    return int(load_data()["score_track"]["display_spaces"])


def peaceful_limit() -> int:
    """Return the largest number of tokens in a province at peace (ATT-6.1)."""
    return int(load_data()["turn"]["peaceful_limit"])


# ---- tribes in sentences ------------------------------------------------------------------------------

_THE = (N_("the Franks"), N_("the Huns"), N_("the Goths"), N_("the Saxons"), N_("the Teutons"), N_("the Vandals"))
_OF = (N_("of the Franks"), N_("of the Huns"), N_("of the Goths"), N_("of the Saxons"), N_("of the Teutons"),
       N_("of the Vandals"))


def the_tribe(tribe: int) -> str:
    """Return a tribe with its article, such as "the Franks"."""
    return _(_THE[tribe])


def of_tribe(tribe: int) -> str:
    """Return a tribe in the genitive, such as "of the Franks"."""
    return _(_OF[tribe])


def named_cards(cards: Six) -> str:
    """Return cards in words, such as "2 Franks and 1 Goth"."""
    said = (counted(cards[0], "Frank", "Franks"), counted(cards[1], "Hun", "Huns"), counted(cards[2], "Goth", "Goths"),
            counted(cards[3], "Saxon", "Saxons"), counted(cards[4], "Teuton", "Teutons"),
            counted(cards[5], "Vandal", "Vandals"))
    return listed([text for text, count in zip(said, cards, strict=True) if count])


# ---- seats --------------------------------------------------------------------------------------------


def seat_name(seat: int) -> str:
    """Return the colour of a seat, such as "White"."""
    return named(load_data()["player_colors"][seat])


def seat_letter(seat: int) -> str:
    """Return the first letter of a seat's colour that no earlier seat has."""
    taken = ""
    for other in range(seat + 1):
        taken += next(letter for letter in seat_name(other).upper() if letter not in taken)
    return taken[-1]


def seat_rgb(seat: int) -> str:
    """Return the paint colour of a seat."""
    return str(load_data()["player_colors"][seat]["color_hex"])


# ---- counts -------------------------------------------------------------------------------------------


def on_board(position: Position) -> tuple[int, ...]:
    """Return the number of tokens of each tribe on the board: K of ATT-8.3."""
    return tuple(map(sum, zip(*position.tokens, strict=True)))


def spread(position: Position) -> tuple[int, ...]:
    """Return the number of provinces with tokens of each tribe: P of ATT-8.3."""
    return tuple(sum(count > 0 for count in column) for column in zip(*position.tokens, strict=True))


def rank_mark(spaces: Sequence[int], space: int) -> str:
    """Return ">" for the sole first of a tribe, "=" for one of several, "" for others (ATT-8.4, 8.6).

    `spaces` are the spaces of all markers in the tribe's column, `space` is the space of the marker in question.
    """
    if space == 0 or space < max(spaces):
        return ""
    return ">" if spaces.count(space) == 1 else "="


def letters_of(cards: Six) -> str:
    """Return counts by tribe as letters, such as "FFHV"."""
    return "".join(tribe.letter * count for tribe, count in zip(tribes(), cards, strict=True))


def is_over(position: Position) -> bool:
    """Return whether the game has ended."""
    return position.seat_to_move == OVER


def last_province(position: Position) -> int:
    """Return the province where the last move placed a token; -1 for none."""
    return position.last[1] if position.last is not None and position.last[0] in PLACED else -1


def fought(position: Position) -> int:
    """Return the province of the current conflict; -1 for none."""
    return position.queue[0] if position.queue and position.phase in _FIGHTING else -1


def ordinal(number: int) -> str:
    """Return the ordinal of a century, such as "4th"."""
    return _("{number}th").format(number=number)


# ---- Names of tribes and provinces as people type and read them

ITALIAN = {row["letter_it"]: row["index"] for row in load_data()["tribes"] if row["letter_it"] not in LETTERS}


def letters(text: str) -> list[int]:
    """Return the tribes of a sequence of letters, such as "HHG", or of names; U is the Italian letter of the Huns.

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
    """Return the tribe with a letter or a name, in English or Italian.

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
    """Return whether a text is the letter or the name of a tribe."""
    try:
        tribe(text)
    except InvalidNotation:
        return False
    return True


def seat(text: str) -> int:
    """Return the seat with a number or a colour.

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
    """Return the province with a code or a name, which may be shortened to its beginning.

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


# ---- Keys of the parts of Attila at which people point


def province_key(land: Land, number: int) -> str:
    """Return the key of a province."""
    return f"province:{land.provinces[number].code}"


def card_key(tribe: int) -> str:
    """Return the key of the cards of a tribe in the mover's hand."""
    return f"card:{LETTERS[tribe]}"


def column_key(tribe: int) -> str:
    """Return the key of a column of the influence chart."""
    return f"column:{LETTERS[tribe]}"


def tile_key(name: str) -> str:
    """Return the key of an action tile of the mover, given by its id in the data."""
    return f"tile:{name}"
