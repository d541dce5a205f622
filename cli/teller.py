"""What a session shows of its game: events to programs, moves in words and decisions to people."""

from __future__ import annotations

from contextlib import suppress

from sfida.ai.story import CHANCE, Step, Story
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.lines import Lines
from sfida.cli.output import Output
from sfida.cli.screenful import Screenful
from sfida.cli.tutorial import Tutorial
from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.choices import Choices
from sfida.engines.language import _

WAITING = 6         # lines below the first board for what others do before a person decides
RECALLED = 6        # moves that are shown again when a game continues


class Teller:
    """Tells what happens at a table.

    Parameters
    ----------
    table : Table
    story : Story
        Watches the table.
    output : Output
        Output for people; if its `json` is set, events go to standard output and text for people to standard error.
    lines : Lines
        Source of what people type.
    tutorial : bool
        Explain the game, and each kind of decision when a person comes to it first.

    Raises
    ------
    InvalidOption
        If a tutorial is wanted and none comes with the game.

    Attributes
    ----------
    events : Output or None
        Where events go as JSON.
    screen : Output
        Where texts for people go.
    talks : bool
        Whether moves are shown in words.
    redraw : bool
        The next decision begins with the board, in mid-turn too.
    """

    def __init__(self, table: Table, story: Story, output: Output, lines: Lines, *, tutorial: bool = False) -> None:
        self.table = table
        self.story = story
        self.events: Output | None = output if output.json else None
        self.screen: Output = output.to_stderr() if output.json else output
        self.talks: bool = lines.terminal or not output.json
        self.redraw: bool = True
        self._idle = True                       # no board was shown yet
        self._lines = lines
        self._tutorial = Tutorial(table.game, self.screen, lines) if tutorial else None
        self._announced = max(0, len(table.events) - RECALLED)
        self._watcher = CHANCE                  # the seat that last looked at the screen, if hands are secret
        self._told = 0                          # lines told since the last decision was shown

    # ---- events -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Print the heading, and the earlier events of a game that continues."""
        if self.talks:
            show.heading(self.screen, self.table.game, self.table.specs, self.table.seed)
            if self._tutorial is not None:
                self._tutorial.introduce()
        self.emit(0)

    def fall_silent(self) -> None:
        """Tell nothing from now on: nobody reads it."""
        self.events, self.talks = None, False

    def played(self) -> None:
        """Tell the move that was just played."""
        self.emit(len(self.story.steps) - 1)
        if self.talks:
            self.announce()

    def emit(self, first: int) -> None:
        """Write the steps from a ply on as events."""
        if self.events is not None:
            for step in self.story.steps[first:]:
                self.events.emit(step.to_json())

    def taken_back(self) -> None:
        """Tell that the table has fewer moves than the story."""
        ply = len(self.table.events)
        self.redraw = True
        self.story.forget(ply)
        self._announced = min(self._announced, len(self.story.steps))
        if self.events is not None:
            self.events.emit({"type": "undo", "ply": ply})

    def was_forced(self, step: Step) -> bool:
        """Whether the program played a step in a person's place."""
        return step.event.by_person and not self.table.is_decision(step.event)

    # ---- moves in words -----------------------------------------------------------------------

    def announce(self) -> None:
        """Print the steps that were not shown yet."""
        steps = self.story.steps[self._announced:]
        self._announced = len(self.story.steps)
        for step in steps:
            self.tell(step)

    def tell(self, step: Step, whole: bool = False) -> None:
        """Tell a step and what came of it, steps of the setup only in the whole log."""
        viewers = self.table.people if self._watcher == CHANCE else (self._watcher,)
        if step.told(viewers).quiet and not whole:
            return
        line = show.numbered(self.table.game, step, viewers)
        if not self.table.state.hidden:          # even rounded it would give secrets away: it is told at the end
            expects = show.expectation(step)
            line.append(f"  {expects}" if expects else "", "dim italic")
        if self.was_forced(step) and (not step.before.hidden or self._watcher == step.seat
                                      or tuple(viewers) == (step.seat,)):
            line.append("  " + _("the only move"), "dim italic")
        self._told += self.screen.hanging(line, show.NUMBER)
        for effect in show.effects(self.table.game, step, viewers):
            self._told += self.screen.hanging(effect, show.EFFECT)

    # ---- the screen of a decision -------------------------------------------------------------

    def present(self, seat: int) -> None:
        """Show what a person needs to decide."""
        state, steps = self.table.state, self.story.steps
        self.pass_on(seat)
        self.announce()
        if seat == CHANCE:
            return
        if self._tutorial is not None and self._tutorial.teach(state, seat):
            self.redraw, self._told = True, 0
        screenful = Screenful(self.screen, state, seat, Choices(state), self._told)
        last = next((step for step in reversed(steps) if not self.was_forced(step) or step.seat != seat), None)
        # A turn begins, or began with moves that nobody typed, or the board was asked for again.
        if self.redraw or last is None or last.seat != seat:
            screenful.show()
        else:
            screenful.ask()
        self.redraw, self._told, self._idle = False, 0, False

    def await_turn(self) -> None:
        """Show the board to a person who has to wait for others before the first decision."""
        state, people = self.table.state, self.table.people
        if not self._idle or not self._lines.terminal or len(people) != 1:
            return
        self._idle = False
        self.announce()
        seat, room = people[0], self.screen.height - WAITING
        show.rule(self.screen, show.turn_text(state.game, int(state.to_move)))
        self.screen.raw(state.game.low_board_text(state, room, seat=seat, color=self.screen.color,
                                                  width=self.screen.width))

    def pass_on(self, seat: int) -> None:
        """Clear the screen when people with secrets share it and the next one takes over."""
        if seat >= 0 and self.table.state.hidden and len(self.table.people) > 1 and seat != self._watcher:
            self.screen.clear()
            with suppress(InvalidNotation):         # any line will do
                self._lines.read(_("{seat} is next: press Enter when nobody else looks").format(
                    seat=self.table.game.seat_name(seat)) + " ")
            self._watcher = seat
            self._announced = max(0, len(self.table.events) - RECALLED)
