"""Long runs that look for faults: fuzzing, twins and scribbling, conservation, and killed tournaments."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

import sfida
from bench import INTERRUPTED, BenchFailure, command, keep_state, print_head, print_row, refused, run_all, state_in
from sfida.ai.arena.store import Store
from sfida.ai.research.audit.of_sfida import TwinCounts, scribbling_changes, twins_of_game
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.acres.options import PRESETS
from sfida.engines.registry import make_game
from support import recounts
from support.fuzzing.doors import DOORS
from support.fuzzing.worker import Finding, Tally, Worker, run_case

# ---- doors ----------------------------------------------------------------------------------------------


CHUNK = 500             # cases that a worker takes at a time
SHOWN = 20              # maximum number of printed findings of a door


class Fuzzing:
    """A run in progress, which can be kept in a state file."""

    def __init__(self, seed: int, cases: int, names: list[str], path: Path | None) -> None:
        self.seed = seed
        self.wanted = {name: max(1, round(cases * DOORS[name].share)) for name in names}
        self.path = path
        self.tallies = {name: Tally(name) for name in names}
        self._lock = threading.Lock()
        for data in (state_in(path, seed) or {"doors": []})["doors"]:
            self.tallies[data["door"]] = Tally.from_json(data)

    def chunks(self) -> list[tuple[str, int, int]]:
        """Return the remaining chunks: door, first and last case."""
        left = [(name, first, min(first + CHUNK, wanted)) for name, wanted in self.wanted.items()
                for first in range(self.tallies[name].cases, wanted, CHUNK)]
        return sorted(left, key=lambda chunk: chunk[1])         # some cases of every door first

    def add(self, tally: Tally) -> None:
        """Add the results of a chunk; the chunks of a door finish in the order of their numbers."""
        with self._lock:
            self.tallies[tally.door].add(tally)
            keep_state(self.path, {"seed": self.seed, "doors": [each.to_json() for each in self.tallies.values()]})

    def play(self, jobs: int) -> None:
        """Run all remaining chunks."""
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
        print_head("door", "cases", "failures", "cases/s", "slowest")
        for name in self.wanted:
            tally = self.tallies[name]
            speed = f"{tally.cases / tally.seconds:.0f}" if tally.seconds else "-"
            print_row(name, f"{tally.cases:,}", len(tally.findings), speed,
                      f"{tally.slowest:.2f} s (case {tally.slowest_case})")
        told = [tally for name in self.wanted if (tally := self.tallies[name]).cases or tally.findings]
        print(f"\n{sum(tally.cases for tally in told):,} cases, {sum(len(tally.findings) for tally in told)} failures, "
              f"seed {self.seed}")
        for tally in told:
            for finding in tally.findings[:SHOWN]:
                print(f"\npython -m bench fuzz --seed {self.seed} --case {finding.door}:{finding.number}")
                print("  " + finding.what.strip().splitlines()[-1][:300])
            if len(tally.findings) > SHOWN:
                print(f"... and {len(tally.findings) - SHOWN} more of {tally.door}")


def repeat(seed: int, name: str) -> int:
    """Run one case in this process and print all details."""
    door, _, number = name.partition(":")
    if door not in DOORS or not number.isdigit():
        raise refused(f"--case takes DOOR:NUMBER, not {name!r}; the doors: {', '.join(DOORS)}")
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


@command
def fuzz(*, doors: Annotated[str, "names or their beginnings, separated by commas (all)"] = "",
         cases: int = 10_000, seed: int = 1, jobs: int = 1,
         state: Annotated[Path | None, "file that keeps the results and from which to continue"] = None,
         list_: Annotated[bool, "--list", "show the doors and their share of the cases"] = False,
         case: Annotated[str | None, "run the case DOOR:NUMBER alone, in full detail"] = None) -> int:
    """Count failures of generated cases for every door through which data come in. 10,000 cases take an hour.

    fuzz --doors a,b --cases 10000 --state FILE
    fuzz --list
    fuzz --case DOOR:NUMBER --seed 1

    A case fails by a traceback, by anything but one short error line, by an exit code other than 0, 1, 2 and 130, by
    characters that would control a terminal, by a file that is lost or changed, by taking more than 10 s or 1 GB, and
    by the death of its process; one of the doors numbers-GAME also where a figure on show differs from what the core
    does. The same seed gives the same cases. With --state an interrupted run continues where it stopped. Doors of whole
    programs get a share of the cases (--list).
    """
    if list_:
        for door in DOORS.values():
            print(f"{door.name:22} {door.share:5g}  {door.doc}")
        return 0
    if case:
        return repeat(seed, case)
    wanted = doors.split(",")
    names = [name for name in DOORS if any(name.startswith(each) for each in wanted)]
    for each in wanted:
        if not any(name.startswith(each) for name in names):
            raise refused(f"no door is called {each!r}; the doors: {', '.join(DOORS)}")
    run = Fuzzing(seed, cases, names, state)
    try:
        run.play(jobs)
    except KeyboardInterrupt:
        run.tell()
        return INTERRUPTED
    run.tell()
    return 1 if any(run.tallies[name].findings for name in names) else 0


# ---- twins ----------------------------------------------------------------------------------------------


CELLS = {
    "carcassonne": ("carcassonne", (2, 3, 4, 5)),
    "zarahemla": ("settlers_of_zarahemla", (2, 3, 4)),
    "risiko": ("risiko", (3, 4, 5, 6)),
    "acres": ("a_few_acres_of_snow", (2,)),
    "attila": ("attila", (2, 3, 4, 5)),
}
OPTIONS = {
    "carcassonne": ("carcassonne:river=true,players=3",),
    "zarahemla": ("settlers_of_zarahemla:preset=catan,players=4",
                  "settlers_of_zarahemla:players=3,steal=may,harvest_partial=true,dev_same_turn=true,discard_limit=3,"
                  "resource_cards_per_type=10,bank_shortage=turn_order"),
    "risiko": ("risiko:preset=tournament,players=4", "risiko:preset=rtu,players=5",
               "risiko:players=4,hand_limit=3,reshuffle=lazy,reveal_objective_on_elimination=true,choose_colors=true"),
    "acres": ("a_few_acres_of_snow:preset=second", "a_few_acres_of_snow:preset=online",
              "a_few_acres_of_snow:raid_may_target_besieged_site=true,french_picks_extra_initial_empire_card=true"),
    "attila": ("attila:players=3,start_player=random,removed_tokens=box,conflict_order=active_chooses,"
               "no_live_card=skip,tile_windows=every_decision", "attila:players=4,open_commitments=true"),
}
GAMES_AT_ONCE = 4       # games per task
TWINS = 40              # twins per seat and game
LEAST_GAMES = 100       # minimum games of a cell, even if a few games have a million positions of twins
AUDITED = 1000          # at one in this many positions everything shown to a seat is compared
SCRIBBLED = 2000        # one in this many positions is scribbled over
MOST_SCRIBBLED = 4      # maximum number of such positions per task
PLIES = 2000
SAVE_SECONDS = 5.0


@dataclass
class FuzzRow:
    """The results of one cell."""

    next: int = 0               # number of the next game to play
    games: int = 0
    swaps: int = 0
    outcomes: int = 0
    positions: int = 0
    audited: int = 0
    scribbled: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    def add(self, other: FuzzRow) -> None:
        for one in dataclasses.fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def scribble(spec: str, seed: int, times: int, row: FuzzRow) -> None:
    """Scribble over the unused bytes of some positions of a random game."""
    state, rng = make_game(spec).initial_state(), Random(derive(seed, 1))
    at = {rng.below(300) for _ in range(times)}
    for ply in range(max(at, default=-1) + 1):
        if ply in at or state.is_over:
            row.scribbled += 1
            changed = scribbling_changes(state, pictures=ply % 10 == 0)
            if changed is not None:
                row.differences.append(f"game '{spec}', seed {seed}, ply {ply}: {changed} depends on unused bytes")
        if state.is_over:
            return
        moves = state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])


def task(spec: str, seed: int, first: int) -> FuzzRow:
    """Play some games of a cell, beginning with number `first`."""
    started, counts, row = time.perf_counter(), TwinCounts(), FuzzRow(next=GAMES_AT_ONCE)
    game = make_game(spec)
    for number in range(first, first + GAMES_AT_ONCE):
        twins_of_game(game, seed * 1_000_000 + number, twins=TWINS, every=AUDITED, plies=PLIES, counts=counts)
    rng = Random(derive(seed, first))
    times = counts.positions // SCRIBBLED + (rng.below(SCRIBBLED) < counts.positions % SCRIBBLED)
    scribble(spec, seed * 1_000_000 + first, min(times, MOST_SCRIBBLED), row)
    row.games, row.swaps, row.outcomes = counts.games, counts.swaps, counts.outcomes
    row.positions, row.audited = counts.positions, counts.audited
    row.differences += map(str, counts.differences)
    row.seconds = time.perf_counter() - started
    return row


def tasks(spec: str, seed: int, first: int) -> Iterator[tuple[str, int, int]]:
    while True:
        yield spec, seed, first
        first += GAMES_AT_ONCE


def cells(names: Sequence[str], options: bool) -> list[str]:
    found = [f"{CELLS[name][0]}:players={players}" for name in names for players in CELLS[name][1]]
    return found + [spec for name in names for spec in OPTIONS[name] if options]


def enough(row: FuzzRow, positions: int) -> bool:
    return row.positions >= positions and row.games >= min(LEAST_GAMES, positions // 10_000)


def table(rows: dict[str, FuzzRow], specs: Sequence[str]) -> None:
    print_head("game", "games", "swapped events", "other outcomes", "positions", "all compared", "scribbled",
               "differences", "s")
    for spec in specs:
        row = rows[spec]
        print_row(spec, f"{row.games:,d}", f"{row.swaps:,d}", f"{row.outcomes:,d}", f"{row.positions:,d}",
                  f"{row.audited:,d}", f"{row.scribbled:,d}", len(row.differences), f"{row.seconds:.0f}")


@command
def twins(*, games: Annotated[str, "--games", "separated by commas"] = ",".join(CELLS),
          positions: Annotated[int, "positions per cell"] = 1_000_000, seed: int = 1, jobs: int = 1,
          state: Annotated[Path | None, "file that keeps the results and from which to continue"] = None,
          options: Annotated[bool, "variants of the rules, too"] = False) -> int:
    """Count differences in what seats see of twins and of scribbled positions, in every game. Takes hours.

    twins --games attila,risiko --positions 100000 --state FILE --options

    A twin is a history that a seat could not tell from the one that was played (`sfida.ai.research.audit.of_sfida`):
    the seat's view must be the same, byte for byte, and at some of the positions everything else that it is shown, too.
    Carcassonne hides nothing: there every view must be the position itself. At a few positions of each game unused
    bytes are scribbled over (`sfida.ai.research.audit.of_sfida`): nothing may change.

    With `--state` an interrupted run continues where it stopped; with `--options` variants of the rules are added. The
    exit code is 1 if anything differs; a reproduction of each difference is printed.
    """
    names = [name.strip() for name in games.split(",")]
    for name in names:
        if name not in CELLS:
            raise refused(f"there is no game '{name}' here; the games are {', '.join(CELLS)}")
    try:
        rows = {spec: FuzzRow(**row) for spec, row in (state_in(state, seed) or {"cells": {}})["cells"].items()}
    except (KeyError, TypeError, AttributeError):
        raise refused(f"'{state}' holds no state of this command; name another file") from None

    def save() -> None:
        keep_state(state, {"seed": seed, "cells": {spec: dataclasses.asdict(row) for spec, row in rows.items()}})

    save()
    specs = cells(names, options)
    try:
        for spec in specs:
            row, saved = rows.setdefault(spec, FuzzRow()), time.monotonic()
            if not enough(row, positions):
                with contextlib.closing(run_all(task, tasks(spec, seed, row.next), jobs)) as played:
                    for more in played:
                        row.add(more)
                        if time.monotonic() - saved > SAVE_SECONDS:
                            save()
                            saved = time.monotonic()
                        if enough(row, positions):
                            break
            save()
            print(f"{spec}: {row.positions:,d} positions, {len(row.differences)} differences", flush=True)
    except KeyboardInterrupt:
        save()
        print("interrupted" + (f"; continue with --state {state}" if state else ""))
        return INTERRUPTED
    table(rows, specs)
    found = [line for spec in specs for line in rows[spec].differences]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


# ---- conservation ---------------------------------------------------------------------------------------


RARE = ("raid_may_target_besieged_site=true,placement_after_siege_optional=true,end_check=before_sieges,"
        "refill_may_be_skipped=true,blocked_raid_costs_no_action=true,blocked_ambush_costs_no_action=true,"
        "ships_in_every_sea_siege=true,raid_routes=any,"
        "french_picks_extra_initial_empire_card=true,start_fortification_quebec=true,fort_st_john_cards=by_board",
        "raid_may_start_from_besieged_site=false,defender_may_surrender=false,governor_not_on_start_locations=true,"
        "british_siege_needs_french_siege_or_25_points=true,british_bateaux_in_initial_deck=true,reshuffle=lazy,"
        "french_bateaux_in_initial_deck=false,british_regular_infantry_removed=3,raid_range_bonus=1")
OPTIONS_OF_ACRES = (*(f"preset={preset}" for preset in PRESETS), *RARE)


def play(spec: str, seed: int, stride: int) -> tuple[int, str]:
    """Play one game; return its number of events and the reason of its end. Raises AssertionError at a difference."""
    state, rng = sfida.make(spec), Random(derive(seed, 0))
    events = 0
    while not state.is_over:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])
        events += 1
        if events % stride == 0:
            state.verify()
    state.verify()
    return events, state.game.end_reason(state) or ""


@command
def acres_conservation(*, games: int = 1000, max_turns: int = 400,
                       stride: Annotated[int, "number of events between recounts"] = 10, seed: int = 0) -> None:
    """Recount cards, pieces, points and chains of random games of A Few Acres of Snow. 1,000 games take minutes.

    acres-conservation --games 10000
    SFIDA_DEBUG=1 PYTHONPATH=build/debug python -m bench acres-conservation --games 10000 --max-turns 60

    Prints events, CPU seconds and how games ended, in %; ends with an error at a difference. In the debug build every
    move is checked, whatever the stride. The games use the presets and some rare options in turn.
    """
    recounts.install()
    began, events, reasons = time.process_time(), 0, Counter[str]()
    for number in range(games):
        spec = f"acres:{OPTIONS_OF_ACRES[number % len(OPTIONS_OF_ACRES)]},max_turns={max_turns}"
        count, reason = play(spec, derive(seed, number), stride)
        events += count
        reasons[reason] += 1
    print(f"{games} games, {events} events, all conserved, {time.process_time() - began:.0f} s of CPU time")
    for reason, count in reasons.most_common():
        print(f"{count / games:7.1%}  {reason}")


# ---- killed tournaments ---------------------------------------------------------------------------------


AGENTS = ("ismcts:iterations=300", "ismcts:iterations=150", "greedy")
TIMES = frozenset({"ms_per_move", "seconds", "wall", "elapsed", "games_per_s"})      # keys with values that vary by run
STORE = "games.sfida"
START = 120.0                   # seconds within which a run must make progress
LINGER = 5.0                    # seconds in which the workers of killed runs must exit


class TournamentRun:
    """One run of the tournament command in its own folder."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        self.folder = folder
        self.output = folder / "table.json"
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
        except SfidaError:              # the store is just being created
            return 0

    def wait(self) -> dict[str, Any]:
        """Wait for the end and return the table."""
        if self.process.wait() != 0:
            raise BenchFailure(f"the tournament failed:\n{(self.folder / 'errors.txt').read_text()}")
        data: dict[str, Any] = json.loads(self.output.read_text())
        return data

    def kill(self, games: int, delay: float) -> bool:
        """Kill the run `delay` seconds after the store holds `games` games; return False if it ended before."""
        patience = time.monotonic() + START
        while self.games < games and self.process.poll() is None:
            if time.monotonic() > patience and self.games == 0:
                raise BenchFailure(f"no game within {START:.0f} s:\n{(self.folder / 'errors.txt').read_text()}")
            time.sleep(0.05)
        try:
            self.process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return True
        return False


