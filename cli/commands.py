"""The commands of a game: words that a person types instead of a move."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from sfida.ai.levels.person import UNCOUNTED, rated_level
from sfida.ai.story import CHANCE
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.adviser import Adviser
from sfida.cli.help import help_on
from sfida.cli.output import Output
from sfida.cli.teller import Teller
from sfida.cython_ext.errors import IllegalMove, InvalidNotation, InvalidRecord
from sfida.engines.choices import Choices
from sfida.engines.clauses import Rules, language_note, rules_of
from sfida.engines.drawing.plain import plain
from sfida.engines.files import expanded
from sfida.engines.game import Game
from sfida.engines.language import NP_, _, in_every_language, ngettext, pgettext
from sfida.engines.record_files import append_record, write_records
from sfida.engines.spec import quoted, shown
from sfida.engines.wording import counted


class Quit(Exception):
    """The person leaves the game."""


class Resigned(Exception):
    """A person gives the game up."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


Command = Callable[[str], None]


def called(commands: Mapping[str, Command]) -> dict[str, Command]:
    """Return commands by what they are called in each language, without accents."""
    return {plain(word): command for name, command in commands.items() for word in in_every_language(name, "command")}


class Commands:
    """What a person can do at the prompt besides playing.

    Parameters
    ----------
    table : Table
    teller : Teller
    """

    def __init__(self, table: Table, teller: Teller) -> None:
        self.table = table
        self.game: Game = table.game
        self.screen: Output = teller.screen
        self._teller = teller
        self._adviser = Adviser(table, teller.story, teller.screen)
        self._resigning = False                 # whether the last line was "resign"
        self._by_word = called({
            "?": self._help, NP_("command", "help"): self._help, NP_("command", "moves"): self._moves,
            NP_("command", "board"): self._board, NP_("command", "tiles"): self._stock,
            NP_("command", "cards"): self._cards, NP_("command", "status"): self._status,
            NP_("command", "log"): self._log, NP_("command", "hint"): self._hint, NP_("command", "why"): self._why,
            NP_("command", "undo"): self._undo, NP_("command", "redo"): self._redo,
            NP_("command", "rule"): self._rule, NP_("command", "rules"): self._contents,
            NP_("command", "save"): self._write, NP_("command", "now"): self._now,
            NP_("command", "resign"): self._resign, NP_("command", "quit"): self._quit, "exit": self._quit,
        })

    def run(self, line: str, seat: int) -> bool:
        """Run the command of a line, if it is one; return whether it is.

        Raises
        ------
        Quit, Resigned
        SfidaError
            If the command cannot do what was asked.
        """
        word, _blank, rest = line.strip().partition(" ")
        sure, self._resigning = self._resigning, False
        command = self._by_word.get(plain(word.lower()))
        if command is None:
            return False
        if sure and command == self._resign:
            raise Resigned(seat)
        command(rest.strip())
        return True

    # ---- looking ------------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        self.screen.raw(help_on(rest, self.game, color=self.screen.color, width=self.screen.width))

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
        self.screen.raw(text or _("There is nothing to draw from whose contents may be seen."))

    def _cards(self, rest: str) -> None:
        _alone("cards", rest)
        text = self.game.cards_text(self.table.state, color=self.screen.color, width=self.screen.width)
        self.screen.raw(text or _("There are no cards to explain."))

    def _log(self, rest: str) -> None:
        _alone("log", rest)
        for step in self._teller.story.steps:
            self._teller.tell(step, whole=True)

    def _rule(self, rest: str) -> None:
        if not rest:
            raise InvalidNotation(_("name a rule, such as: rule 5.3; 'rules' lists the chapters"))
        self._clauses(self._rules().find(rest))

    def _contents(self, rest: str) -> None:
        _alone("rules", rest)
        self._clauses(self._rules().contents())

    def _clauses(self, lines: Sequence[str]) -> None:
        if language_note():
            self.screen.note(language_note())
        for line in lines:
            self.screen.line(line)

    def _rules(self) -> Rules:
        found = rules_of(self.game.name)
        if found is None:
            raise InvalidNotation(_("no rules come with {game}").format(game=_(self.game.title)))
        return found

    # ---- advice -------------------------------------------------------------------------------

    def _hint(self, rest: str) -> None:
        _alone("hint", rest)
        self._adviser.hint()

    def _why(self, rest: str) -> None:
        self._adviser.why(rest)

    def _now(self, rest: str) -> None:
        _alone("now", rest)
        self.screen.note(_("It is your move. While the computer thinks, Ctrl-C makes it play the best move found so "
                           "far."))

    # ---- going back and leaving ---------------------------------------------------------------

    def _undo(self, rest: str) -> None:
        _alone("undo", rest)
        counted_so_far = not self.table.unrated
        gone = self.table.undo()
        self._teller.taken_back()
        self.screen.note(ngettext("{moves} taken back.", "{moves} taken back.", len(gone)).format(
            moves=counted(len(gone), "move", "moves")))
        if counted_so_far and self.table.unrated and rated_level(self.table) is not None:
            self.screen.note(_(UNCOUNTED))

    def _redo(self, rest: str) -> None:
        _alone("redo", rest)
        again = self.table.redo()
        self._teller.redraw = True
        self._teller.emit(again[0].ply)

    def _write(self, rest: str) -> None:
        try:
            path = expanded(rest or f"{self.game.name}.jsonl")
            if path.exists():
                append_record(path, self.table.record())
            else:
                write_records(path, [self.table.record()])
        except OSError as error:
            raise InvalidRecord(_("{path}: cannot be written: {reason}").format(
                path=shown(rest), reason=error.strerror)) from None
        self.screen.note(_("Saved as {path}; '{command}' continues it.").format(
            path=path, command=f"sfida play {shlex.quote(str(path))}"))

    def _resign(self, rest: str) -> None:
        _alone("resign", rest)
        if int(self.table.state.to_move) == CHANCE:
            raise IllegalMove(_("luck decides now: type in what was drawn, then resign"))
        self._resigning = True
        self.screen.note(_("Type 'resign' once more to give the game up; anything else goes on."))

    def _quit(self, _rest: str) -> None:
        raise Quit


def _alone(word: str, rest: str) -> None:
    """Refuse arguments of a command that takes none; raises InvalidNotation."""
    if rest:
        raise InvalidNotation(_("'{command}' stands alone; {text} behind it has no meaning").format(
            command=pgettext("command", word), text=quoted(rest)))
