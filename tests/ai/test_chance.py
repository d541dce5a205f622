"""Chance sources: fair, independent of the players' moves, and checked when a person or a record decides."""

import numpy as np
import pytest

import sfida
from sfida.ai.chance import SeededChance

# Upper 0.1 % points of chi-square by degrees of freedom (standard tables).
CRITICAL = {2: 13.82, 3: 16.27, 5: 20.52, 7: 24.32}
WEIGHTS = [(3, 1), (7, 2), (8, 4), (2**56 + 1, 9)]


def chi_square(counts: dict[int, int], outcomes: list[tuple[int, int]]) -> float:
    draws, total = sum(counts.values()), sum(weight for _, weight in outcomes)
    return sum((counts.get(code, 0) - draws * weight / total) ** 2 / (draws * weight / total)
               for code, weight in outcomes)


def count(codes: list[int]) -> dict[int, int]:
    values, counts = np.unique(codes, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def test_outcomes_are_drawn_by_their_weights_over_seeds():
    counts = count([SeededChance(seed).outcome(WEIGHTS, 0, 0) for seed in range(8000)])
    assert chi_square(counts, WEIGHTS) < CRITICAL[3]


def test_outcomes_are_drawn_by_their_weights_over_draws_and_sources():
    luck = SeededChance(5)
    for source in range(2):
        counts = count([luck.outcome(WEIGHTS, source, number) for number in range(8000)])
        assert chi_square(counts, WEIGHTS) < CRITICAL[3]


def test_successive_draws_and_sources_are_independent():
    die = [(face, 1) for face in range(2)]
    luck = SeededChance(9)
    for first, second in (((0, 0), (0, 1)), ((0, 0), (1, 0))):
        pairs = []
        for number in range(0, 8000, 2):
            a = luck.outcome(die, first[0], number + first[1])
            b = luck.outcome(die, second[0], number + second[1])
            pairs.append(2 * a + b)
        assert chi_square(count(pairs), [(pair, 1) for pair in range(4)]) < CRITICAL[3]


def test_the_shared_card_of_leduc_is_fair_given_the_deal():
    counts: dict[str, dict[str, int]] = {}
    for seed in range(3000):
        state, luck, drawn = sfida.make("leduc_poker"), SeededChance(seed), []
        while len(drawn) < 3:
            move = luck.draw(state) if state.is_chance else state.parse("call")
            if state.is_chance:
                drawn.append(state.format(move))
            state.apply(move)
        held = counts.setdefault("".join(drawn[:2]), {})
        held[drawn[2]] = held.get(drawn[2], 0) + 1
    same = counts["deal:Jdeal:J"]                       # two queens and two kings are left
    assert set(same) == {"deal:Q", "deal:K"}
    total = sum(same.values())
    assert abs(same["deal:Q"] - total / 2) < 3.3 * (total / 4) ** 0.5
    assert 3000 / 15 - 50 < total < 3000 / 15 + 50      # two of six cards, then one of five


def test_removing_an_outcome_changes_only_the_draws_that_gave_it():
    luck = SeededChance(17)
    changed = 0
    for number in range(500):
        full, less = luck.outcome(WEIGHTS, 0, number), luck.outcome(WEIGHTS[1:], 0, number)
        assert full == less or full == WEIGHTS[0][0]
        changed += full != less
    assert changed > 0


def test_luck_is_the_same_whatever_the_players_do():
    deals = set()
    for agent_seed in range(12):
        agent, luck, state = sfida.agent("random", agent_seed), SeededChance(3), sfida.make("leduc_poker")
        drawn, moves = [], []
        while not state.is_over:
            if state.is_chance:
                move = luck.draw(state)
                drawn.append(state.format(move))
            else:
                move = agent.choose(state.view(state.to_move))
                moves.append(state.format(move))
            state.apply(move)
        deals.add(tuple(drawn[:3]) if len(drawn) == 3 else None)
        assert len(moves) >= 1
    assert len(deals - {None}) == 1


def test_the_same_tiles_come_in_the_same_order():
    orders = set()
    for seed in range(3):
        record = sfida.play("carcassonne", ["random", "random"], seed=seed, chance=SeededChance(1))
        orders.add(tuple(record.moves[index].lstrip("!") for index in record.chance))
    assert len(orders) == 1


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_wrong_seeds(seed):
    with pytest.raises(sfida.InvalidOption, match="a seed must be a whole number of at least 0"):
        SeededChance(seed)
