"""A version of Sfida against an older one, in strength and in speed: each revision is built in its own folder.

This module imports Sfida only after the compiled modules of the working tree have been brought up to date; until then
it has the file that builds revisions, without the package.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import json
import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from bench import COMPARED, INTERRUPTED, ROOT, BenchFailure, command, print_head, print_row, refused

if TYPE_CHECKING:           # imported at run time once the compiled modules are up to date
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.standings import Standings
    from sfida.ai.arena.tournament import Tournament
    from sfida.ai.research import revisions
    from sfida.ai.research.revisions import Built, Revision, Tell
else:
    _spec = importlib.util.spec_from_file_location("bench.revisions", ROOT / "ai" / "research" / "revisions.py")
    revisions = sys.modules[_spec.name] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(revisions)

CHECKOUT = revisions.Checkout(ROOT)
GAMES = ("carcassonne", "zarahemla", "risiko", "acres", "attila")
SECONDS = 0.1
QUESTION = "elo0=0,elo1=35"
SEED = 1
PROBE = 10                  # games that measure the cost of the protocol
READABLE = 40               # characters of a game or an agent in the name of a store


def store_path(cache: Path, base: Revision, working: Revision, game: str, agent: str, seed: int) -> Path:
    """Return the path of the store of a match; its name depends on everything that decides the games."""
    def name(spec: str) -> str:
        short = re.sub(r"[^A-Za-z0-9.]+", "_", spec)[:READABLE]
        return short if short == spec else f"{short}-{hashlib.blake2b(spec.encode(), digest_size=4).hexdigest()}"
    return (cache / "stores" / f"{base.key}-{working.key}" / f"{name(game)}-{name(agent)}-{seed}.sfida")


# ---- one game -------------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class VersionMatch:
    """The match of two revisions in one game.

    Attributes
    ----------
    game, agent : str
        Canonical specs.
    working, base : Built
    games : int or None
        Maximum number of games; None: the number that the test may need.
    seed : int
    sprt : SprtOptions
    limit : float
        Maximum seconds per decision.
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
        """Return a text in which the programs are replaced by the labels of their revisions."""
        for side in self.sides:
            for agent in (self.agent, "random"):
                spec = side.agent(agent)
                text = text.replace(f"agent '{spec}'", side.label).replace(f"'{spec}'", side.label)
                text = text.replace(spec, side.label)
        return text

    def check(self) -> None:
        """Make sure that both revisions know the agent; raises BenchFailure."""
        from sfida.ai.agent import AgentFailure
        from sfida.ai.registry import agent as make_agent
        from sfida.ai.seat import Seat

        for side in self.sides:
            seat = Seat(make_agent(side.agent(self.agent)))
            try:
                seat.begin(self.seed)
            except AgentFailure as error:
                raise BenchFailure(f"{side.label} cannot play {self.agent}: {self.in_words(str(error))}") from None
            finally:
                seat.close()

    def protocol_cost(self) -> tuple[float, float]:
        """Return the cost of the line protocol for each side, in ms per decision: the time of agent `random`.

        Raises
        ------
        BenchFailure
            If a revision cannot play the game: it does not know the game, or its rules or positions differ.
        """
        from sfida.ai.arena.playing import Stopped
        from sfida.ai.arena.tournament import Tournament

        probe = Tournament(self.game, [side.agent("random") for side in self.sides], PROBE, self.seed)
        with tempfile.TemporaryDirectory() as folder:
            try:
                table = probe.run(Path(folder) / "probe.sfida", strict=True)
            except Stopped as error:
                reason = self.in_words(str(error)).split(": ", 2)[-1]       # the part after the agent and the game
                raise BenchFailure(f"{self.game} cannot be played: {reason}") from None
        first, second = table.agents
        return first.ms_per_move, second.ms_per_move

    def line(self, table: Standings) -> str:
        """Return the result in one line."""
        from sfida.ai.arena.standings import lead_of
        lead = lead_of(table)
        assert table.sprt is not None
        games = f"{table.games} game{'' if table.games == 1 else 's'}"
        how = " luck-adjusted" if lead.fair else ""
        return (f"{self.game}  Elo {lead}{how}  "
                f"LLR {table.sprt.llr:+.2f}, {table.sprt.verdict} ({self.sprt.elo0:g} or {self.sprt.elo1:g})  "
                f"{games}  {self.agent}  {self.working.label} : {self.base.label}")


