"""The features of all games that list them: each varies, and none reads secrets."""

from __future__ import annotations

import pytest

import sfida
from sfida.engines.registry import make
from support.features import check_features

# Agents and games that together bring about all values of features.
PLAYED = [
    (("greedy", "random"), ("attila:players=2", "attila:players=3,open_commitments=true", "attila:players=5")),
    (("greedy", "random"), ("zarahemla:players=2", "zarahemla:players=4")),
    (("greedy", "random"), ("risiko:preset=tournament", "risiko:players=3")),
    (("greedy:strategy=hammer", "greedy"), ("acres",)),
]


@pytest.mark.parametrize(("agents", "specs"), PLAYED, ids=lambda names: names[0].partition(":")[0])
def test_features_of_whole_games(agents: tuple[str, ...], specs: tuple[str, ...]) -> None:
    """Features are few enough, always the same ones, and none is constant."""
    found = [row for spec in specs for agent in agents
             for rows in check_features(make(spec), sfida.agent(agent, seed=1)) for row in rows]
    names = list(found[0])
    assert 0 < len(names) <= 32
    assert all(list(row) == names for row in found)
    assert [name for name in names if len({row[name] for row in found}) == 1] == []
