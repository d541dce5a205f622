"""The functions of a table's page besides choosing on the board."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

from support.browser import PLACES, Person
from support.served import Seat, Served


def test_moves_are_typed_found_and_taken_back(served: Served, page: Any, person: Person) -> None:
    seat = served.host("carcassonne", "human", "greedy", seed="5")
    person.sit_down(served, seat)
    assert person.wait()
    first, before = seat.scene()["decision"]["moves"][0], person.version()
    page.keyboard.press("/")
    page.keyboard.type("nonsense")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").locator("visible=true")).to_contain_text("nonsense")
    page.locator("#typed").fill(first["text"])
    expect(page.locator(".moves li")).to_have_count(1)
    page.keyboard.press("Enter")
    person.moved_on(before)
    events = page.get_by_role("log")
    expect(events).to_contain_text(first["words"])
    page.get_by_role("button", name="Take back").click()
    expect(events).not_to_contain_text(first["words"])
    page.get_by_role("button", name="Play again").click()
    expect(events).to_contain_text(first["words"])


def test_choice_is_taken_back_before_it_is_a_move(served: Served, page: Any, person: Person) -> None:
    seat = served.host("risiko:players=3", "human", "greedy", "greedy", seed="5")
    person.sit_down(served, seat)
    key = person.choose()
    expect(page.locator(".chip")).to_have_count(2)       # the territory, and an amount that can be changed
    expect(page.locator(".rings .chosen .over")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.locator(f'{PLACES}[data-part="{key}"]')).to_have_count(1)


def test_move_is_confirmed_if_wanted(served: Served, page: Any, person: Person) -> None:
    seat = served.host("tic_tac_toe", "human", "random", seed="5")
    person.sit_down(served, seat)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Ask before playing").check()
    page.get_by_role("button", name="Close").locator("visible=true").click()
    before = person.version()
    person.choose()
    assert person.version() == before
    page.locator(".options").get_by_role("button", name="Play").click()
    person.moved_on(before)


def test_hint_is_marked_and_played(served: Served, page: Any, person: Person) -> None:
    seat = served.host("attila:players=2", "human", "greedy", seed="5")
    person.sit_down(served, seat)
    assert person.wait()
    page.get_by_role("button", name="Hint").click()
    best = page.locator(".hints .best b")
    best.wait_for()
    expect(page.locator(".rings .hint .over").first).to_be_attached()
    words = best.inner_text()
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("log")).to_contain_text(words)


def test_drawer_has_log_cards_and_rules(served: Served, page: Any, person: Person) -> None:
    seat = served.host("carcassonne", "human", "greedy", seed="5")
    person.sit_down(served, seat)
    page.get_by_role("button", name="Look up").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("Luck: city edge")
    page.get_by_role("tab", name="Rules").click()
    page.get_by_label("Word or clause").fill("CAR-3.2")
    page.get_by_role("button", name="Find").click()
    expect(panel).to_contain_text("CAR-3.2")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_italian_and_dark_are_remembered(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Light or dark").select_option("dark")
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", name="Nuova partita")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "it")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("heading", name="Nuova partita")).to_be_visible()


def test_board_is_magnified(served: Served, page: Any, person: Person) -> None:
    person.sit_down(served, served.host("tic_tac_toe", "human", "random", seed="5"))
    width = page.locator(".drawing").bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert page.locator(".drawing").bounding_box()["width"] > 1.3 * width


def test_resigning_ends_the_game(served: Served, page: Any, person: Person) -> None:
    person.sit_down(served, served.host("carcassonne", "human", "greedy", seed="5"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result h2")).to_have_text(re.compile("blue wins", re.IGNORECASE))


def test_game_is_played_on_from_an_earlier_position(served: Served, page: Any, person: Person) -> None:
    seat = served.host("carcassonne", "human", "greedy", seed="5")
    person.sit_down(served, seat)
    seat.play_on()
    whole = json.loads(seat.get("record"))["moves"]
    play_on = page.get_by_role("button", name="Play on from here")
    play_on.click()
    expect(page.get_by_role("alert").locator("visible=true")).to_contain_text("the game is over")
    page.get_by_label("Move of the game").fill("60")
    expect(page.locator(".lookback output")).to_contain_text("after 60 of")
    play_on.click()
    page.wait_for_url(lambda address: not address.endswith(seat.address))
    assert person.wait()
    other = Seat(seat.client, page.url.removeprefix(served.url))
    moves = json.loads(other.get("record"))["moves"]
    assert moves[:60] == whole[:60]
    person.choose()
    assert person.errors == []
