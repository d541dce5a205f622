"""A position of The Settlers of Zarahemla as one viewer sees it: what words, drawings and checks read."""

from __future__ import annotations

from dataclasses import dataclass

Five = tuple[int, int, int, int, int]   # counts of wood, brick, water, wheat, stone


@dataclass(frozen=True)
class SeatPosition:
    """What lies before one seat, as far as the viewer can know it.

    Attributes
    ----------
    hand : tuple of 5 int, or None
        Resource cards: wood, brick, water, wheat, stone; None when the viewer cannot know them (ZAR-17).
    hand_size : int
        Resource cards in hand, public.
    cards : tuple of (name, count), or None
        Unplayed development cards by name (ids of the data file, those held only); None when hidden.
    card_count : int
        Unplayed development cards, public.
    played : tuple of (name, count)
        Development cards played, those played only; public.
    warriors, stones : int
        Warriors played (ZAR-10.13) and temple stones placed (ZAR-11.2).
    road_length : int
        Longest trail of own roads (ZAR-9.1).
    roads_left, settlements_left, cities_left, stones_left : int
        Pieces still in the supply.
    points : int
        Points visible to all.
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
        Whose turn it is, also while others answer.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    terrain : tuple of 19 str
        By hex: "wood", "brick", "water", "wheat", "stone" or "hideout"; "" while not laid yet.
    numbers : tuple of 19 int
        Number tokens by hex; 0 for none.
    stations : tuple of (edge, kind)
        Kind "any" (3:1) or a resource (2:1).
    robber : int
        Its hex; -1 while there is none.
    buildings : tuple of (corner, seat, kind)
        Kind "settlement" or "city", by corner.
    roads : tuple of (edge, seat)
        By edge.
    bank : tuple of 5 int
        Resource cards left in the bank.
    deck : int
        Development cards left in the deck.
    seats : tuple of SeatPosition
    dice : int
        Total of this turn's dice; 0 while not rolled.
    offer : (seat, give, want), or None
        The offer on the table, or the one being composed: who gives, what the seat gives and wants.
    last : (kind, place), or None
        The last move, for highlighting: a kind of move of `engines.zarahemla.moves` in lower case, and its argument
        (a corner, an edge, a hex, a seat, ...).
    winner : int, optional
        The seat that has won; None while the game runs and where it ends without a winner.
    first_seat : int
        Who plays first.
    card_played : bool
        A development card was played this turn.
    cards_bought : int
        Development cards that the seat on turn bought this turn.
    turns : int
        Turns completed.
    offers_made : int
        Offers opened this turn.
    gives, wants : tuple of 5 int by seat
        What each seat offers, or answers with a counter-offer.
    answers : tuple of str
        Each seat's answer to the offer: "none", "no", "yes" or "counter".
    left, floor : int
        Cards or roads still to choose, and the lowest resource that may be named next.
    placed : int
        Corner of the settlement just placed; while a card is stolen the victim.
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
        """Return who holds Longest Road, Largest Army and Greatest Temple Contributor; -1: nobody."""
        def holder(name: str) -> int:
            return next((seat for seat, one in enumerate(self.seats) if getattr(one, name)), -1)
        return holder("longest_road"), holder("largest_army"), holder("temple")
