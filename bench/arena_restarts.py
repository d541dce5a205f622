"""Kill a tournament repeatedly, resume it each time, and compare it with an uninterrupted one.

    python bench/arena_restarts.py                         ten kills of a tournament of 60 games, about two minutes
    python bench/arena_restarts.py -n 24 --kills 4 --seed 5

The tournament runs in a separate process. It is killed with SIGKILL, so that nothing in it can clean up; its workers
must notice by themselves, while the next run resumes at once. The moments are drawn at random from the seed: each kill
waits for a number of games in the store (the first for none, so it comes during the start) and then for a random time
of up to two seconds. At the end the table (``--json``, except times) and every stored game must equal those of the run
without kills, and no worker of a killed run may be left (checked on Linux); otherwise the program fails.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from sfida.ai.arena.store import Store
from sfida.cython_ext.errors import SfidaError

AGENTS = ("ismcts:iterations=300", "ismcts:iterations=150", "greedy")
TIMES = frozenset({"ms_per_move", "seconds", "wall", "elapsed", "games_per_s"})      # keys that differ in any two runs
STORE = "games.sfida"
START = 120.0                   # seconds within which a run must make progress
LINGER = 5.0                    # seconds that workers of killed runs get to end by themselves


class Run:
    """One run of the command in its own folder."""

    def __init__(self, folder: Path, args: argparse.Namespace) -> None:
        self.folder = folder
        self.output = folder / "table.json"
        words = ["tournament", args.game, *args.agents, "-n", str(args.n), "--seed", str(args.seed), "--store", STORE,
                 "--resume", "-j", str(args.jobs), "--json"]
        with self.output.open("wb") as out, (folder / "errors.txt").open("wb") as errors:
            self.process = subprocess.Popen([sys.executable, "-m", "sfida", *words], cwd=folder, stdout=out,
                                            stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True)

    @property
    def games(self) -> int:
        """Number of games in the store."""
        path = self.folder / STORE
        if not path.exists():
            return 0
        try:
            with Store.open(path) as store:
                return len(store)
        except SfidaError:              # it is just being created
            return 0

    def wait(self) -> dict[str, Any]:
        """Wait for the end and return the table."""
        if self.process.wait() != 0:
            sys.exit(f"the tournament failed:\n{(self.folder / 'errors.txt').read_text()}")
        data: dict[str, Any] = json.loads(self.output.read_text())
        return data

    def kill(self, games: int, delay: float) -> bool:
        """Kill the run `delay` seconds after the store holds `games` games; return False if it ended before."""
        patience = time.monotonic() + START
        while self.games < games and self.process.poll() is None:
            if time.monotonic() > patience and self.games == 0:
                sys.exit(f"no game within {START:.0f} s:\n{(self.folder / 'errors.txt').read_text()}")
            time.sleep(0.05)
        try:
            self.process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return True
        return False


def timeless(data: Any) -> Any:
    """Return a JSON value without what differs between any two runs."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in TIMES}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def left_over(sessions: set[int]) -> list[int]:
    """Return the processes that belong to the sessions of runs; none if there is no /proc."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue                    # it has ended meanwhile
        if int(session) in sessions and state != "Z":
            found.append(int(path.parent.name))
    return found


def end_left_over(sessions: set[int]) -> int:
    """End the processes of runs that do not end by themselves; return their number."""
    patience = time.monotonic() + LINGER
    while (left := left_over(sessions)) and time.monotonic() < patience:
        time.sleep(0.2)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return len(left)


def games_of(folder: Path) -> list[Any]:
    """Return all games of a store; their comparison ignores times."""
    with Store.open(folder / STORE) as store:
        return list(store.outcomes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="carcassonne:players=3")
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    parser.add_argument("-n", type=int, default=60, help="games")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=20264, help="seed of the tournament and of the kills")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    # The last tenth is left alone, so that no run ends before its kill.
    moments = [0, *sorted(int(games) for games in rng.integers(0, max(1, args.n * 9 // 10), size=args.kills - 1))]
    sessions: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="sfida-") as name:
        through, killed = Path(name, "through"), Path(name, "killed")
        through.mkdir()
        killed.mkdir()
        started = time.monotonic()
        run = Run(through, args)
        sessions.add(run.process.pid)
        expected = run.wait()
        print(f"without kills: {len(games_of(through))} games in {time.monotonic() - started:.1f} s", flush=True)
        print("kill  waited for  seconds of the run  games held", flush=True)
        done, ended = 0, False
        for number, games in enumerate(moments, 1):
            begun = time.monotonic()
            run = Run(killed, args)
            sessions.add(run.process.pid)
            ended = not run.kill(games, float(rng.uniform(0.0, 2.0)))
            if ended:
                print(f"the run ended before kill {number}: take more games")
                break
            done += 1
            print(f"{number:4d}  {games:10d}  {time.monotonic() - begun:18.2f}  {run.games:10d}", flush=True)
        last = run if ended else Run(killed, args)
        sessions.add(last.process.pid)
        table = last.wait()
        checks = {
            "kills": done == args.kills,
            "table": timeless(table) == timeless(expected),
            "games": games_of(killed) == games_of(through),
        }
    left = end_left_over(sessions)
    checks["processes"] = left == 0
    print(f"after {done} kills: the table is {'the same' if checks['table'] else 'ANOTHER'}, the games are "
          f"{'the same' if checks['games'] else 'OTHERS'}; {left} processes were left over")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
