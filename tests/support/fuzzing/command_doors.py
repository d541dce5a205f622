"""Doors for command lines, made from the commands' declarations, and for the environment in which a program runs."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pty
import random
import subprocess
import sys
from collections.abc import Sequence

import click

from sfida.cli.main import COMMANDS, main
from support.fuzzing import garbage, samples
from support.fuzzing.case import Broken, Case, Door
from support.fuzzing.file_doors import full_device
from support.fuzzing.program import QUICK, Ran, check, run
from support.fuzzing.text_doors import agent_spec, game_spec

AGENTS = ("random", "greedy", QUICK, "flat:iterations=10", "pimc:iterations=20,worlds=2", "human", "exec:missing",
          "exec:cat good.jsonl", "mo-ismcts:iterations=20")
TARGETS = ("new.jsonl", "new.sfida", "new.jsonl.gz", "", ".", "folder", "no/such/place", "x" * 300, "a\0b",
           "good.jsonl",
           "games.sfida", "full", "\x1b[2J.jsonl", "\u202ex.svg", "a b.jsonl", "-", "--json")
SOURCES = ("good.jsonl", "good.jsonl", "games.sfida", "games.jsonl", "replay.toml", "folder", "missing.jsonl", "full")
PLAYED = (*samples.EXAMPLES, "zarahemla:max_turns=3", "risiko:round_limit=1,players=3", "acres:max_turns=4")


@functools.cache
def _parameters() -> dict[str, Sequence[click.Parameter]]:
    context = click.Context(main)
    found = {}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        found[name] = command.params
    return found


def _value(rng: random.Random, command: str, parameter: click.Parameter) -> str:
    """Return a value for a parameter: a valid one three times in four, and never a slow one."""
    name, kind = parameter.name, parameter.type
    match name:
        case "seconds" | "limit":
            return rng.choice(("0.01", "0.02", "0", "-1", "nan", "x"))
        case "games" if command == "tournament":
            return rng.choice(("1", "2", "4", "0", "-3", "x", "9" * 5000))
        case "jobs":
            return rng.choice(("1", "2", "0", "x"))
        case "game" if command in ("train", "tune", "study"):       # games with a valid one would take minutes
            return garbage.word(rng)
        case "port":                                # a server on a valid port would run until it is stopped
            return rng.choice(("-1", "65536", "x"))
        case "program":
            return rng.choice(("missing", "cat good.jsonl", "socket:0", "socket:1", "socket:10.0.0.1:80"))
        case "record" if command != "replay":
            return rng.choice(TARGETS)
        case "revision":                            # a valid one would be built for minutes
            return rng.choice(("nonsense", "", "--all", "a\0b", "x" * 300))
        case "svg" if command == "profile":         # a valid one is drawn from callgrind, in a minute
            return rng.choice(("folder", "no/such/place", "a\0b"))
        case "target" | "svg" | "report":
            return rng.choice(TARGETS)
        case "store" if command == "tournament":
            return rng.choice(TARGETS)
        case "game" | "games" if command in ("play", "tournament", "bench", "profile"):
            return rng.choice(PLAYED) if rng.random() < 0.8 else garbage.word(rng)
    if rng.random() < 0.25:
        return garbage.word(rng)
    match name:
        case "seats" | "agents" | "agent" | "spec":
            return agent_spec(rng) if command == "agents" else rng.choice(AGENTS)
        case "game" | "what" | "name":
            return rng.choice((game_spec(rng), rng.choice(samples.EXAMPLES), rng.choice(SOURCES)))
        case "record" | "store" | "source":
            return rng.choice(SOURCES)
        case "move":
            return rng.choice(("1", "2", "-", "K", "a1", "pass"))
        case "sprt":
            return rng.choice(("elo0=0,elo1=20", "elo0=5", "alpha=2", "elo0=0,elo1=20,beta=0.1"))
        case "threads":
            return rng.choice(("1", "1,2", "0", "1,,2"))
        case "backend":
            return rng.choice(("threading", "dask", "ray"))
    if isinstance(kind, click.Choice):
        return rng.choice([str(each) for each in kind.choices])
    return str(rng.choice((0, 1, 1, 2, 3, 7, 40)))


def command_line(rng: random.Random) -> list[str]:
    """Return a valid or invalid command line."""
    command = rng.choice([*COMMANDS])
    words: list[str] = []
    for parameter in _parameters()[command]:
        needed = parameter.required or parameter.name in ("spec", "seconds") or (
            command == "tournament" and parameter.name in ("games", "backend")) or (
            command == "serve" and parameter.name == "port")
        if command == "bench" and parameter.name == "games":        # without a game it measures all games, for seconds
            words.append(rng.choice(PLAYED))
        elif isinstance(parameter, click.Argument):
            count = rng.choice((2, 2, 3)) if parameter.nargs == -1 else 1
            if needed or rng.random() < 0.5:
                words += [_value(rng, command, parameter) for _ in range(count if rng.random() < 0.95 else 0)]
        elif needed or rng.random() < 0.15:
            option = rng.choice(parameter.opts)
            for _ in range(rng.choice((1, 2)) if parameter.multiple else 1):
                words.append(option)
                if not getattr(parameter, "is_flag", False):
                    words.append(_value(rng, command, parameter))
    if rng.random() < 0.1:
        words.insert(rng.randrange(len(words) + 1), rng.choice(("--help", "--version", "--nothing", "-x", "--", "",
                                                                "more")))
    if rng.random() < 0.05:
        command = garbage.text(rng, command)
    return [command, *words]


def _furnish(case: Case) -> None:
    """Put a valid file of each kind into the folder."""
    data, lines = samples.stored()[0]
    (case.folder / "good.jsonl").write_text(json.dumps(samples.records()[1]) + "\n", encoding="utf-8")
    (case.folder / "games.sfida").write_bytes(data)
    (case.folder / "games.jsonl").write_text(lines, encoding="utf-8")
    (case.folder / "replay.toml").write_text(samples.REPLAY, encoding="utf-8")
    (case.folder / "folder").mkdir()
    full_device(case.folder / "full")


def command_lines(case: Case) -> None:
    _furnish(case)
    words = command_line(case.rng)
    typed = "1\n2\n\n-\nquit\n" if case.rng.random() < 0.7 else ""
    run(case, *words, typed=typed, asked=words[0] == "play" or "--check" in words)     # failed checks are not errors


RUNS = (("games",), ("games", "attila"), ("agents", "--json"), ("--help",), ("--version",), ("play", "--help"),
        ("play", "tic_tac_toe", "--seat", "random", "--seat", "random", "--seed", "1"),
        ("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", "1"),
        ("replay", "good.jsonl"), ("ratings", "games.sfida"), ("hint", "carcassonne", "--agent", QUICK), ("engine",),
        ("replay", "missing.jsonl"), ("play", "nothing"), ("games", "risiko", "--color", "always"))
SURROUNDINGS = (("LC_ALL", "C"), ("LC_ALL", "POSIX"), ("LANG", "xx_YY"), ("PYTHONIOENCODING", "ascii"),
                ("PYTHONIOENCODING", "latin-1"), ("COLUMNS", "0"), ("COLUMNS", "-5"), ("COLUMNS", "x"),
                ("COLUMNS", "9" * 5000), ("COLUMNS", "1"), ("COLUMNS", "5000"), ("TERM", "dumb"), ("TERM", ""),
                ("TERM", "nonsense"), ("NO_COLOR", "1"), ("FORCE_COLOR", "1"), ("FORCE_COLOR", "3"), ("HOME",
                                                                                                      "/nonexistent"),
                ("HOME", ""), ("XDG_STATE_HOME", "/dev/full"), ("XDG_STATE_HOME", "\x1b[2J"), ("TMPDIR",
                                                                                               "/nonexistent"),
                ("LINES", "0"), ("PATH", ""), ("SHELL", ""), ("PYTHONUNBUFFERED", "1"))


def environment(case: Case) -> None:
    """Run a separate program with odd variables, and with streams that are closed, full, gone or a terminal."""
    _furnish(case)
    rng = case.rng
    words = rng.choice(RUNS)
    changed = dict(rng.sample(SURROUNDINGS, rng.choice((0, 1, 2, 3))))
    held = {"HOME": str(case.folder / "home"), "XDG_STATE_HOME": str(case.folder / "state"),
            "OPENBLAS_NUM_THREADS": "1"}
    streams = [rng.choice(("pipe", "pipe", "closed", "full", "gone", "terminal")) for _ in range(3)]
    case.note(f"{' '.join(words)}, {changed}, streams {streams}")
    ours, theirs, closed = [], [], []
    for number, kind in enumerate(streams):
        near, far = _stream(kind, number == 0)
        ours.append(near)
        theirs.append(far)
        if kind == "closed":
            closed.append(number)
    process = subprocess.Popen([sys.executable, "-m", "sfida", *words], env={**os.environ, **held, **changed},
                               stdin=theirs[0], stdout=theirs[1], stderr=theirs[2],
                               preexec_fn=lambda: [os.close(number) for number in closed] and None)
    for far in theirs:
        os.close(far)
    if ours[0] is not None:
        with contextlib.suppress(OSError):
            os.write(ours[0], b"1\nquit\n\x04")
        os.close(ours[0])
    encoding = "latin-1" if changed.get("PYTHONIOENCODING") == "latin-1" else "utf-8"
    said = [_all(near, encoding) for near in ours[1:]]
    code = process.wait()
    check(Ran(code, *("" if kind == "terminal" else words for kind, words in zip(streams[1:], said, strict=True))),
          asked=words[0] == "play" or streams[2] != "pipe", color="FORCE_COLOR" in changed or "--color" in words)
    for text in said:
        if "Traceback" in text or "Exception ignored" in text:
            raise Broken(text[-600:])


def _stream(kind: str, source: bool) -> tuple[int | None, int]:
    """Return our end of a stream, if any, and the program's end."""
    if kind in ("closed", "full"):
        return None, os.open("/dev/full", os.O_RDWR)
    if kind == "terminal":
        return pty.openpty()
    read, write = os.pipe()
    if kind == "gone":
        os.close(write if source else read)
        return None, read if source else write
    return (write, read) if source else (read, write)


def _all(number: int | None, encoding: str) -> str:
    """Return all text of a stream."""
    if number is None:
        return ""
    parts = []
    while True:
        try:
            part = os.read(number, 1 << 16)
        except OSError:                     # raised by a terminal that the program has left
            break
        if not part:
            break
        parts.append(part)
    os.close(number)
    return b"".join(parts).decode(encoding, "surrogateescape")


DOORS = (
    Door("command-lines", "command lines made from the declarations", command_lines, share=0.3, short=80),
    Door("environment", "odd variables and streams", environment, share=0.02, short=5),
)
