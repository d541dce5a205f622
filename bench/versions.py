"""A version of Sfida against an older one: is the working tree stronger than where it came from?

    python bench/versions.py                                            all five games, 0.1 s a decision
    python bench/versions.py --game carcassonne --iterations 500        one game; --game may be given several times
    python bench/versions.py --base v0.1.0 --agent greedy -n 400        another revision, another agent

The other revision is built into a cache (XDG_CACHE_HOME), once for each commit; the working tree is copied there as it
is, so it may be edited while this runs. Both sides play as programs behind `exec:`, which costs both the same time; it
is measured and told. They play on common luck until a sequential test has decided. One line a game is printed: how many
Elo the working tree leads by, with its 95 % interval, the log likelihood ratio and what the test says.

What was played is kept in the cache, by both revisions, game, agent and seed: the same command goes on with it.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from revisions import (
    SHORT, Built, Revision, RevisionError, build_committed, build_working_tree, built, cache_folder, committed, locked,
    named, usual_base, working_tree
)

if TYPE_CHECKING:           # imported when the compiled modules are up to date
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.standings import Standings
    from sfida.ai.arena.tournament import Tournament

GAMES = ("carcassonne", "zarahemla", "risiko", "acres", "attila")
SECONDS = 0.1
QUESTION = "elo0=0,elo1=35"
SEED = 1
PROBE = 10                  # games that measure what the protocol costs
INTERRUPTED = 130
READABLE = 40               # characters of a game or an agent in the name of a store


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message} (see: python bench/versions.py --help)\n")


def parser() -> Parser:
    """Return what reads the arguments."""
    result = Parser(prog="python bench/versions.py", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--game", action="append", metavar="GAME", help="game spec (all five games)")
    result.add_argument("--base", metavar="REF", help="the other revision (the merge base with main, or HEAD~1 if that "
                        "is HEAD)")
    budget = result.add_mutually_exclusive_group()
    budget.add_argument("--seconds", type=float, metavar="S", help=f"seconds a decision of `ismcts` ({SECONDS:g})")
    budget.add_argument("--iterations", type=int, metavar="N", help="iterations a decision of `ismcts`")
    budget.add_argument("--agent", metavar="SPEC", help="agent of both sides")
    result.add_argument("-n", "--games", type=int, metavar="GAMES", help="most games (what the test may need)")
    result.add_argument("--sprt", default=QUESTION, metavar=QUESTION,
                        help="hypotheses of the sequential test: the lead of the working tree")
    result.add_argument("--with-luck", action="store_true", help="judge results as they are, not without their luck")
    result.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"seed of luck and agents ({SEED})")
    result.add_argument("-j", "--jobs", type=int, default=1, metavar="JOBS", help="blocks played at the same time (1)")
    return result


def agent_of(args: argparse.Namespace) -> str:
    """Return the agent spec that the arguments ask for."""
    if args.agent is not None:
        return str(args.agent)
    if args.iterations is not None:
        return f"ismcts:iterations={args.iterations}"
    return f"ismcts:seconds={SECONDS if args.seconds is None else args.seconds:g}"


def store_path(cache: Path, base: Revision, working: Revision, game: str, agent: str, seed: int) -> Path:
    """Return the store of a match; anything that decides its games gives it another name."""
    def name(spec: str) -> str:
        short = re.sub(r"[^A-Za-z0-9.]+", "_", spec)[:READABLE]
        return short if short == spec else f"{short}-{hashlib.blake2b(spec.encode(), digest_size=4).hexdigest()}"
    return (cache / "stores" / f"{base.key}-{working.key}" / f"{name(game)}-{name(agent)}-{seed}.sfida")


# ---- one game -------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Match:
    """The match of two revisions in one game.

    Attributes
    ----------
    game, agent : str
        Canonical specs.
    working, base : Built
    games : int or None
        Most games; None: what the test may need.
    seed : int
    sprt : SprtOptions
    limit : float
        Seconds that a decision may take.
    """

    game: str
    agent: str
    working: Built
    base: Built
    games: int | None
    seed: int
    sprt: SprtOptions
    limit: float

    @property
    def sides(self) -> tuple[Built, Built]:
        """The working tree, then the other revision."""
        return self.working, self.base

    def planned(self) -> Tournament:
        """Return the tournament."""
        from sfida.ai.arena.tournament import Tournament

        return Tournament(self.game, [side.agent(self.agent) for side in self.sides], self.games, self.seed,
                          sprt=self.sprt, limit=self.limit, adjusted=self.sprt.adjusted)

    def in_words(self, text: str) -> str:
        """Return a text that calls the programs by their revisions."""
        for side in self.sides:
            for agent in (self.agent, "random"):
                spec = side.agent(agent)
                text = text.replace(f"agent '{spec}'", side.label).replace(f"'{spec}'", side.label)
                text = text.replace(spec, side.label)
        return text

    def check(self) -> None:
        """Make sure that both revisions know the agent; raises RevisionError."""
        from sfida.ai.agent import AgentFailure
        from sfida.ai.registry import agent as make_agent
        from sfida.ai.seat import Seat

        for side in self.sides:
            seat = Seat(make_agent(side.agent(self.agent)))
            try:
                seat.begin(self.seed)
            except AgentFailure as error:
                raise RevisionError(f"{side.label} cannot play {self.agent}: {self.in_words(str(error))}") from None
            finally:
                seat.close()

    def protocol_cost(self) -> tuple[float, float]:
        """Return what the line protocol costs each side, in ms a decision: the time of agent `random`.

        Raises
        ------
        RevisionError
            If a revision cannot play the game: it does not know it, or its rules or positions are others.
        """
        from sfida.ai.arena.playing import Stopped
        from sfida.ai.arena.tournament import Tournament

        probe = Tournament(self.game, [side.agent("random") for side in self.sides], PROBE, self.seed)
        with tempfile.TemporaryDirectory() as folder:
            try:
                table = probe.run(Path(folder) / "probe.sfida", strict=True)
            except Stopped as error:
                reason = self.in_words(str(error)).split(": ", 2)[-1]       # after who, and in which game
                raise RevisionError(f"{self.game} cannot be played: {reason}") from None
        first, second = table.agents
        return first.ms_per_move, second.ms_per_move

    def line(self, table: Standings) -> str:
        """Return the result in one line."""
        from sfida.ai.arena.standings import lead_of
        lead = lead_of(table)
        assert table.sprt is not None
        games = f"{table.games} game{'' if table.games == 1 else 's'}"
        how = " without luck" if lead.fair else ""
        return (f"{self.game}  Elo {lead}{how}  "
                f"LLR {table.sprt.llr:+.2f}, {table.sprt.verdict} ({self.sprt.elo0:g} or {self.sprt.elo1:g})  "
                f"{games}  {self.agent}  {self.working.label} : {self.base.label}")


def play(match: Match, store: Path, jobs: int, tell: Callable[[str], None]) -> None:
    """Play what a store lacks of a match and print its line; Ctrl-C prints the line so far."""
    from sfida.ai.arena.playing import Stopped
    from sfida.ai.arena.store import Store
    from sfida.ai.arena.tournament import table_of
    from sfida.cli.output import Output
    from sfida.cli.progress import TournamentLine

    match.check()
    costs = zip(match.sides, match.protocol_cost(), strict=True)
    tell(f"{match.game}: the protocol takes " + ", ".join(f"{cost:.2f} ms a decision of {side.label}"
                                                          for side, cost in costs))
    planned = match.planned()
    leaders = dict(zip(planned.setup.labels, (side.label for side in match.sides), strict=True))
    with locked(store.with_suffix(".lock"), "plays these games", tell):
        try:
            with TournamentLine(Output(), quiet=False) as line:
                table = planned.run(store, jobs=jobs, resume=True, strict=True, on_progress=lambda progress: line.show(
                    dataclasses.replace(progress, leader=leaders.get(progress.leader, ""))))
        except Stopped as error:
            raise RevisionError(match.in_words(str(error))) from None
        except KeyboardInterrupt:
            if store.exists():
                with Store.read(store) as held:
                    if len(held):
                        print(f"{match.line(table_of(held))}  (interrupted)", flush=True)
            raise
    print(match.line(table), flush=True)


# ---- the command ----------------------------------------------------------------------------------------


def run(args: argparse.Namespace, base: Revision, why: str, tell: Callable[[str], None]) -> int:
    """Build both revisions and play every game; return the exit code; raises RevisionError or OSError."""
    working, cache = working_tree(), cache_folder()
    ours = built(cache, working, build_working_tree(working), tell)
    sys.path.insert(0, str(ours.package))               # the arena, too, is that of the copy
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ours.package), os.environ.get("PYTHONPATH")]))
    from sfida.cython_ext.errors import SfidaError

    try:
        matches = planned_matches(args, ours, tell)
        tell(f"{working.label} (the working tree) against {base.label} ({why})"
             + (": the same version" if working.tree == base.tree else ""))
        theirs = built(cache, base, build_committed(base, ours), tell)
    except SfidaError as error:
        raise RevisionError(str(error)) from None
    failed = 0
    for match in matches(theirs):
        try:
            play(match, store_path(cache, base, working, match.game, match.agent, match.seed), args.jobs, tell)
        except (RevisionError, SfidaError) as error:        # the other games may be playable
            tell(f"error: {one_line(error)}")
            failed = 1
    return failed


def planned_matches(args: argparse.Namespace, ours: Built,
                    tell: Callable[[str], None]) -> Callable[[Built], list[Match]]:
    """Check games, agent and test before the base is compiled; return what makes the matches against it."""
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.tournament import Tournament
    from sfida.engines.registry import make_game

    agent, sprt = agent_of(args), SprtOptions.parse(args.sprt)
    plans = [Tournament(game, [agent, agent], args.games, args.seed, sprt=sprt,
                        adjusted=not args.with_luck and bool(make_game(game).chance_sources))
             for game in args.game or GAMES]
    for caution in plans[0].cautions(args.jobs):
        tell(f"note: {caution}")
    return lambda theirs: [Match(plan.setup.game, plan.setup.agents[0], ours, theirs, args.games, args.seed,
                                 plan.sprt or sprt, plan.limit) for plan in plans]


def one_line(error: BaseException) -> str:
    """Return the message of an error."""
    return " ".join(str(error).split())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    args = parser().parse_args(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    try:
        base, why = usual_base() if args.base is None else (named(args.base), "--base")
        if args.base is None:
            words += ["--base", base[:SHORT]]           # for the same command later, wherever branches are then
        return run(args, committed(base), why, tell)
    except KeyboardInterrupt:
        tell(f"interrupted; what was played is kept, go on with: {shlex.join(['python', 'bench/versions.py', *words])}")
        return INTERRUPTED
    except (RevisionError, OSError) as error:
        tell(f"error: {one_line(error)}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
