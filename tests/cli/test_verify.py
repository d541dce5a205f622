"""`sfida verify`: luck that follows from its seed, and luck that does not."""

from __future__ import annotations

import pytest

import sfida as api
from sfida.ai.chance import draws_of
from sfida.ai.table import Table, cut
from sfida.engines.records import read_record, write_records

GAMES = ["carcassonne:river=true", "settlers_of_zarahemla:max_turns=12,trade_mode=none",
         "risiko:players=3,round_limit=2", "attila", "a_few_acres_of_snow:max_turns=12", "leduc_poker"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_the_luck_of_a_game_follows_from_its_seed(game):
    record = api.play(game, ["random"] * api.make(game).players, seed=6)
    found = list(draws_of(record))
    assert [draw.ply for draw in found] == list(record.chance)
    assert all(draw.drawn == draw.due for draw in found)


def test_another_outcome_is_found(sfida, events):
    record = api.play("carcassonne", ["random", "random"], seed=6)
    last = max(record.chance)
    state = record.replay(last)
    others = [state.format(code) for code, _ in state.chance_outcomes()]
    first = record.chance[1]
    state = record.replay(first)
    other = next(text for text in (state.format(code) for code, _ in state.chance_outcomes())
                 if text != record.moves[first])
    forged = Table.resumed(cut(record, first))
    forged.play(forged.state.parse(other))
    while not forged.is_over:
        forged.play(forged.next_move())
    write_records("forged.jsonl", [forged.record()])
    done = sfida("verify", "forged.jsonl")
    assert done.exit_code == 1
    assert f"move {first + 1}: {other} was drawn, and {record.moves[first]} follows from the seed" in done.stdout
    found = events("verify", "forged.jsonl", code=1)[0]
    assert found["type"] == "verified"
    assert found["differences"][0] == {"ply": first, "drawn": other, "due": record.moves[first]}
    assert others


def test_a_good_game_passes(sfida):
    write_records("good.jsonl", [api.play("tic_tac_toe", ["random", "random"], seed=6),
                                 api.play("carcassonne", ["random", "random"], seed=6)])
    done = sfida("verify", "good.jsonl", "--game", 2)
    assert done.exit_code == 0
    assert done.stdout.strip() == "71 of 71 draws follow from the seed"


def test_a_game_of_a_tournament_is_checked_by_the_seed_of_its_luck(sfida):
    sfida("tournament", "leduc_poker", "random", "greedy", "-n", 4, "-j", 1, "--seed", 3, "--store", "store.sfida")
    done = sfida("verify", "store.sfida", "--game", 3)
    assert done.exit_code == 0, done.stderr


def test_a_game_with_other_luck_is_checked_from_where_it_left(sfida):
    record = api.play("carcassonne", ["random", "random"], seed=6)
    table = Table.resumed(cut(record, 40, seed=9))
    while not table.is_over:
        table.play(table.next_move())
    write_records("other.jsonl", [table.record()])
    assert read_record("other.jsonl").extra["begun_at"] == 40
    assert sfida("verify", "other.jsonl").exit_code == 0


def test_luck_without_a_seed_is_refused(sfida):
    write_records("typed.jsonl", [api.play("leduc_poker", ["random", "random"], seed=6).with_extra(manual_chance=True)])
    done = sfida("verify", "typed.jsonl")
    assert done.exit_code
    assert "typed in" in done.stderr
