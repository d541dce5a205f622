"""`sfida review --all`: all games of a person reviewed together, and the practice deck that collects the mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from sfida.ai import archive
from sfida.ai.agent import PERSON
from sfida.ai.archive import DATE, kept_games, reviewable, seat_of
from sfida.ai.review import page
from sfida.ai.review.career import Career, Change, Cost, Reviewed, career_of
from sfida.ai.review.model import Depth, Review
from sfida.ai.review.practice import Deck, deck_file
from sfida.ai.review.reviewing import kept_review, review_cache
from sfida.cli import show
from sfida.cli.errors import Failure, Interrupted
from sfida.cli.file_options import names_a_record
from sfida.cli.lines import Trust
from sfida.cli.output import Output, Text, simple_table
from sfida.cli.progress import TournamentLine
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.drawing.terminal import DotCanvas
from sfida.engines.language import N_, _, counted, language, ngettext, pgettext, speaking
from sfida.engines.records import GameRecord, read_each
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec, quoted

# ---- `sfida review --all`: all games of a person reviewed together: the trend, and the most expensive mistakes

_GAMES, _KINDS = 12, 8          # maximum number of lines in the tables
_WIDEST, _TALL = 64, 3          # columns and rows of the curve
_MARGIN = 8                     # columns to the left of the curve
_TITLES = {"accuracy": N_("accuracy"), "loss": N_("loss each, %"), "luck": N_("luck, %")}


@dataclass(frozen=True)
class PlayerFilter:
    """The player whose games are reviewed.

    Attributes
    ----------
    seat : int or None
        The person's seat in every game; None: the seat with the name.
    name : str
        The person's name in the records.
    """

    seat: int | None = None
    name: str = PERSON


def review_all(output: Output, what: str, player: PlayerFilter, last: int | None, depth: Depth, jobs: int,
               trust: Trust, *, quiet: bool) -> None:
    """Review the games of a person and print the results for all of them together.

    Parameters
    ----------
    output : Output
    what : str
        Name of a game, or path of a file of records; "": all kept games.
    player : PlayerFilter
    last : int or None
        Review only the last few records of each game; None: all.
    depth : Depth
    jobs : int
        Worker processes.
    trust : Trust
    quiet : bool
        Show no progress.

    Raises
    ------
    Failure
        If there is nothing to review.
    Interrupted
        On Ctrl-C; finished reviews are shown, and kept.
    """
    chosen = list(_chosen(output, what, player, trust))
    names = dict.fromkeys(parse_spec(record.game)[0] for record, _ in chosen)
    chosen = [pair for name in names for pair in _latest(chosen, name, last)]
    if not chosen:
        raise Failure(_nothing(what, player))
    done: list[Reviewed] = []
    interrupted = False
    with TournamentLine(output, quiet) as line:
        try:
            for number, (record, seat) in enumerate(chosen, start=1):
                title = _("game {number} of {all}").format(number=number, all=len(chosen))
                found = _review(output, record, seat, depth, jobs, line, title)
                if not output.live:
                    line.count(N_("reviewed"), number, len(chosen), N_("games"))
                done += [] if found is None else [Reviewed(str(record.extra.get(DATE, "")), seat, found)]
        except KeyboardInterrupt:
            if not done:
                raise Interrupted(_("interrupted before a game was reviewed")) from None
            interrupted = True
    careers = [career_of(name, of_it) for name in names
               if (of_it := [one for one in done if parse_spec(one.review.game)[0] == name])]
    for career in careers:
        if output.json:
            output.emit({**career.to_json(), "depth": depth.name})
        else:
            tell(output, career)
    if not careers:
        raise Failure(_("none of the games can be reviewed"))
    if not output.json:
        output.line(_("'sfida practice' asks you again where you went wrong."), "dim")
    if interrupted:
        raise Interrupted(_("interrupted after {done} of {games}; what was found is shown, and kept for the next time")
                          .format(done=len(done), games=counted(len(chosen), "game", "games")))


# ---- the games --------------------------------------------------------------------------------------


def _chosen(output: Output, what: str, player: PlayerFilter, trust: Trust) -> Iterable[tuple[GameRecord, int]]:
    """Yield the finished games of a person, each with the person's seat; note the games left out."""
    several = 0
    for found in _read(what):
        if isinstance(found, InvalidRecord):
            output.note(_("Left out: {reason}").format(reason=found))
            continue
        if not reviewable(found):
            continue
        seat = seat_of(found, player.seat, player.name)
        if seat is None:
            several += list(found.seats).count(player.name) > 1
            continue
        try:
            yield trust.record(found), seat
        except Failure as error:
            output.note(_("Left out: {reason}").format(reason=error.message))
    if several:
        output.note(_("{games} with several people left out: --seat says which seat is yours.").format(
            games=counted(several, "game", "games")))


