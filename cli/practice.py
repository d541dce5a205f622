"""`sfida practice`: positions from a person's own mistakes, which come back until they are solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from sfida.ai import archive
from sfida.ai.agent import PERSON
from sfida.ai.chance import LARGEST_AGENT_SEED
from sfida.ai.review.judge import SearchJudge
from sfida.ai.review.model import NORMAL, Effort
from sfida.ai.review.practice import (
    EFFORTS, SOLVED, Deck, Judged, Outcome, PracticeCard, answer_words, comes_back, day_words, deck_file, judge_move,
    solution_words
)
from sfida.ai.session import Session
from sfida.cli import show
from sfida.cli.commands import PRACTICE, Commands, Quit, called, help_on
from sfida.cli.errors import DONE, Failure, Interrupted
from sfida.cli.lines import InputEnded, Lines, Trust, trust_option
from sfida.cli.narrator import Narrator
from sfida.cli.output import Number, Output, Text, color_option, json_option, lang_option, output_for
from sfida.cli.review_all import gather
from sfida.cli.session import Prompt
from sfida.cython_ext.errors import IllegalMove, InvalidRecord, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.language import NP_, _, counted, ngettext
from sfida.engines.registry import make_game

# ---- One sitting of practice: positions are asked, answers judged, the better move explained

_OTHER = "random"               # agent of the other seats, which never move
_NOT_HERE = ("undo", "redo", "save", "resign", "now")


class GivenUp(Exception):
    """The person wants to see the solution."""


class Skipped(Exception):
    """The person leaves a position for later."""


class PracticeCommands(Commands):
    """The commands that a person has in practice besides answers.

    Attributes
    ----------
    helped : bool
        Whether advice on the position was given.
    """

    def __init__(self, narrator: Narrator) -> None:
        super().__init__(narrator)
        self.helped: bool = False
        self._by_word |= called({**dict.fromkeys(_NOT_HERE, self._not_here),
                                 NP_("command", "solution"): self._solution, NP_("command", "skip"): self._skip})

    def _help(self, rest: str) -> None:
        self.screen.raw(help_on(rest, self.game, color=self.screen.color, width=self.screen.width, commands=PRACTICE))

    def _hint(self, rest: str) -> None:
        super()._hint(rest)
        self.helped = True

    def _why(self, rest: str) -> None:
        super()._why(rest)
        self.helped = self.helped or bool(rest)     # without a move it explains another seat's decision

    def _solution(self, _rest: str) -> None:
        raise GivenUp

    def _skip(self, _rest: str) -> None:
        raise Skipped

    def _not_here(self, _rest: str) -> None:
        raise IllegalMove(_("this is a position from a game that is over: type a move, or '?' for help"))


class PracticeSession:
    """Asks a person some positions.

    Parameters
    ----------
    output : Output
    lines : Lines
        Source of what the person types.
    deck : Deck
    path : Path
        File of the deck, changed after each answer; other programs may change it meanwhile.
    today : date
    effort : Effort
        Effort of the searches that judge an answer.
    seed : int
        Seed of these searches.
    trust : Trust
        The code that the games of the positions may run.

    Attributes
    ----------
    answered, right : int
        Positions answered, and answered right without help.
    """

    def __init__(self, output: Output, lines: Lines, deck: Deck, path: Path, today: date, effort: Effort, seed: int,
                 trust: Trust) -> None:
        self.answered: int = 0
        self.right: int = 0
        self._output = output
        self._screen = output.to_stderr() if output.json else output
        self._lines = lines
        self._deck = deck
        self._path = path
        self._today = today
        self._effort = effort
        self._seed = seed
        self._trust = trust
        self._judge = SearchJudge()

    def run(self, cards: Sequence[PracticeCard]) -> None:
        """Ask the positions one after the other until the person leaves; raises KeyboardInterrupt on Ctrl-C."""
        for number, card in enumerate(cards, start=1):
            try:
                self._ask(card, _("{number} of {all}").format(number=number, all=len(cards)))
            except Skipped:
                continue
            except (Quit, InputEnded):
                return
            except (InvalidRecord, Failure) as error:
                self._screen.note(_("This position is left out: {error}").format(error=error))

    def farewell(self, name: str | None) -> None:
        """Print the result of the sitting, and when the next position is due."""
        waiting = [card for card in self._deck.of(name) if not card.place.solved]
        when = self._deck.next_due(name)
        due = len(self._deck.due(self._today, name))
        if self._output.json:
            self._output.emit({"type": "practice", "asked": self.answered, "right": self.right,
                               "next_due": None if when is None else f"{when}", "waiting": len(waiting),
                               "solved": len(self._deck.of(name)) - len(waiting)})
            return
        rest = (_("{positions} still due").format(positions=counted(due, "position", "positions")) if due else
                _("everything is solved") if when is None else _("the next is due on {day}").format(day=when))
        done = (_("{right} of {answered} right").format(right=self.right, answered=self.answered) if self.answered else
                _("Nothing was answered"))
        self._screen.note(f"{done}; {rest}.")

    # ---- one position -------------------------------------------------------------------------

    def _ask(self, card: PracticeCard, title: str) -> None:
        record = self._trust.record(replace(card.record, where=str(self._path)))
        seats = [PERSON if seat == card.seat else _OTHER for seat in range(len(record.seats) or 1)]
        session = Session.resumed(replace(record, seed=self._seed), seats)
        table = session.table
        if int(table.state.to_move) != card.seat:
            raise InvalidRecord(f"{record.where}: seat {card.seat} is not to move after move {len(record.moves)}")
        before, ply = table.state.clone(), len(table.events)
        try:
            for move in (card.played, card.best):
                before.parse(move)
        except SfidaError as error:
            raise InvalidRecord(f"{record.where}: {error}") from None
        narrator = Narrator(session, self._screen, self._lines)
        commands = PracticeCommands(narrator)
        self._heading(card, before, title)
        if not self._lines.terminal and not self._output.json:
            narrator.present(card.seat)           # the prompt does that only at a terminal
        try:
            Prompt(narrator, self._lines, commands).ask(card.seat)
        except GivenUp:
            self._count(card, Outcome.WRONG)
            self._explain(card, before, None, Outcome.WRONG)
            return
        if len(table.events) > ply + 1:
            self._screen.note(_("Only the first of the {number} moves is judged.").format(
                number=len(table.events) - ply))
        judged = self._judged(before, table.events[ply].code)
        outcome = judged.outcome(again=before.format(judged.move) == card.played, helped=commands.helped)
        self._count(card, outcome)
        self._explain(card, before, judged, outcome)

    def _count(self, card: PracticeCard, outcome: Outcome) -> None:
        """Move a card to the box that its outcome demands, and save the deck."""
        with Deck.changing(self._path) as deck:
            deck.answered(card, outcome, self._today)
        self._deck = deck
        self.answered += 1
        self.right += outcome is Outcome.RIGHT

    def _heading(self, card: PracticeCard, state: GameState, title: str) -> None:
        if self._output.json:
            view = state.view(card.seat)
            self._output.emit({"type": "position", "key": card.key, "game": card.record.game, "seat": card.seat,
                               "ply": len(card.record.moves), "box": card.place.box + 1, "date": card.date,
                               "legal_moves": [view.format(move) for move in view.legal_moves()],
                               "observation": view.observation()})
            return
        text = Text().append(title, "bold").append(": " + _("{game}, move {number}").format(
            game=_(state.game.title), number=len(card.record.moves) + 1))
        show.rule(self._screen, text.append(f", {card.date}" if card.date else ""))

    def _judged(self, state: GameState, move: int) -> Judged:
        self._screen.progress(_("your answer is searched ..."))
        try:
            return judge_move(self._judge, state.view(int(state.to_move)), move, 0, self._effort, self._seed)
        finally:
            self._screen.progress("")

    def _explain(self, card: PracticeCard, state: GameState, judged: Judged | None, outcome: Outcome) -> None:
        """Print the verdict on an answer (None: given up), the better move, and the reasons for it.

        The best move is compared with a wrong answer or, after a right one, with the move played in the game.
        """
        wrong = judged is not None and outcome is Outcome.WRONG
        told = judged if judged is not None and wrong else self._judged(state, state.parse(card.played))
        moved = self._deck.cards[card.key]
        if self._output.json:
            self._output.emit({
                "type": "answer", "key": card.key, "move": None if judged is None else state.format(judged.move),
                "outcome": outcome.value, "given_up": judged is None, "played": card.played,
                "verdict": None if judged is None else judged.verdict.to_json(), "solution": told.point.to_json(),
                "box": min(moved.place.box + 1, SOLVED), "solved": moved.place.solved, "due": f"{moved.place.due}"})
            return
        if judged is not None:
            head, rest = answer_words(card, state, judged, outcome)
            style = "bold red" if outcome is Outcome.WRONG else "bold green"
            self._screen.wrapped(Text().append(head, style).append(f" {rest}"))
        for head, rest in solution_words(card, state, told):
            self._told(head, rest)
        self._screen.wrapped(Text(comes_back(moved, self._today), "dim"))
        self._screen.line()

    def _told(self, head: str, text: str) -> None:
        self._screen.hanging(Text().append(f"{head:>12}  ", "dim").append(text), 14)


# ---- `sfida practice`: positions from a person's own mistakes, which come back until they are solved


@click.command("practice")
@click.argument("game", required=False)
@click.option("--count", type=Number(int, 1), default=10, metavar="N", show_default=True,
              help="Most positions to ask.")
@click.option("--depth", type=click.Choice([*EFFORTS]), default=NORMAL, show_default=True,
              help="How deep answers are searched: about a second, a few seconds, or half a minute each.")
@click.option("--seed", type=Number(int, 0, LARGEST_AGENT_SEED), default=0, metavar="N", show_default=True,
              help="Seed of the searches.")
@click.option("--seat", type=Number(int, 0), metavar="S",
              help="Your seat in games that several people played at one terminal.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, game: str | None, count: int, depth: str, seed: int, seat: int | None,
            trust: Trust, as_json: bool) -> None:
    """Try positions again in which you went wrong, until you have solved them.

    \b
    sfida review --all                      finds mistakes in your finished games
    sfida practice                          asks those that are due
    sfida practice carcassonne --count 5

    A position is shown as you saw it. Type your move as at the table; 'hint' and 'why
    MOVE' help, '?' shows the rest. Your answer is judged by search: it is right unless
    it loses clearly more than the best move. Then you are told what was better, and
    why.

    Mistakes that cost at least 1 % of win probability come back, by the boxes of Leitner (S.
    Leitner, "So lernt man lernen", 1972): a right answer moves a position one box on,
    to come back after 1, 2, 4 and 8 days; after the fifth in a row it is solved. A
    wrong one moves it back to the first box, which is always due. After a hint it
    stays in its box. Ctrl-C and 'quit' leave; what you have answered counts.
    """
    output = output_for(context, as_json)
    name = None if game is None else make_game(game).name
    path, today = deck_file(), archive.today()
    with Deck.changing(path) as deck:
        unreviewed = gather(output, deck, name, seat, today)
    if unreviewed and not as_json:
        output.note(ngettext("{games} not reviewed yet: 'sfida review --all' looks for your mistakes in it.",
                             "{games} not reviewed yet: 'sfida review --all' looks for your mistakes in them.",
                             unreviewed).format(games=counted(unreviewed, "game", "games")))
    due = deck.due(today, name)
    if not due:
        nothing_due(output, deck, name, unreviewed, today)
        context.exit(DONE)
    session = PracticeSession(output, Lines(on_stderr=as_json), deck, path, today, EFFORTS[depth], seed, trust)
    try:
        session.run(due[:count])
    except KeyboardInterrupt:
        raise Interrupted(ngettext("interrupted after {answers}, which counts", "interrupted after {answers}, which "
                                   "count", session.answered).format(
                                       answers=counted(session.answered, "answer", "answers"))
                          if session.answered else _("interrupted before an answer")) from None
    session.farewell(name)
    context.exit(DONE)


def nothing_due(output: Output, deck: Deck, name: str | None, unreviewed: int, today: date) -> None:
    """Print in one line why no position is asked."""
    cards, when = deck.of(name), deck.next_due(name)
    solved = sum(card.place.solved for card in cards)
    if output.json:
        output.emit({"type": "practice", "asked": 0, "right": 0, "next_due": None if when is None else f"{when}",
                     "waiting": len(cards) - solved, "solved": solved})
    elif when is not None:
        output.line(_("Nothing is due: the next of {positions} comes back {when}.").format(
            positions=counted(len(cards) - solved, "position", "positions"), when=day_words(when, today)))
    elif cards:
        output.line(_("All {positions} are solved; play on, and 'sfida review --all' finds new ones.").format(
            positions=counted(len(cards), "position", "positions")))
    elif unreviewed:
        output.line(_("No mistakes of yours are known yet: 'sfida review --all' looks for them in your games."))
    else:
        output.line(_("No mistakes of yours are known yet: finish a game, such as 'sfida play {game}', then "
                      "'sfida review --all' looks for them.").format(game=name or "carcassonne"))
