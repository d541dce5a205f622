"""Draw the pictures of the pages: `make pictures`, or of some games `make pictures ARGS="carcassonne attila"`.

In docs/images: a table of each game (web_GAME.png), a turn of it by pointing as an animation (turn_GAME.webp), the
start page (web_home.png), a review (web_review.png) and, for the README, part of a game of Carcassonne with its review
as an animation (web.webp). It needs Chromium and what the tests of the pages need.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import sfida
from sfida.engines.records import GameRecord, write_records
from sfida.engines.registry import make_game
from support.browser import BUTTONS, HIT, PLACES, PLAY, Person, installed_browser
from support.served import Served, serving

IMAGES = Path(__file__).parent / "images"
WIDE, HIGH = 1000, 740          # CSS pixels of a page
SHARP = 1.5                     # pixels of the picture to one of them
COLOURS = 256
MANY = 6                        # moves at least to choose from
FRAMES, FRAME_MS, LAST_MS = 12, 900, 4000
GAMES = {"carcassonne": ("carcassonne:players=3,river=true", 0.45),
         "zarahemla": ("settlers_of_zarahemla:players=4", 0.6),
         "risiko": ("risiko:players=4", 0.5), "attila": ("attila:players=3", 0.55),
         "acres": ("a_few_acres_of_snow", 0.5)}
WHOLE_LINES = """() => {             // the log scrolls: show its last lines, none of them cut off
    const roll = document.querySelector(".roll"), side = document.querySelector(".side");
    if (!roll) return;
    roll.style.maxHeight = "none";
    const lines = roll.querySelectorAll("li"), room = innerHeight - 12;
    side.style.overflow = "hidden";
    for (const line of lines) if (side.scrollHeight + side.getBoundingClientRect().top > room) line.remove();
}"""
PAINTED = """() => [...document.images].filter(image => image.getBoundingClientRect().top < innerHeight)
    .every(image => image.complete && image.naturalWidth)"""
SHOWN = "carcassonne:players=2,river=true"
STAGE = {"width": 920, "height": 720}           # CSS pixels of a filmed page
DECISIONS, LONGEST, LARGEST = 4, 90, 1_000_000     # decisions, frames and bytes of a film
TICK = 110              # milliseconds between two frames
HAND = """([x, y]) => {             // a pointer that can be seen
    const hand = document.querySelector("#hand") ?? document.body.appendChild(document.createElement("div"));
    hand.id = "hand";
    Object.assign(hand.style, { position: "fixed", zIndex: 99, width: "18px", height: "18px", margin: "-9px",
        borderRadius: "50%", background: "#d8201a99", border: "2px solid #fff", pointerEvents: "none",
        left: `${x}px`, top: `${y}px` });
}"""


def choices(record: GameRecord) -> list[int]:
    """Return the plies of a game at which seat 0 has a real choice."""
    state, found = make_game(record.game).initial_state(), []
    for ply, text in enumerate(record.moves):
        if int(state.to_move) == 0 and len(state.legal_moves()) >= MANY:
            found.append(ply)
        state.apply(state.parse(text))
    return found


def cut(record: GameRecord, until: int) -> str:
    """Return the record of the first moves of a game, with a person on seat 0."""
    part = dataclasses.replace(record, moves=record.moves[:until], result=None,
                               seats=("human", *["level:6"] * (len(record.seats) - 1)),
                               chance=tuple(ply for ply in record.chance or () if ply < until))
    return json.dumps(part.to_json())


def draw(browser: Browser, address: str, ready: str) -> bytes:
    """Return the picture of a page, as soon as it shows an element."""
    page: Any = browser.new_page(viewport={"width": WIDE, "height": HIGH}, device_scale_factor=SHARP,
                                 reduced_motion="reduce", locale="en-GB")
    page.goto(address)
    page.locator(ready).first.wait_for(state="attached")
    page.wait_for_function(PAINTED)
    page.evaluate(WHOLE_LINES)
    picture: bytes = page.screenshot()
    page.close()
    return picture


def draw_table(browser: Browser, served: Served, record: GameRecord, until: int) -> bytes:
    """Return the picture of a table at which a person is to move, whose player has no other games."""
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(dir=os.environ["XDG_STATE_HOME"])
    address = served.url + served.host("", record=cut(record, until)).address
    return draw(browser, address, ".sheet [role=button], .options [data-key]")


def film(browser: Browser, served: Served, record: GameRecord, until: int) -> list[bytes]:
    """Return the frames of a turn: the moves of the record, made with the mouse, and what the others do then."""
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(dir=os.environ["XDG_STATE_HOME"])
    seat = served.host("", record=cut(record, until))
    page: Any = browser.new_page(viewport=STAGE, locale="en-GB")
    person = Person(page, motion=True)
    person.sit_down(served, seat)
    person.wait()
    frames: list[bytes] = []

    def take(count: int = 1) -> None:
        for _ in range(count):
            frames.append(page.screenshot())
            page.wait_for_timeout(TICK)

    def go_to(x: float, y: float) -> None:
        page.mouse.move(x, y)
        page.evaluate(HAND, [x, y])
        take(3)

    def make(move: dict[str, Any], then: list[str]) -> None:
        """Make a move with the mouse."""
        version = person.version()
        for key in [*move["path"], *then]:
            if person.version() != version:
                return
            place = page.locator(f'{PLACES}[data-place="{key}"]').first
            button = page.locator(f'{BUTTONS}[data-key="{key}"]')
            if place.count() and key not in person.chosen():
                place.scroll_into_view_if_needed()
                go_to(*place.evaluate(HIT))
                page.mouse.click(*place.evaluate(HIT))
            elif button.count():
                button.click()
            elif key.startswith("turn:"):
                for _ in range(4):
                    if key not in person.chosen():
                        page.keyboard.press("r")
                        take(2)
            take(2)
        if page.locator(PLAY).count():
            box = page.locator(PLAY).bounding_box()
            go_to(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.locator(PLAY).click()

    take(2)
    for _ in range(DECISIONS):
        ply = len(json.loads(seat.get("record"))["moves"])
        listed = {each["text"]: each for each in seat.scene()["decision"]["moves"]}
        if ply >= len(record.moves) or record.moves[ply] not in listed:
            break
        move, version = listed[record.moves[ply]], person.version()
        make(move, next((each["path"] for each in move["then"] if each["text"] == record.moves[ply + 1]), []))
        while len(frames) < LONGEST:
            take()
            if person.version() != version and page.locator(f"{PLACES}, {BUTTONS}").count():
                break
        if seat.scene()["decision"] is None:
            break
    page.close()
    return frames


def keep_film(frames: list[bytes], path: Path) -> None:
    """Write a film, as sharp as its limit of size allows."""
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    for quality in (70, 55, 40, 25):
        pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=[180] * (len(pictures) - 1) + [1500],
                         loop=0, quality=quality, method=4)
        if path.stat().st_size < LARGEST:
            return
    raise SystemExit(f"{path} is larger than {LARGEST} bytes")


def draw_review(browser: Browser, record: GameRecord, folder: Path) -> bytes:
    """Return the picture of the review of a whole game."""
    held, page = folder / "game.jsonl", folder / "review.html"
    write_records(held, [record])
    subprocess.run([sys.executable, "-m", "sfida", "review", str(held), "--seat", "0", "--depth", "fast", "--quiet",
                    "--no-practice", "--html", str(page)], check=True, stdout=subprocess.DEVNULL)
    return draw(browser, page.as_uri(), "svg")


def keep(picture: bytes, path: Path) -> None:
    """Write a picture with few colours, which takes a third of the space."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def keep_animation(pictures: list[bytes], path: Path) -> None:
    """Write an animation that shows the last picture longest."""
    first, *others = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    first.save(path, save_all=True, append_images=others, duration=[*[FRAME_MS] * len(others), LAST_MS], loop=0,
               quality=80, method=6)


def main(names: list[str]) -> None:
    """Draw the games that are named, or everything."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        os.environ["XDG_STATE_HOME"] = folder
        browser = play.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        with serving() as served:
            if not names:
                keep(draw(browser, served.server.addresses[0], ".newgame img[src]"), IMAGES / "web_home.png")
            for name in names or GAMES:
                spec, share = GAMES[name]
                record = sfida.play(spec, ["greedy"] * make_game(spec).players, seed=7)
                until = next(ply for ply in [*choices(record), len(record.moves)] if ply >= share * len(record.moves))
                keep(draw_table(browser, served, record, until), IMAGES / f"web_{name}.png")
                keep_film(film(browser, served, record, until), IMAGES / f"turn_{name}.webp")
            if not names:
                record = sfida.play(SHOWN, ["greedy", "greedy"], seed=7)
                plies = [ply for ply in choices(record) if ply >= len(record.moves) // 4][:FRAMES]
                review = draw_review(browser, record, Path(folder))
                keep(review, IMAGES / "web_review.png")
                keep_animation([*(draw_table(browser, served, record, ply) for ply in plies), review],
                               IMAGES / "web.webp")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
