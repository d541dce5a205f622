"""Pictures of a position for those who watch a learner."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
PIXELS = 800                            # width of an "rgb_array"


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; raises InvalidOption if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise InvalidOption(f"render_mode must be one of {', '.join(map(repr, RENDER_MODES))}, not {quoted(mode)}")
    return mode


def drawn(state: GameState, mode: str | None, seat: int | None = None) -> str | NDArray[np.uint8] | None:
    """Draw a position as `seat` sees it (None: what is public).

    Returns
    -------
    str, numpy.ndarray or None
        The text ("ansi"), the SVG document ("svg") or its pixels ("rgb_array": height x 800 x 3, uint8); nothing for
        "human", which is printed.
    """
    if mode is None:
        raise InvalidOption(f"nothing is drawn without a render_mode: give one of {', '.join(map(repr, RENDER_MODES))}")
    if mode == "svg":
        return state.game.board_svg(state, seat=seat)
    if mode == "rgb_array":
        return pixels(state.game.board_svg(state, seat=seat))
    text = state.game.board_text(state, seat=seat)
    if mode == "human":
        print(text)
        return None
    return text


def pixels(svg: str) -> NDArray[np.uint8]:
    """Return the pixels of an SVG document on white, height x 800 x 3; raises SfidaError if a package is missing."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise SfidaError("'rgb_array' needs the packages resvg-py and Pillow: pip install 'sfida[envs]'") from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS, background="white"))
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
