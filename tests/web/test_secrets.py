"""Not one byte that is sent to a seat depends on what the seat cannot know."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from sfida.ai.session import Session
from sfida.ai.table import Table, take_seats
from sfida.cython_ext.rng import Random
from sfida.cython_ext.twins import Tape
from sfida.engines.registry import make_game
from sfida.web.app import Application, Streams
from sfida.web.lobby import Link
from sfida.web.requests import Request
from sfida.web.runner import Loop, Threads
from sfida.web.session import GameSession
from support.alike import HIDING, twins_of
from support.served import Served

SENT = ("scene", "log", "stock", "cards", "help", "rule", "lesson", "luck")


def session_of(game: str, moves: list[int], workers: Threads) -> GameSession:
    """Return a table with some events played that does not continue by itself."""
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
    """Return all that is sent to a link, answer by answer."""
    link = Link("token", "table", seats)
    lobby: Any = SimpleNamespace(enter=lambda _token: (link, session), runner=Loop(lambda _job, _seconds: None, None))
    application = Application(lobby, Streams(1, lambda: False))

    async def ask() -> dict[str, bytes]:
        found = {name: (await application.answer(Request("GET", f"/api/table/token/{name}"))).body for name in SENT}
        version = json.dumps({"version": 1, "move": "there is no such move"}).encode()
        found["play"] = (await application.answer(Request("POST", "/api/table/token/play", body=version))).body
        return found

    with ThreadPoolExecutor(1) as apart:                # tests in a browser leave a loop running in this thread
        return apart.submit(asyncio.run, ask()).result()


@pytest.mark.parametrize("game", HIDING)
def test_histories_that_look_alike_are_told_alike(game: str) -> None:
    """Two games that differ in what a seat did not see: everything sent to it is the same."""
    workers, compared = Threads(1), 0
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
    """A spectator knows what every seat knows: worlds of any seat look the same to it."""
    workers, rng = Threads(1), Random(3)
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
    """A game over the network: at many decisions what the seat cannot know is redrawn, and nothing sent changes."""
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
    """Positive control: a room that shows its whole position is caught."""
    workers = Threads(1)
    pairs = list(twins_of("kuhn_poker", 0, 20, 5))
    monkeypatch.setattr(GameSession, "seen",
                        lambda session, _viewer, state=None: (state or session.table.state).clone())
    monkeypatch.setattr("sfida.engines.examples.kuhn_poker.KuhnPoker.board_text",
                        lambda _game, state, **_: repr(state.to_bytes()))
    sent = [[sent_to(session_of("kuhn_poker", moves, workers), (0,)) for moves in pair] for pair in pairs]
    assert any(one != other for one, other in sent)
    workers.close()
