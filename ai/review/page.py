"""A review as a page: one HTML file with everything, without scripts, light and dark, for screens of any width."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.ai.arena.report.markup import Column, escaped, fixed, lines, picture, table
from sfida.ai.arena.report.style import STYLE, WITHOUT_SCRIPT
from sfida.ai.review import words
from sfida.ai.review.graph import STYLE as GRAPH_STYLE
from sfida.ai.review.graph import graph
from sfida.ai.review.inks import STYLE as INKS_STYLE
from sfida.ai.review.inks import seat_colour
from sfida.ai.review.model import Decision, Review, TurningPoint
from sfida.ai.review.positions import Played
from sfida.ai.review.summary import SeatSummary, summaries
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.language import _, language, ngettext
from sfida.engines.records import sfida_version

_STYLE = """
dl.told{display:grid;grid-template-columns:auto 1fr;gap:4px 12px;margin:0 0 12px;align-items:baseline}
dl.told dt{color:var(--muted);font-size:13px}
dl.told dd{margin:0;overflow-wrap:anywhere}
article.final p.line{font-size:13px}
td.wraps.c-text{overflow-wrap:anywhere}
@media screen and (max-width:640px){table.stacks td:empty{display:none}}
""" + INKS_STYLE + GRAPH_STYLE


def page(played: Played, review: Review, seat: int | None = None) -> str:
    """Return a review as an HTML document.

    Parameters
    ----------
    played : Played
        The game.
    review : Review
        Of this game.
    seat : int, optional
        The seat that it is for; all by default.
    """
    held = [summary for summary in summaries(review) if seat in (None, summary.seat)]
    title = escaped(_("Review of a game of {game}").format(game=_(played.game.title)))
    judged, of = review.judged
    short = escaped(_("The review was cut short: {judged} of {decisions} are judged.").format(
        judged=judged, decisions=_counted_decisions(of)))
    cut = "" if review.complete else f'<div class="verdict"><p>{short}</p></div>\n'
    sections = [
        (_("The win over the game"), graph(played.game, review, None if review.players > 2 else seat or 0) +
         f'<p class="small muted">{escaped(_(words.CURVE))} {escaped(_(words.MARKS))}</p>'),
        (_("Seats"), _seats(played.game, held)), (_("What made the result"), _parts(played.game, review, held)),
        (_("The turns that decided the game"), "".join(_turn(played, review, number, point)
                                                    for number, point in enumerate(review.turns, start=1))
         or f'<p>{_("No turn stands out.")}</p>'),
        (_("Every decision"), _decisions(review, seat)),
    ]
    body = "\n".join(f"<section><h2>{head}</h2>\n{text}\n</section>" for head, text in sections)
    return (f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escaped(WITHOUT_SCRIPT)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}{_STYLE}</style>\n</head>\n<body>\n"
            f'<header class="top"><h1>{title}</h1>\n{_facts(played, review)}\n{cut}</header>\n'
            f"<main>\n{body}\n</main>\n</body>\n</html>\n")


def _facts(played: Played, review: Review) -> str:
    judged, of = review.judged
    facts = [(_("Game"), review.game), (_("Seats"), ", ".join(
        f"{name} {agent}" for name, agent in zip(review.names, review.agents or ("",) * review.players, strict=True))),
        (_("Moves"), str(review.plies)), (_("Judged"), _("{judged} of {decisions}").format(
            judged=judged, decisions=_counted_decisions(of))),
        (_("Depth"), f"{review.depth}, {_iterations(review)}"),
        (_("Version"), f"sfida {sfida_version()}")]
    if played.record.seed is not None:
        facts.insert(3, (_("Seed"), str(played.record.seed)))
    items = "".join(f"<div><dt>{name}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{items}</dl>'


def _named(game: Game, one: SeatSummary) -> str:
    return f'<span class="agent" style="--mark:{seat_colour(game, one.seat)}">{escaped(one.name)}</span>'


def _seats(game: Game, held: Sequence[SeatSummary]) -> str:
    columns = [Column(_("seat"), "row"), Column(_("played by"), "text"), Column(_("decisions")), Column(_("mistakes")),
               Column(_("loss each")), Column(_("accuracy"))]
    rows = []
    for one in held:
        loss = "–" if one.loss is None or one.error is None else (
            f"{words.percentage(one.loss, 2)}\u202f±\u202f{words.percentage(2 * one.error, 2)}\u202f%")
        rows.append([_named(game, one), f'<td class="c-text wraps">{escaped(one.agent)}</td>',
                     str(one.judged), str(one.mistakes), loss, "–" if one.accuracy is None else f"{one.accuracy:.1f}"])
    return (table(columns, rows, _("Seats")) + f'<p class="small muted">{escaped(_(words.ACCURACY))} '
            f'{_("Source: lichess.org/page/accuracy.")}</p>')


def _parts(game: Game, review: Review, held: Sequence[SeatSummary]) -> str:
    shown = words.shown_parts(review, held)
    columns = [Column(_("% of the win"), "row"), Column(_("start")), *map(Column, map(words.part_name, shown)),
               Column(_("result"))]
    rows = [[_named(game, one), words.percentage(one.start),
             *(words.percentage(words.part_of(one.parts, name), sign=True) for name in shown),
             words.percentage(one.result)] for one in held]
    said = words.parts_explained(shown)
    return table(columns, rows, _("Parts")) + (
        f'<p class="small muted">{escaped(_("{parts}. They add up.").format(parts=said))}</p>')


def _turn(played: Played, review: Review, number: int, point: TurningPoint) -> str:
    game, state = played.game, played.events[point.at].before
    decision = next(one for one in review.decisions if one.ply == point.at)
    told = [(_("to decide"), decision.about)] if decision.about else []
    told.append((_("played"), words.move_words(point.played)))
    if point.better:
        told.append((_("better"), words.move_words(point.better)))
    told += [(_("loss"), words.verdict_words(point)), *((_("why"), why) for why in words.why_words(game, point))]
    items = "".join(f"<dt>{head}</dt><dd>{escaped(text)}</dd>" for head, text in told)
    expected = "".join(
        f'<p class="line"><span class="muted">{escaped(_("expected with {move}:").format(move=line[0].move))}</span> '
        f"{escaped('; '.join(words.line_words(game, line)))}</p>" for line in (point.better, point.played) if line)
    name = review.names[point.seat]
    head = f"{number}. {name}, {words.moment(point, review)}"
    return (f'<article class="final" id="turn-{number}"><header><h3>{escaped(head)}</h3></header>'
            f"<div>{_board(game, state, point.seat, number, name)}</div>"
            f'<div><dl class="told">{items}</dl>{expected}</div></article>')


def _board(game: Game, state: GameState, seat: int, number: int, name: str) -> str:
    """Return the board before a turn, as its seat saw it."""
    alt = _("Board before turn {number}, as {seat} saw it").format(number=number, seat=name)
    if type(game).board_svg is Game.board_svg:          # the default is the text, only smaller
        return f'<pre class="textboard" aria-label="{escaped(alt)}">{lines(game.board_text(state, seat=seat))}</pre>'
    drawn = picture(game.board_svg(state, seat=seat), f"turn-{number}-", alt)
    return f'<div class="paperboard" role="group" aria-label="{escaped(alt)}">{drawn}</div>'


def _decisions(review: Review, seat: int | None) -> str:
    columns = [Column(_("move")), Column(_("seat"), "text"), Column(_("played"), "row"), Column(_("loss, %")),
               Column(_("from")), Column(_("to")), Column(_("verdict"), "text"), Column(_("better"), "text")]
    rows = [_row(review, one) for one in review.decisions
            if not one.forced and one.verdict is not None and seat in (None, one.seat)]
    listed = table(columns, rows, _("Every decision that was judged"))
    return f"<details><summary>{_counted_decisions(len(rows))}</summary>{listed}</details>"


def _row(review: Review, decision: Decision) -> list[str]:
    verdict = decision.verdict
    assert verdict is not None
    low, high = verdict.interval
    said = decision.move if decision.words == decision.move else f"{decision.move}: {decision.words}"
    return [str(decision.ply + 1), escaped(review.names[decision.seat]), escaped(said), words.percentage(verdict.loss),
            words.percentage(low), words.percentage(high), _("mistake") if verdict.mistake else "",
            escaped(verdict.best) if verdict.loss else ""]


def _counted_decisions(number: int) -> str:
    return f"{fixed(number)} {ngettext('decision', 'decisions', number)}"


def _iterations(review: Review) -> str:
    return f"{fixed(review.iterations)} {ngettext('iteration', 'iterations', review.iterations)}"
