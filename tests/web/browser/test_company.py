"""Who plays along, and in what company: characters, clocks, sounds, full screen, QR codes of invitations."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import Person, violations
from support.served import Served

HEARD = """
    globalThis.heard = 0;
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const { start } = kind.prototype;
        kind.prototype.start = function (...given) { heard += 1; return start.apply(this, given); };
    }
"""
FULL = "() => document.fullscreenElement !== null"


def choose(page: Any, title: str) -> Any:
    """Open the form for a new game, and return it."""
    if title == "Tic-tac-toe":
        page.get_by_text("Small games").click()
    page.get_by_role("button", name=f"Choose …: {title}").click()
    return page.locator("dialog.setup")


def specs(served: Served) -> tuple[str, ...]:
    (_, session), = served.lobby.tables()
    assert session is not None
    return session.table.specs


def test_a_level_gets_a_character_of_its_game(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    form = choose(page, "Carcassonne")
    page.get_by_label("Character at place 2").select_option("farmer")
    expect(form).to_contain_text("Lies down in the fields early")
    form.get_by_role("button", name="Close").click()
    choose(page, "A Few Acres of Snow")
    expect(page.get_by_label("Character at place 2")).to_have_value("")
    page.get_by_label("Character at place 2").select_option("raider")
    page.get_by_label("Seat 2", exact=True).select_option("level:3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/*")
    expect(page.get_by_role("list", name="Players")).to_contain_text(re.compile("Raider · .*level 3"))
    assert specs(served) == ("human", "level:3/raider")
    assert person.errors == []


def test_people_have_no_character(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    form = choose(page, "Carcassonne")
    expect(page.get_by_label("Character at place 2")).to_be_visible()
    expect(page.get_by_label("Character at place 1")).to_be_hidden()
    page.get_by_label("Seat 2", exact=True).select_option("friend")
    expect(page.get_by_label("Character at place 2")).to_be_hidden()
    form.get_by_role("button", name="Close").click()
    choose(page, "Tic-tac-toe")
    page.get_by_label("Seat 2", exact=True).select_option("level:5")
    expect(page.get_by_label("Character at place 2")).to_be_hidden()


def test_a_guest_hands_the_seat_to_a_character(served: Served, page: Any, person: Person) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="5")
    person.sit_down(served, table["seats"][1])
    page.get_by_label(re.compile("^Let the computer play for")).last.select_option("level:2/miser")
    expect(page.get_by_role("list", name="Players")).to_contain_text(re.compile("Miser · .*level 2"))
    assert specs(served) == ("human", "level:2/miser")


def test_a_clock_counts_down_and_at_zero_the_computer_plays_on(served: Served, page: Any, person: Person) -> None:
    person.be_host(served)
    choose(page, "Tic-tac-toe")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Time for the whole game").select_option("5")
    page.get_by_label("Time added by each turn").select_option("20")
    assert violations(page) == []
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/*")
    clock = page.get_by_role("timer")
    expect(clock).to_have_text(re.compile("^(5:00|4:5.)$"))
    first = clock.inner_text()
    expect(clock).not_to_have_text(first)
    (_, session), = served.lobby.tables()
    assert session is not None
    assert session.table.clocks is not None
    assert session.table.clocks.form == "300+20"
    session.table.clocks._clocks[0].left = 0.0
    session._ring()
    expect(clock).to_have_text("0:00")
    expect(page.get_by_role("list", name="Players")).not_to_contain_text("you")
    expect(page.get_by_role("button", name="Take the seat back")).to_have_count(0)
    assert violations(page, ".seats") == []
    assert person.errors == []


def test_sounds_are_off_until_they_are_switched_on(served: Served, page: Any, person: Person) -> None:
    page.add_init_script(HEARD)
    seat = served.host("tic_tac_toe", "human", "random", seed="5")
    person.sit_down(served, seat)
    person.choose()
    assert person.wait()
    assert page.evaluate("heard") == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").check()
    assert page.evaluate("heard") > 0
    page.get_by_role("button", name="Close").click()
    page.reload()
    before = page.evaluate("heard")
    while person.wait():
        person.choose()
    page.wait_for_function("before => heard > before", arg=before)
    kinds = ["lay", "change", "dice", "card", "clash", "turn", "end"]
    each = page.evaluate("""async (kinds) => {
        const { play } = await import("/static/sound.js");
        return kinds.map((kind) => { const was = heard; play(kind); return heard - was; });
    }""", [*kinds, "nothing"])
    assert all(each[:-1])
    assert each[-1] == 0
    assert person.errors == []


def test_the_page_fills_the_screen_by_button_and_by_key(served: Served, page: Any, person: Person) -> None:
    person.sit_down(served, served.host("tic_tac_toe", "human", "random", seed="5"))
    button = page.get_by_role("button", name="Full screen")
    button.click()
    page.wait_for_function(FULL)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("f")
    page.wait_for_function(f"() => !({FULL})()")
    page.locator("#main").press("f")
    page.wait_for_function(FULL)
    page.get_by_role("button", name="Full screen").click()
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("length", [1, 14, 15, 60, 84, 85, 110, 150, 180, 213])
def test_qr_codes_are_those_of_another_encoder(served: Served, page: Any, length: int) -> None:
    qrcode = pytest.importorskip("qrcode", reason="QR codes are compared with those of qrcode")
    text = ("http://192.168.1.17:8765/play/" + "aZ_9-" * 40)[:length]
    page.goto(served.url + "/play/nowhere")
    rows = page.evaluate("async (text) => (await import('/static/qr.js')).matrix(text).map((row) => row.map(Number))",
                         text)
    known = []
    for mask in range(8):               # any of them is right; which one is easiest to read is a matter of taste
        code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, mask_pattern=mask, border=0)
        code.add_data(qrcode.util.QRData(text.encode(), mode=qrcode.util.MODE_8BIT_BYTE))
        code.make()
        known.append([list(map(int, row)) for row in code.get_matrix()])
    assert rows in known


def test_too_long_a_text_has_no_qr_code(served: Served, page: Any) -> None:
    page.goto(served.url + "/play/nowhere")
    assert page.evaluate("async () => (await import('/static/qr.js')).matrix('x'.repeat(214))") is None


def test_an_invitation_has_a_qr_code_that_others_reach(served: Served, page: Any, person: Person) -> None:
    served.lobby.address = "http://192.168.1.17:8765"
    person.be_host(served)
    choose(page, "Tic-tac-toe")
    page.get_by_label("Seat 2", exact=True).select_option("friend")
    page.get_by_role("button", name="Start").click()
    dialog = page.locator("dialog.links")
    assert dialog.get_by_label("Seat 2", exact=True).input_value().startswith("http://192.168.1.17:8765/play/")
    expect(dialog.get_by_role("img", name="QR code of the link: Seat 2")).to_be_visible()
    expect(dialog).not_to_contain_text("work on this computer only")
    assert violations(page, "dialog") == []
