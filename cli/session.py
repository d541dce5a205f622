"""A game at the terminal or fed from standard input, from its current position to its end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfida.ai.archive import Autosave, keep_game
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import STAND_IN, Seat
from sfida.ai.session import Session
from sfida.ai.table import Forced, Table
from sfida.cli import show
from sfida.cli.commands import Commands, Quit, Resigned
from sfida.cli.errors import DONE, Failure, Interrupted, OutputClosed
from sfida.cli.games import keep_result
from sfida.cli.lines import InputEnded, Lines
from sfida.cli.narrator import Narrator
from sfida.cli.output import Output, Text
from sfida.cli.progress import MOVE_NOW, Thinking
from sfida.cli.start import Terminated
from sfida.cython_ext.errors import InvalidRecord, SfidaError, game_fault
from sfida.cython_ext.state import CHANCE
from sfida.engines.game import Game
from sfida.engines.language import _, counted
from sfida.engines.moves import Choices
from sfida.engines.on_demand import OnDemand
from sfida.engines.records import GameResult, append_record
from sfida.engines.spec import quoted

if TYPE_CHECKING:
    from sfida.cli import show_analysis
else:
    show_analysis = OnDemand("sfida.cli.show_analysis")

# ---- Keeping the game of a session: saved while it continues, recorded when it ends or is left


class GameSaver:
    """Writes the save and the record of a game.

    Parameters
    ----------
    table : Table
    screen : Output
        Where errors are reported.
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
        """Keep the finished game and return its path; None if it is not to be kept.

        `unwritten` is the error from writing its record; it is raised once the game is kept.
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
        """Append the game to the requested record; return the error message, "" if there is none."""
        if self.record is not None:
            try:
                append_record(self.record, self.table.record())
            except InvalidRecord as error:
                return str(error)
        return ""

    def farewell(self) -> str:
        """Return the message that says where a game that was left is kept."""
        if self._failed:
            return _("The game is kept in {path}.").format(path=self.record)
        resume = f"sfida play {shlex.quote(str(self.autosave.path))}"
        if not self.table.can_undo:
            return _("The game is kept, although nothing was decided yet: '{resume}' continues it.").format(
                resume=resume)
        return _("The game is kept: 'sfida play {game}' offers it again, and '{resume}' continues it.").format(
            game=self.table.game.name, resume=resume)

    def kept(self) -> str:
        """Return the message that says where an interrupted game is kept."""
        if self._failed:
            return (_("it could not be kept") if self.record is None else
                    _("it is kept in {path}").format(path=self.record))
        return _("it is kept, and continues with: {command}").format(
            command=f"sfida play {shlex.quote(str(self.autosave.path))}")


# ---- The prompt of a person: a line is a command, a question that the game answers, or moves to play


class Prompt:
    """Asks people for their moves.

    Parameters
    ----------
    narrator : Narrator
        Shows the session.
    lines : Lines
    commands : Commands
    """

    def __init__(self, narrator: Narrator, lines: Lines, commands: Commands) -> None:
        self.session: Session = narrator.session
        self.table: Table = self.session.table
        self.game: Game = self.session.game
        self.screen: Output = narrator.screen
        self._narrator = narrator
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
            self._narrator.present(seat)
        before, clocks = len(self.table.events), self.table.clocks
        if clocks is not None:
            clocks.run(seat, seat)
        while len(self.table.events) == before:
            try:
                line = self._lines.read(self._text(seat))
                if clocks is not None and clocks.is_out(seat):
                    self._hand_over(seat)
                    return
                if self._commands.run(line, seat):
                    continue
                if (answer := self.game.answer(self.table.state, line)) is not None:
                    self.screen.raw(answer)
                elif line.strip():
                    self._typed(line)
            except SfidaError as error:
                self.screen.complain(str(error))
        if clocks is not None and len(self.table.events) < before:
            clocks.forgo()

    def _hand_over(self, seat: int) -> None:
        """Let the computer play on for a person whose time is up."""
        self.screen.note(_("The time of {seat} is up: {agent} plays on.").format(
            seat=self.game.seat_name(seat), agent=STAND_IN))
        self.table.reseat(seat, Seat(make_agent(STAND_IN)))

    def _typed(self, line: str) -> None:
        """Play the moves of a line, or list the moves of a group if the line is its name.

        Raises IllegalMove if the person may not decide all of the moves.
        """
        table = self.table
        choices = Choices(table.state)
        if self._lines.terminal and (inside := choices.group(line)):
            show.choice_list(self.screen, choices, inside)
            return
        try:
            moves = self.session.typed(line)
        except SfidaError:
            if self._played_already(line):
                self.screen.note(_("{text} was the only move, and is played already.").format(
                    text=quoted(line.strip())))
                return
            raise
        for move in moves:
            table.play(move)
            self._narrator.played()

    def _played_already(self, line: str) -> bool:
        """Return whether a line repeats one of the moves that the program has just played for this person."""
        for step in reversed(self.session.steps):
            if step.seat == int(self.table.state.to_move) and not self.session.was_forced(step):
                return False
            if step.seat == int(self.table.state.to_move) and step.text.lower() == line.strip().lower():
                return True
        return False

    def _text(self, seat: int) -> str:
        if seat == CHANCE:
            return _("what was drawn?") + " "
        left = None if self.table.clocks is None else self.table.clocks.left(seat)
        time = "" if left is None else f" {int(left) // 60}:{int(left) % 60:02}"
        return f"{self.game.seat_name(seat)}{time}> "


# ---- A game at the terminal or fed from standard input, from its current position to its end


class TerminalSession:
    """Runs one game from its current position.

    Parameters
    ----------
    session : Session
    output : Output
        Output for people; if its `json` is set, events go to standard output and text for people to standard error.
    lines : Lines
        Source of what people type.
    autosave : Autosave
    record : Path, optional
        File to which the game is appended when it ends or is left.
    ask_forced : bool
        Also ask people who have only one legal move.
    tutorial : bool
        Explain the game, and each kind of decision when a person first meets it.
    remembers : bool
        Keep the game in the state folder when it is over, and its result in the person's record against levels.

    Raises
    ------
    InvalidOption
        If a tutorial is wanted and none comes with the game.
    """

    def __init__(self, session: Session, output: Output, lines: Lines, autosave: Autosave,
                 record: Path | None = None, *, ask_forced: bool = False, tutorial: bool = False,
                 remembers: bool = True) -> None:
        self.session = session
        self.table: Table = session.table
        self.game: Game = session.game
        self.lines = lines
        self.record = record
        self.narrator: Narrator = Narrator(session, output, lines, tutorial=tutorial)
        self.screen: Output = self.narrator.screen
        self.saver: GameSaver = GameSaver(self.table, self.screen, autosave, record, remembers=remembers)
        self.prompt: Prompt = Prompt(self.narrator, lines, Commands(self.narrator))
        self.table.asks_forced = ask_forced
        self._remembers = remembers
        self._decided = False                       # whether a person was the last to decide
        # Ctrl-C also reaches the programs that play here and ends them; then the game cannot continue.
        self._hurries = lines.terminal and not output.json and not any(seat.runs_program for seat in self.table.seats)
        self._thought: Thinking | None = None       # the last search

    def run(self) -> int:
        """Play to the end and return the exit code."""
        table = self.table
        try:
            with self._unheard():
                self.narrator.begin()
            while not table.state.is_over:
                with self._unheard():
                    self._advance()
        except Resigned as resigned:
            return self._give_up(resigned.seat)
        except (Quit, InputEnded) as reason:
            self.saver.leave()
            if isinstance(reason, Quit) or self.lines.terminal:
                if self.saver.lost:
                    raise Failure(_("the game could not be kept")) from None
                self.screen.note(self.saver.farewell())
                return DONE
            raise Failure(_("standard input ended before the game did, after {moves}; {kept}").format(
                moves=counted(len(table.events), "move", "moves"), kept=self.saver.kept())) from None
        except KeyboardInterrupt:
            if self.lines.terminal:
                self.screen.line()                          # after the ^C that the terminal shows
            self.saver.leave()
            after = counted(len(table.events), "move", "moves")
            raise Interrupted(_("interrupted after {moves}; {kept}").format(
                moves=after, kept=self.saver.kept())) from None
        except OutputClosed:
            if table.people:
                self.saver.leave()
            raise
        except BaseException as error:
            self.saver.leave()
            known = error if isinstance(error, SfidaError) else game_fault(error)
            if known is not None:       # an agent failed or chose an illegal move, or the game failed
                raise Failure(f"{known}; {self._stops()}") from error
            self.screen.note(self._stops())
            raise
        return self._finish()

    def _stops(self) -> str:
        """Return the message that says after how many moves the game stops, and where it is kept."""
        return _("the game stops after {moves}; {kept}").format(
            moves=counted(len(self.table.events), "move", "moves"), kept=self.saver.kept())

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Continue silently when the reader is gone but a record is wanted."""
        try:
            yield
        except OutputClosed:
            if self.table.people or self.record is None:
                raise
            self.narrator.fall_silent()

    def _advance(self) -> None:
        """Let the seat to move play; a person may also give commands."""
        table = self.table
        seat = int(table.state.to_move)
        if table.is_person(seat):
            self.saver.keep()
            self._decided = True
            only = table.only_move()
            if only is None:
                self.prompt.ask(seat)
            else:
                self._answer(seat, only)
            return
        if table.clocks is not None:
            table.clocks.run(None, seat)
        if self._decided:                       # the person sees the events that follow
            self.saver.keep()
            self._decided = False
        self._play(table.next_move() if seat == CHANCE else self._think(seat))

    def _think(self, seat: int) -> int:
        """Return the move of an agent; at a terminal Ctrl-C makes it move early."""
        if self.table.seats[seat].can_be_hurried:       # others answer at once
            self.narrator.await_turn()
        keep = MOVE_NOW if self._hurries else ""
        with Thinking(self.screen, self.table.seats[seat], self.game.seat_name(seat), keep, self._thought,
                      secret=self.table.state.hidden and bool(self.table.people)) as thinking:
            self._thought = thinking
            return self.table.next_move()

    def _answer(self, seat: int, only: Forced) -> None:
        """Play the only move of a person; a secret one is played after the screen has changed hands."""
        if self.lines.terminal and only.secret:
            self.narrator.pass_on(seat)
            if self.session.is_timed(seat):
                only.wait()
        self._play(only.move)

    def _play(self, move: int) -> None:
        self.table.play(move)
        self.narrator.played()

    def _finish(self) -> int:
        table, state = self.table, self.table.state
        result = GameResult.of(state)
        assert result is not None
        kept = self._keep_finished()
        with self._unheard():
            if self.narrator.events is not None:
                reason = self.game.end_reason(state)
                self.narrator.events.emit({"type": "result", "game": self.game.spec(), "seats": list(table.specs),
                                           **result.to_json(), "plies": len(table.events), "seed": table.seed,
                                           **({} if reason is None else {"reason": reason}), **self._unsealed()})
            if self.narrator.talks:
                self.narrator.announce()
                show.rule(self.screen, Text().append(_("the end"), "bold"))
                show.ending(self.screen, state, list(table.specs), result)
                if state.hidden:                # without secrets they were printed move by move
                    for line in show_analysis.expectations(self.game, self.session.steps):
                        self.screen.line(line)
                show.unsealed(self.screen, table)
        self._tell_kept(kept)
        return DONE

    def _unsealed(self) -> dict[str, object]:
        """Return the commitment to the luck as a field of the last event, if one was made."""
        commitment = self.table.commitment
        return {} if commitment is None else {"commitment": commitment.to_json()}

    def _give_up(self, seat: int) -> int:
        """End the game for a seat that resigns; the rules define no result for this."""
        table = self.table
        table.resign(seat)
        kept = self._keep_finished()
        with self._unheard():
            if self.narrator.events is not None:
                self.narrator.events.emit({"type": "resign", "seat": seat, "game": self.game.spec(),
                                           "seats": list(table.specs), "plies": len(table.events), "seed": table.seed,
                                           **self._unsealed()})
            if self.narrator.talks:
                show.rule(self.screen, Text().append(_("the end"), "bold"))
                self.screen.line(show.resigned(self.game, seat, table.state.players))
                show.unsealed(self.screen, table)
        self._tell_kept(kept)
        return DONE

    def _keep_finished(self) -> Path | Failure | None:
        """Keep the finished game, even if nobody reads the output; return its path or the failure."""
        unwritten = self.saver.write_down()
        if self._remembers and self.table.people:
            keep_result(self.table, self.session.share(self.table.people[0]), self.screen)
        if not (self.table.people or unwritten):
            self.saver.autosave.discard()
            return None
        try:
            return self.saver.keep_finished(unwritten)
        except Failure as failure:
            return failure

    def _tell_kept(self, kept: Path | Failure | None) -> None:
        """Print where the finished game is kept; raises the failure if keeping it failed."""
        if isinstance(kept, Failure):
            raise kept
        if self.lines.terminal and self.table.people:
            self._look_back(kept)
            if kept is not None:
                self.screen.note(_("To look at it again: {command}").format(
                    command=f"sfida replay {shlex.quote(str(kept))}"))

    def _look_back(self, path: Path | None) -> None:
        """Print the luck and the worst move of each person, and the command for the rest; Ctrl-C skips this."""
        from sfida.ai.review.reviewing import quick_review
        from sfida.cli.review import at_a_glance

        people = self.table.people
        try:
            found = quick_review(self.table.record(), people, self.game)
        except InvalidRecord:                   # the game ended without a result
            return
        except Terminated:
            raise
        except KeyboardInterrupt:
            return
        for seat in people:
            for line in at_a_glance(self.game, seat, found):
                self.screen.hanging(line, 2)
        of_whom = f" --seat {people[0]}" if len(people) == 1 else ""
        if path is not None:
            self.screen.note(_("All of it: {command}").format(
                command=f"sfida review {shlex.quote(str(path))}{of_whom}"))
