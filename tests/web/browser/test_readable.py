"""The size of texts on the screen: names, hands and cards on a common screen and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browser import Person
from support.served import Served

GAMES = ["risiko:players=4", "a_few_acres_of_snow", "attila:players=4", "settlers_of_zarahemla:players=4",
         "carcassonne:players=3"]
SCREEN, PHONE = {"width": 1280, "height": 850}, {"width": 390, "height": 844}
LEAST = 10.4            # pixels
MAGNIFIED = 11.0        # pixels of a name on the map of a phone when it is magnified
# The sizes in pixels of the texts that are seen, except codes, and letters that repeat the colour of a piece.
SIZES = """within => [...document.querySelectorAll(within)].filter(each => each.textContent.trim()
    && !each.closest('.code, .owner') && each.getClientRects().length).map(each => [each.textContent,
        parseFloat(getComputedStyle(each).fontSize) * Math.abs(each.getScreenCTM().d || each.getScreenCTM().b)])"""
NAMES = ".map svg:not(.rings) :is(.above, .plate text, .plate > text, .deck text, .special text)"
FITS = "document.scrollingElement.scrollWidth <= innerWidth"


def small(page: Any, within: str, least: float = LEAST) -> list[tuple[str, float]]:
    """Return the texts that are smaller than they may be."""
    return [(text, round(size, 1)) for text, size in page.evaluate(SIZES, within) if size < least]


@pytest.fixture(params=GAMES)
def table(request: Any, served: Served, person: Person) -> Iterator[Person]:
    """Yield a person at a table of each game, on a common screen, after the first moves."""
    person.page.set_viewport_size(SCREEN)
    players = int(request.param[-1]) if "=" in request.param else 2
    host = served.host(request.param, "human", *["greedy"] * (players - 1), seed="1")
    host.play_on(6)
    person.sit_down(served, host)
    person.wait()
    yield person
    assert person.errors == []


def test_names_hand_and_the_rest_can_be_read(table: Person) -> None:
    page = table.page
    assert small(page, NAMES) == []
    assert len(page.evaluate(SIZES, ".strips.hand svg text")) > 3
    assert small(page, ".strips svg text") == []
    assert page.evaluate(FITS)
    hand, high = page.locator(".strips.hand").bounding_box(), page.viewport_size["height"]
    assert hand["y"] + hand["height"] <= high, "the hand is seen together with the map"


def test_a_phone_shows_map_and_hand_and_the_rest_on_a_tap(table: Person) -> None:
    page = table.page
    page.set_viewport_size(PHONE)
    page.reload()
    table.wait()
    assert page.evaluate(FITS)
    board = page.locator(".map").bounding_box()
    assert board["width"] > PHONE["width"] - 20
    assert len(page.evaluate(SIZES, ".strips.hand svg text")) > 3
    assert small(page, ".strips.hand svg text") == []
    if page.locator(".rest").get_attribute("open") is None:
        assert not page.locator(".rest .strips").is_visible()
        page.locator(".rest > summary").click()
    assert len(page.evaluate(SIZES, ".rest .strips svg text")) > 5
    assert small(page, ".rest .strips svg text") == []
    larger = page.locator(".tools button").last
    while larger.is_enabled():
        larger.click()
    assert small(page, NAMES, MAGNIFIED) == []
    assert page.evaluate(FITS), "only the map is magnified"
    assert small(page, ".strips.hand svg text") == []


def test_rings_cover_no_name(table: Person) -> None:
    page = table.page
    copied = page.locator(".map .rings .above").all_text_contents()
    assert copied == page.locator(".map svg:not(.rings) .above").all_text_contents()
    order = page.evaluate("[...document.querySelector('.map .rings').children].map(each => each.getAttribute('class'))")
    assert order[-1] is None, "the names come last"
    assert set(order[:-1]) >= {"choice", "last"}
