"""The board of A Few Acres of Snow in a terminal: a map, or where that is too wide a list of the sites by regions.

Everything is said by letters too, so colours are never needed: `ALBB2# 4*` is Albany with a British town and a fort,
worth 4, to be settled by settlers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache, partial

from sfida.engines.acres.looks import LETTERS, links_of, seat_rgb, side_name, sites
from sfida.engines.acres.position import Position
from sfida.engines.acres.terrain import regions
from sfida.engines.acres.text_map import COAST, LABEL, ROADS, text_map
from sfida.engines.drawing.badges import named as badge_named
from sfida.engines.drawing.cells import Cell, kept, line_text, words, wrap
from sfida.engines.drawing.colors import DIM, PLACE_PAINT, paint
from sfida.engines.drawing.fitting import fitted
from sfida.engines.drawing.overlay import Label, overlaid
from sfida.engines.language import N_, _, named

MAP_WIDTH, WIDEST = 100, 132

# Colours of the 256-colour palette.
_WATER, _LAST, _SIEGE = 24, 202, 208
_INKS = {COAST: 109, "river": 39, "lake": 117, "road": 179, "trail": 203}
_NOBODY = (252, 238)
_PIECE_SIGNS = (N_("1 village"), N_("2 town"), N_("# fort"), N_("* settler"), N_("~ ship"), N_("- sea only"),
                N_("! siege"), N_(">last"))
_WAYS = {"river": N_("river"), "lake": N_("lake"), "road": N_("road"), "trail": N_("trail")}
_SIGNS = {"river": "~", "lake": "≈", "road": "=", "trail": "·"}


@cache
def seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a side, or of nobody."""
    if seat < 0:
        return _NOBODY
    return paint(seat_rgb(seat))


def board_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
               labels: bool = False, places: Collection[tuple[str, int]] = (), height: int | None = None) -> str:
    """Draw the map and what stands on it, with a line or two that explain the signs.

    From 100 columns on it is a map of 28 lines (21 on a low screen), best from 110; else a list of the sites by
    regions with their connections, or without where that is too wide or too high. Codes of the
    sites, as moves are typed with them, are always there; the kind of a place is "site".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    chosen = frozenset(number for _, number in places) if labels else frozenset()

    def drawings() -> Iterator[list[str]]:
        key = piece_key(color=color, width=width)
        if width >= MAP_WIDTH:
            whole = _draw_map(position, chosen, color, width)
            yield [*whole, *key]
            yield whole
            yield _draw_map(position, chosen, color, width, low=True)
        listed = _draw_list(position, chosen, color, width)
        yield [*listed, *key]
        yield listed
        yield _draw_list(position, chosen, color, width, linked=False)

    return "\n".join(fitted(height, drawings()))


def piece_key(*, color: bool = False, width: int = 100) -> list[str]:
    """Explain the letters of the sides and the signs of the map."""
    parts = [badge_named(LETTERS[seat], seat_paint(seat), side_name(seat)) for seat in (0, 1)]
    parts += [words(_(sign)) for sign in _PIECE_SIGNS]
    strokes = "─╱" if width >= MAP_WIDTH else _SIGNS["river"]
    parts += [words(f"{sign} {_(_WAYS[kind])}", _INKS[kind]) for kind, sign in (("river", strokes), *ROADS.items())]
    return wrap(parts, width, color, gap=2)


def site_text(position: Position, number: int) -> str:
    """Return what stands on a site, such as "ALBB2# 4*"; ">" instead of the space where the last action was."""
    site, owner = sites(position.every_ship)[number], position.owner[number]
    stands = "." if owner < 0 else f"{LETTERS[owner]}{2 if position.town[number] else 1}"
    return (f"{site.code}{stands}{'#' if position.fort[number] else ''}"
            f"{'>' if position.last_site == number else ' '}{site.value}{'*' if site.settler else ''}"
            f"{'~' if site.ship else '-' if site.sea else ''}{'!' if position.siege_at(number) else ''}")


# ---- the map ------------------------------------------------------------------------------------------


def _draw_map(position: Position, chosen: frozenset[int], color: bool, width: int, low: bool = False) -> list[str]:
    """Lay the labels over the map; what lies between them is written once."""
    columns = min(width, WIDEST)
    shape = text_map(columns, low)
    laid: list[list[Label]] = [[] for _ in range(shape.rows)]
    for number, (row, start) in enumerate(shape.spots):
        text = site_text(position, number)
        written = _label(text, position.owner[number], number in chosen, color)
        laid[row].append(Label(start, len(text), written))
    return [overlaid(columns, labels, partial(_between, columns, low, color, row)) for row, labels in enumerate(laid)]


@lru_cache(maxsize=8192)
def _between(columns: int, low: bool, color: bool, row: int, start: int, stop: int) -> str:
    """Write a part of a line of the map with nothing on it."""
    shape = text_map(columns, low)
    cells = [Cell(char, _INKS.get(kind), _WATER if water else None, kind not in ("", COAST))
             for char, kind, water in zip(shape.chars[row][start:stop], shape.kinds[row][start:stop],
                                          shape.water[row][start:stop], strict=True)]
    return kept(cells, color)


@lru_cache(maxsize=4096)
def _label(text: str, owner: int, chosen: bool, color: bool) -> str:
    return kept(_entry(text, owner, chosen), color)


def _entry(text: str, owner: int, chosen: bool) -> list[Cell]:
    """Colour the label of a site: its owner's ground, the code of a place, the last action and a siege."""
    ground = seat_paint(owner)
    cells = words(text[:3], *(PLACE_PAINT if chosen else ground), bold=True)
    for char in text[3:]:
        cells.append(Cell(char, _LAST if char == ">" else _SIEGE if char == "!" else ground[0], ground[1], True))
    return cells


# ---- the list -----------------------------------------------------------------------------------------


def _draw_list(position: Position, chosen: frozenset[int], color: bool, width: int,
               linked: bool = True) -> list[str]:
    """List the sites by regions with their connections, without these where they do not fit."""
    longest = max(sum(4 + len(_SIGNS[kind]) for kind, _ in links_of(site.number)) for site in sites())
    linked = linked and LABEL + 1 + longest <= width
    lines = []
    for region, members in regions():
        lines.append(line_text(words(named(region), bold=True)[:width], color))
        if not linked:
            lines += wrap([_entry(site_text(position, number), position.owner[number], number in chosen)
                           for number in members], width, color, gap=2)
            continue
        for number in members:
            text = site_text(position, number)
            cells = [*_entry(text, position.owner[number], number in chosen), *words(" " * (LABEL - len(text)))]
            for kind, other in links_of(number):
                cells += words(f" {_SIGNS[kind]}", _INKS[kind])
                cells += words(sites()[other].code, *_faint(position, other))
            lines.append(line_text(cells, color))
    return lines


def _faint(position: Position, other: int) -> tuple[int | None, int | None]:
    """Return the paint of a neighbour: its owner's, or a dim one."""
    return seat_paint(position.owner[other]) if position.owner[other] >= 0 else (DIM, None)
