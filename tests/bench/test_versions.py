"""`bench versions`: revisions are found, built once and played against each other; an error takes one line."""

import importlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import sfida
from bench import BenchFailure, main, versions
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.store import Store

pytestmark = pytest.mark.release_only("the modules of revisions are those of the release build")


@pytest.fixture
def bench(monkeypatch, tmp_path):
    """Use a separate cache, and undo the command's changes to the process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    usual = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, usual)


@pytest.fixture
def repository(bench, monkeypatch, tmp_path):
    """Return a function that runs git in a repository with the parts of Sfida and two commits on `main`."""
    root = tmp_path / "repository"
    for part in ("ai", "api", "cli", "cython_ext", "engines", "docs"):
        (root / part).mkdir(parents=True)
        (root / part / "text").write_text(f"{part}\n")
    (root / "cython_ext" / "core.pyx").write_text("pass\n")
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "setup.py").write_text("print('set up')\n")
    (root / ".gitignore").write_text("*.so\n")
    monkeypatch.setattr(versions, "CHECKOUT", versions.revisions.Checkout(root))

    def git(*words):
        return subprocess.run(["git", "-C", root, "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
                              check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q", "-b", "main")
    for message in ("one", "two"):
        (root / "ai" / "text").write_text(message)
        git("add", "-A")
        git("commit", "-qm", message)
    return root, git


def sources(folder):
    """Return the names and contents of the unpacked files."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


# ---- the choice of revisions ----------------------------------------------------------------------------


def test_the_usual_base_is_where_the_branch_left_main(bench, repository):
    root, git = repository
    assert versions.CHECKOUT.usual_base() == (git("rev-parse", "HEAD~1"), "HEAD~1")
    main = git("rev-parse", "HEAD")
    git("checkout", "-qb", "work")
    (root / "ai" / "text").write_text("three")
    git("commit", "-qam", "three")
    assert versions.CHECKOUT.usual_base() == (main, "the merge base with main")


def test_a_working_tree_without_changes_is_that_of_its_commit(bench, repository):
    root, git = repository
    head = git("rev-parse", "HEAD")
    (root / "docs" / "text").write_text("documents are no part of a version")
    (root / "cython_ext" / "core.so").write_text("nor is what git ignores")
    working, committed = versions.CHECKOUT.working_tree(), versions.CHECKOUT.committed(head)
    assert (working.label, working.tree) == (committed.label, committed.tree) == (head[:7], working.key)
    git("commit", "-qam", "documents")
    assert versions.CHECKOUT.working_tree().key == working.key


@pytest.mark.parametrize("name", ["ai/text", "engines/new"])
def test_changes_that_are_not_committed_have_a_key_of_their_own(bench, repository, name):
    root, git = repository
    head, clean = git("rev-parse", "HEAD"), versions.CHECKOUT.working_tree()
    (root / name).write_text("changed")
    changed = versions.CHECKOUT.working_tree()
    assert changed == versions.CHECKOUT.working_tree()
    assert changed.label.startswith(f"{head[:7]}+")
    assert len({changed.key, clean.key}) == len({changed.tree, clean.tree}) == 2
    assert git("status", "--porcelain").split() == (["M", name] if name == "ai/text" else ["??", name])


def test_anything_that_decides_games_gives_their_store_another_name(bench, repository, tmp_path):
    root, git = repository
    base, head = (versions.CHECKOUT.committed(git("rev-parse", name)) for name in ("HEAD~1", "HEAD"))
    (root / "ai" / "text").write_text("changed")
    working = versions.CHECKOUT.working_tree()
    matches = [(base, working, "attila", "flat:c=1", 1), (head, working, "attila", "flat:c=1", 1),
               (base, head, "attila", "flat:c=1", 1), (base, working, "acres", "flat:c=1", 1),
               (base, working, "attila", "flat:c=2", 1), (base, working, "attila", "flat:c=1", 2),
               (base, working, "attila", "flat_c=1", 1), (base, working, "attila:" + "x" * 500, "flat:c=1", 1)]
    paths = [versions.store_path(tmp_path, *match) for match in matches]
    assert len(set(paths)) == len(matches)
    assert paths == [versions.store_path(tmp_path, *match) for match in matches]
    assert max(len(part) for path in paths for part in path.parts) < 120


# ---- building -------------------------------------------------------------------------------------------


def test_a_revision_is_built_once(bench, repository, tmp_path):
    _, git = repository
    seen = []
    first = versions.CHECKOUT.committed(git("rev-parse", "HEAD~1"))
    for _ in range(2):
        built = versions.CHECKOUT.built(tmp_path, first, lambda folder, tell: seen.append(sources(folder)), print)
    (files,) = seen
    assert files["ai/text"] == "one"
    assert set(files) == {"ai/text", "api/text", "cli/text", "cython_ext/core.pyx", "cython_ext/text", "engines/text",
                          "pyproject.toml", "setup.py"}
    assert built.folder.name == first.key
    assert built.agent("ismcts:seconds=1") == f"exec:{built.folder}/engine --agent ismcts:seconds=1"
    assert os.access(built.folder / "engine", os.X_OK)


