"""Golden signatures and records: a change of the rules, the luck or the search must be meant.

Native and portable builds give the same signatures: no floating-point contraction is allowed, and nothing else
in the search depends on the instruction set. (exp, log and pow come from the C library, whose last bit may
differ on an exotic platform; all builds with the same library agree.)
"""

import json

import pytest

from sfida.ai.research.profiling import signature
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from support import golden

SIGNATURES = json.loads((golden.FOLDER / "signatures.json").read_text())
RECORDS = (golden.FOLDER / "games.jsonl").read_text().splitlines()


def test_every_game_has_a_signature():
    assert sorted(SIGNATURES) == sorted(golden.specs()), golden.HOW


@pytest.mark.parametrize("spec", golden.specs())
def test_signature(spec):
    found = signature(make_game(spec))
    assert found == SIGNATURES.get(spec), f"{spec} no longer plays as it did (signature {found}): {golden.HOW}"


def test_signatures_tell_games_apart():
    assert len(set(SIGNATURES.values())) == len(SIGNATURES)


@pytest.mark.parametrize("number", range(len(golden.GAMES)))
def test_golden_games_replay_and_are_played_again(number):
    record = GameRecord.from_json_line(RECORDS[number], f"golden game {number + 1}")
    assert record.to_json_line() == RECORDS[number]
    state = record.replay()
    assert state.is_over
    game, agents, seed = golden.GAMES[number]
    assert (make_game(record.game), record.seats, record.seed) == (make_game(game, players=len(agents)), agents, seed)
    again = golden.play(number)
    moves = zip(record.moves, again.moves, strict=False)
    differs = next((ply for ply, (old, new) in enumerate(moves) if old != new), None)
    assert again.to_json_line() == RECORDS[number], f"other play from move {differs} on: {golden.HOW}"


def test_golden_games_are_varied():
    assert len(RECORDS) == len(golden.GAMES)
    states = [GameRecord.from_json_line(line).replay() for line in RECORDS]
    assert {state.players for state in states if state.game.name == "carcassonne"} == {2, 3, 4, 5}
    assert {agent.partition(":")[0] for _, agents, _ in golden.GAMES for agent in agents} == {
        "random", "greedy", "flat", "ismcts"}
