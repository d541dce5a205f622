"""`sfida bench` and `sfida profile`."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from sfida.ai.research import comparing, revisions
from sfida.ai.research.searches import STEPS

BENCH = {"game", "players", "playouts_per_s", "moves_per_playout", "ns_per_move", "clone_ns",
         "legal_moves_ns", "apply_ns", "determinize_ns", "state_bytes", "max_legal"}
PROFILE = {"game", "agent", "threads", "iterations_per_s", "share", "playout_us", "depth_mean", "depth_max",
           "nodes", "tree_bytes", "bytes_per_node",
           "speedup", "at_will_per_s", "at_will_speedup",
           "side_by_side_speedup", "busy", "searches", "iterations", "depths", "branchings",
           "arena_load", "map_load", "playout_moves", "calls_ns", "elo", "elo_ci95", "elo_from", "elo_per_doubling",
           "elo_missing", "elo_measured", "players", "recommended", "memory_full", "decision_nodes"}


def test_bench_gives_an_object_a_game(events, sfida):
    games = ("carcassonne", "carcassonne:river=true")
    first, second = events("bench", *games, "--players", 3, "--seconds", 0.05)
    assert set(first) >= BENCH
    assert first["type"] == "bench"
    assert (first["players"], second["game"]) == (3, "carcassonne:players=3,river=true")
    assert first["playouts_per_s"] > 0
    text = sfida("bench", "kuhn_poker", "--seconds", 0.05).stdout
    assert "games a second" in text


def test_signature_is_the_same_every_time(events):
    (first,) = events("bench", "kuhn_poker", "--signature")
    assert first["type"] == "signature"
    assert re.fullmatch(r"[0-9a-f]{16}", first["hash"])
    assert events("bench", "kuhn_poker", "--signature") == [first]


def test_profile_gives_an_object_a_thread_count(events):
    found = events("profile", "kuhn_poker", "--seconds", 0.1, "--threads", "1,2")
    assert [entry["threads"] for entry in found] == [1, 2]
    for entry in found:
        assert entry["type"] == "profile"
        assert set(entry) >= PROFILE
        assert set(entry["share"]) == {"determinize", "select", "expand", "playout", "backup"}
        assert 0.99 < sum(entry["share"].values()) < 1.01
    assert found[0]["speedup"] == 1.0
    assert sum(entry["recommended"] for entry in found) == 1


def test_profile_takes_agent_and_players(events):
    (found,) = events("profile", "carcassonne", "--agent", "pimc:iterations=50", "--players", 3, "--seconds", 0.05)
    assert (found["game"], found["agent"]) == ("carcassonne:players=3", "pimc:iterations=50")
    assert found["iterations"] == 50 * found["searches"]


def test_profile_for_people_fits_80_columns(sfida, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = sfida("profile", "carcassonne", "--seconds", 0.1, "--threads", "1,2,3,4").stdout
    assert max(len(line) for line in text.splitlines()) <= 80
    assert text.count("(recommended)") == 1
    for wanted in ("iterations/s", "at will", "apart", "Elo [95 %]", "250 to 500", "playout", "depth", "moves",
                   "determinize", "bytes"):
        assert wanted in text
    assert text.count("100.0%") == 0            # no distribution is a single bin here


def test_profile_says_why_there_is_no_elo(sfida):
    text = sfida("profile", "kuhn_poker", "--seconds", 0.05).stdout
    assert "No Elo: what a doubling is worth has not been measured in kuhn_poker." in text
    assert "Elo [95 %]" not in text
    assert "(recommended)" not in text          # there is nothing to choose from
    assert "The memory was full" not in text


@pytest.mark.parametrize(("spec", "measured", "assumed"), [
    ("carcassonne", 2, False), ("zarahemla:players=4", 2, True), ("risiko:players=3", 3, False), ("risiko", 3, True),
    ("attila:players=3", 2, True), ("a_few_acres_of_snow", 2, False),
])
def test_profile_says_in_every_game_where_its_elo_is_from(sfida, spec, measured, assumed):
    text = " ".join(sfida("profile", spec, "--seconds", 0.05).stdout.split())
    assert "Elo [95 %]" in text
    assert f"Measured in matches of ismcts with {measured} players (commit " in text
    assert ", the search as it is now)" in text
    assert ("this has not been measured" in text) == assumed


# ---- `--svg`, `--compare`


def test_svg_is_written_and_its_source_is_told(sfida, events, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))           # neither perf nor valgrind
    text = " ".join(sfida("profile", "kuhn_poker", "--seconds", 0.05, "--svg", "a.svg").stdout.split())
    assert text.endswith("Flame graph: a.svg, from Sfida's own counters: steps as measured, functions as estimated "
                         "(perf: not installed; callgrind: not installed).")
    assert ET.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    one, two, drawn = events("profile", "kuhn_poker", "--seconds", 0.05, "--threads", "2", "--svg", "b.svg")
    assert [one["threads"], two["threads"]] == [1, 2]
    assert (drawn["type"], drawn["file"], drawn["source"]) == ("flames", "b.svg", "own counters")
    assert sum(entry["value"] for entry in drawn["stacks"]) == pytest.approx(drawn["total"])
    assert {entry["stack"][0] for entry in drawn["stacks"]} <= set(STEPS)


RATIO = {"before": 50_000.0, "after": 75_000.0, "ratio": 1.5, "range": [1.42, 1.61]}
COMPARED = {
    "schema": 1, "type": "comparison", "game": "kuhn_poker", "players": 2, "agent": "ismcts", "before": "0bb51c4",
    "after": "0bb51c4+1234567", "build": "portable", "pairs": 7, "searches": 4, "iterations": 8000, "same": True,
    "iterations_per_s": RATIO, "step_us": {step: {"before": 3.0, "after": 2.0, "ratio": 1.5, "range": [1.2, 1.9]}
                                           for step in STEPS},
    "instructions": {"before": 30_000.0, "after": 21_000.0, "ratio": 1.43}, "instructions_missing": None}


def test_compare_shows_both_side_by_side(sfida, events, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    asked = []
    monkeypatch.setattr(comparing, "compare", lambda *words: asked.append(words[1:4]) or COMPARED)
    text = sfida("profile", "kuhn_poker", "--compare", "HEAD~1", "--seconds", 0.5).stdout
    assert asked == [("ismcts", "HEAD~1", 0.5)]
    assert max(len(line) for line in text.splitlines()) <= 80
    rows = {line.split("  ")[0]: re.split(r" {2,}", line)[1:] for line in text.splitlines()}
    assert rows["iterations/s"] == ["50,000", "75,000", "1.50 [1.42, 1.61]"]
    assert rows["playout, µs"] == ["3.00", "2.00", "1.50 [1.20, 1.90]"]
    assert rows["instructions"] == ["30,000", "21,000", "1.43"]
    assert "Both found the same." in text
    assert events("profile", "kuhn_poker", "--compare", "HEAD~1") == [COMPARED]
    monkeypatch.setattr(comparing, "compare", lambda *words: {**COMPARED, "same": False, "after": "0bb51c4",
                                                              "instructions": None, "instructions_missing": "why"})
    text = sfida("profile", "kuhn_poker", "--compare", "HEAD").stdout
    assert "They found different results" in text
    assert "No instructions: why." in text


def test_compare_needs_a_checkout(sfida, tmp_path, monkeypatch):
    monkeypatch.setattr(revisions, "__file__", str(tmp_path / "sfida" / "ai" / "research" / "revisions.py"))
    result = sfida("profile", "kuhn_poker", "--compare", "HEAD")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (f"error: revisions can be built only from a git checkout of Sfida, which "
                             f"'{tmp_path / 'sfida'}' is not\n")


@pytest.mark.parametrize(("args", "code", "wanted"), [
    (["--threads", "0"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--threads", "1,,2"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--threads", "65"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--agent", "greedy"], 2, "only agents that search a tree can be profiled"),
    (["--seconds", "0"], 2, "'0' is not a number greater than 0"),
    (["--compare", "HEAD", "--threads", "2"], 2, "--threads does not go with --compare"),
    (["--compare", "HEAD", "--svg", "a.svg"], 2, "--svg does not go with --compare"),
    (["--svg", "nowhere/a.svg"], 1, "a file is made only in a folder that exists"),
])
def test_profile_refuses_in_one_line(sfida, args, code, wanted):
    result = sfida("profile", "kuhn_poker", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert wanted in result.stderr
    assert len([line for line in result.stderr.splitlines() if line.startswith("error")]) == 1
