"""The program as a process: pipes that close, Ctrl-C, full disks, colour."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfida.engines.records import read_records

PROGRAM = [sys.executable, "-m", "sfida"]
AGENTS = ["--seat", "random", "--seat", "random"]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")


def run(*arguments: object, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          encoding="utf-8", **more)


def begin(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")


@posix
@pytest.mark.parametrize("arguments", [["games", "--json"], ["agents"], ["--help"],
                                       ["play", "carcassonne", *AGENTS]])
def test_a_pipe_that_closes_is_no_error(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


@posix
def test_streams_that_are_closed_from_the_start():
    def closed(end: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", f'exec "$@" {end}', "sh", *PROGRAM, "games", "tic_tac_toe"],
                              capture_output=True, text=True, timeout=60)

    done = closed(">&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: standard output is closed: the result has nowhere to go\n"
    done = closed("2>&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tic_tac_toe")


@posix
def test_a_record_is_written_even_when_nobody_listens():
    process = begin("play", "carcassonne", *AGENTS, "--seed", 1, "--json", "--record", "game.jsonl")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    process.stderr.close()
    (record,) = read_records("game.jsonl")
    assert record.result is not None


@posix
@pytest.mark.parametrize("more", [["--json"], []])
def test_a_record_is_written_when_the_pipe_is_closed_from_the_start(more):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, "play", "tic_tac_toe", *AGENTS, "--seed", "1", "--record", "game.jsonl", *more],
                          stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    (record,) = read_records("game.jsonl")
    assert record.result is not None


@posix
@pytest.mark.parametrize(("number", "arguments"), [
    (signal.SIGINT, ["games", "--json"]), (signal.SIGINT, ["bench", "carcassonne", "--seconds", "9"]),
    (signal.SIGTERM, ["play", "carcassonne", "--seat", "human"])])
def test_a_signal_while_the_program_starts_is_told_in_one_line(number, arguments):
    """This holds during the imports, too; earlier signals are handled by Python itself."""
    reader, writer = os.pipe()          # standard input stays open: its end would end a game, too
    for step in (1, 2, 4, 7):
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "sfida", *arguments], stdin=reader,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        assert process.stderr is not None
        heard: list[str] = []
        while "sfida.cli.start" not in "".join(heard[-1:]):     # its imports are done: it runs from here on
            heard.append(process.stderr.readline())
            assert heard[-1]
        time.sleep(0.04 * step)
        process.send_signal(number)
        _, rest = process.communicate(timeout=60)
        told = [line for line in rest.splitlines() if not line.startswith("import time:")]
        if process.returncode != 0:                             # the signal came before the end
            assert process.returncode == 130
            assert len(told) == 1
            assert told[0].startswith("error: interrupted")
    os.close(reader)
    os.close(writer)


@posix
def test_a_signal_that_is_ignored_from_the_start_stays_so():
    """The case of nohup, or of a script's background process."""
    ignoring = ("import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
                "os.execv(sys.argv[1], sys.argv[1:])")
    process = subprocess.Popen([sys.executable, "-c", ignoring, *PROGRAM, "bench", "tic_tac_toe", "--seconds", "1"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(5):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "tic_tac_toe" in out


@posix
def test_sigterm_ends_a_game_while_advice_is_sought(saves):
    process = subprocess.Popen([*PROGRAM, "play", "carcassonne", "--seat", "human", "--seat", "random", "--seed", "4"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               encoding="utf-8")
    assert process.stdin is not None
    process.stdin.write("hint\n")
    process.stdin.flush()
    while not saves():                      # written before a person is asked
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "error: interrupted after 1 move; it is kept" in err


@posix
def test_ctrl_c_while_measuring_is_told_in_one_line():
    process = begin("bench", "tic_tac_toe", "carcassonne", "--seconds", 0.5, "--json")
    assert process.stdout is not None
    assert "tic_tac_toe" in process.stdout.readline()       # now the second game is measured
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == ("", "error: interrupted\n")
    assert process.returncode == 130


@posix
def test_ctrl_c_in_a_game_keeps_it(saves):
    process = begin("play", "carcassonne", "--seat", "random", "--seat", "ismcts:seconds=60,early_stop=false",
                    "--seed", 1, "--json", "--record", "game.jsonl")
    assert process.stdout is not None
    for _ in range(3):                      # the tile, and the other seat's turn: now the search runs
        process.stdout.readline()
    time.sleep(0.5)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert time.monotonic() - started < 20
    assert process.returncode == 130
    assert stderr.startswith("error: interrupted after ")
    assert stderr.count("\n") == 1
    (record,) = read_records("game.jsonl")
    (save,) = saves()
    assert record.result is None
    assert len(record.moves) >= 3
    assert next(read_records(save)) == record
    assert str(save) in stderr


@posix
def test_ctrl_c_in_an_analysis_shows_what_was_found():
    for wait in (1, 4, 16):                 # until the program has come so far, however busy the machine is
        process = begin("analyze", "tic_tac_toe", "--agent", "ismcts:seconds=60,early_stop=false", "--json")
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
        if stdout:
            break
    assert process.returncode == 130
    assert '"type": "analysis"' in stdout
    assert '"stopped": "cancelled"' in stdout
    assert stderr.startswith("error: interrupted after ")


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_loses_no_game():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, "games"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == "error: cannot write the output: No space left on device\n"
    played = run("play", "tic_tac_toe", *AGENTS, "--json", "--record", "/dev/full")
    assert played.returncode == 1
    assert "/dev/full: cannot be written: No space left on device; the finished game is kept" in played.stderr
    (record,) = read_records(played.stderr.strip().rsplit(" ", 1)[1])
    assert record.result is not None


def test_colour_follows_flag_and_environment():
    def colored(*arguments: str, **environment: str) -> bool:
        return "\x1b[" in run("games", *arguments, env={**os.environ, **environment}).stdout

    assert not colored()
    assert colored(FORCE_COLOR="1")
    assert not colored(FORCE_COLOR="1", NO_COLOR="1")
    assert colored("--color", "always", NO_COLOR="1")
    assert not colored("--color", "never", FORCE_COLOR="1")


def test_messages_stay_off_stdout():
    done = run("play", "nogame", "--json")
    assert done.stdout == ""
    assert done.returncode == 2
