"""The fuzzer itself: it finds the faults that it looks for, and the same seed gives the same cases."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

import sfida
from support.fuzzing import doors, option_doors, worker
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
            pass                            # other tests check the results of cases
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


def test_options_without_effect_are_found(monkeypatch) -> None:
    river = ("carcassonne", {"river": True, "farmers": False}, "farmers")
    option_doors.check_effect(*river)
    option_doors.check_alone("carcassonne", "river_start_tile", "shuffled")     # its metadata names the River
    monkeypatch.setattr(option_doors, "needed", lambda *_: set())
    with pytest.raises(Broken, match="river_start_tile=shuffled has an effect only with river=True"):
        option_doors.check_alone("carcassonne", "river_start_tile", "shuffled")
    with pytest.raises(Broken, match="trade_table=rtu has no effect with hand_limit=1"):
        option_doors.check_effect("risiko", {"trade_table": "rtu", "hand_limit": 1}, "trade_table")


def test_points_that_do_not_decide_are_found(monkeypatch) -> None:
    game = sfida.make("attila:players=2").game
    state = option_doors.end_of(game, sfida.batch(game, ["random", "random"], 1, seed=1).moves)
    option_doors.check_result(game, state)
    for shown in ({"scores": [1, 2], "ranks": [1, 2], "utilities": [1.0, 0.0]},
                  {"scores": [1, 2], "ranks": [1, 1], "utilities": [0.5, 0.5]},
                  {"scores": [2, 1], "ranks": [1, 2], "utilities": [0.0, 1.0]}):
        with pytest.raises(Broken):
            option_doors.check_result(game, SimpleNamespace(**{name: lambda found=found: found
                                                               for name, found in shown.items()}))


def test_a_worker_that_dies_is_replaced(monkeypatch) -> None:
    with worker.Worker() as crew:
        assert crew.run("agent-specs", 1, 0, 3).cases == 3
        assert crew.process is not None
        os.kill(crew.process.pid, signal.SIGKILL)
        crew.process.wait()
        assert crew.run("agent-specs", 1, 3, 8).cases == 5
