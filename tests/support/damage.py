"""Damage of many kinds to records and stores, drawn from a seeded source; each function returns its change in words."""

from __future__ import annotations

import copy
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

COLUMNS = ("block", "rotation", "agents", "utilities", "ranks", "scores", "decisions", "seconds", "wall", "forfeit",
           "record", "finished")
KEYS = ("format", "sfida", "game", "rules_version", "players", "agents", "seed", "mode", "mirror", "luck", "schedule",
        "games", "sprt", "limit")
ODD_JSON: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**63, 2**128, 10**400, -10**400, 0.5, 1.5, -1e-9, 1e308, -0.0, "", "x", "0",
    "\ud800", "a\0b", "\x1b[2J", "é" * 5000, "elo0=0", "elo0=5,elo1=1", [], [[]], [1], [0.75, 0.75], [1, 1, 1],
    [None, None], ["a", "b"], ["greedy", "random"], {}, {"seat": 9}, {"seat": 0, "kind": "died", "reason": 5},
    {"a": {"b": {"c": [1]}}})
ODD_TEXTS = ("", "x", "null", "NaN", "[NaN, 1]", "[1e999, 0]", "-Infinity", "[1", "[" * 3000, "9" * 6000, '"\\ud800"',
             '{"a":1,"a":2}', '[0.5, 0.5, 0.5]', "[1.5, -0.5]", "[1.5, 0]", "[2, 2]", "[0, 1]", "[-1, 0]", "[9, 9]",
             "[1, 2, 3]", '["1", "2"]', "[1e9, 1e10]", "[0]", "1e-400", "\ufeff[1, 2]", "[true, false]")
ODD_CELLS: tuple[Any, ...] = (
    None, 0, 1, -1, 5, 99, 2**31, 2**62, 2**63 - 1, -2**63, 0.5, -1.5, 1e308, float("inf"), b"", b"\xff\xfe", b"[1, 2]",
    "\x00", *ODD_TEXTS)


# ---- JSON -----------------------------------------------------------------------------------------------


def damage_json(data: Any, rng: random.Random) -> tuple[Any, str]:
    """Return JSON data with one value somewhere replaced, removed, doubled or moved."""
    data = copy.deepcopy(data)
    places = [(holder, key) for holder in _holders(data) for key in
              (list(holder) if isinstance(holder, dict) else range(len(holder)))]
    holder, key = rng.choice(places)
    how = rng.randrange(5)
    if how == 0:
        del holder[key]
        return data, f"{key!r} removed"
    if how == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), holder[key])
        return data, f"entry {key} doubled"
    if how == 2:
        other, there = rng.choice(places)
        holder[key] = copy.deepcopy(other[there])
        return data, f"{key!r} := what {there!r} was"
    if how == 3 and isinstance(holder, dict):
        name = rng.choice(["\ud800", "", "forfeit", "ended", "result", "chance", "typed_luck", "x" * 99])
        holder[name] = rng.choice(ODD_JSON)
        return data, f"{name!r} added"
    holder[key] = rng.choice(ODD_JSON)
    return data, f"{key!r} := {str(holder[key])[:30]!a}"


def damage_text(text: str, rng: random.Random) -> tuple[str, str]:
    """Return a text that is cut, or has a few characters changed."""
    if rng.random() < 0.2:
        cut = rng.randrange(len(text))
        return text[:cut], f"cut after {cut}"
    signs = list(text)
    for _ in range(rng.randint(1, 3)):
        signs[rng.randrange(len(signs))] = rng.choice('0189eE-+.,:"[]{}\\ \t\0ué\x1b')
    return "".join(signs), "signs changed"


def _holders(data: Any) -> list[Any]:
    found = []
    if isinstance(data, (dict, list)) and data:
        found.append(data)
        for entry in data.values() if isinstance(data, dict) else data:
            found += _holders(entry)
    return found


# ---- stores ---------------------------------------------------------------------------------------------


