"""Revisions of Sfida, each unpacked and built in a folder of its own, where it can be seated as a program.

Nothing here imports Sfida: the compiled modules of the working tree may still have to be brought up to date.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("ai", "api", "cli", "cython_ext", "engines", "pyproject.toml", "setup.py")     # what a version is made of
COMPILED = ("cython_ext", "setup.py")       # what the compiled modules are made of
MAIN = "main"
DONE = ".built"                             # written last: a folder without it is begun again
ENGINE = "engine"                           # the program that seats a revision
QUICK = 5.0                                 # seconds after which a build tells how far it has got
SHORT = 7                                   # digits of a hash that people are shown

Tell = Callable[[str], None]


class RevisionError(Exception):
    """A revision cannot be found or built; the message is one line."""


@dataclass(frozen=True)
class Revision:
    """A version of the source.

    Attributes
    ----------
    label : str
        For people: the first digits of the commit, and for changes that are not committed "+" and those of the tree.
    key : str
        Name of its folder in the cache: the hash of the commit; of the working tree, whose commit may follow, `tree`.
    tree : str
        Hash of the git tree of its parts.
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
        """What to put on the path of modules."""
        return self.folder / "build" / "package"

    def agent(self, spec: str) -> str:
        """Return the spec that seats one of its agents as a program."""
        return "exec:" + shlex.join([str(self.folder / ENGINE), "--agent", spec])


# ---- git ------------------------------------------------------------------------------------------------


def git(*words: str, stdin: bytes = b"", index: str = "") -> bytes:
    """Return what git answers in the repository; raises RevisionError with what it complains of."""
    env = {**os.environ, "GIT_INDEX_FILE": index} if index else None
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *words], input=stdin, capture_output=True, check=True, env=env)
    except FileNotFoundError:
        raise RevisionError("git is not installed") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        raise RevisionError(f"git {words[0]}: {said[0] if said else 'failed'}") from None
    return done.stdout


def named(ref: str) -> str:
    """Return the hash of the commit that a reference names; raises RevisionError."""
    with contextlib.suppress(RevisionError):
        found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
        if found:
            return found
    raise RevisionError(f"'{ref}' is no revision of this repository")


def usual_base() -> tuple[str, str]:
    """Return the commit that a working tree is compared with by default, and what it is.

    The merge base with the branch `main`; HEAD~1 if that is HEAD itself, or if there is no such branch.
    """
    head = named("HEAD")
    with contextlib.suppress(RevisionError):
        base = git("merge-base", "HEAD", MAIN).decode().strip()
        if base != head:
            return base, f"the merge base with {MAIN}"
    return named("HEAD~1"), "HEAD~1"


def committed(commit: str) -> Revision:
    """Return the revision of a commit, given by its hash."""
    entries = git("ls-tree", commit, "--", *PARTS)
    return Revision(commit[:SHORT], commit, git("mktree", stdin=entries).decode().strip())


def working_tree() -> Revision:
    """Return the working tree as it is: tracked files and new ones that git does not ignore."""
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
    """Return the folder of builds and stores, one for each Python and build mode; it may be deleted at any time."""
    mode = "native" if build_environment()["SFIDA_NATIVE"] == "1" else "portable"
    place = platformdirs.user_cache_path("sfida", appauthor=False) / "versions"
    return place / f"{sys.implementation.cache_tag}-{mode}"


@contextlib.contextmanager
def locked(path: Path, what: str, tell: Tell) -> Iterator[None]:
    """Hold a lock, which ends with this process; wait for another one that holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(f"waiting for another process that {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def built(cache: Path, revision: Revision, compile_in: Callable[[Path, Tell], None], tell: Tell) -> Built:
    """Return a revision that can play; it is unpacked and built unless that has been done before.

    Parameters
    ----------
    cache : Path
    revision : Revision
    compile_in : callable
        Given the folder of the sources, puts the compiled modules and the links of `build/package` into it.
    tell : callable
        Takes lines about what takes time.

    Raises
    ------
    RevisionError
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
    """Return the environment of every build: the modes of `make`, so that both sides are compiled alike."""
    return {"SFIDA_NATIVE": "1", "SFIDA_JOBS": str(os.cpu_count() or 1), **os.environ, "SFIDA_DEBUG": "0"}


def build_working_tree(working: Revision) -> Callable[[Path, Tell], None]:
    """Return what builds a copy of the working tree: only what has changed there is compiled, and in place."""
    def compile_in(folder: Path, tell: Tell) -> None:
        setup(ROOT, folder, working.label, tell, "build_ext", "--inplace")
        if working_tree() != working:
            raise RevisionError("the working tree was changed while it was built: start again")
        take_modules(ROOT, folder)
        setup(folder, folder, working.label, tell, "stage")
    return compile_in


def build_committed(revision: Revision, beside: Built) -> Callable[[Path, Tell], None]:
    """Return what builds a commit: modules that are those of another revision are not compiled again."""
    def compile_in(folder: Path, tell: Tell) -> None:
        if same_modules(revision.tree, beside.revision.tree):
            take_modules(beside.folder, folder)
            setup(folder, folder, revision.label, tell, "stage")
        else:
            setup(folder, folder, revision.label, tell, "build_ext", "--inplace")
    return compile_in


def take_modules(source: Path, target: Path) -> None:
    """Copy the compiled modules of one folder of sources to another with the same ones."""
    for path in sorted((target / "cython_ext").rglob("*.pyx")):
        name = path.relative_to(target).with_suffix("")
        found = [source / f"{name}{ending}" for ending in EXTENSION_SUFFIXES]
        module = next((path for path in found if path.exists()), None)
        if module is None:
            raise RevisionError(f"{source / name}: there is no compiled module")
        shutil.copy2(module, (target / name).with_name(module.name))


def setup(where: Path, log_beside: Path, label: str, tell: Tell, *words: str) -> None:
    """Run setup.py in a folder of sources and tell how far it has got; raises RevisionError."""
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
        raise RevisionError(f"{label} cannot be built ({' '.join(words)} of its setup.py ends with code "
                            f"{process.returncode}); {log} tells why")


def count_modules(where: Path) -> int:
    """Return how many modules have been linked in a folder of sources."""
    return sum(1 for ending in ("*.so", "*.pyd") for _ in (where / "build" / "obj").rglob(ending))
