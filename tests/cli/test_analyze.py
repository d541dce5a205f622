"""`sfida analyze`."""

from __future__ import annotations

import signal

import pytest

import sfida as api
from sfida.ai.seat import recorded_observations
from sfida.cli.progress import Thinking
from sfida.engines.records import GameRecord, append_record, read_record

FAST = ("--agent", "ismcts:iterations=200")


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.jsonl"
    append_record(path, api.play("carcassonne", ["random", "random"], seed=1))
    return path


def test_json_of_a_game(events):
    (analysis,) = events("analyze", "carcassonne", *FAST)
    assert analysis["type"] == "analysis"
    assert analysis["seat"] == 0
    assert sum(analysis["value"]) == pytest.approx(1)
    visits = [move["visits"] for move in analysis["moves"]]
    assert 0 < sum(visits) <= analysis["iterations"] + 1
    for move in analysis["moves"]:
        assert {"move", "visits", "share", "value", "lcb", "prior", "pv"} <= set(move)
        assert move["pv"][0] == move["move"]
    assert events("analyze", "carcassonne", *FAST)[0]["moves"] == analysis["moves"], "the same again"


def test_a_position_of_a_record_is_that_of_replay(events, record):
    (position,) = events("replay", record, "--until", 40)
    until = 40 if position["to_move"] >= 0 else 41
    (position,) = events("replay", record, "--until", until)
    (analysis,) = events("analyze", record, "--until", until, *FAST)
    assert analysis["seat"] == position["to_move"]
    assert {move["move"] for move in analysis["moves"]} <= set(position["legal_moves"])


def test_people_see_a_table(sfida):
    result = sfida("analyze", "tic_tac_toe", *FAST, "--top", 3)
    assert "win probability" in result.stdout
    assert "6 more moves; --top 9 shows them" in result.stdout


@pytest.mark.parametrize("spec", ["ismcts:iterations=1", "pimc:iterations=1"])
def test_nothing_is_said_of_a_move_that_was_not_tried(sfida, events, spec):
    """The table has a dash and JSON has null, never a win probability without a search."""
    (analysis,) = events("analyze", "carcassonne", "--agent", spec)
    tried, *others = analysis["moves"]
    assert sum(tried["values"]) == pytest.approx(1)
    assert others
    for move in others:
        assert (move["visits"], move["value"], move["values"], move["lcb"]) == (0, None, None, None)
    table = sfida("analyze", "carcassonne", "--agent", spec).stdout
    for move in others:
        row = next(line for line in table.splitlines() if f" {move['move']} " in line and "%" in line)
        assert row.split()[2:7] == ["0", "0", "%", "-", "-"]


def test_luck_is_stepped_over_and_said(sfida, record):
    result = sfida("analyze", record, "--until", 0, *FAST)
    assert result.exit_code == 0
    assert "Luck decides after move 0; the decision after move 1 is analyzed." in result.stderr


def test_a_finished_game_gives_its_last_decision(sfida, record):
    result = sfida("analyze", record, *FAST)
    assert result.exit_code == 0
    assert "The last decision of the record is analyzed" in result.stderr


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["carcassonne", "--agent", "greedy"], 2, "agent 'greedy' chooses without an analysis"),
    (["carcassonne", "--agent", "ismcts:itertions=5"], 2, "did you mean 'iterations'?"),
    (["carcassonne", "--until", "4"], 2, "--until counts the moves of a record"),
    (["carcasonne"], 2, "did you mean 'carcassonne'?"),
    (["none.jsonl"], 1, "none.jsonl: cannot be read: No such file or directory"),
])
def test_wrong_wishes(sfida, arguments, code, message):
    result = sfida("analyze", *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_end_has_nothing_to_analyze(sfida, record):
    moves = len(api.play("carcassonne", ["random", "random"], seed=1).moves)
    result = sfida("analyze", record, "--until", moves, *FAST)
    assert result.exit_code == 1
    assert "the game is over" in result.stderr


# ---- the contents of the table ------------------------------------------------------------------------


@pytest.fixture
def leduc(tmp_path):
    """Seat 0 holds a queen and faces a raise."""
    path = tmp_path / "leduc.jsonl"
    moves = ("deal:Q", "deal:K", "call", "raise", "call", "deal:J", "call", "raise")
    append_record(path, GameRecord("leduc_poker", 1, moves, ("human", "human"), 1))
    return path


def test_every_seat_has_its_value(sfida, events, monkeypatch):
    arguments = ("analyze", "carcassonne:players=5", *FAST, "--top", 2)
    (analysis,) = events(*arguments)
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        text = sfida(*arguments).stdout
        lines = text.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("#") and "visits" in line)
        head = lines[start].split()
        assert head[head.index("win:") + 1:][:5] == ["red", "blue", "yellow", "green", "black"]
        assert {"visits", "share", "reward", "prior"} <= set(head)
        shown = lines[start + 2].split()
        values = [f"{100 * value:.0f}" for value in analysis["moves"][0]["values"]]
        assert [shown[5 + 2 * seat] for seat in range(5)] == values
        assert max(map(len, lines)) <= width
        line = " ".join(analysis["moves"][0]["pv"][1:3])
        assert line in " ".join(text.split()), "the line is told at every width"
        assert ("\ncontinues:\n" in text) == (width == 80), "beside the numbers where it fits"


