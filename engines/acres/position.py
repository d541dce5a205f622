"""A position of A Few Acres of Snow as plain data: what drawing, observation and the recount read.

Sites are numbers 0..35 of the data's locations. Cards are numbers 0..90 of card types: 0..58 the location cards, then
the 32 rows of empire cards, both in the order of the data. A pile is a tuple of types in ascending order, as often as
there are copies. Seat 0 is the British one, seat 1 the French one.
"""

from __future__ import annotations

from dataclasses import dataclass

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Siege:
    """A siege going on.

    Attributes
    ----------
    attacker : int
        Seat of the besieger.
    site : int
        Site under siege.
    lead : int
        Strength of the attacker's cards less that of the defender's and of the site (FAS-10.9).
    cards : tuple of 2 Cards
        By seat, what it has played into the siege.
    """

    attacker: int
    site: int
    lead: int
    cards: tuple[Cards, Cards]


@dataclass(frozen=True)
class SeatPosition:
    """What belongs to one side, as far as the viewer can know it.

    Attributes
    ----------
    hand : Cards or None
        None when hidden.
    hand_size : int
    known : Cards
        Cards of the hand that both sides know, public (17.5).
    deck : Cards or None
        What the draw deck still holds, in no order; None when hidden.
    deck_size : int
    unseen : Cards
        Hand and deck together, public: owned cards that lie nowhere else (17.5).
    discards, reserve : Cards
        Public (R-23).
    locations, empire : Cards
        Cards of its own colour that can be gained: location cards and empire cards (FAS-2.8).
    money, points : int
        Money; points as if the game ended now (FAS-16.5).
    villages, towns : int
        Cubes and discs left in the supply.
    captured_villages, captured_towns : int
        Cubes and discs captured from the other side.
    turns : int
        Own turns begun.
    usable : tuple of int
        Sites whose location cards the side may use: controlled, connected to its home, not under siege (FAS-6).
    """

    hand: Cards | None
    hand_size: int
    known: Cards
    deck: Cards | None
    deck_size: int
    unseen: Cards
    discards: Cards
    reserve: Cards
    locations: Cards
    empire: Cards
    money: int
    points: int
    villages: int
    towns: int
    captured_villages: int
    captured_towns: int
    turns: int
    usable: tuple[int, ...]


@dataclass(frozen=True)
class Position:
    """A position as one viewer sees it.

    Attributes
    ----------
    phase : str
        "pick" (the extra initial card of an option), "deal" and "draw" (chance), "main", "order", "siege_settle",
        "siege_loss", "raid_response", "ambush_response", "ambush_loss", "give_zone" (section 17.2) or "game_over".
    verb : str
        The action being put together or answered, a verb of 17.3 such as "settle"; "" for none.
    site : int
        Its site; -1 for none or not chosen yet.
    chosen : Cards
        Cards played for it so far, all of them open.
    step : str
        Which card of the action is asked for next: "transport", "settler", "strength", "raiders", "coins", "furs",
        "discards" or "govern"; "" for none.
    ending : int
        Site whose siege is being resolved; -1 for none.
    actions_left : int
        Actions left in this turn.
    turn : int
        Turns begun by both sides together.
    seat_on_turn : int
        Whose turn it is, also while the other one answers.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    owner : tuple of 36 int
        Controlling seat by site; -1 for neutral.
    town, fort : tuple of 36 bool
        Whether the piece is a disc, and whether a fortification disc lies under it.
    forts_left : int
        Fortification discs in the common supply.
    neutral : Cards
        Neutral empire cards on display.
    sieges : tuple of Siege
        By attacker; two at most.
    seats : tuple of 2 SeatPosition
    last : (seat, text), or None
        The last action as the viewer saw it, in the notation of 17.8, such as (0, "settle DEE NHV STM BOS").
    last_site : int
        Its site, for highlighting; -1 for none.
    winner : int
        -1 while the game runs.
    reason : str
        "siege", "settle", "supply", "capture", "max_turns" or "resign" (FAS-16.7); "" while the game runs.
    by_board : bool
        Option `fort_st_john_cards`: the cards of Fort St. John list the links of the board (R-20).
    every_ship : bool
        Option `ships_in_every_sea_siege`: ships count in sieges of all sites joined to the sea (R-19).
    quiet : int
        Without a limit of turns: those in a row, up to the last one, in which no piece was placed or lost (R-31).
    """

    phase: str
    verb: str
    site: int
    chosen: Cards
    actions_left: int
    turn: int
    seat_on_turn: int
    seat_to_move: int
    owner: tuple[int, ...]
    town: tuple[bool, ...]
    fort: tuple[bool, ...]
    forts_left: int
    neutral: Cards
    sieges: tuple[Siege, ...]
    seats: tuple[SeatPosition, SeatPosition]
    last: tuple[int, str] | None = None
    last_site: int = -1
    winner: int = -1
    reason: str = ""
    by_board: bool = False
    every_ship: bool = False
    step: str = ""
    ending: int = -1
    quiet: int = 0
