"""`sfida verify`: luck that follows from its seed, and luck that does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfida as api
from sfida.ai.chance import draws_of
from sfida.ai.luck.commitment import PROMISES, Commitment, promise_of
from sfida.ai.table import Table, cut, take_seats
from sfida.engines.records import GameRecord, read_record, write_records
from sfida.engines.registry import make_game

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


# ---- the commitment that was made before the game

ONE, OTHER = "11" * 32, "a2" * 32


def shared_record(game: str = "carcassonne:players=3") -> GameRecord:
    """Return the record of a game whose guests, seats 1 and 2, have contributed."""
    engine = make_game(game)
    table = Table(engine, take_seats(engine, ["random"] * engine.players), 5)
    open_ = replace(Commitment.to(5), stage=PROMISES)
    for seat, given in ((1, ONE), (2, OTHER)):
        open_ = open_.with_promise(seat, promise_of(given))
    open_ = open_.after([1, 2])
    for seat, given in ((1, ONE), (2, OTHER)):
        open_ = open_.with_bytes(seat, given)
    table.commit(open_.after([1, 2]))
    table.begin()
    while not table.is_over:
        table.play(table.next_move())
    return table.record()


def forged(record: GameRecord, **changes: object) -> GameRecord:
    return record.with_extra(commitment={**record.extra["commitment"], **changes})


def test_a_record_with_contributions_passes(sfida, events):
    record = shared_record()
    write_records("shared.jsonl", [record])
    told = sfida("verify", "shared.jsonl", "--commitment", record.extra["commitment"]["sha256"][:16].upper())
    assert told.exit_code == 0, told.stdout
    assert "71 of 71 draws follow from the seed" in told.stdout
    assert f"the seed is the one of the commitment {record.extra['commitment']['sha256']}" in told.stdout
    assert "the seed contains what was contributed by blue and yellow" in told.stdout
    assert events("verify", "shared.jsonl")[0]["faults"] == []


def swapped(record: GameRecord) -> GameRecord:
    """Return the record of a host who replaced what a guest gave, with everything else made to fit."""
    commitment = Commitment.from_json(record.extra["commitment"])
    parts = (commitment.contributions[0], replace(commitment.contributions[1], given=ONE))
    table = Table.resumed(replace(record, moves=(), chance=(), result=None,
                                  extra={}, seed=replace(commitment, contributions=parts).game_seed))
    while not table.is_over:
        table.play(table.next_move())
    return table.record().with_extra(commitment=replace(commitment, contributions=parts).to_json())


CHEATS = {
    "another seed": (lambda record: forged(replace(record, seed=6), seed=6), "do not give the commitment"),
    "another salt": (lambda record: forged(record, salt=OTHER), "do not give the commitment"),
    "only the seed of the game": (lambda record: replace(record, seed=6), "follows as the seed of the game, and 6"),
    "a contribution left out": (
        lambda record: forged(record, contributions=record.extra["commitment"]["contributions"][:1]),
        "follows as the seed of the game"),
    "a contribution replaced": (swapped, "is not what was promised"),
    "still sealed": (lambda record: forged(record, seed=None, salt=""), "still sealed"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_host_who_cheats_is_found(cheat, sfida, events):
    change, said = CHEATS[cheat]
    write_records("cheat.jsonl", [change(shared_record())])
    done = sfida("verify", "cheat.jsonl")
    assert done.exit_code == 1
    assert said in done.stdout
    assert "the seed is the one of the commitment" not in done.stdout
    assert events("verify", "cheat.jsonl", code=1)[0]["faults"]


def test_a_record_whose_luck_was_all_made_up_is_found_by_the_noted_hash(sfida):
    noted, made_up = (shared_record() for _ in range(2))
    write_records("made_up.jsonl", [made_up])
    assert sfida("verify", "made_up.jsonl").exit_code == 0
    done = sfida("verify", "made_up.jsonl", "--commitment", noted.extra["commitment"]["sha256"])
    assert done.exit_code == 1
    assert "the record names another commitment" in done.stdout
    write_records("old.jsonl", [api.play("leduc_poker", ["random", "random"], seed=6)])
    assert "names no commitment" in sfida("verify", "old.jsonl", "--commitment", ONE).stdout
    assert "at least its first 16 digits" in sfida("verify", "old.jsonl", "--commitment", "12").stderr


def test_a_person_is_shown_the_commitment_before_the_game_and_its_seed_afterwards(sfida, events):
    game = ("play", "kuhn_poker", "--seat", "human", "--seat", "random", "--record", "game.jsonl")
    shown = sfida(*game, input="1\n1\n1\n").stdout
    record = read_record("game.jsonl")
    made = record.extra["commitment"]
    assert shown.splitlines()[2].endswith(made["sha256"])
    before, after = shown.split("the end")
    assert str(record.seed) not in before
    assert made["salt"] not in before
    assert f"seed {record.seed}, salt {made['salt']}" in after
    assert sfida("verify", "game.jsonl", "--commitment", made["sha256"]).exit_code == 0
    first, *_, last = events(*game, input="1\n1\n1\n")
    assert first == {"schema": 1, "type": "commitment", "sha256": last["commitment"]["sha256"]}
    chosen = sfida(*game, "--seed", 4, input="1\n1\n1\n").stdout
    assert "seed 4" in chosen.splitlines()[0]
    assert "sealed" not in chosen
