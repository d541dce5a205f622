"""Illegal actions: they end the game where a reward for them is set."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import TerminateIllegalWrapper


class EndsAtIllegal(TerminateIllegalWrapper[str, dict[str, Any], int]):
    """PettingZoo's wrapper, which judges an action by the mask that it has handed out: agents get a copy of it."""

    def observe(self, agent: str) -> dict[str, Any] | None:
        """Return what an agent sees now; it may write into the mask."""
        seen = super().observe(agent)
        return None if seen is None else {**seen, "action_mask": seen["action_mask"].copy()}
