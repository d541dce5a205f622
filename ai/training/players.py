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


def knowing(spec: str, evaluation: bool = True) -> NamedAgent:
    """Return an agent that can judge positions by a file.

    Parameters
    ----------
    spec : str
    evaluation : bool
        Whether the file is to hold a new evaluation, not only priors.

    Raises
    ------
    InvalidOption
        If it does not judge positions, or is told to play its playouts to the end, so that it would not ask.
    """
    made = make_agent(spec)
    if not isinstance(made, NamedAgent) or "knowledge" not in {field.name for field in fields(made.options)}:
        raise InvalidOption(f"the agent {quoted(spec)} does not judge positions by knowledge: name another one to play "
                            "with it, by --candidate")
    if evaluation and getattr(made.options, "cutoff", None) == -1:
        raise InvalidOption(f"the agent {quoted(spec)} plays its playouts to the end, so it asks for no evaluation: "
                            "name one with a 'cutoff' of 0 or more, by --candidate")
    return made


def with_knowledge(spec: str, path: Path, game: Game) -> NamedAgent:
    """Return an agent that judges positions by a file.

    Where neither its spec nor the game lets it use what the file holds, its playouts end after `CUTOFF` turns, and it
    searches by priors.

    Parameters
    ----------
    spec : str
    path : Path
        A learned evaluation, or priors.
    game : Game

    Raises
    ------
    InvalidOption
        See `knowing`.
    """
    made = knowing(spec, evaluation=False)
    options = replace(made.options, knowledge=str(path.absolute()))
    if not isinstance(options, (FlatOptions, TreeOptions)):
        return type(made)(options)
    view = judged(game.initial_state().view(0), options)
    values, held = resolve(options, view), view.knowledge
    assert held is not None
    if game.players in held.players and values["cutoff"] < 0:
        knowing(spec)
        options = replace(options, cutoff=CUTOFF)
    if isinstance(options, TreeOptions) and game.players in held.prior_players and options.priors is None:
        options = options if values["priors"] else replace(options, priors=True)
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
