"""Aids on a page: at the pointer, under a finger, with the focus, in the list; and the host's switches."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.browser import HIT, Person, violations
from support.served import Seat, Served


def place(page: Any, key: str) -> Locator:
    found: Locator = page.locator(f'.sheet [data-place="{key}"]').first
    return found


def point(page: Any, key: str) -> None:
    """Move the mouse to a place."""
    drawn = place(page, key)
    drawn.scroll_into_view_if_needed()
    at = drawn.evaluate(HIT)
    assert at is not None, f"{key} cannot be hit"
    page.mouse.move(*at)


def told(seat: Seat, kind: str, start: str = "") -> Any:
    """Return the first aid of a kind, at a place whose key begins with `start`."""
    return next(aid for aid in seat.scene()["aids"]["told"] if aid["kind"] == kind and aid["place"].startswith(start))


def started(served: Served, person: Person, game: str, players: int = 2, decisions: int = 10) -> Seat:
    """Return the host's seat after some decisions of the host."""
    seat = served.host(game, "human", *["greedy"] * (players - 1), seed="5")
    seat.play_on(decisions)
    seat.turn()
    person.sit_down(served, seat)
    assert person.wait()
    return seat


def test_a_cell_tells_and_marks_the_tiles_that_fit(served: Served, page: Any, person: Person) -> None:
    seat = started(served, person, "carcassonne")
    aid = told(seat, "fits", "cell:")
    point(page, aid["place"])
    expect(page.get_by_role("tooltip")).to_contain_text(aid["words"])
    expect(page.locator(".rings .aid .over")).to_have_count(1 + len(aid["marks"]))
    page.mouse.move(2, 2)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(page.locator(".rings .aid .over")).to_have_count(0)


def test_a_feature_is_marked_whole_with_its_owner(served: Served, page: Any, person: Person) -> None:
    seat = started(served, person, "carcassonne", decisions=16)
    for kind in ("road", "city", "field"):
        aid = next(each for each in seat.scene()["aids"]["told"] if each["kind"] == "owners"
                   and each["title"] == kind and each["place"].startswith("feature:"))
        point(page, aid["place"])
        expect(page.get_by_role("tooltip")).to_contain_text(aid["words"])
        parts = place(page, aid["place"]).locator("path").count()
        assert page.locator(".rings .aid .over path").count() == parts > 0


def test_gaps_are_marked_until_the_host_switches_them_off(served: Served, page: Any, person: Person) -> None:
    seat = served.host("carcassonne", "human", "human", seed="5")
    scene = seat.play_on(41, lambda moves, number: 3 * number)
    gaps = [aid for aid in scene["aids"]["told"] if aid["kind"] == "gaps"]
    assert gaps
    person.sit_down(served, seat)
    expect(page.locator(".rings .gaps .over")).to_have_count(len(gaps))
    point(page, gaps[0]["place"])
    expect(page.get_by_role("tooltip")).to_contain_text("no tile left fits here")
    page.locator(".aids > summary").click()
    before = person.version()
    page.get_by_label("no tile left can fill").uncheck()
    expect(page.locator(".rings .gaps .over")).to_have_count(0)
    assert person.version() == before
    page.reload()
    person.wait()
    assert page.locator(".rings .gaps .over").count() == 0
    page.locator(".aids > summary").click()
    page.get_by_label("no tile left can fill").check()
    expect(page.locator(".rings .gaps .over")).to_have_count(len(gaps))


def test_a_friend_sees_what_the_host_leaves_on(served: Served, browser: Browser, page: Any, person: Person) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="5")
    host = table["host"]
    host.turn()
    person.sit_down(served, host)
    context = browser.new_context()
    friend = Person(context.new_page())
    friend.sit_down(served, table["seats"][1])
    aid = told(host, "fits")
    point(friend.page, aid["place"])
    expect(friend.page.get_by_role("tooltip")).to_contain_text(aid["words"])
    page.locator(".aids > summary").click()
    page.get_by_label("Tiles that fit").uncheck()
    expect(friend.page.get_by_role("tooltip")).to_be_hidden()
    friend.page.locator(".aids > summary").click()
    expect(friend.page.locator(".aids")).to_contain_text("The host has switched off: tiles that fit a place")
    assert friend.page.locator(".aids input").count() == 0
    context.close()


