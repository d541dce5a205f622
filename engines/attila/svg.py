"""Attila as a picture: one SVG document of the map, its score track, the influence chart, and what the seats hold."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.chart import CHART_WIDE, draw_chart, empty_chart
from sfida.engines.attila.hits import province_hits
from sfida.engines.attila.land import Land
from sfida.engines.attila.looks import (
    fought,
    last_province,
    letters_of,
    peaceful_limit,
    track_spaces,
)
from sfida.engines.attila.panel import draw_panel
from sfida.engines.attila.piece_art import head, marker, say
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.scenery import WIDE, high, scale, scenery, stand
from sfida.engines.attila.sentences import headline
from sfida.engines.drawing.document import keep_place, new_sheet, write
from sfida.engines.drawing.elements import add, moved, title, written
from sfida.engines.drawing.inks import PLACE, PLACE_RIM

TRACK, TOP, GAP = 32.0, 50.0, 10.0
SHEET = WIDE + 2 * TRACK + CHART_WIDE + 3 * GAP
_DIGITS, _MARKER = 14.0, 9.0             # beside the number of a space; radius of a marker
_SWORDS = 0.72                           # as much room as a tile of peace takes
_TABLE, _LAST = "#e9dcbd", "#7b1fd0"


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all tokens and tiles, the influence chart, the seats, and the hand of the viewing seat.

    Codes of the provinces are always there; the kind of a place is "province".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    land = position.land
    sheet = new_sheet(f"Attila: {headline(position)}", SHEET, size, _TABLE)
    root = sheet.root
    say(root, 14, 36, "ATTILA", 32, bold=True, serif=True, fill="#7d1f1a")
    say(root, 166, 35, f"{position.century}th century  ·  turn {position.turn}", 16, bold=True, serif=True,
        class_="century")
    say(root, SHEET - 14, 34, headline(position), 17, anchor="end", class_="news")
    tall = high(land) + 2 * TRACK
    board = moved(root, GAP, TOP, class_="board")
    keep_place(board, "track")
    field = moved(board, TRACK, TRACK, clip_path="url(#att-sheet)")
    keep_place(field, "ground")
    if labels:
        _draw_places(field, land, places)
    keep_place(field, "peace")
    keep_place(field, "mountains")
    keep_place(field, "rims")
    _draw_last(field, position)
    keep_place(field, "names")
    keep_place(field, "tokens")
    _draw_fights(field, position)
    keep_place(field, "hits")
    _draw_scores(board, position)
    draw_chart(root, position, GAP + WIDE + 2 * TRACK + GAP, TOP, tall)
    height = draw_panel(root, position, seat, TOP + tall + GAP, SHEET)
    parts = scenery(land) | {"track": _track(land), "chart": empty_chart(land.last_space, tall),
                             "peace": _peace(position), "tokens": _tokens(position), "hits": province_hits(land)}
    return write(sheet, height, parts)


# ---- the score track ----------------------------------------------------------------------------------


def track_box(land: Land, space: int) -> tuple[float, float, float, float]:
    """Return x, y, width and height of a space of the score track, seen from the board's corner.

    The track runs clockwise round the map from its upper left corner (ATT-1.8).
    """
    wide, tall = WIDE + 2 * TRACK, high(land)
    half = track_spaces() // 2
    along = min(half - 1, max(1, round(half * wide / (wide + tall))))
    down = half - along
    if space < along:
        return wide / along * space, 0.0, wide / along, TRACK
    if space < along + down:
        return wide - TRACK, TRACK + tall / down * (space - along), TRACK, tall / down
    if space < 2 * along + down:
        return wide - wide / along * (space - along - down + 1), TRACK + tall, wide / along, TRACK
    return 0.0, TRACK + tall - tall / down * (space - 2 * along - down + 1), TRACK, tall / down


@lru_cache(maxsize=16)
def _track(land: Land) -> str:
    root = ET.Element("g", {"class": "track"})
    add(root, "rect", x=-3.0, y=-3.0, width=WIDE + 2 * TRACK + 6, height=high(land) + 2 * TRACK + 6, rx=5.0,
        fill="#5d3413")
    for space in range(2 * (track_spaces() // 2)):
        x, y, wide, tall = track_box(land, space)
        ten, five = space % 10 == 0, space % 5 == 0
        add(root, "rect", x=x + 0.8, y=y + 0.8, width=wide - 1.6, height=tall - 1.6, rx=2.0,
            fill="#b8502f" if ten else "#e4c98f" if five else "#f3e6c4")
        say(root, x + 3, y + 11, str(space), 9.5 if five else 8.5, bold=five, fill="#ffffff" if ten else "#6a5128")
    return ET.tostring(root, encoding="unicode")


def _draw_scores(board: ET.Element, position: Position) -> None:
    """Set the markers of the seats beside the numbers of the score track; it wraps round (ATT-8.10)."""
    where: dict[int, list[int]] = {}
    for seat, one in enumerate(position.seats):
        where.setdefault(one.score % (2 * (track_spaces() // 2)), []).append(seat)
    group = add(board, "g", class_="scores")
    for space, seats in where.items():
        x, y, wide, tall = track_box(position.land, space)
        left, top = (_DIGITS, 0.0) if wide > tall else (0.0, _DIGITS - 3)
        columns, radius = _packed(len(seats), wide - left, tall - top)
        rows = -(-len(seats) // columns)
        for i, seat in enumerate(seats):
            marker(group, seat, x + (left + wide) / 2 + 2 * radius * (i % columns - (columns - 1) / 2),
                   y + (top + tall) / 2 + 2 * radius * (i // columns - (rows - 1) / 2) - 0.5, radius)


def _packed(count: int, wide: float, tall: float) -> tuple[int, float]:
    """Return in how many columns discs fill a space best, and their radius."""
    def radius(columns: int) -> float:
        return min(wide / columns, tall / -(-count // columns), 2 * _MARKER) / 2

    best = max(range(1, count + 1), key=radius)
    return best, radius(best) - 0.3


# ---- provinces ----------------------------------------------------------------------------------------


def _peace(position: Position) -> str:
    """Lay the peace tiles (ATT-7.1)."""
    tiles = [_peace_tile(position.land, number) for number, calm in enumerate(position.pacified) if calm]
    return f'<g class="peace-tiles">{"".join(tiles)}</g>'


@lru_cache(maxsize=512)
def _peace_tile(land: Land, number: int) -> str:
    root = ET.Element("g")
    at = stand(land, number)
    add(root, "use", href=f"#att-p{number}", fill="#ffffff", opacity=0.5, transform=f"scale({scale(land):.5g})")
    group = moved(root, at.x, at.y, at.size, class_="pacified", data_province=number)
    title(group, f"{land.provinces[number].name}: pacified")
    add(moved(group, *at.order.mark, 0.68), "use", href="#att-peace")
    return written(root)


def _tokens(position: Position) -> str:
    return "".join(_stand(position.land, number, row) for number, row in enumerate(position.tokens) if any(row))


@lru_cache(maxsize=4096)
def _stand(land: Land, number: int, row: Six) -> str:
    """Write the tokens of a province; most positions share most of them with the one before."""
    tribes_there = [tribe for tribe, count in enumerate(row) for _ in range(count)]
    root = ET.Element("g")
    at = stand(land, number)
    group = moved(root, at.x, at.y, at.size, class_="tokens", data_province=number, data_tokens=letters_of(row))
    title(group, f"{land.provinces[number].name}: {letters_of(row)}")
    for tribe, (x, y) in zip(tribes_there, at.order.places[min(5, len(tribes_there)) - 1], strict=False):
        head(group, tribe, x, y, data_tribe=tribe)
    return written(root)


def _draw_places(field: ET.Element, land: Land, places: Collection[tuple[str, int]]) -> None:
    group = add(field, "g", class_="places", transform=f"scale({scale(land):.5g})")
    for number in sorted({number for _, number in places}):
        add(group, "use", href=f"#att-p{number}", class_="place", data_province=number, fill=PLACE, fill_opacity=0.62,
            stroke=PLACE_RIM, stroke_width=2.4 / scale(land))


def _draw_last(field: ET.Element, position: Position) -> None:
    """Outline the province of the last token, and that of the last conflict."""
    land = position.land
    numbers = {last_province(position), position.battle.province if position.battle is not None else -1} - {-1}
    for number in sorted(numbers):
        group = add(field, "g", class_="last", data_province=number, transform=f"scale({scale(land):.5g})")
        for colour, wide in (("#ffffff", 7.0), (_LAST, 3.4)):
            add(group, "use", href=f"#att-p{number}", fill="none", stroke=colour, stroke_width=wide / scale(land))


def _draw_fights(field: ET.Element, position: Position) -> None:
    """Mark the provinces that hold too many tokens for peace (ATT-6.1)."""
    now = fought(position)
    for number, row in enumerate(position.tokens):
        if sum(row) > peaceful_limit() and not position.pacified[number]:
            at = stand(position.land, number)
            x, y = at.order.mark
            group = moved(field, at.x + x * at.size, at.y + y * at.size, _SWORDS * at.size,
                          class_="fight now" if number == now else "fight", data_province=number,
                          opacity=None if number == now else 0.6)
            title(group, f"conflict in {position.land.provinces[number].name}")
            add(group, "use", href="#att-swords")
