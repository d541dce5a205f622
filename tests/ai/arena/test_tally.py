"""The games of a tournament as arrays: whole blocks only, in the order of the schedule."""

import dataclasses
import random

import numpy as np
import pytest

from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.outcome import Forfeit, GameOutcome, forfeited
from sfida.ai.luck.value import GameLuck
from sfida.engines.records import GameRecord

FIELDS = ("block", "number", "agent", "utility", "rank", "score", "decisions", "seconds", "wall", "plies", "forfeit")


def outcome(block, rotation, *, forfeit=None):
    """Return a game of three seats in which every number identifies the game."""
    tag = 100 * block + 10 * rotation
    utilities, ranks = (1.0, 0.0, 0.0), (1, 2, 3)
    if forfeit is not None:
        utilities, ranks = forfeited(3, forfeit.seat)
    return GameOutcome(
        block=block, rotation=rotation, agents=tuple((seat - rotation) % 3 for seat in range(3)),
        record=GameRecord("some_game", 1, moves=("m",) * (rotation + 1)), utilities=utilities, ranks=ranks,
        scores=(tag, tag + 1, tag + 2), decisions=(tag, 0, 1), seconds=(tag / 8, 0.0, 0.5), wall=tag / 4,
        forfeit=forfeit)


def same(one, other):
    return (one.blocks, one.loose) == (other.blocks, other.loose) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in FIELDS)


@pytest.fixture
def games():
    return [outcome(block, rotation) for block in (0, 1, 4, 9) for rotation in range(3)]


def test_every_game_is_a_row_in_the_order_of_the_schedule(games):
    tally = Tally.of(games, 3)
    assert (tally.games, tally.blocks, tally.loose) == (12, 4, 0)
    assert tally.block.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert tally.number.tolist() == [0, 1, 4, 9]
    assert tally.agent[:3].tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert tally.score[7].tolist() == [410.0, 411.0, 412.0]
    assert tally.decisions[7].tolist() == [410.0, 0.0, 1.0]
    assert tally.seconds[7].tolist() == [51.25, 0.0, 0.5]
    assert tally.wall[7] == 102.5
    assert tally.plies.tolist() == [1, 2, 3] * 4
    assert tally.utility[0].tolist() == [1.0, 0.0, 0.0]
    assert tally.rank[0].tolist() == [1.0, 2.0, 3.0]
    assert tally.forfeit.tolist() == [-1] * 12


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_does_not_matter(games, seed):
    shuffled = games[:]
    random.Random(seed).shuffle(shuffled)
    assert shuffled != games
    assert same(Tally.of(shuffled, 3), Tally.of(games, 3))
    assert same(Tally.of(iter(shuffled), 3), Tally.of(games, 3))


def test_unfinished_blocks_are_left_out_and_counted_as_loose(games):
    more = [*games, outcome(2, 0), outcome(12, 1), outcome(12, 2)]
    tally = Tally.of(more, 3)
    assert tally.loose == 3
    assert tally.number.tolist() == [0, 1, 4, 9]
    assert all(np.array_equal(getattr(tally, name), getattr(Tally.of(games, 3), name)) for name in FIELDS)


def test_a_block_in_the_middle_counts_as_soon_as_it_is_whole(games):
    held = [*games, outcome(2, 2), outcome(2, 0)]
    assert Tally.of(held, 3).number.tolist() == [0, 1, 4, 9]
    assert Tally.of([*held, outcome(2, 1)], 3).number.tolist() == [0, 1, 2, 4, 9]


@pytest.mark.parametrize(("until", "numbers"), [(0, []), (1, [0]), (4, [0, 1]), (5, [0, 1, 4]), (100, [0, 1, 4, 9])])
def test_until_leaves_out_the_blocks_from_there_on(games, until, numbers):
    tally = Tally.of(games, 3, until=until)
    assert tally.number.tolist() == numbers
    assert tally.loose == 0
    assert same(tally, Tally.of([game for game in games if game.block < until], 3))


def test_until_does_not_count_later_games_as_loose(games):
    assert Tally.of([*games, outcome(3, 0), outcome(7, 0)], 3, until=5).loose == 1


def test_a_forfeit_names_its_seat():
    fault = Forfeit(1, "illegal", "a move that is none")
    tally = Tally.of([outcome(0, 0), outcome(0, 1, forfeit=fault), outcome(0, 2)], 3)
    assert tally.forfeit.tolist() == [-1, 1, -1]
    assert tally.utility[1].tolist() == [0.5, 0.0, 0.5]
    assert tally.rank[1].tolist() == [1.0, 3.0, 1.0]


def test_no_games_are_an_empty_tally_with_the_right_shapes():
    for tally in (Tally.of([], 3), Tally.of([outcome(0, 0)], 3)):
        assert (tally.games, tally.blocks) == (0, 0)
        assert tally.utility.shape == tally.agent.shape == (0, 3)
        assert tally.block.shape == tally.number.shape == tally.wall.shape == (0,)


def test_shapes_and_kinds_are_those_that_are_documented(games):
    tally = Tally.of(games, 3)
    for name in ("block", "agent", "plies", "forfeit", "number"):
        assert getattr(tally, name).dtype.kind == "i"
    for name in ("utility", "rank", "score", "decisions", "seconds", "wall"):
        assert getattr(tally, name).dtype == float
    for name in ("agent", "utility", "rank", "score", "decisions", "seconds"):
        assert getattr(tally, name).shape == (12, 3)


def test_who_forfeits_is_summed_up_and_its_blocks_can_be_left_out(games):
    late, wrong = Forfeit(1, "overtime", "no move"), Forfeit(2, "illegal", "cheats")
    games[4], games[5] = outcome(1, 1, forfeit=late), outcome(1, 2, forfeit=wrong)
    games[10] = outcome(9, 1, forfeit=late)
    tally = Tally.of(games, 3)
    assert tally.forfeited.tolist() == [False, True, False, True]
    told = tally.forfeits(["a", "b", "c"])
    assert [(one.agent, one.games, one.first) for one in told] == [("a", 2, (5, 11)), ("a", 1, (6,))]
    assert str(told[0]) == "a forfeited 2 games (game 5, 11): no move"
    rest = tally.blocks_where(~tally.forfeited)
    assert same(rest, Tally.of(games[:3] + games[6:9], 3))
    assert rest.forfeits(["a", "b", "c"]) == ()


def test_a_forfeit_owes_nothing_to_luck(games):
    lucky = [dataclasses.replace(game, luck=GameLuck("v", (0.25, 0.0, -0.25))) for game in games[:3]]
    lucky[1] = dataclasses.replace(lucky[1], forfeit=Forfeit(0, "died", "gone"))
    assert Tally.of(lucky, 3).luck.tolist() == [[0.25, 0.0, -0.25], [0.0, 0.0, 0.0], [0.25, 0.0, -0.25]]
