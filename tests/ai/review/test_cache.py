"""The cache of reviews."""

from __future__ import annotations

import dataclasses

import pytest

from sfida.ai.review import reviewing
from sfida.ai.review.model import DEPTHS
from sfida.ai.review.reviewing import ReviewCache
from support.practising import LOST, decision, review

FAST, DEEP = DEPTHS["fast"], DEPTHS["deep"]
KEPT = review(decision(0, 0.2), decision(1, 0.3))


@pytest.fixture
def cache(tmp_path):
    found = ReviewCache(tmp_path / "state" / "reviews")
    found.keep(LOST, 1, FAST, KEPT)
    return found


def test_a_review_comes_back_as_it_was(cache):
    assert cache.find(LOST, 1, FAST) == KEPT


def test_only_for_the_same_game_seat_and_depth(cache):
    assert cache.find(LOST, 0, FAST) is None
    assert cache.find(LOST, 1, DEEP) is None
    assert cache.find(dataclasses.replace(LOST, moves=LOST.moves[:-1]), 1, FAST) is None
    assert cache.find(dataclasses.replace(LOST, where="elsewhere", extra={"date": "2026-03-01"}), 1, FAST) == KEPT


def test_another_version_of_the_program_judges_anew(cache, monkeypatch):
    monkeypatch.setattr(reviewing, "sfida_version", lambda: "99.0")
    assert cache.find(LOST, 1, FAST) is None


@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda data: b"{}", lambda data: b"",
                                    lambda data: data[:30] + b"\0\0\0" + data[33:]])
def test_a_damaged_review_is_done_again(cache, damage):
    (path,) = cache.folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert cache.find(LOST, 1, FAST) is None
