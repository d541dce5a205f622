"""`sfida review`: every decision of a finished game judged, and its result split into luck and play."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from sfida.ai.agent import PERSON
from sfida.ai.review import page
from sfida.ai.review.judge import Played
from sfida.ai.review.model import Review, SeatSummary, TurningPoint, summaries
from sfida.ai.review.reviewing import Glance
from sfida.cli import show
from sfida.cli.errors import DONE, Interrupted, refuse_given
from sfida.cli.file_options import InputFile, OutputFile, check_outputs, recorded_game
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import (
    MOST_JOBS, Number, Output, Text, color_option, json_option, lang_option, number, output_for, percent, sentence,
    simple_table
)
from sfida.cli.progress import TournamentLine
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.drawing.terminal import DotCanvas
from sfida.engines.files import write_whole
from sfida.engines.game import Game
from sfida.engines.language import _, counted
from sfida.engines.spec import quoted

# ---- A review on the screen: the curve of win probability, the seats, and the decisive turns

_WIDEST = 72            # columns of the curve
_MARGIN = 8             # columns to the left of the curve
_TALL, _LOW = 5, 2      # rows of the curve with two seats, and of each curve with more seats
_BOARD = 18             # lines of a board
_PAGE = 100             # maximum columns of a paragraph
_HEAD = 12              # columns for the heading before a paragraph


def tell(output: Output, played: Played, review: Review, seat: int | None = None) -> None:
    """Print a review, of one seat or of all."""
    game = played.game
    show.heading(output, game, (), played.record.seed)
    output.wrapped(show.seats_line(game, review.agents))
    held = [summary for summary in summaries(review) if seat in (None, summary.seat)]
    _curve(output, game, review, seat)
    _seats(output, game, review, held)
    _parts(output, game, review, held)
    output.line()
    if not review.turns:
        output.line(_("No decision was judged.") if not review.judged[0] else _("No turn stands out."))
    for place, point in enumerate(review.turns, start=1):
        _turn(output, played, review, place, point)
    judged, of = review.judged
    output.line(_("({iterations:,} iterations in {seconds:.0f} s, {judged} of {decisions} judged)").format(
        iterations=review.iterations, seconds=review.seconds, judged=judged,
        decisions=counted(of, "decision", "decisions")), "dim")


def at_a_glance(game: Game, seat: int, found: Glance) -> list[Text]:
    """Return the lines for a seat right after a game: its luck, and its worst move."""
    return [show.seat_text(game, seat).append(f", {said}") for said in page.glance_words(found, seat)]


def list_decisions(output: Output, game: Game, review: Review, seat: int | None = None) -> None:
    """Print every decision with its loss."""
    table = simple_table(_("move"), _("seat"), _("played"), _("loss %"), _("from"), _("to"), "", _("better"),
                         right=(_("move"), _("loss %"), _("from"), _("to")))
    table.padding = (0, 1, 0, 0)
    for decision in review.decisions:
        verdict = decision.verdict
        if decision.forced or verdict is None or seat not in (None, decision.seat):
            continue
        low, high = (page.percentage(bound) for bound in verdict.interval)
        table.add_row(str(decision.ply + 1), show.seat_text(game, decision.seat), decision.move,
                      page.percentage(verdict.loss), low, high, _("mistake") if verdict.mistake else "",
                      verdict.best if verdict.loss else "")
    output.table(table)


def _curve(output: Output, game: Game, review: Review, seat: int | None) -> None:
    """Draw the win probability over the game, with the numbers of the turns described below the curve."""
    wide = max(10, min(_WIDEST, output.width - _MARGIN - 1))
    two = review.players == 2
    shown = [seat or 0] if two else list(range(review.players))
    for one in shown:
        rows = _TALL if two else _LOW
        canvas = DotCanvas(wide, rows)
        last = len(review.curve) - 1
        canvas.draw([(ply / max(1, last) * (wide - 0.51), (1.0 - row[one]) * (rows - 0.26))
                     for ply, row in enumerate(review.curve)])
        head = sentence(_("{seat}  win probability, from {first} to {last}"), seat=show.seat_text(game, one),
                        first=percent(review.curve[0][one]), last=percent(review.curve[-1][one]))
        output.line(head)
        for row, dots in enumerate(canvas.lines()):
            level = {0: "100 %", rows - 1: "0 %"}.get(row, "50 %" if 2 * row == rows - 1 else "")
            output.line(Text(f"{level:>{_MARGIN - 2}} ", "dim").append("│", "dim").append(dots.rstrip()))
    if review.turns:
        output.line(Text(" " * (_MARGIN - 1)).append("│", "dim").append(_marks(review, wide), "bold"))
        output.wrapped(Text(_(page.MARKS), "dim"))
    output.line()


def _marks(review: Review, wide: int) -> str:
    """Return the line of the turns' numbers, each below its place in the curve or as near as the room allows."""
    marks = ""
    for place, point in enumerate(review.turns, start=1):
        column = min(int(point.at / max(1, len(review.curve) - 1) * wide), wide - 1 - len(review.turns) + place)
        marks = marks.ljust(column) + str(place)
    return marks


