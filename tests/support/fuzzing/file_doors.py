"""Doors for files: records, saves, maps of Attila and recorded games of Acres, valid, damaged, or not files at all."""

from __future__ import annotations

import gzip
import json
import os
import random
import stat
from collections.abc import Callable
from pathlib import Path

from sfida.cython_ext.errors import SfidaError
from sfida.engines.attila.map import load_land
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from support.fuzzing import garbage, samples
from support.fuzzing.case import Broken, Case, Door, check_message
from support.fuzzing.program import QUICK, Ran, run, unchanged

BOMB = 64 << 20             # bytes that a small compressed file holds in one line
LARGE = 7 << 20             # bytes of a line that may still be read


def record_line(rng: random.Random) -> str:
    """Return a line of a record, mostly with errors."""
    record = rng.choice(samples.records())
    if rng.random() < 0.1:
        return garbage.line(rng, record)
    written = garbage.line(rng, garbage.spoil(rng, record))
    return garbage.text(rng, written) if rng.random() < 0.2 else written


def record_lines(case: Case) -> None:
    line = record_line(case.rng)
    case.note(line[:3000])
    try:
        record = GameRecord.from_json_line(line, "a line")
        record.replay()
    except SfidaError as error:
        check_message(error, line)
        return
    again = GameRecord.from_json_line(record.to_json_line())
    if again != record:
        raise Broken("a record that was written does not read as it was")


