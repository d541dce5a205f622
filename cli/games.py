"""`sfida games` and `sfida agents`: the available games and agents, and the meaning of their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from sfida.cli.output import Output, ScreenTable, Text, all_option, color_option, json_option, number, output_for
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.characters import characters
from sfida.engines.game import luck_words
from sfida.engines.language import _, counted
from sfida.engines.on_demand import on_demand
from sfida.engines.registry import ALIASES, broken_games, describe_game, foreign_game, game_class, game_names, make_game
from sfida.engines.spec import describe

if TYPE_CHECKING:
    from sfida.ai import registry, search
    from sfida.ai.levels import agent as levels
    from sfida.ai.levels import person_rating
    from sfida.ai.levels import scale as scales
    from sfida.ai.levels.scale import Scale
    from sfida.ai.table import Table
else:                                   # most of this is for agents and levels
    registry, search = on_demand("sfida.ai", "registry", "search")
    levels, person_rating, scales = on_demand("sfida.ai.levels", "agent", "person_rating", "scale")

# ---- `sfida games`: the available games

WAYS_TO_PLAY = (("sfida play NAME", "you against the computer"),
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
    two_columns(output, [(Text(typed, "green"), Text(meaning)) for typed, meaning in WAYS_TO_PLAY])
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
        length = entry["length"]
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
    minutes = f"{entry['minutes'][0]} to {entry['minutes'][-1]} minutes between people" if entry["minutes"] else ""
    facts = ", ".join(filter(None, (minutes, entry["length"], luck_words(entry["luck"]))))
    if facts:
        output.line(Text(f"    {facts}", "dim"))
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
    """Return the cells of a row: the options to which defaults of searches apply, and the defaults."""
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
    """Print short texts, each beside a longer one that is wrapped to fit."""
    table = ScreenTable(box=None, padding=(0, 2), collapse_padding=True, show_header=False, show_edge=False,
                        pad_edge=False)
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


# ---- Levels on the command line: the level that `level:auto` plays at, and the origin of each game's levels


def tell_level(table: Table, screen: Output) -> None:
    """Print the level that adapts to the person at a table, its number of games, and whether this game counts."""
    if table.unrated and person_rating.rated_level(table) is not None:
        screen.note(_(person_rating.UNCOUNTED))
    following = [seat for seat in table.seats if seat.follows_person]
    if not following:
        return
    games, damaged = person_rating.remembered()
    if damaged:
        screen.complain(person_rating.damage(damaged))
    known = sum(game.name == table.game.name for game in games)
    said = (_("level:auto plays at level {level} of {levels}, by {games} of yours.") if known else
            _("level:auto plays at level {level} of {levels}, a first guess."))
    screen.note(said.format(level=levels.level_text(following[0].level or 0.0), levels=scales.LEVELS,
                            games=counted(known, "game", "games")))


def keep_result(table: Table, share: float, screen: Output) -> None:
    """Add a game to the record of the person; print a note if that fails, or if the game counts already."""
    try:
        kept = person_rating.remember_table(table, share)
        if not kept and person_rating.rated_level(table) is not None and not table.unrated:
            screen.note(_("This game counts for your level already, by how it ended first."))
    except InvalidRecord as error:
        screen.complain(str(error))


def known_levels() -> list[dict[str, Any]]:
    """Return the levels of every game and the fits behind them, as JSON-able data."""
    found = []
    for name in game_names():
        for players in describe_game(name)["players"]:
            scale = scales.scale_of(make_game(name, players=players) if len(describe_game(name)["players"]) > 1
                             else make_game(name))
            found.append({"game": name, "players": players, **described(scale)})
    return found


def described(scale: Scale) -> dict[str, Any]:
    """Return the levels of a game as JSON-able data."""
    rows = []
    for level, (strength, rating) in enumerate(zip(scale.strengths, scale.ratings, strict=True), start=1):
        step = None if scale.fit is None or level == 1 else scale.fit.steps[level - 2]
        rows.append({"level": level, "name": scales.NAMES[level - 1][0], **vars(strength), "elo": rating,
                     "step": None if step is None else vars(step)})
    fit = scale.fit
    return {"fitted": None if fit is None else {"date": str(fit.date), "version": fit.version, "games": fit.games,
                                                "span": fit.span}, "levels": rows}


def show_levels(output: Output) -> None:
    """Print the distances between the levels of every game, and the fits behind them."""
    rows, unfitted = [], []
    for entry in known_levels():
        name = f"{entry['game']}, {entry['players']} players"
        if entry["fitted"] is None:
            unfitted.append(name)
            continue
        steps = [row["step"] for row in entry["levels"][1:]]
        beyond = [row["level"] for row in entry["levels"][1:] if row["step"]["extrapolated"]]
        elos, wide = [step["elo"] for step in steps], max((step["high"] - step["low"]) / 2 for step in steps)
        rows.append((Text(name, "bold cyan"), Text(
            f"steps of {_range(elos)} Elo (95 %: ± {wide:.0f} at most), fitted "
            f"{entry['fitted']['date']} with Sfida {entry['fitted']['version']}, {entry['fitted']['games']:,} games"
            + (f"; from level {beyond[0]} on extrapolated" if beyond else ""))))
    output.line("The levels:", "bold")
    two_columns(output, [(Text(f"level:{number} {name}", "bold cyan"), Text(words))
                         for number, (name, words) in enumerate(scales.NAMES, start=1)])
    output.line()
    output.line("How far each level is above the one below, by game:", "bold")
    two_columns(output, rows)
    if unfitted:
        output.wrapped(Text("Not fitted, a general formula for all games: " + "; ".join(unfitted), "dim"))


def known_characters() -> list[dict[str, Any]]:
    """Return the characters of every game's levels, as JSON-able data."""
    return [{"game": name, "name": each.name, "title": each.title, "about": each.about, "shift": each.shift,
             "measured": None if each.measured is None else vars(each.measured)}
            for name in game_names() if foreign_game(name) is None for each in characters(game_class(name)).values()]


