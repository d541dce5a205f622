"""Discards after a seven: catanatron asks from seat 0, we ask from the seat on turn (ZAR-24.4 h)."""

from __future__ import annotations

from collections.abc import Iterator

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.catanatron.steps import Plan
from sfida.engines.zarahemla.moves import decode


class Discards:
    """The cards given away since the last seven, by seat."""

    def __init__(self) -> None:
        self.cards: dict[int, list[int]] = {}

    def add(self, seat: int, moves: Plan) -> None:
        """Note what a seat gave away."""
        self.cards.setdefault(seat, []).extend(moves)

    def clear(self) -> None:
        """Forget them, once they were played."""
        self.cards.clear()

    def play(self, state: ZarahemlaState, until: int | None = None) -> None:
        """Play all of them in our order; see `events`."""
        for _ in self.events(state, until):
            pass

    def events(self, state: ZarahemlaState, until: int | None = None) -> Iterator[tuple[int, int]]:
        """Play them one by one in our order, and yield who gave which card right after each.

        Parameters
        ----------
        state : ZarahemlaState
            In its discard phase.
        until : int, optional
            A seat that is asked right now: stop when it is its turn to give away, and let seats that gave nothing yet
            give their first legal cards.

        Raises
        ------
        IllegalMove
            If a seat gave cards that it does not hold.
        """
        left = {seat: sorted(codes) for seat, codes in self.cards.items()}
        while is_discarding(state) and state.to_move != until:
            codes = left.get(state.to_move)
            if not codes and until is None:
                raise IllegalMove(f"seat {state.to_move} has to discard more cards")
            seat, code = state.to_move, codes.pop(0) if codes else state.legal_moves()[0]
            state.apply(code)
            yield seat, code


def is_discarding(state: ZarahemlaState) -> bool:
    """Say whether some seat has to give cards away."""
    return not state.is_over and not state.is_chance and decode(state.legal_moves()[0]).kind == "discard"
