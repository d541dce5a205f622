"""Events in motion on the board, and how they are left out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser import Person, violations
from support.served import Seat, Served

# Notes all that the stage shows, ten times as fast: kinds of cues, faces of dice as they lie at the end, signs.
NOTING = """
const [animate, wait] = [Element.prototype.animate, window.setTimeout];
Element.prototype.animate = function (frames, timing) {
    return animate.call(this, frames, {...timing, duration: timing.duration / 10, delay: timing.delay / 10});
};
window.setTimeout = (call, time, ...more) => wait(call, time / 10, ...more);
window.shown = [];
const noted = new WeakSet();
const look = () => {
    for (const one of document.querySelectorAll(".stage > *")) {
        if (noted.has(one)) continue;
        noted.add(one);
        const dice = one.matches(".dice") ? [...one.children] : [];
        const entry = {cue: one.dataset.cue ?? "", dice: [], text: one.textContent, name: one.getAttribute("class")};
        shown.push(entry);
        if (one.matches(".dice")) new MutationObserver(() => {
            entry.dice = dice.map((row) => [...row.children].map((die) => die.querySelectorAll("circle").length));
        }).observe(one, {subtree: true, childList: true});
    }
};
new MutationObserver(look).observe(document, {subtree: true, childList: true});
"""
# No step ends by itself.
ENDLESS = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
    return animate.call(this, frames, {...timing, duration: 600000});
};
"""
PLAYING = ".skip:not([hidden])"
CHOOSING = f"""() => {{
    if (document.querySelector("{PLAYING}")) return true;
    const choice = document.querySelector(".options .play-move")
        ?? document.querySelector(".sheet .can, .options [data-key]");
    if (choice && !document.querySelector(".sending")) choice.dispatchEvent(new MouseEvent("click", {{bubbles: true}}));
    return false;
}}"""


@pytest.fixture
def watcher(page: Any) -> Person:
    """Return a person who sees events in motion."""
    return Person(page, motion=True)


def noted(page: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.evaluate("JSON.stringify(window.shown)"))
    return found


def sat_down(served: Served, watcher: Person, game: str, *seats: str, script: str = NOTING) -> Seat:
    """Sit down at a new table whose other seats are agents."""
    watcher.page.add_init_script(script)
    seat = served.host(game, *seats, seed="5")
    watcher.sit_down(served, seat)
    assert watcher.wait()
    return seat


def test_a_laid_tile_and_the_next_draw_move(served: Served, watcher: Person) -> None:
    sat_down(served, watcher, "carcassonne", "human", "greedy")
    for _ in range(4):
        watcher.choose()
    assert watcher.wait()
    kinds = [each["cue"] for each in noted(watcher.page)]
    assert "lay" in kinds
    assert "card" in kinds
    assert watcher.page.locator(".stage img").count() == 0, "the new board shows what was laid"
    assert watcher.errors == []


def test_a_roll_settles_on_faces_with_its_total(served: Served, watcher: Person) -> None:
    seat = sat_down(served, watcher, "settlers_of_zarahemla:players=2", "human", "greedy")
    totals: dict[int, int] = {}
    while not totals:
        watcher.choose()
        assert watcher.wait()
        totals = {event["ply"]: int(event["text"].removeprefix("#dice=")) for event in seat.scene()["events"]
                  if event["text"].startswith("#dice=")}
    dice = [sum(row) for each in noted(watcher.page) for row in each["dice"]]
    assert dice == [totals[ply] for ply in sorted(totals)]


def test_armies_fight_with_dice_and_losses(served: Served, watcher: Person) -> None:
    seat = sat_down(served, watcher, "risiko:players=3", "human", "greedy", "greedy")
    fights: list[Any] = []
    while not fights:
        watcher.choose()
        assert watcher.wait()
        fights = [cue for event in seat.scene()["events"] for cue in event.get("cues", ()) if cue["faces"]]
    for one in fights:
        attack, defence = one["faces"]
        won = sum(a > b for a, b in zip(attack, defence, strict=False))
        lost = min(len(attack), len(defence)) - won
        assert one["words"] == [f"−{number}" if number else "" for number in (lost, won)]
    dice = [each["dice"] for each in noted(watcher.page) if each["dice"]]
    assert dice[-len(fights):] == [one["faces"] for one in fights]


