"""Observers receive all games in the order of the schedule, whichever process played them and when."""

import collections

import sfida
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament


class Scribe(sfida.Observer):
    def __init__(self):
        self.lines = []
        self.seconds = collections.Counter()
        self.analysed = 0

    def on_move(self, outcome, event):
        assert event.state.scores() is not None
        self.lines.append((outcome.block, outcome.rotation, event.ply, event.seat, event.move))
        if not event.chance:
            self.seconds[outcome.agents[event.seat]] += event.seconds
            self.analysed += event.analysis is not None

    def on_game_end(self, outcome):
        self.lines.append((outcome.block, outcome.rotation, "end", outcome.record.result.scores))


def test_every_move_and_game_is_told_in_order():
    scribe = Scribe()
    result = sfida.tournament("carcassonne", ["ismcts:iterations=10", "random"], 4, seed=1, observers=[scribe],
                              adjusted=False)
    expected = []
    for game in result.outcomes:
        expected += [(game.block, game.rotation, ply, move) for ply, move in enumerate(game.record.moves)]
        expected.append((game.block, game.rotation, "end", game.record.result.scores))
    assert [(line[0], line[1], line[2], line[-1]) for line in scribe.lines] == expected
    assert {line[3] for line in scribe.lines if line[2] != "end"} == {-1, 0, 1}
    assert scribe.seconds[0] > scribe.seconds[1] > 0
    assert scribe.analysed == sum(game.decisions[game.agents.index(0)] for game in result.outcomes)


def test_what_is_told_does_not_depend_on_the_jobs_or_the_run(tmp_path):
    planned = Tournament("carcassonne", ["greedy", "random"], 8, 1, adjusted=False)
    one, two, resumed = Scribe(), Scribe(), Scribe()
    planned.run(tmp_path / "one.sfida", observers=[one])
    planned.run(tmp_path / "two.sfida", observers=[two], jobs=2)
    with Store.open(tmp_path / "one.sfida") as source, Store.create(tmp_path / "part.sfida", planned.setup) as target:
        for game in list(source.outcomes())[3:6]:
            target.add(game)
    planned.run(tmp_path / "part.sfida", observers=[resumed], resume=True)
    assert one.lines == two.lines == resumed.lines


def test_one_method_is_enough():
    class Counter:
        games = 0

        def on_game_end(self, outcome):
            self.games += 1

    counter = Counter()
    sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, observers=[counter])
    assert counter.games == 6
