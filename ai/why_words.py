"""What a comparison of two moves says in sentences, for the screen and for the page."""

from __future__ import annotations

import string
from dataclasses import dataclass
from enum import Enum

from sfida.ai.why import Comparison
from sfida.engines.faces.notation import Notation
from sfida.engines.language import _

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
        return _pieces(_("{move} is the only move that was searched"), move=best)
    cost = found.best.known - other.known
    if found.same:
        said = (_("{move} is the best move; {other} would cost {cost:.1f} % of the win") if cost >= _NOTHING else
                _("{move} is the best move; {other} is as good"))
        return _pieces(said, move=best, other=other.move, cost=100 * cost)
    said = (_("no fault was found in {other}: it wins no less than {move}") if cost < _NOTHING else
            _("{other} costs {cost:.1f} % of the win"))
    return _pieces(said, other=_move(other.move), move=best.text, cost=100 * cost)


def answer(game: Notation, found: Comparison) -> list[Piece]:
    """Return how the others answer the move that was asked about, in a sentence."""
    reply, line = found.reply, found.asked_line
    if reply is not None:
        told = _pieces(_("after {moves}, {seat} answers {reply}"), moves=" ".join(reply.after),
                       seat=Piece(game.seat_name(reply.seat), Kind.SEAT, reply.seat), reply=_move(reply.move))
        return [*told, Piece(f": {reply.words}")] if reply.words != reply.move else told
    if line.over:
        return _pieces(_("after {moves} the game is over"), moves=" ".join(ply.move for ply in line.plies))
    return _pieces(_("the search did not reach an answer to {move}"), move=found.asked.move)


def sentence(pieces: list[Piece]) -> str:
    """Return the pieces as one text."""
    return "".join(piece.text for piece in pieces)


def _move(text: str) -> Piece:
    return Piece(text, Kind.MOVE)


def _pieces(message: str, **values: object) -> list[Piece]:
    """Return a message with values, some of them pieces, put in where their names stand in braces."""
    found = []
    for literal, name, form, _conversion in string.Formatter().parse(message):
        if literal:
            found.append(Piece(literal))
        if name is not None:
            value = values[name]
            found.append(value if isinstance(value, Piece) else Piece(format(value, form or "")))
    return found
