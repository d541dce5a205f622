"""A position of Attila as plain data: what drawing, observation and the recount read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sfida.engines.attila.land import Land

Six = tuple[int, int, int, int, int, int]   # by tribe: Franks, Huns, Goths, Saxons, Teutons, Vandals
NOTHING: Six = (0, 0, 0, 0, 0, 0)


def six(counts: Iterable[int]) -> Six:
    """Return six counts as what holds them."""
    a, b, c, d, e, f = counts
    return a, b, c, d, e, f


@dataclass(frozen=True)
class SeatPosition:
    """What lies before one seat, as far as the viewer can know it.

    Attributes
    ----------
    hand : Six or None
        Cards in hand, without those laid down for a conflict or put aside for an exchange; None when hidden (ATT-6.5).
    hand_size : int
        How many these are, public.
    laid : int
        Cards laid down in the conflict going on, public (ATT-6.5).
    laid_cards : Six or None
        Which they are; None when hidden.
    influence : Six
        Spaces of the markers on the influence chart, 0 off the chart.
    score : int
        Points so far.
    prospect : int
        Points that a scoring of the board as it is would bring (ATT-8).
    tiles : tuple of str
        Ids of the unused action tiles, in the order of the data: "double_turn", "exchange", "influence_2".
    """

    hand: Six | None
    hand_size: int
    laid: int
    laid_cards: Six | None
    influence: Six
    score: int
    prospect: int
    tiles: tuple[str, ...]


@dataclass(frozen=True)
class Battle:
    """A conflict that is over: its province, the strengths, and the tokens that left (ATT-6.6, 6.7).

    Attributes
    ----------
    province : int
    strength : Six
        0 for tribes that were not there.
    removed : Six
        Tokens.
    laid : tuple of Six
        Cards that each seat had laid.
    """

    province: int
    strength: Six
    removed: Six
    laid: tuple[Six, ...] = ()


@dataclass(frozen=True)
class Position:
    """A position as one viewer sees it.

    Attributes
    ----------
    land : Land
        The map played on.
    players : int
    phase : str
        A node of the state machine in lower case: "deal", "first" (who begins is drawn), "play", "place", "follow",
        "order" (which of two conflicts comes first), "commit", "prescore", "end", "give", "inf_a", "inf_b", "draw" or
        "game_over".
    turn : int
        Player turns begun.
    seat_on_turn : int
        The active player, also while others lay cards.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    tokens : tuple of Six
        By province.
    pacified : tuple of bool
        By province: it has a peace tile, or fought after the last one was laid (ATT-7.1, 7.5).
    supply : Six
        Tokens left.
    peace : tuple of int
        Peace tiles left on the century spaces, in their order (ATT-2.2).
    century : int
        The current one, 4 to 7 (ATT-5.2).
    gain : int
        Spaces that a card played now brings (ATT-5.1).
    pile : int
        Cards in the draw pile.
    discards : Six
        Cards of the discard pile.
    reshuffles : int
        How often the discards became the draw pile.
    plays_left : int
        Cards that the active player has still to play after the one in play.
    tile_used : bool
        An action tile was used in this turn.
    card : int
        Tribe of the card in play; -1 for none.
    queue : tuple of int
        Provinces whose conflict is still to come or going on, in their order; the first is fought in "commit".
    given : Six
        Cards chosen so far for an exchange, public.
    ending : tuple of str
        Why the game ends with this turn: "peace", "tribe", "influence", "stalemate", "cap"; empty while it goes on.
    seats : tuple of SeatPosition
    winners : tuple of int
        Seats that share the first rank; empty while the game runs.
    last : (kind, argument), or None
        The last move that everybody saw, for highlighting: kind "card", "dump", "give", "inf_a" or "inf_b" with a
        tribe, "at" or "second" with a province; any other kind of part 4 of the rules with -1.
    battle : Battle or None
        The last conflict carried out in this turn; None when there was none.
    idle : int
        Turns begun since a card was drawn (ATT-4.13).
    legal : frozenset of str
        Kinds of the legal moves of the seat to move; empty where the viewer cannot tell.
    scored_next : bool, optional
        A century is scored now, before the conflicts of the queue (ATT-8.11): in "prescore", and in the steps of a tile
        that was used there. None in positions made by hand.
    """

    land: Land
    players: int
    phase: str
    turn: int
    seat_on_turn: int
    seat_to_move: int
    tokens: tuple[Six, ...]
    pacified: tuple[bool, ...]
    supply: Six
    peace: tuple[int, ...]
    century: int
    gain: int
    pile: int
    discards: Six
    reshuffles: int
    plays_left: int
    tile_used: bool
    card: int
    queue: tuple[int, ...]
    given: Six
    ending: tuple[str, ...]
    seats: tuple[SeatPosition, ...]
    winners: tuple[int, ...] = ()
    last: tuple[str, int] | None = None
    battle: Battle | None = None
    idle: int = 0
    legal: frozenset[str] = frozenset()
    scored_next: bool | None = None
