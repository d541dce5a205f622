"""`sfida review`, and the summary after a game at the terminal."""

import dataclasses
import re
import signal
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

import sfida as api
from sfida.ai.review import reviewing
from sfida.ai.review.model import DEPTHS, Depth, Review
from sfida.ai.review.practice import Deck, deck_file
from sfida.cli.output import Text
from sfida.engines.records import GameRecord, append_record
from support.practising import LOST
from support.terminal import Terminal

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
WON = ("a1", "a2", "c1", "b1", "c3", "c2", "b2")        # O gave the draw away by move 2


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setitem(DEPTHS, "fast", Depth("fast", 4000, 1, 2))


@pytest.fixture
def over(tmp_path):
    """Return the record of a game of tic-tac-toe that X won."""
    path = tmp_path / "over.jsonl"
    append_record(path, GameRecord("tic_tac_toe", 1, WON, ("human", "greedy"), 1))
    return path


@pytest.fixture(scope="module")
def carcassonne(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    append_record(path, api.play("carcassonne", ["greedy", "random"], seed=4))
    append_record(path, api.play("attila", ["greedy", "random", "greedy"], seed=4))
    append_record(path, api.play("tic_tac_toe", ["ismcts:iterations=20,final=sample,temperature=0.5"] * 2, seed=4))
    return path


def review(*args):
    return ("review", *args, "--depth", "fast", "-j", "1")


def test_a_review_in_words(sfida, carcassonne):
    result = sfida(*review(carcassonne, "-q"))
    assert result.exit_code == 0
    assert result.stderr == ""
    text = result.stdout
    assert "red  win probability, from " in text
    assert re.search(r"^seat +decisions +mistakes +loss each +accuracy$", text, re.MULTILINE)
    assert re.search(r"^win probability, % +start +luck +own +gifts +judgement +result$", text, re.MULTILINE)
    assert "unjudged" not in text
    assert re.search(r"^ {7}│ *1 *2 *3 *4 *5\nFrom left to right: .*The numbers mark the turns that decided it", text,
                     re.MULTILINE)
    for number in range(1, 6):
        assert re.search(rf"^── {number}  (red|blue), move \d+ of \d+ ─", text, re.MULTILINE)
    assert re.search(r"^ +played  \S+: ", text, re.MULTILINE)
    assert re.search(r"^ +better  \S+: ", text, re.MULTILINE)
    assert re.search(r"^ +loss  it (may have )?cost \d+\.\d % of win probability \(\d", text, re.MULTILINE)
    assert re.search(r"why  after .*, (red|blue)\s+answers", text)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_everything_fits_into_80_columns(sfida, carcassonne, number, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = sfida(*review(carcassonne, "--game", number))
    assert max(Text(line).cell_len for line in result.stdout.splitlines()) <= 80


def test_the_parts_of_the_result_add_up_as_they_are_shown(events, carcassonne):
    [found] = events(*review(carcassonne, "--game", 2))
    assert found["type"] == "review"
    assert Review.from_json(found).to_json().items() <= found.items()
    assert len(found["seats"]) == 3
    for seat in found["seats"]:
        assert sum(seat["parts"].values()) == pytest.approx(seat["result"] - seat["start"], abs=1e-9)
    kinds = {decision["about"] for decision in found["decisions"]}
    assert {"Placing a token"} < kinds


def test_one_seat_alone(sfida, events, carcassonne):
    [found] = events(*review(carcassonne, "--seat", 1))
    assert [seat["seat"] for seat in found["seats"]] == [1]
    assert {turn["seat"] for turn in found["turns"]} == {1}
    text = sfida(*review(carcassonne, "--seat", 1)).stdout
    assert "blue  win probability" in text
    assert not re.search(r"^red ", text.split("\n", 2)[2], re.MULTILINE)


def test_positions_that_can_be_solved_are_judged_exactly(events, over):
    [found] = events(*review(over))
    exact = {one["ply"]: one["verdict"] for one in found["decisions"] if one["verdict"]["error"] == 0.0}
    assert exact.keys() >= {3, 4, 5, 6}
    assert [exact[ply]["loss"] for ply in (3, 4, 5, 6)] == pytest.approx([0.0] * 4, abs=1e-9), "all is lost for O"


def test_every_decision_is_listed_on_request(sfida, over):
    text = sfida(*review(over, "--moves")).stdout
    listed = text[text.rindex("better"):]
    assert re.search(r"^ +2  O +a2 ", listed, re.MULTILINE)


# ---- the page ---------------------------------------------------------------------------------------


class Links(HTMLParser):
    """Collects the targets of a page's links."""

    def __init__(self):
        super().__init__()
        self.found, self.ids, self.tags = [], set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src", "xlink:href", "action", "data", "poster", "srcset"):
                self.found.append(value)
            if name == "id":
                self.ids.add(value)


def test_the_page_stands_alone(sfida, carcassonne, tmp_path):
    page = tmp_path / "review.html"
    for number, turns in ((1, 5), (2, 5)):
        result = sfida(*review(carcassonne, "--game", number, "--html", page))
        assert result.exit_code == 0
        assert f"The review is written to {page}." in result.stderr
        html = page.read_text()
        links = Links()
        links.feed(html)
        outside = [link for link in links.found if not link.startswith(("#", "data:"))]
        assert outside == []
        assert {link[1:] for link in links.found if link.startswith("#")} <= links.ids
        assert not links.tags & {"script", "link", "iframe", "object"}
        assert "@import" not in html
        assert not re.search(r"url\(\s*['\"]?(?!#|data:)", html)
        assert "default-src &#x27;none&#x27;" in html
        assert "prefers-color-scheme:dark" in html
        assert 'name="viewport" content="width=device-width' in html
        assert html.count("<article") == turns
        assert html.count('class="paperboard"') == turns
        for drawing in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
            ET.fromstring(drawing if "xmlns=" in drawing else drawing.replace("<svg", SVG, 1))


def test_what_a_record_says_cannot_break_the_page(sfida, tmp_path):
    path, page = tmp_path / "a.jsonl", tmp_path / "a.html"
    append_record(path, GameRecord("tic_tac_toe", 1, WON, ("<script>alert(1)</script>", "\x1b[31m"), 1))
    result = sfida(*review(path, "--html", page))
    assert result.exit_code == 0
    assert "<script" not in page.read_text()
    assert "\x1b" not in result.stdout + page.read_text()


# ---- practice ---------------------------------------------------------------------------------------


def cards():
    return [(card.seat, len(card.record.moves)) for card in Deck.read(deck_file()).cards.values()]


def test_mistakes_of_a_person_come_back_in_practice_once(sfida, tmp_path):
    path = tmp_path / "lost.jsonl"
    append_record(path, LOST)
    command = review(path)
    assert "mistake" not in sfida(*command, "--no-practice").stderr
    assert not deck_file().exists()
    assert "1 mistake of yours comes back in 'sfida practice'." in sfida(*command).stderr
    assert cards() == [(1, 1)]
    assert "'sfida practice' knows this game already." in sfida(*command).stderr
    assert cards() == [(1, 1)]
    append_record(path, dataclasses.replace(LOST, seats=("human", "ismcts")))
    assert "No mistake of yours cost so much" in sfida(*command, "--game", 2).stderr
    assert cards() == [(1, 1)]


@pytest.mark.parametrize(("seats", "given", "known"), [
    (("ismcts", "greedy"), (), []), (("ismcts", "human"), ("--seat", 0), []), (("human", "human"), (), []),
    (("human", "human"), ("--seat", 1), [(1, 1)]),
])
def test_whose_mistakes_come_back(sfida, tmp_path, seats, given, known):
    path = tmp_path / "lost.jsonl"
    append_record(path, dataclasses.replace(LOST, seats=seats))
    assert ("practice" in sfida(*review(path, *given)).stderr) == bool(known)
    assert cards() == known


def test_a_damaged_deck_does_not_cost_the_review(sfida, tmp_path):
    path = tmp_path / "lost.jsonl"
    append_record(path, LOST)
    deck_file().parent.mkdir(parents=True)
    deck_file().write_text("{")
    result = sfida(*review(path))
    assert result.exit_code == 0
    assert "win share" in result.stdout
    assert "'sfida practice' will not know of this game" in result.stderr
    assert deck_file().read_text() == "{"


# ---- refusals ---------------------------------------------------------------------------------------


def test_an_unfinished_game_is_refused(sfida, record, tmp_path, carcassonne):
    result = sfida(*review(record))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the game is not over; a review would tell what its seats cannot know" in result.stderr
    left = dataclasses.replace(api.play("attila", ["greedy"] * 3, seed=1), result=None)
    append_record(tmp_path / "left.jsonl", dataclasses.replace(left, moves=left.moves[:100], chance=None))
    for more in ((), ("--seat", 0), ("--json",), ("--html", tmp_path / "left.html")):
        refused = sfida(*review(tmp_path / "left.jsonl", *more))
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr.count("\n") == 1
    assert not (tmp_path / "left.html").exists()


@pytest.mark.parametrize(("args", "code", "message"), [
    (["none.jsonl"], 1, "error: none.jsonl"),
    (["over.jsonl", "--seat", "2"], 1, "error: there is no seat 2 in 'tic_tac_toe': the seats are 0 to 1"),
    (["over.jsonl", "--seat", "-1"], 2, "'-1' is not a whole number of at least 0"),
    (["over.jsonl", "--game", "2"], 1, "over.jsonl: "),
    (["over.jsonl", "--depth", "deeper"], 2, "'deeper' is not one of"),
    (["over.jsonl", "-j", "0"], 2, "'0' is not a whole number of at least 1"),
    (["over.jsonl", "--html", "over.jsonl"], 1, "error: --html over.jsonl would replace the file that is read"),
    (["over.jsonl", "--html", "no/folder.html"], 1, "no/folder.html"),
    (["damaged.jsonl"], 1, "error: damaged.jsonl, line 1: "),
    (["foreign.jsonl"], 1, "error: foreign.jsonl, line 1: "),
    (["empty.jsonl"], 1, "empty.jsonl"),
    ([], 2, "missing argument 'RECORD'"),
])
def test_bad_input_gets_one_line(sfida, over, tmp_path, args, code, message):
    (tmp_path / "damaged.jsonl").write_text(over.read_text()[:60] + "\n")
    (tmp_path / "foreign.jsonl").write_text(over.read_text().replace('"c2"', '"a1"'))
    (tmp_path / "empty.jsonl").write_text("")
    result = sfida("review", *args, *([] if "-j" in args else ["-j", "1"]))
    assert result.exit_code == code, result.stderr
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


# ---- Ctrl-C -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_shows_what_was_found(sfida, carcassonne, tmp_path, monkeypatch, as_json):
    judge, judged = reviewing.SearchJudge.judge, []

    def pressed(self, *args):
        judged.append(args)
        if len(judged) == 12:
            signal.raise_signal(signal.SIGINT)
        return judge(self, *args)

    monkeypatch.setattr(reviewing.SearchJudge, "judge", pressed)
    page = tmp_path / "cut.html"
    result = sfida(*review(carcassonne, "--html", page, *(["--json"] if as_json else [])))
    assert result.exit_code == 130 or "interrupted" in str(result.exception)
    assert '"complete": false' in result.stdout if as_json else "unjudged" in result.stdout
    assert "The review was cut short: " in page.read_text()


def test_ctrl_c_before_anything_is_known(sfida, carcassonne, monkeypatch):
    monkeypatch.setattr(reviewing.Reviewing, "draw_curve", lambda self: signal.raise_signal(signal.SIGINT))
    result = sfida(*review(carcassonne))
    assert result.exit_code == 130
    assert result.stdout == ""
    assert "interrupted before anything was judged" in result.stderr


# ---- after a game -----------------------------------------------------------------------------------


def test_after_a_game_at_the_terminal_people_learn_of_luck_and_of_their_worst_turn(tmp_path):
    terminal = Terminal("play", "tic_tac_toe", "--seat", "human", "--seat", "human", rows=40, columns=100,
                        XDG_STATE_HOME=str(tmp_path / "s"))
    try:
        for move in WON:
            terminal.wait_for("[XO]> ")
            terminal.type(move)
        assert terminal.end() == 0
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.text)
    finally:
        terminal.close()
    assert "X, luck: 0 % of win probability" in text
    assert re.search(r"O, worst turn: move 2, a2: b2 was better by \d+ % of win probability", text)
    assert "All of it: sfida review " in text
