"""A first game: the introduction, a lesson at each kind of decision, once, until the learner has had enough."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from sfida.engines.registry import make_game
from support.browser import Person, violations
from support.served import Served

LESSON = ".lesson"
# The lessons that are due at the position on the page were fetched.
SETTLED = """() => {
    const table = document.querySelector(".table");
    return table && table.dataset.version === document.querySelector(".lesson").dataset.version;
}"""


def paragraphs(text: str) -> list[str]:
    return text.split("\n\n")


def test_game_is_explained_as_it_is_played(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.locator(".start").get_by_role("button", name="Learn as you play").click()
    page.wait_for_url("**/play/*")
    lesson, game = page.locator(LESSON), make_game("carcassonne")
    expect(lesson.get_by_role("heading")).to_have_text("Carcassonne")
    expect(lesson.locator("p")).to_have_text(paragraphs(game.introduction()))
    assert violations(page) == []
    lesson.get_by_role("button", name="Next").click()
    titles = [lesson.get_by_role("heading").inner_text()]
    assert lesson.get_by_role("button", name="Rule CAR-").count() == 1
    lesson.get_by_role("button", name="Next").click()          # the follower is chosen together with its tile
    titles.append(lesson.get_by_role("heading").inner_text())
    for number in range(12):
        if not person.wait():
            break
        page.reload() if number == 4 else person.choose()
        page.wait_for_function(SETTLED)
        if lesson.is_visible() and lesson.get_by_role("heading").inner_text() != titles[-1]:
            titles.append(lesson.get_by_role("heading").inner_text())
    assert len(titles) >= 2
    assert len(set(titles)) == len(titles), "each lesson comes once"
    assert "Carcassonne" not in titles
    assert person.errors == []


def test_the_rule_is_looked_up_and_lessons_end(served: Served, page: Any) -> None:
    person = Person(page, keys=True)
    person.sit_down(served, served.host("attila:players=2", "human", "greedy", seed="5"))
    assert person.wait()
    lesson = page.locator(LESSON)
    expect(lesson).to_be_hidden()
    page.get_by_role("group", name="What else you can do").get_by_role("button", name="Learn as you play").click()
    expect(lesson.get_by_role("heading")).to_contain_text("Attila")
    person.tab_to(f"{LESSON} .main")
    page.keyboard.press("Enter")
    expect(lesson.get_by_role("heading")).not_to_contain_text("Attila")
    expect(lesson.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")                # a card and its province are one move with two lessons
    expect(lesson.get_by_role("button", name="Got it")).to_be_focused()
    lesson.get_by_role("button", name="Rule ATT-").click()
    expect(page.locator("dialog[open] pre")).to_contain_text("ATT-")
    page.keyboard.press("Escape")
    lesson.get_by_role("button", name="No more lessons").click()
    expect(lesson).to_be_hidden()
    person.choose()
    assert person.wait()
    expect(lesson).to_be_hidden()
    page.get_by_role("button", name="Learn as you play").click()        # from the beginning
    expect(lesson.get_by_role("heading")).to_contain_text("Attila")
    assert person.errors == []


@pytest.mark.parametrize("learns", [True, False])
def test_setup_offers_lessons(served: Served, page: Any, person: Person, learns: bool) -> None:
    person.be_host(served)
    page.get_by_role("button", name="Choose …: RisiKo!").click()
    page.get_by_role("checkbox", name="Learn as you play").set_checked(learns)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/*")
    assert person.wait()
    (expect(page.locator(LESSON)).to_be_visible if learns else expect(page.locator(LESSON)).to_be_hidden)()
    page.get_by_role("link", name="Sfida").click()
    page.get_by_text("Small games").click()
    page.get_by_role("button", name="Choose …: Tic-tac-toe").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Learn as you play")).to_have_count(0)


def test_a_phone_shows_the_lesson_over_the_table(served: Served, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    person = Person(page)
    person.be_host(served)
    page.get_by_role("button", name="Learn as you play: Carcassonne").last.click()
    page.locator(LESSON).wait_for()
    box = page.locator(LESSON).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 740
    assert violations(page) == []
    person.read_lessons()
    expect(page.locator(LESSON)).to_be_hidden()
    person.choose()
    context.close()
