"""The influence chart of Attila as a picture: a column a tribe, the spaces from the bottom up, and all markers."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.looks import on_board, rank_mark, seat_name, spread, tribes
from sfida.engines.attila.piece_art import GOLD, INK, OUTLINE, PAPER, RED, head, marker, say
from sfida.engines.attila.places import column_key
from sfida.engines.attila.position import Position
from sfida.engines.drawing.colors import mixed
from sfida.engines.drawing.document import keep_place
from sfida.engines.drawing.elements import add, moved, title
from sfida.engines.drawing.panel import FAINT
from sfida.engines.drawing.pointing import hit

CHART_WIDE = 330.0
_LEFT, _TOP, _BELOW = 34.0, 92.0, 92.0         # room for numbers, heads, and what stands below the columns
_PANEL, _LINE = "#fbf5e5", "#c9b58a"


def draw_chart(root: ET.Element, position: Position, x: float, y: float, tall: float) -> None:
    """Draw the chart and below it tokens, provinces and supply of the tribes."""
    group = moved(root, x, y, class_="chart")
    keep_place(group, "chart")
    row = _row(position.land.last_space, tall)
    wide = (CHART_WIDE - _LEFT - 6) / len(tribes())
    markers = add(group, "g", class_="markers")
    for tribe in tribes():
        where: dict[int, list[int]] = {}
        for seat, one in enumerate(position.seats):
            where.setdefault(one.influence[tribe.number], []).append(seat)
        middle = _LEFT + wide * (tribe.number + 0.5)
        for space, seats in where.items():
            _draw_markers(markers, seats, middle, _bottom(tall) - row * (space + 0.5), wide, row, space)
    _draw_counts(group, position, wide, _bottom(tall))
    if position.last is not None and position.last[0] in ("influence", "inf_a", "inf_b"):
        number = position.card if position.last[0] == "influence" else position.last[1]
        if number >= 0:
            add(group, "rect", class_="last", x=_LEFT + wide * number, y=8.0, width=wide, height=_TOP - 12, rx=6.0,
                fill="none", stroke="#ff2e1f", stroke_width=3.0)
    hits = add(group, "g", class_="hits")
    for tribe in tribes():
        hit(hits, column_key(tribe.number), "rect", x=_LEFT + wide * tribe.number, y=28.0, width=wide,
            height=_bottom(tall) - 28, rx=6.0)


def _bottom(tall: float) -> float:
    """Return where the spaces end: below space 0."""
    return tall - _BELOW


def _row(last: int, tall: float) -> float:
    return (_bottom(tall) - _TOP) / (last + 1)


@lru_cache(maxsize=16)
def empty_chart(last: int, tall: float) -> str:
    """Write the chart without markers."""
    root = ET.Element("g")
    add(root, "rect", width=CHART_WIDE, height=tall, rx=9.0, fill=_PANEL, stroke="#7a5a2a", stroke_width=2.2)
    say(root, CHART_WIDE / 2, 21, "INFLUENCE", 14, anchor="middle", bold=True, serif=True, fill="#7d1f1a")
    row, wide = _row(last, tall), (CHART_WIDE - _LEFT - 6) / len(tribes())
    for tribe in tribes():
        left = _LEFT + wide * tribe.number
        title(column := add(root, "g", class_="column", data_tribe=tribe.number), tribe.name)
        head(column, tribe.number, left + wide / 2, 51, 1.35)
        say(column, left + wide / 2, 84, tribe.name, 9.4, anchor="middle", bold=True, serif=True)
        for space in range(last + 1):
            top = _bottom(tall) - row * (space + 1)
            fill = "#f0e8d2" if space == 0 else mixed(tribe.rgb, PAPER, 0.62 if space % 2 else 0.74)
            add(column, "rect", x=left + 1.5, y=top + 0.04 * row, width=wide - 3, height=0.92 * row,
                rx=min(3.0, 0.2 * row),
                fill=GOLD if space == last else fill, stroke=OUTLINE if space == last else _LINE,
                stroke_width=1.3 if space == last else 0.8)
    every = 1 if row > 11 else 5 if row > 3 else 10
    for space in range(last + 1):
        if space % every and space != last:
            continue
        y = _bottom(tall) - row * (space + 0.5)
        say(root, _LEFT - 4, y + 3.8, str(space), 10.5, anchor="end", bold=space in (0, last), fill=FAINT)
    return ET.tostring(root, encoding="unicode")


def _draw_markers(parent: ET.Element, seats: list[int], x: float, y: float, wide: float, row: float,
                  space: int) -> None:
    """Set the markers of a space side by side, from four on in two rows."""
    group = add(parent, "g", data_space=space if space >= 0 else None)
    rows = [seats] if len(seats) < 4 else [seats[:(len(seats) + 1) // 2], seats[(len(seats) + 1) // 2:]]
    radius = max(4.0, min(10.0, (row - 3) / 2 / len(rows), (wide - 5) / 2 / len(rows[0])))
    for number, some in enumerate(rows):
        for i, seat in enumerate(some):
            marker(group, seat, x + 2 * radius * (i - (len(some) - 1) / 2),
                   y + 2 * radius * (number - (len(rows) - 1) / 2), radius)


def _draw_counts(group: ET.Element, position: Position, wide: float, top: float) -> None:
    """Write tokens on the board, provinces and supply of every tribe, and who leads in it."""
    rows = (("tokens", on_board(position), True), ("provinces", spread(position), True),
            ("supply", position.supply, False))
    counts = add(group, "g", class_="counts")
    for number, (name, values, strong) in enumerate(rows):
        y = top + 17 + 19 * number
        add(counts, "rect", x=6.0, y=y - 11.5, width=CHART_WIDE - 12, height=16.0, rx=4.0,
            fill="#f2e7c8" if strong else "#ece6d8")
        say(counts, 9, y, name, 7.8, fill=FAINT)
        for tribe, value in zip(tribes(), values, strict=True):
            empty = name == "supply" and value == 0
            say(counts, _LEFT + wide * (tribe.number + 0.5), y + 0.6, str(value), 12, anchor="middle", bold=strong,
                fill=RED if empty else INK, class_=f"{name} tribe-{tribe.number}")
    say(counts, 9, top + 75, "leads", 7.8, fill=FAINT)
    for tribe in tribes():
        spaces = [one.influence[tribe.number] for one in position.seats]
        first = [seat for seat, space in enumerate(spaces) if rank_mark(spaces, space)]
        if first:
            _draw_markers(counts, first, _LEFT + wide * (tribe.number + 0.5), top + 72, wide,
                          18.0, -1)
    names = ", ".join(seat_name(seat) for seat in range(position.players))
    title(counts, f"tokens on the board, provinces that hold some, tokens left; markers of {names}")


