"""A review on the screen: the curve of the win, the seats, and the turns that decided the game."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from sfida.ai.review import words
from sfida.ai.review.glance import Glance
from sfida.ai.review.model import Review, TurningPoint
from sfida.ai.review.positions import Played
from sfida.ai.review.summary import SeatSummary, summaries
from sfida.cli import show
from sfida.cli.output import Output, number, percent, simple_table
from sfida.cli.text import Text, sentence
from sfida.engines.drawing.braille import DotCanvas
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.wording import counted

_WIDEST = 72            # columns of the curve
_MARGIN = 8             # columns left of it
_TALL, _LOW = 5, 2      # rows of the curve with two seats, and of each with more
_BOARD = 18             # lines of a board
_PAGE = 100             # columns of a paragraph, at most
_HEAD = 12              # columns for what stands before one


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
    """Return what a seat is told right after a game: its luck, and its worst move."""
    return [show.seat_text(game, seat).append(f", {said}") for said in words.glance_words(found, seat)]


def list_decisions(output: Output, game: Game, review: Review, seat: int | None = None) -> None:
    """Print every decision with its loss."""
    table = simple_table(_("move"), _("seat"), _("played"), _("loss %"), _("from"), _("to"), "", _("better"),
                         right=(_("move"), _("loss %"), _("from"), _("to")))
    table.padding = (0, 1, 0, 0)
    for decision in review.decisions:
        verdict = decision.verdict
        if decision.forced or verdict is None or seat not in (None, decision.seat):
            continue
        low, high = (words.percentage(bound) for bound in verdict.interval)
        table.add_row(str(decision.ply + 1), show.seat_text(game, decision.seat), decision.move,
                      words.percentage(verdict.loss), low, high, _("mistake") if verdict.mistake else "",
                      verdict.best if verdict.loss else "")
    output.table(table)


def _curve(output: Output, game: Game, review: Review, seat: int | None) -> None:
    """Draw the share of the win over the game, with the numbers of the turns told below."""
    wide = max(10, min(_WIDEST, output.width - _MARGIN - 1))
    two = review.players == 2
    shown = [seat or 0] if two else list(range(review.players))
    for one in shown:
        rows = _TALL if two else _LOW
        canvas = DotCanvas(wide, rows)
        last = len(review.curve) - 1
        canvas.draw([(ply / max(1, last) * (wide - 0.51), (1.0 - row[one]) * (rows - 0.26))
                     for ply, row in enumerate(review.curve)])
        head = sentence(_("{seat}  share of the win, from {first} to {last}"), seat=show.seat_text(game, one),
                        first=percent(review.curve[0][one]), last=percent(review.curve[-1][one]))
        output.line(head)
        for row, dots in enumerate(canvas.lines()):
            level = {0: "100 %", rows - 1: "0 %"}.get(row, "50 %" if 2 * row == rows - 1 else "")
            output.line(Text(f"{level:>{_MARGIN - 2}} ", "dim").append("│", "dim").append(dots.rstrip()))
    if review.turns:
        output.line(Text(" " * (_MARGIN - 1)).append("│", "dim").append(_marks(review, wide), "bold"))
        output.wrapped(Text(_(words.MARKS), "dim"))
    output.line()


def _marks(review: Review, wide: int) -> str:
    """Return the numbers of the turns told, each below its place in the curve or as near as there is room."""
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
            f"{words.percentage(one.loss, 2)} ± {words.percentage(2 * one.error, 2)} %")
        table.add_row(show.seat_text(game, one.seat), number(one.judged), number(one.mistakes), loss,
                      "" if one.accuracy is None else f"{one.accuracy:.1f}")
    output.table(table)
    output.wrapped(Text(_(words.ACCURACY), "dim"))
    output.line()


def _parts(output: Output, game: Game, review: Review, held: Sequence[SeatSummary]) -> None:
    shown = words.shown_parts(review, held)
    columns = (_("start"), *map(words.part_name, shown), _("result"))
    table = simple_table(_("% of the win"), *columns, right=columns)
    table.padding = (0, 1, 0, 0)
    for one in held:
        cells = [words.percentage(words.part_of(one.parts, name), sign=True) for name in shown]
        table.add_row(show.seat_text(game, one.seat), words.percentage(one.start), *cells,
                      words.percentage(one.result))
    output.table(table)
    output.wrapped(Text(_("{parts}. They add up.").format(parts=words.parts_explained(shown)), "dim"))


def _turn(output: Output, played: Played, review: Review, place: int, point: TurningPoint) -> None:
    game, state = played.game, played.events[point.at].before
    show.rule(output, Text().append(f"{place}  ", "bold").append_text(show.seat_text(game, point.seat)).append(
        f", {words.moment(point, review)}"))
    output.raw(game.low_board_text(state, _BOARD, seat=point.seat, color=output.color, width=output.width))
    decision = next(decision for decision in review.decisions if decision.ply == point.at)
    if decision.about:
        _told(output, _("to decide"), decision.about)
    _told(output, _("played"), words.move_words(point.played))
    if point.better:
        _told(output, _("better"), words.move_words(point.better))
    _told(output, _("loss"), words.verdict_words(point))
    for why in words.why_words(game, point):
        _told(output, _("why"), why)
    output.line()


def _told(output: Output, head: str, text: str) -> None:
    """Print a paragraph behind its heading."""
    room = min(output.width, _PAGE) - _HEAD
    for part in textwrap.wrap(text, room, break_on_hyphens=False) or [""]:
        output.line(Text().append(f"{head:>{_HEAD - 2}}  ", "dim").append(part))
        head = ""
