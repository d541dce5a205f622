"""How moves, seats and results are written and read."""

from __future__ import annotations

import abc
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from sfida.cython_ext.errors import IllegalMove
from sfida.engines.faces import S
from sfida.engines.language import _
from sfida.engines.spec import quoted
from sfida.engines.typed import bounded


@dataclass(frozen=True)
class MoveGroup:
    """Some of the legal moves, the first step of a choice from a long list.

    Attributes
    ----------
    name : str
        What to type to see its moves, such as "ALK"; no number, and no move of the game.
    words : str
        What they have in common, with what helps to choose among the groups.
    moves : tuple of int
        Codes.
    """

    name: str
    words: str
    moves: tuple[int, ...]


class Notation(abc.ABC, Generic[S]):
    """The face that whoever reads or writes moves reads: records, programs, people who type."""

    # ---- moves ----------------------------------------------------------------------------------

    @abc.abstractmethod
    def format_move(self, state: S, move: int) -> str:
        """Return the canonical text of a legal move or chance outcome, unique within the legal list."""

    def parse_move(self, state: S, text: str) -> int:
        """Return the move that `text` names; raises one of the three notation errors."""
        wanted = "".join(bounded(text).split()).lower()
        for move in state.legal_moves():
            if "".join(self.format_move(state, move).split()).lower() == wanted:
                return move
        examples = ", ".join(self.format_move(state, m) for m in state.legal_moves()[:3])
        raise IllegalMove(_("{text} is not a legal move here; legal are for example: {moves}").format(
            text=quoted(text.strip()), moves=examples))

    def parse_turn(self, state: S, text: str) -> list[int]:
        """Return the moves of a whole turn given as one text (games with staged turns override)."""
        return [self.parse_move(state, text)]

    def describe_move(self, state: S, move: int) -> str:
        """Return the move in words for people, as played in `state`."""
        return self.format_move(state, move)

    def seen_move(self, state: S, move: int, seat: int | None) -> str:
        """Return the text of a move as `seat` saw it (None: a spectator); "" when it saw nothing.

        `state` is the state before the move. Games that hide something override this.
        """
        return self.format_move(state, move)

    # ---- a list to choose from --------------------------------------------------------------------

    def move_labels(self, state: S, moves: Sequence[int]) -> list[str]:
        """Return the whole number that stands for each legal move, as the labelled board shows it; all different.

        By default moves are numbered from 1; where the notation itself consists of whole numbers (bids, amounts),
        these are the labels.
        """
        texts = [self.format_move(state, move) for move in moves]
        if all(re.fullmatch(r"\d+", text) for text in texts):
            return texts
        return [str(number) for number in range(1, len(moves) + 1)]

    def label_text(self, state: S, number: int) -> str:
        """Return what a number means that is no label now, as a text for `parse_turn`; "" for nothing.

        The board shows some numbers where no move is legal: what is typed for them gets the refusal of that move.
        """
        return ""

    def move_groups(self, state: S, moves: Sequence[int]) -> list[MoveGroup]:
        """Return the legal moves in groups, for a list too long for one screen; none: it is shown whole."""
        return []

    def move_note(self, state: S, move: int) -> str:
        """Return what a legal move costs and brings, as far as its words do not say it, such as "price 4"; "" for none.

        Only what the mover knows.
        """
        return ""

    # ---- for people -----------------------------------------------------------------------------

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        """Explain how moves are typed and what the signs on the board mean."""
        return ""

    def answer(self, state: S, text: str) -> str | None:
        """Answer a question that a person types in place of a move, such as ``adj GER``; None: it is none.

        Only of what everybody may know.

        Raises
        ------
        InvalidNotation
            If it is one, but about nothing that exists.
        """
        return None

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, for example its colour."""
        return _("seat {number}").format(number=seat)

    def explain_scores(self, state: S) -> list[str]:
        """Explain the final scores line by line, once the game is over."""
        return [f"{self.seat_name(i)}: {s}" for i, s in enumerate(state.scores())]
