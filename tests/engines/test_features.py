"""The features of all games that list them: what their names promise, and that nobody's secrets are read."""

from __future__ import annotations

import pytest

import sfida
from sfida.engines.registry import make
from support.features import check_features


@pytest.mark.parametrize("spec", ["attila:players=2", "attila:players=3,open_commitments=true", "attila:players=5"])
def test_features_of_whole_games(spec: str) -> None:
    """Each says something: none is the same in all positions."""
    state = make(spec)
    found = [row for rows in check_features(state, sfida.agent("greedy", seed=3)) for row in rows]
    names = list(found[0])
    assert len(names) <= 32
    assert all(list(row) == names for row in found)
    assert [name for name in names if len({row[name] for row in found}) == 1] == []
