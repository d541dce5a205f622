"""Outputs of the commands: no output replaces an input or another output, and no folder appears unasked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from sfida.cli.file_options import REPORT_FILES, FilePath, GameOrRecord, OutputFile, OutputFolder
from sfida.cli.main import COMMANDS, main
from sfida.cli.train import FOLDER_FILES
from sfida.engines.registry import make_game

pytestmark = pytest.mark.release_only("nothing compiled")

RANDOMS = ("--seat", "random", "--seat", "random")
NETWORK = "ismcts:iterations=2,knowledge=net.json"
# A command line for each output; INPUT is a file that the command reads, given directly or in a spec.
ASKED = {
    ("play", "--record"): ("play", "carcassonne", "--seat", NETWORK, "--seat", "random"),
    ("tournament", "--store"): ("tournament", "carcassonne", NETWORK, "random", "-n", 2),
    ("tournament", "--report"): ("tournament", "carcassonne", NETWORK, "random", "-n", 2),
    ("ratings", "--export"): ("ratings", "games.sfida"),
    ("ratings", "--report"): ("ratings", "games.sfida"),
    ("study", "--store"): ("study", "carcassonne", NETWORK, "random", "-n", 4),
    ("study", "--csv"): ("study", "carcassonne", "--store", "games.sfida"),
    ("study", "--svg"): ("study", "carcassonne", "--store", "games.sfida"),
    ("train", "--folder"): ("train", "carcassonne", "-n", 2),
    ("train", "--out"): ("train", "carcassonne", "-n", 2, "--agent", NETWORK),
    ("tune", "--out"): ("tune", "carcassonne", "--agent", "ismcts", "--over", "c=0.5..1", "--budget", 8),
    ("replay", "--svg"): ("replay", "game.jsonl"),
    ("review", "--html"): ("review", "game.jsonl"),
    ("profile", "--svg"): ("profile", "carcassonne", "--agent", NETWORK, "--seconds", 0.01),
}
FILES = [key for key in ASKED if key not in {("tournament", "--report"), ("ratings", "--report"),
                                             ("train", "--folder"), ("tune", "--out")}]


def read_by(words: tuple[object, ...]) -> str:
    """Return the file that a command of `ASKED` reads."""
    return next((name for name in ("games.sfida", "game.jsonl") if name in words), "net.json")


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        yield from ((name, parameter) for parameter in command.params)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the contents of input files: a store, a record and a network."""
    from click.testing import CliRunner

    from sfida.engines.learned import path_beside

    folder = tmp_path_factory.mktemp("made")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for words in (("tournament", "carcassonne", "greedy", "random", "greedy", "random", "-n", "8", "--seed", "1",
                       "-q", "--store", "games.sfida"),
                      ("play", "tic_tac_toe", *RANDOMS, "--seed", "1", "--no-record", "--record", "game.jsonl")):
            assert CliRunner().invoke(main, words).exit_code == 0
    finally:
        os.chdir(before)
    network = path_beside(type(make_game("carcassonne")))
    assert network is not None
    return {"games.sfida": (folder / "games.sfida").read_bytes(), "game.jsonl": (folder / "game.jsonl").read_bytes(),
            "net.json": network.read_bytes()}


@pytest.fixture(autouse=True)
def held(made: dict[str, bytes]) -> Iterator[None]:
    """Put the files into the current folder, and check after the test that they are unchanged."""
    for name, data in made.items():
        Path(name).write_bytes(data)
    yield
    assert {name: Path(name).read_bytes() for name in made} == made


def refused(result, *words: str) -> None:
    assert result.exit_code in (1, 2), result.output
    assert result.stdout == "", "nothing was done"
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1, result.stderr
    for word in words:
        assert word in result.stderr


def test_every_path_is_known_to_the_guard():
    outputs = set()
    for name, parameter in parameters():
        if isinstance(parameter.type, click.Path):
            assert isinstance(parameter.type, FilePath)
            assert type(parameter.type) is not FilePath, f"{name} {parameter.opts}: is it read or written?"
        elif {"FILE", "DIR", "RECORD", "STORE", "PATH"} & set((parameter.metavar or "").split("|")):
            assert isinstance(parameter.type, GameOrRecord), f"{name} {parameter.opts} may be a file"
        if isinstance(parameter.type, OutputFile | OutputFolder):
            outputs.add((name, parameter.opts[0]))
    assert outputs == set(ASKED), "each output is tried below"


def _another(path: str) -> str:
    return f"./{path}"


def _absolute(path: str) -> str:
    return f"//{Path(path).absolute()}"


def _link(path: str) -> str:
    Path("link").symlink_to(path)
    return "link"


def _hard_link(path: str) -> str:
    os.link(path, "hard")
    return "hard"


def _through_a_folder(path: str) -> str:
    Path("folder").symlink_to(Path.cwd())
    return f"folder/{path}"


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize("name", [str, _another, _absolute, _link, _hard_link, _through_a_folder])
@pytest.mark.parametrize("output", FILES, ids=" ".join)
def test_no_output_replaces_what_is_read(sfida, output, name: Callable[[str], str]):
    words = ASKED[output]
    refused(sfida(*words, output[1], name(read_by(words))), output[1], "name another one")


