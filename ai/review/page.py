"""A review in words, and as a page: one HTML file without scripts, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sfida.ai.analysis import Ply
from sfida.ai.luck.chart import LuckChart, LuckEvent, luck_charts
from sfida.ai.report.html import STYLE, WITHOUT_SCRIPT, Column, escaped, fixed, lines, picture, table
from sfida.ai.review.judge import Played
from sfida.ai.review.model import Decision, Parts, Review, SeatSummary, TurningPoint, summaries
from sfida.ai.review.reviewing import Glance
from sfida.cython_ext.state import GameState
from sfida.engines.drawing.svg import num
from sfida.engines.game import Game, Notation
from sfida.engines.language import N_, _, in_english, language, ngettext
from sfida.engines.records import sfida_version

# ---- A review in words, for the screen and for the page

CURVE = N_("The win probability of each seat, by the arena's value function, which knows everything hidden.")
MARKS = N_("From left to right: the moves of the game. The numbers mark the turns that decided it, shown "
           "below.")
LUCK = N_("Bars: what came. Marks: what was to be expected, on a line over two standard deviations.")
ACCURACY = N_("Loss: win share given away by a decision against the best move, by what the seat knew, ± twice "
              "its uncertainty. Accuracy, 0 to 100: mean over the decisions of 103.17 exp(-0.0435 loss in %) - 3.17, "
              "the formula of Lichess. Decisions with one legal move do not count.")
# The parts of a result: the head of the column, and the definition.
PARTS = {
    "luck": (N_("luck"), N_("what chance was worth, by the arena's one definition")),
    "own": (N_("own"), N_("what the seat's own moves lost")),
    "gifts": (N_("gifts"), N_("what the moves that others lost by brought it")),
    "hidden": (N_("hidden"), N_("what moves changed because their seats could not know what was hidden")),
    "judgement": (N_("judgement"), N_("what the estimates leave unexplained")),
    "unjudged": (N_("unjudged"), N_("what decisions changed that were not judged")),
}


def part_name(name: str) -> str:
    """Return the head of a part's column."""
    return _(PARTS[name][0])


def parts_explained(names: Iterable[str]) -> str:
    """Return the definitions of some parts in one line."""
    return "; ".join(f"{_(PARTS[name][0])}: {_(PARTS[name][1])}" for name in names)


def shown_parts(review: Review, seats: Iterable[SeatSummary]) -> list[str]:
    """Return the names of the parts that need a column: fewer if there are no secrets, or if all is judged."""
    held = list(seats)
    return [name for name in PARTS if not (name == "hidden" and not review.hidden)
            and not (name == "unjudged" and all(getattr(one.parts, name) == 0.0 for one in held))]


def part_of(parts: Parts, name: str) -> float:
    """Return a part by its name."""
    value: float = getattr(parts, name)
    return value