def test_an_interrupted_build_is_begun_again(bench, repository, tmp_path):

    def interrupted(folder, tell):
        (folder / "half").touch()
        raise KeyboardInterrupt

    working, seen = versions.CHECKOUT.working_tree(), []
    with pytest.raises(KeyboardInterrupt):
        versions.CHECKOUT.built(tmp_path, working, interrupted, print)
    versions.CHECKOUT.built(tmp_path, working, lambda folder, tell: seen.append((folder / "half").exists()), print)
    assert seen == [False]


def test_two_processes_do_not_build_the_same_revision(bench, repository, tmp_path):
    working, begun, waits, told, builds = versions.CHECKOUT.working_tree(), threading.Event(), threading.Event(), [], []

    def slow(folder, tell):
        builds.append(folder)
        begun.set()
        assert waits.wait(10)

    def tell(line):
        told.append(line)
        waits.set()

    first = threading.Thread(target=versions.CHECKOUT.built, args=(tmp_path, working, slow, print))
    first.start()
    assert begun.wait(10)
    versions.CHECKOUT.built(tmp_path, working, slow, tell)
    first.join()
    assert len(builds) == 1
    assert told == [f"waiting for another process that builds {working.label}"]


def test_modules_that_are_the_same_are_not_compiled_again(bench, repository, tmp_path, monkeypatch):
    root, git = repository
    ran = []
    monkeypatch.setattr(versions.revisions.Checkout, "setup", lambda self, where, *more: ran.append((where, *more[3:])))
    (root / "cython_ext" / "core.so").write_text("compiled")
    working = versions.CHECKOUT.working_tree()
    ours = versions.CHECKOUT.built(tmp_path, working, versions.CHECKOUT.build_working_tree(working), print)
    assert ran == [(root, "build_ext", "--inplace"), (ours.folder, "stage")]
    assert (ours.folder / "cython_ext" / "core.so").read_text() == "compiled"

    def base(ref):
        ran.clear()
        revision = versions.CHECKOUT.committed(git("rev-parse", ref))
        compile_in = versions.CHECKOUT.build_committed(revision, ours)
        return versions.CHECKOUT.built(tmp_path, revision, compile_in, print).folder

    older = base("HEAD~1")
    assert ran == [(older, "stage")]
    assert (older / "cython_ext" / "core.so").read_text() == "compiled"
    (root / "cython_ext" / "core.pyx").write_text("other\n")
    git("commit", "-qam", "three")
    newer = base("HEAD")
    assert ran == [(newer, "build_ext", "--inplace")]


def test_a_build_that_fails_is_told_in_one_line(bench, repository, capsys):
    root, _ = repository
    (root / "setup.py").write_text("raise SystemExit('no compiler here')\n")
    assert main(["versions", "--game", "tic_tac_toe"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    label, log = line.split()[1], line.split("; ")[-1].split()[0]
    assert line == (f"error: {label} cannot be built (build_ext --inplace of its setup.py ends with code 1); "
                    f"{log} says why")
    assert "no compiler here" in Path(log).read_text()


# ---- arguments ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "reason"), [
    (["--games", "x"], "Invalid value for '--games' / '-n': 'x' is not a valid integer range."),
    (["--seconds", "1", "--iterations", "5"], "--seconds, --iterations and --agent do not go together"),
    (["--iterations", "0"], "Invalid value for '--iterations': 0 is not in the range x>=1."),
    (["-n", "0"], "Invalid value for '--games' / '-n': 0 is not in the range x>=1."),
])
def test_wrong_arguments_take_one_line(bench, capsys, words, reason):
    assert main(["versions", *words]) == 2
    assert capsys.readouterr().err == f"error: {reason} (see: python -m bench versions --help)\n"


