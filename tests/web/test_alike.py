"""An agent plays the same in the arena, at a table in the browser, and as a program behind the line protocol."""

from __future__ import annotations

import json
import sys

import pytest

import sfida
from support.served import serving

SEED = 20
ITERATIONS = 30
GAMES = ("leduc_poker", "tic_tac_toe", "carcassonne")
SPECS = ("greedy", f"ismcts:iterations={ITERATIONS}", f"mo-ismcts:iterations={ITERATIONS},beliefs=32")


def program(spec: str) -> str:
    """Return the spec of the agent as a separate program."""
    return f"exec:{sys.executable} -m sfida engine --agent {spec}"


def at_a_table(game: str, *seats: str) -> list[str]:
    """Return the moves of a game between agents at a table in the browser."""
    with serving(trusts=True) as served:
        host = served.host(game, *seats, seed=str(SEED))
        host.until(lambda scene: scene["over"])
        return list(json.loads(host.get("record"))["moves"])


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game", GAMES[:2])
def test_the_same_game_in_the_arena_at_a_table_and_by_a_program(game: str, spec: str) -> None:
    wanted = list(sfida.play(game, [spec, "greedy"], seed=SEED).moves)
    assert at_a_table(game, spec, "greedy") == wanted
    assert at_a_table(game, program(spec), "greedy") == wanted


@pytest.mark.parametrize("game", GAMES)
def test_a_person_who_plays_what_an_agent_would_meets_the_same_answers(game: str) -> None:
    spec = SPECS[1]
    wanted = list(sfida.play(game, ["greedy", spec], seed=SEED).moves)
    with serving(trusts=True) as served:
        host = served.host(game, "human", program(spec), seed=str(SEED))
        while not (scene := host.turn())["over"]:
            played = json.loads(host.get("record"))["moves"]
            assert played == wanted[:len(played)]
            host.post("play", {"version": scene["version"], "move": wanted[len(played)]})
        assert json.loads(host.get("record"))["moves"] == wanted
        assert scene["result"] is not None
