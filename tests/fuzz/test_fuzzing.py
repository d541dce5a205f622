"""The fuzzer itself: it finds what it looks for, and the same seed gives the same cases."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from support.fuzzing import doors, worker
from support.fuzzing.case import Broken, Case, Door, check_message, check_quotes
from support.fuzzing.program import Ran, check, unchanged


@pytest.mark.parametrize("ran", [
    Ran(0, "Traceback (most recent call last):\n", ""),
    Ran(120, "", "error: what\n"),
    Ran(1, "", ""),
    Ran(0, "", "error: one\n"),
    Ran(1, "", "error: one\nerror: two\n"),
    Ran(1, "", f"error: {'long ' * 300}\n"),
    Ran(0, "a\x1b[2Jb\n", ""),
    Ran(0, "red \x1b[31m\n", ""),
    Ran(1, "", "error: \u202e\n"),
    Ran(0, "\ud800\n", ""),
])
def test_what_a_run_must_not_leave_behind_is_found(ran: Ran) -> None:
    with pytest.raises(Broken):
        check(ran)


def test_a_good_run_passes() -> None:
    check(Ran(0, "Zürich → \x1b[31m7\x1b[0m\n\tx\n", "a note\n"), color=True)
    check(Ran(2, "", "error: one line\n"))


def test_long_quotes_and_long_messages_are_found() -> None:
    typed = "ab" * 500
    with pytest.raises(Broken):
        check_quotes(f"'{typed[:150]}' is no move", typed, "an error")
    check_quotes(f"'{typed[:60]}'... is no move", typed, "an error")
    with pytest.raises(Broken):
        check_message(ValueError("one\ntwo"))


def test_a_file_that_was_changed_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"after")
    with pytest.raises(Broken):
        unchanged({path: b"before"})


@pytest.mark.parametrize("name", ["moves-risiko", "record-lines", "engine", "maps", "command-lines", "stores"])
def test_the_same_seed_gives_the_same_cases_in_any_order(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)

    def said(number: int) -> list[str]:
        case = Case(name, 7, number, tmp_path)
        try:
            doors.DOORS[name].run(case)
        except Exception:
            pass                            # what comes of a case is another test's matter
        finally:
            case.clear()
        return case.said
    numbers = range(6)
    assert [said(number) for number in numbers] == [said(number) for number in reversed(numbers)][::-1]


def test_hangs_deaths_and_errors_are_told_and_the_rest_is_run(tmp_path: Path, monkeypatch) -> None:
    def run(case: Case) -> None:
        if case.number == 1:
            raise KeyError("wrong")
        if case.number == 2:
            while True:
                pass
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, "SECONDS", 0.2)
    door = Door("made up", "", run)
    found = [worker.run_case(door, 1, number, tmp_path) for number in range(4)]
    assert [each is not None for each in found] == [False, True, True, False]
    assert found[1] is not None
    assert "KeyError" in found[1].what
    assert found[2] is not None
    assert "0.2 s" in found[2].what


def test_a_worker_that_dies_is_replaced(monkeypatch) -> None:
    with worker.Worker() as crew:
        assert crew.run("agent-specs", 1, 0, 3).cases == 3
        assert crew._process is not None
        os.kill(crew._process.pid, signal.SIGKILL)
        crew._process.wait()
        assert crew.run("agent-specs", 1, 3, 8).cases == 5
