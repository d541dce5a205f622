"""`bench doubling`: the gain of more iterations, in a table that continues from held games."""

import json

import pytest

from bench import main
from sfida.ai.research.profiling import elo_lead

SMALL = ("leduc_poker", "--from", "4", "--to", "16", "--games", "8")


@pytest.fixture
def run(capsys):
    def call(*words):
        assert main(["doubling", *map(str, words)]) == 0
        return capsys.readouterr().out

    return call


def test_one_command_prints_every_step_of_every_factor(run):
    rows = [line.split()[:4] for line in run(*SMALL).splitlines() if line[:1].isdigit()]
    assert [(row[0], row[2], row[3]) for row in rows] == [("8", "4", "8"), ("16", "8", "8"), ("16", "4", "8")]


def test_held_games_are_not_played_again(run, tmp_path):
    assert "8 : 4" not in run(*SMALL, "--store", tmp_path, "--held")
    first = run(*SMALL, "--store", tmp_path, "--factors", 2)
    files = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert len(files) == 2
    assert run(*SMALL, "--store", tmp_path, "--factors", 2, "--held") == first
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == files
    more = run(*SMALL[:-1], "12", "--store", tmp_path, "--factors", 2)
    assert [line.split()[3] for line in more.splitlines() if line[:1].isdigit()] == ["12", "12"]


def test_elo_is_the_lead_that_gives_the_share(run):
    rows = [json.loads(line) for line in run(*SMALL, "--json").splitlines()]
    assert [row["match"]["factor"] for row in rows] == [2, 2, 4]
    for row in rows:
        raw = row["raw"]
        assert raw["ci95"][0] <= raw["share"] <= raw["ci95"][1]
        if 0 < raw["share"] < 1:
            assert raw["elo"] == pytest.approx(elo_lead(raw["share"], 2))
