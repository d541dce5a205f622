"""`sfida practice`: positions from one's own mistakes, which come back until they are solved."""

from __future__ import annotations

from datetime import date

import click

from sfida.ai.practice import schedule
from sfida.ai.practice.deck import Deck
from sfida.ai.practice.judging import EFFORTS
from sfida.ai.review.depths import NORMAL
from sfida.ai.seeds import LARGEST_AGENT_SEED
from sfida.cli.deck import deck_file, gather
from sfida.cli.errors import DONE, Interrupted
from sfida.cli.lines import Lines
from sfida.cli.output import Number, Output, color_option, json_option, output_for
from sfida.cli.sitting import Sitting
from sfida.cli.speaking import lang_option
from sfida.cli.trust import Trust, trust_option
from sfida.engines.language import _, ngettext
from sfida.engines.registry import make_game
from sfida.engines.wording import counted


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
    MOVE' help, '?' tells the rest. Your answer is judged by search: it is right unless
    it loses clearly more than the best move. Then you are told what was better, and
    why.

    Mistakes that cost at least 1 % of the win come back, by the boxes of Leitner (S.
    Leitner, "So lernt man lernen", 1972): a right answer moves a position one box on,
    to come back after 1, 2, 4 and 8 days; after the fifth in a row it is solved. A
    wrong one moves it back to the first box, which is always due. After a hint it
    stays in its box. Ctrl-C and 'quit' leave; what you have answered counts.
    """
    output = output_for(context, as_json)
    name = None if game is None else make_game(game).name
    path, today = deck_file(), schedule.today()
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
    sitting = Sitting(output, Lines(on_stderr=as_json), deck, path, today, EFFORTS[depth], seed, trust)
    try:
        sitting.run(due[:count])
    except KeyboardInterrupt:
        raise Interrupted(ngettext("interrupted after {answers}, which counts", "interrupted after {answers}, which "
                                   "count", sitting.answered).format(
                                       answers=counted(sitting.answered, "answer", "answers"))
                          if sitting.answered else _("interrupted before an answer")) from None
    sitting.farewell(name)
    context.exit(DONE)


def nothing_due(output: Output, deck: Deck, name: str | None, unreviewed: int, today: date) -> None:
    """Say in one line why nothing is asked."""
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


def day_words(when: date, today: date) -> str:
    """Return a day to come in words."""
    days = (when - today).days
    return _("tomorrow") if days == 1 else _("in {days} days, on {day}").format(days=days, day=when)
