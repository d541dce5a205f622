"""Moving the things themselves: ghosts under the pointer, turning, dragging, settings, one confirmation, no codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, expect

from support.browser import HIT, PLACES, PLAY, Person
from support.served import Seat, Served

GHOSTS = ".staged [data-ghost]"


def at(page: Any, key: str) -> tuple[float, float]:
    """Return a point of the window that hits a place."""
    drawn = page.locator(f'.sheet [data-place="{key}"]').first
    drawn.scroll_into_view_if_needed()
    point = drawn.evaluate(HIT)
    assert point is not None, f"{key} cannot be hit"
    return point[0], point[1]


def rest(page: Any, key: str) -> None:
    """Let the mouse rest on a place."""
    page.mouse.move(*at(page, key))


def drag(page: Any, start: tuple[float, float], key: str) -> None:
    """Drag what is at a point to a place."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 12, start[1] + 12)
    page.mouse.move(*at(page, key), steps=4)
    page.mouse.up()


def chosen(page: Any) -> list[str]:
    return str(page.locator(".deciding").get_attribute("data-chosen")).split()


def moves_of(seat: Seat) -> list[str]:
    found: list[str] = json.loads(seat.get("record"))["moves"]
    return found


def deciding(served: Served, person: Person, game: str, wanted: Callable[[dict[str, Any]], object],
             players: int = 2) -> tuple[Seat, dict[str, Any]]:
    """Sit down where the first player has a move that fits, and return the move."""
    seat = served.host(game, "human", *["greedy"] * (players - 1), seed="5")
    for _ in range(200):
        moves = seat.turn()["decision"]["moves"]
        found = next((move for move in moves if wanted(move)), None)
        if found is not None:
            person.sit_down(served, seat)
            assert person.wait()
            return seat, found
        seat.play_on(1)
    raise AssertionError("no such decision came")


def test_a_tile_is_turned_and_laid_with_a_follower_by_one_confirmation(
        served: Served, page: Any, person: Person) -> None:
    seat, move = deciding(served, person, "carcassonne", lambda move: move["path"][-1] == "turn:2" and move["then"])
    cell = move["path"][0]
    before, version = moves_of(seat), person.version()
    rest(page, cell)
    ghost = page.locator('.staged [data-ghost^="turn:"]')
    expect(ghost).to_have_count(1)
    expect(page.get_by_role("tooltip")).to_contain_text(move["words"])
    while ghost.get_attribute("data-ghost") != "turn:2":
        shown = ghost.get_attribute("data-ghost")
        page.mouse.wheel(0, 100)
        expect(ghost).not_to_have_attribute("data-ghost", shown)
    page.mouse.click(*at(page, cell))
    expect(page.locator(PLAY)).to_be_visible()
    assert chosen(page) == [cell, "turn:2", "nobody"]
    then = next(each for each in move["then"] if each["path"][0].startswith("spot:"))
    page.mouse.click(*at(page, then["path"][0]))
    expect(page.locator(f'.staged [data-ghost="{then["path"][0]}"]')).to_have_count(1)
    assert chosen(page) == [cell, "turn:2", then["path"][0]]
    assert person.version() == version
    page.locator(PLAY).click()
    person.moved_on(version)
    assert moves_of(seat)[len(before):len(before) + 2] == [move["text"], then["text"]]


def test_a_click_and_a_key_turn_what_lies_there(served: Served, page: Any, person: Person) -> None:
    _seat, move = deciding(served, person, "carcassonne", lambda move: move["path"][-1] == "turn:2")
    cell = move["path"][0]
    page.mouse.click(*at(page, cell))
    turned = chosen(page)[1]
    page.locator(".bubble").get_by_role("button", name="Turn").click()
    assert chosen(page)[1] != turned
    page.keyboard.press("r")
    again = chosen(page)
    assert again[0] == cell
    page.keyboard.press("Escape")
    expect(page.locator(GHOSTS)).to_have_count(0)
    assert chosen(page) == []


def test_the_tile_in_hand_is_dragged_to_its_place(served: Served, page: Any, person: Person) -> None:
    _seat, move = deciding(served, person, "carcassonne", lambda move: move["path"][0].startswith("cell:"))
    box = page.locator("[data-drag] .tile").bounding_box()
    drag(page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), move["path"][0])
    expect(page.locator(PLAY)).to_be_visible()
    assert chosen(page)[0] == move["path"][0]


