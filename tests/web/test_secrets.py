"""No byte sent to a seat depends on information that the seat cannot have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from sfida.ai.session import Session
from sfida.ai.table import Table, take_seats
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.cython_ext.twins import Tape
from sfida.engines.registry import game_names, make, make_game
from sfida.web.app import make_app
from sfida.web.lobby import Link
from sfida.web.session import GameSession, Workers
from support.served import PLENTY, Served
from support.short_games import short_for_three

HIDING = [short_for_three(name) for name in game_names() if make(name).hidden]
SENT = ("scene", "log", "stock", "cards", "help", "rule")


def session_of(game: str, moves: list[int], workers: Workers) -> GameSession:
    """Return a table at which some events were played, and which does not continue automatically."""
    engine = make_game(game)
    table = Table(engine, take_seats(engine, ["human"] * engine.players), 1, typed_luck=True)
    played = Session(table)
    table.begin()
    session = GameSession(played, workers, lambda _session: None)
    for move in moves:
        table.play(move)
    session.version = 1
    return session


def sent_to(session: GameSession, seats: tuple[int, ...]) -> dict[str, bytes]:
    """Return all data sent to a link, answer by answer."""
    link = Link("token", "table", seats)
    lobby: Any = SimpleNamespace(enter=lambda _token: (link, session))

    async def ask() -> dict[str, bytes]:
        transport = httpx.ASGITransport(make_app(lobby, 1, limits=PLENTY))
        found = {}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for name in SENT:
                found[name] = (await client.get(f"/api/table/token/{name}")).content
            version = {"version": 1, "move": "there is no such move"}
            found["play"] = (await client.post("/api/table/token/play", json=version)).content
        return found

    with ThreadPoolExecutor(1) as apart:                # tests in a browser leave a loop running in this thread
        return apart.submit(asyncio.run, ask()).result()


def twins_of(game: str, seat: int, tries: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pairs of histories that a seat cannot distinguish."""
    rng = Random(derive(seed, seat))
    tape = Tape(make_game(game).initial_state(), rng, 2000, 40)
    alike = tape.hidden_events(seat)
    for _ in range(tries if alike else 0):
        plies = alike[rng.below(len(alike))]
        at = plies[rng.below(len(plies))]
        found: list[list[int]] = []

        def keep(_ply: int, state: GameState, found: list[list[int]] = found) -> None:
            if not state.is_over:
                found.append(list(tape.line))

        tape.twin(seat, at, -1, rng, 1, keep)
        if found:
            line = found[rng.below(len(found))]
            yield list(tape.moves[:at + len(line)]), [*tape.moves[:at], *line]


@pytest.mark.parametrize("game", HIDING)
def test_histories_that_look_alike_are_told_alike(game: str) -> None:
    """For two games that differ only in information hidden from a seat, all data sent to the seat are the same."""
    workers, compared = Workers(1), 0
    for seat in range(make_game(game).players):
        for one, other in twins_of(game, seat, 6, 5):
            assert one != other
            first, second = session_of(game, one, workers), session_of(game, other, workers)
            assert sent_to(first, (seat,)) == sent_to(second, (seat,)), (one, other)
            compared += 1
    workers.close()
    assert compared >= 2


@pytest.mark.parametrize("game", HIDING)
def test_a_spectator_is_told_what_no_secret_changes(game: str) -> None:
    """A spectator has only the information common to all seats: worlds of any seat look the same to it."""
    workers, rng = Workers(1), Random(3)
    tape = Tape(make_game(game).initial_state(), rng, 2000, 40)
    for at in range(2, len(tape.moves), max(1, len(tape.moves) // 6)):
        session = session_of(game, list(tape.moves[:at]), workers)
        sent = sent_to(session, ())
        for seat in range(make_game(game).players):
            true = session.table.state
            session.table.state = true.clone()
            session.table.state.determinize(seat, rng)
            assert sent_to(session, ()) == sent
            session.table.state = true
    workers.close()


@pytest.mark.parametrize("game", HIDING)
def test_hidden_things_redrawn_in_mid_game_change_nothing(served: Served, game: str) -> None:
    """In a game over the network hidden information is redrawn at many decisions, and no sent data change."""
    engine = make_game(game)
    table = served.table(game, "human", *["random"] * (engine.players - 1), invited=[0], seed="8")
    seat, rng, looked = table["seats"][0], Random(2), 0
    _, session = served.lobby.enter(seat.address.rsplit("/", 1)[1])
    for number in range(400):
        scene = seat.turn()
        if scene["over"]:
            break
        if number % (1 + number // 5) == 0:
            sent = {name: seat.client.get(f"{seat.base}/{name}").content for name in SENT}
            true = session.table.state
            session.table.state = true.clone()
            session.table.state.determinize(0, rng)
            assert {name: seat.client.get(f"{seat.base}/{name}").content for name in SENT} == sent
            session.table.state = true
            looked += 1
        moves = scene["decision"]["moves"]
        seat.post("play", {"version": scene["version"], "move": moves[5 * number % len(moves)]["label"]})
        if looked >= 8:
            break
    assert looked


def test_a_leak_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positive control: a session that shows its whole position is caught."""
    workers = Workers(1)
    pairs = list(twins_of("kuhn_poker", 0, 20, 5))
    monkeypatch.setattr(GameSession, "seen",
                        lambda session, _viewer, state=None: (state or session.table.state).clone())
    monkeypatch.setattr("sfida.engines.examples.kuhn_poker.KuhnPoker.board_text",
                        lambda _game, state, **_: repr(state.to_bytes()))
    sent = [[sent_to(session_of("kuhn_poker", moves, workers), (0,)) for moves in pair] for pair in pairs]
    assert any(one != other for one, other in sent)
    workers.close()