@pytest.mark.parametrize("output", ASKED, ids=" ".join)
def test_no_folder_appears_unasked(sfida, output):
    refused(sfida(*ASKED[output], output[1], "missing/deep/x.out"), "missing/deep/x.out: No such file or directory")
    assert not Path("missing").exists()


@pytest.mark.parametrize("output", ASKED, ids=" ".join)
def test_files_and_folders_are_told_apart(sfida, output):
    Path("folder").mkdir()
    file = output in FILES
    refused(sfida(*ASKED[output], output[1], "folder" if file else "game.jsonl"),
            "is a directory" if file else "is a file")


@pytest.mark.parametrize("words", [
    ("study", "carcassonne", "--store", "games.sfida", "--csv", "new", "--svg", "./new"),
    ("study", "carcassonne", "random", "greedy", "--store", "new", "--csv", "new"),
    ("study", "carcassonne", "random", "greedy", "--vary", "players=2,3", "--store", "new.sfida", "--csv",
     "new.players-3.sfida"),
    ("study", "carcassonne", "--store", "games.sfida", "--csv", "games.sfida-wal"),
    ("ratings", "games.sfida", "--export", "games.sfida-journal"),
    ("ratings", "games.sfida", "--export", "rep/agents.csv", "--report", "rep"),
    ("ratings", "new.sfida", "--import", "game.jsonl", "--export", "new.sfida"),
    ("tournament", "carcassonne", "random", "greedy", "--store", "new", "--report", "new"),
    ("tournament", "carcassonne", "random", "greedy", "--store", "rep/games.csv", "--report", "rep"),
    ("tournament", "carcassonne", "random", "exec:python3 net.json", "--store", "net.json"),
    ("train", "carcassonne", "--folder", "t", "--out", "t/training.json"),
    ("train", "carcassonne", "--folder", "t", "--out", "./t/games-1-present.sfida"),
    ("tournament", "risiko:objectives=net.json", "random", "greedy", "--store", "net.json"),
    ("study", "attila", "--vary", "map=reconstructed,net.json", "--csv", "net.json"),
    ("tune", "carcassonne", "--agent", "ismcts", "--over", "knowledge=hand|rep/tune.json", "--out", "rep"),
    ("play", "game.jsonl", "--record", "./game.jsonl"),
], ids=lambda words: " ".join(words)[:60])
def test_no_output_replaces_another_or_what_a_spec_names(sfida, words):
    Path("rep").mkdir()
    Path("rep/tune.json").write_text("{}")
    refused(sfida(*words), "name another one")
    assert not Path("new").exists()
    assert [path.name for path in Path("rep").iterdir()] == ["tune.json"]


def test_what_a_record_or_a_store_names_is_not_replaced(sfida):
    sfida("play", "carcassonne", "--seat", NETWORK, "--seat", "random", "--seed", 1, "--record", "known.jsonl")
    for words in (("replay", "known.jsonl", "--svg", "net.json"), ("review", "known.jsonl", "--html", "net.json")):
        refused(sfida(*words), f"would replace the file that is read, which '{NETWORK}' names")
    sfida("tournament", "carcassonne", NETWORK, "random", "-n", 2, "--no-luck", "-q", "--store", "known.sfida")
    for words in (("ratings", "known.sfida", "--export", "net.json"),
                  ("study", "carcassonne", "--store", "known.sfida", "--svg", "net.json")):
        refused(sfida(*words), f"would replace the file that is read, which '{NETWORK}' names")


def test_devices_may_be_written_to_twice(sfida):
    done = sfida("study", "carcassonne", "--store", "games.sfida", "--csv", os.devnull, "--svg", os.devnull, "-q")
    assert done.exit_code == 0


def test_a_folder_may_be_made_and_used_in_one_command(sfida):
    done = sfida("tournament", "tic_tac_toe", "random", "greedy", "-n", 2, "-q", "--report", "rep", "--store", "rep/g")
    assert done.exit_code == 0
    assert {path.name for path in Path("rep").iterdir()} == {"g", *REPORT_FILES}, "as the guard has them"


@pytest.mark.parametrize(("recipe", "hidden"), [("search", 0), ("self-play", 2)])
def test_the_guard_knows_what_a_training_writes(sfida, recipe, hidden):
    done = sfida("train", "carcassonne", "-n", 4, "--iterations", 1, "--recipe", recipe, "--hidden", hidden, "--folder",
                 "t", "--seed", 1, "--no-match", "-q", "--out", "mine.json")
    assert done.exit_code == 0, done.stderr
    from fnmatch import fnmatchcase

    assert all(any(fnmatchcase(path.name, name) for name in FOLDER_FILES) for path in Path("t").iterdir())


def test_saving_a_game_damages_no_other_file(sfida):
    done = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", 1, input="save net.json\n")
    assert "net.json: not a file of records; nothing was written" in done.stderr