def percentage(share: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return a share in percentage points; a value that rounds to zero has no sign."""
    value = round(100 * share, digits) + 0.0
    return f"{value:{'+' if sign and value else ''}.{digits}f}"


def moment(point: TurningPoint, review: Review) -> str:
    """Return the time of a turn in words, such as "move 41 of 175"."""
    return _("move {number} of {all}").format(number=point.at + 1, all=review.plies)


def verdict_words(point: TurningPoint) -> str:
    """Return the loss of a turn in words."""
    low, high = max(0.0, point.loss - 2 * point.error), min(1.0, point.loss + 2 * point.error)
    if not point.better:
        return _("no better move was found; the turn changed the win by {change} %").format(
            change=percentage(point.swing, sign=True))
    said = (_("it cost {loss} % of win probability ({low} to {high})") if point.loss > 2 * point.error else
            _("it may have cost {loss} % of win probability ({low} to {high})"))
    return said.format(loss=percentage(point.loss), low=percentage(low), high=percentage(high))


def move_words(plies: Sequence[Ply]) -> str:
    """Return the first move of a line in notation and in words."""
    if not plies:
        return ""
    first = plies[0]
    return first.move if first.words == first.move else f"{first.move}: {first.words}"


def why_words(game: Notation, point: TurningPoint, played: str = "") -> list[str]:
    """Return why the other move is better: the changes by each move, and the answer that refutes the one played.

    `played` names the move played; "" for "the move played".
    """
    told = []
    if point.better:
        speaks = "; ".join([*point.reasons.for_and_against, *point.reasons.answered])
        if speaks:
            told.append(_("the better move: {reasons}").format(reasons=speaks))
    speaks = "; ".join([*point.against.for_and_against, *point.against.answered])
    if speaks:
        told.append(f"{played or _('the move played')}: {speaks}")
    if point.answer is not None:
        line, reply = point.played[:point.answer], point.played[point.answer]
        words = "" if reply.words == reply.move else f": {reply.words}"
        told.append(_("after {moves}, {seat} answers {reply}").format(
            moves=" ".join(ply.move for ply in line), seat=game.seat_name(reply.seat), reply=f"{reply.move}{words}"))
    return told


def line_words(game: Notation, plies: Sequence[Ply]) -> list[str]:
    """Return the events of a line, each with its actor."""
    return [f"{_('chance') if ply.seat < 0 else game.seat_name(ply.seat)}: {ply.words}" for ply in plies]


def glance_words(found: Glance, seat: int) -> list[str]:
    """Return the text about a seat right after a game, without its name: its luck, and its worst move."""
    luck = (_("luck: not measured in so short a time") if found.luck is None else
            _("luck: {luck} % of win probability").format(luck=percentage(found.luck[seat], 0, sign=True)))
    if seat not in found.worst:
        return [luck, _("worst turn: a first look found no mistake")]
    event, verdict = found.worst[seat]
    return [luck, _("worst turn: move {number}, {move}: {best} was better by {loss} % of win probability").format(
        number=event.ply + 1, move=event.before.format(event.move), best=verdict.best,
        loss=percentage(verdict.loss, 0))]


# ---- Colours of the seats, on light and on dark paper

# Colours by the names of seats: on light and on dark paper, with a contrast of at least 3 : 1.
NAMED = {
    "red": ("#c62828", "#f0625d"), "blue": ("#1f5fbf", "#6fa8f5"), "yellow": ("#a67c00", "#e6c34a"),
    "green": ("#2e7d32", "#62c26a"), "black": ("#1c2024", "#98a2ad"), "white": ("#858e97", "#f2f4f6"),
    "orange": ("#c75b00", "#f39a3e"), "purple": ("#8e24aa", "#cf8ae6"),
}
_OTHERS = ("red", "blue", "yellow", "green", "purple", "orange")        # seats with other names


def _variables(scheme: int) -> str:
    return f":root{{{';'.join(f'--seat-{name}:{pair[scheme]}' for name, pair in NAMED.items())}}}"


INKS_STYLE = f"""
{_variables(0)}
@media screen and (prefers-color-scheme:dark){{{_variables(1)}}}
"""


def seat_colour(game: Notation[Any], seat: int) -> str:
    """Return the CSS colour of a seat: the colour in its name, or otherwise one by its number."""
    return f"var(--seat-{_ink(game, seat)})"


def inks(game: Notation[Any], seat: int) -> tuple[str, str]:
    """Return the colours of a seat on light and on dark paper."""
    return NAMED[_ink(game, seat)]


def _ink(game: Notation[Any], seat: int) -> str:
    known = in_english(game.seat_name, seat).strip().lower()
    return known if known in NAMED else _OTHERS[seat % len(_OTHERS)]


# ---- A drawing of the win probability over the game, with lines that scale and letters that do not

_WIDE, _HIGH = 1000.0, 100.0
_DASHES = ("", "9 4", "2 3", "12 3 2 3", "5 3", "1 4")      # for readers who do not see colours
_APART, _ROW = 8.0, 24          # least distance of numbers in a row, in % of the width; height of a row in pixels

GRAPH_STYLE = """
.graph{margin:0 0 10px}
.graph .plot{position:relative;margin:8px 10px 0 46px;height:clamp(150px,32vw,260px)}
.graph svg{display:block;width:100%;height:100%;max-width:none}
.graph .level,.graph .turn{position:absolute;font-size:12px;color:var(--muted);line-height:1}
.graph .level{right:100%;margin-right:8px;transform:translateY(-50%);white-space:nowrap}
.graph .turn{min-width:20px;padding:6px 0;text-align:center;transform:translateX(-50%);color:var(--link);
 font-weight:650}
.graph ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;padding:0;margin:0}
.graph svg.swatch{display:inline-block;width:28px;height:8px;margin-right:6px;vertical-align:middle}
"""


def graph(game: Game, review: Review, only: int | None = None) -> str:
    """Return the curve of each seat, or of one, as part of a page, with the numbers of the described turns."""
    seats = range(review.players) if only is None else (only,)
    last = max(1, len(review.curve) - 1)
    drawn = []
    for level in (0, 25, 50, 75, 100):
        drawn.append(f'<line x1="0" x2="{num(_WIDE)}" y1="{level}" y2="{level}" style="stroke:var(--rule)" '
                     'vector-effect="non-scaling-stroke"/>')
    for point in review.turns:
        x = num(point.at / last * _WIDE)
        drawn.append(f'<line x1="{x}" x2="{x}" y1="0" y2="{num(_HIGH)}" style="stroke:var(--link)" '
                     'stroke-dasharray="3 3" vector-effect="non-scaling-stroke"/>')
    for place, seat in enumerate(seats):
        points = " ".join(f"{num(ply / last * _WIDE)},{num((1.0 - row[seat]) * _HIGH)}"
                          for ply, row in enumerate(review.curve))
        drawn.append(f'<polyline points="{points}" {_line(game, seat, place)} stroke-linejoin="round" '
                     'vector-effect="non-scaling-stroke"/>')
    levels = "".join(f'<span class="level" style="top:{100 - level}%">{level}\u202f%</span>'
                     for level in (0, 50, 100))
    places = [100.0 * point.at / last for point in review.turns]
    rows = rows_of(places)
    turns = "".join(f'<a class="turn" href="#turn-{number}" style="left:{x:.1f}%;top:calc(100% + {_ROW * row}px)">'
                    f"{number}</a>" for number, (x, row) in enumerate(zip(places, rows, strict=True), start=1))
    below = _ROW * (max(rows, default=-1) + 1) + 8
    names = "".join(f'<li><svg class="swatch" viewBox="0 0 28 8" aria-hidden="true"><line x1="0" x2="28" y1="4" y2="4" '
                    f"{_line(game, seat, place)}/></svg>{escaped(_from_to(review, seat))}</li>"
                    for place, seat in enumerate(seats))
    said = escaped(_("Win probability of {seats} over the game").format(
        seats=", ".join(review.names[seat] for seat in seats)))
    return (f'<figure class="graph"><div class="plot" style="margin-bottom:{below}px">{levels}'
            f'<svg viewBox="0 0 {num(_WIDE)} {num(_HIGH)}" preserveAspectRatio="none" role="img" '
            f'aria-label="{said}">{"".join(drawn)}</svg>{turns}</div>'
            f"<ul>{names}</ul></figure>")


def _from_to(review: Review, seat: int) -> str:
    return _("{seat}: from {first:.0f} to {last:.0f}\u202f%").format(
        seat=review.names[seat], first=100 * review.curve[0][seat], last=100 * review.curve[-1][seat])


def rows_of(places: Sequence[float]) -> list[int]:
    """Return the row of each number, from 0 at the top, so that no number covers another.

    Parameters
    ----------
    places : sequence of float
        Positions of the numbers in % of the width, in ascending order.
    """
    ends: list[float] = []                      # left end of the free space in each row
    found = []
    for place in places:
        row = next((row for row, end in enumerate(ends) if place >= end), len(ends))
        ends[row:row + 1] = [place + _APART]
        found.append(row)
    return found


def _line(game: Game, seat: int, place: int) -> str:
    """Return the attributes of a seat's line, which has the index `place` among the lines."""
    dashes = f' stroke-dasharray="{_DASHES[place % len(_DASHES)]}"' if place else ""
    return f'style="stroke:{seat_colour(game, seat)}" fill="none" stroke-width="2"{dashes}'


