"""Programs that play: well-behaved programs, misbehaving programs, and the requests sent to them."""

from __future__ import annotations

import gc
import json
import os
import pickle
import re
import shlex
import subprocess
import sys
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

import pytest

import sfida
from sfida.ai.agent import AgentFailure
from sfida.ai.external import protocol
from sfida.ai.external.agents import ExecAgent
from sfida.ai.external.stream import ProgramProcess
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import View
from sfida.engines.registry import game_names, make, make_game
from support.short_games import short

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes that can be waited for")

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "example_bot.py"
BOTS = ROOT / "tests" / "support" / "bots.py"
ENGINE = f"exec:{sys.executable} -m sfida engine --agent"


def command(*words: object) -> str:
    return "exec:" + shlex.join([sys.executable, *map(str, words)])


@contextmanager
def bot(*arguments: object, limit: float = 20.0, start: float = 20.0):
    """Yield an agent with time limits, and close it at the end."""
    agent = sfida.agent(command("-S", BOTS, *arguments))
    assert isinstance(agent, ExecAgent)
    agent.limit, agent.start_limit = limit, start
    try:
        yield agent
    finally:
        agent.close()


def process_of(agent: ExecAgent) -> subprocess.Popen[bytes]:
    assert isinstance(agent.stream, ProgramProcess)
    return agent.stream.process


