"""A game at the terminal, or fed from standard input: prompts, commands, and what is said when."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich.text import Text

from sfida.ai.registry import agent as make_agent
from sfida.ai.seeds import decision_seed
from sfida.cli import show
from sfida.cli.choices import Choices
from sfida.cli.errors import DONE, FAILED, Interrupted
from sfida.cli.live import CHANCE, LiveGame, Step
from sfida.cli.output import Output
from sfida.cli.saves import Autosave
from sfida.cli.thinking import Thinking
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.record_files import append_record, write_records

DEFAULT_AGENT = "ismcts:seconds=1"

HELP = """\
  12        the move of that number        E@0,-1/2   a move in the game's notation
  7/2       way 2 of place 7               a whole turn in one line works too: 7/2+c0
  moves     list the moves again           board      draw the board again
  hint      ask the computer               log        what was played so far
  undo      back to your last decision     save FILE  write the game down, finished or not
  quit      leave; the game is kept        ?          this help"""


class Quit(Exception):
    """The person leaves."""


class InputEnded(Exception):
    """Standard input has no more lines."""


class Session:
    """Runs one game from where it stands.

    Parameters
    ----------
    live : LiveGame
    output : Output
        Where people read; JSON events go to standard output besides when `json` is set in it.
    terminal : bool
        Somebody sits there and can be asked.
    record : Path, optional
        File that the game is appended to when it ends, however it ends.
    autosave : Autosave
    """

    def __init__(self, live: LiveGame, output: Output, terminal: bool, record: Path | None,
                 autosave: Autosave) -> None:
        self.live = live
        self.game = live.game
        self.json = output if output.json else None
        self.screen = output.to_stderr() if output.json else output
        self.quiet = output.json and not terminal
        self.terminal = terminal
        self.record = record
        self.autosave = autosave
        self._save_warned = False
        self._turn: int | None = None       # seat whose turn was announced last
        self._shown = 0                     # steps that were announced

    # ---- the game -----------------------------------------------------------------------------

    def run(self) -> int:
        """Play to the end; return the exit code."""
        live = self.live
        try:
            self._open()
            while not live.state.is_over:
                seat = int(live.state.to_move)
                if live.is_person(seat):
                    self._save()
                    self._ask(seat)
                elif seat == CHANCE:
                    self._play(live.draw())
                else:
                    with Thinking(self.screen, live.agents[seat], self.game.seat_name(seat)):
                        move, analysis = live.decide()
                    self._play(move, analysis)
        except Quit:
            self._leave()
            self._say(f"The game is kept; 'sfida play {self.game.name}' offers it again." if self.terminal else
                      f"The game is kept; it goes on with: sfida play {self.autosave.path}")
            return DONE
        except InputEnded:
            self._leave()
            raise click.ClickException(
                f"standard input ended at move {len(live.steps) + 1}, before the game was over; it is kept and goes "
                f"on with: sfida play {self.autosave.path}") from None
        except KeyboardInterrupt:
            self._leave()
            raise Interrupted(f"interrupted at move {len(live.steps) + 1}; the game is kept and goes on with: "
                              f"sfida play {self.autosave.path}") from None
        except BaseException:
            self._leave()
            raise
        return self._close()

    def _play(self, move: int, analysis: object = None) -> Step:
        step = self.live.play(move, analysis)
        if self.json is not None:
            self.json.emit(step.to_json())
        if not self.quiet:
            self._announce()
        return step

    # ---- keeping ------------------------------------------------------------------------------

    def _save(self) -> None:
        try:
            self.autosave.write(self.live)
        except InvalidRecord as error:
            if not self._save_warned:
                self._save_warned = True
                self.screen.complain(f"{error}; this game is not kept as it goes on")

    def _leave(self) -> None:
        """Keep an unfinished game."""
        self._save()
        if self.record is not None:
            append_record(self.record, self.live.record())