def timeless(data: Any) -> Any:
    """Return a JSON value without the times, which differ between any two runs."""
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
            continue                    # the process has ended meanwhile
        if int(session) in sessions and state != "Z":
            found.append(int(path.parent.name))
    return found


def end_left_over(sessions: set[int]) -> int:
    """Kill the processes of runs that do not exit in time; return their number."""
    patience = time.monotonic() + LINGER
    while (left := left_over(sessions)) and time.monotonic() < patience:
        time.sleep(0.2)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return len(left)


def games_of(folder: Path) -> list[Any]:
    """Return all games of a store; comparing games ignores their times."""
    with Store.open(folder / STORE) as store:
        return list(store.outcomes())


@command
def arena_restarts(*, game: str = "carcassonne:players=3", agents: Sequence[str] = AGENTS, games: int = 60,
                   kills: int = 10, seed: Annotated[int, "of the tournament and of the kills"] = 20264,
                   jobs: int = 2) -> int:
    """Kill a tournament repeatedly, resume it, and count differences from an uninterrupted one. Takes two minutes.

    arena-restarts                         ten kills of a tournament of 60 games
    arena-restarts -n 24 --kills 4 --seed 5

    The tournament runs in a separate process. It is killed with SIGKILL, so that nothing in it can clean up; its
    workers must notice by themselves, while the next run resumes at once. The moments are drawn at random from the
    seed: each kill waits for a number of games in the store (the first for none, so it comes during the start) and then
    for a random time of up to two seconds. At the end the table (``--json``, except times) and every stored game must
    equal those of the run without kills, and no worker of a killed run may be left (checked on Linux); otherwise the
    exit code is 1.
    """
    words = ["tournament", game, *agents, "-n", str(games), "--seed", str(seed), "--store", STORE, "--resume",
             "-j", str(jobs), "--json"]
    rng = np.random.default_rng(seed)
    # No kill waits for the last tenth of the games, so that no run ends before its kill.
    moments = [0, *sorted(int(held) for held in rng.integers(0, max(1, games * 9 // 10), size=kills - 1))]
    sessions: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="sfida-") as name:
        through, killed = Path(name, "through"), Path(name, "killed")
        through.mkdir()
        killed.mkdir()
        started = time.monotonic()
        run = TournamentRun(through, words)
        sessions.add(run.process.pid)
        expected = run.wait()
        print(f"without kills: {len(games_of(through))} games in {time.monotonic() - started:.1f} s", flush=True)
        print("kill  waited for  seconds of the run  games held", flush=True)
        done, ended = 0, False
        for number, held in enumerate(moments, 1):
            begun = time.monotonic()
            run = TournamentRun(killed, words)
            sessions.add(run.process.pid)
            ended = not run.kill(held, float(rng.uniform(0.0, 2.0)))
            if ended:
                print(f"the run ended before kill {number}: take more games")
                break
            done += 1
            print(f"{number:4d}  {held:10d}  {time.monotonic() - begun:18.2f}  {run.games:10d}", flush=True)
        last = run if ended else TournamentRun(killed, words)
        sessions.add(last.process.pid)
        same = {"table": timeless(last.wait()) == timeless(expected), "games": games_of(killed) == games_of(through)}
    left = end_left_over(sessions)
    print(f"after {done} kills: the table is {'the same' if same['table'] else 'ANOTHER'}, the games are "
          f"{'the same' if same['games'] else 'OTHERS'}; {left} processes were left over")
    return 0 if done == kills and all(same.values()) and left == 0 else 1
