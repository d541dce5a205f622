"""A server in the test's process, and a client that plays at its tables."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx

from sfida.web.guard import Limits
from sfida.web.lobby import Lobby
from sfida.web.serving import Server

PLAIN = {"X-Sfida-Codes": "no"}         # header of pages without codes, the default
PLENTY = Limits(burst=1_000_000, rate=1_000_000.0)
_PATIENCE = 60.0


class Seat:
    """A link to a table, used in the same way as by the table's page."""

    def __init__(self, client: httpx.Client, address: str) -> None:
        self.client = client
        self.address = address
        self.base = f"/api/table/{address.rsplit('/', 1)[1]}"

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.client.get(f"{self.base}/{path}")
        assert answer.status_code == status, answer.text
        return answer.json() if "json" in answer.headers["content-type"] and path != "record" else answer.text

    def post(self, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
        answer = self.client.post(f"{self.base}/{path}", json=body or {})
        assert answer.status_code == status, answer.text
        return answer.json()

    def scene(self, seat: int | None = None) -> Any:
        return self.get("scene" if seat is None else f"scene?seat={seat}")

    def play(self, move: str, status: int = 200) -> Any:
        return self.post("play", {"version": self.scene()["version"], "move": move}, status)

    def turn(self) -> Any:
        """Wait until this seat has a decision, or the game is over, and return the scene."""
        return self.until(lambda scene: scene["over"] or scene["decision"] is not None)

    def until(self, wanted: Callable[[Any], object]) -> Any:
        """Wait until the scene satisfies a condition, and return the scene."""
        end, pause = time.monotonic() + _PATIENCE, 0.01
        while not wanted(scene := self.scene()):
            assert time.monotonic() < end, (scene["to_move"], scene["trouble"], scene["thinking"])
            time.sleep(pause)
            pause = min(2 * pause, 0.2)         # this process also draws scenes and serves agents
        return scene

    def play_on(self, decisions: int = 100_000, choose: Callable[[list[Any], int], int] = lambda moves, n: n) -> Any:
        """Play a number of decisions, or to the end, and return the last scene."""
        for number in range(decisions):
            scene = self.turn()
            if scene["over"]:
                return scene
            moves = scene["decision"]["moves"]
            self.post("play", {"version": scene["version"], "move": moves[choose(moves, number) % len(moves)]["label"]})
        return self.scene()


class Served:
    """A server that runs in a thread, and its host's client."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"
        self._guests: list[httpx.Client] = []
        self.client = httpx.Client(base_url=self.url, timeout=_PATIENCE, trust_env=False, headers=PLAIN)
        self.client.get(server.addresses[0].removeprefix(self.url), follow_redirects=False)

    @property
    def lobby(self) -> Lobby:
        return self.server.lobby

    def guest(self) -> httpx.Client:
        """Return a client without the host's key."""
        self._guests.append(httpx.Client(base_url=self.url, timeout=_PATIENCE, trust_env=False, headers=PLAIN))
        return self._guests[-1]

    def close(self) -> None:
        """Close all clients."""
        for client in (self.client, *self._guests):
            client.close()

    def post_table(self, **body: Any) -> httpx.Response:
        return self.client.post("/api/tables", json=body)

    def table(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Open a table; return the host's seat, the other seats by number, and a spectator's seat."""
        answer = self.post_table(**({"game": game, "seats": list(seats)} if game else {}), **more)
        assert answer.status_code == 200, answer.text
        links = answer.json()
        return {"host": Seat(self.client, links["play"]), "watch": Seat(self.client, links["watch"]),
                "seats": {each["seat"]: Seat(self.client, each["link"]) for each in links["seats"]}}

    def host(self, game: str, *seats: str, **more: Any) -> Seat:
        """Open a table and return the host's seat."""
        seat: Seat = self.table(game, *seats, **more)["host"]
        return seat


def bound(port: int = 0) -> socket.socket:
    """Return a socket bound to a port of this machine."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    return listening


@contextmanager
def serving(port: int = 0, workers: int = 2, tables: int = 20, limits: Limits = PLENTY,
            **more: Any) -> Iterator[Served]:
    """Run a server while the block runs."""
    server = Server(bound(port), workers=workers, tables=tables, limits=limits, **more)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + _PATIENCE
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    served = Served(server)
    try:
        yield served
    finally:
        served.close()
        server.stop()
        thread.join(_PATIENCE)


def plays(moves: Sequence[str]) -> Callable[[list[Any], int], int]:
    """Return a chooser for `Seat.play_on` that plays moves in notation, in order."""
    return lambda listed, number: [move["text"] for move in listed].index(moves[number])
