"""The win over the game as a drawing for the page: lines that scale, with letters that do not."""

from __future__ import annotations

from sfida.ai.arena.report.markup import escaped
from sfida.ai.arena.report.style import agent_colour
from sfida.ai.review.model import Review
from sfida.engines.drawing.elements import num
from sfida.engines.language import _

_WIDE, _HIGH = 1000.0, 100.0

STYLE = """
.graph{margin:0 0 10px}
.graph .plot{position:relative;margin:8px 0 26px 46px;height:clamp(150px,32vw,260px)}
.graph svg{display:block;width:100%;height:100%;max-width:none}
.graph .level,.graph .turn{position:absolute;font-size:12px;color:var(--muted);line-height:1}
.graph .level{right:100%;margin-right:8px;transform:translateY(-50%);white-space:nowrap}
.graph .turn{top:100%;margin-top:6px;transform:translateX(-50%);color:var(--link);font-weight:650}
.graph ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;padding:0;margin:0}
"""


def graph(review: Review, only: int | None = None) -> str:
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
    for seat in seats:
        points = " ".join(f"{num(ply / last * _WIDE)},{num((1.0 - row[seat]) * _HIGH)}"
                          for ply, row in enumerate(review.curve))
        drawn.append(f'<polyline points="{points}" style="stroke:{agent_colour(seat)}" fill="none" stroke-width="2" '
                     'stroke-linejoin="round" vector-effect="non-scaling-stroke"/>')
    levels = "".join(f'<span class="level" style="top:{100 - level}%">{level}\u202f%</span>'
                     for level in (0, 50, 100))
    turns = "".join(f'<a class="turn" href="#turn-{number}" style="left:{100 * point.at / last:.1f}%">{number}</a>'
                    for number, point in enumerate(review.turns, start=1))
    names = "".join(f'<li><span class="agent" style="--mark:{agent_colour(seat)}">{escaped(_from_to(review, seat))}'
                    "</span></li>" for seat in seats)
    said = escaped(_("Share of the win over the game of {seats}").format(
        seats=", ".join(review.names[seat] for seat in seats)))
    return (f'<figure class="graph"><div class="plot">{levels}<svg viewBox="0 0 {num(_WIDE)} {num(_HIGH)}" '
            f'preserveAspectRatio="none" role="img" aria-label="{said}">{"".join(drawn)}</svg>{turns}</div>'
            f"<ul>{names}</ul></figure>")


def _from_to(review: Review, seat: int) -> str:
    return _("{seat}: from {first:.0f} to {last:.0f}\u202f%").format(
        seat=review.names[seat], first=100 * review.curve[0][seat], last=100 * review.curve[-1][seat])
