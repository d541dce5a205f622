"""Twins and scribbling over a million positions of every game and number of players.

A twin is a history that a seat could not tell from the one that was played (`sfida.ai.research.audit.of_sfida`): the
seat's view must be the same, byte for byte, and at some of the positions everything else that it is shown, too.
Carcassonne hides nothing: there every view must be the position itself. At a few positions of each game unused bytes
are scribbled over (`sfida.ai.research.audit.of_sfida`): nothing may change.

python bench/twins.py [--games attila,risiko] [--positions 1000000] [--seed 1] [--jobs 1] [--state FILE] [--options]

With `--state` an interrupted run continues where it stopped; with `--options` variants of the rules are added. The exit
code is 1 if anything differs; a reproduction of each difference is printed.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfida.ai.research.audit.of_sfida import TwinCounts, scribbling_changes, twins_of_game
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make_game

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
LEAST_GAMES = 100       # least games of a cell, even if a few have a million positions of twins
AUDITED = 1000          # everything is compared at one in this many positions
SCRIBBLED = 2000        # one in this many positions is scribbled over,
MOST_SCRIBBLED = 4      # but at most this many per task
PLIES = 2000
SAVE_SECONDS = 5.0


@dataclass
class Row:
    """The results of one cell."""

    next: int = 0               # number of its next game
    games: int = 0
    swaps: int = 0
    outcomes: int = 0
    positions: int = 0
    audited: int = 0
    scribbled: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Row) -> None:
        for one in dataclasses.fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def scribble(spec: str, seed: int, times: int, row: Row) -> None:
    """Scribble over some positions of a game played at random."""
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


def task(job: tuple[str, int, int]) -> Row:
    """Play some games of a cell from a number on."""
    spec, seed, first = job
    started, counts, row = time.perf_counter(), TwinCounts(), Row(next=GAMES_AT_ONCE)
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


def results(pool: ProcessPoolExecutor | None, jobs: int, spec: str, seed: int, first: int) -> Iterator[Row]:
    """Yield the rows of the tasks in order, running `jobs` of them at a time."""
    source = tasks(spec, seed, first)
    while pool is None:
        yield task(next(source))
    waiting = [pool.submit(task, next(source)) for _ in range(jobs)]
    try:
        while True:
            row = waiting.pop(0).result()
            waiting.append(pool.submit(task, next(source)))
            yield row
    finally:
        for one in waiting:
            one.cancel()


def save(path: Path | None, seed: int, rows: dict[str, Row]) -> None:
    """Write the state, so that an interruption leaves the old file or the new one."""
    if path is not None:
        found = {spec: dataclasses.asdict(row) for spec, row in rows.items()}
        other = path.with_name(path.name + ".new")
        other.write_text(json.dumps({"seed": seed, "cells": found}, indent=1) + "\n")
        other.replace(path)


def load(path: Path | None, seed: int) -> dict[str, Row]:
    """Read a state; raises ValueError if it is not one or has another seed."""
    if path is None or not path.exists():
        return {}
    try:
        state: dict[str, Any] = json.loads(path.read_text())
        rows = {spec: Row(**row) for spec, row in state["cells"].items()}
        found = state["seed"]
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"'{path}' holds no state of this bench; name another file") from None
    if found != seed:
        raise ValueError(f"'{path}' is of seed {found}, not {seed}; name another file or --seed {found}")
    return rows


def cells(names: Sequence[str], options: bool) -> list[str]:
    found = [f"{CELLS[name][0]}:players={players}" for name in names for players in CELLS[name][1]]
    return found + [spec for name in names for spec in OPTIONS[name] if options]


def enough(row: Row, positions: int) -> bool:
    return row.positions >= positions and row.games >= min(LEAST_GAMES, positions // 10_000)


def table(rows: dict[str, Row], specs: Sequence[str]) -> None:
    print("| game | games | swapped events | other outcomes | positions | all compared | scribbled | differences | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for spec in specs:
        row = rows[spec]
        print(f"| {spec} | {row.games:,d} | {row.swaps:,d} | {row.outcomes:,d} | {row.positions:,d} | "
              f"{row.audited:,d} | {row.scribbled:,d} | {len(row.differences)} | {row.seconds:.0f} |")


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1 is needed, not {text}")
    return value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(CELLS), help=f"of {', '.join(CELLS)}; default: all")
    parser.add_argument("--positions", type=positive, default=1_000_000, help="positions per cell")
    parser.add_argument("--seed", type=positive, default=1)
    parser.add_argument("--jobs", type=positive, default=1, help="processes")
    parser.add_argument("--state", type=Path, help="file that keeps the results and from which to continue")
    parser.add_argument("--options", action="store_true", help="variants of the rules, too")
    args = parser.parse_args()
    names = [name.strip() for name in args.games.split(",")]
    for name in names:
        if name not in CELLS:
            parser.error(f"there is no game '{name}' here; the games are {', '.join(CELLS)}")
    try:
        rows = load(args.state, args.seed)
        save(args.state, args.seed, rows)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    specs = cells(names, args.options)
    pool = ProcessPoolExecutor(args.jobs) if args.jobs > 1 else None
    try:
        for spec in specs:
            row, saved = rows.setdefault(spec, Row()), time.monotonic()
            if not enough(row, args.positions):
                for more in results(pool, args.jobs, spec, args.seed, row.next):
                    row.add(more)
                    if time.monotonic() - saved > SAVE_SECONDS:
                        save(args.state, args.seed, rows)
                        saved = time.monotonic()
                    if enough(row, args.positions):
                        break
            save(args.state, args.seed, rows)
            print(f"{spec}: {row.positions:,d} positions, {len(row.differences)} differences", flush=True)
    except KeyboardInterrupt:
        save(args.state, args.seed, rows)
        print("interrupted" + (f"; go on with --state {args.state}" if args.state else ""))
        return 130
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
    table(rows, specs)
    found = [line for spec in specs for line in rows[spec].differences]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
