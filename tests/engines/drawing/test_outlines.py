"""Outlines and dots of drawn maps."""

from __future__ import annotations

import math
import random

import pytest

from sfida.engines.drawing.placing import Areas
from sfida.engines.drawing.svg import noise, path, rough, smooth
from sfida.engines.drawing.terminal import DotCanvas
from support.pictures import inside

pytestmark = pytest.mark.release_only("nothing compiled")

SQUARE = [(2.0, 1.0), (8.0, 1.0), (8.0, 5.0), (2.0, 5.0)]


def test_noise_depends_on_its_key_only() -> None:
    values = [noise(f"key {i}") for i in range(400)]
    assert values == [noise(f"key {i}") for i in range(400)]
    assert all(-1 <= value <= 1 for value in values)
    assert abs(sum(values)) / 400 < 0.1


def test_rough_lines_keep_their_points_and_stay_near() -> None:
    line = [(0.0, 0.0), (100.0, 0.0), (100.0, 60.0)]
    points = rough(line, "coast", 0.1)
    assert points == rough(line, "coast", 0.1)
    assert points != rough(line, "other", 0.1)
    assert [point for point in points if point in line] == line
    assert len(points) > 20
    assert all(min(abs(y), abs(x - 100)) <= 22 for x, y in points)
    assert rough(line, "coast", 0.1, shortest=200) == line


@pytest.mark.parametrize("steps", [1, 5])
def test_smooth_lines_run_through_their_points(steps: int) -> None:
    line = [(0.0, 0.0), (10.0, 5.0), (20.0, -5.0), (30.0, 0.0)]
    points = smooth(line, steps)
    assert len(points) == 3 * steps + 1
    for found, wanted in zip(points[::steps], line, strict=True):
        assert math.dist(found, wanted) < 1e-9


def test_areas_are_those_around_a_point() -> None:
    areas = Areas([[SQUARE], [[(x + 20, y) for x, y in SQUARE], [(x + 4, y + 3) for x, y in SQUARE]]])
    assert areas.at(5.0, 3.0) == [0]
    assert areas.at(7.0, 4.5) == [0, 1]
    assert areas.at(25.0, 3.0) == [1]
    assert areas.at(1.0, 3.0) == areas.at(15.0, 3.0) == areas.at(5.0, 9.0) == []


def test_areas_agree_with_a_count_of_crossings() -> None:
    ring = rough([(0.0, 0.0), (60.0, -20.0), (100.0, 40.0), (30.0, 90.0), (0.0, 0.0)], "coast", 0.4)[:-1]
    areas, rng = Areas([[ring]]), random.Random(1)
    spots = [(rng.uniform(-40, 140), rng.uniform(-60, 120)) for _ in range(2000)]
    assert [areas.at(*spot) == [0] for spot in spots] == [inside(ring, *spot) for spot in spots]


def test_path_is_closed_where_wanted() -> None:
    assert path([(0.0, 1.0), (2.25, 3.0)]) == "M0 1l2 2"
    assert path(SQUARE, True) == "M2 1l6 0 0 4-6 0z"


def test_path_packs_its_steps() -> None:
    assert path([(9.5, 2.0), (9.0, 3.5), (9.0, 7.5), (20.0, 7.0)]) == "M9.5 2l-.5 1.5 0 4 11-.5"


def test_path_leaves_out_what_nobody_sees() -> None:
    line = [(0.0, 0.0), (10.0, 0.2), (20.0, 0.0), (30.0, 5.0)]
    assert path(line) == "M0 0l20 0 10 5"
    assert path(line[::-1]) == "M30 5l-10-5-20 0"
    assert path([(0.0, 0.0), (10.0, 2.0), (20.0, 0.0)]) == "M0 0l10 2 10-2"


def test_dots_fill_the_cells_that_a_line_crosses() -> None:
    canvas = DotCanvas(4, 2)
    canvas.draw([(0.0, 0.1), (3.9, 0.1)])
    assert canvas.lines() == ("⠉⠉⠉⠉", "    ")
    sparse = DotCanvas(4, 2)
    sparse.draw([(0.0, 0.1), (3.9, 0.1)], every=2)
    assert sum(bin(bits).count("1") for bits in sparse.bits[0]) == 4
    canvas.draw([(-3.0, -3.0), (-1.0, -1.0)])
    assert canvas.lines()[0] == "⠉⠉⠉⠉"


def test_covered_cells_have_their_middle_within_the_outline() -> None:
    found = DotCanvas(10, 6).covered(SQUARE)
    assert [[column for column, on in enumerate(row) if on] for row in found] == [
        [], *([list(range(2, 8))] * 4), []]
