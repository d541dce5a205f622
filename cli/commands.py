"""The commands of a game: words that a person types instead of a move, with help and advice."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from sfida.ai.session import Question, Session
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.narrator import Narrator
from sfida.cli.output import Output
from sfida.cli.progress import ANSWER_NOW, Thinking
from sfida.cli.start import Terminated
from sfida.cython_ext.errors import IllegalMove, InvalidNotation, InvalidRecord
from sfida.cython_ext.state import CHANCE
from sfida.engines.clauses import language_note
from sfida.engines.drawing.terminal import plain
from sfida.engines.files import expanded
from sfida.engines.game import Game, Notation
from sfida.engines.language import N_, NP_, _, counted, in_every_language, listed, ngettext, pgettext
from sfida.engines.moves import Choices
from sfida.engines.on_demand import OnDemand
from sfida.engines.records import append_record, write_records
from sfida.engines.spec import quoted, shown

if TYPE_CHECKING:
    from sfida.ai.levels import person_rating
    from sfida.cli import show_analysis
else:
    person_rating, show_analysis = OnDemand("sfida.ai.levels.person_rating"), OnDemand("sfida.cli.show_analysis")

# ---- The help inside a game: the commands and signs on one screen, and one screen per topic

COMMANDS = N_("""\
Type a move by its number in the list or on the board, by name, or in notation.
hint  ask the computer   why MOVE  what speaks against it   why  its last move
undo  back to your last decision   redo  play it again   rule 5.3  rules  them
board  draw it again   moves  list them all   log  what was played
tiles  what is left   cards  codes, effects, prices   status  how it stands
quit  leave; it is kept   resign  give up   save FILE  keep it   ? hint  columns
The only legal move plays itself. While the computer thinks, Ctrl-C: move now.""")

PRACTICE = N_("""\
Type the move that you would play now, by its number, by name, or in notation.
hint  ask the computer   why MOVE  what speaks against it: with either of them
the position is not solved yet and stays for another day
solution  give up and see it   skip  leave it for now   quit  leave
board  draw it again   moves  list them all   log  what was played
tiles  what is left   cards  codes, effects, prices   status  how it stands
rule 5.3  rules  them   ? hint  columns""")

ADVICE = N_("""\
What the tables of hint and why say, best move first:
#         the number of the move in the list
visits    how often the search looked at the move: the more, the surer
share     its part of all visits; the search looks most at what it likes best
win       the win probability of each seat after the move; they
          add up to 100 %, and a tie is shared
reward ≥  a cautious estimate of what the move is worth to its player, from 0 to
          1: few visits make it low; the best among the well visited is played
prior     the chance that a good player chooses the move, guessed at first sight
play      for choices that are hidden and made at the same time: how often to
          choose the move, so that nobody can predict it
continues   what the search expects next, in notation
best      the move that the computer would play; next: the second best; asked:
          the move that you asked about, searched on its own
costs     win probability that the move loses
for it, against it   what the move, with the rest of the turn, changes in favour
          of its player and of the others; the answer brings: what the reply changes