@pytest.mark.parametrize("how", ["button", "escape", "click"])
def test_motion_is_skipped(served: Served, watcher: Person, how: str) -> None:
    seat = sat_down(served, watcher, "carcassonne", "human", "greedy", script=ENDLESS)
    page = watcher.page
    page.wait_for_function(CHOOSING)
    version = watcher.version()
    assert int(version) < seat.scene()["version"], "the old board"
    expect(page.locator(".sheet .can, .options [data-key]")).to_have_count(0)
    expect(page.locator(".caption")).not_to_be_empty()
    if how == "button":
        assert violations(page) == []
    if how == "button":
        page.get_by_role("button", name="Skip").click()
    elif how == "escape":
        page.keyboard.press("Escape")
    else:
        page.mouse.click(5, 5)
    expect(page.locator(PLAYING)).to_have_count(0)
    watcher.moved_on(version)
    assert page.locator(".stage > *").count() == 0
    assert watcher.errors == []


def test_nothing_moves_if_it_is_not_wanted(served: Served, page: Any, person: Person) -> None:
    """A person who prefers reduced motion, and one who has unticked the setting."""
    sat_down(served, person, "carcassonne", "human", "greedy")
    for _ in range(2):
        person.choose()
    assert person.wait()
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Show moves in motion").uncheck()
    page.get_by_role("button", name="Close").locator("visible=true").click()
    for _ in range(2):
        person.choose()
    assert person.wait()
    assert noted(page) == []


def test_points_are_counted_at_the_seat(served: Served, watcher: Person) -> None:
    seat = sat_down(served, watcher, "carcassonne:river=false", "human", "greedy")
    scored: list[float] = []
    while not scored:
        watcher.choose()
        assert watcher.wait()
        scored = [points for event in seat.scene()["events"] for points in event["points"] if points]
    signs = [each for each in noted(watcher.page) if each["name"] == "points"]
    assert len(signs) >= 1


def test_nothing_moves_on_the_board_of_another_person(served: Served, watcher: Person) -> None:
    """Two people at one screen with hidden hands: the first board after the curtain is that of who opened it."""
    page = watcher.page
    page.add_init_script(NOTING)
    watcher.page.goto(served.url + served.host("attila:players=2", "human", "human", seed="5").address)
    for _ in range(2):
        assert watcher.ready() == "covered"
        seen = len(noted(page))
        page.locator(".curtain button").click()
        assert watcher.wait()
        assert noted(page)[seen:] == []
        while watcher.ready() == "choose":
            watcher.choose()
    assert watcher.errors == []


def test_a_later_scene_waits_and_is_shown(served: Served, watcher: Person) -> None:
    """Agents go on while their moves are shown: nothing of it is lost."""
    page = watcher.page
    page.add_init_script(NOTING)
    table = served.table("carcassonne", "human", "greedy", invited=[0], seed="5")
    watcher.page.goto(served.url + table["watch"].address)
    page.locator(".board svg").first.wait_for(state="attached")
    table["seats"][0].play_on(6)
    last = table["seats"][0].turn()["version"]
    expect(page.locator(".table")).to_have_attribute("data-version", str(last))
    words = [event["words"] for event in table["watch"].scene()["events"]]
    told = page.get_by_role("log").locator("li[data-key]").evaluate_all("all => all.map(each => each.dataset.key)")
    assert len(told) == len(words)
    assert all(key.endswith(each) for key, each in zip(told, words, strict=True))
    assert sum(each["cue"] == "lay" for each in noted(page)) >= 3
