"""`sfida tune`, as a user meets it."""

import importlib.metadata
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("optuna", reason="optuna is not installed: pip install 'sfida[tune]'")

BOTS = Path(__file__).resolve().parents[1] / "support" / "bots.py"
POKER = ("tune", "kuhn_poker", "--agent", "greedy", "--over", "worlds=1..64", "--budget", "200", "--adjusted")


def test_tables_and_json_tell_the_same(sfida, events, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (tuning,) = events(*POKER, "--seed", "3", "--out", tmp_path / "a")
    told = sfida(*POKER, "--out", tmp_path / "a", "-q")
    assert told.exit_code == 0, told.stderr
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert tuning["type"] == "tuning"
    assert tuning["seed"] == 3
    assert len(tuning["trials"]) == 10
    best = tuning["candidates"][0]
    assert best["spec"] == tuning["best"]
    assert f"{100 * best['estimate']:.1f}" in told.stdout
    for effect in tuning["effects"]:
        assert f"{effect['parameter']}={effect['value']} " in told.stdout
    if tuning["match"] is not None:
        assert f"a lead of {tuning['match']['elo']:+.0f} Elo" in " ".join(told.stdout.split())
    assert f"Use: {tuning['use']}" in told.stdout


def test_ctrl_c_keeps_the_games_and_tells_how_to_go_on(events, tmp_path):
    command = [*POKER, "--seed", "5", "--out", "a b"]
    process = subprocess.Popen([sys.executable, "-m", "sfida", *command, "-q"], stderr=subprocess.PIPE, text=True,
                               cwd=tmp_path)
    for _ in range(600):
        if len(list(tmp_path.glob("a b/*.sfida"))) >= 3:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    again = re.search(r"continue with: sfida (tune .*)", told)[1]
    assert events(*shlex.split(again)) == events(*command[:-1], "other")


@pytest.mark.parametrize(("arguments", "words"), [
    (("--over", "world=1..4"), "did you mean 'worlds'?"),
    (("--over", "worlds=0..4"), "a whole number from 1 to 10000, not '0'"),
    (("--over", "worlds=1..4", "--budget", "30"), "too small"),
    (("--over", "worlds=1..4", "--sprt", "elo0=5,elo1=1"), "'elo0'"),
    (("--over", "worlds=1..4", "--against", "gredy"), "did you mean 'greedy'?"),
    ((), "--over"),
])
def test_mistakes_are_told_in_one_line(sfida, arguments, words):
    told = sfida("tune", "kuhn_poker", "--agent", "greedy", *arguments)
    assert told.exit_code == 2
    assert words in told.stderr.splitlines()[-1]


def test_a_folder_that_holds_something_else(sfida, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("mine")
    told = sfida(*POKER, "--out", tmp_path / "a")
    assert told.exit_code == 1
    assert "holds files but no tuning" in told.stderr
    (tmp_path / "a" / "tune.json").write_text("{]")
    assert "tune.json" in sfida(*POKER, "--out", tmp_path / "a").stderr


def test_the_missing_package_is_named(sfida, monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    told = sfida(*POKER)
    assert told.exit_code == 1
    assert "pip install 'sfida[tune]'" in told.stderr


def test_an_opponent_that_does_not_play_tunes_nothing(sfida):
    told = sfida(*POKER, "--seed", "1", "--against", "exec:false", "-q")
    assert told.exit_code == 1
    assert "nothing can be tuned, because the opponents do not play; exec:false forfeited " in told.stderr


def test_forfeits_are_told(sfida, events, tmp_path):
    bot = f"exec:{sys.executable} -S {BOTS} 'fourth game'"
    arguments = (*POKER, "--seed", "1", "--against", bot, "--out", tmp_path / "a")
    (tuning,) = events(*arguments)
    (forfeits,) = tuning["forfeits"]
    assert (forfeits["agent"], forfeits["kind"]) == (bot, "died")
    assert forfeits["games"] >= 20
    assert f"forfeited {forfeits['games']} games: agent 'exec:" in sfida(*arguments, "-q").stdout
