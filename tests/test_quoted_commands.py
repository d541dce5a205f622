"""Every command quoted in README and the guides is parsed; those that end soon are run in a short form."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import sfida
from bench import program as bench_program
from sfida.cli.main import main as sfida_program

ROOT = Path(__file__).resolve().parents[1]
PAGES = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
         if path.parent.name not in ("api", "lab", "rules")]
BLOCK = re.compile(r"^```(?:sh)?\n(.*?)^```|((?:^    .*\n)+)|`((?:sfida|python -m bench) [^`]+)`",
                   re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:\S*python -m (?=bench )|uvx (?=sfida )|python -m (?=sfida ))?((?:sfida|bench) .*)")
NAMES = {"GAME|RECORD": "kuhn_poker", "RECORD|GAME": "game.jsonl", "GAME": "kuhn_poker", "RECORD": "game.jsonl",
         "FILE": "games.sfida", "STORE": "games.sfida", "OTHER": "games.sfida", "DIR": "folder", "MOVE": "+f0",
         "NAME": "greedy", "NAME=VALUE": "cutoff=2", "PORT": "0", "FILE.cpp": "program.cpp", "FILE.toml": "my.toml"}
SHORT = [(r"iterations=\d+", "iterations=2"), (r"seconds=[\d.]+", "seconds=0.01"), (r"(?<=-n )\d+", "2"),
         (r"(?<=--until )\d+", "2"), (r"(?<=--game )\d+", "1"), (r"'?openspiel:[^' ]+'?", "kuhn_poker"),
         (r"ismcts:knowledge=learned.json,", "ismcts:"), (r":map=my.toml", ""), (r"FILE.toml", "game.jsonl"),
         (r":objective_deck=custom,objectives=my.toml", ""), (r",objectives=my.toml", ""),
         (r"games.toml", "game.jsonl"), (r"--svg map.svg", ""), (r" \+f0", " -"), (r"play FILE", "replay game.jsonl")]
RUN = ("games", "agents", "play", "hint", "analyze", "tournament", "ratings", "replay")
UNFIT = ("my_game", "my_module", "noughts", "/")        # the reader's own files, or a folder in parentheses
OPEN = ("--import", "--level auto", "exec:", "socket:", "--lang", "--export", "--backend")     # parsed only


def quoted() -> Iterator[tuple[str, str]]:
    """Yield each command once, as typed after the prompt, with its page."""
    seen = set[str]()
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text("utf-8").replace("\\\n", "")):
            for line in (found[1] or found[2] or found[3]).splitlines():
                command = COMMAND.fullmatch(re.split(r"\s+#|\s{3,}|`", line.strip())[0].replace("\\|", "|").strip())
                if command and command[1] not in seen and not any(word in command[1] for word in UNFIT):
                    seen.add(command[1])
                    yield page.name, command[1]


QUOTED = list(quoted())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that commands name."""
    home = tmp_path_factory.mktemp("quoted")
    record = sfida.play("carcassonne:river=true", ["random", "random"], seed=1)
    sfida.write_records(home / "game.jsonl", [record])
    sfida.tournament("kuhn_poker", ["greedy", "random"], games=4, seed=1, store=home / "games.sfida")
    (home / "a.sfida").write_bytes((home / "games.sfida").read_bytes())
    (home / "program.cpp").write_text("")
    (home / "folder").mkdir()
    (home / "my_bot.py").write_bytes((ROOT / "docs" / "example_bot.py").read_bytes())
    return home


def words_of(command: str) -> list[str]:
    return [NAMES.get(word, word) for word in shlex.split(command)]


def test_there_are_commands() -> None:
    assert len(QUOTED) > 120
    assert ("faq.md", "sfida play risiko") in QUOTED


@pytest.mark.parametrize(("where", "command"), QUOTED)
def test_a_quoted_command_is_one(where: str, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its options and arguments exist in the program; the mere name of a command is not checked further."""
    monkeypatch.chdir(folder)
    program, name, *words = words_of(command)
    group = sfida_program if program == "sfida" else bench_program
    if name.startswith("-"):
        return
    with click.Context(group) as context:
        found = group.get_command(context, name)
        assert found is not None, f"{where}: {command}"
        try:
            found.make_context(name, words[:], parent=context, resilient_parsing=not words)
        except click.exceptions.MissingParameter:
            assert words[0].startswith("-"), f"{where}: {command}"    # it speaks of an option
        except click.BadOptionUsage:
            assert words[-1].startswith("-"), f"{where}: {command}"                      # the last one lacks its value


SOON = [(where, command) for where, command in QUOTED if command.split()[1] in RUN
        and not f"{command} -".split()[2].startswith("-") and not any(word in command for word in OPEN)]


@pytest.mark.parametrize(("where", "command"), SOON)
def test_a_quoted_command_runs(where: str, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch,
                               tmp_path: Path) -> None:
    """The short form has tiny budgets, a tournament without its games, and a game that is left at once."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for long, short in SHORT:
        command = re.sub(long, short, command)
    _program, name, *words = words_of(command)
    words += ["--dry-run"] if name == "tournament" else []
    words += ["--seat", "human"] if name == "play" and "--seat" not in words and "--level" not in words else []
    if name == "tournament" and "--store" in words:
        at = words.index("--store")
        del words[at:at + 2]
    done = CliRunner().invoke(sfida_program, [name, *words], input="quit\n" * 3)
    assert done.exit_code in (0, 130), f"{where}: {command}\n{done.output[-600:]}\n{done.exception!r}"
