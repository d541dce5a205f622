"""The numbered moves of a decision: the list, and the meaning of a typed line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sfida.cython_ext.errors import IllegalMove, InvalidNotation, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import LANGUAGES, _, speaking
from sfida.engines.spec import quoted, shortened
from sfida.engines.typed import bounded

LONGEST_LABEL = 6       # digits


@dataclass(frozen=True)
class Choice:
    """One legal move of a position: its number, code, notation and words."""

    label: str
    move: int
    text: str
    words: str
    state: GameState = field(repr=False, compare=False)

    @cached_property
    def note(self) -> str:
        """What it costs and brings; worked out where it is shown."""
        return self.state.game.move_note(self.state, self.move)


class Choices:
    """The legal moves of the seat to move, with the numbers that the game gives them (`Notation.move_labels`)."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        moves = state.legal_moves()
        game = state.game
        self.list: list[Choice] = [Choice(label, move, state.format(move), game.describe_move(state, move), state)
                     for label, move in zip(game.move_labels(state, moves), moves, strict=True)]

    @cached_property
    def groups(self) -> list[MoveGroup]:
        """The moves in groups, where the game offers a long list in steps."""
        return self.state.game.move_groups(self.state, [choice.move for choice in self.list])

    def group(self, line: str) -> list[Choice]:
        """Return the moves of the group that a line names; none if it names none."""
        inside = next((group.moves for group in self.groups
                       if group.name and group.name.lower() == line.strip().lower()), ())
        return [choice for choice in self.list if choice.move in inside]

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
        """Return the moves that a typed line stands for: a number, a move, its words, or a whole turn.

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
            said = [choice.move for choice in self.list if choice.words.lower() == line.lower()]
            return said if len(said) == 1 else self._parsed(line)
        number, rest = match.groups()
        numbered = next((choice for choice in self.list if int(choice.label) == int(number)), None)
        if numbered is None:
            meant = self.state.game.label_text(self.state, int(number)) if len(number) < LONGEST_LABEL else ""
            if meant:
                return self._read(meant + rest, line)
            raise IllegalMove(_("there is no move {number} in the list; it holds {numbers}").format(
                number=shortened(number), numbers=", ".join(_spans([int(choice.label) for choice in self.list]))))
        return self._read(numbered.text + rest, line) if rest else [numbered.move]

    def _parsed(self, line: str) -> list[int]:
        """Return the moves of a line as the game reads it, or the one that has these words in another language."""
        game, state = self.state.game, self.state
        try:
            return game.parse_turn(state, line)
        except SfidaError:
            for code in LANGUAGES:
                with speaking(code):
                    said = [choice.move for choice in self.list
                            if game.describe_move(state, choice.move).lower() == line.lower()]
                if len(said) == 1:
                    return said
            raise

    def _read(self, meant: str, line: str) -> list[int]:
        """Return the moves of a text that stands for a typed line; a refusal quotes only the line."""
        try:
            return self.state.game.parse_turn(self.state, meant)
        except (IllegalMove, InvalidNotation) as error:
            raise type(error)(str(error).replace(quoted(meant), quoted(line))) from None

    def find_one(self, line: str) -> int:
        """Return the one move that a typed line stands for; a turn of several moves is refused.

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        moves = self.find(line)
        if len(moves) > 1:
            first = self.state.format(moves[0])
            raise InvalidNotation(_("{text} is {number} decisions, one after the other; name one, such as the first: "
                                    "{first}").format(text=quoted(line.strip()), number=len(moves), first=first))
        return moves[0]


def _spans(numbers: list[int]) -> Iterator[str]:
    """Yield the runs of some numbers, such as "1 to 9" and "61"."""
    ordered = sorted(numbers)
    first = last = ordered[0]
    for number in [*ordered[1:], None]:
        if number is not None and number == last + 1:
            last = number
            continue
        yield str(first) if first == last else _("{first} to {last}").format(first=first, last=last)
        if number is not None:
            first = last = number