# ---- The page: one HTML file with everything, without scripts

_STYLE = """
dl.told{display:grid;grid-template-columns:auto 1fr;gap:4px 12px;margin:0 0 12px;align-items:baseline}
dl.told dt{color:var(--muted);font-size:13px}
dl.told dd{margin:0;overflow-wrap:anywhere}
article.final p.line{font-size:13px}
td.wraps.c-text{overflow-wrap:anywhere}
.luckcharts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));gap:0 32px}
.luckchart{max-width:440px}
.luckchart svg{display:block;width:100%;height:auto}
@media screen and (max-width:640px){table.stacks td:empty{display:none}}
""" + INKS_STYLE + GRAPH_STYLE


def page(played: Played, review: Review, seat: int | None = None) -> str:
    """Return a review as an HTML document.

    Parameters
    ----------
    played : Played
        The game.
    review : Review
        Review of this game.
    seat : int, optional
        The reader's seat; by default the page is for all seats.
    """
    held = [summary for summary in summaries(review) if seat in (None, summary.seat)]
    title = escaped(_("Review of a game of {game}").format(game=_(played.game.title)))
    judged, of = review.judged
    short = escaped(_("The review was cut short: {judged} of {decisions} are judged.").format(
        judged=judged, decisions=_counted_decisions(of)))
    cut = "" if review.complete else f'<div class="verdict"><p>{short}</p></div>\n'
    sections = [
        (_("Win probability over the game"), graph(played.game, review, None if review.players > 2 else seat or 0) +
         f'<p class="small muted">{escaped(_(CURVE))} {escaped(_(MARKS))}</p>'),
        (_("Seats"), _seats(played.game, held)), (_("What made the result"), _parts(played.game, review, held)),
        (_("The turns that decided the game"), "".join(_turn(played, review, number, point)
                                                    for number, point in enumerate(review.turns, start=1))
         or f'<p>{_("No turn stands out.")}</p>'),
        (_("Dice and draws"), _luck(played)), (_("Every decision"), _decisions(review, seat)),
    ]
    body = "\n".join(f"<section><h2>{head}</h2>\n{text}\n</section>" for head, text in sections if text)
    return (f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escaped(WITHOUT_SCRIPT)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}{_STYLE}</style>\n</head>\n<body>\n"
            f'<header class="top"><h1>{title}</h1>\n{_facts(played, review)}\n{cut}</header>\n'
            f"<main>\n{body}\n</main>\n</body>\n</html>\n")


