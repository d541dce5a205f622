"""The schedule: line-ups, seats and luck of all games, known before the first game."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.chance import SeededChance, block_seed, game_seed
from sfida.ai.table import play
from sfida.cython_ext.errors import InvalidOption

SHAPES = [(players, agents) for players in range(2, 7) for agents in range(2, 9)]


def setup(players, agents, games=60, seed=11, **more):
    return Setup("some_game", 1, players, tuple(f"agent{i}" for i in range(agents)), games, seed, **more)


def some(**more):
    return replace(setup(3, 4), **more)


# ---- line-ups ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "agents"), SHAPES)
def test_a_round_holds_every_line_up_once(players, agents):
    lineups = Schedule(setup(players, agents)).lineups
    copies, rest = divmod(players, agents)
    wanted = {tuple(sorted([*range(agents)] * copies + list(more)))
              for more in itertools.combinations(range(agents), rest)}
    assert len(lineups) == len(set(lineups)) == len(wanted)
    assert set(lineups) == wanted


def test_a_gauntlet_sets_the_first_agent_against_copies_of_each_other():
    assert sorted(Schedule(setup(4, 4, mode="gauntlet")).lineups) == [(0, 1, 1, 1), (0, 2, 2, 2), (0, 3, 3, 3)]
    assert sorted(Schedule(setup(2, 4, mode="gauntlet")).lineups) == [(0, 1), (0, 2), (0, 3)]


def test_a_mirrored_gauntlet_adds_each_other_among_copies_of_the_first():
    assert sorted(Schedule(setup(3, 3, mode="gauntlet", mirror=True)).lineups) == [
        (0, 0, 1), (0, 0, 2), (0, 1, 1), (0, 2, 2)]


def test_fewer_agents_than_seats_take_them_as_evenly_as_possible():
    assert sorted(Schedule(setup(5, 2)).lineups) == [(0, 0, 0, 1, 1), (0, 0, 1, 1, 1)]
    assert Schedule(setup(6, 2)).lineups == ((0, 0, 0, 1, 1, 1),)


def test_the_same_agent_twice_counts_as_two():
    twins = replace(setup(2, 3), agents=("greedy", "greedy", "random"))
    assert sorted(Schedule(twins).lineups) == [(0, 1), (0, 2), (1, 2)]
    assert twins.labels == ("greedy", "greedy (2)", "random")


# ---- balance -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [{}, {"mode": "gauntlet"}, {"mode": "gauntlet", "mirror": True}])
@pytest.mark.parametrize("players", range(3, 7))
def test_in_every_block_each_agent_sits_on_every_seat_as_often(players, mode):
    for block in Schedule(setup(players, 4, 120, **mode)):
        seatings = [block.seating(rotation) for rotation in range(players)]
        for seating in seatings:
            assert sorted(seating) == sorted(block.agents)
        for agent, copies in Counter(block.agents).items():
            assert [sum(seating[seat] == agent for seating in seatings) for seat in range(players)] == (
                [copies] * players)


def test_a_rotation_moves_each_agent_one_seat_further():
    block = Schedule(setup(4, 4)).block(0)
    for rotation in range(3):
        here, there = block.seating(rotation), block.seating(rotation + 1)
        assert [there[(seat + 1) % 4] for seat in range(4)] == list(here)
    assert block.seating(0) == block.agents


@pytest.mark.parametrize(("players", "agents"), SHAPES)
def test_after_any_number_of_blocks_agents_and_pairs_have_come_about_as_often(players, agents):
    schedule = Schedule(setup(players, agents))
    count = Counter(dict.fromkeys(range(agents), 0))
    pairs = Counter(dict.fromkeys(itertools.combinations(range(agents), 2), 0))
    for index in range(2 * len(schedule.lineups)):
        block = schedule.block(index)
        seats = Counter(block.agents)
        count.update(seats)
        pairs.update({(a, b): seats[a] * seats[b] for a, b in pairs})
        assert max(count.values()) - min(count.values()) <= 2           # blocks
        assert max(pairs.values()) - min(pairs.values()) <= 4
    assert len(set(count.values())) == 1
    assert len(set(pairs.values())) == 1


@pytest.mark.parametrize("mirror", [False, True])
def test_after_any_number_of_blocks_the_others_of_a_gauntlet_are_level(mirror):
    schedule = Schedule(setup(4, 5, mode="gauntlet", mirror=mirror))
    blocks = Counter(dict.fromkeys(range(1, 5), 0))
    for index in range(3 * len(schedule.lineups)):
        blocks.update(set(schedule.block(index).agents) - {0})
        assert max(blocks.values()) - min(blocks.values()) <= 1 + mirror


def test_neighbours_change_from_round_to_round():
    schedule = Schedule(setup(4, 4, 4 * 40))
    follows = Counter()
    for block in schedule:
        follows.update({(block.agents[seat], block.agents[(seat + 1) % 4]) for seat in range(4)})
    # Each of the 12 ordered pairs is due 40 / 3 times; 2 lies more than four standard deviations below.
    assert len(follows) == 12
    assert min(follows.values()) > 2


# ---- length --------------------------------------------------------------------------------------------


def test_games_are_rounded_up_to_whole_blocks():
    for players, games, blocks in ((2, 1, 1), (2, 200, 100), (3, 100, 34), (6, 7, 2)):
        schedule = Schedule(setup(players, 3, games))
        assert (schedule.blocks, schedule.games) == (blocks, blocks * players)
        assert [block.index for block in schedule] == list(range(blocks))
    assert Schedule(setup(2, 3, 10)).rounds == pytest.approx(5 / 3)
    assert [block.round for block in Schedule(setup(2, 3, 14))] == [0, 0, 0, 1, 1, 1, 2]


@pytest.mark.parametrize("shape", [{}, {"mode": "gauntlet", "mirror": True}])
def test_a_longer_tournament_starts_with_the_same_blocks(shape):
    short, long = (Schedule(setup(4, 6, games, **shape)) for games in (30, 300))
    assert list(short) == list(long)[:short.blocks]
    for block, rotation in itertools.product(range(short.blocks), range(4)):
        assert short.luck_seed(block, rotation) == long.luck_seed(block, rotation)
        assert short.game_seed(block, rotation) == long.game_seed(block, rotation)


# ---- digest --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [
    {"game": "other_game"}, {"rules_version": 2}, {"players": 2}, {"agents": ("agent0", "agent1", "agent2", "b")},
    {"agents": ("agent1", "agent0", "agent2", "agent3")}, {"agents": ("agent0", "agent1", "agent2")}, {"seed": 12},
    {"mode": "gauntlet"}, {"mode": "gauntlet", "mirror": True}, {"luck": "independent"},
])
def test_the_digest_changes_with_everything_that_decides_games(change):
    assert Schedule(some(**change)).digest != Schedule(some()).digest


def test_mirroring_changes_the_digest():
    assert (Schedule(some(mode="gauntlet", mirror=True)).digest != Schedule(some(mode="gauntlet")).digest)


def test_the_digest_is_that_of_any_length_and_of_any_run():
    assert Schedule(some(games=1)).digest == Schedule(some(games=10_000)).digest
    # A fixed value: stores hold the digest, so it must be the same on every machine and in every later version.
    assert Schedule(some()).digest == "9f25fc602ee2701e"


# ---- seeds ---------------------------------------------------------------------------------------------


def test_all_games_of_a_block_share_their_luck_and_nothing_else_shares_a_seed():
    schedule = Schedule(setup(3, 4, 90))
    places = list(itertools.product(range(schedule.blocks), range(3)))
    lucks = [{schedule.luck_seed(block, rotation) for rotation in range(3)} for block in range(schedule.blocks)]
    assert all(len(luck) == 1 for luck in lucks)
    assert len(set.union(*lucks)) == schedule.blocks
    assert len({schedule.game_seed(*place) for place in places}) == len(places)


def test_independent_luck_is_new_in_every_game_and_leaves_all_else_alone():
    common, independent = (Schedule(setup(3, 4, 90, luck=luck)) for luck in ("common", "independent"))
    places = list(itertools.product(range(common.blocks), range(3)))
    seeds = {independent.luck_seed(*place) for place in places}
    assert len(seeds) == len(places)
    assert not seeds & {common.luck_seed(*place) for place in places}
    assert not seeds & {common.game_seed(*place) for place in places}
    assert list(common) == list(independent)
    assert all(common.game_seed(*place) == independent.game_seed(*place) for place in places)


def test_seeds_are_named_by_place_and_not_by_the_order_of_asking():
    one, other = Schedule(setup(3, 4)), Schedule(setup(3, 4))
    places = list(itertools.product(range(20), range(3)))
    forth = {place: (one.block(place[0]), one.luck_seed(*place), one.game_seed(*place)) for place in places}
    back = {place: (other.block(place[0]), other.luck_seed(*place), other.game_seed(*place))
            for place in reversed(places)}
    assert forth == back
    assert forth[7, 2][1:] == (block_seed(11, 7), game_seed(11, 7, 2))


def test_another_seed_is_another_tournament():
    one, other = Schedule(setup(4, 4, 80)), Schedule(setup(4, 4, 80, seed=12))
    assert [block.agents for block in one] != [block.agents for block in other]
    assert not {one.luck_seed(b, 0) for b in range(20)} & {other.luck_seed(b, 0) for b in range(20)}


def test_the_games_of_a_block_draw_the_same_tiles_and_other_blocks_others():
    schedule = Schedule(Setup("carcassonne:players=3", 1, 3, ("random", "random"), 6, 4))
    stacks = []
    for block in schedule:
        drawn = set()
        for rotation in range(3):
            record = play("carcassonne:players=3", ["random"] * 3, schedule.game_seed(block.index, rotation),
                          chance=SeededChance(schedule.luck_seed(block.index, rotation)))
            drawn.add(tuple(record.moves[ply].lstrip("!") for ply in record.chance))
        stacks.append(drawn)
    assert [len(drawn) for drawn in stacks] == [1, 1]
    assert stacks[0] != stacks[1]


# ---- mistakes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "line"), [
    ({"players": 1}, "a tournament needs a game of 2 to 6 seats; 'some_game' has 1"),
    ({"players": 7}, "a tournament needs a game of 2 to 6 seats; 'some_game' has 7"),
    ({"agents": ("agent0",)}, "a tournament needs at least two agents, not 1"),
    ({"games": 0}, "the number of games must be a whole number of at least 1, not 0"),
    ({"mode": "swiss"}, "the mode must be round-robin or gauntlet, not 'swiss'"),
    ({"mirror": True}, "mirrored line-ups belong to a gauntlet with more than two seats"),
    ({"mirror": True, "mode": "gauntlet", "players": 2}, "mirrored line-ups belong to a gauntlet with more than two"),
    ({"luck": "good"}, "the luck must be common or independent, not 'good'"),
])
def test_a_mistake_is_told_in_one_line(change, line):
    with pytest.raises(InvalidOption) as told:
        some(**change)
    assert str(told.value).startswith(line)
    assert "\n" not in str(told.value)


def test_too_many_line_ups_are_refused_at_once_and_a_gauntlet_is_not():
    many = setup(6, 100)
    with pytest.raises(InvalidOption, match=r"100 agents on 6 seats make 1192052400 line-ups, more than 10000: take "
                                            r"fewer agents, or a gauntlet"):
        _ = Schedule(many).lineups
    assert len(Schedule(replace(many, mode="gauntlet")).lineups) == 99
