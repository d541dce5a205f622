"""The page of practice: positions are asked and answered by pointing, and the better move stays hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

import sfida
from sfida.ai.archive import keep_game, today
from sfida.ai.review.practice import BoxPlace, Deck, PracticeCard, deck_file
from support.browser import Person, violations
from support.practising import FORKED, LOST
from support.served import Served


def started(person: Person, served: Served) -> Any:
    """Go from the start page to the first position, and return the page."""
    page = person.page
    person.be_host(served)
    page.get_by_role("link", name="Practise your mistakes").click()
    page.get_by_role("button", name="Look for my mistakes").click()
    page.get_by_role("button", name="Start").click()
    assert person.wait()
    return page


def drilled(game: str, plies: int) -> None:
    """Put a position of a game into the deck: the decision after some events, whose first move was a mistake."""
    record = sfida.play(game, ["greedy", "greedy"], seed=3)
    before = replace(record, moves=record.moves[:plies], result=None, seats=("human", "greedy"),
                     chance=None if record.chance is None else tuple(ply for ply in record.chance if ply < plies))
    state = before.replay()
    best = next(move for move in map(state.format, state.legal_moves()) if move != record.moves[plies])
    card = PracticeCard(before, int(state.to_move), record.moves[plies], best, 0.2, 0.01, BoxPlace(0, today()))
    Deck({card.key: card}).write(deck_file())


def boxes() -> list[int]:
    return [card.place.box for card in Deck.read(deck_file()).cards.values()]


def move(page: Any, text: str) -> Any:
    """Return the button of a move in tic-tac-toe, whose drawing shows none."""
    return page.locator(".options").get_by_role("button", name=text, exact=True)


def test_a_wrong_answer_a_right_one_and_the_end(served: Served, person: Person) -> None:
    keep_game(LOST)
    page = started(person, served)
    verdict = page.locator(".practising .verdict")
    move(page, "a2").click()
    expect(verdict).to_contain_text("a2 is what you played in the game.")
    expect(verdict).not_to_contain_text("b2")
    expect(verdict.locator("h2")).to_be_focused()
    page.get_by_role("button", name="Try again").click()
    move(page, "b2").click()
    expect(verdict).to_contain_text("Right")
    assert boxes() == [0]                       # the second answer does not count
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("status")).to_have_text("0 of 1 answer right.")
    page.get_by_role("button", name="Practise: Tic-tac-toe").click()
    move(page, "b2").click()
    expect(verdict).to_contain_text("It comes back tomorrow")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".practice")).to_contain_text("The next one comes back tomorrow.")
    assert boxes() == [1]
    assert person.errors == []


def test_the_solution_is_shown_when_asked_for(served: Served, person: Person) -> None:
    keep_game(LOST)
    keep_game(FORKED)
    page = started(person, served)
    expect(page.locator(".practising dl")).to_have_count(0)
    page.get_by_role("button", name="Show the solution").click()
    told = page.locator(".practising dl")
    expect(told).to_contain_text("in the game")
    expect(told).to_contain_text("better")
    expect(page.locator(".deciding")).to_be_hidden()
    page.get_by_role("button", name="Next position").click()
    expect(page.locator(".practising")).to_contain_text("Position 2 of 2")
    page.get_by_role("button", name="Later").click()
    expect(page.get_by_role("status")).to_have_text("0 of 1 answer right.")
    expect(page.get_by_role("heading", name="2 positions to practise")).to_be_focused()
    assert boxes() == [0, 0]


@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keyboard"])
def test_a_board_is_pointed_at(served: Served, page: Any, keys: bool) -> None:
    person = Person(page, keys=keys)
    drilled("carcassonne", 10)
    person.be_host(served)
    page.goto(f"{served.url}/practice")
    page.get_by_role("button", name="Start").click()
    while page.locator(".practising .verdict").is_hidden():
        person.choose()
        page.wait_for_function("() => !document.querySelector('.sending')")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".rings .hint .over").first).to_be_attached()
    expect(page.locator(".staged > g").first).to_be_attached()          # the ghost of the move
    assert person.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_practise(served: Served, browser: Any, scheme: Any) -> None:
    keep_game(LOST)
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    person = Person(page)
    person.be_host(served)
    page.goto(f"{served.url}/practice")
    page.get_by_role("button", name="Look for my mistakes").wait_for()
    assert violations(page) == []
    started(person, served)
    assert violations(page) == []
    page.get_by_role("button", name="Show the solution").click()
    page.locator(".practising dl").wait_for()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
