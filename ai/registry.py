"""The agents that specs can name, and which of them run code that is not Sfida's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.chance import LARGEST_AGENT_SEED, check_seed
from sfida.ai.greedy import GreedyOptions
from sfida.cython_ext.errors import InvalidOption, UnknownAgent
from sfida.engines.language import N_, _
from sfida.engines.registry import GAMES, Plugins, foreign_game, game_classes
from sfida.engines.spec import merge_params, options_from, parse_spec, spec_text

# ---- The agents that specs can name: Sfida's own, and those from entry points of the group `sfida.agents`

AGENTS: Plugins[NamedAgent] = Plugins("agent", "sfida.agents", NamedAgent, UnknownAgent, {
    "human": "sfida.ai.agent:HumanAgent",
    "random": "sfida.ai.agent:RandomAgent",
    "greedy": "sfida.ai.greedy:GreedyAgent",
    "flat": "sfida.ai.ismcts:FlatAgent",
    "pimc": "sfida.ai.ismcts:PimcAgent",
    "ismcts": "sfida.ai.ismcts:IsmctsAgent",
    "mo-ismcts": "sfida.ai.ismcts:MoIsmctsAgent",
    "level": "sfida.ai.levels.agent:LevelAgent",
    "exec": "sfida.ai.external.agents:ExecAgent",
    "socket": "sfida.ai.external.agents:SocketAgent",
})


def agent_names() -> list[str]:
    """Return the names of the agents, Sfida's own first, without those that cannot be loaded."""
    return AGENTS.names()


def broken_agents() -> dict[str, str]:
    """Return the reason, in one line, for each registered agent that cannot be loaded."""
    return AGENTS.broken()


def agent_class(name: str) -> type[NamedAgent]:
    """Return the class of an agent; raises UnknownAgent, which suggests the nearest name."""
    return AGENTS.load(name)


def agent(spec: str, seed: int = 0, **options: Any) -> Agent:
    """Build an agent.

    Parameters
    ----------
    spec : str
        Agent spec such as ``"ismcts:iterations=1000"``, or ``"exec:python3 bot.py"``. The name of a game's own
        strategy means ``greedy`` with that strategy: ``"hammer"`` for ``"greedy:strategy=hammer"``.
    seed : int
        Seed of its random choices.
    **options
        More options, as text or Python values.

    Raises
    ------
    UnknownAgent, InvalidOption
        `InvalidOption` also if the spec and a keyword give an option different values.

    Examples
    --------
    >>> agent = sfida.agent("ismcts", seed=7, iterations=200)
    >>> agent.spec
    'ismcts:iterations=200'
    >>> state = sfida.make("tic_tac_toe")
    >>> agent.choose(state.view(0)) in state.legal_moves()
    True
    """
    name, colon, text = spec_text(spec).partition(":")
    if is_strategy(name.strip()):
        options = merge_params(GreedyOptions, {"strategy": name.strip()}, options,
                               _("agent '{name}'").format(name=name.strip()))
        spec = f"greedy{colon}{text}"
    elif name.strip() and agent_class(name.strip()).free_text:
        return _with_free_text(agent_class(name.strip()), text.strip() if colon else None, options, seed)
    name, params = parse_spec(spec)
    cls = agent_class(name)
    what = _("agent '{name}'").format(name=name)
    merged = merge_params(cls.options_class, params, options, what)
    return cls(options_from(cls.options_class, merged, what), check_seed(seed, LARGEST_AGENT_SEED))


def is_strategy(name: str) -> bool:
    """Return whether a name is that of a game's own strategy and not that of an agent."""
    return name not in AGENTS.registered() and any(name in game.strategies for game in game_classes())


def foreign_agent(spec: str) -> str | None:
    """Return the foreign code that an agent spec would run, without loading it; None if there is none.

    Parameters
    ----------
    spec : str
        Agent spec, valid or not.

    Returns
    -------
    str or None
        "a program", or the package that provides the agent.
    """
    name = spec.partition(":")[0].strip()
    if name not in AGENTS.registered():
        # Games are searched for a strategy one after the other, Sfida's own first.
        origins = {game: GAMES.foreign(game) for game in GAMES.registered()}
        others = [origin for origin in origins.values() if origin is not None]
        own = any(name in GAMES.load(game).strategies for game, origin in origins.items() if origin is None)
        return f"the strategies of {' and '.join(others)}" if others and not own else None
    origin = AGENTS.foreign(name)
    return origin or (N_("a program") if runs_program(spec) else None)


def runs_program(spec: str) -> bool:
    """Return whether an agent spec, valid or not, names an agent that is another program."""
    name = spec.partition(":")[0].strip()
    return name in AGENTS.registered() and agent_class(name).runs_programs


def _with_free_text(cls: type[NamedAgent], text: str | None, options: dict[str, Any], seed: int) -> NamedAgent:
    """Build an agent whose spec is its name and a single text."""
    given = [*([] if text is None else [cls.free_text]), *options]
    if given != [cls.free_text]:
        raise InvalidOption(_("agent '{name}' takes its {text} and nothing else; right would be {example}").format(
            name=cls.name, text=cls.free_text, example=f"{cls.name}:{cls.free_text.upper()}"))
    return cls(cls.options_class(options.get(cls.free_text, text)), check_seed(seed, LARGEST_AGENT_SEED))


# ---- Foreign code that a file names: programs, and games and agents of other packages


def foreign_code(game: str | None, agents: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the foreign code that specs would run, without loading it.

    Parameters
    ----------
    game : str or None
        Game spec, valid or not.
    agents : iterable of str
        Agent specs.

    Returns
    -------
    list of (str, str)
        Each spec once, with the code that it runs.
    """
    found = [] if game is None else [(game, foreign_game(game))]
    found += [(spec, foreign_agent(spec)) for spec in agents]
    return list(dict.fromkeys((spec.strip(), what) for spec, what in found if what is not None))