def record_bytes(rng: random.Random) -> tuple[str, bytes]:
    """Return the name and the bytes of a file of records."""
    lines = [record_line(rng) if rng.random() < 0.5 else json.dumps(rng.choice(samples.records()))
             for _ in range(rng.choice((1, 1, 2, 3)))]
    if rng.random() < 0.005:
        piece = rng.choice(("[],", "{},", "0,", "0.1,", '"x",', '{"a":[]},', "[[["))
        lines.insert(0, '{"schema":1,"type":"game","moves":[' + piece * (LARGE // len(piece)) + "0]}")
    data = rng.choice(("\n", "\n", "\r\n", "\n\n")).join(lines).encode("utf-8", "surrogatepass") + b"\n"
    if rng.random() < 0.3:
        data = garbage.data(rng, data)
    if rng.random() < 0.05:
        data = rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\0" * 9)) + data
    if rng.random() < 0.75:
        return "game.jsonl", data
    packed = gzip.compress(data, mtime=0) if rng.random() < 0.98 else gzip.compress(b"1" * BOMB, 1, mtime=0)
    return "game.jsonl.gz", garbage.data(rng, packed) if rng.random() < 0.5 else packed


def full_device(path: Path) -> None:
    """Make a device that is always full or, without permission for that, a link to one."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except OSError:
        path.symlink_to("/dev/full")


def odd_place(case: Case, name: str) -> Path:
    """Put an odd entry, such as a pipe or an empty file, at a path and return it; sometimes return a device."""
    path = case.folder / name
    case.note(f"an odd thing at {name}")
    match case.rng.randrange(8):
        case 0:
            os.mkfifo(path)
        case 1:
            path.mkdir()
        case 2:
            path.symlink_to(path)
        case 3:
            path.symlink_to("/dev/zero")
        case 4:
            path.write_bytes(b"")
        case 5:
            path.symlink_to(case.folder)
        case 6:
            return Path(case.rng.choice(("/dev/zero", "/dev/full", "/dev/null", "/proc/self/mem", "/proc/self/stat")))
        case _:
            pass
    return path


def read_with(case: Case, path: Path) -> None:
    """Read a record with one of the commands that read records; the file must stay unchanged."""
    ours = path.is_relative_to(case.folder) and path.is_file() and not path.is_symlink()
    before = {path: path.read_bytes()} if ours else {}
    rng, name = case.rng, str(path.relative_to(case.folder)) if path.is_relative_to(case.folder) else str(path)
    until = ("--until", str(rng.choice((0, 1, 2, 20, 99999)))) if rng.random() < 0.3 else ()
    number = ("--game", str(rng.choice((1, 1, 2, 5)))) if rng.random() < 0.3 else ()
    think = ("--agent", QUICK)
    words: tuple[str, ...] = rng.choice((
        ("replay", name, *until, *number), ("replay", name, "--json", *number),
        ("replay", name, "--svg", "board.svg", *until),
        ("analyze", name, *until, *number, *think), ("hint", name, *until, *number, *think),
        ("why", name, rng.choice(("1", "-", garbage.word(rng))), *until, *number, *think), ("ratings", name),
        ("play", name, *(word for _ in range(2) for word in ("--seat", "random"))), ("play", name),
        ("play", "tic_tac_toe", "--seat", "random", "--seat", "random", "--record", name)))
    if "--record" in words and not path.is_relative_to(case.folder):
        words = ("replay", name)                            # no file outside the folder is written
    if words[0] in ("analyze", "hint") and rng.random() < 0.3:
        words = (*words, "--json")
    ran = run(case, *words, typed="1\n2\n", asked=words[0] == "play")
    if "--record" not in words:
        unchanged(before, words)
    elif before:
        _kept(ran, path, before[path])


def _kept(ran: Ran, path: Path, before: bytes) -> None:
    """Check that a file keeps its contents when a game is added to it."""
    now = path.read_bytes()
    if not now.startswith(before) or (ran.code and now != before):
        raise Broken(f"{path.name} does not hold what it held (exit code {ran.code})")


def record_files(case: Case) -> None:
    if case.rng.random() < 0.06:
        read_with(case, odd_place(case, case.rng.choice(("game.jsonl", "game.jsonl.gz"))))
    else:
        read_with(case, case.file(*record_bytes(case.rng)))


FOREIGN = ("exec:touch ran", "exec:sh -c 'echo > ran'", "exec:./program", " exec:touch ran ", "exec: touch ran")
NOT_YES = ("", "n\n", "\n", "no\n", "yess\n", "exit\n", "\x1b\n", "1\n2\nquit\n")


def trust(case: Case) -> None:
    """Check that a program named by a file does not run unless the person agrees."""
    rng = case.rng
    record = dict(rng.choice([game for game in samples.records() if game["result"] is None]))
    record["seats"] = [rng.choice((*FOREIGN, "random")) for _ in record["seats"]]
    record["seats"][rng.randrange(len(record["seats"]))] = rng.choice(FOREIGN)
    program = case.file("program", b"#!/bin/sh\necho > ran\n")
    program.chmod(0o755)
    name = "game.jsonl"
    if rng.random() < 0.2:
        spec = record["game"].partition(":")[0]
        name = f"state/sfida/saves/{spec}-20260101-000001-{10**7}.jsonl"
    path = case.file(name, json.dumps(record).encode() + b"\n")
    terminal = rng.random() < 0.5
    answer = rng.choice(NOT_YES) if terminal else rng.choice((*NOT_YES, "y\n", "yes\n"))
    if name != path.name:
        words: tuple[str, ...] = ("play", record["game"], "--seat", "human")
        answer = f"y\n{rng.choice(NOT_YES)}"
        terminal = True
    else:
        words = rng.choice((("play", name), ("play", name, "--json"), ("replay", name), ("hint", name, "--agent",
                                                                                         QUICK),
                            ("analyze", name, "--agent", QUICK), ("play", name, "--record", "other.jsonl")))
    run(case, *words, typed=answer, terminal=terminal, asked=True)
    if (case.folder / "ran").exists():
        raise Broken("a program that a file names was run")


def saves(case: Case) -> None:
    """Check that damaged saves do not prevent a new game, and stay where they are."""
    game = case.rng.choice((*samples.EXAMPLES, "carcassonne"))
    for number in range(case.rng.choice((1, 2, 4))):
        _, data = record_bytes(case.rng)
        case.file(f"state/sfida/saves/{game}-20260101-00000{number}-{number + 10**7}.jsonl", data)
    held = {path: path.read_bytes() for path in (case.folder / "state").rglob("*.jsonl")}
    answers = case.rng.choice(("n\nquit\n", "\nquit\n", "y\n1\nquit\n", "quit\n", "x\nn\n1\nundo\nquit\n"))
    run(case, "play", game, typed=answers, terminal=True, asked=True)
    if answers.startswith("n"):
        unchanged(held)


def decks(case: Case) -> None:
    """Check that a damaged practice deck is reported in one line and kept, without positions that do not fit."""
    rng = case.rng
    record = rng.choice([game for game in samples.records() if game["moves"]])
    before = {**record, "moves": record["moves"][:rng.randrange(len(record["moves"]))], "chance": None, "result": None}
    card = {"record": before, "seat": rng.choice((0, 0, 1, 5)), "played": record["moves"][-1], "best": "a1",
            "loss": 0.2, "error": 0.1, "box": rng.randrange(6), "due": rng.choice(("2026-01-01", "9999-12-31"))}
    deck = {"schema": 1, "type": "practice", "taken": ["a"], "cards": [card] * rng.choice((1, 1, 2))}
    written = garbage.line(rng, garbage.spoil(rng, deck) if rng.random() < 0.8 else deck)
    data = written.encode("utf-8", "surrogatepass")
    path = case.file("state/sfida/practice.json", garbage.data(rng, data) if rng.random() < 0.2 else data)
    held = {path: path.read_bytes()}
    words = ("practice", "--depth", "fast", *rng.choice(((), ("--json",), (record["game"],))))
    ran = run(case, *words, typed=rng.choice(("quit\n", "", "skip\n", "?\nnonsense\nundo\n")), asked=True)
    if ran.code not in (0, 1):
        raise Broken(f"exit code {ran.code} for a deck: {ran.err[-300:]}")
    unchanged(held)


def _toml(name: str, valid: Callable[[], str], words: Callable[[random.Random, str], tuple[str, ...]],
          read: Callable[[str], object]) -> Callable[[Case], None]:
    def run_one(case: Case) -> None:
        if case.rng.random() < 0.03:
            path = odd_place(case, name)
            run(case, *words(case.rng, str(path)))
            return
        data = garbage.toml(case.rng, valid())
        path = case.file(name, data)
        if case.rng.random() < 0.25:
            run(case, *words(case.rng, str(path)))
        else:
            try:
                read(str(path))
            except SfidaError as error:
                check_message(error)
        unchanged({path: data})
    return run_one


def _map_words(rng: random.Random, path: str) -> tuple[str, ...]:
    spec = f"attila:map={path}"
    return rng.choice((("games", spec), ("hint", spec, "--agent", QUICK), ("games", f"{spec},players=5"),
                       ("tournament", spec, "random", "random", "--dry-run")))


def _play_on(path: str) -> None:
    """Load a map; if it is accepted, start a game on it."""
    load_land(path)
    state = make_game(f"attila:map={path}").initial_state()
    state.game.board_text(state)


def _replay_words(rng: random.Random, path: str) -> tuple[str, ...]:
    return rng.choice((("replay", path), ("hint", path, "--agent", QUICK), ("replay", path, "--until", "5"),
                       ("replay", path, "--json")))


def _read_replay(path: str) -> None:
    from sfida.engines.acres.replays import read_replay

    read_replay(path).replay()


DOORS = (
    Door("record-lines", "lines of records", record_lines, short=250),
    Door("record-files", "files of records under every command that reads one", record_files, share=0.5, short=60),
    Door("trust", "files that name programs", trust, share=0.2, short=25),
    Door("saves", "saves in the person's own folder", saves, share=0.2, short=25),
    Door("decks", "the deck of practice in the person's own folder", decks, share=0.2, short=25),
    Door("maps", "maps of Attila", _toml("land.toml", samples.attila_map, _map_words, _play_on), share=0.5, short=50),
    Door("recorded-games", "recorded games of A Few Acres of Snow",
         _toml("games.toml", lambda: samples.REPLAY, _replay_words, _read_replay), short=120),
)
