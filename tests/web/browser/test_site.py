"""Sfida in a browser alone, from static files: whole games, what is kept, offline, phones, and a new version."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sfida.engines.records import GameRecord
from support.browser import READY, Person, violations
from support.site import FOLDER, asked, hosted, written

GAMES = {"carcassonne": 2, "settlers_of_zarahemla:players=2,victory_points=5,trade_mode=none": 2,
         "risiko:players=3,round_limit=2": 3, "attila:players=2": 2, "a_few_acres_of_snow:max_turns=14": 2}
START = 60_000          # milliseconds that the start may take on a busy machine


@pytest.fixture(scope="session")
def site() -> Path:
    """The site's folder."""
    return written()


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The address of the site."""
    with hosted(site) as found:
        yield found


class Visitor(Person):
    """Somebody who plays on the site.

    Attributes
    ----------
    strayed : list of str
        Addresses outside the site's folder that the page has asked for.
    """

    def __init__(self, page: Page, address: str) -> None:
        super().__init__(page)
        self.address = address
        self.strayed: list[str] = []
        page.on("request", lambda request: None if request.url.startswith((address, "data:", "blob:"))
                else self.strayed.append(request.url))

    def arrive(self) -> None:
        """Open the start page."""
        self.page.goto(self.address)
        self.page.locator(".newgame").wait_for(timeout=START)

    def open(self, game: str, *seats: str, seed: str = "5") -> str:
        """Open a table and go to it; return the path of its requests."""
        link = asked(self.page, "POST", "/api/tables", {"game": game, "seats": seats, "seed": seed})["play"]
        self.page.evaluate("path => { location.hash = path; }", link)
        self.page.locator(".board svg").first.wait_for(state="attached", timeout=START)
        return f"/api/table/{link.rsplit('/', 1)[1]}"

    def reload(self) -> None:
        """Load the page again, as after a pause of a week."""
        self.page.reload()
        self.page.locator(".board svg").first.wait_for(state="attached", timeout=START)

    def let_think(self) -> None:
        """Choose until an agent thinks."""
        thinking = ".thinking:not([hidden])"
        while True:
            self.page.wait_for_function(f"() => document.querySelector('{thinking}') || ({READY})() === 'choose'")
            if self.page.locator(thinking).count():
                return
            self.choose()

    def stored(self) -> None:
        """Wait until what was played is in the browser's storage."""
        self.page.wait_for_timeout(800)


@pytest.fixture
def visitor(page: Page, address: str) -> Visitor:
    """Somebody on the start page."""
    found = Visitor(page, address)
    found.arrive()
    return found


def replayed(line: str) -> GameRecord:
    """Return a record that fits the rules of this Python's modules."""
    record = GameRecord.from_json_line(line)
    record.replay()
    return record


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_a_whole_game_by_clicks(visitor: Visitor, game: str) -> None:
    table = visitor.open(game, "human", *["greedy"] * (GAMES[game] - 1))
    for _ in range(3):
        visitor.choose()
    before = len(replayed(asked(visitor.page, "GET", f"{table}/record")).moves)
    visitor.stored()
    visitor.reload()
    assert len(replayed(asked(visitor.page, "GET", f"{table}/record")).moves) >= before
    while visitor.wait():
        visitor.choose()
    record = replayed(asked(visitor.page, "GET", f"{table}/record"))
    assert record.result is not None
    visitor.page.locator(".result").get_by_role("link", name="Review").click()
    visitor.page.locator(".decisive[data-ply], .walk[data-at]").first.wait_for(timeout=4 * START)
    visitor.page.get_by_role("link", name="Practise your mistakes").click()
    visitor.page.locator(".practice").wait_for()
    assert visitor.errors == []
    assert visitor.strayed == []


