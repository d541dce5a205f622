"""A person at a page in a browser, who uses only the mouse or only the keyboard."""

from __future__ import annotations

import random
import shutil
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from support.served import Seat, Served

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WAIT = 60_000           # maximum duration of any wait in milliseconds
PLACES = ".sheet [role=button].can"
BUTTONS = ".options [data-key]"
PLAY = ".options .play-move"
# The version of the game and the parts chosen so far.
STEP = "document.querySelector('.table').dataset.version + ' ' + document.querySelector('.deciding').dataset.chosen"
COVERED = "document.querySelector('.curtain:not([hidden])')"
AT_REST = "!document.querySelector('.sending')"
READY = f"""() => {{
    if (!{AT_REST}) return null;
    if ({COVERED}) return "covered";
    if (document.querySelector(".result:not([hidden])")) return "over";
    return document.querySelector("{PLACES}, {BUTTONS}, {PLAY}") ? "choose" : null;
}}"""
# A point of the picture that hits an element; the middle of a coast, for example, may be sea.
HIT = """drawn => {
    const box = drawn.getBoundingClientRect();
    for (const down of [.5, .3, .7, .15, .85, .05, .95]) for (const right of [.5, .3, .7, .15, .85, .05, .95]) {
        const [x, y] = [box.x + right * box.width, box.y + down * box.height];
        if (drawn.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}"""


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def violations(page: Any, within: str = "html") -> list[str]:
    """Return what axe finds in a part of a page."""
    found = Axe().run(page, within, {"runOnly": RULES})
    return [f"{each['id']}: {each['help']}: {[node['html'][:150] for node in each['nodes'][:3]]}"
            for each in found.response["violations"]]


