"""Games by clicks alone and by keys alone: what is played is the game recorded.

Each kind of game is played at its end, by clicks first and by keys then; with ``SFIDA_BROWSER=whole`` it is played from
its beginning, once by each.
"""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

import pytest

import sfida
from sfida.ai.forced import forced
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from support.browser import Person
from support.served import Served

CLICKS, KEYS = 3, 2     # decisions of the person at the end of a game
GAMES = {
    "carcassonne": 2, "settlers_of_zarahemla:players=2": 2, "risiko:players=3,round_limit=3": 3, "attila:players=2": 2,
    "a_few_acres_of_snow": 2, "tic_tac_toe": 2,
}
a_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])


def decisions_of(record: GameRecord) -> list[int]:
    """Return the plies at which seat 0 has a choice."""
    state, found = make_game(record.game).initial_state(), []
    for ply, text in enumerate(record.moves):
        if int(state.to_move) == 0 and forced(state) is None:
            found.append(ply)
        state.apply(state.parse(text))
    return found


def play_again(served: Served, page: Any, game: str, last: int | None, clicks: int) -> None:
    """Play the `last` decisions of a game that was recorded, all for None: the first `clicks` with the mouse."""
    agents = ["greedy"] * GAMES[game]
    whole = sfida.play(game, agents, seed=5)
    asked = decisions_of(whole)
    asked = asked if last is None else asked[-last:]
    part = dataclasses.replace(whole, moves=whole.moves[:asked[0]], result=None, seats=("human", *agents[1:]),
                               chance=tuple(ply for ply in whole.chance if ply < asked[0]))
    seat = served.host("", record=json.dumps(part.to_json()))
    person = Person(page)
    person.sit_down(served, seat)
    for number, ply in enumerate(asked):
        person.keys = number >= clicks
        paths = {move["text"]: move["path"] for move in seat.turn()["decision"]["moves"]}
        assert whole.moves[ply] in paths, f"ply {ply}: what was played before is not the game recorded"
        person.play(paths[whole.moves[ply]])
    assert not person.wait()
    assert json.loads(seat.get("record"))["moves"] == list(whole.moves)
    assert page.locator(".result h2").inner_text()
    assert person.errors == []


@a_game
def test_game_is_played_to_its_end(served: Served, page: Any, game: str) -> None:
    play_again(served, page, game, CLICKS + KEYS, CLICKS)


@pytest.mark.skipif(os.environ.get("SFIDA_BROWSER") != "whole", reason="takes half an hour: SFIDA_BROWSER=whole")
@pytest.mark.parametrize("clicks", [10_000, 0], ids=["clicks", "keys"])
@a_game
def test_whole_game(served: Served, page: Any, game: str, clicks: int) -> None:
    play_again(served, page, game, None, clicks)
