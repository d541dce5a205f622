"""Attila as a picture: one SVG document of the map, its score track, the influence chart, and what the seats hold."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.chart import CHART_WIDE, draw_chart, empty_chart
from sfida.engines.attila.land import Land
from sfida.engines.attila.looks import (
    fought,
    last_province,
    letters_of,
    peaceful_limit,
    sentence,
    track_spaces,
)
from sfida.engines.attila.panel import draw_panel
from sfida.engines.attila.piece_art import head, marker, say
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.scenery import WIDE, high, scale, scenery, size, spot
from sfida.engines.drawing.document import keep_place, new_sheet, write
from sfida.engines.drawing.elements import add, moved, num, title, written
from sfida.engines.drawing.inks import PLACE, PLACE_RIM

TRACK, TOP, GAP = 32.0, 50.0, 10.0
SHEET = WIDE + 2 * TRACK + CHART_WIDE + 3 * GAP
_TABLE, _LAST = "#e9dcbd", "#7b1fd0"
# Where the tokens of a province stand, by how many there are, seen from its middle.
_STANDS = {1: ((0.0, 6.0),), 2: ((-12.0, 6.0), (12.0, 6.0)), 3: ((-12.0, 2.0), (12.0, 2.0), (0.0, 28.0)),
           4: ((-12.0, 2.0), (12.0, 2.0), (-12.0, 28.0), (12.0, 28.0)),
           5: ((-23.0, 2.0), (0.0, 2.0), (23.0, 2.0), (-12.0, 28.0), (12.0, 28.0))}


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all tokens and tiles, the influence chart, the seats, and the hand of the viewing seat.

    Codes of the provinces are always there; the kind of a place is "province".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    land = position.land
    sheet = new_sheet(f"Attila: {sentence(position)}", SHEET, size, _TABLE)
    root = sheet.root
    say(root, 14, 36, "ATTILA", 32, bold=True, serif=True, fill="#7d1f1a")
    say(root, 166, 35, f"{position.century}th century  ·  turn {position.turn}", 16, bold=True, serif=True,
        class_="century")
    say(root, SHEET - 14, 34, sentence(position), 17, anchor="end", class_="news")
    tall = high(land) + 2 * TRACK
    board = moved(root, GAP, TOP, class_="board")
    keep_place(board, "track")
    field = moved(board, TRACK, TRACK, clip_path="url(#att-sheet)")
    keep_place(field, "ground")
    if labels:
        _draw_places(field, land, places)
    keep_place(field, "peace")
    keep_place(field, "rims")
    _draw_last(field, position)
    keep_place(field, "names")
    keep_place(field, "tokens")
    _draw_fights(field, position)
    _draw_scores(board, position)
    draw_chart(root, position, GAP + WIDE + 2 * TRACK + GAP, TOP, tall)
    height = draw_panel(root, position, seat, TOP + tall + GAP, SHEET)
    parts = scenery(land) | {"track": _track(land), "chart": empty_chart(land.last_space, tall),
                             "peace": _peace(position), "tokens": _tokens(position)}
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
    """Set the markers of the seats on the score track; it wraps round (ATT-8.10)."""
    where: dict[int, list[int]] = {}
    for seat, one in enumerate(position.seats):
        where.setdefault(one.score % (2 * (track_spaces() // 2)), []).append(seat)
    group = add(board, "g", class_="scores")
    for space, seats in where.items():
        x, y, wide, tall = track_box(position.land, space)
        radius = 9.5 if len(seats) == 1 else 8.0 if len(seats) == 2 else 6.8
        for i, seat in enumerate(seats):
            column, row = i % 3 if len(seats) > 4 else i % 2, i // 3 if len(seats) > 4 else i // 2
            columns = 3 if len(seats) > 4 else min(2, len(seats))
            rows = (len(seats) + columns - 1) // columns
            marker(group, seat, x + wide / 2 + 1.75 * radius * (column - (columns - 1) / 2),
                   y + tall / 2 + 2 + 1.7 * radius * (row - (rows - 1) / 2), radius)


# ---- provinces ----------------------------------------------------------------------------------------


def _peace(position: Position) -> str:
    """Lay the peace tiles (ATT-7.1)."""
    tiles = [_peace_tile(position.land, number) for number, calm in enumerate(position.pacified) if calm]
    return f'<g class="peace-tiles">{"".join(tiles)}</g>'


@lru_cache(maxsize=512)
def _peace_tile(land: Land, number: int) -> str:
    root = ET.Element("g")
    x, y = spot(land, number)
    group = moved(root, x, y, size(land), class_="pacified", data_province=number)
    title(group, f"{land.provinces[number].name}: pacified")
    add(group, "use", href=f"#att-p{number}", fill="#ffffff", opacity=0.42,
        transform=f"scale({1 / size(land):.5g}) translate({num(-x)} {num(-y)}) scale({scale(land):.5g})")
    add(group, "ellipse", cx=1.0, cy=17.0, rx=35.0, ry=28.0, fill="#000000", opacity=0.22)
    add(group, "ellipse", cx=0.0, cy=15.0, rx=35.0, ry=28.0, fill="#dcd9d2", stroke="#8d8a84", stroke_width=1.6)
    add(group, "ellipse", cx=0.0, cy=15.0, rx=31.5, ry=24.5, fill="none", stroke="#a9a6a0", stroke_width=0.8)
    add(group, "use", href="#att-peace", transform="translate(-30 -6) scale(0.74)")
    return written(root)


def _tokens(position: Position) -> str:
    return "".join(_stand(position.land, number, row) for number, row in enumerate(position.tokens) if any(row))


@lru_cache(maxsize=4096)
def _stand(land: Land, number: int, row: Six) -> str:
    """Write the tokens of a province; most positions share most of them with the one before."""
    tribes_there = [tribe for tribe, count in enumerate(row) for _ in range(count)]
    root = ET.Element("g")
    group = moved(root, *spot(land, number), size(land), class_="tokens", data_province=number,
                  data_tokens=letters_of(row))
    title(group, f"{land.provinces[number].name}: {letters_of(row)}")
    for tribe, (x, y) in zip(tribes_there, _STANDS[min(5, len(tribes_there))], strict=False):
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
            x, y = spot(position.land, number)
            grown = size(position.land)
            group = moved(field, x - 45 * grown, y + 8 * grown, (1.25 if number == now else 0.9) * grown,
                          class_="fight now" if number == now else "fight", data_province=number)
            title(group, f"conflict in {position.land.provinces[number].name}")
            add(group, "use", href="#att-swords")
