"""Several people: in separate browsers, at one screen, and after a lost connection."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from support.browser import Person
from support.served import Served, serving


def _hand(served: Served, seat: int) -> set[str]:
    """Return the cards held by a seat of the only table, as places of the drawing."""
    (_, session), = served.lobby.tables()
    assert session is not None
    return {f"card:{tribe}" for tribe in session.table.view(seat).observation()["seats"][seat]["hand"]}


def test_two_browsers_with_hidden_hands(served: Served, browser: Browser) -> None:
    table = served.table("attila:players=2", "human", "human", seed="5", invited=[1])
    contexts = [browser.new_context(), browser.new_context()]
    people = [Person(context.new_page(), seed=number) for number, context in enumerate(contexts)]
    seats = [table["host"], table["seats"][1]]
    for person, seat in zip(people, seats, strict=True):
        person.sit_down(served, seat)
    for _ in range(4):
        people[seats[0].scene()["to_move"]].choose()
        version = f"{seats[0].scene()['version']}"
        for number, person in enumerate(people):
            expect(person.page.locator(".table")).to_have_attribute("data-version", version)
            cards = person.page.locator('[data-place^="card:"]')
            shown = cards.evaluate_all("all => all.map(each => each.dataset.place)")
            assert set(shown) == _hand(served, number)
    for context in contexts:
        context.close()


def test_curtain_parts_people_at_one_screen(served: Served, page: Any, person: Person) -> None:
    seat = served.host("attila:players=2", "human", "human", seed="5")
    page.goto(served.url + seat.address)
    passes = page.locator(".curtain")
    expect(passes).to_contain_text("Pass the device to")
    expect(page.locator(".table")).to_be_hidden()
    page.get_by_role("button", name="I am").click()
    first = page.locator(".seat.moving b").inner_text()
    while person.ready() == "choose":
        person.choose()
    expect(page.locator(".table")).to_be_hidden()
    assert first not in passes.inner_text()
    page.get_by_role("button", name="I am").click()
    expect(page.locator(".table")).to_be_visible()
    assert page.locator(".seat.moving b").inner_text() != first


def test_page_goes_on_when_the_server_is_back(page: Any, person: Person) -> None:
    with serving() as first:
        seat = first.host("tic_tac_toe", "human", "random", seed="5")
        person.sit_down(first, seat)
        person.choose()
        assert person.wait()
        port = first.server.port
    expect(page.get_by_role("status")).to_contain_text("connection is lost")
    with serving(port):
        expect(page.get_by_role("status")).to_be_hidden(timeout=20_000)
        person.choose()
        assert person.wait() in (True, False)
        assert page.get_by_role("log").get_by_role("listitem").count() >= 2


def test_tabs_of_one_link_follow_each_other_and_come_back(served: Served, page: Any, person: Person) -> None:
    seat = served.host("tic_tac_toe", "human", "random", seed="5")
    person.sit_down(served, seat)
    other = Person(page.context.new_page(), seed=2)
    other.sit_down(served, seat)
    person.choose()
    assert person.wait()
    expect(other.page.locator(".table")).to_have_attribute("data-version", person.version())
    page.goto(f"{served.url}/play/nowhere")
    page.go_back()
    assert person.wait()
    other.choose()
    assert other.wait() in (True, False)
    expect(page.locator(".table")).to_have_attribute("data-version", other.version())
    page.reload()
    expect(page.locator(".table")).to_have_attribute("data-version", other.version())
    assert person.errors == other.errors == []
