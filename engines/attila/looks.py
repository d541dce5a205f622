"""Names, letters, colours and counts that the text and the picture of Attila have in common; all from the data file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sfida.engines.attila.data import load_data
from sfida.engines.attila.position import Position, Six
from sfida.engines.wording import listed

OVER, CHANCE = -4, -1
PLACED = frozenset({"at", "second"})                # kinds of the last move whose argument is a province
OF_TRIBE = frozenset({"card", "dump", "give", "inf_a", "inf_b"})
_FIGHTING = frozenset({"commit", "give", "inf_a", "inf_b"})  # a tile may be used before the own commitment
_ENDINGS = {"peace": "the last peace tile is laid", "tribe": "a tribe has no token left",
            "influence": "a marker is on the last space", "stalemate": "no token can be placed any more",
            "cap": "the limit of turns is reached"}


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


# ---- what is going on ---------------------------------------------------------------------------------


def ordinal(number: int) -> str:
    """Return a century as it is said, such as "4th"."""
    return f"{number}th"


def emptied_century(position: Position) -> int:
    """Return the last century whose peace tiles are all laid; 0 for none."""
    return max((one.number for one, left in zip(centuries(), position.peace, strict=True) if left == 0), default=0)


def sentence(position: Position) -> str:
    """Say in one sentence what is going on."""
    turn = seat_name(position.seat_on_turn) if 0 <= position.seat_on_turn < position.players else ""
    mover = seat_name(position.seat_to_move) if 0 <= position.seat_to_move < position.players else turn
    if is_over(position):
        return _ending(position)
    tribe = tribes()[position.card].name if position.card >= 0 else "tribe"
    names = [position.land.provinces[number].name for number in position.queue]
    said = {
        "deal": "The cards are dealt.",
        "first": "It is drawn who begins.",
        "play": f"{mover} plays a card.",
        "place": f"{mover} places a token of the {tribe}.",
        "follow": f"{mover} gains {position.gain} influence with the {tribe}, or places a second token.",
        "order": f"{mover} chooses which conflict comes first: {' or '.join(names)}.",
        "commit": f"Conflict in {names[0] if names else 'a province'}: {mover} lays cards.",
        "prescore": f"{mover} may act before the {ordinal(emptied_century(position))} century is scored.",
        "end": f"{mover} ends the turn, or uses a tile.",
        "give": f"{mover} chooses cards to exchange.",
        "inf_a": f"{mover} moves a marker up by one.",
        "inf_b": f"{mover} moves a marker up by one more.",
        "draw": f"{turn} draws cards.",
    }
    news = said.get(position.phase, position.phase.replace("_", " ").capitalize() + ".")
    return f"{news} The last turn: {ending_text(position)}." if position.ending else news


def ending_text(position: Position) -> str:
    """Say why the game ends."""
    return ", ".join(_ENDINGS.get(reason, reason) for reason in position.ending)


def _ending(position: Position) -> str:
    names = [seat_name(seat) for seat in position.winners]
    if not names:
        return "The game is over."
    points = position.seats[position.winners[0]].score
    who = names[0] + " wins" if len(names) == 1 else f"{listed(names)} share the victory"
    return f"The game is over: {who} with {points} points."


def battle_text(position: Position) -> str:
    """Say how the last conflict of the turn ended, such as "GER V4 S3 F3 | -S -F"; "" for none."""
    if position.battle is None:
        return ""
    battle = position.battle
    there = sorted((number for number, count in enumerate(battle.strength) if count),
                   key=lambda number: (-battle.strength[number], number))
    strengths = " ".join(f"{tribes()[number].letter}{battle.strength[number]}" for number in there)
    gone = " ".join(f"-{tribes()[number].letter}" for number, count in enumerate(battle.removed) if count)
    return f"{position.land.provinces[battle.province].code} {strengths} | {gone}"


def laid_text(position: Position) -> str:
    """Say who had laid what in the last conflict of the turn, such as "A:VV B:FS"; "" for nothing."""
    if position.battle is None:
        return ""
    return " ".join(f"{seat_letter(seat)}:" + "".join(tribes()[number].letter * n for number, n in enumerate(cards))
                    for seat, cards in enumerate(position.battle.laid) if any(cards))


def last_text(position: Position) -> str:
    """Name the last move, such as "card Franks" or "at GER"; "" for none."""
    if position.last is None:
        return ""
    kind, what = position.last
    name = kind.replace("_", " ")
    if kind in PLACED and what >= 0:
        return f"{name} {position.land.provinces[what].code}"
    return f"{name} {tribes()[what].name}" if kind in OF_TRIBE and what >= 0 else name
