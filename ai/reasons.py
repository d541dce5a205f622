"""What a move gains and gives away in the terms of its game, by the line that a search expects after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.analysis import MoveStats
from sfida.ai.lines import Line
from sfida.cython_ext.state import GameState
from sfida.engines.faces.notation import Notation
from sfida.engines.language import _
from sfida.engines.standing import Term, changes

_CHANCE = -1


@dataclass(frozen=True)
class Reasons:
    """Why a move is good or bad, in words.

    Attributes
    ----------
    gains : tuple of str
        What the move, with the further moves of the seat that are expected before luck or another seat comes, changes
        in favour of the seat: "+3 points", "Blue -1 card".
    costs : tuple of str
        What they change in favour of the others.
    answer : tuple of str
        What the expected answer of the next other seat changes, whomever it favours, such as "Blue +8 points".
    """

    gains: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()

    @property
    def for_and_against(self) -> list[str]:
        """What speaks for and against the move, each as a phrase."""
        said = ((_("for it: {changes}"), self.gains), (_("against it: {changes}"), self.costs))
        return [message.format(changes=", ".join(parts)) for message, parts in said if parts]

    @property
    def answered(self) -> list[str]:
        """What the expected answer changes, as a phrase, if anything."""
        return [_("the answer brings {changes}").format(changes=", ".join(self.answer))] if self.answer else []

    def to_json(self) -> dict[str, Any]:
        """Return the reasons as JSON-able data."""
        return {"gains": list(self.gains), "costs": list(self.costs), "answer": list(self.answer)}


def reasons_of(game: Notation, line: Line) -> Reasons:
    """Return what an expected line says for and against its first move; nothing if it has no moves."""
    if not line.plies:
        return Reasons()
    seat, told = line.plies[0].seat, line.standings
    turn = next((i for i, ply in enumerate(line.plies) if ply.seat != seat), len(line.plies))
    gains: list[str] = []
    costs: list[str] = []
    for one, term in sorted(_changes(told[0], told[turn]), key=lambda change: change[0] != seat):
        (gains if term.better == (one == seat) else costs).append(_text(game, one, term, seat))
    answer: list[str] = []
    if line.answer is not None:
        answer = [_text(game, one, term) for one, term in _changes(told[line.answer], told[line.answer + 1])]
    return Reasons(tuple(gains), tuple(costs), tuple(answer))


def reasons_text(state: GameState, move: MoveStats, line: Line) -> str:
    """Return what speaks for and against a move: its odds or price, what it gains and gives away, what the answer does.

    "" for games that count nothing, if the move has no price either.
    """
    found, note = reasons_of(state.game, line), state.game.move_note(state, move.code)
    told = found.for_and_against
    if note:
        told.insert(0, note)
    elif not told and any(line.standings[0]):
        told = [_("it changes nothing at once that can be counted")]
    return "; ".join([*told, *found.answered])


def _changes(before: Sequence[Sequence[Term]], after: Sequence[Sequence[Term]]) -> list[tuple[int, Term]]:
    return [(seat, term) for seat, (old, new) in enumerate(zip(before, after, strict=True))
            for term in changes(old, new)]


def _text(game: Notation, seat: int, term: Term, own: int = _CHANCE) -> str:
    """Return a change in words; that of the seat itself needs no name."""
    return term.text if seat == own else f"{game.seat_name(seat)} {term.text}"
