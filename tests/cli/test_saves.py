"""Games that were left: each is one game, open in one place at a time, and removed when it is over."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sfida.ai import archive
from sfida.ai.archive import Autosave, InUse, kept_games, unfinished
from sfida.cli import show
from sfida.cli.output import OutputClosed
from sfida.engines import files
from sfida.engines.records import read_record, write_records

MOVES = "\n".join(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"] * 2) + "\n"
posix = pytest.mark.skipif(os.name != "posix", reason="kills, forks and links as these systems have them")


def symbolic(save: Path) -> Path:
    link = Path("symbolic.jsonl")
    link.symlink_to(save)
    return link


def hard(save: Path) -> Path:
    os.link(save, "hard.jsonl")
    return Path("hard.jsonl")


NAMES: dict[str, Callable[[Path], object]] = {
    "as printed": lambda save: save, "relative": lambda save: os.path.relpath(save), "symbolic link": symbolic,
    "hard link": hard, "copy": lambda save: shutil.copy(save, "copy.jsonl"),
    "copy among the saves": lambda save: shutil.copy(save, save.with_name("tic_tac_toe-copy.jsonl")),
    "other name": lambda save: save.rename("other.jsonl")}


@pytest.fixture
def left(sfida, saves) -> Path:
    """Return the save of a game against a level that was left after a move."""
    sfida("play", "tic_tac_toe", "--seat", "human", "--level", "4", "--seed", 3, input="a1\n")
    (save,) = saves()
    return save


@pytest.fixture
def counted(tmp_path):
    """Return a function that reads the results against levels."""
    path = tmp_path / "state" / "sfida" / "levels.jsonl"
    return lambda: [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@posix
@pytest.mark.parametrize("name", NAMES)
def test_a_game_ends_once_whatever_its_file_is_called(sfida, saves, left, counted, name):
    opened = NAMES[name](left)
    for time in range(3):
        if time == 0 or Path(opened).exists():
            assert sfida("play", opened, input=MOVES).exit_code == 0
        assert len(counted()) == 1
        assert saves() == []
        assert len(list(kept_games())) == 1
    assert sfida("play", left).exit_code != 0


def test_saves_of_older_versions_are_one_game_too(sfida, saves, left, counted):
    """They have no id, and their name holds a process number that another program has by now."""
    record = read_record(left)
    old = left.with_name("tic_tac_toe-20200101-000000-1.jsonl")
    write_records(old, [replace(record, extra={})])
    left.unlink()
    ((offered, _),) = unfinished("tic_tac_toe")
    assert offered == old
    shutil.copy(old, "copy.jsonl")
    for path in ("copy.jsonl", "copy.jsonl"):
        sfida("play", path, input=MOVES)
    assert len(counted()) == 1
    assert saves() == []


def test_an_older_copy_is_a_game_of_its_own_that_does_not_count(sfida, saves, left, counted):
    shutil.copy(left, "before.jsonl")
    sfida("play", left, input="b1\nc1\n")
    went_on = read_record(left)
    assert len(went_on.moves) > len(read_record("before.jsonl").moves)
    told = sfida("play", "before.jsonl", input=MOVES)
    assert "does not count for your level" in told.stderr
    assert counted() == []
    assert saves() == [left]
    assert read_record(left) == went_on
    sfida("play", left, input=MOVES)
    assert len(counted()) == 1


@pytest.fixture
def program(left):
    """Continue the game that was left in another process, until it is killed."""
    run = subprocess.Popen([sys.executable, "-m", "sfida", "play", str(left), "--json"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert run.stdout is not None
    assert json.loads(run.stdout.readline())["move"] == "a1"
    yield run
    run.kill()
    run.communicate()


@posix
@pytest.mark.parametrize("name", [name for name in NAMES if name != "other name"])
def test_a_game_is_open_in_one_place_at_a_time(sfida, saves, left, program, counted, name):
    opened = NAMES[name](left)
    before = left.read_bytes()
    for how in (("play", opened), ("play", opened, "--seat", "human", "--seat", "greedy")):
        refused = sfida(*how, input=MOVES)
        assert refused.exit_code == 1
        assert refused.stderr == ("error: this game is open in another terminal, or in the browser; leave it there "
                                  "first\n")
    assert list(unfinished("tic_tac_toe")) == []
    assert left.read_bytes() == before
    program.send_signal(signal.SIGKILL)
    program.wait()
    assert unfinished("tic_tac_toe")
    assert sfida("play", opened, input=MOVES).exit_code == 0
    assert len(counted()) == 1
    assert saves() == []


@posix
def test_the_child_of_a_program_does_not_hold_its_games(left):
    save = Autosave.resume(read_record(left), left)
    here, child_ends = os.pipe()
    child_begins, there = os.pipe()
    child = os.fork()
    if not child:
        os.write(there, b" ")
        os.close(child_ends)
        os.read(here, 1)
        os._exit(0)
    try:
        os.read(child_begins, 1)
        with pytest.raises(InUse):
            Autosave.resume(read_record(left), left)
        archive._held.popitem()[1].file.close()         # a killed program releases its lock like this
        Autosave.resume(read_record(left), left).close()
    finally:
        os.close(child_ends)
        os.waitpid(child, 0)
        for handle in (here, child_begins, there):
            os.close(handle)
    save.close()


def test_what_has_gone_on_since_it_was_read_is_not_continued(left, sfida):
    record = read_record(left)
    sfida("play", left, input="b1\n")
    with pytest.raises(InUse, match="gone on elsewhere meanwhile"):
        Autosave.resume(record, left)
    Autosave.resume(read_record(left), left).close()


def test_where_nothing_can_be_locked_one_line_says_so(sfida, saves, left, monkeypatch):
    def refuse(_handle: int) -> bool:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(archive, "try_lock", refuse)
    told = sfida("play", left, input="b1\nquit\n")
    assert told.exit_code == 0
    assert [line for line in told.stderr.splitlines() if line.startswith("error: ")] == [
        f"error: {left.parent}: cannot be locked: {os.strerror(errno.ENOLCK)}; nothing stops another program from "
        "opening this game, too"]
    assert len(read_record(left).moves) > 1
    assert list(left.parent.glob("open-*")) == []


def test_a_game_is_over_even_if_nobody_reads_how_it_ended(sfida, saves, left, counted, monkeypatch):
    def gone(*_args: object) -> None:
        raise OutputClosed

    monkeypatch.setattr(show, "ending", gone)
    sfida("play", left, input=MOVES)
    assert len(counted()) == 1
    assert saves() == []


def test_an_own_decision_is_kept_before_what_follows_is_shown(sfida, saves, monkeypatch):
    """Otherwise a person could see the events, close the window, and decide again."""
    kept: list[tuple[str, ...]] = []
    monkeypatch.setattr("sfida.ai.agent.RandomAgent.choose",
                        lambda _self, view: (kept.append(read_record(saves()[0]).moves), view.legal_moves()[0])[1])
    sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", input="b2\n")
    assert kept == [("b2",)]


def test_games_without_people_are_nobodys_unless_they_are_saves(sfida, tmp_path):
    sfida("play", "tic_tac_toe", "--seat", "random", "--seat", "random", "--seed", 1, "--record", "r.jsonl")
    assert "id" not in read_record("r.jsonl").extra


def test_windows_locks_a_byte_that_no_content_reaches(tmp_path, monkeypatch):
    class Fake:
        LK_LOCK, LK_NBLCK, LK_UNLCK = range(3)
        held = False

        def locking(self, handle: int, mode: int, size: int) -> None:
            assert os.lseek(handle, 0, os.SEEK_CUR) > 1 << 24
            assert size == 1
            if mode == self.LK_UNLCK:
                self.held = False
            elif self.held:
                raise OSError(errno.EACCES, "held")
            else:
                self.held = True

    fake = Fake()
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(files, "msvcrt", fake)
    with files.open_to_append(tmp_path / "lock") as lock:
        assert files.try_lock(lock.fileno())
        assert not files.try_lock(lock.fileno())
        fake.held = False
        with files.locked(lock.fileno()):
            assert fake.held
        assert not fake.held


@posix
def test_who_is_offered_a_game_that_somebody_else_opens_meanwhile_is_told(left, saves):
    from support.terminal import Terminal

    words = ("play", "tic_tac_toe", "--seat", "human", "--seat", "random")
    first, second = Terminal(*words), Terminal(*words)
    try:
        first.wait_for(r"elete it: $")
        second.wait_for(r"elete it: $")
        second.type("y")
        second.wait_for(r"X> $")
        first.type("y")
        assert "this game is open in another terminal" in " ".join(first.wait_for(r"X> $").split())
        assert left in saves()
        assert len(saves()) == 2, "the first one has begun a new game"
        os.write(second.handle, b"\x04")
        assert second.end() == 0
    finally:
        first.close()
        second.close()