@pytest.mark.parametrize(("words", "reason"), [
    (["--base", "nonsense"], "'nonsense' is no revision of this repository"),
    (["--base=--all"], "'--all' is no revision of this repository"),
    (["--game", "chess"], "unknown game 'chess'"),
    (["--agent", "ismcts:wits=3"], "unknown option 'wits' of agent 'ismcts'"),
    (["--sprt", "elo0=9,elo1=3"], "option 'elo0' of the sequential test must be below 'elo1'"),
])
def test_what_cannot_be_played_takes_one_line(bench, repository, capsys, monkeypatch, words, reason):
    monkeypatch.setattr(versions.revisions.Checkout, "built",
                        lambda self, cache, revision, *more: versions.revisions.Built(revision, cache))
    assert main(["versions", *words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {reason}")


# ---- playing --------------------------------------------------------------------------------------------


@pytest.fixture
def match(bench, repository, tmp_path):
    """Return a match of two revisions, both of which are really the Sfida under test."""
    root, git = repository

    def link(folder, tell):
        package = folder / "build" / "package" / "sfida"
        package.mkdir(parents=True)
        parts = {name: Path(next(iter(importlib.import_module(f"sfida.{name}").__path__)))
                 for name in ("ai", "cli", "cython_ext", "engines")}
        for name, place in {**{path.name: path for path in Path(sfida.__file__).parent.iterdir()}, **parts}.items():
            (package / name).symlink_to(place.resolve())

    (root / "ai" / "text").write_text("changed")
    sides = [versions.CHECKOUT.built(tmp_path, revision, link, print)
             for revision in (versions.CHECKOUT.working_tree(), versions.CHECKOUT.committed(git("rev-parse", "HEAD")))]
    return versions.VersionMatch("tic_tac_toe", "ismcts:iterations=5", *sides, 4, 1, SprtOptions(), 60.0)


def test_a_game_is_one_line_and_is_not_played_twice(bench, match, tmp_path, capsys):
    store, told, times = tmp_path / "stores" / "match.sfida", [], []
    for _ in range(2):
        versions.play(match, store, 1, told.append)
        with Store.read(store) as held:
            times.append([game.wall for game in held.outcomes()])
    assert times[0] == times[1]
    assert len(times[0]) == 4
    first, again = capsys.readouterr().out.splitlines()
    assert first == again
    words = first.split("  ")
    assert (words[0], words[3:]) == ("tic_tac_toe", ["4 games", "ismcts:iterations=5",
                                                     f"{match.working.label} : {match.base.label}"])
    assert words[1].startswith("Elo ")
    assert words[2].endswith(", undecided (0 or 35)")
    assert told[0].startswith("tic_tac_toe: the protocol takes ")
    assert f"ms a decision of {match.working.label}, " in told[0]


def test_what_was_played_before_ctrl_c_is_told(bench, match, tmp_path, capsys, monkeypatch):
    usual = versions.VersionMatch.planned
    monkeypatch.setattr(versions.VersionMatch, "protocol_cost", lambda self: (0.0, 0.0))

    class Interrupted:
        def __init__(self, planned):
            self.planned, self.setup = planned, planned.setup

        def run(self, *arguments, **options):
            self.planned.run(*arguments, **options)
            raise KeyboardInterrupt

    monkeypatch.setattr(versions.VersionMatch, "planned", lambda self: Interrupted(usual(self)))
    with pytest.raises(KeyboardInterrupt):
        versions.play(match, tmp_path / "match.sfida", 1, print)
    assert capsys.readouterr().out.splitlines()[-1].endswith("(interrupted)")


def test_the_command_that_goes_on_names_the_base(bench, repository, capsys, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    _, git = repository
    monkeypatch.setattr(versions, "run", interrupted)
    base = git("rev-parse", "HEAD~1")[:7]
    for words, more in ((["--game", "a b"], f"--game 'a b' --base {base}"), (["--base", "HEAD"], "--base HEAD")):
        assert main(["versions", *words]) == 130
        assert capsys.readouterr().err.endswith(f"continue with: python -m bench versions {more}\n")


REFUSES = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind != "new_game":
        print(json.dumps({"type": "ready" if kind == "hello" else "error", "protocol": 1, "message": "unknown game"}),
              flush=True)
"""


@pytest.mark.parametrize(("program", "reason"), [
    ("import sys; sys.exit('error: unknown option')",
     "{0} cannot play ismcts:iterations=5: {0} ended with exit code 1; its last words: error: unknown option"),
    (REFUSES, "tic_tac_toe cannot be played: {0} gives up: unknown game"),
], ids=["option", "game"])
def test_what_the_other_revision_does_not_know_takes_one_line(bench, match, tmp_path, program, reason):
    (match.base.folder / "engine").write_text(f"#!{sys.executable}\n{program}\n")
    with pytest.raises(BenchFailure) as found:
        versions.play(match, tmp_path / "match.sfida", 1, print)
    assert str(found.value) == reason.format(match.base.label)


# ---- speed before and after


def test_before_and_after_is_one_row_a_game(capsys, monkeypatch):
    rate = {"before": 50_000.0, "after": 75_000.0, "ratio": 1.5, "range": [1.42, 1.61]}
    asked = []

    def compare(game, *words):
        asked.append((game.spec(), *words[:3]))
        return {"game": game.spec(), "iterations_per_s": rate, "instructions": {"ratio": 1.25}, "same": True}

    monkeypatch.setattr("sfida.ai.research.comparing.compare", compare)
    assert main(["before-after", "HEAD~1", "--games", "tic_tac_toe", "kuhn_poker", "--seconds", "0.5"]) == 0
    assert asked == [(game, "ismcts", "HEAD~1", 0.5) for game in ("tic_tac_toe", "kuhn_poker")]
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "| game | before | now | times as fast | instructions | same results |"
    assert rows[2] == "| tic_tac_toe | 50,000 | 75,000 | 1.50 [1.42, 1.61] | 1.25 | yes |"
    assert main(["before-after", "HEAD~1", "--games", "kuhn_poker", "--json"]) == 0
    assert '"ratio": 1.25' in capsys.readouterr().out