def ended(pid: int) -> bool:
    """Return whether a process ends within a moment, or is a zombie that its parent does not collect."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            stat = Path(f"/proc/{pid}/stat")
            if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


START = make("tic_tac_toe").view(0)


# ---- good bots ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tic_tac_toe", "leduc_poker", "goofspiel", "phantom_tic_tac_toe", "carcassonne"])
def test_a_bot_of_twenty_lines_plays_any_game(game):
    spec = command("-S", EXAMPLE)
    record = sfida.play(game, [spec, "random"], seed=5)
    assert record.result is not None
    assert record.seats == (spec, "random")
    assert sfida.play(game, [spec, "random"], seed=5).moves == record.moves
    assert sfida.play(game, [spec, "random"], seed=6).moves != record.moves
    assert len(EXAMPLE.read_text().splitlines()) <= 25
    assert "sfida" not in EXAMPLE.read_text().replace("Sfida", "")


@pytest.mark.parametrize(("agent", "game"), [
    ("ismcts:iterations=50", "phantom_tic_tac_toe"), ("ismcts:iterations=50", "leduc_poker"),
    ("ismcts:iterations=50", "carcassonne:players=2"), ("flat:iterations=50", "goofspiel"),
])
def test_an_engine_plays_as_the_same_agent_does_here(game, agent):
    here = sfida.play(game, [agent, "random"], seed=3)
    there = sfida.play(game, [f"{ENGINE} {agent}", "random"], seed=3)
    assert there.moves == here.moves


def test_two_processes_play_each_other():
    record = sfida.play("carcassonne", [f"{ENGINE} greedy", f"{ENGINE} ismcts:iterations=10,reuse=true"], seed=8)
    assert record.result is not None
    assert record.moves == sfida.play("carcassonne", ["greedy", "ismcts:iterations=10"], seed=8).moves


def test_what_is_unknown_or_stale_is_passed_over():
    with bot("behaves") as good, bot("twice") as repeating:
        state = make("tic_tac_toe")
        while not state.is_over:
            state.apply((repeating if state.to_move else good).choose(state.view(state.to_move)))
    assert state.utilities() == [1.0, 0.0]      # always the last legal move, from i9 backwards: 8, 7, 6, ...


@pytest.mark.parametrize("mode", ["no version", "newer, too"])
def test_a_program_that_speaks_version_1_plays(mode):
    with bot(mode) as agent:
        assert agent.choose(START) == 8


def test_the_newest_version_of_both_is_taken(monkeypatch):
    monkeypatch.setattr(protocol, "VERSIONS", (2, 3, 5))
    hello = protocol.decode(protocol.hello())
    assert (hello["protocol"], hello["versions"]) == (2, [2, 3, 5])
    for said, version in (({"versions": [1, 3, 2, 4]}, 3), ({"versions": [3], "protocol": 2}, 3), ({"protocol": 5}, 5),
                          ({}, None), ({"versions": [1, 4]}, None)):
        assert protocol.agree(said) == version


def test_much_on_standard_error_and_large_requests_block_nobody():
    with bot("much stderr") as agent:
        assert agent.choose(START) == 8
    wide = protocol.encode("info", padding="x" * 3_000_000)
    with bot("behaves") as agent:
        agent.new_game()
        agent.stream.send(wide)
        assert agent.choose(START) == 8


# ---- misbehaviour -------------------------------------------------------------------------------

FAILURES = {
    "garbage": "broke the protocol: the line is not JSON: 'I think a3'",
    "list": r"broke the protocol: the line is no object with a type: '\[1, 2\]'",
    "deep": "broke the protocol: the line is not JSON",
    "nan": "broke the protocol: the line is not JSON",
    "latin-1": "broke the protocol: the line is not UTF-8",
    "wrong id": "broke the protocol: it answers request 2, but the last one is 1",
    "no id": "broke the protocol: 'id' must be a whole number of at least 0, not None",
    "true id": "broke the protocol: 'id' must be a whole number",
    "number": "broke the protocol: 'move' must be text, not 5",
    "gives up": "gives up: out of memory",
    "refuses": "gives up: no licence",
    "other version": "speaks version 2 of the protocol, this Sfida version 1",
    "other versions": "speaks versions 2 and 3 of the protocol, this Sfida version 1",
    "no versions": r"broke the protocol: 'versions' must be a list of at least one version, not \[\]",
    "endless line": "sent a line of more than 1048576 bytes",
    "closes stdout": "closed its standard output",
}
DEATHS = {
    "dies": r"ended with exit code 3; its last words: KeyError: ' \[31mtile'",
    "dies at once": "ended with exit code 1; its last words: bots.py: no such file: weights.bin",
    "killed": "was ended by SIGKILL",
    "leaves a child": "ended with exit code 4",
}


@pytest.mark.parametrize(("mode", "reason", "kind"), [
    *((mode, reason, "raised") for mode, reason in FAILURES.items()),
    *((mode, reason, "died") for mode, reason in DEATHS.items()),
])
def test_misbehaviour_ends_in_one_line(mode, reason, kind):
    with bot(mode) as agent:
        started = time.monotonic()
        with pytest.raises(AgentFailure, match=reason) as caught:
            agent.choose(START)
        assert time.monotonic() - started < 30
        assert caught.value.kind == kind
        assert "\n" not in str(caught.value)
        assert str(BOTS) in str(caught.value)
        assert agent.stream is None


@pytest.mark.parametrize(("mode", "reason"), [
    ("silent", "sent no move within 0.3 s"),
    ("endless lines", "sent no move within 0.3 s"),
    ("endless stderr", "sent no move within 0.3 s; its last words: t"),
    ("never ready", "sent no ready within 0.3 s"),
    ("deaf", "sent no ready within 0.3 s"),
])
def test_the_time_limit_ends_everything_else(mode, reason):
    late = "ready" in reason
    with bot(mode, limit=20 if late else 0.3, start=0.3 if late else 20) as agent:
        if not late:
            agent.new_game()
        started = time.monotonic()
        with pytest.raises(AgentFailure, match=reason) as caught:
            agent.choose(START)
        assert time.monotonic() - started < 15
        assert caught.value.kind == "overtime"


def test_a_program_that_reads_nothing_cannot_hold_us_up():
    with bot("deaf later", limit=0.5) as agent:
        agent.new_game()
        agent.stream.send(protocol.encode("info", padding="x" * 3_000_000))
        with pytest.raises(AgentFailure, match=r"did not read what it was sent within 0\.5 s"):
            agent.choose(START)


def test_an_illegal_move_is_one_as_of_any_agent():
    with bot("illegal") as agent, pytest.raises(
            sfida.IllegalMove, match="on seat 0 answered 'z9', which is none of the 9 legal moves"):
        agent.choose(START)


def test_misbehaviour_takes_bounded_memory():
    for mode in ("endless lines", "endless stderr"):
        with bot(mode, limit=0.5) as agent:
            agent.new_game()
            tracemalloc.start()
            try:
                with pytest.raises(AgentFailure):
                    agent.choose(START)
                most = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        assert most <= 4 * protocol.MAX_ANSWER


# ---- start and end of programs ------------------------------------------------------------------


def test_the_program_is_kept_between_games_and_told_when_to_leave(tmp_path):
    log = tmp_path / "log"
    with bot("behaves", log) as agent:
        pids = set()
        for _ in range(3):
            agent.new_game()
            assert agent.choose(START) == 8
            pids.add(process_of(agent).pid)
        process = process_of(agent)
    assert len(pids) == 1
    assert process.returncode == 0
    assert log.read_text() == "quit after 3 games\n"


def test_a_failed_program_is_killed_and_started_afresh():
    with bot("silent", limit=0.2) as agent:
        agent.new_game()
        process = process_of(agent)
        with pytest.raises(AgentFailure):
            agent.choose(START)
        assert process.returncode == -9
        agent.new_game()
        assert process_of(agent).pid != process.pid
    with bot("second game") as agent:           # ends between two games without a word
        with pytest.raises(AgentFailure, match="ended with exit code 0"):
            agent.choose(START)
        agent.new_game()
        assert agent.stream.running


def test_closing_ends_even_who_will_not_go(monkeypatch):
    monkeypatch.setattr("sfida.ai.external.agents.GRACE_SECONDS", 0.3)
    with bot("stays") as agent:
        agent.new_game()
        process = process_of(agent)
        started = time.monotonic()
    assert process.returncode == -9
    assert time.monotonic() - started < 15
    agent.close()                               # closing again does no harm


def test_a_forgotten_agent_leaves_no_process():
    with bot("behaves") as agent:
        agent.new_game()
        process = process_of(agent)
        agent.release()
    gc.collect()
    assert process.returncode == -9


def test_programs_end_with_ours(tmp_path):
    code = f"""
