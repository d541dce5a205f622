"""A server in a process of its own, and a person at its pages who uses only the mouse or only keys."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Page, expect

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WAIT = 15_000           # milliseconds that anything may take
# A point of the picture where an element is what is hit: the middle of a coast may be the sea.
HIT = """drawn => {
    const box = drawn.getBoundingClientRect();
    for (const down of [.5, .3, .7, .15, .85, .05, .95]) for (const right of [.5, .3, .7, .15, .85, .05, .95]) {
        const [x, y] = [box.x + right * box.width, box.y + down * box.height];
        if (drawn.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}"""
PLACES = ".sheet [role=button].can"
BUTTONS = ".options button"
# What was chosen so far, at which version of the game.
STEP = "() => document.querySelector('.table').dataset.version + document.querySelector('.deciding').dataset.chosen"
READY = f"""() => {{
    if (document.querySelector(".sending")) return null;
    if (document.querySelector(".result:not([hidden])")) return "over";
    return document.querySelector("{PLACES}, {BUTTONS}") ? "choose" : null;
}}"""


def installed_browser() -> str | None:
    """Return the path of a browser of this machine, None if there is none that is known."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class Served:
    """A running server.

    Attributes
    ----------
    address : str
        Such as "http://127.0.0.1:8765", without a slash at its end.
    key : str
        Of the host.
    """

    def __init__(self, state: Path, port: int = 0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sfida", "serve", "--no-browser", "--workers", "1", "--port", str(port)],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": str(state), "PYTHONUNBUFFERED": "1"})
        assert self._process.stdout is not None
        found = re.search(r"(http://[\d.]+:(\d+))/\?key=(\S+)", self._process.stdout.readline())
        assert found is not None
        self.address, self.key = found[1], found[3]
        self.port = int(found[2])

    def open(self, request: APIRequestContext, game: str, seats: list[str], **fields: object) -> dict[str, Any]:
        """Open a table as the host, and return its links."""
        request.get(f"{self.address}/?key={self.key}")
        answer = request.post(f"{self.address}/api/tables", data={"game": game, "seats": seats, **fields},
                              headers={"Origin": self.address})
        assert answer.ok, answer.text()
        links: dict[str, Any] = answer.json()
        return links

    def kill(self) -> None:
        """End it at once, without a warning."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def serving(state: Path, port: int = 0) -> Iterator[Served]:
    """Run a server that keeps its games in a folder of its own."""
    served = Served(state, port)
    try:
        yield served
    finally:
        served.kill()


class Person:
    """Who plays at a table by what can be seen there, choosing at random.

    Parameters
    ----------
    page : Page
    seed : int
    keys : bool
        Use only the keyboard, else only the mouse.
    """

    def __init__(self, page: Page, seed: int = 1, *, keys: bool = False) -> None:
        self.page = page
        self._rng = random.Random(seed)
        self._keys = keys
        page.set_default_timeout(WAIT)
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def sit_down(self, served: Served, link: str) -> None:
        """Go to a table."""
        self.page.goto(served.address + link)
        expect(self.page.locator(".board svg").first).to_be_visible(timeout=WAIT)

    def wait(self) -> bool:
        """Wait until there is something to choose; False: the game is over."""
        ready = self.page.wait_for_function(READY, timeout=WAIT)
        return bool(ready.json_value() == "choose")

    def choose(self) -> None:
        """Take one step: a place on the board, or a button beside it."""
        places, buttons = self.page.locator(PLACES).count(), self.page.locator(BUTTONS).count()
        taken = self._rng.randrange(places + buttons)
        before = self.page.evaluate(STEP)
        if self._keys:
            self._by_keys(on_board=taken < places)
        elif taken < places:
            self._click(taken)
        else:
            self.page.locator(BUTTONS).nth(taken - places).click()
        self.page.wait_for_function(f"before => ({STEP})() !== before", arg=before, timeout=WAIT)

    def play(self, steps: int = 1000) -> bool:
        """Take steps until the game is over, which is returned, or so many were taken."""
        for _ in range(steps):
            if not self.wait():
                return True
            self.choose()
        return False

    def _click(self, place: int) -> None:
        drawn = self.page.locator(PLACES).nth(place)
        drawn.scroll_into_view_if_needed()
        point = drawn.evaluate(HIT)
        assert point is not None, f"{drawn.get_attribute('data-part')} cannot be hit"
        self.page.mouse.click(*point)

    def _by_keys(self, *, on_board: bool) -> None:
        """Go to the board, or to the buttons, with Tab, there to a choice, and take it with Enter."""
        wanted = PLACES if on_board else BUTTONS
        for _ in range(80):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError(f"Tab never comes to {wanted}")
        for _ in range(self._rng.randrange(3)):
            if on_board:
                self.page.keyboard.press(self._rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "End"]))
        assert self.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted)
        self.page.keyboard.press("Enter")
