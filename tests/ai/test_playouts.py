"""Playouts by what moves were worth elsewhere: on games where that is known."""

from itertools import pairwise

import pytest

import sfida
from support.search_toys import Row, RowOptions
from support.searching import mean_value, searched, started, view_of

WINDOWS = pytest.mark.parametrize("window", [1, 8])


def level(rule, seed=1, **parameters):
    """Mean result of 3000 iterations whose tree is only the root: of the playouts, that is."""
    return mean_value(searched(view_of(started(Row(RowOptions(rule=rule)))), 3000, seed, expand_at=1000, c=2.0,
                               **parameters))


@WINDOWS
@pytest.mark.parametrize("playout", ["mast", "nst"])
def test_a_move_that_is_good_everywhere_is_played_more(playout, window):
    """Random playouts choose it once in six times; those by its worth nearly always."""
    plain = level("same", window=window)
    assert plain < 0.26
    assert level("same", playout=playout, noise=0.0, window=window) > 0.65
    assert level("same", playout=playout, noise=0.2, window=window) > 0.55


@WINDOWS
def test_only_pairs_of_moves_tell_of_sequences(window):
    """Where the good move is the one after the last, each move alone is worth the same."""
    assert level("next", playout="mast", noise=0.1, window=window) < 0.26
    assert level("next", playout="nst", noise=0.1, window=window) > 0.6


@pytest.mark.parametrize("playout", ["mast", "nst"])
def test_noise_is_the_share_of_random_moves(playout):
    levels = [level("same", playout=playout, noise=noise) for noise in (0.0, 0.3, 0.6, 1.0)]
    assert all(a > b + 0.05 for a, b in pairwise(levels))
    assert levels[-1] == pytest.approx(level("same"), abs=0.01)         # all random; a standard error is .003


def test_the_agents_play_out_as_they_are_told():
    view = view_of(started(Row()))
    for agent in ("ismcts", "mo-ismcts", "pimc"):
        values = [sfida.agent(f"{agent}:iterations=2000,expand_at=1000,c=2,{more}", seed=3).analyze(view).value[0]
                  for more in ("playout=game", "playout=mast,noise=1", "playout=mast", "playout=nst,noise=0")]
        assert values[0] == pytest.approx(values[1], abs=0.015)
        assert values[2] > values[1] + 0.3
        assert values[3] > values[1] + 0.3


def test_a_game_s_own_policy_goes_before_the_tables():
    """`informed` counts first: at 100 % the tables have nothing to say."""
    class Stubborn(Row.position_class):
        __slots__ = ()

        def playout_move(self, moves, rng):
            return 5

    class StubbornRow(Row):
        position_class = Stubborn

    view = view_of(started(StubbornRow()))
    for playout in ("game", "mast", "nst"):
        rows = searched(view, 300, playout=playout, informed=100, expand_at=1000).root_edges()
        assert [row["value"][0] * 6 for row in sorted(rows, key=lambda row: row["move"])] == pytest.approx(
            [1, 0, 0, 0, 0, 0])