def play(match: VersionMatch, store: Path, jobs: int, tell: Tell) -> None:
    """Play the missing games of a match and print its line; Ctrl-C prints the line so far."""
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
    with revisions.locked(store.with_suffix(".lock"), "plays these games", tell):
        try:
            with TournamentLine(Output(), quiet=False) as line:
                table = planned.run(store, jobs=jobs, resume=True, strict=True, on_progress=lambda progress: line.show(
                    dataclasses.replace(progress, leader=leaders.get(progress.leader, ""))))
        except Stopped as error:
            raise BenchFailure(match.in_words(str(error))) from None
        except KeyboardInterrupt:
            if store.exists():
                with Store.read(store) as held:
                    if len(held):
                        print(f"{match.line(table_of(held))}  (interrupted)", flush=True)
            raise
    print(match.line(table), flush=True)


def tell(line: str) -> None:
    """Print a line about progress."""
    print(line, file=sys.stderr, flush=True)


def one_line(error: BaseException) -> str:
    """Return the message of an error."""
    return " ".join(str(error).split())


# ---- the command ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VersionTask:
    """The options of a call: games, agent of both sides, maximum number of games, test, and whether luck is kept."""

    games: Sequence[str]
    agent: str
    most: int | None
    sprt: str
    with_luck: bool
    seed: int
    jobs: int


def run(asked: VersionTask, base: Revision, why: str, tell: Tell) -> int:
    """Build both revisions and play every game; return the exit code."""
    working, cache = CHECKOUT.working_tree(), CHECKOUT.cache_folder()
    ours = CHECKOUT.built(cache, working, CHECKOUT.build_working_tree(working), tell)
    sys.path.insert(0, str(ours.package))               # the arena is the copy's, too
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ours.package), os.environ.get("PYTHONPATH")]))
    from sfida.cython_ext.errors import SfidaError

    matches = planned_matches(asked, ours, tell)
    tell(f"{working.label} (the working tree) against {base.label} ({why})"
         + (": the same version" if working.tree == base.tree else ""))
    theirs = CHECKOUT.built(cache, base, CHECKOUT.build_committed(base, ours), tell)
    failed = 0
    for match in matches(theirs):
        try:
            play(match, store_path(cache, base, working, match.game, match.agent, match.seed), asked.jobs, tell)
        except (BenchFailure, SfidaError) as error:          # the other games may be playable
            tell(f"error: {one_line(error)}")
            failed = 1
    return failed


def planned_matches(asked: VersionTask, ours: Built, tell: Tell) -> Callable[[Built], list[VersionMatch]]:
    """Check games, agent and test before the base is compiled; return the function that makes the matches."""
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.tournament import Tournament
    from sfida.engines.registry import make_game

    sprt = SprtOptions.parse(asked.sprt)
    plans = [Tournament(game, [asked.agent] * 2, asked.most, asked.seed, sprt=sprt,
                        adjusted=not asked.with_luck and bool(make_game(game).chance_sources)) for game in asked.games]
    for caution in plans[0].cautions(asked.jobs):
        tell(f"note: {caution}")
    return lambda theirs: [VersionMatch(plan.setup.game, plan.setup.agents[0], ours, theirs, asked.most, asked.seed,
                                        plan.sprt or sprt, plan.limit) for plan in plans]


