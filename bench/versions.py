"""A version of Sfida against an older one: each revision is built in its own folder and seated as a program.

This module imports Sfida only after the compiled modules of the working tree have been brought up to date.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import hashlib
import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import platformdirs

from bench import INTERRUPTED, ROOT, BenchFailure, command, refused

if TYPE_CHECKING:           # imported at run time once the compiled modules are up to date
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.standings import Standings
    from sfida.ai.arena.tournament import Tournament

PARTS = ("ai", "api", "cli", "cython_ext", "engines", "pyproject.toml", "setup.py")     # files of a version
COMPILED = ("cython_ext", "setup.py")       # files that determine the compiled modules
MAIN = "main"
DONE = ".built"                             # file written last; a folder without it is built again
ENGINE = "engine"                           # the program that seats a revision
QUICK = 5.0                                 # seconds after which a build reports its progress
SHORT = 7                                   # digits of a hash shown to people
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Revision:
    """A version of the source.

    Attributes
    ----------
    label : str
        Readable name: the first digits of the commit; with uncommitted changes, followed by "+" and the first digits
        of the tree.
    key : str
        Name of its folder in the cache: the hash of the commit; for the working tree, which may be committed later,
        `tree`.
    tree : str
        Hash of the git tree of its files.
    """

    label: str
    key: str
    tree: str


@dataclass(frozen=True)
class Built:
    """A revision that can play.

    Attributes
    ----------
    revision : Revision
    folder : Path
    """

    revision: Revision
    folder: Path

    @property
    def label(self) -> str:
        """The name of the revision for people."""
        return self.revision.label

    @property
    def package(self) -> Path:
        """The folder to put on the path of modules."""
        return self.folder / "build" / "package"

    def agent(self, spec: str) -> str:
        """Return the spec that seats one of its agents as a program."""
        return "exec:" + shlex.join([str(self.folder / ENGINE), "--agent", spec])


# ---- git ------------------------------------------------------------------------------------------------
def git(*words: str, stdin: bytes = b"", index: str = "") -> bytes:
    """Return the output of git in the repository; raises BenchFailure with git's error message."""
    env = {**os.environ, "GIT_INDEX_FILE": index} if index else None
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *words], input=stdin, capture_output=True, check=True, env=env)
    except FileNotFoundError:
        raise BenchFailure("git is not installed") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        raise BenchFailure(f"git {words[0]}: {said[0] if said else 'failed'}") from None
    return done.stdout


def named(ref: str) -> str:
    """Return the hash of the commit named by a reference; raises BenchFailure."""
    with contextlib.suppress(BenchFailure):
        found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
        if found:
            return found
    raise BenchFailure(f"'{ref}' is no revision of this repository")


def usual_base() -> tuple[str, str]:
    """Return the commit with which the working tree is compared by default, and its description.

    It is the merge base with the branch `main`; HEAD~1 if the merge base is HEAD, or if there is no such branch.
    """
    head = named("HEAD")
    with contextlib.suppress(BenchFailure):
        base = git("merge-base", "HEAD", MAIN).decode().strip()
        if base != head:
            return base, f"the merge base with {MAIN}"
    return named("HEAD~1"), "HEAD~1"


def committed(commit: str) -> Revision:
    """Return the revision of a commit, given by its hash."""
    entries = git("ls-tree", commit, "--", *PARTS)
    return Revision(commit[:SHORT], commit, git("mktree", stdin=entries).decode().strip())


def working_tree() -> Revision:
    """Return the revision of the working tree: tracked files and new files that git does not ignore."""
    head = committed(named("HEAD"))
    with tempfile.TemporaryDirectory() as folder:
        index = str(Path(folder) / "index")
        git("add", "--all", "--", *PARTS, index=index)
        tree = git("write-tree", index=index).decode().strip()
    return Revision(head.label if tree == head.tree else f"{head.label}+{tree[:SHORT]}", tree, tree)


def same_modules(one: str, other: str) -> bool:
    """Return whether two trees have the same compiled modules."""
    first, second = (git("ls-tree", tree, "--", *COMPILED) for tree in (one, other))
    return bool(first) and first == second


# ---- the cache ------------------------------------------------------------------------------------------
def cache_folder() -> Path:
    """Return the folder of builds and stores, one per Python and build mode; it may be deleted at any time."""
    mode = "native" if build_environment()["SFIDA_NATIVE"] == "1" else "portable"
    place = platformdirs.user_cache_path("sfida", appauthor=False) / "versions"
    return place / f"{sys.implementation.cache_tag}-{mode}"


