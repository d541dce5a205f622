"""Positions and moves of Attila as plain data, with the outcome of pending conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sfida.engines.attila.map import Land
from sfida.engines.attila.tables import load_data

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState
    from sfida.engines.attila.game import Attila


# ---- Move codes of Attila and their meaning (part 4)

LETTERS = "FHGSTV"
# Kind, first code, number of codes: one per tribe, province or seat, or a single one.
ROWS = (("card", 0, 6), ("dump", 6, 6), ("at", 12, 32), ("second", 44, 32), ("influence", 76, 1), ("commit", 77, 6),
        ("done", 83, 1), ("go_on", 84, 1), ("end_turn", 85, 1), ("tile_double", 86, 1), ("tile_exchange", 87, 1),
        ("tile_influence", 88, 1), ("give", 89, 6), ("give_done", 95, 1), ("inf_a", 96, 6), ("inf_b", 102, 6),
        ("draw", 108, 6), ("draw_hidden", 114, 1), ("commit_hidden", 115, 1), ("skip", 116, 1), ("first", 120, 5),
        ("fight", 128, 32))
_FIRST = {kind: (first, count) for kind, first, count in ROWS}
_MOVES = {first + i: (kind, i if count > 1 else -1) for kind, first, count in ROWS for i in range(count)}
DRAW_HIDDEN = 114                       # a drawn card that the viewer did not see; the code of a laid one follows
COMMIT_HIDDEN = 115
OF_TRIBES = ("card", "dump", "commit", "give", "inf_a", "inf_b", "draw")
OF_PROVINCES = ("at", "second", "fight")
TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}
# Moves without further effects: no influence, conflict, scoring or end.
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
    """Return the move of a code; raises ValueError for a number that is no code."""
    if code not in _MOVES:
        raise ValueError(f"{code} is no move of Attila")
    return Move(*_MOVES[code])


# ---- A position of Attila as one viewer sees it, filled by the core, for narration and drawings

Six = tuple[int, int, int, int, int, int]   # by tribe: Franks, Huns, Goths, Saxons, Teutons, Vandals
NOTHING: Six = (0, 0, 0, 0, 0, 0)


def six(counts: Iterable[int]) -> Six:
    """Return six counts as a tuple of type `Six`."""
    a, b, c, d, e, f = counts
    return a, b, c, d, e, f


@dataclass(frozen=True)
class SeatPosition:
    """The holdings of one seat, as far as the viewer can know them.

    Attributes
    ----------
    hand : Six or None
        Cards in hand, without those laid down for a conflict or put aside for an exchange; None when hidden (ATT-6.5).
    hand_size : int
        Number of cards in hand; public.
    laid : int
        Number of cards laid down in the current conflict; public (ATT-6.5).
    laid_cards : Six or None
        The cards laid down; None when hidden.
    influence : Six
        Spaces of the markers on the influence chart, 0 off the chart.
    score : int
        Points so far.
    prospect : int
        Points that a scoring of the current board would bring (ATT-8).
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
    """A finished conflict: its province, the strengths, and the tokens that left (ATT-6.6, 6.7).

    Attributes
    ----------
    province : int
    strength : Six
        Strength by tribe; 0 for tribes that were not in the province.
    removed : Six
        Tokens.
    laid : tuple of Six
        Cards that each seat laid.
    tokens : Six
        Tokens in the province before the conflict.
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
        The map of the game.
    players : int
    phase : str
        A node of the state machine in lower case: "deal", "first" (the draw of the first seat), "play", "place",
        "follow", "order" (the choice of the first of two conflicts), "commit", "prescore", "end", "give", "inf_a",
        "inf_b", "draw" or "game_over".
    turn : int
        Player turns begun.
    seat_on_turn : int
        The active player, also while others lay cards.
    seat_to_move : int
        A seat, -1 (a chance event is next) or -4 (the game is over).
    tokens : tuple of Six
        By province.
    pacified : tuple of bool
        By province: it has a peace tile, or had a conflict after the last tile was laid (ATT-7.1, 7.5).
    supply : Six
        Tokens left.
    peace : tuple of int
        Peace tiles left on the century spaces, in their order (ATT-2.2).
    gain : int
        Spaces of influence for a card played now (ATT-5.1).
    pile : int
        Cards in the draw pile.
    discards : Six
        Cards of the discard pile.
    reshuffles : int
        Number of times that the discards became the draw pile.
    plays_left : int
        Cards that the active player must still play after the card in play.
    tile_used : bool
        An action tile was used in the current turn.
    card : int
        Tribe of the card in play; -1 for none.
    queue : tuple of int
        Provinces with a pending or current conflict, in order; the first conflict is fought in "commit".
    given : Six
        Cards chosen so far for an exchange; public.
    ending : tuple of str
        Reasons why the game ends with this turn: "peace", "tribe", "influence", "stalemate", "cap"; empty for none.
    seats : tuple of SeatPosition
    winners : tuple of int
        Seats that share the first rank; empty while the game runs.
    last : (kind, argument), or None
        The last public move, for highlighting: kind "card", "dump", "give", "inf_a" or "inf_b" with a tribe, "at" or
        "second" with a province; any other kind of part 4 of the rules with -1.
    battle : Battle or None
        The last conflict carried out in the current turn; None for none.
    idle : int
        Turns begun since a card was drawn (ATT-4.13).
    legal : frozenset of str
        Kinds of the legal moves of the seat to move; empty if the viewer cannot know them.
    first_seat : int
        The seat that plays first (ATT-2.7).
    dealt : int
        Cards dealt at the start, to all seats together.
    box : Six
        Tokens out of the game (ATT-6.10).
    to_draw : int
        Cards still to be drawn now.
    back : str
        While a tile is used, the phase after it; "": no tile, or the next turn.
    scoring_due : bool
        A finished century is to be scored, in addition to the final scoring (ATT-11.6).
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
        """The current century, 4 to 7 (ATT-5.2)."""
        numbers = [row["number"] for row in load_data()["centuries"]]
        return int(next((number for number, left in zip(numbers, self.peace, strict=True) if left), numbers[-1]))

    @property
    def scored_next(self) -> bool:
        """Whether a century is scored now, before the queued conflicts: in "prescore" or after a tile (ATT-8.11)."""
        return self.scoring_due and "prescore" in (self.phase, self.back)


def position_of(state: AttilaState, seat: int | None = None) -> Position:
    """Return the position as `seat` sees it; None: the public position."""
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


# ---- The weakest tribes in a conflict, and the board after pending conflicts


def strengths(tokens: Six, laid: Iterable[Six | None]) -> Six:
    """Return the strength of each tribe in a province: its tokens and all cards laid for it (ATT-6.6).

    Parameters
    ----------
    tokens : Six
        Tokens of the province.
    laid : iterable of Six or None
        Cards that each seat has laid; None: unknown cards, which do not count.

    Returns
    -------
    Six
        Strength by tribe; 0 for tribes without a token in the province.
    """
    rows = [cards for cards in laid if cards is not None]
    return six(n + sum(cards[tribe] for cards in rows) if n else 0 for tribe, n in enumerate(tokens))


def weakest(strength: Six) -> tuple[int, ...]:
    """Return the tribes that leave: all with the lowest strength among the tribes present (ATT-6.7 to 6.9)."""
    least = min((n for n in strength if n), default=0)
    return tuple(tribe for tribe, n in enumerate(strength) if n and n == least)


def known_strengths(position: Position, province: int) -> Six:
    """Return the strengths in a province with a pending or current conflict, as far as the viewer knows the cards.

    Cards lie only in the province of the current conflict, which is the first in the queue.
    """
    laid = [one.laid_cards for one in position.seats] if province == position.queue[0] else ()
    return strengths(position.tokens[province], laid)


def foreseen(position: Position) -> tuple[Six, ...]:
    """Return the tokens by province at the next scoring, assuming only the laid cards that the viewer knows.

    A scoring that is due now comes before the pending conflicts (ATT-8.11).
    """
    tokens = list(position.tokens)
    for province in () if position.scored_next else position.queue:
        gone = weakest(known_strengths(position, province))
        tokens[province] = six(0 if tribe in gone else n for tribe, n in enumerate(tokens[province]))
    return tuple(tokens)
