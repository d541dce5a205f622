"""A game at the terminal or fed from standard input: prompts, commands and messages."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sfida.ai.lines import follow
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.seeds import advice_seed
from sfida.ai.table import MoveEvent, Table
from sfida.ai.why import compare
from sfida.cli import show, show_analysis
from sfida.cli.choices import Choices
from sfida.cli.errors import DONE, Failure, Interrupted, OutputClosed
from sfida.cli.forced import Forced, forced
from sfida.cli.lines import InputEnded, Lines
from sfida.cli.output import Output, counted
from sfida.cli.reasons import expectations, last_choice
from sfida.cli.saves import Autosave
from sfida.cli.screenful import Screenful
from sfida.cli.start import Terminated
from sfida.cli.story import CHANCE, Step, Story
from sfida.cli.text import Text
from sfida.cli.thinking import Thinking
from sfida.cython_ext.errors import IllegalMove, InvalidNotation, InvalidRecord, SfidaError
from sfida.cython_ext.state import View
from sfida.engines.clauses import Rules, rules_of
from sfida.engines.files import expanded
from sfida.engines.record_files import append_record, write_records
from sfida.engines.records import GameResult
from sfida.engines.spec import quoted, shown

RECALLED = 6        # moves that are shown again when a game continues
HINT_AGENT = "ismcts:seconds=1"

HELP = """\
Type a move by its number in the list or on the board, by name, or in notation.
hint  ask the computer     why MOVE  what speaks against it   why  its last move
undo  back to your last decision    redo  play it again    rule 5.3  rules  them
board  draw it again       moves  list them all   log  what was played
tiles  what is left        cards  codes, effects, prices   status  how it stands
quit  leave; it is kept    resign  give up        save FILE  keep it   ?  help
The only legal move plays itself."""


class Quit(Exception):
    """The person leaves the game."""


class Resigned(Exception):
    """A person gives the game up."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class Session:
    """Runs one game from its current position.

    Parameters
    ----------
    table : Table
    story : Story
        Watches the table.
    output : Output
        Output for people; if its `json` is set, events go to standard output and text for people to standard error.
    lines : Lines
        Source of what people type.
    autosave : Autosave
    record : Path, optional
        File to which the game is appended when it ends or is left.
    ask_forced : bool
        Ask people also where they have one legal move.
    """

    def __init__(self, table: Table, story: Story, output: Output, lines: Lines, autosave: Autosave,
                 record: Path | None = None, *, ask_forced: bool = False) -> None:
        self.table = table
        self.story = story
        self.game = table.game
        self.events = output if output.json else None
        self.screen = output.to_stderr() if output.json else output
        self.lines = lines
        self.autosave = autosave
        self.record = record
        self.talks = lines.terminal or not output.json      # whether moves are shown in words
        self._announced = max(0, len(table.events) - RECALLED)
        self._watcher = CHANCE                  # the seat that last looked at the screen, if hands are secret
        self._save_failed = False
        self._ask_forced = ask_forced
        self._forced: dict[int, str] = {}       # what the program played in a person's place, by ply
        self._resigning = False                 # whether the last line was "resign"
        self._redraw = True                     # the next decision begins with the board, in mid-turn too
        self._told = 0                          # lines told since the last decision was shown
        self._undone: list[list[MoveEvent]] = []        # what was taken back and not replaced since
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._help, "help": self._help, "moves": self._moves, "board": self._board,
            "tiles": self._stock, "cards": self._cards, "status": self._status,
            "log": self._log, "hint": self._hint, "why": self._why, "undo": self._undo, "redo": self._redo,
            "rule": self._rule, "rules": self._contents, "save": self._write,
            "resign": self._resign, "quit": self._quit, "exit": self._quit,
        }

    # ---- the game -----------------------------------------------------------------------------

    def run(self) -> int:
        """Play to the end and return the exit code."""
        table = self.table
        try:
            with self._unheard():
                self._begin()
            while not table.state.is_over:
                with self._unheard():
                    self._advance()
        except Resigned as resigned:
            return self._give_up(resigned.seat)
        except (Quit, InputEnded) as reason:
            self._leave()
            if isinstance(reason, Quit) or self.lines.terminal:
                if self._save_failed and self.record is None:
                    raise Failure("the game could not be kept") from None
                self.screen.note(self._farewell())
                return DONE
            raise Failure(f"standard input ended before the game did, after {counted(len(table.events), 'move')}; "
                          f"{self._kept()}") from None
        except KeyboardInterrupt:
            if self.lines.terminal:
                self.screen.line()                          # after the ^C that the terminal shows
            self._leave()
            after = counted(len(table.events), "move")
            raise Interrupted(f"interrupted after {after}; {self._kept()}") from None
        except OutputClosed:
            if table.people:
                self._leave()
            raise
        except BaseException:
            self._leave()
            raise
        return self._finish()

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Continue silently when the reader is gone but a record is wanted."""
        try:
            yield
        except OutputClosed:
            if self.table.people or self.record is None:
                raise
            self.events, self.talks = None, False

    def _begin(self) -> None:
        """Print the heading, and the earlier events of a game that continues."""
        if self.talks:
            show.heading(self.screen, self.game, self.table.specs, self.table.seed)
        if self.events is not None:
            for step in self.story.steps:
                self.events.emit(step.to_json())

    def _advance(self) -> None:
        """Let the seat to move play; a person may also give commands."""
        table = self.table
        seat = int(table.state.to_move)
        if table.is_person(seat):
            self._keep()
            only = self._only_move()
            if only is None:
                self._ask(seat)
            else:
                self._answer(seat, only)
        elif seat == CHANCE:
            self._play(table.next_move())
        else:
            with Thinking(self.screen, table.seats[seat], self.game.seat_name(seat)):
                move = table.next_move()
            self._play(move)

    def _only_move(self) -> Forced | None:
        """Return the move that a person is not asked for; None: ask."""
        person = self.table.is_person(int(self.table.state.to_move))
        return forced(self.table.state) if person and not self._ask_forced else None

    def _answer(self, seat: int, only: Forced) -> None:
        """Play the only move of a person; where it must not be noticed, after the screen has changed hands."""
        if self.lines.terminal and only.secret:
            self._pass_on(seat)
            only.wait()
        self._forced[len(self.table.events)] = self.table.state.format(only.move)
        self._play(only.move)

    def _play(self, move: int) -> None:
        self.table.play(move)
        if self.events is not None:
            self.events.emit(self.story.steps[-1].to_json())
        if self.talks:
            self._announce()

    def _finish(self) -> int:
        table, state = self.table, self.table.state
        result = GameResult.of(state)
        assert result is not None
        unwritten = self._write_down()
        with self._unheard():
            if self.events is not None:
                reason = self.game.end_reason(state)
                self.events.emit({"type": "result", "game": self.game.spec(), "seats": list(table.specs),
                                  **result.to_json(), "plies": len(table.events), "seed": table.seed,
                                  **({} if reason is None else {"reason": reason})})
            if self.talks:
                self._announce()
                show.rule(self.screen, Text().append("the end", "bold"))
                show.ending(self.screen, state, list(table.specs), result)
                if state.hidden:                # without secrets it was told move by move
                    for line in expectations(self.game, self.story.steps):
                        self.screen.line(line)
        if table.people or unwritten:
            self._keep_finished(unwritten)
        return DONE

    def _give_up(self, seat: int) -> int:
        """End the game for a seat that resigns: the rules have no result for it."""
        table = self.table
        table.resign(seat)
        unwritten = self._write_down()
        with self._unheard():
            if self.events is not None:
                self.events.emit({"type": "resign", "seat": seat, "game": self.game.spec(), "seats": list(table.specs),
                                  "plies": len(table.events), "seed": table.seed})
            if self.talks:
                show.rule(self.screen, Text().append("the end", "bold"))
                self.screen.line(show.resigned(self.game, seat, table.state.players))
        self._keep_finished(unwritten)
        return DONE

    def _keep_finished(self, unwritten: str) -> None:
        """Keep the game that is over where the next one finds it; `unwritten` is the error of its record."""
        try:
            path = self.autosave.finish(self.table)
        except (InvalidRecord, OSError) as error:
            raise Failure(f"{unwritten or error}; the finished game could not be kept") from None
        if unwritten:
            raise Failure(f"{unwritten}; the finished game is kept in {path}")
        if self.lines.terminal:
            self.screen.note(f"To look at it again: sfida replay {shlex.quote(str(path))}")

    # ---- keeping ------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Save the game; report a failure once."""
        try:
            self.autosave.write(self.table)
            self._save_failed = False
        except InvalidRecord as error:
            if not self._save_failed:
                self.screen.complain(f"{error}; for now the game is not kept")
            self._save_failed = True

    def _leave(self) -> None:
        """Keep an unfinished game."""
        self._keep()
        unwritten = self._write_down()
        if unwritten:
            self.screen.complain(unwritten)

    def _write_down(self) -> str:
        """Append the game to the requested record; return the error, "" if there is none."""
        if self.record is not None:
            try:
                append_record(self.record, self.table.record())
            except InvalidRecord as error:
                return str(error)
        return ""

    def _farewell(self) -> str:
        """Return where a game that was left is kept."""
        if self._save_failed:
            return f"The game is kept in {self.record}."
        resume = f"'sfida play {shlex.quote(str(self.autosave.path))}' continues it."
        if not self.table.can_undo:
            return f"The game is kept, although nothing was decided yet: {resume}"
        return f"The game is kept: 'sfida play {self.game.name}' offers it again, and {resume}"

    def _kept(self) -> str:
        if self._save_failed:
            return "it could not be kept" if self.record is None else f"it is kept in {self.record}"
        return f"it is kept, and goes on with: sfida play {shlex.quote(str(self.autosave.path))}"

    # ---- messages -----------------------------------------------------------------------------

    def _announce(self) -> None:
        """Print the steps that were not shown yet."""
        steps = self.story.steps[self._announced:]
        self._announced = len(self.story.steps)
        for step in steps:
            self._tell(step)

    def _tell(self, step: Step, whole: bool = False) -> None:
        """Tell a step and what came of it, steps of the setup only in the whole log."""
        viewers = self.table.people if self._watcher == CHANCE else (self._watcher,)
        if step.told(viewers).quiet and not whole:
            return
        line = show.numbered(self.game, step, viewers)
        if not self.table.state.hidden:          # even rounded it would give secrets away: it is told at the end
            expects = show.expectation(step)
            line.append(f"  {expects}" if expects else "", "dim italic")
        if step.ply in self._forced and (not step.before.hidden or self._watcher == step.seat
                                         or tuple(viewers) == (step.seat,)):
            line.append("  the only move", "dim italic")
        lines = [line, *show.effects(self.game, step, viewers)]
        for told in lines:
            self.screen.line(told)
        self._told += len(lines)

    # ---- a person's decision ------------------------------------------------------------------

    def _ask(self, seat: int) -> None:
        """Ask until something is played or taken back, or the person leaves."""
        if self.lines.terminal:
            self._present(seat)
        before = len(self.table.events)
        while len(self.table.events) == before:
            try:
                line = self.lines.read(self._prompt(seat))
                word, _, rest = line.strip().partition(" ")
                sure, self._resigning = self._resigning, False
                command = self._commands.get(word.lower())
                if sure and command == self._resign:
                    raise Resigned(seat)
                if command is not None:
                    command(rest.strip())
                elif (answer := self.game.answer(self.table.state, line)) is not None:
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
        if len(inside := choices.group(line)) > 1:
            show.choice_list(self.screen, choices, inside)
            return
        try:
            moves = choices.find(line)
        except SfidaError:
            if self._played_already(line):
                self.screen.note(f"{quoted(line.strip())} was the only move, and is played already.")
                return
            raise
        ahead = table.state.clone()
        for number, move in enumerate(moves):
            if number and not table.is_person(int(ahead.to_move)):
                raise IllegalMove(f"{self.game.seat_name(int(ahead.to_move))} decides after the first "
                                  f"{number} of the {len(moves)} moves in {quoted(line.strip())}")
            ahead.apply(move)
        self._undone.clear()
        for move in moves:
            self._play(move)

    def _played_already(self, line: str) -> bool:
        """Say whether a line repeats one of the moves that the program has just played for this person."""
        for step in reversed(self.story.steps):
            if step.seat == int(self.table.state.to_move) and step.ply not in self._forced:
                return False
            if step.seat == int(self.table.state.to_move) and step.text.lower() == line.strip().lower():
                return True
        return False

    def _prompt(self, seat: int) -> str:
        if seat == CHANCE:
            return "what was drawn? "
        name = self.game.seat_name(seat)
        return f"{name}> "

    def _present(self, seat: int) -> None:
        """Show what a person needs to decide."""
        state, steps = self.table.state, self.story.steps
        self._pass_on(seat)
        self._announce()
        if seat == CHANCE:
            return
        screenful = Screenful(self.screen, state, seat, Choices(state), self._told)
        last = next((step for step in reversed(steps) if step.ply not in self._forced or step.seat != seat), None)
        # A turn begins, or began with moves that nobody typed, or the board was asked for again.
        if self._redraw or last is None or last.seat != seat:
            screenful.show()
        else:
            screenful.ask()
        self._redraw, self._told = False, 0

    def _pass_on(self, seat: int) -> None:
        """Clear the screen when people with secrets share it and the next one takes over."""
        if seat >= 0 and self.table.state.hidden and len(self.table.people) > 1 and seat != self._watcher:
            self.screen.clear()
            with suppress(InvalidNotation):         # any line will do
                self.lines.read(f"{self.game.seat_name(seat)} is next: press Enter when nobody else looks ")
            self._watcher = seat
            self._announced = max(0, len(self.table.events) - RECALLED)

    # ---- commands -----------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        _alone("help", rest)
        self.screen.raw(HELP)
        self.screen.raw(self.game.help_text(color=self.screen.color, width=self.screen.width))

    def _moves(self, rest: str) -> None:
        _alone("moves", rest)
        show.choice_list(self.screen, Choices(self.table.state))

    def _board(self, rest: str) -> None:
        _alone("board", rest)
        seat = int(self.table.state.to_move)
        viewer = None if seat == CHANCE else seat
        show.board(self.screen, self.table.state, viewer, labels=viewer is not None)
        show.status(self.screen, self.table.state, viewer)

    def _status(self, rest: str) -> None:
        _alone("status", rest)
        seat = int(self.table.state.to_move)
        show.status(self.screen, self.table.state, None if seat == CHANCE else seat)

    def _stock(self, rest: str) -> None:
        _alone("tiles", rest)
        seat = int(self.table.state.to_move)
        text = self.game.stock_text(self.table.state, seat=None if seat == CHANCE else seat, color=self.screen.color,
                                    width=self.screen.width)
        self.screen.raw(text or "There is nothing to draw from whose contents may be seen.")

    def _cards(self, rest: str) -> None:
        _alone("cards", rest)
        text = self.game.cards_text(self.table.state, color=self.screen.color, width=self.screen.width)
        self.screen.raw(text or "There are no cards to explain.")

    def _log(self, rest: str) -> None:
        _alone("log", rest)
        for step in self.story.steps:
            self._tell(step, whole=True)

    def _hint(self, rest: str) -> None:
        _alone("hint", rest)
        state = self.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove("luck needs no hint: type in what was drawn")
        adviser = self._adviser()
        analysis = self._ask_adviser(adviser, adviser.analyze)
        if analysis is not None:
            show_analysis.analysis_table(self.screen, state, analysis, top=5)
            view = state.view(int(state.to_move))
            show_analysis.hint(self.screen, state, analysis, follow(view, analysis.best.pv, adviser.agent.seed))

    def _why(self, rest: str) -> None:
        state = self.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove("luck has no reasons: type in what was drawn")
        choices = Choices(state)
        if not rest:
            self._why_last(choices)
            return
        move, adviser = choices.find_one(rest), self._adviser()
        found = self._ask_adviser(adviser, lambda view: compare(adviser.agent, view, move))
        if found is not None:
            show_analysis.comparison(self.screen, state, found)

    def _why_last(self, choices: Choices) -> None:
        """Explain the last decision of an agent, as far as its secrets stay secret."""
        seat = int(self.table.state.to_move)
        seed = advice_seed(self.table.seed, seat, len(self.story.steps))
        found = last_choice(self.story.steps, self.table.people, seat, seed)
        if found is None:
            raise InvalidNotation(f"name the move to ask about, such as: why {choices.list[0].label}")
        step, before = found
        self.screen.line(show.numbered(self.game, step, (seat,)))
        if before.hidden:
            self.screen.note("Explained with a hand and cards that fit what you have seen, not with the true ones.")
        adviser = Seat(make_agent(HINT_AGENT, seed))
        reasons = self._ask_adviser(adviser, lambda _: compare(adviser.agent, before.view(step.seat), step.event.code))
        if reasons is not None:
            show_analysis.comparison(self.screen, before, reasons)

    def _adviser(self) -> Seat:
        """Return the agent that gives advice on the current decision."""
        seat = int(self.table.state.to_move)
        return Seat(make_agent(HINT_AGENT, advice_seed(self.table.seed, seat, len(self.table.events))))

    def _ask_adviser(self, adviser: Seat, question: Callable[[View], Any]) -> Any:
        """Return the answer, early on Ctrl-C; None if there is none."""
        state = self.table.state
        try:
            with Thinking(self.screen, adviser, "the adviser", keep=True):
                return question(state.view(int(state.to_move)))
        except Terminated:
            raise
        except KeyboardInterrupt:
            self.screen.note("no advice")
            return None

    def _undo(self, rest: str) -> None:
        _alone("undo", rest)
        gone = self.table.undo()
        while self._only_move() is not None and self.table.can_undo:
            gone = [*self.table.undo(), *gone]      # what plays itself would do so again
        self._forced = {ply: text for ply, text in self._forced.items() if ply < len(self.table.events)}
        self._redraw = True
        self._undone.append(gone)
        self.story.forget(len(self.table.events))
        self._announced = min(self._announced, len(self.story.steps))
        if self.events is not None:
            self.events.emit({"type": "undo", "ply": len(self.table.events)})
        self.screen.note(f"{counted(len(gone), 'move')} taken back.")

    def _redo(self, rest: str) -> None:
        _alone("redo", rest)
        if not self._undone:
            raise IllegalMove("nothing was taken back that could be played again")
        gone, first = self._undone.pop(), len(self.story.steps)
        self.table.redo(gone)
        self._redraw = True
        if self.events is not None:
            for step in self.story.steps[first:]:
                self.events.emit(step.to_json())

    def _rule(self, rest: str) -> None:
        if not rest:
            raise InvalidNotation("name a rule, such as: rule 5.3; 'rules' lists the chapters")
        for line in self._rules().find(rest):
            self.screen.line(line)

    def _contents(self, rest: str) -> None:
        _alone("rules", rest)
        for line in self._rules().contents():
            self.screen.line(line)

    def _rules(self) -> Rules:
        found = rules_of(self.game.name)
        if found is None:
            raise InvalidNotation(f"no rules come with {self.game.title}")
        return found

    def _write(self, rest: str) -> None:
        try:
            path = expanded(rest or f"{self.game.name}.jsonl")
            if path.exists():
                append_record(path, self.table.record())
            else:
                write_records(path, [self.table.record()])
        except OSError as error:
            raise InvalidRecord(f"{shown(rest)}: cannot be written: {error.strerror}") from None
        self.screen.note(f"Saved as {path}; 'sfida play {shlex.quote(str(path))}' continues it.")

    def _resign(self, rest: str) -> None:
        _alone("resign", rest)
        if int(self.table.state.to_move) == CHANCE:
            raise IllegalMove("luck decides now: type in what was drawn, then resign")
        self._resigning = True
        self.screen.note("Type 'resign' once more to give the game up; anything else goes on.")

    def _quit(self, _rest: str) -> None:
        raise Quit


def _alone(word: str, rest: str) -> None:
    """Refuse arguments of a command that takes none; raises InvalidNotation."""
    if rest:
        raise InvalidNotation(f"'{word}' stands alone; {quoted(rest)} behind it has no meaning")