-         the search has not tried the move, so nothing is known of it
Columns that are empty or have no room are left out.
Ctrl-C while the adviser thinks: it answers now.""")

TOPICS = {"hint": ADVICE, "why": ADVICE}


def help_on(topic: str, game: Notation, *, color: bool, width: int, commands: str = COMMANDS) -> str:
    """Return the help on a topic; for "", the help on the commands, whose text is `commands`, and the signs.

    Raises
    ------
    InvalidNotation
        If there is no such topic.
    """
    if not topic:
        return f"{_(commands)}\n{game.help_text(color=color, width=width)}"
    found = next((text for name, text in TOPICS.items()
                  if plain(topic.lower()) in map(plain, in_every_language(name, "command"))), None)
    if found is None:
        raise InvalidNotation(_("there is no help on {text}; '?' alone shows the commands and signs, and {topics} the "
                                "columns of advice").format(text=quoted(topic), topics=listed(
                                    [f"'? {pgettext('command', name)}'" for name in TOPICS])))
    return _(found)


# ---- The advice in a game: the best move, and the reasons against a move

Answer = TypeVar("Answer")

class Adviser:
    """Advises the person to move.

    Parameters
    ----------
    session : Session
    screen : Output
    """

    def __init__(self, session: Session, screen: Output) -> None:
        self.session = session
        self.screen = screen

    def hint(self) -> None:
        """Show the move that the computer would play."""
        state = self.session.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove(_("luck needs no hint: type in what was drawn"))
        question = self.session.question(state)
        found = None if question is None else self._answer(question, question.best)
        if found is not None:
            analysis, line = found
            show_analysis.analysis_table(self.screen, state, analysis, top=5)
            show_analysis.hint(self.screen, state, analysis, line)

    def why(self, rest: str) -> None:
        """Show the reasons against a move or, without one, those for the last decision of an agent."""
        session, state = self.session, self.session.table.state
        if int(state.to_move) == CHANCE:
            raise IllegalMove(_("luck has no reasons: type in what was drawn"))
        question = session.question(state, rest)
        if question is None:
            raise InvalidNotation(_("name the move to ask about, such as: why {move}").format(
                move=Choices(state).list[0].label))
        if question.step is not None:
            self.screen.line(show.numbered(session.game, question.step, (int(state.to_move),)))
            if question.state.hidden:
                self.screen.note(_("Explained with a hand and cards that fit what you have seen, not with the true "
                                   "ones."))
        found = self._answer(question, question.compared)
        if found is not None:
            show_analysis.comparison(self.screen, question.state, found)

    def _answer(self, question: Question, ask: Callable[[], Answer]) -> Answer | None:
        """Return the answer, which Ctrl-C brings forward; None if the search is interrupted without an answer."""
        try:
            with Thinking(self.screen, question.adviser, _("the adviser"), keep=ANSWER_NOW):
                return ask()
        except Terminated:
            raise
        except KeyboardInterrupt:
            self.screen.note(_("no advice"))
            return None


# ---- The commands of a game: words that a person types instead of a move


class Quit(Exception):
    """The person leaves the game."""


class Resigned(Exception):
    """A person gives up the game."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


Command = Callable[[str], None]


def called(commands: Mapping[str, Command]) -> dict[str, Command]:
    """Return a mapping from the names of commands in each language, without accents, to the commands."""
    return {plain(word): command for name, command in commands.items() for word in in_every_language(name, "command")}


class Commands:
    """The commands that a person has at the prompt besides moves.

    Parameters
    ----------
    narrator : Narrator
        Shows the session in which commands are typed.
    """

    def __init__(self, narrator: Narrator) -> None:
        self.session: Session = narrator.session
        self.table: Table = self.session.table
        self.game: Game = self.session.game
        self.screen: Output = narrator.screen
        self._narrator = narrator
        self._adviser = Adviser(self.session, narrator.screen)
        self._resigning = False                 # whether the last line was "resign"

    @cached_property
    def _by_word(self) -> dict[str, Command]:
        return called({                         # at the first line typed, which needs the words of all languages
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
        """Run the command in a line, if there is one; return whether there is one.

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
        self.screen.raw(self.session.stock(self.table.state, None if seat == CHANCE else seat,
                                           color=self.screen.color, width=self.screen.width))

    def _cards(self, rest: str) -> None:
        _alone("cards", rest)
        self.screen.raw(self.session.cards(self.table.state, color=self.screen.color, width=self.screen.width))

    def _log(self, rest: str) -> None:
        _alone("log", rest)
        for step in self.session.steps:
            self._narrator.tell(step, whole=True)

    def _rule(self, rest: str) -> None:
        if not rest:
            raise InvalidNotation(_("name a rule, such as: rule 5.3; 'rules' lists the chapters"))
        self._clauses(self.session.rules(rest))

    def _contents(self, rest: str) -> None:
        _alone("rules", rest)
        self._clauses(self.session.rules())

    def _clauses(self, lines: Sequence[str]) -> None:
        if language_note():
            self.screen.note(language_note())
        for line in lines:
            self.screen.line(line)

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
        gone = self.session.take_back()
        self._narrator.taken_back()
        self.screen.note(ngettext("{moves} taken back.", "{moves} taken back.", len(gone)).format(
            moves=counted(len(gone), "move", "moves")))
        if counted_so_far and self.table.unrated and person_rating.rated_level(self.table) is not None:
            self.screen.note(_(person_rating.UNCOUNTED))

    def _redo(self, rest: str) -> None:
        _alone("redo", rest)
        again = self.table.redo()
        self._narrator.redraw = True
        self._narrator.emit(again[0].ply)

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
        self.screen.note(_("Type 'resign' once more to give the game up; anything else continues."))

    def _quit(self, _rest: str) -> None:
        raise Quit


def _alone(word: str, rest: str) -> None:
    """Refuse arguments of a command that takes none; raises InvalidNotation."""
    if rest:
        raise InvalidNotation(_("'{command}' stands alone; {text} behind it has no meaning").format(
            command=pgettext("command", word), text=quoted(rest)))
