"""Names, letters, colours and places shared by the texts and pictures of RisiKo!."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import N_, NP_, _, named, pgettext
from sfida.engines.moves import spelling
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.tables import card_name, codes, joker_names, load_data
from sfida.engines.spec import did_you_mean, quoted

# ---- Names, letters and colours, from the data file

JOKERS = (42, 43)

# Kinds of the last move by their drawing.
ATTACKS = frozenset({"attack", "assault", "safe_assault", "roll", "assault_result", "conquest", "defend"})
MARCHES = frozenset({"occupy", "fortify"})
OVER = -4

# Symbols of cards, and kinds of sets: names in the data and in English.
_SYMBOLS = {"infantry": N_("infantry"), "cavalry": N_("cavalry"), "cannon": N_("cannon"), "joker": N_("joker")}
_SETS = {"three_cannons": N_("three cannons"), "three_infantry": N_("three infantry"),
         "three_cavalry": N_("three cavalry"), "one_of_each": N_("one of each"),
         "joker_plus_pair": N_("joker plus pair")}
# The columns of the table of seats.
TERRITORIES, ARMIES, INCOME = NP_("risiko", "territories"), NP_("risiko", "armies"), NP_("risiko", "income")
POINTS, CARDS, CONTINENTS = NP_("risiko", "points"), NP_("risiko", "cards"), NP_("risiko", "continents")


@dataclass(frozen=True)
class Territory:
    """The data of a territory: number, id, code, names, continent, tournament value, symbol of its card."""

    number: int
    id: str
    code: str
    name_en: str
    name_it: str
    continent: int
    value: int
    symbol: str

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named(vars(self))


@dataclass(frozen=True)
class Continent:
    """The data of a continent: number, id, code, names, armies per turn, colour and territories."""

    number: int
    id: str
    code: str
    name_en: str
    name_it: str
    bonus: int
    rgb: str
    territories: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name in the current language."""
        return named(vars(self))


@cache
def territories() -> tuple[Territory, ...]:
    """Return the 42 territories by number."""
    continents = {entry["id"]: number for number, entry in enumerate(load_data()["continent"])}
    return tuple(Territory(number, entry["id"], entry["code"], entry["name_en"], entry["name_it"],
                           continents[entry["continent"]], entry["value"], entry["card_symbol"])
                 for number, entry in enumerate(load_data()["territory"]))


@cache
def continents() -> tuple[Continent, ...]:
    """Return the continents by number."""
    return tuple(Continent(number, entry["id"], entry["code"], entry["name_en"], entry["name_it"], entry["bonus"],
                           entry["hex"], tuple(t.number for t in territories() if t.continent == number))
                 for number, entry in enumerate(load_data()["continent"]))


@cache
def numbers() -> Mapping[str, int]:
    """Return the number of each territory by its id."""
    return {territory.id: territory.number for territory in territories()}


@cache
def neighbours() -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each territory, ascending (RIS-7.3)."""
    found: list[set[int]] = [set() for _ in territories()]
    for edge in load_data()["board"]["edges"]:
        a, b = numbers()[edge["a"]], numbers()[edge["b"]]
        found[a].add(b)
        found[b].add(a)
    return tuple(tuple(sorted(one)) for one in found)


def over_margin(a: int, b: int) -> bool:
    """Return whether the line between two neighbours crosses the margins of the map (Alaska and Kamchatka)."""
    return frozenset((a, b)) in _wraps()


@cache
def _wraps() -> frozenset[frozenset[int]]:
    return frozenset(frozenset((numbers()[edge["a"]], numbers()[edge["b"]]))
                     for edge in load_data()["board"]["edges"] if edge.get("wrap"))


# ---- seats --------------------------------------------------------------------------------------------


_LETTERS = {"blu": NP_("letter of a colour", "b"), "giallo": NP_("letter of a colour", "y"),
            "nero": NP_("letter of a colour", "k"), "rosso": NP_("letter of a colour", "r"),
            "verde": NP_("letter of a colour", "g"), "viola": NP_("letter of a colour", "p")}


@cache
def _color(key: str) -> Mapping[str, str]:
    for entry in load_data()["color"]:
        if key in (entry["id"], entry["name_it"], entry["name_en"]):
            return dict(entry)
    return {"id": key, "name_en": key, "letter": key[:1].lower() or "?", "hex": "#9a9488"}


def seat_name(position: Position, seat: int) -> str:
    """Return the name of a seat's colour, such as "Blue"; "Seat 2" while it has no colour."""
    key = position.seats[seat].color
    return named(_color(key)) if key else _("Seat {seat}").format(seat=seat)


def heading(column: str) -> str:
    """Return the head of a column of the table of seats, such as `INCOME`, in the current language."""
    return pgettext("risiko", column)


def seat_letter(position: Position, seat: int) -> str:
    """Return the letter of a seat's colour; its number while it has no colour; "." for nobody."""
    if seat < 0:
        return "."
    key = position.seats[seat].color
    return color_letter(key) if key else str(seat)


def color_letter(key: str) -> str:
    """Return the letter of a colour, such as "k" for black, in the current language."""
    row = _color(key)
    return pgettext("letter of a colour", _LETTERS[row["id"]]) if row["id"] in _LETTERS else row["letter"]


def seat_rgb(position: Position, seat: int) -> str:
    """Return the paint colour of a seat, a grey for nobody."""
    return str(_color(position.seats[seat].color if seat >= 0 else "")["hex"])