def _read(what: str) -> Iterable[GameRecord | InvalidRecord]:
    if not what:
        return kept_games()
    return read_each(Path(what)) if names_a_record(what) else kept_games(make_game(what).name)


def _latest(chosen: Sequence[tuple[GameRecord, int]], name: str, last: int | None) -> Sequence[tuple[GameRecord, int]]:
    of_it = [pair for pair in chosen if parse_spec(pair[0].game)[0] == name]
    return of_it if last is None else of_it[-last:]


def _nothing(what: str, player: PlayerFilter) -> str:
    if what and names_a_record(what):
        return _("{file} holds no finished game with one seat named {name}; --seat or --name says whose").format(
            file=what, name=quoted(player.name))
    return (_("no finished game of yours is kept: play one first, such as: {command}").format(
        command=f"sfida play {what or 'carcassonne'}") if player == PlayerFilter() else _("no kept game has that seat"))


def _review(output: Output, record: GameRecord, seat: int, depth: Depth, jobs: int, line: TournamentLine,
            title: str) -> Review | None:
    """Return the kept review of a game or a new one; None, with a note, if the game cannot be reviewed."""
    spoken = language()

    def tell_progress(what: str, done: int, of: int, noun: str) -> None:
        if output.live:                 # elsewhere a line for each game is enough
            with speaking(spoken):
                line.count(f"{title}, {_(what)}", done, of, noun)

    def tell_unkept(error: OSError) -> None:
        output.note(_("The review is not kept: {folder}: {reason}").format(
            folder=review_cache().folder, reason=error.strerror))

    try:
        return kept_review(record, depth, seat=seat, jobs=jobs, on_progress=tell_progress, unkept=tell_unkept)
    except InvalidRecord as error:
        output.note(_("Left out: {reason}").format(reason=error))
        return None


# ---- text -------------------------------------------------------------------------------------------


def tell(output: Output, career: Career) -> None:
    """Print the results of all records of one game together."""
    title = make_game(career.games[-1].game).title
    show.rule(output, Text().append(_(title), "bold").append(f", {counted(len(career.games), 'game', 'games')}"))
    _games(output, career)
    _trend(output, career)
    _costs(output, _("phase"), career.phases, career.loss)
    _costs(output, _("kind of move"), career.kinds[:_KINDS], career.loss)
    output.wrapped(Text(_(page.ACCURACY), "dim"))
    output.line()


def _games(output: Output, career: Career) -> None:
    columns = (_("seats"), _("result"), _("luck"), _("loss each"), _("accuracy"), _("mistakes"))
    table = simple_table(pgettext("head of a column", "game"), *columns, right=columns)
    left_out = max(0, len(career.games) - _GAMES)
    for number, game in list(enumerate(career.games, start=1))[left_out:]:
        table.add_row(game.date or str(number), str(game.seats), f"{page.percentage(game.result, 0)} %",
                      f"{page.percentage(game.luck, sign=True)} %",
                      "" if game.loss is None else f"{page.percentage(game.loss, 2)} %",
                      "" if game.accuracy is None else f"{game.accuracy:.1f}",
                      _("{mistakes} of {decisions}").format(mistakes=game.mistakes, decisions=game.decisions))
    if left_out:
        output.line(ngettext("{games} not listed; they count below", "{games} not listed; they count below",
                             left_out).format(games=counted(left_out, "earlier game", "earlier games")), "dim")
    output.table(table)
    output.line()


