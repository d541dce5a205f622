"""Effects of an event: sums by seat."""

from sfida.engines.narration import Effect, Narration, score_changes


def test_gains_are_summed_by_seat():
    effects = score_changes(["a", "b", "c"], (1, 2, 3), (4, 2, 1))
    assert effects == (Effect("a scores 3", ((0, 3),)), Effect("c loses 2", ((2, -2),)))
    assert Narration("moves", effects).gains(3) == (3, 0, -2)
