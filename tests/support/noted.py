"""Kuhn poker with a leak: positions that remember what no seat may know."""

from __future__ import annotations

from sfida.engines.examples.kuhn_poker import NOT_DEALT, KuhnPosition


class Noted(KuhnPosition):
    """A note of the last deal stays in views."""

    __slots__ = ("note",)

    def __init__(self, options):
        super().__init__(options)
        self.note = NOT_DEALT

    def clone(self):
        twin = super().clone()
        twin.note = self.note
        return twin

    def apply(self, move):
        super().apply(move)
        if not self.history:
            self.note = move