def test_a_card_is_dragged_to_its_province(served: Served, page: Any, person: Person) -> None:
    seat, move = deciding(served, person, "attila:players=2", lambda move: move["path"][0].startswith("card:"))
    before, version = moves_of(seat), person.version()
    then = move["then"][-1]
    rest(page, move["path"][0])
    drag(page, at(page, move["path"][0]), then["path"][0])
    person.moved_on(version)
    assert moves_of(seat)[len(before):len(before) + 2] == [move["text"], then["text"]]
    assert person.errors == []


def test_an_attack_is_dragged_and_its_dice_are_beside_it(served: Served, page: Any, person: Person) -> None:
    seat, move = deciding(served, person, "risiko:players=3",
                          lambda move: move["path"][-1] == "dice:3", players=3)
    version, before = person.version(), len(moves_of(seat))
    origin, target = move["path"][:2]
    drag(page, at(page, origin), target)
    expect(page.locator(f'.staged [data-ghost="{origin} {target}"]')).to_be_attached()
    page.locator('.bubble [data-key="dice:3"]').click()
    person.moved_on(version)
    assert moves_of(seat)[before] == move["text"]


def test_armies_are_set_with_a_slider(served: Served, page: Any, person: Person) -> None:
    seat, move = deciding(served, person, "risiko:players=3", lambda move: move["path"][-1] == "amount:2", players=3)
    version, before = person.version(), len(moves_of(seat))
    rest(page, move["path"][0])
    ghost = page.locator(f'.staged [data-ghost="{move["path"][0]}"] [data-say]')
    expect(ghost).not_to_have_text("+2")            # all that may be placed
    page.mouse.click(*at(page, move["path"][0]))
    page.locator(".bubble input[type=range]").fill("2")
    expect(ghost).to_have_text("+2")
    page.locator(PLAY).click()
    person.moved_on(version)
    assert moves_of(seat)[before] == move["text"]


def test_a_settlement_stands_under_the_pointer_and_is_built_by_one_click(
        served: Served, page: Any, person: Person) -> None:
    seat, move = deciding(served, person, "settlers_of_zarahemla:players=2",
                          lambda move: move["path"][0].startswith("corner:"))
    version, before = person.version(), len(moves_of(seat))
    rest(page, move["path"][0])
    expect(page.locator(f'.staged [data-ghost="{move["path"][0]}"]')).to_be_attached()
    expect(page.get_by_role("tooltip")).to_contain_text(move["words"])
    page.mouse.click(*at(page, move["path"][0]))
    person.moved_on(version)
    assert moves_of(seat)[before] == move["text"]


def test_a_village_appears_at_its_site_with_its_card(served: Served, page: Any, person: Person) -> None:
    _seat, move = deciding(served, person, "a_few_acres_of_snow",
                           lambda move: "do:settle" in move["path"])
    page.mouse.click(*at(page, move["path"][0]))
    if "do:settle" not in chosen(page):
        page.locator('.bubble [data-key="do:settle"]').click()
    expect(page.locator(f'.staged [data-ghost="{move["path"][0]} do:settle"]').first).to_be_attached()


def test_a_finger_is_asked_before_a_move_is_played(served: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True,
                                  reduced_motion="reduce")
    page = context.new_page()
    person = Person(page)
    _seat, move = deciding(served, person, "settlers_of_zarahemla:players=2",
                           lambda move: move["path"][0].startswith("corner:"))
    version = person.version()
    page.touchscreen.tap(*at(page, move["path"][0]))
    expect(page.locator(PLAY)).to_be_visible()
    assert person.version() == version
    page.locator(PLAY).tap()
    person.moved_on(version)
    context.close()


def test_codes_are_shown_to_those_who_switch_them_on(served: Served, page: Any, person: Person) -> None:
    _seat, move = deciding(served, person, "carcassonne", lambda move: move["path"][0].startswith("cell:"))
    label = page.locator(".sheet .label.code").first
    expect(label).to_be_hidden()
    rest(page, move["path"][0])
    expect(page.get_by_role("tooltip")).not_to_contain_text(move["path"][0].removeprefix("cell:"))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("by codes").check()
    assert person.wait()
    expect(page.locator(".sheet .label.code").first).to_be_visible()
    assert page.locator(PLACES).count()
    rest(page, move["path"][0])
    expect(page.get_by_role("tooltip")).to_contain_text(f'({move["path"][0].removeprefix("cell:")})')