def test_columns_that_say_nothing_are_left_out(sfida):
    text = sfida("analyze", "tic_tac_toe", *FAST).stdout
    assert "prior" not in text
    assert "play" not in text
    text = sfida("analyze", "goofspiel", "--agent", "mo-ismcts:iterations=1000").stdout
    assert "   play " in text, "how often each hidden choice is played"


def test_strategies_sum_to_one(events):
    (analysis,) = events("analyze", "goofspiel", "--agent", "mo-ismcts:iterations=1000")
    assert sum(move["strategy"] for move in analysis["moves"]) == pytest.approx(1)


def test_an_exact_analysis_has_no_visits(sfida):
    text = sfida("analyze", "tic_tac_toe", "--agent", "ismcts:endgame=1000000").stdout
    assert "visits" not in text
    assert "X 50 %  O 50 %   (exact: " in text


def test_one_more_move(sfida):
    assert "1 more move; --top 9 shows it\n" in sfida("analyze", "tic_tac_toe", *FAST, "--top", 8).stdout


# ---- beliefs ------------------------------------------------------------------------------------------


def test_beliefs_by_the_rules(sfida, events, leduc):
    spec = ("--agent", "mo-ismcts:iterations=200")
    (analysis,) = events("analyze", leduc, *spec)
    (belief,) = analysis["beliefs"]
    assert belief["item"] == "card of seat 1"
    chances = {found["value"]: found["probability"] for found in belief["values"]}
    assert analysis["effective_worlds"] is None
    assert chances["K"] == pytest.approx(0.5, abs=0.08), "1000 worlds, 5 standard errors"
    assert chances["Q"] == pytest.approx(0.25, abs=0.07)
    text = sfida("analyze", leduc, *spec).stdout
    assert "what is hidden, by what the rules allow\n  card of seat 1  K " in text


def test_beliefs_by_what_was_seen(sfida, events, leduc):
    spec = "mo-ismcts:iterations=200,beliefs=256"
    (analysis,) = events("analyze", leduc, "--agent", spec)
    (belief,) = analysis["beliefs"]
    assert sum(found["probability"] for found in belief["values"]) == pytest.approx(1)
    assert 1 <= analysis["effective_worlds"] <= 256
    text = sfida("analyze", leduc, "--agent", spec).stdout
    assert f"what is hidden, by what the others did ({analysis['effective_worlds']:.0f} effective worlds)" in text
    # the agent received exactly the observations of its seat
    record = read_record(leduc)
    told, untold = (api.agent(spec) for _ in range(2))
    for event in recorded_observations(record, 0):
        told.observe(event)
    knows, guesses = (agent.analyze(record.replay().view(0)) for agent in (told, untold))
    assert [found.to_json() for found in knows.beliefs] == analysis["beliefs"]
    assert knows.effective == analysis["effective_worlds"]
    assert guesses.effective != knows.effective


def test_nothing_hidden_no_beliefs(sfida, events):
    assert events("analyze", "tic_tac_toe", *FAST)[0]["beliefs"] == []
    assert "what is hidden" not in sfida("analyze", "tic_tac_toe", *FAST).stdout


def test_many_hidden_things_fit(sfida, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    path = tmp_path / "phantom.jsonl"
    append_record(path, GameRecord("phantom_tic_tac_toe", 1, ("a1", "b2"), ("human", "human"), 1))
    text = sfida("analyze", path, "--agent", "mo-ismcts:iterations=100").stdout
    table = text.split("what is hidden, by what the rules allow\n")[1].splitlines()
    assert len(table) == 8
    assert all("empty 8" in line and "O 1" in line for line in table), "one of eight cells"
    assert max(map(len, text.splitlines())) <= 60


def test_ctrl_c_shows_what_was_found(sfida, monkeypatch):
    monkeypatch.setattr(Thinking, "show", lambda self, progress: signal.raise_signal(signal.SIGINT))
    result = sfida("analyze", "tic_tac_toe", "--agent", "ismcts:seconds=60")
    assert result.exit_code == 130
    assert "win probability" in result.stdout
    assert result.stderr.startswith("error: interrupted after ")


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_moves_are_named_on_a_narrow_screen(sfida, monkeypatch, columns):
    """The least informative columns are left out first: priors, bounds, the other seats' shares."""
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = sfida("analyze", "attila:players=5", "--agent", "ismcts:iterations=60").stdout.splitlines()
    at = next(number for number, line in enumerate(shown) if line.startswith("#"))
    assert shown[at].split()[:4] == ["#", "move", "visits", "share"]
    assert "win: white" in shown[at]
    assert shown[at + 2].split()[1] in "FHGSTV"
    assert all(len(line) <= columns for line in shown[at:at + 5])
