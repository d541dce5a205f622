"""The luck on the page: sealed before the game, with a guest's part, checked and charted after it."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, expect

from sfida.ai.chance import draws_of
from sfida.ai.luck.commitment import commitment_of
from sfida.engines.records import GameRecord
from support.browser import Person, violations
from support.served import Served


def test_guests_contribute_before_the_first_draw_and_check_it_after_the_game(served: Served, browser: Browser) -> None:
    table = served.table("kuhn_poker", "human", "human", invited=[1])
    contexts = [browser.new_context(), browser.new_context()]
    host, guest = (Person(context.new_page(), seed=number) for number, context in enumerate(contexts))
    host.sit_down(served, table["host"])
    expect(host.page.locator(".sealing")).to_contain_text("Still missing")
    assert not table["host"].scene()["events"]
    guest.sit_down(served, table["seats"][1])
    expect(guest.page.locator(".sealing")).to_contain_text("Luck sealed")
    expect(host.page.locator(".sealing")).not_to_contain_text("Still missing")
    while not (scene := table["host"].scene())["over"]:
        (host, guest)[scene["to_move"]].choose()
    expect(guest.page.locator(".sealing")).to_contain_text("this browser's part is in it")
    expect(host.page.locator(".sealing")).to_contain_text("fits the seal")
    record = GameRecord.from_json_line(table["host"].get("record"))
    made = commitment_of(record)
    assert made is not None
    assert made.fits
    assert record.seed == made.game_seed != made.seed
    assert [part.seat for part in made.contributions if part.given] == [1]
    assert all(draw.drawn == draw.due for draw in draws_of(record))
    assert host.errors == guest.errors == []
    for context in contexts:
        context.close()


def test_the_host_begins_without_a_guest_who_does_not_come(served: Served, page: Any, person: Person) -> None:
    table = served.table("kuhn_poker", "human", "human", invited=[1])
    person.sit_down(served, table["host"])
    page.get_by_role("button", name="Begin without them").click()
    expect(page.locator(".sealing")).not_to_contain_text("Still missing")
    assert table["host"].scene()["events"]


def test_a_page_finds_out_a_host_who_exchanged_the_luck(served: Served, page: Any, person: Person) -> None:
    seat = served.host("kuhn_poker", "human", "random")
    person.sit_down(served, seat)
    expect(page.locator(".sealing")).to_contain_text("Luck sealed")
    noted = json.loads(page.evaluate("localStorage.getItem('luck')"))
    (key, note), = noted.items()
    while person.wait():
        person.choose()
    expect(page.locator(".sealing")).to_contain_text("fits the seal that this browser saw before")
    page.evaluate("told => localStorage.setItem('luck', told)", json.dumps({key: {**note, "sha256": "0" * 64}}))
    page.reload()
    expect(page.locator(".sealing")).to_contain_text("not the one that this browser saw before")


def test_charts_are_looked_at_during_the_game(served: Served, page: Any, person: Person) -> None:
    seat = served.host("carcassonne", "human", "random", seed="3")
    person.sit_down(served, seat)
    page.get_by_role("button", name="Look up").click()
    page.get_by_role("tab", name="Luck").click()
    expect(page.locator(".luckchart svg").first).to_be_visible()
    page.get_by_text("As a table").first.click()
    expect(page.locator(".luckchart tbody tr")).not_to_have_count(0)
    assert violations(page, ".drawer") == []
    assert person.errors == []


def test_charts_of_everything_drawn_stand_in_the_review(served: Served, page: Any, person: Person) -> None:
    seat = served.host("leduc_poker", "human", "human", seed="2")
    final = seat.play_on(choose=lambda _moves, _number: 0)
    assert final["over"]
    person.sit_down(served, seat)
    page.locator(".result").get_by_role("link", name="Review").click()
    charts = page.locator(".review .luckchart")
    expect(charts.locator("svg")).to_be_visible()
    charts.get_by_text("As a table").click()
    numbers = [int(cell) for cell in charts.locator("tbody td:nth-of-type(1)").all_inner_texts()]
    drawn = GameRecord.from_json_line(seat.get("record")).chance
    assert drawn is not None
    assert sum(numbers) == len(drawn)
    assert violations(page, ".review") == []
    assert person.errors == []
