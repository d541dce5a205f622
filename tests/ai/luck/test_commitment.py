"""Commitments to the luck of a game: what follows from them, and what does not fit."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from sfida.ai.luck.commitment import BYTES, FIELD, PROMISES, Commitment, commitment_of, promise_of
from sfida.ai.table import Table, cut, take_seats
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

ONE, OTHER = "11" * 32, "a2" * 32


def gathered(*given: tuple[int, str], seed: int = 5) -> Commitment:
    """Return a commitment to which some seats have contributed."""
    open_, guests = dataclasses.replace(Commitment.to(seed), stage=PROMISES), [seat for seat, _ in given]
    for seat, text in given:
        open_ = open_.with_promise(seat, promise_of(text))
    open_ = open_.after(guests)
    for seat, text in given:
        open_ = open_.with_bytes(seat, text)
    return open_.after(guests)


def test_the_hash_can_be_computed_by_other_programs():
    made = Commitment.to(7)
    text = f"sfida: commitment to the luck of a game\nseed 7\nsalt {made.salt}\n"
    assert made.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert made.fits
    assert made.game_seed == 7
    assert len(made.salt) == 64
    assert Commitment.to(7).sha256 != made.sha256


def test_the_seed_comes_from_the_host_and_every_guest():
    made = gathered((1, ONE), (2, OTHER))
    text = (f"sfida: seed of the luck of a game\nseed 5\nsalt {made.salt}\nseat 1 {ONE}\nseat 2 {OTHER}\n")
    assert made.stage == ""
    assert made.game_seed == int(hashlib.sha256(text.encode()).hexdigest()[:32], 16)
    seeds = {made.game_seed, gathered((1, OTHER), (2, ONE)).game_seed, gathered((1, ONE)).game_seed}
    assert len(seeds) == 3


def test_bytes_are_taken_only_when_all_promises_are_known():
    begun = dataclasses.replace(Commitment.to(5), stage=PROMISES)
    assert begun.waits_for([1, 2]) == [1, 2]
    one = begun.with_promise(2, promise_of(ONE))
    assert one.after([1, 2]) is one
    with pytest.raises(InvalidOption, match="takes no contribution now"):
        one.with_bytes(2, ONE)
    with pytest.raises(InvalidOption, match="another browser"):
        one.with_promise(2, promise_of(OTHER))
    both = one.with_promise(1, promise_of(OTHER)).after([1, 2])
    assert (both.stage, both.waits_for([1, 2])) == (BYTES, [1, 2])
    with pytest.raises(InvalidOption, match="closed"):
        both.with_promise(3, promise_of(ONE))
    with pytest.raises(InvalidOption, match="not the bytes"):
        both.with_bytes(1, ONE)
    assert both.with_bytes(1, OTHER).waits_for([1, 2]) == [2]


def test_a_game_begins_without_those_who_are_missing():
    begun = dataclasses.replace(Commitment.to(5), stage=PROMISES)
    assert begun.after([1], hurried=True).game_seed == 5
    left = begun.with_promise(1, promise_of(ONE)).with_promise(2, promise_of(OTHER)).after([1, 2])
    left = left.with_bytes(1, ONE).after([1, 2], hurried=True)
    assert left.stage == ""
    assert left.withheld == [2]
    assert left.game_seed == dataclasses.replace(left, contributions=left.contributions[:1]).game_seed


def table(commitment: Commitment | None = None) -> Table:
    game = make_game("leduc_poker")
    found = Table(game, take_seats(game, ["human", "random"]), 5)
    if commitment is None:
        found.seal()
    else:
        found.commit(commitment)
    found.begin()
    return found


def played(on: Table) -> GameRecord:
    while not on.is_over:
        on.play(on.state.legal_moves()[0] if on.is_person(int(on.state.to_move)) else on.next_move())
    return on.record()


def test_a_record_keeps_the_commitment_and_goes_on_with_it():
    begun = table(gathered((1, ONE)))
    begun.play(begun.next_move())
    record = GameRecord.from_json_line(begun.record().to_json_line())
    assert commitment_of(record) == begun.commitment
    assert record.seed == begun.commitment.game_seed != 5
    assert played(Table.resumed(record)).seed == record.seed
    assert commitment_of(cut(record, 1)) == begun.commitment
    assert commitment_of(cut(record, 1, seed=9)) is None            # other luck, which was not sealed


def test_no_commitment_is_made_where_nobody_plays_or_the_luck_is_real():
    game = make_game("leduc_poker")
    for agents, typed in ((["random", "random"], False), (["human", "random"], True)):
        found = Table(game, take_seats(game, agents), 5, typed_luck=typed)
        found.seal()
        assert found.commitment is None


@pytest.mark.parametrize(("change", "said"), [
    ({"sha256": "00"}, "'sha256' in 'commitment' must be 64 hex digits"),
    ({"salt": ""}, "both 'seed' and 'salt'"),
    ({"stage": "later"}, "'stage' in 'commitment'"),
    ({"contributions": [{"seat": 2, "promise": ONE}, {"seat": 1, "promise": ONE}]}, "order of the seats"),
    ({"contributions": [{"seat": 2, "promise": ONE, "given": "no"}]}, "'given' in 'commitment' must be 64 hex digits"),
])
def test_a_damaged_commitment_is_refused(change, said):
    record = played(table())
    damaged = record.with_extra(**{FIELD: {**record.extra[FIELD], **change}})
    with pytest.raises(InvalidRecord, match=said):
        commitment_of(damaged)
