"""Sfida: Monte Carlo opponents for hobby board games.

>>> import sfida
>>> state = sfida.make("tic_tac_toe")
>>> agent = sfida.agent("random", seed=7)
>>> state.apply(agent.choose(state.view(state.to_move)))

`make` builds a game and `agent` an opponent; `play` plays one game, `tournament` many games, every deal from every
seat, and `batch` thousands, as arrays; `sfida.testing.check_game` checks your own game. Every error of a caller
raises a `SfidaError`.
"""

from __future__ import annotations

import importlib

from sfida.cython_ext.errors import (
    AmbiguousNotation, IllegalMove, InvalidNotation, InvalidOption, InvalidRecord, SfidaError, UnknownAgent, UnknownGame
)

TYPE_CHECKING = False       # `typing` takes longer to import than the rest of this module
if TYPE_CHECKING:
    from typing import Any

    from sfida.ai.agent import Agent, AgentFailure
    from sfida.ai.arena.outcome import GameOutcome, Observer
    from sfida.ai.arena.standings import Standings
    from sfida.ai.arena.tournament import TournamentResult, tournament
    from sfida.ai.registry import agent, agent_names
    from sfida.ai.research.batch import GameBatch, batch
    from sfida.ai.table import MoveEvent, play
    from sfida.cython_ext.state import GameState, View
    from sfida.engines.records import GameRecord, GameResult, append_record, read_record, read_records, write_records
    from sfida.engines.registry import game_names, make

    from . import testing

    __version__: str

__all__ = [
    "Agent", "AgentFailure", "AmbiguousNotation", "GameBatch", "GameOutcome", "GameRecord", "GameResult", "GameState",
    "IllegalMove", "InvalidNotation", "InvalidOption", "InvalidRecord", "MoveEvent", "Observer", "SfidaError",
    "Standings", "TournamentResult", "UnknownAgent", "UnknownGame", "View", "__version__", "agent",
    "agent_names", "append_record", "batch", "game_names", "make", "play", "read_record", "read_records", "testing",
    "tournament", "write_records",
]

# Loaded on first use, so that `import sfida` takes only a few milliseconds.
_HOMES = {
    "Agent": "sfida.ai.agent",
    "AgentFailure": "sfida.ai.agent",
    "GameBatch": "sfida.ai.research.batch",
    "GameOutcome": "sfida.ai.arena.outcome",
    "GameRecord": "sfida.engines.records",
    "GameResult": "sfida.engines.records",
    "GameState": "sfida.cython_ext.state",
    "MoveEvent": "sfida.ai.table",
    "Observer": "sfida.ai.arena.outcome",
    "Standings": "sfida.ai.arena.standings",
    "TournamentResult": "sfida.ai.arena.tournament",
    "View": "sfida.cython_ext.state",
    "agent": "sfida.ai.registry",
    "agent_names": "sfida.ai.registry",
    "append_record": "sfida.engines.records",
    "batch": "sfida.ai.research.batch",
    "game_names": "sfida.engines.registry",
    "make": "sfida.engines.registry",
    "play": "sfida.ai.table",
    "read_record": "sfida.engines.records",
    "read_records": "sfida.engines.records",
    "tournament": "sfida.ai.arena.tournament",
    "write_records": "sfida.engines.records",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("sfida")
    elif name == "testing":
        value = importlib.import_module("sfida.testing")
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'sfida' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
