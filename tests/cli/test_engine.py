"""`sfida engine`: an agent served line by line."""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sfida.ai.external import agents, checking, protocol
from sfida.engines.registry import make, make_game
from support.distributions import install

PROGRAM = [sys.executable, "-m", "sfida", "engine"]
HELLO = {"type": "hello", "protocol": 1}
QUIT = {"type": "quit"}
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")


def begin(spec="tic_tac_toe", **fields):
    return {**json.loads(protocol.new_game(make_game(spec))), **fields}


def choose(position=None, **fields):
    state = make("tic_tac_toe") if position is None else position
    view = state.view(state.to_move)
    moves = [view.format(move) for move in view.legal_moves()]
    return {**json.loads(protocol.choose(1, view, moves, 5, 60.0)), **fields}


@pytest.fixture
def ask(sfida):
    """Send messages, or raw text, and return the answers; standard output may hold nothing else."""
    def ask(*lines, agent="random"):
        text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
        result = sfida("engine", "--agent", agent, input=text)
        assert result.exit_code == 0, result.stderr
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert all(answer["schema"] == 1 for answer in answers)
        return answers
    return ask


def test_a_session(ask):
    ready, first, second = ask(HELLO, begin(), choose(id=41), choose(id=42, seed=6), QUIT, choose(id=43))
    assert (ready["type"], ready["protocol"], ready["name"]) == ("ready", 1, "random")
    assert [(answer["type"], answer["id"]) for answer in (first, second)] == [("move", 41), ("move", 42)]
    assert first["move"] in choose()["legal_moves"]
    assert ask(begin(), choose(id=41))[0] == first      # the same seed


def test_both_say_which_versions_they_speak(ask):
    assert json.loads(protocol.hello())["versions"] == [1]
    for hello in (HELLO, {"type": "hello"}, {"type": "hello", "versions": [1]},
                  {"type": "hello", "protocol": 2, "versions": [7, 1, 2]}):
        (ready,) = ask(hello)
        assert (ready["type"], ready["protocol"], ready["versions"]) == ("ready", 1, [1])


def test_what_is_unknown_is_ignored(ask):
    plain = ask(HELLO, begin(), choose())
    assert ask({**HELLO, "mood": "good"}, {"type": "ponder"}, "\n", begin(shirt="blue"), {"type": "info"},
               choose(colour=[1, {"a": None}])) == plain


@pytest.mark.parametrize(("line", "message"), [
    ("make me a sandwich\n", "the line is not JSON: 'make me a sandwich'"),
    ("[1]\n", r"the line is no object with a type: '\[1\]'"),
    ({"id": 3}, "the line is no object with a type"),
    ({"type": "hello", "protocol": 2}, "version 2 of the protocol is not spoken here, but version 1"),
    ({"type": "hello", "protocol": 1, "versions": [2, 3]}, "versions 2 and 3 of the protocol are not spoken here, but"),
    ({"type": "hello", "versions": 1}, "'versions' must be a list of at least one version, not 1"),
    (begin(game="tic_tac_to"), "unknown game 'tic_tac_to'; did you mean 'tic_tac_toe'"),
    (begin(game=5), "'game' must be text, not 5"),
    (begin(rules_version=2), "the rules of 'tic_tac_toe' are version 1 here, not 2"),
    (begin(layout="0" * 16), "positions of 'tic_tac_toe' are written in another layout"),
    (choose(id="1"), "'id' must be a whole number of at least 0, not '1'"),
])
def test_what_cannot_be_served_is_one_error_line(ask, line, message):
    error, *rest = ask(line, HELLO)
    assert (error["type"], error["id"]) == ("error", None)
    assert re.search(message, error["message"])
    assert [answer["type"] for answer in rest] == ["ready"]


@pytest.mark.parametrize(("fields", "message"), [
    ({"seat": 2}, "'seat' must be 0 to 1, not 2"),
    ({"seat": 1}, "seat 1 is not to move in 'state'"),
    ({"state": "%"}, "'state' is not base64"),
    ({"state": None}, "'state' must be text, not None"),
    ({"state": "AAAA"}, "these bytes are not a position of tic_tac_toe"),
    ({"seed": -1}, "'seed' must be a whole number of at least 0, not -1"),
    ({"legal_moves": ["a1"]}, "'legal_moves' are not those of 'state'"),
])
def test_a_request_that_makes_no_sense_is_told_and_the_next_one_served(ask, fields, message):
    error, move = ask(begin(), choose(id=7, **fields), choose(id=8))
    assert (error["type"], error["id"]) == ("error", 7)
    assert message in error["message"]
    assert (move["type"], move["id"]) == ("move", 8)


