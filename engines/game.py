"""What an engine gives besides its rules core: a game with its faces."""

from __future__ import annotations

from sfida.engines.faces import S
from sfida.engines.faces.drawing import Drawing
from sfida.engines.faces.knowledge import Knowledge
from sfida.engines.faces.notation import Notation
from sfida.engines.faces.rules import GameOptions, Rules
from sfida.engines.faces.telling import Telling

__all__ = ["FACES", "Game", "GameOptions"]

FACES = (Rules, Notation, Telling, Drawing, Knowledge)


class Game(Rules[S], Telling[S], Drawing[S], Knowledge[S]):
    """One game with chosen options. Immutable; states share it.

    An engine defines `initial_state`, `format_move`, `board_text` and `observation`; for the rest there are defaults.
    ``Game[AcresState]`` is a game whose methods take states of that class.
    """
