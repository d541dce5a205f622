"""The time in which a process sleeps, because it is stopped and continued, does not count as thinking time."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the state of processes in /proc")

PATIENCE = 60.0
BOT = """
import json, os, sys, time
asked, go = sys.argv[1:]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready", "protocol": 1}', flush=True)
    if message["type"] == "choose":
        if not os.path.exists(asked):
            open(asked + "~", "w").write(f"{os.getpid()} {os.getppid()}")
            os.rename(asked + "~", asked)
        while not os.path.exists(go):
            time.sleep(0.01)
        print(json.dumps({"type": "move", "id": message["id"], "move": message["legal_moves"][0]}), flush=True)
    if message["type"] == "quit":
        break
"""


def until(holds, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.01)


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def sleep(seconds: float, *pids: int) -> None:
    """Stop processes for some seconds."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    until(lambda: all(state_of(pid) == "T" for pid in pids), "all are stopped")
    time.sleep(seconds)


def wake(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def running(program: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def bot(tmp_path: Path) -> tuple[str, Path, Path]:
    """Return a program that moves when a file exists, the file that it writes when asked, and the file it waits for."""
    asked, go = tmp_path / "asked", tmp_path / "go"
    (tmp_path / "bot.py").write_text(BOT)
    return "exec:" + shlex.join([sys.executable, "-S", str(tmp_path / "bot.py"), str(asked), str(go)]), asked, go


def test_the_clock_stands_still_while_the_process_sleeps():
    with running("""
import sys, time
from sfida.cython_ext.measure import awake, slept
started, there = awake(), time.monotonic()
print("ready", flush=True)
sys.stdin.readline()
spent, passed, lost = awake() - started, time.monotonic() - there, slept()
print(spent, passed, lost)
""") as process:
        assert process.stdout.readline() == "ready\n"
        sleep(1.5, process.pid)
        wake(process.pid)
        spent, passed, lost = map(float, process.communicate("\n", timeout=PATIENCE)[0].split())
    assert lost >= 1.1
    assert spent <= passed - 1.1


def test_a_fork_has_a_clock_of_its_own():
    with running("""
import os, time
from sfida.cython_ext.measure import awake
awake()
child = os.fork()
if not child:
    started = awake()
    while awake() < started + 0.5:
        time.sleep(0.01)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""") as process:
        assert process.communicate(timeout=PATIENCE)[0] == "7\n"


@pytest.mark.parametrize("answers", ["meanwhile", "afterwards"])
def test_a_program_is_waited_for_as_long_as_the_table_is_awake(bot, answers):
    """The table is stopped alone or together with the program; the sleep is charged to neither."""
    spec, asked, go = bot
    with running("""
import sys, sfida
agent = sfida.agent(sys.argv[1])
agent.limit = 1.0
print(agent.choose(sfida.make("tic_tac_toe").view(0)))
agent.close()
""", spec) as process:
        until(asked.exists, "the program is asked")
        pids = [process.pid] if answers == "meanwhile" else [process.pid, int(asked.read_text().split()[0])]
        if answers == "meanwhile":
            go.touch()
        sleep(1.6, *pids)
        go.touch()
        wake(*pids)
        out, err = process.communicate(timeout=PATIENCE)
    assert out == "0\n", err


def test_a_tournament_charges_nobody_with_its_sleep(bot, tmp_path):
    spec, asked, go = bot
    with running("""
import sys, sfida
result = sfida.tournament("tic_tac_toe", [sys.argv[1], "random"], 2, seed=1, limit=0.8, store=sys.argv[2])
print([game.forfeit for game in result.outcomes], max(game.seconds[game.agents.index(0)] for game in result.outcomes))
""", spec, tmp_path / "games.sfida") as process:
        until(asked.exists, "the program is asked")
        pids = [process.pid, *reversed(list(map(int, asked.read_text().split())))]  # worker, player, program
        sleep(2.4, *pids)
        go.touch()
        wake(*pids)
        out, err = process.communicate(timeout=PATIENCE)
    assert out.startswith("[None, None]"), out + err
    assert float(out.split()[-1]) < 2.0


def test_a_search_gets_the_seconds_that_it_was_promised():
    with running("""
import sfida, threading
from sfida.cython_ext.measure import awake, slept
agent = sfida.agent("ismcts:clock=8")
state = sfida.make("tic_tac_toe")
agent.on_progress = lambda progress: print("thinks", flush=True)
agent.choose(state.view(0))
print("left", agent.clock.left, slept())
""") as process:
        assert process.stdout.readline() == "thinks\n"
        sleep(2.0, process.pid)
        wake(process.pid)
        last = process.communicate(timeout=PATIENCE)[0].splitlines()[-1].split()
    assert float(last[2]) >= 1.5
    assert float(last[1]) > 8 - 4.0


def test_a_game_that_an_agent_ends_says_where_it_is_kept(tmp_path):
    """`sfida play` among agents: the message names the command that continues."""
    (tmp_path / "bot.py").write_text(BOT.replace("if not os.path.exists(asked):", "sys.exit(3)\n        if 0:"))
    spec = "exec:" + shlex.join([sys.executable, "-S", str(tmp_path / "bot.py"), "a", "b"])
    done = subprocess.run([sys.executable, "-m", "sfida", "play", "tic_tac_toe", "--seat", "greedy", "--seat", spec,
                           "--seed", "1", "--json"], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == 1
    assert "exit code 3; the game stops after 1 move; it is kept, and continues with: sfida play " in done.stderr
    path = Path(done.stderr.strip().rpartition(" ")[2])
    assert json.loads(path.read_text())["moves"] == ["b2"]
