"""Games played by clicks alone and by keys alone: they equal the recorded games."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

import sfida
from sfida.ai.table import forced
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from support.browser import Person
from support.served import Served

GAMES = {                               # games with many players, one of whom is the person
    "carcassonne:players=4": 4, "settlers_of_zarahemla:players=2,victory_points=6": 2,
    "risiko:players=4,round_limit=3": 4, "attila:players=4": 4, "a_few_acres_of_snow:max_turns=30": 2,
}


def decisions_of(record: GameRecord) -> list[int]:
    """Return the plies at which seat 0 has a choice."""
    state, found = make_game(record.game).initial_state(), []
    for ply, text in enumerate(record.moves):
        if int(state.to_move) == 0 and forced(state) is None:
            found.append(ply)
        state.apply(state.parse(text))
    return found


@pytest.mark.parametrize("keys", [False, True], ids=["clicks", "keys"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_a_whole_game(served: Served, page: Any, game: str, keys: bool) -> None:
    agents = ["greedy"] * GAMES[game]
    whole = sfida.play(game, agents, seed=5)
    asked = decisions_of(whole)
    part = dataclasses.replace(whole, moves=whole.moves[:asked[0]], result=None, seats=("human", *agents[1:]),
                               chance=tuple(ply for ply in whole.chance if ply < asked[0]))
    seat = served.host("", record=json.dumps(part.to_json()))
    person = Person(page, keys=keys)
    person.sit_down(served, seat)
    played = 0
    for ply in asked:
        if ply < played:                # chosen together with the move before
            continue
        moves = {move["text"]: move for move in seat.turn()["decision"]["moves"]}
        assert whole.moves[ply] in moves, f"ply {ply}: what was played before is not the game recorded"
        move = moves[whole.moves[ply]]
        then = {each["text"]: each["path"] for each in move["then"]}
        person.play(move["path"] + (then[whole.moves[ply + 1]] if then else []))
        played = ply + 1 + bool(then)
    assert not person.wait()
    assert json.loads(seat.get("record"))["moves"] == list(whole.moves)
    assert page.locator(".result h2").inner_text()
    assert person.errors == []
