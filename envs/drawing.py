"""Pictures of a position for those who watch a learner."""

from __future__ import annotations

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted

RENDER_MODES = ["human", "ansi", "svg"]


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; raises InvalidOption if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise InvalidOption(f"render_mode must be one of {', '.join(map(repr, RENDER_MODES))}, not {quoted(mode)}")
    return mode


def drawn(state: GameState, mode: str | None, seat: int | None = None) -> str | None:
    """Draw a position as `seat` sees it (None: what is public).

    Returns
    -------
    str or None
        The text ("ansi") or the SVG document ("svg"); nothing for "human", which is printed.
    """
    if mode is None:
        raise InvalidOption(f"nothing is drawn without a render_mode: give one of {', '.join(map(repr, RENDER_MODES))}")
    if mode == "svg":
        return state.game.board_svg(state, seat=seat)
    text = state.game.board_text(state, seat=seat)
    if mode == "human":
        print(text)
        return None
    return text
