"""Names, letters, colours and counts that the text and the picture of Attila have in common; all from the data file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sfida.engines.attila.data import load_data
from sfida.engines.attila.position import Position, Six

OVER = -4
PLACED = frozenset({"at", "second"})                # kinds of the last move whose argument is a province
_FIGHTING = frozenset({"commit", "give", "inf_a", "inf_b"})  # a tile may be used before the own commitment


@dataclass(frozen=True)
class Tribe:
    """What the data say of a tribe: number, letter, name, colour, and how many cards and tokens it has."""

    number: int
    letter: str
    name: str
    rgb: str
    cards: int
    tokens: int


@dataclass(frozen=True)
class Century:
    """What the data say of a century: number, peace tiles at the start, influence that a card brings."""

    number: int
    tiles: int
    gain: int


@cache
def tribes() -> tuple[Tribe, ...]:
    """Return the six tribes in their order."""
    return tuple(Tribe(number, row["letter"], row["name_en"], row["color_hex"], row["cards"], row["tokens"])
                 for number, row in enumerate(load_data()["tribes"]))


@cache
def centuries() -> tuple[Century, ...]:
    """Return the centuries in their order (ATT-2.2)."""
    return tuple(Century(row["number"], row["peace_tiles"], row["influence_gain"]) for row in load_data()["centuries"])


@cache
def tile_names() -> dict[str, str]:
    """Return the names of the action tiles by their ids."""
    return {row["id"]: row["name_en"] for row in load_data()["action_tiles"]}


@cache
def tile_letters() -> dict[str, str]:
    """Return one letter an action tile: D, X and I as in moves."""
    return dict(zip(tile_names(), "DXI", strict=True))


def track_spaces() -> int:
    """Return how many spaces the score track is drawn with."""
    return int(load_data()["score_track"]["display_spaces"])


def peaceful_limit() -> int:
    """Return how many tokens a province holds in peace (ATT-6.1)."""
    return int(load_data()["turn"]["peaceful_limit"])


# ---- seats --------------------------------------------------------------------------------------------


def seat_name(seat: int) -> str:
    """Return the colour of a seat, such as "White"."""
    return str(load_data()["player_colors"][seat]["name_en"])


def seat_letter(seat: int) -> str:
    """Return the first letter of a seat's colour; colours of the data begin differently."""
    return seat_name(seat)[0]


def seat_rgb(seat: int) -> str:
    """Return the colour that a seat is painted in."""
    return str(load_data()["player_colors"][seat]["color_hex"])


# ---- counts -------------------------------------------------------------------------------------------


def on_board(position: Position) -> tuple[int, ...]:
    """Return by tribe its tokens on the board: K of ATT-8.3."""
    return tuple(map(sum, zip(*position.tokens, strict=True)))


def spread(position: Position) -> tuple[int, ...]:
    """Return by tribe in how many provinces it has tokens: P of ATT-8.3."""
    return tuple(sum(count > 0 for count in column) for column in zip(*position.tokens, strict=True))


def rank_mark(spaces: Sequence[int], space: int) -> str:
    """Return ">" for the sole first of a tribe, "=" for one of several, "" for others (ATT-8.4, 8.6).

    `spaces` are those of all markers in the tribe's column, `space` that of the one asked about.
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


def leaders(position: Position) -> tuple[int, ...]:
    """Return the winners, or while the game runs nobody."""
    return position.winners if is_over(position) else ()


def last_province(position: Position) -> int:
    """Return where the last move placed a token; -1 for none."""
    return position.last[1] if position.last is not None and position.last[0] in PLACED else -1


def fought(position: Position) -> int:
    """Return the province whose conflict is going on; -1 for none."""
    return position.queue[0] if position.queue and position.phase in _FIGHTING else -1


def ordinal(number: int) -> str:
    """Return a century as it is said, such as "4th"."""
    return f"{number}th"
