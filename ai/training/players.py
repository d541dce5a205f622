"""The agents of a training: those that play themselves, and those that meet in a match."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.judging import judged
from sfida.ai.registry import agent as make_agent
from sfida.ai.search_options import FinalOptions, FlatOptions, TreeOptions, resolve
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.game import Game
from sfida.engines.spec import quoted

TEMPERATURE = 0.25              # of the draw by visits in self-play: good moves of about equal worth take turns
CUTOFF = 2                      # turns of a playout where the game's own searches ask no evaluation


def knowing(spec: str) -> NamedAgent:
    """Return an agent that can judge positions by a file.

    Raises
    ------
    InvalidOption
        If it does not judge positions, or is told to play its playouts to the end, so that it would not ask.
    """
    made = make_agent(spec)
    if not isinstance(made, NamedAgent) or "knowledge" not in {field.name for field in fields(made.options)}:
        raise InvalidOption(f"the agent {quoted(spec)} does not judge positions by knowledge: name another one to play "
                            "with it, by --candidate")
    if getattr(made.options, "cutoff", None) == -1:
        raise InvalidOption(f"the agent {quoted(spec)} plays its playouts to the end, so it asks for no evaluation: "
                            "name one with a 'cutoff' of 0 or more, by --candidate")
    return made


def with_knowledge(spec: str, path: Path, game: Game) -> NamedAgent:
    """Return an agent that judges positions by a file.

    Where neither its spec nor the game lets playouts end early, they end after `CUTOFF` turns.

    Parameters
    ----------
    spec : str
    path : Path
        A learned evaluation.
    game : Game

    Raises
    ------
    InvalidOption
        See `knowing`.
    """
    made = knowing(spec)
    options = replace(made.options, knowledge=str(path.absolute()))
    if isinstance(options, (FlatOptions, TreeOptions)) and options.cutoff is None:
        values = resolve(options, judged(game.initial_state().view(0), options))
        if values["cutoff"] < 0:
            options = replace(options, cutoff=CUTOFF)
    return type(made)(options)


def varied(agent: Agent) -> Agent:
    """Return an agent for self-play: where it could choose otherwise, it draws its moves by visits.

    Parameters
    ----------
    agent : Agent
        One that says itself how it chooses the move to play (`final`) stays as it is.
    """
    if not isinstance(agent, NamedAgent) or not isinstance(agent.options, FinalOptions):
        return agent
    usual = type(agent.options)()
    if (agent.options.final, agent.options.temperature) != (usual.final, usual.temperature):
        return agent
    return type(agent)(replace(agent.options, final="sample", temperature=TEMPERATURE))
