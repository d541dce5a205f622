"""The faces of a game, one for each kind of reader, each typed by the state of the game.

`rules` is read by tables, records and tournaments, `notation` by whoever reads or writes moves, `telling` by whoever
tells a game, `drawing` by screens and reports, `knowledge` by agents. `sfida.engines.game.Game` is all of them; readers
ask for the one that they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.cython_ext.state import GameState

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # The class of the game's states; a reader that takes any game writes `Game`, without one.
    S = TypeVar("S", bound=GameState, default=Any)
else:                                   # the default is for the checker alone: before Python 3.13 there is none
    from typing import TypeVar

    S = TypeVar("S", bound=GameState)

__all__ = ["S"]
