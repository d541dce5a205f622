"""From the number of an action to a move and its notation."""

from __future__ import annotations

import operator
from typing import Any

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted


def texts_of(state: GameState, offered: dict[int, int]) -> dict[int, str]:
    """Return the notation of each action that may be chosen."""
    return {action: state.format(code) for action, code in offered.items()}


def move_of(action: Any, offered: dict[int, int], size: int, seat: int) -> int:
    """Return the code of an action.

    Parameters
    ----------
    action : int
    offered : dict
        Codes of the actions that may be chosen.
    size : int
        Number of actions of the space.
    seat : int
        Who chooses.

    Raises
    ------
    IllegalMove
        If it may not be chosen; the line says which ones may.
    """
    try:
        number = operator.index(action)
    except TypeError:
        raise IllegalMove(f"an action is a whole number from 0 to {size - 1}, not {quoted(action)}") from None
    if number not in offered:
        some = ", ".join(map(str, list(offered)[:3]))
        raise IllegalMove(f"action {number} is not legal for seat {seat} here; its action_mask allows "
                          f"{len(offered)}, such as {some}")
    return offered[number]