def _seats(output: Output, game: Game, review: Review, held: Sequence[SeatSummary]) -> None:
    columns = (_("decisions"), _("mistakes"), _("loss each"), _("accuracy"))
    table = simple_table(_("seat"), *columns, right=columns)
    for one in held:
        loss = "" if one.loss is None or one.error is None else (
            f"{page.percentage(one.loss, 2)} ± {page.percentage(2 * one.error, 2)} %")
        table.add_row(show.seat_text(game, one.seat), number(one.judged), number(one.mistakes), loss,
                      "" if one.accuracy is None else f"{one.accuracy:.1f}")
    output.table(table)
    output.wrapped(Text(_(page.ACCURACY), "dim"))
    output.line()


def _parts(output: Output, game: Game, review: Review, held: Sequence[SeatSummary]) -> None:
    shown = page.shown_parts(review, held)
    columns = (_("start"), *map(page.part_name, shown), _("result"))
    table = simple_table(_("win probability, %"), *columns, right=columns)
    table.padding = (0, 1, 0, 0)
    for one in held:
        cells = [page.percentage(page.part_of(one.parts, name), sign=True) for name in shown]
        table.add_row(show.seat_text(game, one.seat), page.percentage(one.start), *cells,
                      page.percentage(one.result))
    output.table(table)
    output.wrapped(Text(_("{parts}. They add up.").format(parts=page.parts_explained(shown)), "dim"))


def _turn(output: Output, played: Played, review: Review, place: int, point: TurningPoint) -> None:
    game, state = played.game, played.events[point.at].before
    show.rule(output, Text().append(f"{place}  ", "bold").append_text(show.seat_text(game, point.seat)).append(
        f", {page.moment(point, review)}"))
    output.raw(game.low_board_text(state, _BOARD, seat=point.seat, color=output.color, width=output.width))
    decision = next(decision for decision in review.decisions if decision.ply == point.at)
    if decision.about:
        _told(output, _("to decide"), decision.about)
    _told(output, _("played"), page.move_words(point.played))
    if point.better:
        _told(output, _("better"), page.move_words(point.better))
    _told(output, _("loss"), page.verdict_words(point))
    for why in page.why_words(game, point):
        _told(output, _("why"), why)
    output.line()


def _told(output: Output, head: str, text: str) -> None:
    """Print a paragraph after its heading."""
    room = min(output.width, _PAGE) - _HEAD
    for part in textwrap.wrap(text, room, break_on_hyphens=False) or [""]:
        output.line(Text().append(f"{head:>{_HEAD - 2}}  ", "dim").append(part))
        head = ""


# ---- `sfida review`: every decision of a finished game judged, and its result split into luck and play


@click.command("review")
@click.argument("record", type=InputFile(dir_okay=False), required=False)
@click.option("--all", "everything", is_flag=True,
              help="Review all games that you have finished, or those of the game, or of the file, named in place of "
                   "RECORD: how you get on, and what costs you the most.")
@click.option("--last", type=Number(int, 1), metavar="N", help="With --all: only the last N of each game.")
@click.option("--name", default=PERSON, metavar="NAME", show_default=True,
              help="With --all: what the records call you, if --seat does not say where you sat.")
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Number of the game in the file, counted from 1.")
@click.option("--seat", type=Number(int, 0), metavar="S",
              help="Review seat S alone: its losses and its turns; with --all, your seat.  [default: all seats]")
@click.option("--depth", type=click.Choice(["fast", "normal", "deep"]),
              help="How deep to look: at most a quarter of a minute, a minute, or several minutes on two cores, for "
                   "each game.  [default: normal; with --all: fast]")
@click.option("--moves", "listed", is_flag=True, help="List every decision with its loss, too.")
@click.option("--html", type=OutputFile(), metavar="FILE",
              help="Write the review to FILE as a page of its own, with the curve and the boards.")
