"""A command line in a separate folder with separate saves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sfida.ai.table import Table, take_seats
from sfida.cli.main import main
from sfida.cython_ext.state import GameState
from sfida.engines.records import GameRecord, append_record
from sfida.engines.registry import make_game

Sfida = Callable[..., Result]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def sfida() -> Sfida:
    """Run the program in this process: `sfida("games", "--json", input="...")`."""
    def run(*args: object, input: str | None = None) -> Result:
        result = CliRunner().invoke(main, [str(arg) for arg in args], input=input)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result
    return run


@pytest.fixture
def events(sfida: Sfida) -> Callable[..., list[dict[str, Any]]]:
    """Run the program with `--json` and return its objects; everything on stdout must be one."""
    def run(*args: object, input: str | None = None, code: int = 0) -> list[dict[str, Any]]:
        result = sfida(*args, "--json", input=input)
        assert result.exit_code == code, result.stderr
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert all(event["schema"] == 1 for event in found)
        return found
    return run


@pytest.fixture
def saves(tmp_path: Path) -> Callable[[], list[Path]]:
    """Return a function that lists the kept games."""
    return lambda: sorted((tmp_path / "state").rglob("saves/*.jsonl"))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return an unfinished record of tic-tac-toe: O threatens a3, where X would win."""
    path = tmp_path / "game.jsonl"
    append_record(path, GameRecord("tic_tac_toe", 1, ("a1", "b2", "c3", "c1"), ("human", "human"), 1))
    return path


@pytest.fixture
def stopped() -> Callable[..., GameState]:
    """Write a record of greedy agents that stops where a decision fits, with a person at the seat to decide."""
    def write(path: str, game: str, fits: Callable[[Any], bool], seeds: Iterable[int] = range(3, 40)) -> GameState:
        engine = make_game(game)
        for seed in seeds:
            table = Table(engine, take_seats(engine, ["greedy"] * engine.players), seed)
            table.begin()
            while not table.is_over:
                seat = int(table.state.to_move)
                if seat >= 0 and fits(table.state):
                    seats = ["greedy"] * engine.players
                    seats[seat] = "human"
                    append_record(path, table.record(seats))
                    return table.state
                table.play(table.next_move())
        raise AssertionError("no such decision came up")
    return write
