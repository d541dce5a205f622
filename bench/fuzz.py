"""Generated cases for every door through which data from outside come in, and for what is shown of games.

    python bench/fuzz.py [--doors a,b] [--cases 10000] [--seed 1] [--jobs 1] [--state FILE]
    python bench/fuzz.py --list
    python bench/fuzz.py --case DOOR:NUMBER [--seed 1]

A case fails by a traceback, by anything but one short error line, by an exit code other than 0, 1, 2 and 130, by
characters that would control a terminal, by a file that is lost or changed, by taking more than 10 s or 1 GB, and by
the death of its process; one of the doors numbers-GAME also where a figure on show differs from what the core does.
The same seed gives the same cases. With --state an interrupted run continues where it
stopped. Doors of whole programs get a share of the cases (--list).
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.fuzzing.doors import DOORS
from support.fuzzing.worker import Finding, Tally, Worker, run_case

CHUNK = 500             # cases that a worker takes at a time
SHOWN = 20              # most findings of a door that are printed


class Run:
    """A run in progress, which can be kept in a state file."""

    def __init__(self, seed: int, cases: int, names: list[str], path: Path | None) -> None:
        self.seed = seed
        self.wanted = {name: max(1, round(cases * DOORS[name].share)) for name in names}
        self.path = path
        self.tallies = {name: Tally(name) for name in names}
        self._lock = threading.Lock()
        if path is not None and path.exists():
            held = json.loads(path.read_text(encoding="utf-8"))
            if held["seed"] != seed:
                sys.exit(f"error: {path} is the state of a run with seed {held['seed']}, not {seed}")
            for data in held["doors"]:
                self.tallies[data["door"]] = Tally.from_json(data)

    def chunks(self) -> list[tuple[str, int, int]]:
        """Return what is left to do: door, first and last case."""
        left = [(name, first, min(first + CHUNK, wanted)) for name, wanted in self.wanted.items()
                for first in range(self.tallies[name].cases, wanted, CHUNK)]
        return sorted(left, key=lambda chunk: chunk[1])         # some cases of every door first

    def add(self, tally: Tally) -> None:
        """Count cases; a door's chunks end in the order of their numbers."""
        with self._lock:
            self.tallies[tally.door].add(tally)
            if self.path is not None:
                self._write()

    def _write(self) -> None:
        assert self.path is not None
        data = {"seed": self.seed, "doors": [tally.to_json() for tally in self.tallies.values()]}
        temporary = self.path.with_name(f"{self.path.name}.new")
        temporary.write_text(json.dumps(data), encoding="utf-8")
        temporary.replace(self.path)

    def play(self, jobs: int) -> None:
        """Run all that is left."""
        doors: queue.SimpleQueue[str] = queue.SimpleQueue()
        left: dict[str, list[tuple[str, int, int]]] = {}
        for chunk in self.chunks():
            left.setdefault(chunk[0], []).append(chunk)
        for name in left:
            doors.put(name)
        failures: list[BaseException] = []

        def work() -> None:
            with Worker() as worker:
                while not failures:
                    try:
                        name = doors.get_nowait()
                    except queue.Empty:
                        return
                    try:
                        _, first, last = left[name].pop(0)
                        self.add(worker.run(name, self.seed, first, last))
                    except BaseException as error:
                        failures.append(error)
                        return
                    if left[name]:
                        doors.put(name)
        threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(1)
        if failures:
            raise failures[0]

    def tell(self) -> None:
        """Print the table and the findings."""
        print("| door | cases | failures | cases/s | slowest |\n|---|---|---|---|---|")
        for name in self.wanted:
            tally = self.tallies[name]
            speed = f"{tally.cases / tally.seconds:.0f}" if tally.seconds else "-"
            print(f"| {name} | {tally.cases:,} | {len(tally.findings)} | {speed} | {tally.slowest:.2f} s "
                  f"(case {tally.slowest_case}) |")
        told = [tally for name in self.wanted if (tally := self.tallies[name]).cases or tally.findings]
        print(f"\n{sum(tally.cases for tally in told):,} cases, {sum(len(tally.findings) for tally in told)} failures, "
              f"seed {self.seed}")
        for tally in told:
            for finding in tally.findings[:SHOWN]:
                print(f"\npython bench/fuzz.py --seed {self.seed} --case {finding.door}:{finding.number}")
                print("  " + finding.what.strip().splitlines()[-1][:300])
            if len(tally.findings) > SHOWN:
                print(f"... and {len(tally.findings) - SHOWN} more of {tally.door}")


def repeat(seed: int, name: str) -> int:
    """Run one case in this process and print everything."""
    door, _, number = name.partition(":")
    if door not in DOORS or not number.isdigit():
        sys.exit(f"error: --case takes DOOR:NUMBER, not {name!r}; the doors: {', '.join(DOORS)}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        home = Path.cwd()
        os.chdir(place)
        finding: Finding | None = run_case(DOORS[door], seed, int(number), place)
        os.chdir(home)
    if finding is None:
        print("nothing failed")
        return 0
    print(*finding.said, finding.what, sep="\n")
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doors", default=",".join(DOORS), help="names or their beginnings, separated by commas")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--case", metavar="DOOR:NUMBER")
    given = parser.parse_args()
    if given.list:
        for door in DOORS.values():
            print(f"{door.name:22} {door.share:5g}  {door.doc}")
        return 0
    if given.case:
        return repeat(given.seed, given.case)
    wanted = given.doors.split(",")
    names = [name for name in DOORS if any(name.startswith(each) for each in wanted)]
    for each in wanted:
        if not any(name.startswith(each) for name in names):
            sys.exit(f"error: no door is called {each!r}; the doors: {', '.join(DOORS)}")
    run = Run(given.seed, given.cases, names, given.state)
    try:
        run.play(given.jobs)
    except KeyboardInterrupt:
        run.tell()
        return 130
    run.tell()
    return 1 if any(run.tallies[name].findings for name in names) else 0


if __name__ == "__main__":
    sys.exit(main())
