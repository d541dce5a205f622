"""Every text from a file, a name or a package is visible on the screen and cannot control the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import sfida as api
from sfida.ai.arena.tournament import tournament
from sfida.cli.main import main
from sfida.engines.records import read_records
from sfida.engines.registry import Plugins
from sfida.engines.untrusted import json_text, visible, visible_drawing
from support.distributions import install
from support.visible import ALL_NASTY, NASTY, NASTY_TEXT, assert_seen, unseen

THINK = ("--agent", "ismcts:iterations=10")
COMMANDS = [("replay", "FILE"), ("play", "FILE"), ("play", "FILE", "--seat", "random", "--seat", "random"),
            ("analyze", "FILE", *THINK), ("hint", "FILE", *THINK), ("why", "FILE", "1", *THINK), ("ratings", "FILE"),
            ("ratings", "new.sfida", "--import", "FILE")]
FORMS = [(), ("--json",), ("--color", "always")]
SHOWN = r"\x1b]0;owned\x07"


@pytest.fixture
def seen(sfida):
    """Run the program, and check that all output is visible and that JSON is valid."""
    def run(*words: object):
        result = sfida(*words)
        colours = "always" in words
        out, err = (assert_seen(stream, colours=colours) for stream in (result.stdout_bytes, result.stderr_bytes))
        assert "Traceback" not in err
        if "--json" in words:
            for line in out.splitlines():
                json.loads(line)
        return result
    return run


@pytest.fixture
def saved(tmp_path):
    """Write a record with some fields changed, and return its name."""
    def write(**fields: object) -> str:
        record = api.play("tic_tac_toe", ["random", "random"], seed=3).to_json()
        record |= {"moves": record["moves"][:4], "result": None, **fields}
        (tmp_path / "game.jsonl").write_text(json.dumps(record) + "\n")         # in ASCII: "\ud800"
        return "game.jsonl"
    return write


@pytest.mark.parametrize("sign", NASTY)
def test_each_of_them_becomes_what_python_would_write(sign):
    assert unseen(visible(sign)) == []
    assert visible(sign) == ascii(sign)[1:-1]
    assert visible("Zürich → 北京 ▚⣿ é") == "Zürich → 北京 ▚⣿ é"
    text = json_text({"a": f"ü{sign}"})
    assert unseen(text) == []
    assert "ü" in text
    assert json.loads(text) == {"a": f"ü{sign}"}
    assert json_text({"a": "ü"}, ascii_only=True) == '{"a": "\\u00fc"}'


def test_drawings_keep_their_lines_and_colours_alone():
    drawing = "\x1b[1;31m##\x1b[0m\n..\x1b[2J\u202e"
    assert visible_drawing(drawing, color=True) == "\x1b[1;31m##\x1b[0m\n..\\x1b[2J\\u202e"
    assert visible_drawing(drawing, color=False) == "\\x1b[1;31m##\\x1b[0m\n..\\x1b[2J\\u202e"


# ---- records ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS[1:])
@pytest.mark.parametrize("fields", [
    {"seats": [ALL_NASTY, "random"]}, {"seats": [f"exec:{ALL_NASTY}", "random"]}, {"sfida": ALL_NASTY},
    {"game": ALL_NASTY}, {"game": f"tic_tac_toe:{ALL_NASTY}=1"}, {"game": f"attila:map={ALL_NASTY}"},
    {"moves": ["b2", ALL_NASTY]}, {"type": ALL_NASTY}, {"rules_version": ALL_NASTY}, {ALL_NASTY: ALL_NASTY},
    {"forfeit": {"seat": ALL_NASTY, "reason": ALL_NASTY, "kind": ALL_NASTY}}, {"note": ALL_NASTY, "ended": ALL_NASTY},
    {"tournament": {"game": ALL_NASTY, "agents": [ALL_NASTY] * 2}},
], ids=lambda fields: visible(next(iter(fields)))[:12])
def test_every_text_of_a_record(seen, saved, fields, form):
    name = saved(**fields)
    for command in COMMANDS:
        seen(*[name if word == "FILE" else word for word in command], *form)


def test_what_is_shown_of_a_record(seen, saved):
    seats, reason = [f"<{sign}>" for sign in NASTY[:2]], {"seat": 0, "reason": NASTY_TEXT}
    screen = seen("replay", saved(seats=seats, forfeit=reason)).stdout
    assert rf"X <{SHOWN}> · O <\x1b[2J>" in screen
    assert f"seat 0 forfeits here: {visible(NASTY_TEXT)}" in screen
    assert SHOWN in seen("replay", saved(game=NASTY_TEXT)).stderr
    assert r"\x1b[31m<" in seen("replay", saved(seats=["\x1b[31m<", "b"]), "--color", "always").stdout


def test_a_record_is_written_in_signs_that_can_be_seen(tmp_path, saved):
    (record,) = read_records(saved(note=NASTY_TEXT))
    api.append_record(tmp_path / "copy.jsonl", record)
    assert_seen((tmp_path / "copy.jsonl").read_bytes())
    assert next(read_records(tmp_path / "copy.jsonl")).extra["note"] == NASTY_TEXT


# ---- tournaments --------------------------------------------------------------------------------------


class Sinner:
    """An agent whose name and error message hold text that must not reach a terminal."""

    spec = f"sinner{NASTY_TEXT}"

    def choose(self, view: object) -> int:
        raise RuntimeError(ALL_NASTY)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_every_text_of_a_store(seen, tmp_path):
    tournament("tic_tac_toe", [Sinner(), "random", "greedy"], 6, seed=1, store=tmp_path / "a.sfida")
    for form in FORMS:
        result = seen("ratings", "a.sfida", "--ladder", *form)
        assert result.exit_code == 0
        assert "owned" in result.stdout
        seen("replay", "a.sfida", *form)
        seen("tournament", "tic_tac_toe", "random", "greedy", "--store", "a.sfida", "--resume", *form)
    plain = seen("ratings", "a.sfida").stdout
    assert f"RuntimeError: <{SHOWN}" in plain
    assert f"sinner{visible(NASTY_TEXT)} forfeited 4 games" in plain
    seen("ratings", "a.sfida", "--export", "a.jsonl")
    assert_seen((tmp_path / "a.jsonl").read_bytes())
    seen("ratings", "b.sfida", "--import", "a.jsonl")
    assert seen("ratings", "a.sfida", "--report", "report").exit_code == 0
    for path in (tmp_path / "report").iterdir():
        text = assert_seen(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\nerror", b"error"))
        assert "sinner" in text or path.name == "seats.csv"


# ---- other files and names ----------------------------------------------------------------------------


def test_files_of_other_kinds(seen, tmp_path):
    quoted = json.dumps(NASTY_TEXT)
    replay = ('[[replay]]\nid = {0}\nturns = ["x"]\n', "[[replay]]\nid = 'a'\nhand_british = {0}\nturns = [{0}]\n",
              "[[replay]]\nwinner = {0}\nturns = [{0}]\n", "[[replay]]\npreset = {0}\nturns = [{0}]\n", "a = {0} b\n")
    for text in (*(text.format(quoted) for text in replay), NASTY_TEXT):
        (tmp_path / "a.toml").write_text(text)
        assert seen("replay", "a.toml").exit_code == 1
        seen("play", "a.toml")
    maps = ("[board]\n{0} = 1\n", "[[provinces]]\nid = {0}\n", "[[provinces]]\nname_en = {0}\nid = 'a'\n", "{0} = 3\n")
    for text in maps:
        (tmp_path / "map.toml").write_text(text.format(quoted))
        assert seen("games", "attila:map=map.toml").exit_code == 2


@pytest.mark.parametrize("text", [NASTY_TEXT, "\x1b[2J", "a\udcffb", "a\x1b[2J/b"])
def test_what_is_typed(seen, text):
    for words in ((text,), (f"--{text}",), ("play", text), ("play", f"{text}.jsonl"), ("replay", text), ("games", text),
                  ("agents", text), ("play", "tic_tac_toe", "--seat", text), ("play", f"tic_tac_toe:{text}=1"),
                  ("play", "tic_tac_toe", "--seat", f"exec:{text}"), ("play", "tic_tac_toe", "--seed", text),
                  ("play", f"attila:map={text}"), ("tournament", "tic_tac_toe", "random", text),
                  ("ratings", text), ("why", "tic_tac_toe", text, *THINK), ("bench", text),
                  ("profile", "tic_tac_toe", "--threads", text), ("games", "--color", text)):
        result = seen(*words)
        assert result.exit_code in (1, 2)
        assert result.stderr.startswith("error: ")
        assert result.stderr.count("\n") == 1


def test_paths_are_shown_where_a_game_is_saved(sfida):
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", input="save a\x1b[2Jb.jsonl\nquit\n")
    assert r"Saved as a\x1b[2Jb.jsonl" in assert_seen(result.stderr_bytes)
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", input="\x1b[2J\u202e\nquit\n")
    assert r"'\x1b[2j\u202e' is not a legal move here" in assert_seen(result.stderr_bytes).lower()


# ---- packages -----------------------------------------------------------------------------------------


STRANGERS = """
from sfida.ai.agent import RandomAgent
from sfida.engines.examples.tic_tac_toe import TicTacToe

