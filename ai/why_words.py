"""What a comparison of two moves says in sentences, for the screen and for the page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sfida.ai.why import Comparison
from sfida.engines.faces.notation import Notation

_NOTHING = 0.005        # difference of the win share below which moves count as equal


class Kind(Enum):
    """What a piece of a sentence is, so that a screen can set it off."""

    TEXT = 0
    MOVE = 1
    SEAT = 2


@dataclass(frozen=True)
class Piece:
    """A piece of a sentence.

    Attributes
    ----------
    text : str
    kind : Kind
    seat : int
        Which seat the text names.
    """

    text: str
    kind: Kind = Kind.TEXT
    seat: int = -1


def verdict(found: Comparison) -> list[Piece]:
    """Return the difference between both moves in a sentence."""
    best, other = _move(found.best.move), found.next_best if found.same else found.asked
    if other is None:
        return [best, Piece(" is the only move that was searched")]
    cost = found.best.value - other.value
    lost = f"{100 * cost:.1f} % of the win"
    if found.same:
        rest = f"{other.move} would cost {lost}" if cost >= _NOTHING else f"{other.move} is as good"
        return [best, Piece(f" is the best move; {rest}")]
    if cost < _NOTHING:
        return [Piece("no fault was found in "), _move(other.move), Piece(f": it wins no less than {best.text}")]
    return [_move(other.move), Piece(f" costs {lost}")]


def answer(game: Notation, found: Comparison) -> list[Piece]:
    """Return how the others answer the move that was asked about, in a sentence."""
    reply, line = found.reply, found.asked_line
    if reply is not None:
        told = [Piece(f"after {' '.join(reply.after)}, "), Piece(game.seat_name(reply.seat), Kind.SEAT, reply.seat),
                Piece(" answers "), _move(reply.move)]
        return [*told, Piece(f": {reply.words}")] if reply.words != reply.move else told
    if line.over:
        return [Piece(f"after {' '.join(ply.move for ply in line.plies)} the game is over")]
    return [Piece(f"the search did not reach an answer to {found.asked.move}")]


def sentence(pieces: list[Piece]) -> str:
    """Return the pieces as one text."""
    return "".join(piece.text for piece in pieces)


def _move(text: str) -> Piece:
    return Piece(text, Kind.MOVE)