# ---- cards and objectives -----------------------------------------------------------------------------


def card_symbol(card: int) -> str:
    """Return "infantry", "cavalry", "cannon" or "joker"."""
    return "joker" if card in JOKERS else territories()[card].symbol


def symbol_name(symbol: str) -> str:
    """Return the name of a card's symbol, such as "infantry", in the current language."""
    return _(_SYMBOLS[symbol])


def set_name(kind: str) -> str:
    """Return the name of a kind of set in the data, such as "three cannons", in the current language."""
    return _(_SETS[kind])


def hand_order(card: int) -> tuple[int, int]:
    """Return the sort key of a card in hand: infantry, cavalry, cannon, joker, each by number."""
    return ("infantry", "cavalry", "cannon", "joker").index(card_symbol(card)), card


def card_code(card: int) -> str:
    """Return the notation of a card: the territory's code, J1 or J2."""
    return f"J{card - JOKERS[0] + 1}" if card in JOKERS else territories()[card].code


def sets_in(cards: tuple[int, ...]) -> list[tuple[str, int]]:
    """Return the kinds of sets in a hand, with their armies in the base table, the most armies first (RIS-6.3)."""
    count = {kind: sum(card_symbol(card) == kind for card in cards)
             for kind in ("infantry", "cavalry", "cannon", "joker")}
    best = max(count["infantry"], count["cavalry"], count["cannon"])
    held = {"three_cannons": count["cannon"] >= 3, "three_infantry": count["infantry"] >= 3,
            "three_cavalry": count["cavalry"] >= 3,
            "one_of_each": min(count["infantry"], count["cavalry"], count["cannon"]) >= 1,
            "joker_plus_pair": count["joker"] >= 1 and best >= 2}
    found = [(str(entry["id"]), int(entry["base"])) for entry in load_data()["trade"] if held.get(entry["id"])]
    return sorted(found, key=lambda item: -item[1])


def set_worth(cards: Sequence[int], table: str) -> int:
    """Return the armies for a set of three cards by a column of the data, without own territories (RIS-6.3)."""
    symbols = {card_symbol(card) for card in cards}
    kind = ("joker_plus_pair" if "joker" in symbols else "one_of_each" if len(symbols) == 3
            else f"three_{symbols.pop()}".replace("cannon", "cannons"))
    return next(int(entry[table]) for entry in load_data()["trade"] if entry["id"] == kind)


def hunted_colors(position: Position) -> tuple[str, ...]:
    """Return, for each objective of the deck, the id of the colour to destroy; "" for none."""
    if position.hunted is not None:
        return position.hunted
    return tuple(str(row.get("color", "")) for row in load_data()["objective"])


def spelled_goal(position: Position, who: SeatPosition) -> str:
    """Return the territories of an objective whose name does not list them; "" if it does, or has none."""
    return goal_parts(who.goal) if position.tournament or position.hunted is not None else ""


def objective_victim(position: Position, who: SeatPosition) -> int:
    """Return the seat that an objective requires to destroy; -1 for none, also if its fall-back counts (RIS-10.5)."""
    if who.objective is None or who.goal:
        return -1
    wanted = hunted_colors(position)[who.objective]
    return next((seat for seat, other in enumerate(position.seats)
                 if other is not who and other.alive and other.color and _color(other.color)["id"] == wanted), -1)


def goal_parts(goal: tuple[int, ...]) -> str:
    """Return territories as whole continents and the codes of the rest, such as "NA + SA + EGI IND"."""
    wanted, parts = set(goal), []
    for continent in continents():
        if wanted.issuperset(continent.territories):
            parts.append(continent.name)
            wanted.difference_update(continent.territories)
    if wanted:
        parts.append(" ".join(territories()[number].code for number in sorted(wanted)))
    return " + ".join(parts)


# ---- the end -------------------------------------------------------------------------------------------


def is_over(position: Position) -> bool:
    """Return whether the game has ended."""
    return position.seat_to_move == OVER


# ---- Names of territories, cards, colours and objectives as people type and read them


@cache
def _territories() -> dict[str, int]:
    """Return the numbers of the territories by code, id and names in both languages, in plain letters."""
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
    """Return whether a text is the code or name of a territory."""
    return spelling(text) in _territories()


def territory_name(number: int) -> str:
    """Return the name of a territory in the current language, without its other name in brackets."""
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
    """Return whether a text is the code or name of a territory or a joker."""
    return is_territory(text) or spelling(text) in map(spelling, joker_names().values())


def color_row(number: int) -> dict[str, Any]:
    """Return the table of a colour."""
    row: dict[str, Any] = load_data()["color"][number]
    return row


@cache
def _colors() -> dict[str, int]:
    """Return the numbers of the colours by id, letter and names in both languages, in plain letters."""
    return {spelling(row[key]): number for number, row in enumerate(load_data()["color"])
            for key in ("id", "letter", "name_it", "name_en")}


def is_color(text: str) -> bool:
    """Return whether a text is the id, letter or name of a colour."""
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


# ---- Keys of the parts of RisiKo! at which people point


def territory_key(number: int) -> str:
    """Return the key of a territory."""
    return f"territory:{codes()[number]}"


def card_key(card: int) -> str:
    """Return the key of a territory card of the mover."""
    return f"card:{card_name(card)}"
