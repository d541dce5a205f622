"""The win over the game as a drawing for the page: lines that scale, with letters that do not."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.ai.arena.report.markup import escaped
from sfida.ai.review.inks import seat_colour
from sfida.ai.review.model import Review
from sfida.engines.drawing.elements import num
from sfida.engines.game import Game
from sfida.engines.language import _

_WIDE, _HIGH = 1000.0, 100.0
_DASHES = ("", "9 4", "2 3", "12 3 2 3", "5 3", "1 4")      # of the seats' lines: nothing is told by colour alone
_APART, _ROW = 8.0, 24          # % of the width that numbers in a row are apart at least; pixels of a row

STYLE = """
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
    """Return the curve of each seat, or of one, as part of a page, with the numbers of the turns told."""
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
    said = escaped(_("Share of the win over the game of {seats}").format(
        seats=", ".join(review.names[seat] for seat in seats)))
    return (f'<figure class="graph"><div class="plot" style="margin-bottom:{below}px">{levels}'
            f'<svg viewBox="0 0 {num(_WIDE)} {num(_HIGH)}" preserveAspectRatio="none" role="img" '
            f'aria-label="{said}">{"".join(drawn)}</svg>{turns}</div>'
            f"<ul>{names}</ul></figure>")


def _from_to(review: Review, seat: int) -> str:
    return _("{seat}: from {first:.0f} to {last:.0f}\u202f%").format(
        seat=review.names[seat], first=100 * review.curve[0][seat], last=100 * review.curve[-1][seat])


def rows_of(places: Sequence[float]) -> list[int]:
    """Return the row, from 0 at the top, in which each number stands, so that none covers another.

    Parameters
    ----------
    places : sequence of float
        Where they stand, in % of the width, not falling.
    """
    ends: list[float] = []                      # of each row: where the next number may stand
    found = []
    for place in places:
        row = next((row for row, end in enumerate(ends) if place >= end), len(ends))
        ends[row:row + 1] = [place + _APART]
        found.append(row)
    return found


def _line(game: Game, seat: int, place: int) -> str:
    """Return the attributes of a seat's line, which is drawn in a place among the others."""
    dashes = f' stroke-dasharray="{_DASHES[place % len(_DASHES)]}"' if place else ""
    return f'style="stroke:{seat_colour(game, seat)}" fill="none" stroke-width="2"{dashes}'