def test_a_game_must_have_begun(ask):
    _, error = ask(HELLO, choose(id=3))
    assert (error["id"], error["message"]) == (3, "no game is being played: 'new_game' must come first")
    assert ask(begin(), begin(game="nothing"), choose(id=3))[1]["message"].startswith("no game is being played")


def test_hidden_cards_are_not_accepted(ask):
    state = make("kuhn_poker")
    for _ in range(2):
        state.apply(state.legal_moves()[0])
    seen = choose(state)
    secret = {**seen, "state": base64.b64encode(state.to_bytes()).decode()}
    move, error = ask(begin("kuhn_poker"), seen, secret)
    assert move["type"] == "move"
    assert error["message"].startswith("'state' holds what seat 0 cannot see")


def test_wrong_use(sfida):
    assert sfida("engine", "--agent", "nobody").exit_code == 2
    assert "unknown agent 'nobody'" in sfida("engine", "--agent", "nobody").stderr
    assert sfida("engine", "--agent", "random", input="").exit_code == 0


def test_an_agent_that_asks_a_person_has_nobody_to_ask(ask):
    (error,) = ask(begin(), choose(), agent="human")
    assert "'human' has nobody to ask" in error["message"]


# ---- as a process -------------------------------------------------------------------------------

LOUD = """
import os
from sfida.ai.agent import NamedAgent

class Loud(NamedAgent):
    name = "loud"
    doc = "prints while it thinks"

    def choose(self, view):
        print("hm ...")
        os.write(1, b"let me see\\n")
        os.system("echo or rather")
        if len(view.legal_moves()) < 9:
            raise KeyError("lost")
        return view.legal_moves()[0]
"""


def run(*arguments, lines, **more):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return subprocess.run([*PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=60, **more)


def test_the_program_answers_and_ends():
    done = run("--agent", "greedy", lines=[HELLO, begin(), choose(), QUIT])
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["ready", "move"]


def test_what_an_agent_prints_stays_out_of_the_stream(tmp_path):
    install(tmp_path, "loud", "[sfida.agents]\nloud = loud_agent:Loud\n", loud_agent=LOUD)
    state = make("tic_tac_toe")
    state.apply(4)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = run("--agent", "loud", lines=[begin(), choose(), choose(state, id=2), choose(id=3)],
               env={**os.environ, "PYTHONPATH": path})
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["type"], answer["id"]) for answer in answers] == [("move", 1), ("error", 2), ("move", 3)]
    assert answers[1]["message"] == "KeyError: 'lost'"
    for words in ("hm ...", "let me see", "or rather"):
        assert done.stderr.count(words) == 3