def test_a_mistake_is_practised(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("tic_tac_toe", "human", "random", seed="1")
    for text in ("a3", "c3", "c2", "a2"):           # the last one does not stop a line of three
        assert visitor.wait()
        version = visitor.version()
        page.locator(".options").get_by_role("button", name=text, exact=True).click()
        visitor.moved_on(version)
    assert visitor.ready() == "over"
    page.get_by_role("link", name="Sfida").click()
    page.get_by_role("link", name="Practise your mistakes").click()
    page.get_by_role("button", name="Look for my mistakes").click()
    page.get_by_role("button", name="Start").click(timeout=START)
    page.locator(".options").get_by_role("button", name="a2", exact=True).click()
    page.get_by_text("a2 is what you played in the game.").wait_for(timeout=START)
    page.get_by_role("button", name="Show the solution").click()
    page.locator(".practising dl").get_by_text("c1", exact=True).first.wait_for()
    assert visitor.errors == []
    assert visitor.strayed == []


def test_a_game_from_the_form(visitor: Visitor) -> None:
    page = visitor.page
    for image in page.locator(".newgame > .games img").all():
        image.scroll_into_view_if_needed()
    page.wait_for_function("""() => {
        const images = [...document.querySelectorAll(".newgame > .games img")];
        return images.length === 5 && images.every(image => image.naturalWidth > 0);
    }""")
    page.get_by_role("button", name="Choose …: Carcassonne").click()
    assert page.get_by_role("option", name="A friend, by a link").count() == 0
    page.get_by_role("checkbox", name="Learn as you play").check()
    page.get_by_text("More rules").click()
    page.get_by_label("Cities of two tiles").select_option("full")
    page.get_by_role("button", name="Start").click()
    page.locator(".board svg").first.wait_for(state="attached", timeout=START)
    assert visitor.wait()
    visitor.read_lessons()
    visitor.choose()
    visitor.stored()
    page.get_by_role("link", name="Sfida").click()
    page.locator(".newgame").wait_for()
    page.get_by_role("link", name="Carcassonne").click()
    assert visitor.wait()
    assert visitor.errors == []


def test_pages_are_left_and_found_again(visitor: Visitor) -> None:
    """More often than streams may be open: a page that is left closes its own."""
    visitor.open("tic_tac_toe", "human", "greedy")
    table = visitor.page.evaluate("location.hash")
    for _ in range(18):
        visitor.page.evaluate("location.hash = '/'")
        visitor.page.locator(".newgame").wait_for()
        visitor.page.evaluate("hash => { location.hash = hash; }", table)
        visitor.page.locator(".board svg").first.wait_for(state="attached")
    version = visitor.version()
    visitor.choose()
    visitor.moved_on(version)
    assert visitor.wait()                               # the answer of the agent was reported, too
    assert visitor.errors == []


def test_undo_and_hurry_during_a_search(visitor: Visitor) -> None:
    visitor.open("carcassonne", "human", "ismcts:seconds=600")
    visitor.let_think()
    visitor.page.get_by_role("button", name="Take back").click()
    assert visitor.wait()                               # the person is to move again
    visitor.let_think()
    version = visitor.version()
    visitor.page.get_by_role("button", name="Move now").click()
    visitor.moved_on(version)
    assert visitor.errors == []


def test_a_browser_that_cannot_suspend_limits_the_search(site: Path, page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    worker = folder / "worker.js"
    start = "async function start() {\n"
    assert start in worker.read_text()
    worker.write_text(worker.read_text().replace(
        start, f"{start}  delete WebAssembly.Suspending;\n  delete WebAssembly.promising;\n"))
    with hosted(folder) as address:
        visitor = Visitor(page, address)
        visitor.arrive()
        page.get_by_text("the page waits while the computer thinks").wait_for()
        table = visitor.open("tic_tac_toe", "ismcts:seconds=600", "human")
        assert visitor.wait()                           # within the patience of this test, not in ten minutes
        assert asked(page, "GET", f"{table}/scene")["to_move"] == 1
        assert visitor.errors == []


def test_programs_and_friends_are_not_offered(visitor: Visitor) -> None:
    for spec in ("exec:ls", "socket:4000"):
        told = visitor.page.evaluate("""async spec => {
            const { transport } = await import("./static/transport.js");
            const body = JSON.stringify({ game: "tic_tac_toe", seats: ["human", spec] });
            return (await transport.ask("POST", "/api/tables", {}, body)).body;
        }""", spec)
        assert "unknown agent" in told
        assert "Error" not in told
    visitor.page.get_by_role("button", name="Choose …: Carcassonne").click()
    visitor.page.get_by_role("option", name="A level that follows you").first.wait_for(state="attached")
    assert visitor.page.get_by_role("option", name="A friend, by a link").count() == 0


def test_offline_after_the_first_visit(visitor: Visitor) -> None:
    visitor.open("tic_tac_toe", "human", "greedy")
    visitor.choose()
    visitor.stored()
    visitor.page.evaluate("navigator.serviceWorker.ready")
    visitor.page.context.set_offline(True)
    visitor.reload()
    while visitor.wait():
        visitor.choose()
    assert visitor.errors == []


def test_phones_and_axe(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    visitor = Visitor(context.new_page(), address)
    visitor.arrive()
    visitor.page.locator(".newgame summary").click()
    assert violations(visitor.page) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 360
    visitor.open("carcassonne", "human", "greedy")
    assert visitor.wait()
    assert violations(visitor.page) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_data_move_to_another_browser(browser: Browser, visitor: Visitor, tmp_path: Path) -> None:
    table = visitor.open("carcassonne", "human", "greedy")
    visitor.choose()
    played = replayed(asked(visitor.page, "GET", f"{table}/record")).moves
    visitor.page.evaluate("localStorage.setItem('theme', 'dark')")
    visitor.page.evaluate("location.hash = '/'")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Save everything").click()
    file = tmp_path / "data.zip"
    download.value.save_as(file)
    context = browser.new_context()
    other = Visitor(context.new_page(), visitor.address)
    other.arrive()
    other.page.get_by_label("Restore from such a file").set_input_files(__file__)
    other.page.get_by_text("this is no file with data of Sfida").wait_for()
    other.page.get_by_label("Restore from such a file").set_input_files(file)
    other.page.get_by_role("link", name="Carcassonne").wait_for(timeout=START)
    assert replayed(asked(other.page, "GET", f"{table}/record")).moves[:len(played)] == played
    assert other.page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()


def test_a_second_tab_waits(visitor: Visitor) -> None:
    second = visitor.page.context.new_page()
    second.goto(visitor.address)
    second.locator("progress:not([value])").wait_for()
    visitor.page.close()
    second.locator(".newgame").wait_for(timeout=START)


def test_a_new_version_keeps_the_games(site: Path, page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    with hosted(folder) as address:
        visitor = Visitor(page, address)
        visitor.arrive()
        visitor.open("carcassonne", "human", "greedy")
        visitor.choose()
        visitor.stored()
        page.evaluate("navigator.serviceWorker.ready")
        for name in ("index.html", "service.js"):
            text = (folder / name).read_text()
            text = text.replace("<title>Sfida", "<title>Newer Sfida").replace('VERSION = "sfida-', 'VERSION = "sfida-1')
            (folder / name).write_text(text)
        page.evaluate("location.hash = '/'")
        page.evaluate("navigator.serviceWorker.ready.then(found => found.update())")
        page.get_by_role("button", name="Use it").click()
        expect(page).to_have_title("Newer Sfida", timeout=START)
        page.get_by_role("link", name="Carcassonne").click()
        assert visitor.wait()
    assert FOLDER in address