@command
def versions(*, game: Annotated[Sequence[str], "game spec; may be repeated"] = GAMES,
             base: Annotated[str | None, "the other revision (the merge base with main, or HEAD~1 if that is HEAD)"
                             ] = None,
             seconds: Annotated[float | None, f"a decision of `ismcts` ({SECONDS:g})"] = None,
             iterations: Annotated[int | None, "a decision of `ismcts`"] = None,
             agent: Annotated[str | None, "of both sides"] = None,
             games: Annotated[int | None, "most games (what the test may need)"] = None,
             sprt: Annotated[str, "hypotheses of the sequential test: the lead of the working tree"] = QUESTION,
             with_luck: Annotated[bool, "judge results as they are, not without their luck"] = False, seed: int = SEED,
             jobs: Annotated[int, "blocks played at the same time"] = 1) -> int:
    """Measure the lead in Elo of the working tree over an older revision. A game takes from ten minutes to hours.

    versions                                            all five games, 0.1 s a decision
    versions --game carcassonne --iterations 500        one game; --game may be given several times
    versions --base v0.1.0 --agent greedy -n 400        another revision, another agent

    The other revision is built into a cache (XDG_CACHE_HOME), once for each commit; the working tree is copied there as
    it is, so it may be edited while this runs. Both sides play as programs behind `exec:`, which costs both the same
    time; it is measured and told. They play on common luck until a sequential test has decided. One line a game is
    printed: how many Elo the working tree leads by, with its 95 % interval, the log likelihood ratio and what the test
    says.

    What was played is kept in the cache, by both revisions, game, agent and seed: the same command continues with it.
    """
    if (seconds, iterations, agent).count(None) < 2:
        raise refused("--seconds, --iterations and --agent do not go together")
    budget = f"iterations={iterations}" if iterations else f"seconds={SECONDS if seconds is None else seconds:g}"
    words = list(click.get_current_context().meta["words"])
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    try:
        commit, why = CHECKOUT.usual_base() if base is None else (CHECKOUT.named(base), "--base")
        if base is None:
            words += ["--base", commit[:revisions.SHORT]]       # so that the command stays valid when branches move
        return run(VersionTask(game, agent or f"ismcts:{budget}", games, sprt, with_luck, seed, jobs),
                   CHECKOUT.committed(commit), why, tell)
    except revisions.RevisionFailure as error:
        raise BenchFailure(str(error)) from None
    except KeyboardInterrupt:
        tell("interrupted; what was played is kept, continue with: "
             + shlex.join(["python", "-m", "bench", "versions", *words]))
        return INTERRUPTED


# ---- speed before and after


@command
def before_after(revision: str, *, games: Annotated[Sequence[str], "game specs"] = COMPARED, agent: str = "ismcts",
                 seconds: Annotated[float, "for each of the 14 processes of a game"] = 2.0,
                 json_: Annotated[bool, "--json", "print one JSON object a game"] = False) -> None:
    """Measure iterations per second in an older revision and now. All games take fifteen minutes.

    before-after v0.1.0                                 all five games
    before-after HEAD~1 --games risiko zarahemla

    One row a game: iterations per second of processor time before and now, their ratio as the median of alternating
    pairs with its range, the ratio of the instructions, counted by callgrind if it is installed and the build is
    portable, and whether both found the same. It is `sfida profile GAME --compare REVISION` for every game.
    """
    from sfida.ai.research.comparing import compare
    from sfida.engines.registry import make_game

    if not json_:
        print_head("game", "before", "now", "times as fast", "instructions", "same results")
    for spec in games:
        found = compare(make_game(spec), agent, revision, seconds, tell)
        rate, counted = found["iterations_per_s"], found["instructions"]
        if json_:
            print(json.dumps(found), flush=True)
        else:
            print_row(found["game"], f"{rate['before']:,.0f}", f"{rate['after']:,.0f}",
                      f"{rate['ratio']:.2f} [{rate['range'][0]:.2f}, {rate['range'][1]:.2f}]",
                      f"{counted['ratio']:.2f}" if counted else found["instructions_missing"],
                      "yes" if found["same"] else "no")
