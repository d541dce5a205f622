"""The numbered moves of a decision: the list, and the meaning of a typed line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sfida.cython_ext.errors import IllegalMove, InvalidNotation, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted, shortened
from sfida.engines.typed import bounded


@dataclass(frozen=True)
class Choice:
    """One legal move: what to type for it, code, notation and words."""

    label: str
    move: int
    text: str
    words: str


class Choices:
    """The legal moves of the seat to move, numbered from 1 in the order of the game.

    If the notation itself consists of whole numbers (bids, amounts), these are the labels.
    """

    def __init__(self, state: GameState) -> None:
        self.state = state
        moves = state.legal_moves()
        texts = [state.format(move) for move in moves]
        plain = all(re.fullmatch(r"\d+", text) for text in texts)
        self.list = [Choice(text if plain else str(number), move, text, state.game.describe_move(state, move))
                     for number, (move, text) in enumerate(zip(moves, texts, strict=True), 1)]

    def label_of(self, text: str) -> str:
        """Return the label of the move with this notation, "" if there is none."""
        return next((choice.label for choice in self.list if choice.text == text), "")

    def _whole(self, move: int, line: str) -> list[int]:
        """Return the moves of a line that is a listed move: more than one if the game reads it as a whole turn."""
        try:
            moves = self.state.game.parse_turn(self.state, line)
        except SfidaError:
            return [move]
        return moves if moves[0] == move else [move]

    def find(self, line: str) -> list[int]:
        """Return the moves that a typed line stands for: a number, a move, or a whole turn.

        A number may be followed by the rest of the turn, as in "7+c0" or "7 -".

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        line = bounded(line)
        for choice in self.list:
            if choice.text.lower() == line.lower():
                return self._whole(choice.move, line)
        match = re.fullmatch(r"(\d+)\s*(\+\s*[^\W\d].*|-|)", line)
        if match is None:
            return self.state.game.parse_turn(self.state, line)
        number, rest = match.groups()
        numbered = next((choice for choice in self.list if int(choice.label) == int(number)), None)
        if numbered is None:
            held = " to ".join(dict.fromkeys((self.list[0].label, self.list[-1].label)))
            raise IllegalMove(f"there is no move {shortened(number)} in the list; it holds {held}")
        if not rest:
            return [numbered.move]
        return self.state.game.parse_turn(self.state, numbered.text + rest)

    def find_one(self, line: str) -> int:
        """Return the one move that a typed line stands for; a turn of several moves is refused.

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        moves = self.find(line)
        if len(moves) > 1:
            first = self.state.format(moves[0])
            raise InvalidNotation(f"{quoted(line.strip())} is {len(moves)} decisions, one after the other; name one, "
                                  f"such as the first: {first}")
        return moves[0]
