"""Positions and moves of RisiKo! as plain data.

A code is ``kind << 28 | origin << 22 | target << 16 | amount``; a traded set is ``kind << 28 | a << 12 | b << 6 | c``.
Kinds below 16 are decisions of players, kinds from 16 on chance outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfida.cython_ext.risiko.core import KINDS

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


# ---- Move codes of RisiKo! and their meaning (RIS-14.11)

_NUMBER = {name: number for number, name in KINDS.items()}
PAIRS = ("attack", "assault", "safe_assault", "fortify")
PLACED = ("place", "deal")
RESERVE = 4                             # approximate number of armies kept on the origin of an assault with a reserve
HIDDEN = 63                             # a card or objective that the viewer did not see


@dataclass(frozen=True)
class Move:
    """A move or chance outcome.

    Attributes
    ----------
    kind : str
        A name of `KINDS`.
    origin, target : int
        Territories of a pair; the territory of "place" and "deal" is `target`; else 0.
    amount : int
        Armies ("place", "occupy", "fortify"), dice ("attack", "defend"), a colour, a seat ("start"), an objective, a
        card ("draw"), a sum ("close"), the losses ("roll": ``attacker << 2 | defender``), or the armies left
        ("assault_end": ``origin << 8 | target``); else 0.
    cards : tuple of int
        The three cards of "trade", ascending.
    """

    kind: str
    origin: int = 0
    target: int = 0
    amount: int = 0
    cards: tuple[int, ...] = ()


def encode(move: Move) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind, territory or amount.
    """
    if move.kind not in _NUMBER:
        raise ValueError(f"'{move.kind}' is no kind of move")
    if not (0 <= move.origin < 64 and 0 <= move.target < 64 and 0 <= move.amount < 1 << 16):
        raise ValueError(f"{move} is out of range")
    code = _NUMBER[move.kind] << 28
    if move.kind == "trade":
        a, b, c = sorted(move.cards)
        return code | a << 12 | b << 6 | c
    return code | move.origin << 22 | move.target << 16 | move.amount


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is no code."""
    kind = KINDS.get(code >> 28)
    if kind is None:
        raise ValueError(f"{code} is no move of RisiKo!")
    if kind == "trade":
        return Move(kind, cards=(code >> 12 & 63, code >> 6 & 63, code & 63))
    return Move(kind, code >> 22 & 63, code >> 16 & 63, code & 0xFFFF)


# ---- A position of RisiKo! as one viewer sees it, filled by the core, for narration and drawings

FIGHTING = ("defend", "chance_roll", "chance_assault")


@dataclass(frozen=True)
class SeatPosition:
    """The holdings of one seat, as far as the viewer can know them.

    Attributes
    ----------
    color : str
        Id of the colour in the data, such as "blu"; "" while none is chosen.
    alive : bool
        False once the seat is eliminated (RIS-9.1).
    territories, armies : int
        Number of its territories, and of its armies on the board.
    continents : tuple of int
        Indices of the continents that it owns completely.
    income : int
        Armies due at the start of its next turn, without cards, if nothing changes (RIS-5, 12.2).
    card_count : int
        Number of territory cards in hand; public.
    cards : tuple of int, or None
        The cards: 0..41 territories, 42 and 43 jokers; None when hidden.
    objective : int or None
        Index of the objective card in the deck in use; None when hidden.
    effective : int or None
        The objective that counts now, with the fall-back of RIS-10.5; None when hidden.
    possible : tuple of int
        Objectives that victory tests have not excluded; public (RIS-16.4).
    stock : int
        Armies of the setup still to be taken (RIS-3.11).
    drawn_in : tuple of int
        Draw cycles of the cards in hand, ascending; public (RIS-16.2).
    objective_name : str
        Text of the card in the current language; "" when hidden.
    goal : tuple of int
        Territories of the objective; empty if it names none or is hidden.
    progress : str
        Progress of the objective, such as "17 of 24 territories"; "" when hidden. `objectives.with_objectives` adds
        the progress, the name and the goal.
    points : int or None
        Tournament points (RIS-11.10); None when hidden or in base play.
    eliminated_round : int
        Round of the elimination; 0: not eliminated.
    eliminated_by : int
        Seat that eliminated this one; -1: nobody.
    """

    color: str
    alive: bool
    territories: int
    armies: int
    continents: tuple[int, ...]
    income: int
    card_count: int
    cards: tuple[int, ...] | None
    objective: int | None
    effective: int | None = None
    possible: tuple[int, ...] = ()
    stock: int = 0
    drawn_in: tuple[int, ...] = ()
    objective_name: str = ""
    goal: tuple[int, ...] = ()
    progress: str = ""
    points: int | None = None
    eliminated_round: int = 0
    eliminated_by: int = -1


@dataclass(frozen=True)
class Position:
    """A position as one viewer sees it.

    Attributes
    ----------
    players : int
    tournament : bool
        Whether points are counted.
    phase : str
        A phase of part D of the rules in lower case, such as "attack".
    round : int
        Number of the round; 0 before the first.
    turns : int
        Turns begun, batches of the setup among them.
    first_seat : int
        P1, the first player (RIS-3.3).
    seat_on_turn : int
        The seat whose turn it is, also while another seat defends.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    owner : tuple of 42 int
        Seat by territory; -1 while not dealt.
    armies : tuple of 42 int
    left : int
        Armies still to be placed now.
    origin, target : int
        Territories of the last attack of the turn; -1 for none.
    attack_dice, defence_dice : int
        Dice of the attack's next throw, or of the last throw while armies move in. Until the defender has chosen,
        `defence_dice` is the largest possible number.
    assault : int
        0: the attack is one throw; 1: it continues to the end; 2: it continues with a reserve (RIS-14.6).
    conquests : int
        Number of territories conquered in this turn.
    earns_card : bool
        A turn with a conquest earns a card: the hand has room, and a card is left (RIS-6.1, 13.7).
    deck : int
        Cards left to draw.
    discards : tuple of int
        Cards of the discard pile.
    draw_cycle : int
        Number of the current draw cycle: the number of times that the discards became the deck (RIS-16.2).
    card_cycles : tuple of 44 int
        Cycle in which each card last entered the deck.
    seats : tuple of SeatPosition
    last : (kind, origin, target, attacker losses, defender losses), or None
        The last move, for the arrow; a missing territory is -1.
    winner : int
        The seat that has fulfilled its objective or is the only survivor; -1: nobody.
    winners : tuple of int
        Seats that share the first rank; empty while the game runs.
    hunted : tuple of str, or None
        For each objective of the deck the id of the colour to destroy, "" for none; None: the rulebook's deck.
    """

    players: int
    tournament: bool
    phase: str
    round: int
    seat_on_turn: int
    seat_to_move: int
    owner: tuple[int, ...]
    armies: tuple[int, ...]
    left: int
    conquests: int
    deck: int
    discards: tuple[int, ...]
    seats: tuple[SeatPosition, ...]
    last: tuple[str, int, int, int, int] | None = None
    winners: tuple[int, ...] = ()
    earns_card: bool = True
    hunted: tuple[str, ...] | None = None
    turns: int = 0
    first_seat: int = 0
    origin: int = -1
    target: int = -1
    attack_dice: int = 0
    defence_dice: int = 0
    assault: int = 0
    winner: int = -1
    draw_cycle: int = 0
    card_cycles: tuple[int, ...] = ()

    @property
    def attack(self) -> tuple[int, int, int, int] | None:
        """The current attack: origin, target, attack dice and defence dice, 0 while not chosen; None for no attack."""
        if self.phase not in FIGHTING:
            return None
        return self.origin, self.target, self.attack_dice, 0 if self.phase == "defend" else self.defence_dice

    def waiting(self, seat: int) -> int:
        """Return the armies of a seat that are still to be placed."""
        return self.seats[seat].stock + (self.left if seat == self.seat_on_turn else 0)


def position_of(state: RisikoState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it, without the words of objectives; None: the public position."""
    given = state.snapshot(seat)
    seats, code = given.pop("seats"), given.pop("last")
    return Position(**given, seats=tuple(SeatPosition(**one) for one in seats),
                    last=_last(code, given["origin"], given["target"]))


def _last(code: int, origin: int, target: int) -> tuple[str, int, int, int, int] | None:
    """Return the last move for the arrow: kind, origin, target, losses of both sides."""
    if not code:
        return None
    move = decode(code)
    if move.kind in ("roll", "assault_end"):
        if origin < 0:                  # the turn is already over
            return None
        losses = (move.amount >> 2, move.amount & 3) if move.kind == "roll" else (0, 0)
        return "roll", origin, target, *losses
    if move.kind in ("place", "deal"):
        return move.kind, -1, move.target, 0, 0
    if move.kind in ("attack", "assault", "safe_assault", "fortify"):
        return move.kind, move.origin, move.target, 0, 0
    if move.kind == "occupy" and origin >= 0:
        return "occupy", origin, target, 0, 0
    return None