class Game(TicTacToe):
    name = "strange"
    title = {0}

    def board_text(self, state, **more):
        return super().board_text(state, **more) + {0}

    def describe_move(self, state, move):
        return {0}

    def seat_name(self, seat):
        return {0} + str(seat)

class Agent(RandomAgent):
    name = "stranger"
    doc = {0}

class Failing(RandomAgent):
    name = "failing"
    doc = "fails"

    def choose(self, view):
        raise RuntimeError({0})
"""


def test_what_packages_say_of_themselves(seen, tmp_path, monkeypatch):
    lies = ALL_NASTY.replace("\n", "")          # a game may draw several lines
    seats = ("--seat", "stranger", "--seat", "stranger")
    install(tmp_path / "site", "strange-things",
            "[sfida.games]\nstrange = strangers:Game\nbroken = broken:Game\n"
            "[sfida.agents]\nstranger = strangers:Agent\nfailing = strangers:Failing\n",
            strangers=STRANGERS.format(ascii(lies)), broken=f"raise ImportError({lies!a})")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "strangers", raising=False)
    for cache in (Plugins._points, Plugins._load):
        cache.cache_clear()
    try:
        for form in FORMS:
            for command in (("games",), ("games", "strange"), ("agents",), ("agents", "stranger"),
                            ("play", "strange", *seats), ("hint", "strange", *THINK),
                            ("analyze", "strange", *THINK), ("why", "strange", "1", *THINK), ("games", "broken")):
                result = seen(*command, *form)
                assert "owned" in result.output or "--json" in form
        with pytest.raises(RuntimeError) as caught:
            main(["play", "strange", "--seat", "failing", "--seat", "failing"])
    finally:
        monkeypatch.undo()
        for cache in (Plugins._points, Plugins._load):
            cache.cache_clear()
    assert sys.excepthook.__name__ == "show_fault"
    code = f"import sys; from sfida.cli import errors; sys.excepthook = errors.show_fault; raise RuntimeError({lies!a})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert f"RuntimeError: <{SHOWN}" in assert_seen(done.stderr), str(caught.value)


# ---- streams that cannot hold everything --------------------------------------------------------------


def test_a_line_that_is_no_text_is_a_wrong_line():
    done = subprocess.run([sys.executable, "-m", "sfida", "play", "tic_tac_toe", *["--seat", "human"] * 2],
                          input=b"\xff\xfe\nb2\n", capture_output=True, timeout=60,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"})
    assert "1 move; it is kept" in assert_seen(done.stderr)
    assert done.stderr.startswith(b"error: '")
    assert b"is not a legal move here" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_screen_of_few_signs(saved, encoding):
    name = saved(seats=[NASTY_TEXT, "Zürich"], forfeit={"seat": 0, "reason": NASTY_TEXT})
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}

    def run(*words: str) -> bytes:
        done = subprocess.run([sys.executable, "-m", "sfida", *words], capture_output=True, env=environment, timeout=60)
        assert done.stderr == b""
        assert done.returncode == 0
        return done.stdout

    assert SHOWN in "".join(sign for sign in run("replay", name).decode(encoding))
    assert unseen(run("replay", name).decode(encoding)) == []
    assert json.loads(run("replay", name, "--json").decode(encoding))["type"] == "position"
    games = [json.loads(line) for line in run("games", "--json").decode(encoding).splitlines()]
    risiko = next(game for game in games if game["name"] == "risiko")
    assert "?" not in risiko["title"]
