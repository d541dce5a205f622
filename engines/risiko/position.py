"""A position of RisiKo! as plain data: what drawing, observation and the recount read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SeatPosition:
    """What belongs to one seat, as far as the viewer can know it.

    Attributes
    ----------
    color : str
        Id of the colour in the data, such as "blu"; "" while none is chosen.
    alive : bool
        False once the seat is eliminated (RIS-9.1).
    territories, armies : int
        How many it owns and has on the board.
    continents : tuple of int
        Indices of the continents that it owns completely.
    income : int
        Armies due at the start of its next turn, cards apart, as things stand (RIS-5, 12.2).
    card_count : int
        Territory cards in hand, public.
    cards : tuple of int, or None
        The cards: 0..41 territories, 42 and 43 jokers; None when hidden.
    objective : int or None
        Index of the objective card in the deck in use; None when hidden.
    objective_name : str
        What the card says, in the language that is spoken; "" when hidden.
    goal : tuple of int
        Territories that the objective names; empty if it names none or is hidden.
    progress : str
        How far the objective is fulfilled, such as "17 of 24 territories"; "" when hidden.
    points : int or None
        Tournament points (RIS-11.10); None when hidden or in base play.
    eliminated_round : int
        0: not eliminated.
    eliminated_by : int
        Seat; -1: nobody.
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
        Points are counted.
    phase : str
        A phase of part D of the rules in lower case, such as "attack".
    round : int
        0 before the first.
    seat_on_turn : int
        Whose turn it is, also while another defends.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    owner : tuple of 42 int
        Seat by territory; -1 while not dealt.
    armies : tuple of 42 int
    left : int
        Armies still to be placed now.
    attack : (origin, target, attack dice, defence dice), or None
        The attack going on; defence dice 0 while not chosen.
    conquests : int
        Territories conquered in this turn.
    earns_card : bool
        A turn with a conquest ends with a card: the hand has room for it, and there is one (RIS-6.1, 13.7).
    deck : int
        Cards left to draw.
    discards : tuple of int
        Cards of the discard pile.
    seats : tuple of SeatPosition
    last : (kind, origin, target, attacker losses, defender losses), or None
        The last move, for the arrow; a territory -1 where there is none.
    winners : tuple of int
        Seats that share the first rank; empty while the game runs.
    hunted : tuple of str, or None
        Id of the colour that each objective of the deck wants destroyed, "" for none; None: the rulebook's deck.
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
    attack: tuple[int, int, int, int] | None
    conquests: int
    deck: int
    discards: tuple[int, ...]
    seats: tuple[SeatPosition, ...]
    last: tuple[str, int, int, int, int] | None = None
    winners: tuple[int, ...] = ()
    earns_card: bool = True
    hunted: tuple[str, ...] | None = None
