"""What the seats would see of each move, without playing it."""

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.registry import make


@pytest.mark.parametrize("spec", ["carcassonne", "risiko", "attila", "acres", "zarahemla:board=figures", "kuhn_poker"])
def test_labels_after_a_move_are_those_of_playing_it(spec):
    state, rng = make(spec), Random(3)
    for _ in range(40):
        if state.is_over:
            break
        before, labels = state.to_bytes(), state.labels_after()
        assert sorted(labels) == state.legal_moves()
        assert labels
        assert state.to_bytes() == before
        for move in state.legal_moves()[:20]:
            after = state.clone()
            after.apply(move)
            assert labels[move] == [after.label(seat) for seat in range(state.players)]
        state.apply(state.sample_chance(rng) if state.is_chance else state.candidate_moves()[0])
