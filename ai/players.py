"""Which agents decide without Python, and the games that they play."""

from __future__ import annotations

from collections.abc import Iterable

from sfida.ai.agent import Agent, NamedAgent
from sfida.cython_ext.players import Seating
from sfida.cython_ext.python_state import PythonState
from sfida.engines.game import Game


def seating_of(game: Game, agents: Iterable[Agent]) -> Seating | None:
    """Return players that decide exactly as the agents of a game do, in seat order, without Python.

    None: the game is in Python, or an agent's decisions need it, such as those by the clock.
    """
    start = game.initial_state()
    if isinstance(start, PythonState):
        return None
    players = []
    for agent in agents:
        player = agent.player(game) if isinstance(agent, NamedAgent) else None
        if player is None:
            return None
        players.append(player)
    return Seating(start, players)
