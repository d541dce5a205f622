"""`bench regret`: panels of decisions with the worth of their moves, and what agents give away on them."""

import json

import numpy as np
import pytest

from bench import BenchFailure, main, regret
from bench.regret import MoveWorth, Oracle, PairedMean, Panel, PanelDecision
from sfida.ai.table import play
from sfida.cython_ext.batch import Batch
from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.rng import Random

GAME = "carcassonne"


@pytest.fixture(scope="module")
def late():
    """A record, and its last decisions, which are played out fast."""
    record = play(GAME, ["greedy", "greedy"], 3)
    plies = [ply for ply, _ in regret.choices_of(record)][-8:]
    return record, plies, regret.positions_at(record, plies)


def test_a_seed_fixes_the_worlds_and_the_luck(late):
    _, _, positions = late
    state = positions[0]
    oracle = Oracle(GAME, 2, 64, 5)
    move = state.legal_moves()[0]
    found = oracle.shares(state, move, range(16), 7)
    assert found.tolist() == oracle.shares(state.clone(), move, range(16), 7).tolist()
    assert found[8:].tolist() == oracle.shares(state, move, range(8, 16), 7).tolist(), "worlds are numbered"
    assert set(found.tolist()) <= {0.0, 0.5, 1.0}
    assert state.legal_moves() == regret.positions_at(late[0], late[1])[0].legal_moves(), "the position stays"


def test_hidden_cards_are_drawn_for_each_game():
    """Moves are valued from the view of the seat: its opponents' true cards do not count."""
    record = play("attila:players=2", ["greedy", "greedy"], 4)
    state = regret.positions_at(record, [ply for ply, _ in regret.choices_of(record)][20:21])[0]
    other = state.clone()
    other.determinize(state.to_move, Random(9))
    assert other.to_bytes() != state.to_bytes()
    oracle = Oracle("attila:players=2", 1, 64, 5)
    move = state.legal_moves()[0]
    assert oracle.shares(state, move, range(8), 1).tolist() == oracle.shares(other, move, range(8), 1).tolist()


def test_only_players_go_on_and_only_with_legal_moves(late):
    _, _, positions = late
    state, seeds = positions[0], np.array([1], np.uint64)
    with pytest.raises(ValueError, match="goes on with players"):
        Batch(state, ["uniform"] * 2, False, False, 1, 1).play_on(state, state.legal_moves()[0], seeds,
                                                                    np.zeros((1, 2)))
    batch = regret.players_of(GAME, "ismcts:iterations=1,knowledge=hand")
    with pytest.raises(IllegalMove):
        batch.play_on(state, 2**63, seeds, np.zeros((1, 2)))
    with pytest.raises(ValueError, match="a row of shares"):
        batch.play_on(state, state.legal_moves()[0], seeds, np.zeros((2, 2)))


class Coins(Oracle):
    """An oracle whose moves win with known probabilities, on common luck."""

    def shares(self, position, move, worlds, key):
        luck = [np.random.default_rng([key, world]).random() for world in worlds]
        return np.array([float(one < move / 100) for one in luck])


def test_the_oracle_finds_the_best_move_and_drops_clear_losers():
    found = Coins(GAME, 1, 512, 1).compare(None, [60, 20, 58, 61], 3)
    assert found[20].games < found[60].games
    assert found[20].behind == pytest.approx(0.4, abs=0.2)
    assert abs(found[58].behind) < 0.1
    assert found[60].error <= 0.03


def test_regret_of_equal_moves_is_zero_on_average():
    """The best of four equal moves was lucky; a comparison in the same games would find a regret of about .05."""
    lost, naive = [], []
    for key in range(300):
        rng = np.random.default_rng(key)
        played = [rng.integers(0, 2, 128).astype(float) for _ in range(4)]
        best = max(played, key=np.mean)
        moves = {str(i): MoveWorth.of(best, one) for i, one in enumerate(played)}
        lost.append(PanelDecision(0, 0, moves).regret("0"))
        naive.append(moves["0"].behind)
    assert abs(np.mean(lost)) < 3 * np.std(lost) / 300 ** 0.5
    assert np.mean(naive) > 0.03


def test_regret_of_unequal_moves_is_right_on_average():
    lost = []
    for key in range(300):
        rng = np.random.default_rng(key)
        luck = rng.random(128)
        good, bad = (luck < 0.6).astype(float), (rng.permutation(luck) < 0.5).astype(float)
        moves = {"good": MoveWorth.of(good, good), "bad": MoveWorth.of(good, bad)}
        lost.append(PanelDecision(0, 0, moves).regret("bad"))
    assert np.mean(lost) == pytest.approx(0.1, abs=0.02)


def test_equal_results_are_not_taken_for_certainty():
    same = np.ones(64)
    assert PairedMean.of(same, same).error == pytest.approx(1 / 64)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Options of a small panel, whose games are those of low levels."""
    monkeypatch.setattr(regret, "LEVELS", range(1, 2))
    monkeypatch.setattr(regret, "JUDGE", "ismcts:iterations=20")
    return ["--games", "2", "--decisions", "2", "--iterations", "1", "--most", "32", "--jobs", "1", "--file",
            str(tmp_path / "panel.jsonl")]


def test_a_panel_is_built_continued_and_asked(small, tmp_path, capsys):
    assert main(["regret-panel", GAME, *small]) == 0
    path = tmp_path / "panel.jsonl"
    whole = path.read_text()
    panel = Panel(path)
    assert len(panel.games) == 2
    assert [one.game for one in panel.decisions] == [0, 0, 1, 1]
    assert all(min(abs(move.behind) for move in one.moves.values()) == 0 for one in panel.decisions)

    lines = whole.splitlines(keepends=True)
    path.write_text("".join(lines[:-1]) + lines[-1][:9])            # a crash cut the last line
    assert main(["regret-panel", GAME, *small]) == 0
    assert path.read_text() == whole

    capsys.readouterr()
    assert main(["regret", GAME, "--agent", "random", "greedy", "--jobs", "1", "--json", "--file", str(path)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["agent"] for row in rows] == ["random", "greedy"]
    assert all(row["decisions"] == 4 and 0 <= row["best"] <= 1 for row in rows)
    assert rows[0]["less"] == 0
    assert all(row["most"] >= 0 and row["mean"] <= row["most"] for row in rows)
    held = path.read_text()
    assert main(["regret", GAME, "--agent", "random", "greedy", "--jobs", "1", "--file", str(path)]) == 0
    assert "at least [95 %] | at most [95 %]" in capsys.readouterr().out
    assert path.read_text() == held, "a move is valued once"


def test_another_panel_is_not_overwritten(small, tmp_path, capsys):
    (tmp_path / "panel.jsonl").write_text('{"game":"attila"}\n')
    assert main(["regret-panel", GAME, *small]) == 1
    assert "holds other results" in capsys.readouterr().err
    with pytest.raises(BenchFailure, match="regret-panel"):
        Panel(tmp_path / "missing.jsonl")


def test_without_agents_there_is_nothing_to_measure(capsys) -> None:
    assert main(["regret", GAME]) == 2
    assert "Missing option '--agent'" in capsys.readouterr().err
