"""The advice in a game: what the computer would play, and what speaks against a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sfida.ai.advice import adviser, last_choice, seed_of_advice
from sfida.ai.lines import follow
from sfida.ai.seat import Seat
from sfida.ai.story import CHANCE, Story
from sfida.ai.table import Table
from sfida.ai.why import compare
from sfida.cli import show, show_analysis
from sfida.cli.output import Output
from sfida.cli.start import Terminated
from sfida.cli.thinking import ANSWER_NOW, Thinking
from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.state import View
from sfida.engines.choices import Choices
from sfida.engines.language import _


class Adviser:
    """Advises the person to move at a table.

    Parameters
    ----------
    table : Table
    story : Story
    screen : Output
    """

    def __init__(self, table: Table, story: Story, screen: Output) -> None:
        self.table = table
        self.story = story
        self.screen = screen

    def hint(self) -> None:
        """Show what the computer would play."""
        state = self.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove(_("luck needs no hint: type in what was drawn"))
        seed = seed_of_advice(self.table)
        asked = adviser(seed)
        analysis = self._ask(asked, asked.analyze)
        if analysis is not None:
            show_analysis.analysis_table(self.screen, state, analysis, top=5)
            view = state.view(int(state.to_move))
            show_analysis.hint(self.screen, state, analysis, follow(view, analysis.best.pv, seed))

    def why(self, rest: str) -> None:
        """Show what speaks against a move, or for the last decision of an agent if none is named."""
        state = self.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove(_("luck has no reasons: type in what was drawn"))
        choices = Choices(state)
        if not rest:
            self._why_last(choices)
            return
        move, asked = choices.find_one(rest), adviser(seed_of_advice(self.table))
        found = self._ask(asked, lambda view: compare(asked.agent, view, move))
        if found is not None:
            show_analysis.comparison(self.screen, state, found)

    def _why_last(self, choices: Choices) -> None:
        """Explain the last decision of an agent, as far as its secrets stay secret."""
        seat = int(self.table.state.to_move)
        seed = seed_of_advice(self.table)
        found = last_choice(self.story.steps, self.table.people, seat, seed)
        if found is None:
            raise InvalidNotation(_("name the move to ask about, such as: why {move}").format(
                move=choices.list[0].label))
        step, before = found
        self.screen.line(show.numbered(self.table.game, step, (seat,)))
        if before.hidden:
            self.screen.note(_("Explained with a hand and cards that fit what you have seen, not with the true ones."))
        asked = adviser(seed)
        reasons = self._ask(asked, lambda _view: compare(asked.agent, before.view(step.seat), step.event.code))
        if reasons is not None:
            show_analysis.comparison(self.screen, before, reasons)

    def _ask(self, asked: Seat, question: Callable[[View], Any]) -> Any:
        """Return the answer, early on Ctrl-C; None if there is none."""
        state = self.table.state
        try:
            with Thinking(self.screen, asked, _("the adviser"), keep=ANSWER_NOW):
                return question(state.view(int(state.to_move)))
        except Terminated:
            raise
        except KeyboardInterrupt:
            self.screen.note(_("no advice"))
            return None
