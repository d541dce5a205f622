"""The page of a review: readable on any screen and for everybody."""

import re

import pytest

import sfida
from sfida.ai.review.model import Depth
from sfida.ai.review.page import NAMED, page, rows_of, seat_colour
from sfida.ai.review.reviewing import Reviewing
from sfida.engines.language import LANGUAGES, speaking
from sfida.engines.registry import make_game

PAPERS = ("#ffffff", "#15181b")


@pytest.fixture(scope="module")
def three():
    """Return the page of a game of three seats."""
    record = sfida.play("attila:players=3", ["greedy", "random", "greedy"], seed=4)
    reviewing = Reviewing(record, Depth("t", 2000, 1, 2))
    return page(reviewing.played, reviewing.run())


def luminance(rgb):
    """Return the relative luminance, as defined by WCAG 2.2."""
    levels = [int(rgb[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_line_stands_out_on_its_paper():
    for pair in NAMED.values():
        for colour, paper in zip(pair, PAPERS, strict=True):
            light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3.0, (colour, paper)


def test_seats_have_the_colours_they_are_named_after(three):
    game = make_game("attila:players=3")
    for code in LANGUAGES:
        with speaking(code):
            assert [seat_colour(game, seat) for seat in range(3)] == [
                f"var(--seat-{name})" for name in ("white", "red", "green")]
    for name in ("white", "red", "green"):
        assert f"--seat-{name}:" in three
        assert f'stroke:var(--seat-{name})"' in three
    assert seat_colour(make_game("a_few_acres_of_snow"), 1) == "var(--seat-blue)", "as on its board"


def test_lines_differ_in_more_than_colour(three):
    dashes = [re.search(r'stroke-dasharray="([^"]*)"', line) for line in re.findall("<polyline[^>]*>", three)]
    assert len({found and found[1] for found in dashes}) == len(dashes) == 3


def test_every_column_has_a_name(three):
    heads = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", three)
    assert len(heads) > 15
    assert all(heads)


def test_dice_and_draws_are_charted_with_their_numbers(three):
    pattern = r'<div class="luckchart"><h3>Cards of (\w+)</h3><svg.*?</svg>(.*?)</div></details>'
    charts = re.findall(pattern, three, re.DOTALL)
    assert sorted(name for name, _table in charts) == ["green", "red", "white"]
    for _name, numbers in charts:
        assert len(re.findall("<tr>", numbers)) == 1 + 6                # the head, and a row for each tribe


@pytest.mark.parametrize(("places", "rows"), [
    ([], []), ([0, 30, 60, 90], [0, 0, 0, 0]), ([10, 11, 12, 30], [0, 1, 2, 0]),
    ([97, 99, 99, 99, 100], [0, 1, 2, 3, 4]), ([0, 5, 9, 14, 18], [0, 1, 0, 1, 0]),
])
def test_no_number_covers_another(places, rows):
    assert rows_of(places) == rows
