"""Pages for everybody: axe finds nothing, phones do not scroll sideways, the keyboard's place is seen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from support.browser import Person, violations
from support.served import Served


def test_start_page(served: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    Person(page).be_host(served)
    page.locator(".newgame summary").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Choose …: The Settlers of Zarahemla").click()
    for summary in page.locator("dialog summary").all():
        summary.click()
    page.get_by_label("Points needed to win").wait_for()
    assert violations(page, "dialog[open]") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    assert violations(page, "dialog[open]") == []
    context.close()


@pytest.mark.parametrize(("game", "scheme"), [("carcassonne", "light"), ("attila:players=2", "dark")],
                         ids=["light", "dark"])
def test_table(served: Served, browser: Browser, game: str, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 360, "height": 740})
    page = context.new_page()
    person = Person(page)
    person.sit_down(served, served.host(game, "human", "greedy", seed="5"))
    assert person.wait()
    page.locator(".moves > summary").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_drawer(served: Served, page: Any, person: Person) -> None:
    person.sit_down(served, served.host("carcassonne", "human", "greedy", seed="5"))
    person.choose()
    page.get_by_role("button", name="Look up").click()
    for tab, shown in (("Log", ".drawer .story li"), ("Help", ".drawer pre")):
        page.get_by_role("tab", name=tab).click()
        page.locator(shown).first.wait_for()
        assert violations(page, "dialog[open]") == []


def test_place_of_the_keyboard_is_seen(served: Served, page: Any) -> None:
    person = Person(page, keys=True)
    person.sit_down(served, served.host("risiko:players=3", "human", "greedy", "greedy", seed="5"))
    assert person.wait()
    person.tab_to(".sheet .can")
    assert page.locator(".rings .focus .over").count() == 1
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") not in (name, None)
    assert page.locator(".rings .focus .over").count() == 1
