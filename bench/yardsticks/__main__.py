"""Measure the search against expected figures; see docs/yardsticks.md.

    python -m bench.yardsticks --quick                  (about three minutes)
    python -m bench.yardsticks                          (an hour or two)
    python -m bench.yardsticks --only phantom --games 2000 --jobs 4
    python -m bench.yardsticks --only phantom --row "MO - SO"

Every row shows our figure, its spread, the expected figure, and whether they agree. The exit status is 1 if any row
disagrees. Budgets are iterations and seeds are fixed, so a run with the same arguments gives the same table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from joblib import Parallel

from bench.yardsticks import measuring
from bench.yardsticks.plan import Exploited, Match, goofspiel, matches, poker
from bench.yardsticks.row import HEAD, Row
from support.deciders import Decider
from support.measures import pair_score, tree_of

DECISIONS = 8                           # approximate number of decisions in a game of phantom tic-tac-toe
LONG = 5_000                            # iterations from which a match has only a quarter of the games


@dataclass(frozen=True)
class Effort:
    """The effort of a run."""

    seeds: int
    games: int
    most: int                           # iterations of the longest searches

    def seeds_of(self, plan: Exploited) -> int:
        """Return the number of seeds of a row: fewer if searches are long and a game has many information sets."""
        if plan.game == "kuhn_poker" or plan.decider.iterations <= 1_000:
            return self.seeds
        return max(1, self.seeds // 2) if plan.decider.iterations <= 10_000 else 1

    def games_of(self, plan: Match) -> int:
        """Return the number of games of a match."""
        return self.games // 4 if plan.first.iterations >= LONG else self.games

    def iterations(self, plan: Exploited | Match) -> int:
        """Return the approximate number of iterations of a row."""
        if isinstance(plan, Exploited):
            searched = sum(len(info.moves) > 1 for info in tree_of(plan.game).sets.values())
            return searched * plan.decider.iterations * self.seeds_of(plan)
        return self.games_of(plan) * DECISIONS // 2 * (plan.first.iterations + plan.second.iterations)


def truths(parallel: Parallel, effort: Effort) -> Iterator[Row]:
    """Yield the rows of section 4.6 that are not policies of a search."""
    yield from measuring.uniform("4.6")
    yield from measuring.game_values("4.6")
    yield from measuring.pennies("4.6", 4 * effort.seeds)
    yield measuring.random_games("4.6", 100 * effort.games)


SECTIONS = ("truths", "exploitability", "goofspiel", "phantom")


def plans(section: str, effort: Effort, part: str = "") -> list[Exploited | Match]:
    """Return the plans of a section within the effort, for the rows whose names contain `part`."""
    made: dict[str, list[Exploited] | list[Match]] = {
        "exploitability": poker(), "goofspiel": goofspiel(), "phantom": matches()}
    return [plan for plan in made.get(section, [])
            if part in measuring.title_of(plan)
            and ((plan.decider if isinstance(plan, Exploited) else plan.first).iterations <= effort.most
                 or (isinstance(plan, Exploited) and plan.game == "kuhn_poker"))]


def rows(section: str, parallel: Parallel, effort: Effort, part: str = "") -> Iterator[Row]:
    """Measure a section, or its rows whose names contain `part`."""
    if section == "truths" and not part:
        yield from truths(parallel, effort)
    number = {"goofspiel": "1.18"}.get(section, "1.9")
    for plan in plans(section, effort, part):
        if isinstance(plan, Exploited):
            yield from measuring.exploited(parallel, number, plan, effort.seeds_of(plan))
        else:
            yield measuring.played(parallel, number, plan, effort.games_of(plan))


def speed() -> float:
    """Return the iterations per second of one process, measured for a moment."""
    decider = Decider("so", 200)
    started = time.perf_counter()
    for number in range(3):
        pair_score(measuring.PHANTOM, decider, decider, 1, number)
    return 3 * 2 * DECISIONS * decider.iterations / (time.perf_counter() - started)


def main() -> int:
    """Print the table; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.yardsticks", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="measure this section (may be repeated)")
    parser.add_argument("--row", default="", metavar="TEXT", help="only rows whose names contain this: 'MO - SO'")
    parser.add_argument("--seeds", type=int, default=4, help="seeds of policies; half if searches are long")
    parser.add_argument("--games", type=int, default=1000, help="games of a match; a quarter if searches are long")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--quick", action="store_true", help="2 seeds, 100 games, searches up to 1,000 iterations "
                        "(Kuhn poker excepted)")
    args = parser.parse_args()
    effort = Effort(2, 100, 1_000) if args.quick else Effort(args.seeds, args.games, 50_000)
    if min(effort.seeds, effort.games // 8, args.jobs) < 1:
        parser.error("at least 1 seed, 8 games and 1 job are needed")
    chosen = [section for section in SECTIONS if not args.only or section in args.only]
    work = sum(effort.iterations(plan) for section in chosen for plan in plans(section, effort, args.row))
    print(f"about {work / 1e6:.0f} million iterations: {work / speed() / args.jobs / 60:.0f} minutes", file=sys.stderr)
    print(HEAD, flush=True)
    started, measured, missed = time.perf_counter(), 0, 0
    with Parallel(n_jobs=args.jobs) as parallel:
        for section in chosen:
            for row in rows(section, parallel, effort, args.row):
                print(row, flush=True)
                measured += 1
                missed += not row.ok
    print(f"\n{measured} rows, {missed} not ok; {(time.perf_counter() - started) / 60:.0f} minutes", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
