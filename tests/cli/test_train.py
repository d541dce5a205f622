"""`sfida train`, as a user meets it."""

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfida.ai.arena.store import Store
from sfida.engines.learned import read_learned

SMALL = ("train", "goofspiel", "-n", "8", "--iterations", "10", "--hidden", "2", "--seed", "1", "-q")


@pytest.fixture
def say(sfida):
    def call(*arguments, code=0):
        result = sfida(*arguments)
        assert result.exit_code == code, result.stderr
        return result.stdout if code == 0 else result.stderr
    return call


def test_it_learns_and_tells_how_to_play_against_it(say, tmp_path):
    told = say(*SMALL, "--no-match")
    (folder,) = (tmp_path / "state" / "sfida" / "training").iterdir()
    assert folder.name == "goofspiel"
    assert read_learned(folder / "learned.json").players == (2,)
    for words in ("Round 1:", "of 8 games", "Log loss of the results held out", f"Written to {folder}/learned.json"):
        assert words in told
    command = shlex.split(re.search("To play against it: (.*)", told)[1])
    seat = command[command.index("human") + 2]
    assert "2 games" in say("tournament", "goofspiel", seat, "random", "-n", "2", "--seed", "1", "-q")


def test_json_names_everything(events, tmp_path):
    (found,) = events(*SMALL, "--no-match", "--rounds", "2", "--folder", "here", "--out", "a.json")
    assert found["type"] == "training"
    assert [each["round"] for each in found["rounds"]] == [1, 2]
    assert found["rounds"][0]["match"] is None
    assert found["rounds"][0]["passed"]
    assert found["rounds"][0]["present_loss"] is None
    assert read_learned(tmp_path / "a.json").digest.startswith(Path(found["rounds"][1]["file"]).stem[-8:])


def test_nothing_is_written_if_the_test_is_not_passed(say, tmp_path):
    told = say(*SMALL, "--sprt", "elo0=300,elo1=400", "--folder", "here")
    assert "Test: not passed" in told
    assert "No network passed" in told
    assert not (tmp_path / "here" / "learned.json").exists()


def test_resume_goes_on_with_the_options_of_the_folder(say, tmp_path):
    say(*SMALL, "--no-match", "--folder", "here")
    assert "holds a training already" in say(*SMALL, "--no-match", "--folder", "here", code=2)
    told = say("train", "goofspiel", "--folder", "here", "--resume", "--no-match", "-n", "12", "-q")
    assert "of 12 games" in told
    with Store.read(tmp_path / "here" / "games-1-present.sfida") as store:
        assert "iterations=10" in store.setup.agents[0]


def test_ctrl_c_keeps_the_games_and_the_file_is_the_same(say, tmp_path):
    command = ["train", "goofspiel", "-n", "60", "--iterations", "150", "--seed", "5", "--no-match", "-j", "2"]
    store = tmp_path / "a" / "games-1-present.sfida"
    process = subprocess.Popen([sys.executable, "-m", "sfida", *command, "--folder", "a"], stderr=subprocess.PIPE,
                               text=True, cwd=tmp_path)
    for _ in range(1200):
        if _held(store) >= 2:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert 2 <= _held(store) < 60
    words = re.search("continue with: (.*)", told)[1]
    assert words == "sfida train goofspiel --jobs 2 --no-match --folder a --resume"
    say(*shlex.split(words)[1:], "-q")
    say(*command[:-2], "-q", "--folder", "b")
    one, other = (read_learned(tmp_path / name / "learned.json") for name in "ab")
    assert one.tables == other.tables


def test_a_network_is_shipped_beside_the_rules_of_its_game(say, tmp_path, monkeypatch):
    monkeypatch.setattr("sfida.engines.learned.path_beside", lambda _: tmp_path / "learned.json")
    told = say(*SMALL, "--sprt", "elo0=-400,elo1=-300", "--ship", "--folder", "here")
    assert "it is used from now on" in told
    made = read_learned(tmp_path / "learned.json").made["2"]
    assert made["match"]["test"].startswith("H1")
    monkeypatch.setattr("sfida.engines.examples.goofspiel.Goofspiel.name", "other")
    told = say(*SMALL, "--sprt", "elo1=20", "--ship", "--folder", "there", code=2)
    assert "is what 'goofspiel' has learned" in told


@pytest.mark.parametrize(("arguments", "words", "code"), [
    (("train", "tic_tac_toe"), "Tic-tac-toe lists no features", 2),
    (("train", "no_such_game"), "unknown game", 2),
    ((*SMALL, "--agent", "greedy"), "--iterations is for the agent ismcts", 2),
    ((*SMALL, "--no-match", "--ship"), "--ship needs a match", 2),
    ((*SMALL, "--no-match", "--sprt", "elo1=20"), "--sprt needs a match", 2),
    ((*SMALL, "--sprt", "elo1=-20"), "must be below 'elo1'", 2),
    ((*SMALL, "--mix", "1.5"), "--mix", 2),
    ((*SMALL, "--candidate", "random"), "does not judge positions by knowledge", 2),
    ((*SMALL[:2], "-n", "2", "--agent", "random", "--candidate", "greedy"), "2 finished games are too few", 1),
])
def test_mistakes_are_told_in_one_line(say, arguments, words, code):
    told = say(*arguments, "-q" if "-q" not in arguments else "--color=never", code=code).strip()
    assert words in told.splitlines()[-1]


def test_it_is_listed(say):
    assert "train " in say("--help")


def _held(store: Path) -> int:
    try:
        with Store.open(store) as opened:
            return len(opened)
    except Exception:
        return 0


def test_a_rival_that_does_not_play_promotes_no_network(say, events, tmp_path):
    (found,) = events(*SMALL, "--against", "exec:false", "--folder", "here")
    (played,) = found["rounds"]
    assert not played["passed"]
    assert played["forfeits"] == []
    assert (played["match"]["sprt"]["verdict"], played["match"]["sprt"]["llr"]) == ("undecided", 0.0)
    (forfeits,) = played["match"]["forfeits"]
    assert (forfeits["agent"], forfeits["kind"]) == ("exec:false", "died")
    assert found["file"] is None
    assert not (tmp_path / "here" / "learned.json").exists()
    told = say(*SMALL, "--against", "exec:false", "--folder", "here", "--resume")
    assert "Test: undecided, so not passed" in told
    assert "exec:false forfeited 60 games (game 1, 2, 3, 4, 5 ...): agent 'exec:false' ended with exit code 1" in told
