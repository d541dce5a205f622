"""`sfida agents`: the agents that can play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from sfida.ai.registry import agent_class, agent_names, broken_agents, is_strategy
from sfida.ai.search_options import DEFAULT_ITERATIONS, generic_values
from sfida.cli.games import show_options, two_columns, value_text
from sfida.cli.levels import known_levels, show_levels
from sfida.cli.output import Output, all_option, color_option, json_option, output_for
from sfida.cli.text import Text
from sfida.engines.spec import describe

# What most people need: spec, strength in a word or two, cost.
USUAL = (("human", "a person", "you, or somebody beside you"),
         ("random", "plays anything", "answers at once"),
         ("greedy", "weak", "looks one turn ahead; answers at once"),
         ("ismcts:seconds=1", "strong", "searches a second a move; the longer, the stronger"),
         ("level:4", "of any strength", "level:1 to level:10, or level:auto, which follows you"))
HOW = (("sfida play GAME --seat human --seat AGENT", "who sits where"),
       ("sfida agents NAME", "its parameters; sfida agents --all: those of all agents"))


@click.command("agents")
@click.argument("name", required=False)
@all_option
@json_option
@color_option
@click.pass_context
def command(context: click.Context, name: str | None, everything: bool, as_json: bool) -> None:
    """List the agents, those that most people need first; with a name, its parameters.

    \b
    sfida agents
    sfida agents ismcts
    sfida agents --all
    sfida play carcassonne --seat human --seat ismcts:iterations=5000,c=0.7
    """
    output = output_for(context, as_json)
    if name is not None and is_strategy(name):
        output.note(f"'{name}' stands for greedy:strategy={name}.")
        name = "greedy"
    names = agent_names() if name is None else [agent_class(name).name]
    for reason in (broken_agents() if name is None else {}).values():
        output.complain(reason)
    if as_json:
        for each in names:
            levels = {"levels": known_levels()} if name == each == "level" else {}
            output.emit({"type": "agent", **describe_agent(each), **levels})
        return
    if name is None:
        list_agents(output)
    if name is None and not everything:
        usual = {spec.partition(":")[0] for spec, _, _ in USUAL}
        two_columns(output, [(Text(each, "bold cyan"), Text(agent_class(each).doc))
                             for each in names if each not in usual])
    else:
        show_agents(output, names)
        if name == "level":
            show_levels(output)


def list_agents(output: Output) -> None:
    """Print the agents that most people need."""
    two_columns(output, [(Text(spec, "bold cyan"), Text(strength).append(f": {cost}"))
                         for spec, strength, cost in USUAL])
    output.line()
    two_columns(output, [(Text(typed, "green"), Text(meaning)) for typed, meaning in HOW])
    output.line()


def show_agents(output: Output, names: Sequence[str]) -> None:
    """Print agents with their parameters."""
    for each in names:
        entry = describe_agent(each)
        output.line(Text().append(each, "bold cyan").append(f"  {entry['doc']}"))
        if agent_class(each).free_text:
            two_columns(output, [(Text().append(f"    {entry['form']}", "green"), Text(parameter["doc"]))
                                 for parameter in entry["parameters"]])
        else:
            show_options(output, entry["parameters"])
        output.line()
    if any("unset" in parameter for each in names for parameter in describe_agent(each)["parameters"]):
        values = {key: value for each in names
                  for key, value in generic_values(agent_class(each).options_class).items()}
        generic = ", ".join(f"{key}={value_text(value)}" for key, value in values.items())
        output.wrapped(Text().append(
            "game's: the value measured for the game ('sfida games NAME' shows it), otherwise the general one: "
            f"{generic}. Without iterations and seconds a decision takes {DEFAULT_ITERATIONS} iterations. "
            "'none' leaves a value unset.", "dim"))


def describe_agent(name: str) -> dict[str, Any]:
    """Return the description of an agent, as JSON-able data."""
    cls = agent_class(name)
    parameters = describe(cls.options_class)
    values = cls.free_text.upper() or ("key=value,..." if parameters else "")
    return {"name": cls.name, "doc": cls.doc, "form": f"{name}:{values}" if values else name,
            "parameters": parameters}