def damage_bytes(path: Path, rng: random.Random) -> str:
    """Change a few bytes of a file, or cut it."""
    data = bytearray(path.read_bytes())
    if rng.random() < 0.1:
        size = rng.randrange(len(data))
        path.write_bytes(bytes(data[:size]))
        return f"cut after {size} bytes"
    places = sorted(rng.randrange(100 if rng.random() < 0.2 else len(data)) for _ in range(rng.choice((1, 1, 3, 30))))
    for place in places:
        data[place] = rng.choice((0, 255, rng.randrange(256), data[place] ^ 1 << rng.randrange(8)))
    path.write_bytes(bytes(data))
    return f"bytes {places}"


def damage_store(path: Path, rng: random.Random) -> str:
    """Edit a store by SQL, one to three times."""
    done = []
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            try:
                edit, values = _edit(connection, rng)
                connection.execute(edit, values)
            except (sqlite3.Error, ValueError, TypeError, OverflowError):
                continue                                # an earlier edit has left nothing that this one could change
            done.append(f"{edit} {str(values)[:80]!a}")
        if rng.random() < 0.1:
            connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
    return "; ".join(done)


def _edit(connection: sqlite3.Connection, rng: random.Random) -> tuple[str, tuple[Any, ...]]:
    kind = rng.randrange(12)
    row = f"rowid = (SELECT rowid FROM game LIMIT 1 OFFSET {rng.randrange(4)})"
    if kind <= 3:                                       # a cell
        return f"UPDATE OR REPLACE game SET {rng.choice(COLUMNS)} = ? WHERE {row}", (rng.choice(ODD_CELLS),)
    if kind <= 5:                                       # within a cell of JSON
        column = rng.choice(("agents", "utilities", "ranks", "scores", "decisions", "seconds", "forfeit", "record"))
        text = connection.execute(f"SELECT {column} FROM game WHERE {column} IS NOT NULL").fetchone()
        changed = damage_json([json.loads(text[0])], rng)[0] if text and rng.random() < 0.8 else [rng.choice(ODD_JSON)]
        return (f"UPDATE game SET {column} = ? WHERE {row}",
                (json.dumps(changed[0] if isinstance(changed, list) and changed else changed),))
    if kind <= 7:                                       # the header
        key = rng.choice(KEYS)
        value = rng.choice((rng.choice(ODD_CELLS), json.dumps(rng.choice(ODD_JSON))))
        return "INSERT OR REPLACE INTO header VALUES (?, ?)", (key, value)
    return rng.choice((
        ("DELETE FROM header WHERE key = ?", (rng.choice(KEYS),)), ("DELETE FROM header", ()),
        (f"DELETE FROM game WHERE {row}", ()), ("DELETE FROM game", ()), ("DROP TABLE game", ()),
        ("DROP TABLE header", ()), (f"ALTER TABLE game DROP COLUMN {rng.choice(COLUMNS)}", ()),
        (f"ALTER TABLE game RENAME COLUMN {rng.choice(COLUMNS)} TO other", ()),
        ("ALTER TABLE game RENAME TO other", ()), ("ALTER TABLE game ADD COLUMN more TEXT", ()),
        ("UPDATE game SET block = block + 1000", ()), ("UPDATE game SET rotation = rotation + 1", ()),
        ("INSERT INTO game SELECT block + 7, rotation, agents, utilities, ranks, scores, decisions, seconds, wall, "
         "forfeit, record, finished FROM game", ()),
        ("INSERT INTO header VALUES (?, ?)", (rng.choice(("new", "\x1b[2J", "é")), rng.choice(ODD_TEXTS))),
        (f"PRAGMA user_version = {rng.choice((0, 2, 99, -1))}", ()),
        (f"PRAGMA application_id = {rng.choice((0, 7))}", ()),
        ("CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END", ()),
        ("CREATE VIEW v AS SELECT * FROM game", ()), ("CREATE INDEX i ON game (wall)", ()),
        ("UPDATE game SET utilities = '[1.5, -0.5]', record = replace(record, '\"utilities\":[', "
         "'\"utilities\":[1.5,')", ()),
        ("UPDATE game SET forfeit = '[1, \"died\", \"gone\"]'", ()),
        ("UPDATE game SET record = (SELECT record FROM game LIMIT 1)", ()),
        ("UPDATE game SET scores = ranks, ranks = scores", ()),
    ))
