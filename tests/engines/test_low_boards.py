"""Boards on low screens: they fit, and show all parts if there is room."""

from __future__ import annotations

import random
import re

import pytest

from sfida.cython_ext.state import GameState
from sfida.engines.acres.style import sites
from sfida.engines.attila.style import tribes
from sfida.engines.registry import make_game
from sfida.engines.risiko.board_text import low_map
from sfida.engines.risiko.style import territories

pytestmark = pytest.mark.release_only("drawings are plain Python")

GAMES = ["carcassonne", "settlers_of_zarahemla", "risiko", "attila", "a_few_acres_of_snow"]


def played(name: str, moves: int) -> GameState:
    """Return a position after random moves."""
    state, chance = make_game(name).initial_state(), random.Random(name)
    for _ in range(moves):
        codes = state.legal_moves() if state.to_move >= 0 else [code for code, _ in state.chance_outcomes()]
        state.apply(chance.choice(list(codes)))
    return state


def low(state: GameState, height: int, width: int) -> list[str]:
    seat = max(0, int(state.to_move))
    return state.game.low_board_text(state, height, seat=seat, width=width, labels=True).splitlines()


@pytest.mark.parametrize("name", [*GAMES, "tic_tac_toe"])
@pytest.mark.parametrize("width", [40, 80, 100, 132])
def test_they_fit(name: str, width: int) -> None:
    state = played(name, 120 if name in GAMES else 3)
    whole = state.game.board_text(state, seat=max(0, int(state.to_move)), width=width, labels=True).splitlines()
    assert low(state, 200, width) == whole
    for height in range(1, 40):
        lines = low(state, height, width)
        assert 0 < len(lines) <= height
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize(("width", "height"), [(80, 14), (100, 13), (100, 23), (120, 24), (132, 30)])
def test_risiko_shows_all_territories(width: int, height: int) -> None:
    state = played("risiko", 120)
    text = "\n".join(low(state, height, width))
    assert set(re.findall(r"\b[A-Z]{3}\b", text)) >= {territory.code for territory in territories()}


def test_low_maps_of_risiko_are_as_high_as_may_be() -> None:
    heights = [shape.rows if (shape := low_map(100, height)) else 0 for height in range(18, 31)]
    assert heights == sorted(heights)
    assert heights[-1] == 30
    assert all(found <= height for found, height in zip(heights, range(18, 31), strict=True))


@pytest.mark.parametrize(("width", "height"), [(80, 14), (100, 14), (100, 21), (110, 25)])
def test_acres_shows_all_sites(width: int, height: int) -> None:
    text = "\n".join(low(played("a_few_acres_of_snow", 120), height, width))
    assert all(site.code in text for site in sites())


@pytest.mark.parametrize(("height", "chart"), [(24, True), (18, True), (17, False), (11, False)])
def test_attila_keeps_its_map(height: int, chart: bool) -> None:
    state = played("attila", 60)
    text = "\n".join(low(state, height, 100))
    assert all(one.code in text for one in state.game.position(state).land.provinces)
    assert all((tribe.name in text) == chart for tribe in tribes())


def test_zarahemla_keeps_the_rows_of_the_last_move() -> None:
    state = make_game("settlers_of_zarahemla").initial_state()
    while state.to_move < 0:
        state.apply(next(code for code, _ in state.chance_outcomes()))
    state.apply(state.parse("S0"))
    assert "Rs" in "\n".join(low(state, 7, 100)) or "Bs" in "\n".join(low(state, 7, 100))


def test_carcassonne_keeps_the_last_tile() -> None:
    state = played("carcassonne", 120)
    text = "\n".join(low(state, 12, 100))
    assert "┌" in text
    assert "┘" in text
    assert "not shown: y " in text


def test_carcassonne_keeps_rows_of_tiles_rather_than_a_long_list_of_placements() -> None:
    state = played("carcassonne", 120)
    while state.is_chance or len(state.legal_moves()) < 30:
        codes = state.legal_moves() if state.to_move >= 0 else [code for code, _ in state.chance_outcomes()]
        state.apply(codes[-1])
    text = low(state, 14, 80)
    assert text[-1].startswith("Type a number, or a place, such as ")
    assert sum("↻" in line for line in text) == 0
    assert "↻" in "\n".join(low(state, 80, 80))