@click.option("--no-practice", is_flag=True,
              help="Do not let mistakes of yours (the seat that the record names human) come back in 'sfida practice'.")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), metavar="JOBS",
              help="Number of processes that judge at the same time.  [default: as many as there are cores]")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, record: Path | None, everything: bool, last: int | None, name: str, number: int,
            seat: int | None, depth: str | None, listed: bool, html: Path | None, no_practice: bool, jobs: int | None,
            quiet: bool, trust: Trust, as_json: bool) -> None:
    """Show what decided a finished game: luck, your moves, or those of the others.

    \b
    sfida review game.jsonl
    sfida review game.jsonl --seat 0 --html review.html
    sfida review tournament.sfida --game 12 --depth fast --json
    sfida review --all                         all games that you have finished
    sfida review --all carcassonne --last 10

    Searches that know what its seat knew judge every decision: how much win
    probability it lost against the best move, with an interval. A loss larger than
    twice its uncertainty is a mistake; where that is in doubt they search more. The
    result of each seat is split into luck (as tournaments measure it), its own losses,
    what others gave away, what hidden information alone did, and what the estimates
    leave; the parts add up. Then the five turns that decided the game.

    Accuracy, 0 to 100, is the mean over a seat's decisions of 103.17 exp(-0.0435 x)
    - 3.17, x being the loss in % of win probability: the formula of Lichess
    (lichess.org/page/accuracy). Decisions with one legal move do not count.

    A game that is not over is refused: a review would reveal what its seats cannot
    know. Ctrl-C ends the searches; what was found is shown, and the exit code is 130.

    --all takes the games that people finished with 'sfida play', and keeps each
    review, so that a second call only looks at new games. It shows how accuracy, loss
    and luck went from game to game, and which phase (a third of a game's decisions)
    and which kind of move cost the most. 'sfida practice' brings the positions back,
    those of a single RECORD, too.
    """
    from joblib import cpu_count

    from sfida.ai.review.model import FAST, NORMAL, depth_named, summaries
    from sfida.ai.review.reviewing import Reviewing
    from sfida.cli.review_all import PlayerFilter, persons_seat, practise_later, review_all

    output = output_for(context, as_json)
    cores = jobs or cpu_count()
    if everything:
        refuse_given(context, "--all", {"number": "--game", "listed": "--moves", "html": "--html",
                                        "no_practice": "--no-practice"})
        review_all(output, "" if record is None else str(record), PlayerFilter(seat, name), last,
                   depth_named(depth or FAST), cores, trust, quiet=quiet)
        context.exit(DONE)
    refuse_given(context, "a single RECORD", {"last": "--last", "name": "--name"})
    if record is None:
        raise click.UsageError(_("missing argument 'RECORD'; --all takes all games that you have finished"))
    game_record = trust.record(recorded_game(record, number))
    check_outputs(context, game_record.game, *game_record.seats)
    with TournamentLine(output, quiet) as line:
        reviewing = Reviewing(game_record, depth_named(depth or NORMAL), seat=seat, jobs=cores,
                              on_progress=lambda what, done, of, noun: line.count(what, done, of, noun))
        if seat is not None and seat >= reviewing.played.game.players:
            raise InvalidRecord(_("there is no seat {seat} in {game}: the seats are 0 to {last}").format(
                seat=seat, game=quoted(game_record.game), last=reviewing.played.game.players - 1))
        interrupted = False
        try:
            reviewing.run()
        except KeyboardInterrupt:
            if not reviewing.begun:
                raise Interrupted(_("interrupted before anything was judged")) from None
            interrupted = True
    review = reviewing.result()
    if html is not None:
        from sfida.ai.review.page import page

        write_whole(html, page(reviewing.played, review, seat))
    if as_json:
        seats = [summary.to_json() for summary in summaries(review) if seat in (None, summary.seat)]
        output.emit({**review.to_json(), "seat": seat, "seats": seats})
    else:
        tell(output, reviewing.played, review, seat)
        if listed:
            list_decisions(output, reviewing.played.game, review, seat)
    if html is not None:
        output.note(_("The review is written to {path}.").format(path=html))
    own = persons_seat(game_record.seats, seat)
    if own is not None and not (no_practice or interrupted):
        practise_later(output, game_record, own, reviewing.depth, review)
    if interrupted:
        judged, all_of_them = review.judged
        raise Interrupted(_("interrupted after {judged} of {all} decisions; what was found is shown").format(
            judged=judged, all=all_of_them))
    context.exit(DONE)