import sfida
agent = sfida.agent({command("-S", BOTS, "behaves")!r})
agent.new_game()
print(agent.stream.process.pid)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert ended(int(done.stdout))


def test_children_of_a_program_are_killed_too(tmp_path):
    note = tmp_path / "pid"
    with bot("child", note, limit=0.3) as agent, pytest.raises(AgentFailure, match="sent no move"):
        agent.choose(START)
    assert ended(int(note.read_text()))


def test_agents_travel_without_their_programs():
    with bot("behaves") as agent:
        agent.new_game()
        twin = pickle.loads(pickle.dumps(agent))
        assert twin.stream is None
        assert twin.choose(START) == 8
        assert process_of(twin).pid != process_of(agent).pid
        twin.close()


# ---- requests -----------------------------------------------------------------------------------


def requests(spec, games=4, seed=11):
    """Yield (state, request) for every decision of random games, and a random stream."""
    rng = Random(seed)
    for _ in range(games):
        state = make(spec)
        while not state.is_over:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            yield state, rng
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])


def request(state, seed=1):
    view = state.view(state.to_move)
    return protocol.choose(7, view, [view.format(move) for move in view.legal_moves()], seed, 60.0)


@pytest.mark.parametrize("name", [name for name in game_names() if make(name).hidden])
def test_nothing_hidden_travels(name):
    differing = 0
    for state, rng in requests(short(name)):
        twin = state.clone()
        twin.determinize(state.to_move, rng)
        differing += twin.to_bytes() != state.to_bytes()
        assert request(twin) == request(state)
    assert differing > 3                        # so there was hidden information


@pytest.mark.parametrize("name", game_names())
def test_a_view_arrives_as_it_was_sent(name):
    game = make_game(short(name))
    for state, _ in requests(short(name), games=1):
        view = state.view(state.to_move)
        twin = protocol.read_view(game, protocol.decode(request(state)))
        assert (twin.key(), twin.seat, twin.legal_moves()) == (view.key(), view.seat, view.legal_moves())
        assert (twin.observation(), twin.redacted) == (view.observation(), True)


def test_a_view_that_cheats_is_not_sent():
    state = make("kuhn_poker")
    for _ in range(2):
        state.apply(state.legal_moves()[0])
    with bot("behaves") as agent, pytest.raises(sfida.SfidaError, match="hide what the seat cannot know"):
        agent.choose(View.unredacted(state, 0))


