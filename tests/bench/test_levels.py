"""bench/levels.py: one command fits, checks and shows the levels of a game."""

import importlib
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sfida import make
from sfida.ai.levels.scale import Scale

BENCH = Path(__file__).parents[2] / "bench"
TINY = ("leduc_poker", "--top", "64", "--games", "4", "--least", "2", "--dry")


@pytest.fixture
def levels(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("levels")


@pytest.fixture
def run(levels, monkeypatch, capsys):
    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levels.py", *map(str, words)])
        levels.main()
        return capsys.readouterr().out

    return call


def test_a_fit_goes_on_where_it_ended(run, tmp_path):
    first = run(*TINY, "--store", tmp_path)
    files = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert files
    assert run(*TINY, "--store", tmp_path) == first
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == files
    table, = tomllib.loads(first[first.index("[[table]]"):])["table"]
    scale = Scale.of(table)
    assert scale.strengths[-1].iterations == 64
    assert scale.fit.games == 4 * (first[:first.index("[[table]]")].count(" games "))


def test_dear_rungs_are_not_played(run, tmp_path):
    told = run(*TINY, "--store", tmp_path, "--dearest", 20)
    assert "level:iterations=64 " not in told
    assert "extrapolated = true" in told


def test_what_is_not_fitted_cannot_be_checked(run):
    with pytest.raises(SystemExit):
        run("leduc_poker", "--check")


def test_losses_of_a_weak_level_are_spread_and_not_two_spikes(levels):
    losses = importlib.import_module("losses")
    found = np.array(losses.losses_of(make("carcassonne").game, "iterations=30,sight=10,misjudge=0.7", 200, 60, 3))
    counts = [((found > low) & (found <= high)).sum() for low, high in pairwise((0, .01, .03, .08, .2, 1))]
    assert sum(count > 2 for count in counts) >= 3
    assert max(counts) < 0.7 * len(found)