def installed_browser() -> str | None:
    """Return the path of a known browser on this machine, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class Person:
    """A person who plays at a table by what the page shows.

    Parameters
    ----------
    page : Page
    keys : bool
        Use only the keyboard; otherwise only the mouse.
    seed : int
        Seed of the random choices.
    motion : bool
        See events in motion; otherwise the person prefers reduced motion.

    Attributes
    ----------
    keys : bool
        Whether only the keyboard is used from now on.
    errors : list of str
        Errors of the page's scripts, and refusals of the content security policy.
    """

    def __init__(self, page: Page, *, keys: bool = False, seed: int = 1, motion: bool = False) -> None:
        self.page = page
        self.errors: list[str] = []
        self.keys = keys
        self._rng = random.Random(seed)
        page.set_default_timeout(WAIT)
        page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda told: self.errors.append(told.text) if "Content Security" in told.text else None)

    def sit_down(self, served: Served, seat: Seat) -> None:
        """Go to a table."""
        self.page.goto(served.url + seat.address)
        self.page.locator(".board svg").first.wait_for(state="attached")

    def be_host(self, served: Served) -> None:
        """Go to the start page with the host's key."""
        self.page.goto(served.server.addresses[0])
        self.page.locator(".newgame").wait_for()

    def wait(self) -> bool:
        """Wait until a choice is offered; False if the game is over."""
        return self.ready() == "choose"

    def ready(self) -> str:
        """Wait until the page asks for something: "choose", "covered" (another person is to come), or "over"."""
        return str(self.page.wait_for_function(READY).json_value())

    def play(self, path: list[str]) -> None:
        """Choose a move by its parts; the page does not ask for parts that leave no choice."""
        assert self.wait()
        version = self.version()
        while self.version() == version:
            chosen = self.chosen()
            wrong = next((key for own, key in zip(chosen, path, strict=False) if own != key), None)
            if wrong is not None:
                self._set(wrong)
            elif len(chosen) < len(path):
                self._take(path[len(chosen)])
            else:
                self.confirm()

    def choose(self) -> str:
        """Take one random step, a place on the board or a button beside it; return its key."""
        assert self.wait()
        if self.page.locator(PLAY).count():
            self.confirm()
            return ""
        offered = self.page.locator(f"{PLACES}, {BUTTONS}")
        keys = offered.evaluate_all(
            "all => all.map(({ dataset }) => dataset.part ?? dataset.place ?? dataset.key)")
        key = str(self._rng.choice(keys))
        self._take(key)
        return key

    def read_lessons(self) -> None:
        """Read a first lesson of several pages to the end; how many there are depends on the tile."""
        further = self.page.locator(".lesson").get_by_role("button", name="Next")
        further.click()
        while further.count():
            further.click()
        self.page.locator(".lesson").get_by_role("button", name="Got it").click()

    def confirm(self) -> None:
        """Play the move that is chosen."""
        self._press(PLAY)

    def _set(self, key: str) -> None:
        """Change a setting that is chosen: on the board, by its button, by turning, or with the slider."""
        kind, value = key.split(":") if ":" in key else (key, "")
        if kind == "amount":
            slider = self.page.locator(".options input[type=range]")
            slider.fill(value)
        elif kind == "turn":
            before = self.page.evaluate(STEP)
            self.page.keyboard.press("r")
            self.page.wait_for_function(f"before => {STEP} !== before", arg=before)
        elif self.page.locator(f'.options [data-set="{key}"]').count():
            self._press(f'.options [data-set="{key}"]')
        else:
            self._take(key)

    def _press(self, button: str) -> None:
        """Press a button of the options, and wait until the page has responded."""
        before = self.page.evaluate(STEP)
        if self.keys:
            self.tab_to(button)
            self.page.keyboard.press("Enter")
        else:
            self.page.locator(button).click()
        self.page.wait_for_function(f"before => {AT_REST} && ({STEP} !== before || {COVERED})", arg=before)

    def version(self) -> str:
        """Return the version of the game that the page shows."""
        return str(self.page.locator(".table").get_attribute("data-version"))

    def chosen(self) -> list[str]:
        """Return the parts that are chosen."""
        return str(self.page.locator(".deciding").get_attribute("data-chosen")).split()

    def _take(self, key: str) -> None:
        """Choose a part, and wait until the page has responded."""
        before = self.page.evaluate(STEP)
        place = self.page.locator(f'{PLACES}:is([data-part="{key}"], [data-place="{key}"])').first
        button = self.page.locator(f'{BUTTONS}[data-key="{key}"]')
        if place.count():
            if self.keys:
                self._walk(key)
            else:
                self._reveal(place)
                place.scroll_into_view_if_needed()
                point = place.evaluate(HIT)
                assert point is not None, f"{key} cannot be hit"
                self.page.mouse.click(*point)
        elif button.count():
            self._press(f'{BUTTONS}[data-key="{key}"]')
            return
        else:
            assert key.startswith("amount:"), f"nothing on the page stands for {key}"
            self.page.locator(".amounts input").fill(key.removeprefix("amount:"))
            self.page.keyboard.press("Enter")
        self.page.wait_for_function(f"before => {AT_REST} && ({STEP} !== before || {COVERED})", arg=before)

    def _reveal(self, place: Locator) -> None:
        """Open what a place is behind."""
        if place.evaluate("drawn => Boolean(drawn.closest('details:not([open])'))"):
            self.page.locator(".rest > summary").click()

    def _walk(self, key: str) -> None:
        """Go to a place of the board with Tab and Page Down, and press Enter."""
        self.tab_to(PLACES)
        for _ in range(self.page.locator(PLACES).count()):
            if self.page.evaluate("document.activeElement.dataset.part ?? document.activeElement.dataset.place") == key:
                break
            self.page.keyboard.press("PageDown")
        else:
            raise AssertionError(f"Page Down never comes to {key}")
        self.page.keyboard.press("Enter")

    def moved_on(self, version: str) -> None:
        """Wait until the page shows another version of the game."""
        self.page.wait_for_function("old => document.querySelector('.table').dataset.version !== old", arg=version)

    def tab_to(self, wanted: str) -> None:
        """Press Tab until an element that matches the selector has the focus."""
        for _ in range(80):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {wanted}")
