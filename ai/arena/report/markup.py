"""Pieces of HTML: escaped text, numbers for people, tables, and pictures that can share a page."""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sfida.ai.arena.report.labels import plain

NOTHING = "–"


def escaped(text: object) -> str:
    """Return a text for use between tags or in a quoted attribute."""
    return html.escape(plain(str(text)), quote=True)


def lines(text: str) -> str:
    """Return a text drawing for use in ``<pre>``: lines and blanks are kept."""
    return "\n".join(html.escape("".join(c if c.isprintable() else "\ufffd" for c in line), quote=True)
                     for line in text.expandtabs().splitlines())


def fixed(value: float | None, digits: int = 0, *, sign: bool = False) -> str:
    """Return a number with a fixed number of decimals; a dash for None."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{round(value, digits) + 0.0:{'+' if sign else ''},.{digits}f}"
    return text.replace(",", "\u202f").replace("-", "−")


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share as a percentage."""
    text = fixed(None if share is None else 100 * share, digits)
    return text if text == NOTHING else f"{text}\u202f%"


def interval(bounds: tuple[float, float] | None, digits: int = 0, *, scale: float = 1, sign: bool = False) -> str:
    """Return an interval in brackets; a dash for None."""
    if bounds is None:
        return NOTHING
    low, high = (fixed(scale * bound, digits, sign=sign) for bound in bounds)
    return NOTHING if NOTHING in (low, high) else f"[{low}, {high}]"


def duration(seconds: float) -> str:
    """Return a time in a suitable unit."""
    if not math.isfinite(seconds):
        return NOTHING
    if seconds == 0:
        return "0\u202fs"
    for limit, unit, size in ((1e-3, "µs", 1e-6), (1, "ms", 1e-3), (120, "s", 1), (7200, "min", 60)):
        if seconds < limit:
            value = seconds / size
            return f"{fixed(value, 0 if value >= 10 else 1)}\u202f{unit}"
    return f"{fixed(seconds / 3600, 1)}\u202fh"


def count(number: int, word: str) -> str:
    """Return a number with a noun."""
    return f"{fixed(number)} {word}{'' if number == 1 else 's'}"


# ---- tables -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """The header of a column.

    Attributes
    ----------
    head : str
        HTML.
    kind : str
        "text", "number", or "row" for the column that names the rows.
    """

    head: str
    kind: str = "number"


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], caption: str, *, ident: str = "",
          show_caption: bool = False) -> str:
    """Return a table; headers and cells are HTML. A cell that begins with ``<td`` or ``<th`` is used as it is.

    On a narrow screen the cells of a row stand below each other, each with its header. A table with an id, whose
    headers sort it, stays a table and scrolls in its box.
    """
    heads = "".join(f'<th scope="col" class="c-{column.kind}">{column.head}</th>' for column in columns)
    body = []
    for row in rows:
        cells = []
        for column, cell in zip(columns, row, strict=True):
            if cell.startswith(("<td", "<th")):
                cells.append(f'{cell[:3]} data-head="{column.head}"{cell[3:]}')
            elif column.kind == "row":
                cells.append(f'<th scope="row" class="c-row">{cell}</th>')
            else:
                cells.append(f'<td class="c-{column.kind}" data-head="{column.head}">{cell}</td>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    hidden = "" if show_caption else ' class="unseen"'
    given = f' id="{ident}"' if ident else ' class="stacks"'
    rest = "\n".join(body)
    return (f'<div class="scrolls" tabindex="0" role="region" aria-label="{escaped(caption)}"><table{given}>'
            f"<caption{hidden}>{escaped(caption)}</caption><thead><tr>{heads}</tr></thead>\n"
            f"<tbody>{rest}</tbody></table></div>")


# ---- pictures ---------------------------------------------------------------------------------------

_ID = re.compile(r'(?<![\w:-])id="([^"]*)"')
_POINTER = re.compile(r'((?:xlink:)?href=")#([^"]*)"')
_URL = re.compile(r"url\((['\"]?)#([^)'\"]*)\1\)")
_NOT_ALONE = re.compile(r"<(style|script|foreignObject)\b")


def own_ids(svg: str, prefix: str) -> str:
    """Return an SVG document from its root on, with `prefix` before every id and every reference to one."""
    svg = svg[svg.index("<svg"):]
    svg = _ID.sub(lambda found: f'id="{prefix}{found[1]}"', svg)
    svg = _POINTER.sub(lambda found: f'{found[1]}#{prefix}{found[2]}"', svg)
    return _URL.sub(lambda found: f"url(#{prefix}{found[2]})", svg).strip()


def picture(svg: str, prefix: str, alt: str) -> str:
    """Return a game's drawing for the page: in place, or as an image if its style would affect the page."""
    if "<svg" in svg and not _NOT_ALONE.search(svg):
        return own_ids(svg, prefix)
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode()
    return f'<img alt="{escaped(alt)}" src="data:image/svg+xml;base64,{data}">'