def show_characters(output: Output) -> None:
    """Print the characters of every game's levels, and how strong each is beside the level without it."""
    found = known_characters()
    for game in dict.fromkeys(entry["game"] for entry in found):
        own = [entry for entry in found if entry["game"] == game]
        output.line()
        output.line(f"Characters in {game}, such as level:5/{own[0]['name']}:", "bold")
        two_columns(output, [(Text(entry["name"], "bold cyan"), Text(_said_of(entry))) for entry in own])


def _said_of(entry: dict[str, Any]) -> str:
    measured = entry["measured"]
    return str(entry["about"]) + ("" if measured is None else
                             f" Beside the plain level: {measured['elo']:+.0f} Elo (95 %: {measured['low']:+.0f} to "
                             f"{measured['high']:+.0f}), {measured['games']} games.")


def _range(elos: list[float]) -> str:
    low, high = f"{min(elos):.0f}", f"{max(elos):.0f}"
    return low if low == high else f"{low} to {high}"


# ---- `sfida agents`: the available agents

# The agents that most people need: spec, strength in a word or two, cost.
USUAL = (("human", "a person", "you, or somebody beside you"),
         ("random", "plays anything", "answers at once"),
         ("greedy", "weak", "looks one turn ahead; answers at once"),
         ("ismcts:seconds=1", "strong", "searches a second a move; the longer, the stronger"),
         ("level:4", "of any strength", "level:1 to level:10, or level:auto, which follows you"))
WAYS_TO_SEAT = (("sfida play GAME --seat human --seat AGENT", "who sits where"),
                ("sfida agents NAME", "its parameters; sfida agents --all: those of all agents"),
                ("sfida agents level", "its steps in every game, and its characters, as in level:4/raider"))


@click.command("agents")
@click.argument("name", required=False)
@all_option
@json_option
@color_option
@click.pass_context
def agents_command(context: click.Context, name: str | None, everything: bool, as_json: bool) -> None:
    """List the agents, those that most people need first; with a name, its parameters.

    \b
    sfida agents
    sfida agents ismcts
    sfida agents --all
    sfida play carcassonne --seat human --seat ismcts:iterations=5000,c=0.7
    """
    output = output_for(context, as_json)
    if name is not None and registry.is_strategy(name):
        output.note(f"'{name}' stands for greedy:strategy={name}.")
        name = "greedy"
    names = registry.agent_names() if name is None else [registry.agent_class(name).name]
    for reason in (registry.broken_agents() if name is None else {}).values():
        output.complain(reason)
    if as_json:
        for each in names:
            levels = {"levels": known_levels(), "characters": known_characters()} if name == each == "level" else {}
            output.emit({"type": "agent", **describe_agent(each), **levels})
        return
    if name is None:
        list_agents(output)
    if name is None and not everything:
        usual = {spec.partition(":")[0] for spec, _, _ in USUAL}
        two_columns(output, [(Text(each, "bold cyan"), Text(registry.agent_class(each).doc))
                             for each in names if each not in usual])
    else:
        show_agents(output, names)
        if name == "level":
            show_levels(output)
            show_characters(output)


def list_agents(output: Output) -> None:
    """Print the agents that most people need."""
    two_columns(output, [(Text(spec, "bold cyan"), Text(strength).append(f": {cost}"))
                         for spec, strength, cost in USUAL])
    output.line()
    two_columns(output, [(Text(typed, "green"), Text(meaning)) for typed, meaning in WAYS_TO_SEAT])
    output.line()


def show_agents(output: Output, names: Sequence[str]) -> None:
    """Print agents with their parameters."""
    for each in names:
        entry = describe_agent(each)
        output.line(Text().append(each, "bold cyan").append(f"  {entry['doc']}"))
        if registry.agent_class(each).free_text:
            two_columns(output, [(Text().append(f"    {entry['form']}", "green"), Text(parameter["doc"]))
                                 for parameter in entry["parameters"]])
        else:
            show_options(output, entry["parameters"])
        output.line()
    if any("unset" in parameter for each in names for parameter in describe_agent(each)["parameters"]):
        values = {key: value for each in names
                  for key, value in search.generic_values(registry.agent_class(each).options_class).items()}
        generic = ", ".join(f"{key}={value_text(value)}" for key, value in values.items())
        output.wrapped(Text().append(
            "game's: the value measured for the game ('sfida games NAME' shows it), otherwise the general one: "
            f"{generic}. Without iterations and seconds a decision takes {search.DEFAULT_ITERATIONS} iterations. "
            "'none' leaves a value unset.", "dim"))


def describe_agent(name: str) -> dict[str, Any]:
    """Return the description of an agent, as JSON-able data."""
    cls = registry.agent_class(name)
    parameters = describe(cls.options_class)
    values = cls.free_text.upper() or ("key=value,..." if parameters else "")
    return {"name": cls.name, "doc": cls.doc, "form": f"{name}:{values}" if values else name,
            "parameters": parameters}
