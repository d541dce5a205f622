"""Systems with missing resources: a tournament gives the right table, or one line that says how to continue."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import joblib
import pytest
from click.testing import CliRunner

import sfida
from sfida.ai.arena import backends
from sfida.ai.arena.backends import workers
from sfida.ai.arena.tournament import Tournament
from sfida.cli.main import main
from sfida.cython_ext.errors import WorkersLost

WORDS = ["tournament", "tic_tac_toe", "random", "greedy", "-n", "8", "--seed", "1", "--no-luck", "-q", "--json",
         "-j", "2"]


def double(number: int) -> int:
    return 2 * number


def process_of(number: int) -> int:
    return os.getpid()


def fail(number: int) -> int:
    raise KeyError(number)


def kill_oneself(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def no_thread(self: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def shares(seed: int, jobs: int) -> list[float]:
    table = sfida.tournament("tic_tac_toe", ["random", "greedy"], 8, seed=seed, jobs=jobs, adjusted=False).standings
    return [agent.win_share for agent in table.agents]


@pytest.fixture(scope="module")
def table() -> str:
    return CliRunner().invoke(main, WORDS).stdout


def started(redirection: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "sfida", *WORDS],
                          capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def same_but_for_times(one: str, other: str) -> bool:
    def timeless(text: str) -> Any:
        data = json.loads(text)
        for agent in data["agents"]:
            agent.pop("ms_per_move")
        return data
    return bool(timeless(one) == timeless(other))


@pytest.mark.parametrize(("redirection", "environment"), [
    ("", {"JOBLIB_MULTIPROCESSING": "0"}), ("2>&-", {}), ("<&- 2>&-", {})])
def test_the_table_is_right_without_semaphores_and_with_closed_streams(table, redirection, environment):
    result = started(redirection, **environment)
    assert result.returncode == 0, result.stderr
    assert same_but_for_times(result.stdout, table)
    assert result.stderr == ""


def test_processes_that_another_tournament_uses_are_replaced_by_threads(monkeypatch):
    with workers("loky", 2, None) as outer:
        with workers("loky", 2, None) as inner:
            assert set(inner(process_of, range(6))) == {os.getpid()}
            assert sorted(inner(double, range(6))) == [0, 2, 4, 6, 8, 10]
        assert sorted(outer(double, range(6))) == [0, 2, 4, 6, 8, 10]
        assert os.getpid() not in outer(process_of, range(6))
    with workers("loky", 2, None) as later:
        assert os.getpid() not in later(process_of, range(6))


def test_tournaments_in_several_threads_do_not_disturb_each_other():
    found: dict[int, list[float]] = {}
    threads = [threading.Thread(target=lambda seed=seed: found.update({seed: shares(seed, 2)})) for seed in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {seed: shares(seed, 1) for seed in (1, 2, 3)}


def test_work_in_several_threads_leaves_the_environment_as_it_is():
    def work() -> None:
        with workers("threading", 2, None) as run:
            assert sorted(run(double, range(3))) == [0, 2, 4]
    before = dict(os.environ)
    for _ in range(20):
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert dict(os.environ) == before


def test_a_killed_worker_is_one_line():
    with pytest.raises(WorkersLost, match=r"^a worker process was killed \(SIGKILL\(-9\)\), perhaps because memory"), \
            workers("loky", 2, None) as run:
        list(run(kill_oneself, range(6)))
    with workers("loky", 2, None) as run:                   # and the next tournament has workers again
        assert sorted(run(double, range(3))) == [0, 2, 4]


def test_errors_of_tasks_stay_what_they_are():
    for backend in ("loky", "threading"):
        with pytest.raises(KeyError), workers(backend, 2, None) as run:
            list(run(fail, range(3)))


@pytest.mark.parametrize(("command", "place"), [
    (WORDS[:-3], "sfida.ai.arena.tournament.Tournament.run"),
    (["study", "leduc_poker", "random", "greedy", "-n", "8"], "sfida.ai.arena.tournament.Tournament.run"),
    (["train", "goofspiel", "--games", "8"], "sfida.ai.arena.tournament.Tournament.run")])
@pytest.mark.parametrize(("error", "line"), [
    (WorkersLost("the workers are gone"), "error: the workers are gone; "),
    (MemoryError(), "error: not enough memory; ")])
def test_a_loss_ends_with_the_command_that_goes_on(command, place, error, line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(place, lambda *given, **more: (_ for _ in ()).throw(error))
    kept = ["--folder", "kept"] if command[0] == "train" else ["--store", "kept.sfida"]
    result = CliRunner().invoke(main, [*command, *kept])
    assert result.exit_code == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith(line)
    if command[0] != "tournament":                          # nothing was played there
        assert last.endswith("--resume")


def test_the_command_goes_on_where_games_were_lost(monkeypatch, tmp_path):
    store = str(tmp_path / "kept.sfida")
    whole = Tournament.run

    def half(self: Tournament, *given: Any, **more: Any) -> Any:
        monkeypatch.setattr(Tournament, "run", whole)
        first = Tournament(self.game, list(self.setup.agents), 4, 1, adjusted=False)
        first.run(*given, **{**more, "on_progress": None})
        raise WorkersLost("the workers are gone")

    monkeypatch.setattr(Tournament, "run", half)
    lost = CliRunner().invoke(main, [*WORDS[:-3], "--store", store])
    assert lost.stderr.splitlines()[-1].startswith("error: the workers are gone; 4 games kept, continue with: sfida ")
    again = lost.stderr.rpartition("continue with: sfida ")[2].split()
    assert "4 games" not in CliRunner().invoke(main, [*again, "-n", "8"]).stderr


def test_searches_go_on_where_no_thread_starts(monkeypatch):
    view = sfida.make("tic_tac_toe").view(0)
    agents = [sfida.agent(f"ismcts:iterations=200,threads={threads}", seed=1) for threads in (1, 4)]
    alone = agents[0].analyze(view)
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.warns(RuntimeWarning, match="no more threads"):
        found = agents[1].analyze(view)
    assert [move.visits for move in found.moves] == [move.visits for move in alone.moves]


def test_a_tournament_without_threads_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.raises(WorkersLost, match="the system starts no more threads"):
        Tournament("tic_tac_toe", ["random", "greedy"], 8, 1, adjusted=False).run(
            tmp_path / "a.sfida", jobs=2, backend="threading", on_progress=print)


def test_a_system_without_processes_is_one_line(monkeypatch, tmp_path):
    def refuse(*given: Any, **more: Any) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(WorkersLost, match="the system starts no more processes: Resource temporarily unavailable"):
        Tournament("tic_tac_toe", ["random", "greedy"], 8, 1, adjusted=False).run(
            tmp_path / "a.sfida", backend="threading")


def test_seeds_without_memory_say_so(monkeypatch):
    def refuse(*given: Any, **more: Any) -> bytes:
        raise ValueError("[digital envelope routines] malloc failure")

    monkeypatch.setattr(hashlib, "scrypt", refuse)
    with pytest.raises(MemoryError):
        sfida.ai.chance.block_seed(987_654, 1)


def test_semaphores_are_looked_for(monkeypatch):
    assert backends.has_semaphores() is (joblib.parallel.mp is not None)
    monkeypatch.setattr(joblib.parallel, "mp", None)
    assert not backends.has_semaphores()
    assert shares(1, 2) == shares(1, 1)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_closed_descriptors_are_occupied():
    code = ("import os; os.close(2); from sfida.ai.arena import backends; backends.occupy_standard_descriptors(); "
            "print(os.readlink('/proc/self/fd/2'))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True).stdout == "/dev/null\n"
