"""`sfida bench` and `sfida profile`."""

from __future__ import annotations

import re

import pytest

BENCH = {"game", "players", "playouts_per_s", "moves_per_playout", "ns_per_move", "clone_ns",
         "legal_moves_ns", "apply_ns", "determinize_ns", "state_bytes", "max_legal"}
PROFILE = {"game", "agent", "threads", "iterations_per_s", "share", "playout_us", "depth_mean", "depth_max",
           "nodes", "tree_bytes", "bytes_per_node",
           "speedup", "at_will_per_s", "at_will_speedup",
           "side_by_side_speedup", "busy", "searches", "iterations", "depths", "branchings",
           "arena_load", "map_load", "playout_moves", "calls_ns", "elo", "elo_ci95", "elo_from", "elo_per_doubling",
           "elo_missing", "recommended", "memory_full", "decision_nodes"}


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


@pytest.mark.parametrize(("args", "code", "wanted"), [
    (["--threads", "0"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--threads", "1,,2"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--threads", "65"], 2, "--threads is a list of whole numbers from 1 to 64"),
    (["--agent", "greedy"], 2, "only agents that search a tree can be profiled"),
    (["--seconds", "0"], 2, "'0' is not a number greater than 0"),
])
def test_profile_refuses_in_one_line(sfida, args, code, wanted):
    result = sfida("profile", "kuhn_poker", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert wanted in result.stderr
    assert len([line for line in result.stderr.splitlines() if line.startswith("error")]) == 1
