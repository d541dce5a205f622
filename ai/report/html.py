"""HTML pages for people: escaped text, numbers, tables, pictures, short names of agents, and one style."""

from __future__ import annotations

import base64
import hashlib
import html
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import parse_spec

# ---- Names of agents, short enough for figures and crowded tables

LIMIT = 30
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_THIN = "\u00a0\u202f"        # blanks that keep a number and its unit on one line


def plain(text: str) -> str:
    """Return a text on one line; unprintable characters become U+FFFD."""
    return "".join(c if c.isprintable() or c in _THIN else "\ufffd" for c in _BLANKS.sub(" ", text).strip(" "))


def short_labels(labels: Sequence[str], limit: int = LIMIT) -> tuple[str, ...]:
    """Return a short name for each agent, all different.

    A long spec loses the options that it shares with every other agent of its name, then its middle.

    Parameters
    ----------
    labels : sequence of str
        Specs, all different.
    limit : int
        Most characters of a name, at least 12.
    """
    parts = [_parts(plain(label)) for label in labels]
    kin: dict[str, list[list[str]]] = {}
    for name, options in parts:
        kin.setdefault(name, []).append(options)
    result: list[str] = []
    for label, (name, options) in zip(labels, parts, strict=True):
        text = plain(label)
        if len(text) > limit and len(kin[name]) > 1:
            own = [option for option in options if not all(option in other for other in kin[name])]
            text = f"{name}:{','.join(own)}" if own else name
        if len(text) > limit:
            text = f"{text[:limit // 2]}…{text[len(text) - (limit - limit // 2 - 1):]}"
        result.append(_unlike(text, result))
    return tuple(result)


def seat_label(seat: int, name: str) -> str:
    """Return the number of a seat, with its name if it has one."""
    return name if name == f"seat {seat}" else f"seat {seat}, {name}"


def _parts(label: str) -> tuple[str, list[str]]:
    """Return the name of a spec and its options as text; a label that is not a spec is all name."""
    try:
        name, params = parse_spec(label)
    except SfidaError:
        return label, []
    return name, [f"{key}={value}" for key, value in params.items()]


def _unlike(text: str, taken: Sequence[str]) -> str:
    number, result = 1, text
    while result in taken:
        number += 1
        result = f"{text} #{number}"
    return result


# ---- Pieces of HTML: escaped text, numbers for people, tables, and pictures that can share a page

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
    """Return a table; headers and cells are HTML. A cell that begins with ``<td`` or ``<th`` is used unchanged.

    On a narrow screen the cells of a row are stacked, each with its header. A table with an id, whose headers sort it,
    stays a table and scrolls in its box.
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
    """Return a game's drawing for the page: inline, or as an image if its style would affect the page."""
    if "<svg" in svg and not _NOT_ALONE.search(svg):
        return own_ids(svg, prefix)
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode()
    return f'<img alt="{escaped(alt)}" src="data:image/svg+xml;base64,{data}">'


# ---- The style of the page, and the script that sorts the games

# Unlike the colours of seats on a board, such as red, blue, green, yellow or black; they also differ in lightness, and
# the page shows nothing by colour alone.
AGENTS_LIGHT = ("#168f9c", "#c4148c", "#8f6e3d", "#75808f", "#701040", "#7c7c03", "#dd7ba8", "#59405f", "#10655f",
                "#d98870")
AGENTS_DARK = ("#2fb3c0", "#f050b8", "#b08a55", "#94a0b0", "#b05580", "#8f9a3a", "#f2a0c4", "#a98cf5", "#5fd6b8",
               "#f0a890")
_LIGHT = {"ink": "#1c2024", "muted": "#5c6670", "rule": "#dde1e5", "paper": "#ffffff", "panel": "#f6f7f8",
          "link": "#0b5c92", "win": "#2b7bba", "lose": "#d9772b"}
_DARK = {"ink": "#e4e7ea", "muted": "#9aa5af", "rule": "#333a41", "paper": "#15181b", "panel": "#1d2125",
         "link": "#7cc0ee", "win": "#3d8fcf", "lose": "#cf7a35"}

NAMES = tuple(_LIGHT)


