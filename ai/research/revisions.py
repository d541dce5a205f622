"""Revisions of Sfida, each built once in a folder of the cache: what comparisons of versions and of speeds share.

`python -m bench versions` loads this file before the compiled modules are up to date, so it imports nothing of Sfida.
"""

from __future__ import annotations

import contextlib
import filecmp
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

try:
    import fcntl
except ImportError:                         # Windows
    fcntl = None                            # type: ignore[assignment]

PARTS = ("ai", "api", "cli", "cython_ext", "engines", "pyproject.toml", "setup.py")     # files of a version
COMPILED = ("cython_ext", "setup.py")       # files that determine the compiled modules
MAIN = "main"
DONE = ".built"                             # file written last; a folder without it is built again
ENGINE = "engine"                           # the program that seats a revision
QUICK = 5.0                                 # seconds after which a build reports its progress
SHORT = 7                                   # digits of a hash shown to people
QUOTED = 60                                 # characters of a reference in an error
SAMPLE = "cython_ext/search/iteration"      # a module that differs between the modes
Tell = Callable[[str], None]


class RevisionFailure(Exception):
    """A revision cannot be found or built; the message is one line."""


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
    """A revision that can run.

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


# ---- git


@dataclass(frozen=True)
class Checkout:
    """A git checkout of Sfida.

    Attributes
    ----------
    root : Path
        Its top folder.
    """

    root: Path

    @classmethod
    def here(cls) -> Checkout:
        """Return the checkout that this file belongs to; raises RevisionFailure if it was installed from a package."""
        found = cls(Path(__file__).resolve().parents[2])
        if fcntl is None:
            raise RevisionFailure("revisions are built on Linux and macOS only")
        with contextlib.suppress(RevisionFailure):
            if (found.root / "setup.py").is_file() and Path(
                    found.git("rev-parse", "--show-toplevel").decode().rstrip("\n")).resolve() == found.root:
                return found
        raise RevisionFailure(f"revisions can be built only from a git checkout of Sfida, which '{found.root}' is not")

    def git(self, *words: str, stdin: bytes = b"", index: str = "") -> bytes:
        """Return the output of git in the checkout; raises RevisionFailure with git's error message."""
        env = {**os.environ, "GIT_INDEX_FILE": index} if index else None
        try:
            done = subprocess.run(["git", "-C", str(self.root), *words], input=stdin, capture_output=True, check=True,
                                  env=env)
        except FileNotFoundError:
            raise RevisionFailure("git is not installed") from None
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").strip().splitlines()
            raise RevisionFailure(f"git {words[0]}: {said[0] if said else 'failed'}") from None
        return done.stdout

    def named(self, ref: str) -> str:
        """Return the hash of the commit named by a reference; raises RevisionFailure."""
        with contextlib.suppress(RevisionFailure, ValueError):      # ValueError: no word that a program can be given
            found = self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
            if found.strip():
                return found.decode().strip()
        short = ref if len(ref) <= QUOTED else f"{ref[:QUOTED]}…"
        raise RevisionFailure(f"'{short}' is no revision of this repository")

    def usual_base(self) -> tuple[str, str]:
        """Return the commit with which the working tree is compared by default, and its description.

        It is the merge base with the branch `main`; HEAD~1 if the merge base is HEAD, or if there is no such branch.
        """
        head = self.named("HEAD")
        with contextlib.suppress(RevisionFailure):
            base = self.git("merge-base", "HEAD", MAIN).decode().strip()
            if base != head:
                return base, f"the merge base with {MAIN}"
        return self.named("HEAD~1"), "HEAD~1"

    def committed(self, commit: str) -> Revision:
        """Return the revision of a commit, given by its hash."""
        entries = self.git("ls-tree", commit, "--", *PARTS)
        return Revision(commit[:SHORT], commit, self.git("mktree", stdin=entries).decode().strip())

    def working_tree(self) -> Revision:
        """Return the revision of the working tree: tracked files and new files that git does not ignore."""
        head = self.committed(self.named("HEAD"))
        with tempfile.TemporaryDirectory() as folder:
            index = str(Path(folder) / "index")
            self.git("add", "--all", "--", *PARTS, index=index)
            tree = self.git("write-tree", index=index).decode().strip()
        return Revision(head.label if tree == head.tree else f"{head.label}+{tree[:SHORT]}", tree, tree)

    def same_modules(self, one: str, other: str) -> bool:
        """Return whether two trees have the same compiled modules."""
        first, second = (self.git("ls-tree", tree, "--", *COMPILED) for tree in (one, other))
        return bool(first) and first == second

    # ---- the cache

    def mode(self) -> str:
        """Return the mode of every build: that of SFIDA_NATIVE, or of the modules beside the sources, or "native"."""
        asked = os.environ.get("SFIDA_NATIVE")
        if asked is not None:
            return "native" if asked == "1" else "portable"
        held = [path for ending in EXTENSION_SUFFIXES if (path := self.root / f"{SAMPLE}{ending}").exists()]
        made = self.root.glob(f"build/obj/portable/lib*/sfida/{SAMPLE}.*")
        return "portable" if any(filecmp.cmp(held[0], path, shallow=False) for path in made if held) else "native"

    def environment(self) -> dict[str, str]:
        """Return the environment of every build, so that all revisions are compiled the same way."""
        return {"SFIDA_JOBS": str(os.cpu_count() or 1), **os.environ, "SFIDA_DEBUG": "0",
                "SFIDA_NATIVE": "1" if self.mode() == "native" else "0"}

    def cache_folder(self) -> Path:
        """Return the folder of builds and stores, one per Python and build mode; it may be deleted at any time."""
        place = platformdirs.user_cache_path("sfida", appauthor=False) / "versions"
        return place / f"{sys.implementation.cache_tag}-{self.mode()}"

    def built(self, cache: Path, revision: Revision, compile_in: Callable[[Path, Tell], None], tell: Tell) -> Built:
        """Return a revision that can run; unpack and build the revision if the cache does not hold it.

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
        RevisionFailure
        """
        folder = cache / "builds" / revision.key
        with locked(cache / "builds" / f"{revision.key}.lock", f"builds {revision.label}", tell):
            if not (folder / DONE).exists():
                shutil.rmtree(folder, ignore_errors=True)
                self.unpack(revision.tree, folder)
                compile_in(folder, tell)
                write_engine(Built(revision, folder))
                (folder / DONE).touch()
        return Built(revision, folder)

    def unpack(self, tree: str, folder: Path) -> None:
        """Write the files of a git tree into a new folder."""
        folder.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(self.git("archive", "--format=tar", tree))) as packed:
            packed.extractall(folder, filter="data")

    # ---- building

    def build_working_tree(self, working: Revision) -> Callable[[Path, Tell], None]:
        """Return the function that builds a copy of the working tree; changed modules are compiled there, in place."""
        def compile_in(folder: Path, tell: Tell) -> None:
            self.setup(self.root, folder, working.label, tell, "build_ext", "--inplace")
            if self.working_tree() != working:
                raise RevisionFailure("the working tree was changed while it was built: start again")
            take_modules(self.root, folder)
            self.setup(folder, folder, working.label, tell, "stage")
        return compile_in

    def build_committed(self, revision: Revision, beside: Built) -> Callable[[Path, Tell], None]:
        """Return the function that builds a commit; if another revision has the same modules, they are copied."""
        def compile_in(folder: Path, tell: Tell) -> None:
            if self.same_modules(revision.tree, beside.revision.tree):
                take_modules(beside.folder, folder)
                self.setup(folder, folder, revision.label, tell, "stage")
            else:
                self.setup(folder, folder, revision.label, tell, "build_ext", "--inplace")
        return compile_in

    def setup(self, where: Path, log_beside: Path, label: str, tell: Tell, *words: str) -> None:
        """Run setup.py in a folder of sources and report its progress; raises RevisionFailure."""
        log = log_beside.with_name(f"{log_beside.name}.log")
        modules = len(list((where / "cython_ext").rglob("*.pyx")))
        before, told = count_modules(where), -1
        with log.open("wb") as said, subprocess.Popen(
                [sys.executable, "setup.py", "-q", *words], cwd=where, env=self.environment(),
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True) as process:
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
            raise RevisionFailure(f"{label} cannot be built ({' '.join(words)} of its setup.py ends with code "
                                  f"{process.returncode}); {log} says why")


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


def write_engine(built: Built) -> None:
    """Write the program that seats a revision."""
    engine = built.folder / ENGINE
    engine.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(built.package))} "
                      f"exec {shlex.quote(sys.executable)} -P -m sfida engine \"$@\"\n")
    engine.chmod(0o755)


def take_modules(source: Path, target: Path) -> None:
    """Copy the compiled modules of one folder of sources to another folder with the same sources."""
    for path in sorted((target / "cython_ext").rglob("*.pyx")):
        name = path.relative_to(target).with_suffix("")
        found = [source / f"{name}{ending}" for ending in EXTENSION_SUFFIXES]
        module = next((path for path in found if path.exists()), None)
        if module is None:
            raise RevisionFailure(f"{source / name}: there is no compiled module")
        shutil.copy2(module, (target / name).with_name(module.name))


def count_modules(where: Path) -> int:
    """Return the number of linked modules in a folder of sources."""
    return sum(1 for ending in ("*.so", "*.pyd") for _ in (where / "build" / "obj").rglob(ending))
