"""The debug build is requested by name and recomputes after every move."""

from __future__ import annotations

import os
from pathlib import Path

import sfida
from sfida.cython_ext import state as core
from sfida.engines.examples.tic_tac_toe import TicTacToe

ROOT = Path(__file__).resolve().parents[2]
ASKED_FOR_DEBUG = os.environ.get("SFIDA_DEBUG", "0") == "1"


class Watched(TicTacToe):
    """Counts how often the build asks for a recomputation."""

    calls = 0

    def verify(self, state: core.GameState) -> None:
        type(self).calls += 1


def test_modules_are_those_of_the_build_asked_for() -> None:
    assert core.DEBUG is ASKED_FOR_DEBUG
    assert Path(core.__file__).is_relative_to(ROOT / "build" / "debug") is ASKED_FOR_DEBUG
    assert Path(core.__file__).parent.parent == Path(sfida.engines.__path__[0]).parent


def test_debug_build_recomputes_after_every_move() -> None:
    Watched.calls = 0
    state = Watched().initial_state()
    for _ in range(3):
        state.apply(state.legal_moves()[0])
    assert Watched.calls == (3 if core.DEBUG else 0)