def _trend(output: Output, career: Career) -> None:
    """Draw the accuracy from game to game, and compare the first half of the games with the second."""
    if not career.changes:
        return
    found = [game.accuracy for game in career.games if game.accuracy is not None]
    low, high = min(found), max(found)
    span = max(high - low, 1.0)
    wide = max(10, min(_WIDEST, output.width - _MARGIN - 1))
    canvas = DotCanvas(wide, _TALL)
    canvas.draw([(number / (len(found) - 1) * (wide - 0.51), (high - value) / span * (_TALL - 0.26))
                 for number, value in enumerate(found)])
    output.line(_("accuracy from game to game"), "bold")
    for row, dots in enumerate(canvas.lines()):
        level = {0: f"{high:.1f}", _TALL - 1: f"{high - span:.1f}"}.get(row, "")
        output.line(Text(f"{level:>{_MARGIN - 2}} ", "dim").append("│", "dim").append(dots.rstrip()))
    half = len(found) // 2
    columns = (_("first {number}").format(number=half), _("last {number}").format(number=len(found) - half),
               _("change"))
    table = simple_table(_("mean of the games"), *columns, "", right=columns)
    for change in career.changes:
        table.add_row(_(_TITLES[change.what]), *_cells(change), _judgement(change))
    output.table(table)
    output.line()


def _cells(change: Change) -> list[str]:
    scale = 1.0 if change.what == "accuracy" else 100.0
    digits = 2 if change.what == "loss" else 1
    earlier, later, doubt = (scale * value for value in (change.earlier, change.later, 2.0 * change.error))
    return [f"{earlier:.{digits}f}", f"{later:.{digits}f}", f"{later - earlier:+.{digits}f} ± {doubt:.{digits}f}"]


def _judgement(change: Change) -> str:
    """Return the meaning of a change in words; more luck is not called better."""
    if not change.clear:
        return _("no clear change")
    if change.what == "luck":
        return _("more luck") if change.later > change.earlier else _("less luck")
    return _("better") if (change.later > change.earlier) == (change.what == "accuracy") else _("worse")


def _costs(output: Output, head: str, costs: Sequence[Cost], all_of_it: float) -> None:
    if not costs:
        return
    columns = (_("decisions"), _("mistakes"), _("loss each"), _("of all loss"))
    table = simple_table(head, *columns, right=columns)
    for cost in costs:
        share = cost.loss / all_of_it if all_of_it else 0.0
        table.add_row(_(cost.title), str(cost.decisions), str(cost.mistakes),
                      f"{page.percentage(cost.each, 2)} ± {page.percentage(2 * cost.error / cost.decisions, 2)} %",
                      f"{page.percentage(share, 0)} %")
    output.table(table)
    output.line()


# ---- The practice deck in the state folder, and the mistakes that reviews add to it


def gather(output: Output, deck: Deck, name: str | None, seat: int | None, today: date) -> int:
    """Add the mistakes in reviewed games to the deck, and return the number of games without a review."""
    return len(deck.gather(name, seat, today, lambda error: output.note(_("Left out: {error}").format(error=error))))


def persons_seat(seats: Sequence[str], seat: int | None) -> int | None:
    """Return the seat of the person whose mistakes a review of one seat, or of all (None), adds to the deck.

    None if the review covers no person, or several.
    """
    people = [number for number, who in enumerate(seats) if who == PERSON and seat in (None, number)]
    return people[0] if len(people) == 1 else None


def practise_later(output: Output, record: GameRecord, seat: int, depth: Depth, review: Review) -> None:
    """Add a person's mistakes in a game that was just reviewed to the deck, and report this in one line.

    Nothing is added if the deck holds a review of the game that is at least as deep. An error of the deck is reported.
    """
    cache = review_cache()
    try:
        with Deck.changing(deck_file()) as deck:
            new = None if deck.knows(cache, record, seat, depth) else deck.take(
                cache.key(record, seat, depth), record, seat, review, archive.today())
    except InvalidRecord as error:
        output.complain(_("{error}; 'sfida practice' will not know of this game").format(error=error))
        return
    if new is None:
        output.note(_("'sfida practice' knows this game already."))
    elif new:
        output.note(ngettext("{number} mistake of yours comes back in 'sfida practice'.",
                             "{number} mistakes of yours come back in 'sfida practice'.", new).format(number=new))
    else:
        output.note(_("No mistake of yours cost so much that it comes back in 'sfida practice'."))
