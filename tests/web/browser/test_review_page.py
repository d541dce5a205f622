"""The page of a review: the turn that mattered most, and the game step by step along its curve."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import WAIT, Person, violations
from support.practising import LOST
from support.served import Seat, Served, plays


@pytest.fixture
def over(served: Served) -> Seat:
    """Return the host's seat at a finished game of tic-tac-toe, which O lost by its first move."""
    seat = served.host("tic_tac_toe", "human", "human", seed="1")
    seat.play_on(choose=plays(LOST.moves))
    return seat


def opened(person: Person, served: Served, seat: Seat) -> Any:
    """Open the review as whoever has just played does, and return its page."""
    page = person.page
    person.be_host(served)
    person.sit_down(served, seat)
    page.locator(".result").get_by_role("link", name="Review").click()
    page.locator(".decisive[data-ply]").wait_for()
    page.locator(".walk[data-at]").wait_for()
    return page


def test_one_click_shows_the_most_important_turn(served: Served, person: Person, over: Seat) -> None:
    page = opened(person, served, over)
    expect(page.locator(".verdict h2")).to_have_text("X wins")
    turn = page.locator(".decisive")
    expect(turn.locator("h2")).to_have_text("The most important turn: O, move 2 of 7")
    expect(turn.locator(".played .caption")).to_have_text("Played: a2")
    expect(turn.locator(".better .caption")).to_have_text("Better: b2")
    expect(turn.locator(".board svg:visible").nth(2)).to_be_attached()          # a drawing and its marks, twice
    expect(turn.locator(".loss")).to_contain_text("It cost 50.0 % of win probability")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the review").click()
    assert "Accuracy" in saved.value.path().read_text("utf-8")
    page.get_by_role("link", name="To the table").click()
    page.locator(".result").wait_for()
    assert person.errors == []


def test_the_game_is_stepped_through_by_keys_buttons_and_the_curve(
        served: Served, person: Person, over: Seat) -> None:
    page = opened(person, served, over)
    walk, words, slider = page.locator(".walk"), page.locator(".step"), page.get_by_label("Move of the game")
    expect(words).to_contain_text("after 7 of 7")
    page.get_by_role("button", name="Mistake before").click()
    expect(words).to_contain_text("A mistake: it cost 50.0 %")
    expect(walk.locator(".better .caption")).to_have_text("Better: b2")
    expect(page.get_by_role("button", name="Mistake before")).to_be_disabled()
    page.locator("body").press("ArrowRight")
    expect(words).to_contain_text("after 3 of 7")
    expect(walk.locator(".better")).to_be_hidden()
    slider.focus()
    page.keyboard.press("Home")
    expect(words).to_have_text("Before the first move.")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"after 0 of 7: X \d+ %"))
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("after 1 of 7")
    page.wait_for_selector('.walk[data-at="1"]')
    box = page.locator(".plot svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 4 / 7, box["y"] + box["height"] / 2)
    expect(words).to_contain_text("after 4 of 7")
    page.get_by_text("The curve as a table").click()
    rows = walk.locator("tbody tr")
    expect(rows).to_have_count(7)
    expect(rows.nth(1)).to_contain_text("Better: b2")
    rows.nth(5).get_by_role("button").click()
    expect(words).to_contain_text("after 6 of 7")
    page.get_by_role("button", name="Play on from here").click()
    page.locator(".deciding").wait_for()
    assert person.errors == []


def test_the_page_waits_for_the_review_and_shows_how_far_it_is(
        served: Served, person: Person, over: Seat) -> None:
    page, shares = person.page, [0.1, 0.7]
    person.be_host(served)

    def slowly(route: Any) -> None:
        if shares:
            route.fulfill(json={"ready": False, "share": shares[0]})
        else:
            route.continue_()

    page.route("**/lookback", slowly)
    page.goto(served.url + over.address.replace("/play/", "/review/"))
    while shares:                                   # the page asks until the text is seen
        expect(page.locator(".examining")).to_contain_text(f"{shares[0]:.0%}".replace("%", " %"))
        shares.pop(0)
    page.locator(".decisive[data-ply]").wait_for(timeout=2 * WAIT)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(served: Served, browser: Any, over: Seat, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = opened(Person(context.new_page()), served, over)
    page.get_by_role("button", name="Mistake before").click()
    page.locator(".walk .better .board svg").first.wait_for(state="attached")
    page.get_by_text("The curve as a table").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_a_guest_reads_it_and_a_spectator_too(served: Served, browser: Any) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1], seed="1")
    for place, text in enumerate(LOST.moves):
        (table["seats"][1] if place % 2 else table["host"]).play(text)
    for seat, name in ((table["seats"][1], "You"), (table["watch"], "X")):
        context = browser.new_context()
        page = context.new_page()
        page.goto(served.url + seat.address.replace("/play/", "/review/"))
        expect(page.locator(".verdict p")).to_contain_text(f"{name}: ")
        expect(page.get_by_role("link", name="Practise")).to_have_count(0)
        expect(page.get_by_role("button", name="Play on from here")).to_have_count(0)
        context.close()