def agent_colour(agent: int) -> str:
    """Return the CSS colour of an agent, by its index."""
    return f"var(--agent-{agent % len(AGENTS_LIGHT)})"


def _variables(names: dict[str, str], agents: tuple[str, ...], scheme: str) -> str:
    pairs = [*names.items(), *((f"agent-{index}", colour) for index, colour in enumerate(agents))]
    return f":root{{color-scheme:{scheme};{';'.join(f'--{name}:{colour}' for name, colour in pairs)}}}"


STYLE = f"""
{_variables(_LIGHT, AGENTS_LIGHT, "light")}
@media screen and (prefers-color-scheme:dark){{{_variables(_DARK, AGENTS_DARK, "dark")}}}
""" + """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header.top{max-width:1160px;margin:0 auto;padding:0 20px}
header.top{padding-top:34px}
main{padding-bottom:60px}
h1{font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.01em;margin:0 0 14px;overflow-wrap:anywhere}
h2{font-size:18px;font-weight:650;margin:44px 0 12px;padding-top:12px;border-top:1px solid var(--rule)}
h3{font-size:15px;font-weight:650;margin:0 0 4px}
p{margin:0 0 12px;max-width:76ch}
a{color:var(--link);text-underline-offset:2px;text-decoration-thickness:1px}
code,.moves{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.9em}
code{overflow-wrap:anywhere}
dl.facts{display:flex;flex-wrap:wrap;gap:12px 30px;margin:0 0 16px}
dl.facts dt{color:var(--muted);font-size:12.5px}
dl.facts dd{margin:0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.verdict{border-left:3px solid var(--link);padding:2px 0 2px 12px}
.verdict p{margin:0}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;padding:0;margin:14px 0 0}
.muted{color:var(--muted)}
.small{font-size:13px;max-width:88ch}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.scrolls{overflow-x:auto;margin:0 0 10px;position:relative}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums lining-nums;min-width:100%}
caption{text-align:left;padding-bottom:4px;overflow-wrap:anywhere}
th,td{padding:5px 10px;vertical-align:baseline;text-align:right;white-space:nowrap}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{font-weight:500;font-size:12.5px;color:var(--muted);border-bottom:1px solid var(--muted);vertical-align:bottom}
tbody tr+tr>*{border-top:1px solid var(--rule)}
tbody th{font-weight:inherit}
.c-text,.c-row{text-align:left}
tbody .c-row,td.wraps{white-space:normal;overflow-wrap:break-word;min-width:170px}
td.c-seat{text-align:left}
td.c-seat .ends{display:flex;justify-content:space-between;gap:12px}
td.c-seat wbr{display:none}
td.c-seat.won{font-weight:650}
.within{color:var(--muted);font-size:.93em}
.agent{display:block;position:relative;padding-left:16px}
.agent::before{content:"";position:absolute;left:0;top:.42em;width:9px;height:9px;border-radius:2px;
 background:var(--mark);print-color-adjust:exact;-webkit-print-color-adjust:exact}
div.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));
 gap:30px 44px;align-items:start;margin:0 0 16px}
figure{margin:0;min-width:0;break-inside:avoid}
figure svg{display:block;overflow:visible;width:100%;height:auto;max-width:620px}
figure svg text{font-family:inherit!important;font-variant-numeric:tabular-nums}
figcaption{margin:6px 0 0;font-size:13px;color:var(--muted);max-width:64ch}
figcaption strong{color:var(--ink);font-weight:600}
details>summary{cursor:pointer;color:var(--link);margin:4px 0}
.listing{max-height:560px;overflow:auto;overscroll-behavior:auto}
.listing thead th{position:sticky;top:0;background:var(--paper);z-index:1}
.listing th button{all:unset;cursor:pointer;color:inherit}
.listing th button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.listing th[aria-sort=ascending] button::after{content:" ↑"}
.listing th[aria-sort=descending] button::after{content:" ↓"}
.search{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--rule);border-radius:4px;
 padding:4px 9px;margin:0 0 8px;width:100%;max-width:320px}
ul.picks{columns:2 330px;column-gap:44px;padding-left:18px;margin:0 0 16px}
article.final{border-top:1px solid var(--rule);padding:18px 0 22px;display:grid;gap:10px 32px;
 grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));align-items:start}
article.final>header{grid-column:1/-1}
article.final p{margin:0 0 8px}
.paperboard{background:#fff;color:#000;border:1px solid var(--rule);border-radius:4px;overflow:hidden;
 print-color-adjust:exact;-webkit-print-color-adjust:exact;break-inside:avoid}
.paperboard svg,.paperboard img{display:block;width:100%;height:auto}
pre.textboard{margin:0;padding:14px 16px;background:var(--panel);border-radius:4px;overflow-x:auto;line-height:1.35;
 font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
.moves{columns:2 170px;padding-left:44px;margin:6px 0}
.moves li{overflow-wrap:anywhere}
.moves .luck{color:var(--muted);font-style:italic}
footer{margin-top:44px;border-top:1px solid var(--rule);padding-top:10px}
article:target>header h3{text-decoration:underline 2px var(--link);text-underline-offset:4px}
@media (max-width:520px){body{font-size:14px}main,header.top{padding-left:14px;padding-right:14px}h1{font-size:22px}}
@media screen and (max-width:640px){
 table.stacks,table.stacks tbody{display:block}
 table.stacks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
 table.stacks tr{display:flex;flex-wrap:wrap;align-items:baseline;align-content:flex-start;gap:1px 20px;
  padding:8px 0}
 table.stacks tbody tr+tr{border-top:1px solid var(--rule)}
 table.stacks tbody tr+tr>*{border-top:0}
 table.stacks td,table.stacks tbody th{display:flex;flex:0 1 calc(50% - 10px);justify-content:space-between;gap:8px;
  padding:0;min-width:0;white-space:normal}
 table.stacks td::before{content:attr(data-head);color:var(--muted);font-size:12.5px;text-align:left}
 table.stacks tbody .c-row,table.stacks .wraps{flex-basis:100%}
 table.stacks tbody .c-row{order:-1;overflow-wrap:anywhere}
}
@media print{body{font-size:10pt}main,header.top{max-width:none;padding:0}nav,#games{display:none}
 h2{break-after:avoid}.scrolls{overflow:visible}article.final{break-inside:avoid}table{font-size:9pt}
 div.grid{grid-template-columns:1fr 1fr;gap:18px 24px}a{color:inherit;text-decoration:none}}
"""