def charts_of(played: Played) -> list[LuckChart]:
    """Return the charts of all dice and draws of a finished game."""
    def events() -> Iterator[LuckEvent]:
        for event in played.events:
            after = event.before.clone()
            after.apply(event.move)
            yield event.before, event.move, after

    return luck_charts(played.game, events(), None, everything=True)


def _luck(played: Played) -> str:
    """Return the charts of dice and draws, with the same numbers as tables; "" if nothing was drawn."""
    def chart_of(chart: LuckChart) -> str:
        columns = [Column(escaped(_("outcome")), "row"), Column(escaped(_("came"))), Column(escaped(_("expected"))),
                   Column("±")]
        rows = [[escaped(bar.words), f"{bar.seen:g}", f"{bar.expected:.1f}", f"{2 * bar.spread:.1f}"]
                for bar in chart.bars]
        return (f'<div class="luckchart"><h3>{escaped(chart.title)}</h3>{chart.svg}<details><summary>'
                f"{escaped(_('As a table'))}</summary>{table(columns, rows, escaped(chart.title))}</details></div>")

    drawn = "".join(map(chart_of, charts_of(played)))
    return drawn and f'<div class="luckcharts">{drawn}</div><p class="small muted">{escaped(_(LUCK))}</p>'


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
            f"{percentage(one.loss, 2)}\u202f±\u202f{percentage(2 * one.error, 2)}\u202f%")
        rows.append([_named(game, one), f'<td class="c-text wraps">{escaped(one.agent)}</td>',
                     str(one.judged), str(one.mistakes), loss, "–" if one.accuracy is None else f"{one.accuracy:.1f}"])
    return (table(columns, rows, _("Seats")) + f'<p class="small muted">{escaped(_(ACCURACY))} '
            f'{_("Source: lichess.org/page/accuracy.")}</p>')


def _parts(game: Game, review: Review, held: Sequence[SeatSummary]) -> str:
    shown = shown_parts(review, held)
    columns = [Column(_("win probability, %"), "row"), Column(_("start")), *map(Column, map(part_name, shown)),
               Column(_("result"))]
    rows = [[_named(game, one), percentage(one.start),
             *(percentage(part_of(one.parts, name), sign=True) for name in shown),
             percentage(one.result)] for one in held]
    said = parts_explained(shown)
    return table(columns, rows, _("Parts")) + (
        f'<p class="small muted">{escaped(_("{parts}. They add up.").format(parts=said))}</p>')


def _turn(played: Played, review: Review, number: int, point: TurningPoint) -> str:
    game, state = played.game, played.events[point.at].before
    decision = next(one for one in review.decisions if one.ply == point.at)
    told = [(_("to decide"), decision.about)] if decision.about else []
    told.append((_("played"), move_words(point.played)))
    if point.better:
        told.append((_("better"), move_words(point.better)))
    told += [(_("loss"), verdict_words(point)), *((_("why"), why) for why in why_words(game, point))]
    items = "".join(f"<dt>{head}</dt><dd>{escaped(text)}</dd>" for head, text in told)
    expected = "".join(
        f'<p class="line"><span class="muted">{escaped(_("expected with {move}:").format(move=line[0].move))}</span> '
        f"{escaped('; '.join(line_words(game, line)))}</p>" for line in (point.better, point.played) if line)
    name = review.names[point.seat]
    head = f"{number}. {name}, {moment(point, review)}"
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
    return [str(decision.ply + 1), escaped(review.names[decision.seat]), escaped(said), percentage(verdict.loss),
            percentage(low), percentage(high), _("mistake") if verdict.mistake else "",
            escaped(verdict.best) if verdict.loss else ""]


def _counted_decisions(number: int) -> str:
    return f"{fixed(number)} {ngettext('decision', 'decisions', number)}"


def _iterations(review: Review) -> str:
    return f"{fixed(review.iterations)} {ngettext('iteration', 'iterations', review.iterations)}"
