"""Exact endgames: win probability comes first; points decide between moves that win equally often."""

from __future__ import annotations

from typing import ClassVar, Self

import pytest

from sfida.ai.search import Endgame
from sfida.cython_ext.search.solve import solve
from sfida.cython_ext.state import View
from sfida.engines.game import GameOptions
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition

BLEND, TAU = 0.3, 5.0


class OfferPosition(PythonPosition):
    """One decision of seat 0: each move gives it a win share and a lead in points over seat 1."""

    __slots__ = ("chosen", "to_move")

    offers: ClassVar[list[tuple[float, float]]] = []

    def __init__(self, options: GameOptions) -> None:
        self.chosen, self.to_move = 0, 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.chosen, twin.to_move = self.chosen, self.to_move
        return twin

    def legal_moves(self) -> list[int]:
        return list(range(len(self.offers)))

    def apply(self, move: int) -> None:
        self.chosen, self.to_move = move, TERMINAL

    def utilities(self) -> list[float]:
        share = self.offers[self.chosen][0]
        return [share, 1.0 - share]

    def scores(self) -> list[float]:
        return [self.offers[self.chosen][1], 0.0]


class Offers(PythonGame):
    """A choice between known results."""

    name = "offers"
    title = "Offers"
    example = True
    position_class = OfferPosition


@pytest.fixture
def offered(monkeypatch):
    """Return a function that offers results and returns seat 0's view."""
    def offer(*offers: tuple[float, float]) -> View:
        monkeypatch.setattr(OfferPosition, "offers", list(offers))
        return Offers(GameOptions()).initial_state().view(0)
    return offer


def solved(view: View, positions: int = 1000):
    return Endgame(view, positions, 0.0, blend=BLEND, tau=TAU, every=True, seed=1).run()


def test_no_points_buy_a_share_of_the_win(offered):
    view = offered((0.5, 30.0), (0.6, -30.0), (0.1, 40.0))
    assert solve(view, 1000, blend=BLEND, tau=TAU).best.code == 0, "win and margin together prefer the points"
    found = solved(view)
    assert (found.best.code, found.best.value[0]) == (1, 0.6)


def test_of_moves_that_win_equally_often_the_one_with_the_most_points_is_played(offered):
    assert solved(offered((0.6, -30.0), (0.6, 9.0), (0.6, 4.0), (0.5, 30.0), (0.6, 2.0))).best.code == 1


def test_what_is_solved_for_the_win_stays_when_there_is_no_room_for_the_points(offered):
    view = offered((0.6, -30.0), (0.6, 9.0))
    enough = solve(view, 1000, blend=0.0).positions
    assert solved(view, enough).best.value[0] == 0.6
    assert solved(view, enough - 1) is None
