"""Properties of the pictures and terminal views of all games: complete, within their width, always the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from sfida.engines.acres import board_svg as acres_svg
from sfida.engines.acres import board_text as acres_text
from sfida.engines.attila import board_svg as attila_svg
from sfida.engines.attila import board_text as attila_text
from sfida.engines.carcassonne import board_svg as carcassonne_svg
from sfida.engines.carcassonne import board_text as carcassonne_text
from sfida.engines.carcassonne.tables import load_tiles
from sfida.engines.risiko import board_svg as risiko_svg
from sfida.engines.risiko import board_text as risiko_text
from sfida.engines.zarahemla import board_svg as zarahemla_svg
from sfida.engines.zarahemla import board_text as zarahemla_text
from sfida.engines.zarahemla.map import drawing_data
from support import acres_pictures, attila_pictures, risiko_pictures, zarahemla_pictures
from support.carcassonne import after
from support.pictures import SVG, bare
from support.text_boxes import outside, overlapping, texts_of

TILES = load_tiles()
DECK = [(card["id"], card["count"]) for card in drawing_data()["dev_card"]]


class Drawn(NamedTuple):
    """The drawings of a game.

    Attributes
    ----------
    positions : mapping of str to position
    svg : callable
    views : callable
        Returns all texts of a position, given `color`, `width` and `labels`.
    widths : tuple of int
    halves : bool
        Whether coloured views use half-block characters in place of others.
    """

    positions: Mapping[str, Any]
    svg: Callable[..., str]
    views: Callable[..., list[str]]
    widths: tuple[int, ...]
    halves: bool = False


def views_of(text: Any, held: str, **legend: Any) -> Callable[..., list[str]]:
    """Return the texts of a module as seat 1 sees them if its `held` part is known to it, otherwise as seat 0."""
    def views(position: Any, color: bool, width: int, labels: bool) -> list[str]:
        seat = 1 if getattr(position.seats[1], held) is not None else 0
        return [text.board_text(position, seat=seat, color=color, width=width, labels=labels),
                text.status_text(position, seat=seat, color=color, width=width),
                text.stock_text(position, color=color, width=width),
                text.legend_text(**legend, color=color, width=width)]
    return views


def carcassonne_views(position: Any, color: bool, width: int, labels: bool) -> list[str]:
    return [carcassonne_text.board_text(position, tiles=TILES, color=color, width=width, labels=labels),
            carcassonne_text.status_text(position, tiles=TILES, color=color, width=width, seat=0),
            carcassonne_text.remaining_text(position, tiles=TILES, color=color, width=width),
            carcassonne_text.legend_text(position.players, color=color, width=width)]


def zarahemla_views(position: Any, color: bool, width: int, labels: bool) -> list[str]:
    return [zarahemla_text.board_text(position, seat=0, color=color, width=width, labels=labels),
            zarahemla_text.status_text(position, seat=0, color=color, width=width),
            zarahemla_text.stock_text(position, DECK, color=color, width=width),
            zarahemla_text.legend_text(position.players, color=color, width=width)]


def carcassonne_svg_of(position: Any, **look: Any) -> str:
    return carcassonne_svg.board_svg(position, tiles=TILES, **look)


CARCASSONNE = {f"{name} {turns}": after(name, turns) for turns in (0, 12, 40, None) for name in (
    "g1_two_players", "g2_three_players", "g3_five_players", "g4_river_two_players")}
GAMES = {
    "acres": Drawn(acres_pictures.POSITIONS, acres_svg.board_svg, views_of(acres_text, "hand"),
                   (30, 60, 80, 99, 100, 110, 132, 200)),
    "attila": Drawn(attila_pictures.POSITIONS, attila_svg.board_svg,
                    views_of(attila_text, "hand", reconstructed=True), (24, 40, 60, 80, 99, 100, 160)),
    "carcassonne": Drawn(CARCASSONNE, carcassonne_svg_of, carcassonne_views, (12, 24, 40, 80, 120), halves=True),
    "risiko": Drawn(risiko_pictures.POSITIONS, risiko_svg.board_svg,
                    views_of(risiko_text, "cards", tournament=True),
                    (24, 40, 60, 80, 99, 100, 120, 132, 200)),
    "zarahemla": Drawn(zarahemla_pictures.POSITIONS, zarahemla_svg.board_svg, zarahemla_views, (100, 80, 64)),
}


CASES = [pytest.param(game, position, id=f"{name}, {called}")
         for name, game in GAMES.items() for called, position in game.positions.items()]


@pytest.mark.parametrize(("game", "position"), CASES)
@pytest.mark.parametrize("labels", [False, True])
def test_no_line_exceeds_the_width_and_colours_change_no_character(game: Drawn, position: Any, labels: bool) -> None:
    for width in game.widths:
        views = (game.views(position, color, width, labels) for color in (False, True))
        for plain, coloured in zip(*views, strict=True):
            assert "\x1b" not in plain
            lines = [line.rstrip() for line in bare(coloured).splitlines()]
            assert max(map(len, [*plain.splitlines(), *lines]), default=0) <= width
            assert game.halves or lines == plain.splitlines()
            assert "\x1b[" in coloured or not plain


@pytest.mark.parametrize(("game", "position"), CASES)
@pytest.mark.parametrize("labels", [False, True])
def test_document_is_well_formed_alone_and_the_same_every_time(game: Drawn, position: Any, labels: bool) -> None:
    text = game.svg(position, seat=0, labels=labels)
    assert text == game.svg(position, seat=0, labels=labels)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert used
    assert used <= set(ids)
    assert not re.search(r'href="[^#]|https?://(?!www\.w3\.org/2000/svg)', text)
    assert not re.search(r"<(style|script|image|foreignObject)\b|<!--|\bnan\b", text)
    small = ET.fromstring(game.svg(position, seat=0, labels=labels, size=400))
    for size, sized in ((800, root), (400, small)):
        wide, high = map(float, sized.attrib["viewBox"].split()[2:])
        assert sized.get("width") == str(size)
        assert float(sized.attrib["height"]) == pytest.approx(size * high / wide, abs=0.01)


@pytest.mark.parametrize(("game", "position"), CASES)
@pytest.mark.parametrize("labels", [False, True])
def test_texts_stand_apart_and_within_their_frames(game: Drawn, position: Any, labels: bool) -> None:
    for seat in (None, 0):
        texts = texts_of(game.svg(position, seat=seat, labels=labels))
        assert len(texts) > 40
        assert overlapping(texts) == []
        assert outside(texts) == []
