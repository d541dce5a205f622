"""`sfida review`: every decision of a finished game judged, and its result split into luck and play."""

from __future__ import annotations

from pathlib import Path

import click

from sfida.ai.story import PERSON
from sfida.cli.errors import DONE, Interrupted, refuse_given
from sfida.cli.file_options import InputFile, OutputFile, check_outputs
from sfida.cli.output import MOST_JOBS, Number, color_option, json_option, output_for
from sfida.cli.recorded import recorded_game
from sfida.cli.speaking import lang_option
from sfida.cli.tournament_line import TournamentLine
from sfida.cli.trust import Trust, trust_option
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import write_whole
from sfida.engines.language import _
from sfida.engines.spec import quoted


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
    """Tell what decided a finished game: luck, your moves, or those of the others.

    \b
    sfida review game.jsonl
    sfida review game.jsonl --seat 0 --html review.html
    sfida review tournament.sfida --game 12 --depth fast --json
    sfida review --all                         all games that you have finished
    sfida review --all carcassonne --last 10

    Every decision is judged by searches that know what its seat knew: what share of
    the win it lost against the best move, with an interval. A loss is called a
    mistake if it is larger than twice its uncertainty; where that is in doubt more is
    searched. The result of each seat is split into luck (as tournaments measure it),
    its own losses, what others gave away, what hidden information alone did, and what
    the estimates leave; the parts add up. Then the five turns that decided the game.

    Accuracy, 0 to 100, is the mean over a seat's decisions of 103.17 exp(-0.0435 x)
    - 3.17, x being the loss in % of the win: the formula of Lichess
    (lichess.org/page/accuracy). Decisions with one legal move do not count.

    A game that is not over is refused: a review would tell what its seats cannot
    know. Ctrl-C ends the searches; what was found is shown, and the exit code is 130.

    --all takes the games that people finished with 'sfida play', and keeps each
    review, so that a second call only looks at new games. It shows how accuracy, loss
    and luck went from game to game, and which phase (a third of a game's decisions)
    and which kind of move cost the most. 'sfida practice' brings the positions back,
    those of a single RECORD, too.
    """
    from joblib import cpu_count  # type: ignore[import-untyped]

    from sfida.ai.review.depths import FAST, NORMAL, depth_named
    from sfida.ai.review.reviewing import Reviewing
    from sfida.ai.review.summary import summaries
    from sfida.cli.deck import persons_seat, practise_later
    from sfida.cli.review_all import Whose, review_all
    from sfida.cli.review_text import list_decisions, tell

    output = output_for(context, as_json)
    cores = jobs or cpu_count()
    if everything:
        refuse_given(context, "--all", {"number": "--game", "listed": "--moves", "html": "--html",
                                        "no_practice": "--no-practice"})
        review_all(output, "" if record is None else str(record), Whose(seat, name), last, depth_named(depth or FAST),
                   cores, trust, quiet=quiet)
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
