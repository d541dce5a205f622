"""A searching agent can play Zarahemla: only the layout of the land has a long list of outcomes."""

import pytest

import sfida
from sfida.cython_ext.rng import Random


@pytest.mark.parametrize("options", ["trade_mode=none", "preset=catan,trade_mode=none"])
def test_search_plays(options):
    state = sfida.make(f"settlers_of_zarahemla:{options}")
    rng = Random(1)
    while state.is_chance:
        state.apply(state.sample_chance(rng))
    assert state.clone().max_legal == 80
    move = sfida.agent("ismcts:iterations=20", seed=1).choose(state.view(state.to_move))
    assert move in state.legal_moves()
