"""The running ladder."""

import pytest
from openskill.models import PlackettLuce

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.ratings import ladder
from sfida.engines.records import GameRecord


def game(number, agents, ranks):
    count = len(agents)
    record = GameRecord(game="tic_tac_toe", rules_version=1, moves=())
    return GameOutcome(block=number // 2, rotation=number % 2, agents=agents, record=record,
                       utilities=tuple(1.0 * (rank == 1) for rank in ranks), ranks=ranks, scores=(0.0,) * count,
                       decisions=(1,) * count, seconds=(0.0,) * count, wall=0.0)


def test_before_the_first_game_all_stand_alike():
    places = ladder([], 3)
    assert [place.mu for place in places] == [25.0] * 3
    assert all(place.ordinal == pytest.approx(0) and place.games == 0 for place in places)


def test_every_game_moves_the_ladder_as_openskill_says():
    model = PlackettLuce()
    a, b, c = (model.rating() for _ in range(3))
    (a,), (b,) = model.rate([[a], [b]], ranks=[1, 2])
    (c,), (a,) = model.rate([[c], [a]], ranks=[1, 1])
    found = ladder([game(1, (2, 0), (1, 1)), game(0, (0, 1), (1, 2))], 3)       # in any order
    for place, rating in zip(found, (a, b, c), strict=True):
        assert (place.mu, place.sigma) == pytest.approx((rating.mu, rating.sigma))
        assert place.ordinal == pytest.approx(rating.mu - 3 * rating.sigma)
    assert [place.games for place in found] == [2, 1, 1]


def test_a_winner_climbs_and_settles():
    found = ladder([game(number, (0, 1), (1, 2)) for number in range(20)], 2)
    assert found[0].mu > 30 > 20 > found[1].mu
    assert found[0].sigma < 8
    assert found[0].ordinal > found[1].ordinal


def test_the_order_of_games_matters():
    games = [((0, 1), (1, 2))] * 3 + [((0, 1), (2, 1))] * 3
    first = ladder([game(number, *each) for number, each in enumerate(games)], 2)
    second = ladder([game(number, *each) for number, each in enumerate(reversed(games))], 2)
    assert first[0].mu != pytest.approx(second[0].mu, abs=1e-6)


def test_an_agent_on_several_seats_moves_once_to_the_mean():
    found = ladder([game(0, (0, 0, 1), (1, 3, 2))], 2)
    model = PlackettLuce()
    rated = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 3, 2])
    assert found[0].mu == pytest.approx((rated[0][0].mu + rated[1][0].mu) / 2)
    assert found[1].mu == pytest.approx(rated[2][0].mu)
    assert found[0].games == 1
    alone = ladder([game(0, (0, 0), (1, 2))], 2)
    assert (alone[0].mu, alone[0].games) == (25.0, 0)
