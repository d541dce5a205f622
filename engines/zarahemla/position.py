"""Positions and moves of The Settlers of Zarahemla as plain data (ZAR-15).

A code is the base of its kind in the data file plus an argument: codes below 338 are decisions of players, codes from
1000 on chance outcomes.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sfida.engines.language import _
from sfida.engines.zarahemla.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


# ---- Move codes of The Settlers of Zarahemla and their meaning (ZAR-15)


@cache
def _codes(table: str) -> tuple[tuple[str, int, int], ...]:
    """Return kind, first code and number of codes of each row; the rules core compares them with its own."""
    return tuple((name, row["base"], row["count"]) for name, row in load_data()[table].items())


def move_codes() -> tuple[tuple[str, int, int], ...]:
    """Return the codes of the players' moves by kind."""
    return _codes("move_codes")


def chance_codes() -> tuple[tuple[str, int, int], ...]:
    """Return the codes of the chance outcomes by kind."""
    return _codes("chance_codes")


@cache
def _by_kind() -> dict[str, tuple[int, int]]:
    return {name: (base, count) for name, base, count in (*move_codes(), *chance_codes())}


@cache
def _bases() -> list[int]:
    return [base for base, _count in _by_kind().values()]


@dataclass(frozen=True)
class Move:
    """A move or chance outcome: its kind, named as in the data file, and its argument (0 without one).

    The argument is a corner, an edge, a hex, a seat, a resource or a card by number; for "bank_trade" it is
    ``5 * give + get``; for "dice", "play_liahona" and "number" it is the total minus 2.
    """

    kind: str
    arg: int = 0


def encode(kind: str, arg: int = 0) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind or argument.
    """
    if kind not in _by_kind():
        raise ValueError(f"'{kind}' is no kind of move")
    base, count = _by_kind()[kind]
    if not 0 <= arg < count:
        raise ValueError(_("the argument of {kind} is 0..{last}, not {given}").format(
            kind=kind, last=count - 1, given=arg))
    return base + arg


@cache
def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is no code."""
    row = bisect_right(_bases(), code) - 1
    if row >= 0:
        name, base, count = (*move_codes(), *chance_codes())[row]
        if code < base + count:
            return Move(name, code - base)
    raise ValueError(f"{code} is no move of Zarahemla")


# ---- A position of The Settlers of Zarahemla as one viewer sees it, for narration, drawings and checks

Five = tuple[int, int, int, int, int]   # counts of wood, brick, water, wheat, stone


@dataclass(frozen=True)
class SeatPosition:
    """The holdings of one seat, as far as the viewer can know them.

    Attributes
    ----------
    hand : tuple of 5 int, or None
        Resource cards: wood, brick, water, wheat, stone; None when the viewer cannot know them (ZAR-17).
    hand_size : int
        Number of resource cards in hand; public.
    cards : tuple of (name, count), or None
        Unplayed development cards in hand, by name (ids of the data file); None when hidden.
    card_count : int
        Number of unplayed development cards; public.
    played : tuple of (name, count)
        Played development cards; public.
    warriors, stones : int
        Warriors played (ZAR-10.13) and temple stones placed (ZAR-11.2).
    road_length : int
        Longest trail of own roads (ZAR-9.1).
    roads_left, settlements_left, cities_left, stones_left : int
        Pieces still in the supply.
    points : int
        Public points.
    secret_points : int or None
        Victory point cards in hand; None when hidden.
    longest_road, largest_army, temple : bool
        Whether the seat holds the special card.
    """

    hand: Five | None
    hand_size: int
    cards: tuple[tuple[str, int], ...] | None
    card_count: int
    played: tuple[tuple[str, int], ...]
    warriors: int
    stones: int
    road_length: int
    roads_left: int
    settlements_left: int
    cities_left: int
    stones_left: int
    points: int
    secret_points: int | None
    longest_road: bool
    largest_army: bool
    temple: bool


@dataclass(frozen=True)
class Position:
    """A position as one viewer sees it.

    Attributes
    ----------
    players : int
    phase : str
        A phase of ZAR-5.5 in lower case: "setup_layout", "setup_tokens", "setup_first", "init_settlement",
        "init_road", "init_choose", "pre_roll", "dice", "discard", "robber", "steal", "stolen", "take", "free_roads",
        "main", "draw", "trade_compose", "trade_respond", "trade_pick" or "game_over".
    seat_on_turn : int
        The seat whose turn it is, also while other seats answer.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    terrain : tuple of 19 str
        By hex: "wood", "brick", "water", "wheat", "stone" or "hideout"; "" while not laid yet.
    numbers : tuple of 19 int
        Number tokens by hex; 0 for none.
    stations : tuple of (edge, kind)
        Kind "any" (3:1) or a resource (2:1).
    robber : int
        Hex of the robber; -1 while there is none.
    buildings : tuple of (corner, seat, kind)
        Kind "settlement" or "city", by corner.
    roads : tuple of (edge, seat)
        Roads by edge.
    bank : tuple of 5 int
        Resource cards left in the bank.
    deck : int
        Development cards left in the deck.
    seats : tuple of SeatPosition
    dice : int
        Total of this turn's dice; 0 before the roll.
    offer : (seat, give, want), or None
        The offer on the table, or the one being composed: its seat, the cards that the seat gives, and those it wants.
    last : (kind, place), or None
        The last move, for highlighting: a kind of move, and its argument (a corner, an edge, a hex, a seat, ...).
    winner : int, optional
        The seat that has won; None while the game runs, and if it ends without a winner.
    first_seat : int
        The seat that plays first.
    card_played : bool
        A development card was played this turn.
    cards_bought : int
        Development cards that the seat on turn bought this turn.
    turns : int
        Turns completed.
    offers_made : int
        Offers opened this turn.
    gives, wants : tuple of 5 int by seat
        The two sides of each seat's offer or counter-offer.
    answers : tuple of str
        Each seat's answer to the offer: "none", "no", "yes" or "counter".
    left, floor : int
        Number of cards or roads still to choose, and the lowest resource that may be named next.
    placed : int
        Corner of the settlement just placed; the victim while a card is stolen.
    """

    players: int
    phase: str
    seat_on_turn: int
    seat_to_move: int
    terrain: tuple[str, ...]
    numbers: tuple[int, ...]
    stations: tuple[tuple[int, str], ...]
    robber: int
    buildings: tuple[tuple[int, int, str], ...]
    roads: tuple[tuple[int, int], ...]
    bank: Five
    deck: int
    seats: tuple[SeatPosition, ...]
    dice: int = 0
    offer: tuple[int, Five, Five] | None = None
    last: tuple[str, int] | None = None
    winner: int | None = None
    first_seat: int = 0
    card_played: bool = False
    cards_bought: int = 0
    turns: int = 0
    offers_made: int = 0
    gives: tuple[Five, ...] = ()
    wants: tuple[Five, ...] = ()
    answers: tuple[str, ...] = ()
    left: int = 0
    floor: int = 0
    placed: int = 0

    @property
    def holders(self) -> tuple[int, int, int]:
        """Return the holders of Longest Road, Largest Army and Greatest Temple Contributor; -1: nobody."""
        def holder(name: str) -> int:
            return next((seat for seat, one in enumerate(self.seats) if getattr(one, name)), -1)
        return holder("longest_road"), holder("largest_army"), holder("temple")


# ---- The position of a state as plain data, as one viewer sees it


def position_of(state: ZarahemlaState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it; None: the public position."""
    fields = state.snapshot(-1 if seat is None else seat)
    return Position(**{**fields, "seats": tuple(SeatPosition(**one) for one in fields["seats"])})
