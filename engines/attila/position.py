"""Positions and moves of Attila as plain data, with the outcome of conflicts that are still to come."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sfida.engines.attila.map import Land
from sfida.engines.attila.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState
    from sfida.engines.attila.game import Attila


# ---- Move codes of Attila and what they mean (part 4)

LETTERS = "FHGSTV"
# kind, first code, how many: of tribes or provinces, or 1
ROWS = (("card", 0, 6), ("dump", 6, 6), ("at", 12, 32), ("second", 44, 32), ("influence", 76, 1), ("commit", 77, 6),
        ("done", 83, 1), ("go_on", 84, 1), ("end_turn", 85, 1), ("tile_double", 86, 1), ("tile_exchange", 87, 1),
        ("tile_influence", 88, 1), ("give", 89, 6), ("give_done", 95, 1), ("inf_a", 96, 6), ("inf_b", 102, 6),
        ("draw", 108, 6), ("draw_hidden", 114, 1), ("commit_hidden", 115, 1), ("skip", 116, 1), ("first", 120, 5),
        ("fight", 128, 32))
_FIRST = {kind: (first, count) for kind, first, count in ROWS}
_MOVES = {first + i: (kind, i if count > 1 else -1) for kind, first, count in ROWS for i in range(count)}
DRAW_HIDDEN = 114                       # a card that a viewer did not see drawn, and one that he did not see laid
COMMIT_HIDDEN = 115
OF_TRIBES = ("card", "dump", "commit", "give", "inf_a", "inf_b", "draw")
OF_PROVINCES = ("at", "second", "fight")
TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}
# What is done is all that comes of these: no influence, conflict, scoring or end.
WITHOUT_EFFECT = frozenset({"first", "card", "fight", "commit", "tile_double", "tile_exchange", "tile_influence",
                            "give", "give_done"})


@dataclass(frozen=True)
class Move:
    """A move or chance outcome.

    Attributes
    ----------
    kind : str
        A name of `ROWS`.
    what : int
        Tribe of `OF_TRIBES`, province of `OF_PROVINCES`, seat of "first"; else -1.
    """

    kind: str
    what: int = -1


def encode(move: Move) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind, tribe or province.
    """
    if move.kind not in _FIRST:
        raise ValueError(f"'{move.kind}' is no kind of move")
    first, count = _FIRST[move.kind]
    if count == 1:
        return first
    if not 0 <= move.what < count:
        raise ValueError(f"{move} is out of range")
    return first + move.what


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is none."""
    if code not in _MOVES:
        raise ValueError(f"{code} is no move of Attila")
    return Move(*_MOVES[code])


# ---- A position of Attila as one viewer sees it, filled by the core and read by all that reports and draws

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
    gained : tuple of int
        Points by scoring: the centuries, then the final one.
    """

    hand: Six | None
    hand_size: int
    laid: int
    laid_cards: Six | None
    influence: Six
    score: int
    prospect: int
    tiles: tuple[str, ...]
    gained: tuple[int, ...] = ()


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
    tokens : Six
        Tokens before it.
    """

    province: int
    strength: Six
    removed: Six
    laid: tuple[Six, ...] = ()
    tokens: Six = NOTHING


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
        Why the game ends with this turn: "peace", "tribe", "influence", "stalemate", "cap"; empty while it continues.
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
    first_seat : int
        Who plays first (ATT-2.7).
    dealt : int
        Cards dealt at the start, to all.
    box : Six
        Tokens out of the game (ATT-6.10).
    to_draw : int
        Cards still to be drawn now.
    back : str
        While a tile is used, the phase that follows it; "": none, or the next turn.
    scoring_due : bool
        A century that is over is to be scored, besides the final scoring (ATT-11.6).
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
    first_seat: int = 0
    dealt: int = 0
    box: Six = NOTHING
    to_draw: int = 0
    back: str = ""
    scoring_due: bool = False

    @property
    def century(self) -> int:
        """The current one, 4 to 7 (ATT-5.2)."""
        numbers = [row["number"] for row in load_data()["centuries"]]
        return int(next((number for number, left in zip(numbers, self.peace, strict=True) if left), numbers[-1]))

    @property
    def scored_next(self) -> bool:
        """A century is scored now, before the conflicts of the queue: in "prescore", or after a tile (ATT-8.11)."""
        return self.scoring_due and "prescore" in (self.phase, self.back)


def position_of(state: AttilaState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it; None: what everybody sees."""
    given = state.snapshot(seat)
    seats, battle, last, legal = (given.pop(name) for name in ("seats", "battle", "last", "legal"))
    return Position(**given, land=cast("Attila", state.game).land, seats=tuple(SeatPosition(**one) for one in seats),
                    battle=None if battle is None else Battle(**battle), last=_last(last),
                    legal=frozenset(decode(code).kind for code in legal))


def _last(code: int) -> tuple[str, int] | None:
    """Return the last move for highlighting."""
    if code < 0:
        return None
    move = decode(code)
    return move.kind, move.what if move.kind in OF_TRIBES or move.kind in OF_PROVINCES else -1


# ---- Who is weakest in a conflict, and the board after conflicts still to come


def strengths(tokens: Six, laid: Iterable[Six | None]) -> Six:
    """Return the strength of each tribe in a province: its tokens and all cards laid for it (ATT-6.6).

    Parameters
    ----------
    tokens : Six
        Tokens of the province.
    laid : iterable of Six or None
        Cards that each seat has laid; None: they are not known, and count for nothing.

    Returns
    -------
    Six
        0 for tribes without a token there.
    """
    rows = [cards for cards in laid if cards is not None]
    return six(n + sum(cards[tribe] for cards in rows) if n else 0 for tribe, n in enumerate(tokens))


def weakest(strength: Six) -> tuple[int, ...]:
    """Return the tribes that leave: all that share the lowest strength of those present (ATT-6.7 to 6.9)."""
    least = min((n for n in strength if n), default=0)
    return tuple(tribe for tribe, n in enumerate(strength) if n and n == least)


def known_strengths(position: Position, province: int) -> Six:
    """Return the strengths in a province whose conflict is to come or going on, as far as the viewer knows the cards.

    Cards lie only where the conflict has begun: it is the first in the queue.
    """
    laid = [one.laid_cards for one in position.seats] if province == position.queue[0] else ()
    return strengths(position.tokens[province], laid)


def foreseen(position: Position) -> tuple[Six, ...]:
    """Return the tokens by province at the next scoring, if nobody laid more cards than the viewer knows.

    A scoring that is due now comes before the conflicts that are still to come (ATT-8.11).
    """
    tokens = list(position.tokens)
    for province in () if position.scored_next else position.queue:
        gone = weakest(known_strengths(position, province))
        tokens[province] = six(0 if tribe in gone else n for tribe, n in enumerate(tokens[province]))
    return tuple(tokens)
