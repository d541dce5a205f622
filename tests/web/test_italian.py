"""Italian pages: all texts of a table, the start page or a refusal come through the catalogue."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sfida
from support.marked import NOTATION, Marking, is_marked, speaking_marked, unmarked
from support.served import Seat, Served

ITALIAN, ENGLISH = {"X-Sfida-Language": "it"}, {"X-Sfida-Language": "en"}
GAMES = {
    "carcassonne": ("river=true,players=2", "river=false,players=3"),
    "attila": ("players=3", "players=2"),
    "risiko": ("players=3", "players=4,preset=tournament"),
    "settlers_of_zarahemla": ("players=3", "players=4,preset=catan"),
    "a_few_acres_of_snow": ("preset=second", "preset=first"),
}
DECISIONS = 5           # decisions at a table
TYPED = ("boh", "99", "0,0", "ALB", "pass", "a1>b2 3", "draft XX", "F", "+9", "[9]")
# Words that are the same in every language: codes, notation, specs, and seats.
PLAIN = {"agent", "color", "default", "id", "key", "kind", "label", "language", "link", "links", "marks",
         "move", "name", "parts", "path", "picture", "place", "places", "play", "presets", "pv", "reason",
         "spec", "text", "then", "type", "value", "values", "watch"}


@pytest.fixture
def marking() -> Iterator[Marking]:
    with speaking_marked() as marking:
        yield marking


def texts(data: Any, key: str = "") -> Iterator[str]:
    """Yield the texts of an answer that depend on the language."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name not in PLAIN or (name == "name" and "color" in data):
                yield from texts(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value, key)
    elif isinstance(data, str):
        yield data


class Reader:
    """Reads pages in Italian, and keeps the texts that did not come through the catalogue."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.notation: set[str] = set(NOTATION)

    def see(self, where: str, data: Any, allowed: Iterable[str] = ()) -> None:
        for text in texts(data):
            for word in unmarked(text, (*self.notation, *allowed)):
                at = text.find(word)
                self.found.setdefault(f"{where}: {word}", text[max(0, at - 60):at + 80])

    def report(self) -> str:
        return "\n".join(f"{where}: {text!r}" for where, text in self.found.items())

    def table(self, seat: Seat, *, read: bool = True) -> Any:
        scene = seat.scene()
        moves = (scene["decision"] or {"moves": []})["moves"]
        self.notation |= {move["text"] for move in moves} | {event["text"] for event in scene["events"]}
        self.see("scene", {key: value for key, value in scene.items() if key not in ("last", "mine")})
        for name in ("log", "stock", "cards", "help", "luck") if read else ():
            answer = seat.get(name)
            told = [(event["words"], event["effects"]) for event in answer.get("events", [])]
            self.see(name, [answer.get("text", ""), told])
        return scene

    def refusals(self, seat: Seat, scene: Any) -> None:
        for typed in TYPED:
            answer = seat.client.post(f"{seat.base}/play", json={"version": scene["version"], "move": typed})
            if answer.status_code == 200:
                return
            self.see(f"refusal of {typed}", answer.json()["error"], (typed,))


@pytest.mark.parametrize("game", [f"{name}:{first}" for name, (first, _second) in GAMES.items()])
def test_a_table_speaks_italian(served: Served, marking: Marking, game: str) -> None:
    reader, rng = Reader(), random.Random(1)
    players = sfida.make(game).players
    reader.notation |= set(sfida.play(game, ["random"] * players, seed=1).moves)
    served.client.headers.update(ITALIAN)
    host = served.host(game, "human", *["greedy"] * (players - 1), seed="3")
    for number in range(DECISIONS):
        host.turn()
        scene = reader.table(host, read=number % 4 == 0)
        reader.refusals(host, scene)
        scene = host.scene()
        if scene["decision"] is None:
            continue
        move = rng.choice(scene["decision"]["moves"])
        if number == 2 and game.startswith("carcassonne"):
            reader.see("hint", host.post("hint"))
            reader.see("why", host.post("why", {"move": move["label"]}))
        host.post("play", {"version": scene["version"], "move": move["label"]})
    english = host.client.get(f"{host.base}/scene", headers=ENGLISH)
    assert not is_marked(json.dumps(english.json(), ensure_ascii=False))
    assert not is_marked("".join(path.read_text() for path in Path("state").rglob("*") if path.is_file()))
    assert not reader.found, reader.report()


@pytest.mark.parametrize("game", [f"{name}:{options}" for name, both in GAMES.items() for options in both])
def test_a_game_that_is_over_is_told_in_italian(served: Served, marking: Marking, game: str) -> None:
    reader = Reader()
    record = sfida.play(game, ["greedy"] * sfida.make(game).players, seed=2)
    served.client.headers.update(ITALIAN)
    host = served.host("", record=record.to_json_line())
    reader.notation |= set(record.moves)
    assert reader.table(host)["over"]
    assert not reader.found, reader.report()
    reader.see("board", host.get("board?ply=20")["board"])
    assert not reader.found, reader.report()


def test_the_start_page_and_all_texts_speak_italian(served: Served, marking: Marking) -> None:
    reader = Reader()
    served.host("carcassonne", "human", "greedy")
    usual = [f"/api/usual?game={game}" for game in (*GAMES, "risiko:preset=rtu")]
    for path in ("/api/words", "/api/home", *usual):
        said = served.client.get(path, headers=ITALIAN).text
        reader.see(path, json.loads(re.sub(r"\{\w+\}", "", said)))        # without blanks for values
    assert not reader.found, reader.report()
