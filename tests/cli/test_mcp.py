"""A seat for clients of the Model Context Protocol: what they are shown, what they play, and seats in tournaments."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("mcp", reason="clients are tested with the package mcp")

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from sfida.ai.session import Session
from sfida.ai.table import Table, take_seats
from sfida.cli import mcp
from sfida.cli.mcp import OwnGame, TournamentSeat, server_of
from sfida.engines.registry import make_game
from support.alike import HIDING, twins_of

GAMES = ["carcassonne", "settlers_of_zarahemla:victory_points=4,trade_mode=none", "risiko:players=3,round_limit=1",
         "attila:players=2", "a_few_acres_of_snow:max_turns=8"]


def run(task: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine apart: tests in a browser leave a loop running in this thread."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(task())).result()


def own_game(game: str, seed: int = 3) -> OwnGame:
    """Return a game against `random`."""
    engine = make_game(game)
    return OwnGame(engine, ["human", *["random"] * (engine.players - 1)], seed)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_a_whole_game(game: str) -> None:
    place = own_game(game)

    async def play() -> dict[str, Any]:
        async with Client(server_of(place)) as client:
            seen: dict[str, Any] = (await client.call_tool("look", {})).structured_content or {}
            while not seen["over"]:
                assert seen["to_move"] == seen["seat"] == 0
                chosen = seen["moves"][len(seen["words"]) % len(seen["moves"])]
                assert f"{chosen['label']}: {chosen['move']}" in seen["words"]
                told = await client.call_tool("play", {"move": chosen["move"]})
                assert not told.is_error, told.content
                seen = told.structured_content or {}
            return seen

    last = run(play)
    assert "The game is over." in last["words"]
    assert sum(last["result"]["utilities"]) == pytest.approx(1.0)
    record = place.session.table.record()
    record.replay()
    assert len(record.moves) == len(place.session.steps)


def test_the_tools_and_their_answers() -> None:
    place = own_game("carcassonne")

    async def ask() -> None:
        async with Client(server_of(place)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["look", "play", "legal_moves", "rules", "new_game"]
            seen = (await client.call_tool("look", {})).structured_content
            assert seen is not None
            assert json.dumps(seen)
            assert seen["observation"] == place.session.table.state.view(0).observation()
            wrong = await client.call_tool("play", {"move": "there is no such move"})
            assert wrong.is_error
            assert "there is no such move" in wrong.content[0].text         # type: ignore[union-attr]
            assert "Traceback" not in wrong.content[0].text                 # type: ignore[union-attr]
            listed = (await client.call_tool("legal_moves", {"first": 1})).structured_content
            assert listed is not None
            assert listed["moves"] == seen["moves"][1:]
            assert listed["of"] == seen["number_of_moves"]
            rules = (await client.call_tool("rules", {"find": "CAR-3.2"})).structured_content
            assert rules is not None
            assert "CAR-3.2" in rules["result"][0]
            again = [(await client.call_tool("new_game", {"seed": seed})).structured_content for seed in (8, 8, 9)]
            assert again[0] == again[1] != again[2]

    run(ask)


@pytest.mark.parametrize("game", HIDING)
def test_histories_that_look_alike_are_told_alike(game: str) -> None:
    """Two games that differ in what a seat did not see: everything that its client is shown is the same."""
    compared, engine = 0, make_game(game)

    def shown(moves: list[int], seat: int) -> dict[str, Any]:
        place = own_game("tic_tac_toe")
        table = Table(engine, take_seats(engine, ["human"] * engine.players), 1, typed_luck=True)
        place.watch(Session(table), seat)
        table.begin()
        for move in moves:
            table.play(move)
        return place.look()

    for seat in range(engine.players):
        for one, other in twins_of(game, seat, 6, 5):
            assert shown(one, seat) == shown(other, seat), (one, other)
            compared += 1
    assert compared >= 2


def test_a_seat_in_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "_WAIT", 0.2)
    place = TournamentSeat(0)
    ended = threading.Event()
    found: list[str] = []

    def hold() -> None:
        done = subprocess.run(
            [sys.executable, "-m", "sfida", "tournament", "tic_tac_toe", f"socket:{place.port}", "random", "-n", "4",
             "-j", "1", "--seed", "1", "--json"], capture_output=True, text=True)
        found.extend([done.stdout, done.stderr])
        ended.set()

    tournament = threading.Thread(target=hold)
    tournament.start()

    async def play() -> int:
        answered = 0
        async with Client(server_of(place)) as client:
            assert "new_game" not in [tool.name for tool in (await client.list_tools()).tools]
            while not ended.is_set():
                seen = (await client.call_tool("look", {})).structured_content
                assert seen is not None
                if seen.get("waiting"):
                    assert f"socket:{place.port}" in seen["words"]
                    continue
                assert seen["to_move"] == seen["seat"]
                assert not (await client.call_tool("play", {"move": seen["moves"][0]["move"]})).is_error
                answered += 1
            late = await client.call_tool("play", {"move": "a1"})
            assert late.is_error
        return answered

    answered = run(play)
    tournament.join()
    table = next(found for found in map(json.loads, found[0].splitlines()) if found["type"] == "tournament")
    assert [agent["forfeits"] for agent in table["agents"]] == [0, 0]
    assert table["games"] == 4
    assert answered >= 12


def test_the_command_serves_a_client_over_its_standard_streams() -> None:
    async def ask() -> str:
        program = StdioServerParameters(
            command=sys.executable, args=["-m", "sfida", "mcp", "tic_tac_toe", "--seed", "1"])
        async with Client(program) as client:
            seen = (await client.call_tool("look", {})).structured_content
            assert seen is not None
            return str(seen["words"])

    assert run(ask).startswith("Tic-tac-toe. You are")


@pytest.mark.parametrize(("arguments", "said"), [
    (("carcassonne", "--seat", "greedy", "--seat", "greedy"), "--seat human must be given exactly once"),
    (("carcassonne", "--seat", "human", "--seat", "human"), "--seat human must be given exactly once"),
    (("carcasson",), "unknown game"), (("--listen", "4000", "--seat", "human"), "--seat"),
])
def test_mistakes_get_a_line(arguments: tuple[str, ...], said: str) -> None:
    done = subprocess.run([sys.executable, "-m", "sfida", "mcp", *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
