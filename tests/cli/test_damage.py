"""Every command that reads a store or a record, on damaged files: a result, or one line with the reason."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sfida as api
from sfida.ai.archive import unfinished
from sfida.ai.arena.store import Store, export_games
from support.damage import damage_bytes, damage_json, damage_store, damage_text

STORE, LINES = Path("t.sfida"), Path("t.jsonl")
READ_STORE: list[list[object]] = [
    ["ratings", STORE], ["ratings", STORE, "--json", "--ladder"], ["ratings", STORE, "--export", "out.jsonl"],
    ["replay", STORE, "--game", 1], ["replay", STORE, "--game", 3, "--json"], ["replay", STORE, "--game", 10**15],
    ["hint", STORE, "--until", 2, "--agent", "ismcts:iterations=2"],
    ["analyze", STORE, "--until", 2, "--agent", "ismcts:iterations=2"]]
READ_RECORD: list[list[object]] = [
    ["replay", LINES], ["replay", LINES, "--json"], ["replay", LINES, "--seat", 1, "--until", 1],
    ["hint", LINES, "--until", 2, "--agent", "ismcts:iterations=2"], ["play", LINES]]


class Loser:
    spec = "loser"

    def choose(self, view):
        raise KeyError("nothing")


@pytest.fixture(scope="module")
def stores(tmp_path_factory) -> dict[Path, list[str]]:
    """Return stores, each with its games as lines."""
    folder = tmp_path_factory.mktemp("stores")
    api.tournament("tic_tac_toe", ["random", "greedy"], 6, seed=1, sprt="elo0=0,elo1=35", store=folder / "a.sfida")
    api.tournament("kuhn_poker", ["random", Loser(), "greedy"], 6, seed=1, store=folder / "b.sfida")
    lines = {}
    for path in sorted(folder.glob("*.sfida")):
        with Store.read(path) as store:
            export_games(store, folder / "lines.jsonl")
        lines[path] = (folder / "lines.jsonl").read_text(encoding="utf-8").splitlines()
    return lines


def numbers(data: Any, key: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of a result with its key."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from numbers(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from numbers(value, key)
    elif isinstance(data, (int, float)):
        yield key, data


def check(result, arguments: list[object], what: str) -> None:
    """Check that a command has printed a sound result, or one error line."""
    told = f"{what}\n{arguments}\n{result.stderr}"
    assert result.exit_code in (0, 1), told
    lines = result.stderr.splitlines()
    assert [line for line in lines if line.startswith("error: ")] == lines[-1:] * result.exit_code, told
    assert "Traceback" not in result.output, told
    if result.exit_code == 0 and "--json" in arguments:
        for key, value in (pair for line in result.stdout.splitlines() for pair in numbers(json.loads(line))):
            assert abs(value) < 1e12, (key, told)
            if key in ("win_share", "ci95", "score", "expected"):
                assert -1e-6 <= value <= 1 + 1e-6, (key, told)


@pytest.mark.parametrize("damage", [damage_store, damage_bytes])
@pytest.mark.parametrize("part", range(4))
def test_damaged_stores(sfida, stores, damage, part):
    for number in range(30 * part, 30 * part + 30):
        rng = random.Random(f"{damage.__name__} {number}")
        source = rng.choice(list(stores))
        shutil.copy(source, STORE)
        done = damage(STORE, rng)
        before = STORE.read_bytes(), STORE.stat().st_mtime_ns
        arguments = rng.choice(READ_STORE)
        check(sfida(*arguments), arguments, f"{number}: {done}")
        assert (STORE.read_bytes(), STORE.stat().st_mtime_ns) == before, "reading changes nothing"
        assert list(Path().glob("t.sfida?*")) == []


@pytest.mark.parametrize("part", range(4))
def test_damaged_imports(sfida, stores, part):
    for number in range(25 * part, 25 * part + 25):
        rng = random.Random(f"import {number}")
        source = rng.choice(list(stores))
        lines = list(stores[source])
        at = rng.randrange(len(lines))
        lines[at], done = damaged(lines[at], rng)
        LINES.write_bytes("\n".join(lines).encode(errors="surrogatepass"))
        STORE.unlink(missing_ok=True)
        if rng.random() < 0.5:
            shutil.copy(source, STORE)
        before = STORE.read_bytes() if STORE.exists() else None
        arguments = ["ratings", STORE, "--json", "--import", LINES]
        result = sfida(*arguments)
        check(result, arguments, f"{number}: line {at + 1}: {done}")
        if result.exit_code:
            assert (STORE.read_bytes() if STORE.exists() else None) == before, (number, done, result.stderr)


@pytest.mark.parametrize("part", range(2))
def test_damaged_records(sfida, stores, part):
    for number in range(40 * part, 40 * part + 40):
        rng = random.Random(f"record {number}")
        data = json.loads(rng.choice(stores[rng.choice(list(stores))]))
        del data["tournament"], data["tournament_game"]
        text, done = damaged(json.dumps(data), rng)
        LINES.write_bytes(text.encode(errors="surrogatepass"))
        arguments = rng.choice(READ_RECORD)
        check(sfida(*arguments, input=""), arguments, f"{number}: {done}")


def damaged(line: str, rng: random.Random) -> tuple[str, str]:
    """Return a line of JSON with an error in its data or its characters."""
    if rng.random() < 0.3:
        return damage_text(line, rng)
    data, done = damage_json(json.loads(line), rng)
    return json.dumps(data, ensure_ascii=rng.random() < 0.5), done


def test_games_that_go_on_are_sound_or_left_alone(sfida, stores):
    """Only missing games are played, and none are added to a damaged store."""
    source = next(iter(stores))
    for number in range(12):
        rng = random.Random(f"resume {number}")
        shutil.copy(source, STORE)
        done = damage_store(STORE, rng)
        arguments = ["tournament", "tic_tac_toe", "random", "greedy", "--sprt", "elo0=0,elo1=35", "-n", 6, "--seed", 1,
                     "--store", STORE, "--resume", "--quiet", "--json"]
        check(sfida(*arguments), arguments, f"{number}: {done}")


def test_damaged_saves_are_passed_over(sfida, saves):
    """Damaged saves do not prevent a new game and are not offered; the intact save is."""
    def play():
        return sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", 1, input="b2\n")

    play()
    (save,) = saves()
    whole = save.rename(save.with_name("tic_tac_toe-20200101-000000-99999999.jsonl"))
    line = whole.read_text(encoding="utf-8")
    for number in range(1, 60):
        rng = random.Random(f"save {number}")
        text, _ = damaged(line, rng)
        whole.with_name(f"tic_tac_toe-20200101-0000{number:02}-99999999.jsonl").write_bytes(
            text.encode(errors="surrogatepass"))
    found = dict(unfinished("tic_tac_toe"))
    assert whole in found
    assert len(found) < 30
    for record in found.values():
        assert not record.replay().is_over
    assert "it is kept, and continues with" in play().stderr