# Without the script the list of games is complete, in the order of the games.
SCRIPT = """
(function () {
  "use strict";
  var table = document.getElementById("all-games");
  if (!table) { return; }
  var body = table.tBodies[0], heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
  function key(row, column) {
    var cell = row.cells[column], text = cell.getAttribute("data-v");
    if (text === null) { text = cell.textContent; }
    var value = parseFloat(text);
    return isNaN(value) ? text.toLowerCase() : value;
  }
  function compare(a, b) {
    if (typeof a === typeof b) { return a < b ? -1 : a > b ? 1 : 0; }
    return typeof a === "number" ? -1 : 1;
  }
  heads.forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) { button.appendChild(head.firstChild); }
    head.appendChild(button);
    button.addEventListener("click", function () {
      var way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
      Array.prototype.slice.call(body.rows)
        .map(function (row, place) { return [key(row, column), place, row]; })
        .sort(function (a, b) { return way * compare(a[0], b[0]) || a[1] - b[1]; })
        .forEach(function (entry) { body.appendChild(entry[2]); });
    });
  });
  var search = document.createElement("input");
  search.type = "search";
  search.className = "search";
  search.placeholder = "filter the games";
  search.setAttribute("aria-label", "show only games that hold this text");
  search.addEventListener("input", function () {
    var wanted = search.value.trim().toLowerCase();
    Array.prototype.forEach.call(body.rows, function (row) {
      row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
    });
  });
  var box = table.parentNode.parentNode;
  box.parentNode.insertBefore(search, box);
}());
"""

# A page loads nothing, and runs no script but its own.
WITHOUT_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
POLICY = (f"{WITHOUT_SCRIPT}; script-src 'sha256-"
          + base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode() + "'")
