"""`sfida bench` and `sfida profile`."""

from __future__ import annotations

import re

BENCH = {"game", "players", "playouts_per_s", "moves_per_playout", "ns_per_move", "clone_ns",
         "legal_moves_ns", "apply_ns", "determinize_ns", "state_bytes", "max_legal"}
PROFILE = {"game", "agent", "threads", "iterations_per_s", "share", "playout_us", "depth_mean", "depth_max",
           "nodes", "tree_bytes", "bytes_per_node"}


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


def test_profile_gives_an_object_a_thread_count(events, sfida):
    found = events("profile", "kuhn_poker", "--seconds", 0.1, "--threads", "1,2")
    assert [entry["threads"] for entry in found] == [1, 2]
    for entry in found:
        assert entry["type"] == "profile"
        assert set(entry) >= PROFILE
        assert set(entry["share"]) == {"determinize", "select", "expand", "playout", "backup"}
        assert 0.99 < sum(entry["share"].values()) < 1.01
    assert "iterations a second" in sfida("profile", "kuhn_poker", "--seconds", 0.05).stdout
