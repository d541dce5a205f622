"""A game at the terminal or fed from standard input, from its current position to its end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfida.ai.forced import Forced
from sfida.ai.keeping.saves import Autosave
from sfida.ai.story import CHANCE, Story
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.commands import Commands, Quit, Resigned
from sfida.cli.errors import DONE, Failure, Interrupted, OutputClosed
from sfida.cli.keeper import Keeper
from sfida.cli.levels import keep_result
from sfida.cli.lines import InputEnded, Lines
from sfida.cli.output import Output
from sfida.cli.prompt import Prompt
from sfida.cli.reasons import expectations
from sfida.cli.start import Terminated
from sfida.cli.teller import Teller
from sfida.cli.text import Text
from sfida.cli.thinking import MOVE_NOW, Thinking
from sfida.cython_ext.errors import InvalidRecord, SfidaError, game_fault
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.records import GameResult
from sfida.engines.wording import counted


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
    tutorial : bool
        Explain the game, and each kind of decision when a person comes to it first.
    remembers : bool
        Keep the game in the state folder when it is over, and its result in the person's record against levels.

    Raises
    ------
    InvalidOption
        If a tutorial is wanted and none comes with the game.
    """

    def __init__(self, table: Table, story: Story, output: Output, lines: Lines, autosave: Autosave,
                 record: Path | None = None, *, ask_forced: bool = False, tutorial: bool = False,
                 remembers: bool = True) -> None:
        self.table = table
        self.game: Game = table.game
        self.lines = lines
        self.record = record
        self.teller: Teller = Teller(table, story, output, lines, tutorial=tutorial)
        self.screen: Output = self.teller.screen
        self.keeper: Keeper = Keeper(table, self.screen, autosave, record, remembers=remembers)
        self.prompt: Prompt = Prompt(table, self.teller, lines, Commands(table, self.teller))
        table.asks_forced = ask_forced
        self._remembers = remembers
        self._decided = False                       # whether a person was the last to decide
        # Ctrl-C reaches the programs that play here, too, and ends them: then the game cannot go on.
        self._hurries = lines.terminal and not output.json and not any(seat.runs_program for seat in table.seats)
        self._thought: Thinking | None = None       # the last search

    def run(self) -> int:
        """Play to the end and return the exit code."""
        table = self.table
        try:
            with self._unheard():
                self.teller.begin()
            while not table.state.is_over:
                with self._unheard():
                    self._advance()
        except Resigned as resigned:
            return self._give_up(resigned.seat)
        except (Quit, InputEnded) as reason:
            self.keeper.leave()
            if isinstance(reason, Quit) or self.lines.terminal:
                if self.keeper.lost:
                    raise Failure(_("the game could not be kept")) from None
                self.screen.note(self.keeper.farewell())
                return DONE
            raise Failure(_("standard input ended before the game did, after {moves}; {kept}").format(
                moves=counted(len(table.events), "move", "moves"), kept=self.keeper.kept())) from None
        except KeyboardInterrupt:
            if self.lines.terminal:
                self.screen.line()                          # after the ^C that the terminal shows
            self.keeper.leave()
            after = counted(len(table.events), "move", "moves")
            raise Interrupted(_("interrupted after {moves}; {kept}").format(
                moves=after, kept=self.keeper.kept())) from None
        except OutputClosed:
            if table.people:
                self.keeper.leave()
            raise
        except BaseException as error:
            self.keeper.leave()
            known = error if isinstance(error, SfidaError) else game_fault(error)
            if known is not None:       # an agent cannot go on or has chosen what is not legal, or the game has failed
                raise Failure(f"{known}; {self._stops()}") from error
            self.screen.note(self._stops())
            raise
        return self._finish()

    def _stops(self) -> str:
        """Return how far a game came that cannot go on, and where it is kept."""
        return _("the game stops after {moves}; {kept}").format(
            moves=counted(len(self.table.events), "move", "moves"), kept=self.keeper.kept())

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Continue silently when the reader is gone but a record is wanted."""
        try:
            yield
        except OutputClosed:
            if self.table.people or self.record is None:
                raise
            self.teller.fall_silent()

    def _advance(self) -> None:
        """Let the seat to move play; a person may also give commands."""
        table = self.table
        seat = int(table.state.to_move)
        if table.is_person(seat):
            self.keeper.keep()
            self._decided = True
            only = table.only_move()
            if only is None:
                self.prompt.ask(seat)
            else:
                self._answer(seat, only)
            return
        if self._decided:                       # the person sees the events that follow
            self.keeper.keep()
            self._decided = False
        self._play(table.next_move() if seat == CHANCE else self._think(seat))

    def _think(self, seat: int) -> int:
        """Return the move of an agent, at a terminal early on Ctrl-C."""
        if self.table.seats[seat].can_be_hurried:       # others answer at once
            self.teller.await_turn()
        keep = MOVE_NOW if self._hurries else ""
        with Thinking(self.screen, self.table.seats[seat], self.game.seat_name(seat), keep, self._thought,
                      secret=self.table.state.hidden and bool(self.table.people)) as thinking:
            self._thought = thinking
            return self.table.next_move()

    def _answer(self, seat: int, only: Forced) -> None:
        """Play the only move of a person; where it must not be noticed, after the screen has changed hands."""
        if self.lines.terminal and only.secret:
            self.teller.pass_on(seat)
            if len(self.table.people) > 1 or any(one.runs_program for one in self.table.seats):
                only.wait()                         # somebody could time it
        self._play(only.move)

    def _play(self, move: int) -> None:
        self.table.play(move)
        self.teller.played()

    def _finish(self) -> int:
        table, state = self.table, self.table.state
        result = GameResult.of(state)
        assert result is not None
        kept = self._keep_finished(result.utilities[table.people[0]] if table.people else 0.0)
        with self._unheard():
            if self.teller.events is not None:
                reason = self.game.end_reason(state)
                self.teller.events.emit({"type": "result", "game": self.game.spec(), "seats": list(table.specs),
                                         **result.to_json(), "plies": len(table.events), "seed": table.seed,
                                         **({} if reason is None else {"reason": reason})})
            if self.teller.talks:
                self.teller.announce()
                show.rule(self.screen, Text().append(_("the end"), "bold"))
                show.ending(self.screen, state, list(table.specs), result)
                if state.hidden:                # without secrets it was told move by move
                    for line in expectations(self.game, self.teller.story.steps):
                        self.screen.line(line)
        self._tell_kept(kept)
        return DONE

    def _give_up(self, seat: int) -> int:
        """End the game for a seat that resigns: the rules have no result for it."""
        table = self.table
        table.resign(seat)
        kept = self._keep_finished(0.0)
        with self._unheard():
            if self.teller.events is not None:
                self.teller.events.emit({"type": "resign", "seat": seat, "game": self.game.spec(),
                                         "seats": list(table.specs), "plies": len(table.events), "seed": table.seed})
            if self.teller.talks:
                show.rule(self.screen, Text().append(_("the end"), "bold"))
                self.screen.line(show.resigned(self.game, seat, table.state.players))
        self._tell_kept(kept)
        return DONE

    def _keep_finished(self, share: float) -> Path | Failure | None:
        """Keep the game that is over, whoever reads on, and return where, or what went wrong.

        `share` is the person's share of the win.
        """
        unwritten = self.keeper.write_down()
        if self._remembers and self.table.people:
            keep_result(self.table, share, self.screen)
        if not (self.table.people or unwritten):
            self.keeper.autosave.discard()
            return None
        try:
            return self.keeper.keep_finished(unwritten)
        except Failure as failure:
            return failure

    def _tell_kept(self, kept: Path | Failure | None) -> None:
        """Say where the game that is over is kept; raises the failure if that went wrong."""
        if isinstance(kept, Failure):
            raise kept
        if self.lines.terminal and self.table.people:
            self._look_back(kept)
            if kept is not None:
                self.screen.note(_("To look at it again: {command}").format(
                    command=f"sfida replay {shlex.quote(str(kept))}"))

    def _look_back(self, path: Path | None) -> None:
        """Tell people of their luck and their worst turns, and how to learn the rest; Ctrl-C leaves it out."""
        from sfida.ai.review.glance import glance
        from sfida.cli.review_text import at_a_glance

        people = self.table.people
        try:
            found = glance(self.table.record(), people, self.game)
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
