"""Matches: whole blocks, same luck from every seat, honest intervals, the same on any number of processes."""

import pytest

import sfida
from sfida.ai.match import match
from sfida.cython_ext.state import View


class Folder:
    """Passes whenever it may: loses Kuhn poker slowly."""

    spec = "folder"

    def choose(self, view: View) -> int:
        return view.legal_moves()[0]


def test_blocks_turn_the_seats_and_keep_the_luck():
    result = match("carcassonne:players=3", ["random", Folder(), "random"], 6, seed=4)
    assert result.games == 6
    assert result.blocks == 2
    for block in (0, 1):
        games = [record for record in result.records if record.extra["block"] == block]
        assert [record.seats.index("folder") for record in games] == [1, 2, 0]
        tiles = {tuple(record.moves[i].lstrip("!") for i in record.chance) for record in games}
        assert len(tiles) == 1
        assert len({record.moves for record in games}) == 3
    assert result.records[0].extra["chance_seed"] != result.records[3].extra["chance_seed"]


def test_every_game_is_recorded_and_replays():
    result = match("leduc_poker", ["random", "random"], 5, seed=4)
    assert len(result.records) == result.games == 6     # rounded up to whole blocks
    for record in result.records:
        assert sfida.GameRecord.from_json_line(record.to_json_line()).replay().is_over


def test_figures_are_those_of_the_records():
    result = match("leduc_poker", ["random", Folder()], 60, seed=4)
    for index, agent in enumerate(result.agents):
        wins, scores = [], []
        for record in result.records:
            seat = (index + record.extra["rotation"]) % 2
            wins.append(record.result.utilities[seat])
            scores.append(record.result.scores[seat])
        assert agent.win_share == pytest.approx(sum(wins) / 60)
        assert agent.mean_score == pytest.approx(sum(scores) / 60)
        assert agent.games == 60
        assert agent.ci95[0] < agent.win_share < agent.ci95[1]
        assert agent.ms_per_move > 0
    assert [agent.agent for agent in result.agents] == ["random", "folder"]
    assert sum(agent.win_share for agent in result.agents) == pytest.approx(1)
    assert sum(result.seats) == pytest.approx(1)


def test_the_result_is_the_same_on_any_number_of_processes():
    one, two = (match("leduc_poker", ["random", "random"], 24, seed=6, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one != match("leduc_poker", ["random", "random"], 24, seed=7)


def test_equal_agents_in_tic_tac_toe_reach_the_known_shares():
    # A uniformly random first player wins 0.585 and draws 0.127 of all games: 0.6485 of the points.
    result = match("tic_tac_toe", ["random", "random"], 3000, seed=1)
    assert result.seats[0] == pytest.approx(0.6485, abs=3.3 * 0.45 / 3000**0.5)
    assert result.agents[0].ci95[0] < 0.5 < result.agents[0].ci95[1]


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    covered = 0
    for seed in range(100):
        low, high = match("tic_tac_toe", ["random", "random"], 40, seed=seed).agents[0].ci95
        covered += low <= 0.5 <= high
    assert 86 <= covered <= 100             # 95 less 3.3 standard deviations and a small-sample bias


def test_an_interval_is_never_certain_because_all_games_agree():
    class First(Folder):
        def choose(self, view: View) -> int:
            return view.legal_moves()[0]

    agent = match("tic_tac_toe", [First(), First()], 40, seed=1).agents[0]
    assert agent.win_share == 0.5
    assert agent.ci95[0] < 0.4 < 0.6 < agent.ci95[1]


def test_progress_is_told_in_order():
    told = []
    match("tic_tac_toe", ["random"] * 2, 6, seed=1, on_block=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(("arguments", "message"), [
    ({"games": 0}, "the number of games must be a whole number of at least 1, not 0"),
    ({"games": 2, "jobs": 0}, "the number of jobs must be a whole number of at least 1, not 0"),
    ({"games": 2, "seed": -1}, "a seed must be a whole number"),
])
def test_wrong_arguments(arguments, message):
    with pytest.raises(sfida.InvalidOption, match=message):
        match("tic_tac_toe", ["random", "random"], **arguments)
