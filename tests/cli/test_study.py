"""`sfida study`, as a user meets it."""

import csv
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sfida.ai.arena.store import Store

BOTS = Path(__file__).resolve().parents[1] / "support" / "bots.py"
POKER = ("study", "kuhn_poker", "greedy", "random")
@pytest.fixture
def say(sfida):
    def call(*arguments, code=0):
        result = sfida(*arguments)
        assert result.exit_code == code, result.stderr
        return result.stdout if code == 0 else result.stderr
    return call


def test_the_parts_make_up_the_whole(events, tmp_path):
    (study,) = events(*POKER, "-n", "40", "--seed", "1", "--csv", tmp_path / "a.csv", "--svg", tmp_path / "a.svg")
    parts = study["parts"]["all"]
    assert parts["games"] == 40
    assert sum(parts[name]["value"] for name in ("luck", "seat", "skill", "rest")
                                        ) == pytest.approx(1, abs=1e-6)
    assert parts["luck"]["value"] > 0.4, "poker is a game of luck"
    for name in ("luck", "seat", "skill", "rest"):
        low, high = parts[name]["ci95"]
        assert low <= parts[name]["value"] <= high
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    (luck,) = (row for row in rows if row["figure"] == "luck" and row["lineup"] == "all")
    assert float(luck["value"]) == pytest.approx(parts["luck"]["value"])
    texts = [element.text for element in ET.parse(tmp_path / "a.svg").iter() if element.text]
    assert f"{100 * parts['luck']['value']:.0f} %" in texts
    assert "all games" in texts


def test_the_table_fits_80_columns(say, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = say("study", "carcassonne", "greedy", "greedy", "random", "-n", "12", "--seed", "1")
    assert max(map(len, told.splitlines())) <= 80
    for words in ("% of the variance", "Lead changes a game", "Moving first (red)", "greedy : random", "90 % sure"):
        assert words in told


def test_a_store_is_studied_again_and_resumed(events, say, tmp_path):
    store = tmp_path / "a.sfida"
    (first,) = events(*POKER, "-n", "20", "--seed", "1", "--store", store)
    (again,) = events("study", "kuhn_poker", "--store", store)
    assert again == first
    assert "add --resume" in say(*POKER, "-n", "40", "--store", store, code=2)
    (more,) = events(*POKER, "-n", "40", "--store", store, "--resume", "-j", "2")
    (whole,) = events(*POKER, "-n", "40", "--seed", "1")
    assert more == whole
    assert more["games"] == 40


def test_an_option_is_studied_on_common_luck(events, say, tmp_path):
    vary = ("--vary", "farmers=true,false", "--store", tmp_path / "a.sfida")
    one, other = events("study", "carcassonne", "greedy", "random", "-n", "4", "--seed", "1", *vary)
    assert one["difference"] is None
    assert other["variant"] == "farmers=false"
    gap = other["beyond_even"][0]["value"] - one["beyond_even"][0]["value"]
    assert other["difference"]["first"]["value"] == pytest.approx(gap)
    with Store.read(tmp_path / "a.farmers-true.sfida") as a, Store.read(tmp_path / "a.farmers-false.sfida") as b:
        draws = [[move for move in store.record(1).moves if move.isalpha()][:5] for store in (a, b)]
    assert draws[0][0] == draws[1][0], "the same tiles"
    assert "minus farmers=true" in say("study", "carcassonne", *vary)


@pytest.mark.parametrize(("arguments", "words"), [
    (("study", "tic_tac_toe"), "there is no luck in Tic-tac-toe"),
    (("study", "carcassonne", "--vary", "colour=1,2"), "unknown option 'colour'"),
    (("study", "carcassonne", "--vary", "players=2"), "OPTION=A,B"),
    (("study", "carcassonne", "--until-clear"), "--vary"),
    (("study", "carcassonne", "--resume"), "--store"),
    ((*POKER, "-n", "2", "--seed", "1"), "too few games"),
])
def test_mistakes_are_told_in_one_line(say, arguments, words):
    told = say(*arguments, "-q", code=1 if "-n" in arguments else 2).strip()
    assert words in told.splitlines()[-1]


def test_stores_that_do_not_fit(say, tmp_path):
    store = tmp_path / "a.sfida"
    say("tournament", "kuhn_poker", "greedy", "random", "-n", "8", "--no-luck", "--store", store)
    told = say("study", "kuhn_poker", "--store", store, code=1)
    assert "luck was not measured" in told
    assert f"sfida ratings {store} --adjusted" in told
    assert "holds games of 'kuhn_poker'" in say("study", "carcassonne", "--store", store, code=1)
    say("ratings", store, "--adjusted")
    assert "% of the variance" in say("study", "kuhn_poker", "--store", store)
    assert "its agents are greedy, random" in say("study", "kuhn_poker", "greedy", "greedy", "--store", store, code=1)


def test_ctrl_c_keeps_the_games(tmp_path):
    store = tmp_path / "a.sfida"
    process = subprocess.Popen([sys.executable, "-m", "sfida", "study", "carcassonne", "-n", "400", "--seed", "1",
                                "--store", str(store)], stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    for _ in range(600):
        if store.exists() and _held(store) >= 2:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "continue with: sfida study carcassonne -n 400 --seed 1" in told
    assert "--resume" in told
    assert _held(store) >= 2


def _held(store: Path) -> int:
    try:
        with Store.open(store) as opened:
            return len(opened)
    except Exception:
        return 0


def test_it_is_listed(say):
    assert "study  " in say("--help")


def test_progress_goes_on_after_the_games(sfida, tmp_path):
    """The analysis of the games' turns takes a while; the line shows its progress."""
    result = sfida(*POKER, "-n", "80", "--seed", "1", "--store", tmp_path / "games.sfida")
    assert result.exit_code == 0, result.stderr
    assert "turns looked at: " in result.stderr


def test_forfeits_are_told_and_left_out(say, events, tmp_path):
    """An agent that forfeits would turn every game into a game of skill."""
    told = say("study", "kuhn_poker", "greedy", "exec:false", "-n", "8", "--seed", "1", "-q", code=1)
    assert "without forfeits; exec:false forfeited 8 games (game 1, 2, 3, 4, 5 ...): agent 'exec:false' ended" in told
    bot = f"exec:{sys.executable} -S {BOTS} 'fourth game'"
    arguments = ("study", "kuhn_poker", "greedy", bot, "-n", "8", "--seed", "1", "--store", tmp_path / "a.sfida")
    (study,) = events(*arguments, "-q")
    (forfeits,) = study["forfeits"]
    assert (forfeits["agent"], forfeits["kind"], forfeits["games"], forfeits["first"]) == (bot, "died", 2, [4, 8])
    assert (study["games"], study["left_out"]) == (4, 4)
    told = say(*arguments[:2], "--store", tmp_path / "a.sfida")
    assert "'fourth game' forfeited 2 games (game 4, 8): agent 'exec:" in told
    assert "4 games left out" in told
