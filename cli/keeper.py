"""Keeps the game of a session: saved while it goes on, recorded when it ends or is left."""

from __future__ import annotations

import shlex
from pathlib import Path

from sfida.ai.table import Table
from sfida.cli.errors import Failure
from sfida.cli.kept import keep_game
from sfida.cli.output import Output
from sfida.cli.saves import Autosave
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.language import _
from sfida.engines.record_files import append_record


class Keeper:
    """Writes the save and the record of a game.

    Parameters
    ----------
    table : Table
    screen : Output
        Where troubles are told.
    autosave : Autosave
    record : Path, optional
        File to which the game is appended when it ends or is left.
    remembers : bool
        Keep the game in the state folder when it is over.
    """

    def __init__(self, table: Table, screen: Output, autosave: Autosave, record: Path | None = None, *,
                 remembers: bool = True) -> None:
        self.table = table
        self.screen = screen
        self.autosave = autosave
        self.record = record
        self._remembers = remembers
        self._failed = False

    @property
    def lost(self) -> bool:
        """Whether the game could be kept nowhere."""
        return self._failed and self.record is None

    def keep(self) -> None:
        """Save the game; report a failure once."""
        try:
            self.autosave.write(self.table)
            self._failed = False
        except InvalidRecord as error:
            if not self._failed:
                self.screen.complain(_("{error}; for now the game is not kept").format(error=error))
            self._failed = True

    def leave(self) -> None:
        """Keep an unfinished game."""
        self.keep()
        unwritten = self.write_down()
        if unwritten:
            self.screen.complain(unwritten)

    def keep_finished(self, unwritten: str) -> Path | None:
        """Keep the game that is over, and return the path; None if it is not to be kept.

        `unwritten` is the error of its record; it is raised when the game is kept.
        """
        if not (self._remembers or unwritten):
            self.autosave.discard()
            return None
        try:
            path = self.autosave.finish(self.table)
        except (InvalidRecord, OSError) as error:
            raise Failure(_("{error}; the finished game could not be kept").format(error=unwritten or error)) from None
        if self._remembers and self.table.people:
            try:
                keep_game(self.table.record())
            except (InvalidRecord, OSError) as error:
                self.screen.complain(_("{error}; 'sfida review --all' will not know of this game").format(error=error))
        if unwritten:
            raise Failure(_("{error}; the finished game is kept in {path}").format(error=unwritten, path=path))
        return path

    def write_down(self) -> str:
        """Append the game to the requested record; return the error, "" if there is none."""
        if self.record is not None:
            try:
                append_record(self.record, self.table.record())
            except InvalidRecord as error:
                return str(error)
        return ""

    def farewell(self) -> str:
        """Return where a game that was left is kept."""
        if self._failed:
            return _("The game is kept in {path}.").format(path=self.record)
        resume = f"sfida play {shlex.quote(str(self.autosave.path))}"
        if not self.table.can_undo:
            return _("The game is kept, although nothing was decided yet: '{resume}' continues it.").format(
                resume=resume)
        return _("The game is kept: 'sfida play {game}' offers it again, and '{resume}' continues it.").format(
            game=self.table.game.name, resume=resume)

    def kept(self) -> str:
        """Return where a game that broke off is kept."""
        if self._failed:
            return (_("it could not be kept") if self.record is None else
                    _("it is kept in {path}").format(path=self.record))
        return _("it is kept, and goes on with: {command}").format(
            command=f"sfida play {shlex.quote(str(self.autosave.path))}")
