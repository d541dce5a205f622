"""`sfida games`: the games that can be played."""

from __future__ import annotations

from typing import Any

import click

from sfida.cli.output import Output, all_option, color_option, json_option, number, output_for
from sfida.cli.text import Table as TextTable
from sfida.cli.text import Text
from sfida.engines.registry import ALIASES, broken_games, describe_game, game_class, game_names, make_game

HOW = (("sfida play NAME", "you against the computer"),
       ("sfida play NAME:players=3,preset=P", "with more seats, or a preset of the rules"),
       ("sfida games NAME", "its options; sfida games --all: those of all games"))
TINY = "Tiny games for tests and the tutorial"


@click.command("games")
@click.argument("name", required=False)
@all_option
@json_option
@color_option
@click.pass_context
def command(context: click.Context, name: str | None, everything: bool, as_json: bool) -> None:
    """List the games; with a name, all about one. Options given after the name are checked.

    \b
    sfida games
    sfida games carcassonne
    sfida games --all
    sfida games attila:map=my.toml
    sfida games risiko:objective_deck=custom,objectives=my.toml
    sfida play carcassonne:players=3,river=true
    """
    output = output_for(context, as_json)
    if name is not None and ":" in ALIASES.get(name, name):
        game = make_game(name)
        entries = [{**describe_game(game.name), "title": game.title, "spec": game.spec(),
                    "search_defaults": game.search_settings(game.knowledge), "search_exceptions": [],
                    "search_learned": {}}]
    elif name is not None:
        entries = [describe_game(game_class(name).name)]
    else:
        entries = [describe_game(each) for each in game_names()]
    for reason in ({} if name else broken_games()).values():
        output.complain(reason)
    if as_json:
        for entry in entries:
            output.emit({"type": "game", **entry})
        return
    if name is not None:
        for entry in entries:
            show_game(output, entry)
        return
    groups = [[entry for entry in entries if entry["example"] == example] for example in (False, True)]
    list_games(output, groups[0])
    two_columns(output, [(Text(typed, "green"), Text(meaning)) for typed, meaning in HOW])
    if not everything:
        output.line()
        output.wrapped(Text(f"{TINY}: {', '.join(entry['name'] for entry in groups[1])}", "dim"))
        return
    for title, group in zip(("Options", TINY), groups, strict=True):
        if group:
            output.line()
            output.line(title, "bold")
            output.line()
            for entry in group:
                show_game(output, entry)


def list_games(output: Output, entries: list[dict[str, Any]]) -> None:
    """Print a line for each game, and below it the names of its presets and its other names."""
    rows = []
    for entry in entries:
        length = game_class(entry["name"]).length
        rows.append((Text(entry["name"], "bold cyan"), Text(title_and_players(entry) + (length and f", {length}"))))
        others = [(alias, spec.partition(":")) for alias, spec in ALIASES.items()]
        more = [f"{alias} means {preset}" if preset else f"also called {alias}"
                for alias, (name, _, preset) in others if name == entry["name"]]
        more += [f"presets: {', '.join(map(value_text, option['values']))}"
                 for option in entry["options"] if option["key"] == "preset"]
        if more:
            rows.append((Text(), Text("; ".join(more), "dim")))
    if rows:
        two_columns(output, rows)
        output.line()


def title_and_players(entry: dict[str, Any]) -> str:
    """Return the title of a game and the numbers of players."""
    counts = entry["players"]
    return f"{entry['title']}, {counts[0] if len(counts) == 1 else f'{counts[0]}-{counts[-1]}'} players"


def show_game(output: Output, entry: dict[str, Any]) -> None:
    """Print a game and its options."""
    output.line(Text().append(entry["name"], "bold cyan").append(
        f"  {title_and_players(entry)}, rules version {entry['rules_version']}"))
    if "spec" in entry:
        output.line(Text("    in order: ").append(entry["spec"], "green"))
    show_options(output, entry["options"])
    rows = [settings_row("searches use", entry["search_defaults"])] if entry["search_defaults"] else []
    for each in entry["search_exceptions"]:
        where = ", ".join(f"{key}={' or '.join(map(value_text, values))}" for key, values in each["options"].items())
        rows.append(settings_row(f"with {where}", each["search_defaults"]))
    if entry["search_learned"]:
        rows.append(settings_row("with a learned evaluation", entry["search_learned"]))
    if rows:
        two_columns(output, rows)
    output.line()


def settings_row(where: str, settings: dict[str, Any]) -> tuple[Text, Text]:
    """Return where defaults of searches hold, and the defaults."""
    return Text(f"    {where}"), Text(", ").join(Text().append(f"{key}=", "dim").append(value_text(value), "green")
                                                 for key, value in settings.items())


def show_options(output: Output, options: list[dict[str, Any]]) -> None:
    """Print options or parameters: key=default, meaning, allowed values."""
    rows = []
    for option in options:
        meaning = Text(option["doc"] or option["key"])
        allowed = allowed_text(option)
        if allowed:
            meaning.append(f"  [{allowed}]", "dim")
        default = option.get("unset", "none") if option["default"] is None else value_text(option["default"])
        rows.append((Text("    ").append(option["key"]).append("=", "dim").append(default, "green"), meaning))
    if rows:
        two_columns(output, rows)


def two_columns(output: Output, rows: list[tuple[Text, Text]]) -> None:
    """Print short texts with longer ones beside them, which are wrapped to fit."""
    table = TextTable(box=None, padding=(0, 2), collapse_padding=True, show_header=False, show_edge=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    output.table(table)


def value_text(value: Any) -> str:
    """Return a value as a spec writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value) if isinstance(value, float) else str(value)


def allowed_text(option: dict[str, Any]) -> str:
    """Return the values that an option takes."""
    if option.get("values") is not None:
        text = ", ".join(map(value_text, option["values"]))
    else:
        low, high = option.get("low"), option.get("high")
        if low is not None and low == high:
            text = value_text(low)
        elif low is not None and high is not None:
            text = f"{value_text(low)} to {value_text(high)}"
        elif low is not None:
            text = f"{value_text(low)} or more"
        elif high is not None:
            text = f"{value_text(high)} or less"
        else:
            kinds = {"bool": "true, false", "int": "whole number", "float": "number"}
            text = kinds.get(option["type"], "word")
    if option.get("unit"):
        text += f" {option['unit']}"
    return text + (", none" if option.get("optional") else "")
