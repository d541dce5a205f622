"""The walk-through of a first game: what the game is about, and each kind of decision when it first comes."""

from __future__ import annotations

import textwrap
from contextlib import suppress

from sfida.cli import show
from sfida.cli.lines import Lines
from sfida.cli.output import Output
from sfida.cli.text import Text
from sfida.cython_ext.errors import InvalidNotation, InvalidOption
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.language import _

_WIDEST = 78            # columns in which sentences are easy to read


class Tutorial:
    """Teaches one game at the screen as it is played.

    Parameters
    ----------
    game : Game
    screen : Output
    lines : Lines
        Where Enter is waited for after each page; without a terminal nothing is.

    Raises
    ------
    InvalidOption
        If no walk-through comes with the game.
    """

    def __init__(self, game: Game, screen: Output, lines: Lines) -> None:
        self._game, self._screen, self._lines = game, screen, lines
        self._taught: set[str] = set()
        if not game.introduction():
            raise InvalidOption(f"no tutorial comes with {game.name}; its rules: sfida games {game.name}")

    def introduce(self) -> None:
        """Show what the game is about."""
        self._page(_(self._game.title), self._game.introduction())

    def teach(self, state: GameState, seat: int) -> bool:
        """Show the lesson of the decision of a seat, if it is the first of its kind; return whether it is."""
        lesson = self._game.lesson(state, seat)
        if lesson is None or lesson.key in self._taught:
            return False
        self._taught.add(lesson.key)
        more = " " + _("The rule: type 'rule {rule}'.").format(rule=lesson.rule) if lesson.rule else ""
        self._page(lesson.title, lesson.text + more)
        return True

    def _page(self, title: str, text: str) -> None:
        show.rule(self._screen, Text().append(title, "bold"))
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self._screen.line()
            for line in textwrap.wrap(paragraph, min(_WIDEST, self._screen.width)):
                self._screen.line(line)
        if self._lines.terminal:
            with suppress(InvalidNotation):         # any line will do
                self._lines.read(_("Enter goes on:") + " ")
        else:
            self._screen.line()
