"""Doors for tournaments: damaged stores, and files that are imported into a store."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

from support.fuzzing import garbage, samples
from support.fuzzing.case import Broken, Case, Door
from support.fuzzing.program import QUICK, run

COLUMNS = ("block", "rotation", "agents", "utilities", "ranks", "scores", "decisions", "seconds", "wall", "forfeit",
           "record", "finished")
KEYS = ("format", "sfida", "game", "rules_version", "players", "agents", "seed", "mode", "mirror", "luck", "schedule",
        "games", "sprt", "limit", "nothing")


def _value(rng: random.Random, old: Any) -> Any:
    """Return a value that SQL could put in place of an old one."""
    if isinstance(old, str) and rng.random() < 0.6:
        try:
            return garbage.line(rng, garbage.spoil(rng, [json.loads(old)])[:1]).strip()[1:-1]
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
    return rng.choice((None, -1, 0, 1, 7, 2**62, -2**63, 1e308, float("inf"), 1.5, b"\xff\x00", "", "x", "null", "[]",
                       "{}", "[1e999]", "NaN", "[" * 3000, "9" * 5000, garbage.word(rng)))


def edit(rng: random.Random, path: Path) -> str:
    """Change a store by SQL; return a description of the change."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        rows = connection.execute("SELECT rowid FROM game").fetchall()
        row = rng.choice(rows)[0]
        column, key = rng.choice(COLUMNS), rng.choice(KEYS)
        held = connection.execute("SELECT value FROM header WHERE key = ?", (key,)).fetchone()
        text = connection.execute(f"SELECT {column} FROM game WHERE rowid = ?", (row,)).fetchone()[0]
        statement, values = rng.choice((
            (f"UPDATE OR REPLACE game SET {column} = ? WHERE rowid = {row}", (_value(rng, text),)),
            (f"UPDATE OR REPLACE game SET {column} = ? WHERE rowid = {row}", (_value(rng, text),)),
            (f"UPDATE OR REPLACE game SET {column} = ?", (_value(rng, text),)),
            ("INSERT OR REPLACE INTO header VALUES (?, ?)", (key, _value(rng, held[0] if held else "1"))),
            ("INSERT OR REPLACE INTO header VALUES (?, ?)", (key, _value(rng, held[0] if held else "1"))),
            ("UPDATE OR REPLACE header SET key = ? WHERE key = ?", (garbage.word(rng), key)),
            ("DELETE FROM header WHERE key = ?", (key,)), (f"DELETE FROM game WHERE rowid = {row}", ()),
            ("DELETE FROM game", ()), ("DROP TABLE game", ()), ("DROP TABLE header", ()),
            (f"ALTER TABLE game DROP COLUMN {rng.choice(COLUMNS[2:])}", ()),
            (f"ALTER TABLE game RENAME COLUMN {column} TO x", ()),
            ("ALTER TABLE game ADD COLUMN more TEXT DEFAULT 'x'", ()), ("ALTER TABLE header RENAME TO other", ()),
            (f"PRAGMA user_version = {rng.choice((0, 2, -1))}", ()), ("PRAGMA application_id = 7", ()),
            (f"UPDATE game SET block = block + {rng.choice((1, 99, -5))}", ()),
            ("CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END", ()),
            ("UPDATE sqlite_master SET sql = 'CREATE TABLE game (x)' WHERE name = 'game'", ())))
        try:
            connection.execute(statement, values)
        except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
            return f"{statement}: {error}"
    return f"{statement} with {str(values)[:300]}"


def commands(rng: random.Random, store: str) -> tuple[str, ...]:
    """Return a command that reads a store and does not change it."""
    return rng.choice((
        ("ratings", store), ("ratings", store), ("ratings", store, "--json"), ("ratings", store, "--ladder"),
        ("ratings", store, "--export", "out.jsonl"), ("replay", store), ("replay", store, "--game",
                                                                         str(rng.randrange(1, 9))),
        ("hint", store, "--agent", QUICK), ("play", store, "--seat", "random", "--seat", "random"),
        ("why", store, "1", "--agent", QUICK)))


def _told(out: str) -> None:
    """Raise Broken if a table shows a win share outside 0 to 100 %."""
    for line in out.splitlines():
        if not line.startswith("{"):
            continue
        for agent in json.loads(line).get("agents", ()):
            share = agent.get("win_share") if isinstance(agent, dict) else None
            if share is not None and not 0 <= share <= 1:
                raise Broken(f"a win share of {share}")


def stores(case: Case) -> None:
    data, _ = case.rng.choice(samples.stored())
    path = case.folder / "games.sfida"
    if case.rng.random() < 0.4:
        case.file(path.name, garbage.data(case.rng, data))
    else:
        path.write_bytes(data)
        for _ in range(case.rng.choice((1, 1, 2))):
            try:
                case.note(edit(case.rng, path))
            except (sqlite3.Error, IndexError) as error:        # the first edit left nothing to change
                case.note(str(error))
    before = path.read_bytes()
    words = commands(case.rng, path.name)
    if case.rng.random() < 0.15:
        game = case.rng.choice((("tic_tac_toe", "random", "greedy", "-n", "6"),
                                ("kuhn_poker", "random", "random", "-n", "4")))
        run(case, "tournament", *game, "--store", path.name, "--resume", "--seed", "5", "--backend", "threading",
            "--quiet")
        return
    ran = run(case, *words, asked=words[0] == "play")
    _told(ran.out)
    if path.read_bytes() != before:
        raise Broken(f"{words[0]} changed the store")


def held(path: Path) -> list[Any] | None:
    """Return the contents of a store, None if there is no store."""
    if not path.exists():
        return None
    with sqlite3.connect(path) as connection:
        found = [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("header", "game")]
    connection.close()
    return found


def imports(case: Case) -> None:
    rng = case.rng
    data, text = rng.choice(samples.stored())
    lines = text.splitlines()
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(lines))
        match rng.randrange(5):
            case 0 | 1 | 2:
                try:
                    lines[at] = garbage.line(rng, garbage.spoil(rng, json.loads(lines[at])))
                except (ValueError, RecursionError):    # the line was spoilt before
                    lines[at] = ""
            case 3:
                lines[at] = rng.choice((*lines, garbage.word(rng), record_of(rng)))
            case _:
                lines[at] = garbage.text(rng, lines[at])
    case.file("games.jsonl", "\n".join(lines).encode("utf-8", "surrogatepass"))
    path = case.folder / "games.sfida"
    if rng.random() < 0.5:
        path.write_bytes(data)
        with sqlite3.connect(path) as connection:
            connection.execute(f"DELETE FROM game WHERE block >= {rng.randrange(3)}")
        connection.close()
    before = held(path)
    ran = run(case, "ratings", path.name, "--import", "games.jsonl", *rng.choice(((), ("--json",))))
    _told(ran.out)
    if ran.code:
        now = held(path) if path.exists() and path.stat().st_size else None
        if now != before:
            raise Broken("an import that failed has changed the store")
    else:
        run(case, "ratings", path.name)                     # imported games can be read
        run(case, "ratings", path.name, "--import", "games.jsonl")


def record_of(rng: random.Random) -> str:
    """Return a game that belongs to no tournament."""
    return json.dumps(rng.choice(samples.records()))


DOORS = (
    Door("stores", "tournaments' stores, edited or damaged", stores, share=0.3, short=60),
    Door("imports", "games imported into a store", imports, share=0.3, short=60),
)