def test_layouts_differ_between_games_and_options():
    layouts = [protocol.layout(make_game(spec)) for spec in
               ("carcassonne", "carcassonne:players=3", "carcassonne:river=true", "tic_tac_toe")]
    assert len(set(layouts)) == 4
    assert layouts[0] == protocol.layout(make_game("carcassonne"))


# ---- the spec -----------------------------------------------------------------------------------


def test_everything_behind_the_first_colon_is_the_command(tmp_path, monkeypatch):
    script = tmp_path / "my bot, too"
    script.write_text(f"#!{sys.executable}\n{EXAMPLE.read_text()}")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for spec in ("exec:./my bot, too", "exec:my bot, too", f"exec:{script}",
                 "exec:  './my bot, too'  --option a=1,b:2"):
        agent = sfida.agent(spec)
        assert sfida.agent(agent.spec).spec == agent.spec
        assert agent.choose(START) in START.legal_moves()
        agent.close()
    assert agent.spec == "exec:'./my bot, too'  --option a=1,b:2"
    assert sfida.agent("exec", command="./my bot, too").spec == "exec:./my bot, too"


def test_sfida_is_found_where_it_is_installed(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    beside = Path(sys.executable).parent / "sfida"
    if not beside.exists():
        pytest.skip("sfida is not installed beside this Python")
    assert sfida.agent("exec:sfida engine").options.words() == [str(beside), "engine"]


@pytest.mark.parametrize(("spec", "reason"), [
    ("exec", "takes its command and nothing else; right would be exec:COMMAND"),
    ("exec:", "needs a program"),
    ("exec:no_such_program_here -x", "'no_such_program_here' is neither a program on the PATH nor a file here"),
    ("exec:./nothing", "'./nothing' is no file, so agent 'exec:./nothing' cannot be started"),
    ("exec:./plain", r"'./plain' is not executable: chmod \+x it, or name what runs it, such as 'exec:python3 "),
    ("exec:bot 'open", "cannot be split into words: No closing quotation"),
    ("exec:./plain\n--x", "in one line of printable text"),
])
def test_a_program_that_cannot_be_run_is_refused_at_once(tmp_path, monkeypatch, spec, reason):
    monkeypatch.chdir(tmp_path)
    Path("plain").write_text("no program")
    with pytest.raises(sfida.InvalidOption, match=reason):
        sfida.agent(spec)


def test_a_command_is_given_once():
    with pytest.raises(sfida.InvalidOption, match="takes its command and nothing else"):
        sfida.agent("exec:true", command="false")
    with pytest.raises(sfida.InvalidOption, match="takes its command and nothing else"):
        sfida.agent("exec:true", speed=3)


def test_what_the_system_cannot_start_is_told(tmp_path):
    script = tmp_path / "bot"
    script.write_bytes(b"\x00\x01 no program")
    script.chmod(0o755)
    with pytest.raises(AgentFailure, match="cannot be started: Exec format error"):
        sfida.agent(f"exec:{script}").choose(START)


# ---- the documentation --------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "measure" / "protocol.md").read_text()


def test_the_documented_bot_is_the_tested_one():
    assert EXAMPLE.read_text().split('"""\n', 1)[1].strip() in PAGE


def test_the_documented_exchange_is_a_real_one(monkeypatch):
    said = []

    def send(program, line, send=ProgramProcess.send):
        said.append((">", json.loads(line)))
        send(program, line)

    def receive(program, *arguments, receive=ProgramProcess.receive):
        line = receive(program, *arguments)
        said.append(("<", json.loads(line)))
        return line

    monkeypatch.setattr(ProgramProcess, "send", send)
    monkeypatch.setattr(ProgramProcess, "receive", receive)
    state = make("kuhn_poker")
    for _ in range(2):
        state.apply(state.legal_moves()[-1])
    agent = sfida.agent(command("-S", EXAMPLE), seed=7)
    agent.choose(state.view(0))
    agent.close()
    shown = [(line[0], json.loads(line[2:])) for line in PAGE.splitlines() if re.match(r"[<>] \{", line)]
    for _, message in (*said, *shown):
        for field in ("sfida", "layout"):       # these change with the version
            message.pop(field, None)
    assert shown == said
