"""Two revisions side by side: the same searches in both, in a small repository whose revisions are this Sfida."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path

import pytest

import sfida
from sfida.ai.research import comparing, revisions, searches
from sfida.ai.research.comparing import ComparisonFailure, compare
from sfida.ai.research.revisions import Checkout, RevisionFailure
from sfida.ai.research.searches import STEPS
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.registry import make_game

pytestmark = pytest.mark.release_only("the modules of revisions are those of the release build")

SETUP = """
import sys
from pathlib import Path
package = Path("build/package/sfida")
if "stage" in sys.argv or "build_ext" in sys.argv:
    package.mkdir(parents=True, exist_ok=True)
    for name, place in {links!r}.items():
        if not (package / name).exists():
            (package / name).symlink_to(place)
"""


def setup_text(without=()):
    """Return a setup.py whose package is this Sfida, without some of its parts."""
    parts = {path.name: path for path in Path(sfida.__file__).parent.iterdir()}
    parts |= {name: Path(next(iter(importlib.import_module(f"sfida.{name}").__path__)))
              for name in ("ai", "cli", "cython_ext", "engines")}
    return SETUP.format(links={name: str(place.resolve()) for name, place in parts.items() if name not in without})


@pytest.fixture
def repository(monkeypatch, tmp_path):
    """Return a function that runs git in a repository in which `here` is; HEAD~1 lacks the folder ai."""
    root = tmp_path / "repository"
    for part in ("ai/research", "api", "cli", "cython_ext", "engines"):
        (root / part).mkdir(parents=True)
        (root / part / "text").write_text(f"{part}\n")
    shutil.copy(searches.__file__, root / "ai" / "research" / "searches.py")
    (root / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SFIDA_NATIVE", "1")
    monkeypatch.setattr(revisions, "__file__", str(root / "ai" / "research" / "revisions.py"))

    def git(*words):
        return subprocess.run(["git", "-C", root, "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
                              check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q", "-b", "main")
    (root / ".gitignore").write_text("build\n")
    for message, without in (("one", ("ai",)), ("two", ())):
        (root / "setup.py").write_text(setup_text(without))
        git("add", "-A")
        git("commit", "-qm", message)
    return root, git


def test_both_run_the_same_searches(repository):
    root, git = repository
    (root / "ai" / "text").write_text("changed\n")
    told = []
    found = compare(make_game("leduc_poker"), "ismcts:iterations=40", "HEAD", 0.05, told.append, pairs=2)
    head = git("rev-parse", "HEAD")[:7]
    assert (found["type"], found["before"], found["pairs"]) == ("comparison", head, 2)
    assert found["after"].startswith(f"{head}+")
    assert found["same"]
    assert found["iterations"] == 40 * found["searches"]
    rate = found["iterations_per_s"]
    assert rate["range"][0] <= rate["ratio"] <= rate["range"][1]
    assert rate["before"] > 0 < rate["after"]
    assert set(found["step_us"]) == set(STEPS)
    assert found["step_us"]["playout"]["before"] > 0
    assert (found["build"], found["instructions"]) == ("native", None)
    assert "portable build" in found["instructions_missing"]
    assert told[-1] == "pair 2 of 2"


def test_what_the_older_revision_does_not_know_takes_one_line(repository):
    _, git = repository
    with pytest.raises(ComparisonFailure) as caught:
        compare(make_game("kuhn_poker"), "ismcts", "HEAD~1", 0.02, print)
    assert str(caught.value) == f"{git('rev-parse', 'HEAD~1')[:7]} cannot run these searches: it has no sfida.ai"


def test_a_revision_that_does_not_exist_takes_one_line(repository):
    with pytest.raises(ComparisonFailure, match="'nonsense' is no revision of this repository"):
        compare(make_game("kuhn_poker"), "ismcts", "nonsense", 0.02, print)
    with pytest.raises(InvalidOption, match="only agents that search a tree"):
        compare(make_game("kuhn_poker"), "greedy", "HEAD", 0.02, print)


# ---- instructions


VALGRIND = """#!/bin/sh
for word; do case $word in --callgrind-out-file=*) file="${word#*=}";; esac; done
case $PYTHONPATH in *older*) count=9000;; *) count=6000;; esac
echo "summary: $count" >"$file"
"""


@pytest.fixture
def sides(tmp_path):
    return tuple(revisions.Built(revisions.Revision(name, name, name), tmp_path / name) for name in ("older", "newer"))


def counts(sides, mode="portable", settled=(400, 200), cpu=0.2):
    about = {"game": "kuhn_poker", "agent": "ismcts", "seconds": 1.0}
    return comparing._instructions(mode, sides, Path(searches.__file__), about, settled, cpu, lambda line: None)


def test_instructions_are_those_of_an_iteration(sides, tmp_path, monkeypatch):
    program = tmp_path / "bin" / "valgrind"
    program.parent.mkdir()
    program.write_text(VALGRIND)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    found = counts(sides)                       # half of the iterations, which took twice the time
    assert found == {"instructions": {"before": 30.0, "after": 20.0, "ratio": 1.5}, "instructions_missing": None}
    program.write_text("#!/bin/sh\necho 'valgrind: Unrecognised instruction' >&2\nexit 132\n")
    assert counts(sides)["instructions_missing"] == "callgrind: valgrind: Unrecognised instruction"


def test_without_valgrind_there_are_no_instructions(sides, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert counts(sides) == {"instructions": None, "instructions_missing": "callgrind: not installed"}


# ---- the checkout


def test_what_is_installed_from_a_package_is_no_checkout(tmp_path, monkeypatch, repository):
    root, _ = repository
    assert Checkout.here() == Checkout(root)
    inside = root / ".venv" / "sfida"                   # in a checkout of something else
    for place in (tmp_path / "site" / "sfida", inside):
        (place / "ai" / "research").mkdir(parents=True)
        (place / "setup.py").touch()
        monkeypatch.setattr(revisions, "__file__", str(place / "ai" / "research" / "revisions.py"))
        with pytest.raises(RevisionFailure) as caught:
            Checkout.here()
        assert str(caught.value) == f"revisions can be built only from a git checkout of Sfida, which '{place}' is not"


def test_the_mode_is_that_of_the_modules_beside_the_sources(tmp_path, monkeypatch):
    checkout = Checkout(tmp_path)
    monkeypatch.setenv("SFIDA_NATIVE", "0")
    assert checkout.mode() == "portable"
    monkeypatch.delenv("SFIDA_NATIVE")
    assert checkout.mode() == "native"                  # nothing is built: as `make` does
    beside = tmp_path / f"{revisions.SAMPLE}.so"
    made = tmp_path / "build" / "obj" / "portable" / "lib" / "sfida" / f"{revisions.SAMPLE}.so"
    for path in (beside, made):
        path.parent.mkdir(parents=True)
        path.write_text("portable")
    assert checkout.mode() == "portable"
    assert checkout.environment()["SFIDA_NATIVE"] == "0"
    beside.write_text("native")
    assert checkout.mode() == "native"