def test_keys_come_to_the_aids_and_readers_hear_them(served: Served, page: Any) -> None:
    person = Person(page, keys=True)
    seat = started(served, person, "risiko:players=3", 3, decisions=12)
    person.tab_to(".sheet .can")
    key = page.evaluate("document.activeElement.dataset.place")
    words = [aid["words"] for aid in seat.scene()["aids"]["told"] if aid["place"] == key]
    assert words
    for each in words:
        expect(page.get_by_role("tooltip")).to_contain_text(each)
    described = page.evaluate("document.activeElement.getAttribute('aria-describedby')")
    expect(page.locator(f"#{described}")).to_contain_text(words[0])
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()
    person.tab_to(".aids > summary")
    page.keyboard.press("Enter")
    person.tab_to(".aids details > summary")
    page.keyboard.press("Enter")
    person.tab_to(".aids li button")
    expect(page.locator(".rings .aid .over")).not_to_have_count(0)
    assert "Alaska" in page.locator(".aids li").first.inner_text()


@pytest.mark.parametrize("game", ["risiko:players=3", "settlers_of_zarahemla:players=3"])
def test_a_finger_is_told_without_choosing(served: Served, browser: Browser, game: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    person = Person(page)
    seat = started(served, person, game, 3, decisions=12)
    scene = seat.scene()
    choices = set(scene["decision"]["parts"])
    aid = next(each for each in scene["aids"]["told"] if each["place"] not in choices
               and each["kind"] in ("odds", "yields") and place(page, each["place"]).evaluate(HIT))
    before = person.version()
    drawn = place(page, aid["place"])
    drawn.scroll_into_view_if_needed()
    page.touchscreen.tap(*drawn.evaluate(HIT))
    bubble = page.get_by_role("tooltip")
    expect(bubble).to_contain_text(aid["words"])
    box = bubble.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator(".question").tap()
    expect(bubble).to_be_hidden()
    assert person.version() == before
    context.close()


def test_places_under_others_can_still_be_chosen(served: Served, page: Any, person: Person) -> None:
    """A hex is chosen through the corners and paths that lie upon it, but cannot be chosen now."""
    seat = served.host("settlers_of_zarahemla:players=3", "human", "human", "human", seed="5")
    while (scene := seat.turn())["decision"] and not any(
            key.startswith("hex:") for key in scene["decision"]["parts"]):
        moves = scene["decision"]["moves"]
        seat.post("play", {"version": scene["version"], "move": moves[scene["version"] % len(moves)]["label"]})
    person.sit_down(served, seat)
    person.wait()
    page.locator(".curtain button").click() if page.locator(".curtain:not([hidden])").count() else None
    before = person.version()
    for key in [each for each in scene["decision"]["parts"] if each.startswith("hex:")]:
        box = place(page, key).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + 2
        top = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-place]').dataset.place", [x, y])
        if top.startswith(("corner:", "edge:")):
            page.mouse.click(x, y)
            break
    else:
        raise AssertionError("nothing lies upon a hex")
    person.moved_on(before)


def test_aids_belong_to_the_last_position_alone(served: Served, page: Any, person: Person) -> None:
    seat = served.host("risiko:players=3,round_limit=1", "human", "greedy", "greedy", seed="5")
    seat.play_on()
    aid = told(seat, "continents")
    person.sit_down(served, seat)
    point(page, aid["place"])
    expect(page.get_by_role("tooltip")).to_contain_text(aid["words"])
    slider = page.get_by_label("Move of the game")

    def look_at(ply: str) -> None:
        page.evaluate("document.querySelector('.map svg').dataset.old = 'yes'")
        slider.fill(ply)
        page.locator(".map svg:first-child:not([data-old])").wait_for()

    look_at("9")
    point(page, told(seat, "continents", "territory:GIA")["place"])
    expect(page.get_by_role("tooltip")).to_be_hidden()
    look_at(slider.get_attribute("max") or "")
    point(page, aid["place"])
    expect(page.get_by_role("tooltip")).to_contain_text(aid["words"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_aids(served: Served, browser: Browser, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    seat = started(served, Person(page), "attila:players=3", 3)
    for summary in page.locator(".aids summary").all():
        summary.click()
    point(page, told(seat, "owners")["place"])
    expect(page.get_by_role("tooltip")).to_be_visible()
    assert violations(page) == []
    context.close()