@posix
def test_ctrl_c_is_quiet():
    process = subprocess.Popen([*PROGRAM, "--agent", "ismcts:seconds=60,early_stop=false"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{json.dumps(HELLO)}\n")
    process.stdin.flush()
    assert "ready" in process.stdout.readline()
    process.stdin.write(f"{json.dumps(begin())}\n{json.dumps(choose())}\n")
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (stdout, stderr, process.returncode) == ("", "", 130)


# ---- checks of programs -------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]


def checked(sfida, program, *options, code=0):
    """Check a program, and return its checks by name, and the last line."""
    result = sfida("engine", "--check", program, "--json", *options)
    assert result.exit_code == code, result.stderr + result.stdout
    *checks, last = (json.loads(line) for line in result.stdout.splitlines())
    assert all(check["type"] == "check" for check in checks)
    assert last["type"] == "checked"
    assert (last["checks"], last["passed"]) == (len(checks), sum(check["passed"] is True for check in checks))
    return {check["check"]: check for check in checks}


def bot(mode):
    return shlex.join([sys.executable, "-S", str(ROOT / "tests" / "support" / "bots.py"), mode])


@posix
def test_the_example_in_python_keeps_to_the_protocol(sfida):
    found = checked(sfida, shlex.join([sys.executable, "-S", str(ROOT / "docs" / "example_bot.py")]))
    assert {check["passed"] for check in found.values()} == {True}
    assert {"hello", "kuhn_poker", "carcassonne", "seeds", "half lines", "quit"} <= set(found)
    page = (ROOT / "docs" / "measure" / "protocol.md").read_text()
    section = page[page.index("## Checking a program"):page.index("## `sfida engine`")]
    assert all(f"`{name}`" in section for name in found)


@posix
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_example_in_c_keeps_to_the_protocol(sfida, tmp_path):
    source = ROOT / "docs" / "example_bot.c"
    built = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", tmp_path / "bot", source],
                           capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    text = sfida("engine", "--check", tmp_path / "bot")
    assert text.exit_code == 0, text.stdout
    assert re.search(r"^hello +pass +answers hello by ready", text.stdout, re.MULTILINE)
    assert text.stdout.endswith("20 of 20 checks passed\n")
    assert len(source.read_text().splitlines()) <= 100


@posix
@pytest.mark.parametrize(("mode", "failing", "reason"), [
    ("strict", {"unknown"}, "it gives up: what is weather?"),
    ("needs a limit", {"no limit"}, "it ended with exit code 1; its last words: TypeError"),
    ("small numbers", {"large numbers"}, "it gives up: too large"),
    ("short lines", {"long lines"}, "it ended with exit code 1; its last words: line too long"),
    ("one game", {"more games"}, "it ended with exit code 0"),
    ("half a line", {"quit", "end of input"}, "the last that it sent was half a line"),
    ("hangs on garbage", {"garbage", "broken line"}, None),
    ("outlives us", {"quit", "end of input"}, "it did not end within 0.3 s "),
    ("stays", {"quit"}, "it did not end within 0.3 s after 'quit'"),
    ("talks back", {"observations", "kuhn_poker"}, None),
    ("own luck", {"seeds"}, "played otherwise"),
])
def test_each_fault_fails_its_check(sfida, monkeypatch, mode, failing, reason):
    monkeypatch.setattr(checking, "LEAVING", 0.3)
    monkeypatch.setattr(agents, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(checking, "CHECKS", tuple(
        check for check in checking.CHECKS if check.name in {"hello", "quit", "kuhn_poker", *failing}))
    found = checked(sfida, bot(mode), "--limit", 2, code=1)
    assert {name for name, check in found.items() if not check["passed"]} == failing
    for name in failing:
        assert reason is None or reason in found[name]["note"]


@posix
def test_halves_of_lines_are_told_apart_from_lines(sfida, monkeypatch):
    monkeypatch.setattr(checking, "CHECKS", tuple(check for check in checking.CHECKS if check.name == "half lines"))
    found = checked(sfida, bot("hasty"), "--limit", 0.5, code=1)
    assert "within" in found["half lines"]["note"]


@posix
@pytest.mark.parametrize(("mode", "reason"), [
    ("illegal", "answered 'z9', which is none of the 9 legal moves"),
    ("silent", "it sent no move within 0.3 s"),
    ("garbage", "it broke the protocol: the line is not JSON: 'I think a"),
    ("wrong id", "it broke the protocol: it answers request 2, but the last one is 1"),
])
def test_wrong_answers_fail_the_games(sfida, monkeypatch, mode, reason):
    monkeypatch.setattr(checking, "CHECKS", checking.CHECKS[:2])
    found = checked(sfida, bot(mode), "--limit", 0.3, code=1)
    assert (found["hello"]["passed"], found["tic_tac_toe"]["passed"]) == (True, False)
    assert reason in found["tic_tac_toe"]["note"]


@posix
def test_a_program_that_does_not_say_hello_is_left_alone(sfida):
    found = checked(sfida, bot("other version"), code=1)
    assert found["hello"]["note"] == "it speaks version 2 of the protocol, this Sfida version 1"
    assert {check["passed"] for name, check in found.items() if name != "hello"} == {None}
    text = sfida("engine", "--check", bot("dies at once"))
    assert text.exit_code == 1
    assert "hello                   fail     answers hello by ready" in text.stdout
    assert text.stdout.endswith("0 of 20 checks passed\n")


@pytest.mark.parametrize(("arguments", "reason"), [
    (["--check", "no_such_program_here"], "'no_such_program_here' is neither a program on the PATH"),
    (["--check", "true", "--agent", "random"], "--agent does not go with --check"),
    (["--check", "true", "--listen", "0"], "--listen does not go with --check"),
    (["--limit", "3"], "--limit does not go with serving an agent"),
    (["--json"], "--json does not go with standard input"),
    (["--listen", "65536"], "65535"),
])
@posix
def test_options_that_do_not_go_together(sfida, arguments, reason):
    result = sfida("engine", *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr
