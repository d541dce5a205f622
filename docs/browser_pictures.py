"""Draws the pictures of the pages: docs/images/web.png and, for each game, docs/images/web_GAME.png.

    PYTHONPATH=tests python docs/browser_pictures.py [GAME ...]

Needs Chromium and what the tests of the pages need. Games are played by `greedy` up to some point, and go on with a
person.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import sfida
from sfida.engines.registry import make_game
from support.browser import installed_browser
from support.served import Served, serving

IMAGES = Path(__file__).parent / "images"
WIDE, HIGH, COLOURS = 1280, 860, 256
MANY = 6                # moves at least to choose from
GAMES = {"carcassonne": ("carcassonne:players=3", 0.45), "zarahemla": ("settlers_of_zarahemla:players=4", 0.6),
         "risiko": ("risiko:players=4", 0.5), "attila": ("attila:players=3", 0.55),
         "acres": ("a_few_acres_of_snow", 0.5)}


def address_of(served: Served, spec: str, share: float) -> str:
    """Open a table for a game of which some share was played, with a real choice for seat 0, and return its address."""
    game = make_game(spec)
    whole = sfida.play(spec, ["greedy"] * game.players, seed=7)
    state, until = game.initial_state(), 0
    for ply, text in enumerate(whole.moves):
        if int(state.to_move) == 0 and len(state.legal_moves()) >= MANY:
            until = ply
            if ply >= share * len(whole.moves):
                break
        state.apply(state.parse(text))
    part = dataclasses.replace(whole, moves=whole.moves[:until], result=None,
                               seats=("human", *["level:6"] * (game.players - 1)),
                               chance=tuple(ply for ply in whole.chance if ply < until))
    return served.host("", record=json.dumps(part.to_json())).address


def keep(picture: bytes, path: Path) -> None:
    """Write a picture with few colours, which takes a third of the space."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def draw_table(browser: Browser, served: Served, name: str) -> None:
    """Draw the page of a game."""
    page: Any = browser.new_page(viewport={"width": WIDE, "height": HIGH}, reduced_motion="reduce", locale="en-GB")
    page.goto(served.url + address_of(served, *GAMES[name]))
    page.locator(".board svg").first.wait_for(state="attached")
    page.locator(".sheet [role=button], .options [data-key]").first.wait_for(state="attached")
    keep(page.screenshot(), IMAGES / f"web_{name}.png")
    page.close()


def draw_all(browser: Browser) -> None:
    """Draw the first game large, and the others in a row below it."""
    def shown(name: str) -> str:
        data = base64.b64encode((IMAGES / f"web_{name}.png").read_bytes()).decode()
        return f'<img alt="" src="data:image/png;base64,{data}">'

    first, *others = map(shown, GAMES)
    page = browser.new_page(viewport={"width": WIDE, "height": 200})
    page.set_content("<style>body{margin:0} img{width:100%;display:block} div{display:flex;gap:4px;margin-top:4px} "
                     f"div img{{width:{(WIDE - 12) / 4}px}}</style>{first}<div>{''.join(others)}</div>")
    keep(page.screenshot(full_page=True), IMAGES / "web.png")
    page.close()


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        os.environ["XDG_STATE_HOME"] = folder
        browser = play.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        with serving() as served:
            for name in names or GAMES:
                draw_table(browser, served, name)
        draw_all(browser)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
