"""The start page: one click to play, a game that is set up, an invitation, games in progress, a record."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

import sfida
from support.browser import Person, violations
from support.served import Served

PICTURED = "() => [...document.querySelectorAll('.newgame > .games img')].every(image => image.naturalWidth > 0)"


def opened(served: Served, page: Any) -> tuple[str, tuple[str, ...]]:
    """Return the spec and the agents of the table that was just opened."""
    page.wait_for_url("**/play/*")
    _, session = next(served.lobby.tables())
    assert session is not None
    return session.game.spec(), session.table.specs


def set_up(page: Any, title: str) -> Any:
    """Open the dialog for a game."""
    page.get_by_role("button", name=f"Choose …: {title}").click()
    return page.get_by_role("dialog", name=title)


def test_every_game_has_a_picture_and_a_line(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    cards = page.locator(".newgame > .games > .game")
    expect(cards).to_have_count(5)
    for card in cards.all():
        expect(card.locator(".facts")).to_have_text(re.compile(r"^\d(–\d)? players · \d+–\d+ minutes · \w+ luck$"))
        card.scroll_into_view_if_needed()
    page.wait_for_function(PICTURED)
    assert person.errors == []


def test_one_click_plays_with_the_last_choices(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_role("button", name="Play Carcassonne").click()
    assert opened(served, page) == ("carcassonne", ("human", "level:3"))
    page.get_by_role("link", name="Sfida").click()
    dialog = set_up(page, "Attila")
    dialog.get_by_role("radiogroup").get_by_label("2").check()
    dialog.get_by_label("Seat 2").select_option("level:7")
    dialog.get_by_text("More rules").click()
    dialog.get_by_label("Conflict cards lie face up").select_option("yes")
    dialog.get_by_role("button", name="Start").click()
    chosen = ("attila:players=2,open_commitments=true", ("human", "level:7"))
    assert opened(served, page) == chosen
    page.get_by_role("link", name="Sfida").click()
    expect(page.locator(".start")).to_contain_text("you against Strong player, level 7")
    person.tab_to(".start .play")
    page.keyboard.press("Enter")
    assert opened(served, page) == chosen
    assert len(served.lobby.links.entries) == 3
    page.get_by_role("link", name="Sfida").click()
    page.get_by_role("button", name="Play: RisiKo!", exact=True).click()
    assert opened(served, page) == ("risiko", ("human", "level:3", "level:3", "level:3"))
    assert person.errors == []


def test_game_is_set_up_in_words(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    dialog = set_up(page, "Carcassonne")
    dialog.get_by_role("radiogroup").get_by_label("3").check()
    for seat in ("Seat 2", "Seat 3"):
        dialog.get_by_label(seat).select_option("other")
        dialog.get_by_label("Agent").locator("visible=true").last.fill("greedy")
    dialog.get_by_text("More rules").click()
    tiles = dialog.get_by_label("Cities of two tiles")
    expect(tiles.locator("option")).to_have_text(["2 points (as usual)", "4 points, like any other"])
    tiles.select_option("full")
    dialog.get_by_label("Farmers in the fields").select_option("no")
    dialog.get_by_role("button", name="Start").click()
    assert opened(served, page) == ("carcassonne:players=3,city2_scoring=full,farmers=false",
                                    ("human", "greedy", "greedy"))
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(3)
    assert person.errors == []


def test_preset_says_what_is_usual(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    dialog = set_up(page, "RisiKo!")
    rules = dialog.get_by_role("combobox", name="Rules")
    expect(rules.locator("option:checked")).to_have_text("the rulebook (as usual)")
    dialog.get_by_text("More rules").click()
    last = dialog.get_by_label("Last round", exact=False).first
    expect(last).to_have_attribute("placeholder", "100 (as usual)")
    rules.select_option("rtu")
    expect(last).to_have_attribute("placeholder", "35 (as usual)")
    expect(dialog.get_by_label("Equal points").locator("option:checked")).to_have_text(
        "go to further tie-breaks (as usual)")
    last.fill("20")
    dialog.get_by_role("radiogroup").get_by_label("3").check()
    expect(last).to_have_value("20")
    assert violations(page, "dialog[open]") == []
    dialog.get_by_role("button", name="Start").click()
    assert opened(served, page)[0] == "risiko:players=3,preset=rtu,round_limit=20"


def test_what_is_wrong_is_told(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    dialog = set_up(page, "Carcassonne")
    dialog.get_by_label("Seat 2").select_option("other")
    dialog.get_by_label("Agent").locator("visible=true").fill("nonsense")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.locator(".error")).to_contain_text("nonsense")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.evaluate("""localStorage.setItem("choices", JSON.stringify({ last: "risiko", games: {
        risiko: { count: 4, seats: "none", values: { preset: "gone", nothing: 1 } }, carcassonne: 7 } }))""")
    page.reload()
    page.get_by_role("button", name="Play RisiKo!").click()
    expect(page.locator(".start .error")).to_contain_text("'preset' of game 'risiko' must be base")
    page.get_by_role("button", name="Play: Carcassonne", exact=True).click()
    assert opened(served, page) == ("carcassonne", ("human", "level:3"))


def test_friend_is_invited(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_text("Small games").click()
    dialog = set_up(page, "Tic-tac-toe")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_contain_text("sfida serve --share")     # nobody else reaches this address
    link = page.get_by_role("dialog").get_by_label("Seat 2").input_value()
    assert link.startswith(f"{served.url}/play/")
    page.get_by_role("link", name="Go to the table").click()
    page.wait_for_url("**/play/*")
    assert page.url != link


def test_games_in_progress_are_shown_as_they_stand(served: Served, page: Any, person: Person) -> None:
    going = served.host("carcassonne", "human", "level:2", seed="4")
    going.play_on(6)
    served.host("tic_tac_toe", "human", "greedy", seed="4").play_on()
    person.be_host(served)
    row = page.locator(".progress li")
    expect(row).to_have_count(1)
    _, session = served.lobby.enter(going.address.rsplit("/", 1)[1])
    red, blue = session.table.state.scores()
    expect(row).to_contain_text(re.compile(
        rf"Red, you: {red} points?.*Blue, Learner, level 2: {blue} points?.*last move"))
    expect(row.locator("img")).to_have_js_property("complete", True)
    page.get_by_text("1 finished game").click()
    expect(page.locator(".finished li")).to_contain_text("greedy")
    assert violations(page) == []
    row.get_by_role("link", name="Continue").click()
    page.wait_for_url(f"**{going.address}")
    assert person.wait()
    assert person.errors == []


def test_record_is_looked_at(served: Served, page: Any, person: Person, tmp_path: Path) -> None:
    record = sfida.play("tic_tac_toe", ["greedy", "random"], seed=3)
    (tmp_path / "game.jsonl").write_text(json.dumps(record.to_json()))
    person.be_host(served)
    page.get_by_label("A file that Sfida saved").set_input_files(tmp_path / "game.jsonl")
    page.wait_for_url("**/play/*")
    assert not person.wait()
    page.get_by_role("button", name="One move back").click()
    expect(page.get_by_text(f"after {len(record.moves) - 1} of {len(record.moves)}")).to_be_visible()
