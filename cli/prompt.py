"""The prompt of a person: a line is a command, a question that the game answers, or moves to play."""

from __future__ import annotations

from sfida.ai.story import CHANCE
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.commands import Commands
from sfida.cli.lines import Lines
from sfida.cli.output import Output
from sfida.cli.teller import Teller
from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.engines.choices import Choices
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.spec import quoted


class Prompt:
    """Asks people for their moves.

    Parameters
    ----------
    table : Table
    teller : Teller
    lines : Lines
    commands : Commands
    """

    def __init__(self, table: Table, teller: Teller, lines: Lines, commands: Commands) -> None:
        self.table = table
        self.game: Game = table.game
        self.screen: Output = teller.screen
        self._teller = teller
        self._lines = lines
        self._commands = commands

    def ask(self, seat: int) -> None:
        """Ask until something is played or taken back.

        Raises
        ------
        Quit, Resigned, InputEnded
            If the person leaves.
        """
        if self._lines.terminal:
            self._teller.present(seat)
        before = len(self.table.events)
        while len(self.table.events) == before:
            try:
                line = self._lines.read(self._text(seat))
                if self._commands.run(line, seat):
                    continue
                if (answer := self.game.answer(self.table.state, line)) is not None:
                    self.screen.raw(answer)
                elif line.strip():
                    self._typed(line)
            except SfidaError as error:
                self.screen.complain(str(error))

    def _typed(self, line: str) -> None:
        """Play the moves of a line, or list those of the group that it names.

        Raises IllegalMove if not all of them are the person's to decide.
        """
        table = self.table
        choices = Choices(table.state)
        if self._lines.terminal and (inside := choices.group(line)):
            show.choice_list(self.screen, choices, inside)
            return
        try:
            moves = choices.find(line)
        except SfidaError:
            if self._played_already(line):
                self.screen.note(_("{text} was the only move, and is played already.").format(
                    text=quoted(line.strip())))
                return
            raise
        ahead = table.state.clone()
        for number, move in enumerate(moves):
            if number and not table.is_person(int(ahead.to_move)):
                raise IllegalMove(_("{seat} decides after the first {number} of the {moves} moves in {text}").format(
                    seat=self.game.seat_name(int(ahead.to_move)), number=number, moves=len(moves),
                    text=quoted(line.strip())))
            ahead.apply(move)
        for move in moves:
            table.play(move)
            self._teller.played()

    def _played_already(self, line: str) -> bool:
        """Say whether a line repeats one of the moves that the program has just played for this person."""
        for step in reversed(self._teller.story.steps):
            if step.seat == int(self.table.state.to_move) and not self._teller.was_forced(step):
                return False
            if step.seat == int(self.table.state.to_move) and step.text.lower() == line.strip().lower():
                return True
        return False

    def _text(self, seat: int) -> str:
        if seat == CHANCE:
            return _("what was drawn?") + " "
        name = self.game.seat_name(seat)
        return f"{name}> "