@contextlib.contextmanager
def locked(path: Path, what: str, tell: Tell) -> Iterator[None]:
    """Hold a lock, which is released when this process ends; wait while another process holds the lock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(f"waiting for another process that {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def built(cache: Path, revision: Revision, compile_in: Callable[[Path, Tell], None], tell: Tell) -> Built:
    """Return a revision that can play; unpack and build the revision if the cache does not hold it.

    Parameters
    ----------
    cache : Path
    revision : Revision
    compile_in : callable
        Puts the compiled modules and the links of `build/package` into the given folder of sources.
    tell : callable
        Prints lines about slow steps.

    Raises
    ------
    BenchFailure
    """
    folder = cache / "builds" / revision.key
    with locked(cache / "builds" / f"{revision.key}.lock", f"builds {revision.label}", tell):
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            unpack(revision.tree, folder)
            compile_in(folder, tell)
            write_engine(Built(revision, folder))
            (folder / DONE).touch()
    return Built(revision, folder)


def write_engine(built: Built) -> None:
    """Write the program that seats a revision."""
    engine = built.folder / ENGINE
    engine.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(built.package))} "
                      f"exec {shlex.quote(sys.executable)} -P -m sfida engine \"$@\"\n")
    engine.chmod(0o755)


def unpack(tree: str, folder: Path) -> None:
    """Write the files of a git tree into a new folder."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", tree))) as packed:
        packed.extractall(folder, filter="data")


# ---- building -------------------------------------------------------------------------------------------
def build_environment() -> dict[str, str]:
    """Return the environment of every build: the modes of `make`, so that both sides are compiled the same way."""
    return {"SFIDA_NATIVE": "1", "SFIDA_JOBS": str(os.cpu_count() or 1), **os.environ, "SFIDA_DEBUG": "0"}


def build_working_tree(working: Revision) -> Callable[[Path, Tell], None]:
    """Return the function that builds a copy of the working tree; changed modules are compiled there, in place."""
    def compile_in(folder: Path, tell: Tell) -> None:
        setup(ROOT, folder, working.label, tell, "build_ext", "--inplace")
        if working_tree() != working:
            raise BenchFailure("the working tree was changed while it was built: start again")
        take_modules(ROOT, folder)
        setup(folder, folder, working.label, tell, "stage")
    return compile_in


def build_committed(revision: Revision, beside: Built) -> Callable[[Path, Tell], None]:
    """Return the function that builds a commit; if another revision has the same modules, they are copied."""
    def compile_in(folder: Path, tell: Tell) -> None:
        if same_modules(revision.tree, beside.revision.tree):
            take_modules(beside.folder, folder)
            setup(folder, folder, revision.label, tell, "stage")
        else:
            setup(folder, folder, revision.label, tell, "build_ext", "--inplace")
    return compile_in


def take_modules(source: Path, target: Path) -> None:
    """Copy the compiled modules of one folder of sources to another folder with the same sources."""
    for path in sorted((target / "cython_ext").rglob("*.pyx")):
        name = path.relative_to(target).with_suffix("")
        found = [source / f"{name}{ending}" for ending in EXTENSION_SUFFIXES]
        module = next((path for path in found if path.exists()), None)
        if module is None:
            raise BenchFailure(f"{source / name}: there is no compiled module")
        shutil.copy2(module, (target / name).with_name(module.name))


def setup(where: Path, log_beside: Path, label: str, tell: Tell, *words: str) -> None:
    """Run setup.py in a folder of sources and report its progress; raises BenchFailure."""
    log = log_beside.with_name(f"{log_beside.name}.log")
    modules = len(list((where / "cython_ext").rglob("*.pyx")))
    before, told = count_modules(where), -1
    with log.open("wb") as said, subprocess.Popen(
            [sys.executable, "setup.py", "-q", *words], cwd=where, env=build_environment(), stdin=subprocess.DEVNULL,
            stdout=said, stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            started = time.monotonic()
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(1)
                count, seconds = count_modules(where) - before, time.monotonic() - started
                if count > told and seconds > QUICK:
                    tell(f"building {label}: {count} of {modules} modules, {seconds:.0f} s")
                    told = count
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise BenchFailure(f"{label} cannot be built ({' '.join(words)} of its setup.py ends with code "
                           f"{process.returncode}); {log} says why")


def count_modules(where: Path) -> int:
    """Return the number of linked modules in a folder of sources."""
    return sum(1 for ending in ("*.so", "*.pyd") for _ in (where / "build" / "obj").rglob(ending))


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
    with locked(store.with_suffix(".lock"), "plays these games", tell):
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
    working, cache = working_tree(), cache_folder()
    ours = built(cache, working, build_working_tree(working), tell)
    sys.path.insert(0, str(ours.package))               # the arena is the copy's, too
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ours.package), os.environ.get("PYTHONPATH")]))
    from sfida.cython_ext.errors import SfidaError

    matches = planned_matches(asked, ours, tell)
    tell(f"{working.label} (the working tree) against {base.label} ({why})"
         + (": the same version" if working.tree == base.tree else ""))
    theirs = built(cache, base, build_committed(base, ours), tell)
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

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    try:
        commit, why = usual_base() if base is None else (named(base), "--base")
        if base is None:
            words += ["--base", commit[:SHORT]]         # so that the command stays valid when branches move
        return run(VersionTask(game, agent or f"ismcts:{budget}", games, sprt, with_luck, seed, jobs),
                   committed(commit), why, tell)
    except KeyboardInterrupt:
        tell("interrupted; what was played is kept, continue with: "
             + shlex.join(["python", "-m", "bench", "versions", *words]))
        return INTERRUPTED
