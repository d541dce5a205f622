"""The start page: a new game, an invitation, a record."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

import sfida
from support.browser import Person
from support.served import Served


def test_game_is_opened_by_the_form(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_label("Carcassonne").check()
    page.get_by_role("radiogroup").get_by_label("3").check()
    for seat in ("Seat 2", "Seat 3"):
        page.get_by_label(seat).select_option("other")
        page.get_by_label("Agent").locator("visible=true").last.fill("greedy")
    page.get_by_text("Rule options").click()
    page.get_by_label(re.compile("^farmers")).select_option("false")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/*")
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(3)
    (_, session), = served.lobby.tables()
    assert session is not None
    assert session.table.specs == ("human", "greedy", "greedy")
    assert session.game.spec() == "carcassonne:players=3,farmers=false"
    assert person.errors == []


def test_what_is_wrong_is_told(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_label("Carcassonne").check()
    page.get_by_label("Seat 2").select_option("other")
    page.get_by_label("Agent").locator("visible=true").fill("nonsense")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".newgame .error")).to_contain_text("nonsense")


def test_friend_is_invited(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    page.get_by_text("Small games").click()
    page.locator("input[value=tic_tac_toe]").check()
    page.get_by_label("Seat 2").select_option("friend")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_contain_text("sfida serve --share")     # nobody else reaches this address
    link = page.get_by_role("dialog").get_by_label("Seat 2").input_value()
    assert link.startswith(f"{served.url}/play/")
    page.get_by_role("link", name="Go to the table").click()
    page.wait_for_url("**/play/*")
    assert page.url != link


def test_record_is_looked_at(served: Served, page: Any, person: Person, tmp_path: Path) -> None:
    record = sfida.play("tic_tac_toe", ["greedy", "random"], seed=3)
    (tmp_path / "game.jsonl").write_text(json.dumps(record.to_json()))
    person.be_host(served)
    page.get_by_label("A file that Sfida saved").set_input_files(tmp_path / "game.jsonl")
    page.wait_for_url("**/play/*")
    assert not person.wait()
    page.get_by_role("button", name="One move back").click()
    expect(page.get_by_text(f"after {len(record.moves) - 1} of {len(record.moves)}")).to_be_visible()
